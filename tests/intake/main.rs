//! Intake from the outside: what the cage holds, what the blob store keeps, how jobs run.

#[path = "../common/mod.rs"]
mod common;

mod blobs;
mod cage;
mod inspect;
mod jobs;
mod receive;
mod runner;
