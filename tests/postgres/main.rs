//! The database server of the house: throwaway databases for tests, the private server under every
//! kind of stop and start, and the commands that keep its data.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod archive;
mod checkpoints;
mod elsewhere;
mod house;
mod refusals;
mod starts;
mod stops;
mod throwaway;
