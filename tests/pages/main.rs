//! The pages of many things at once: what waits, case list, new case, services, contracts, audit
//! log, decisions, help.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

#[path = "../common/mod.rs"]
mod common;
#[path = "../web/harness.rs"]
mod harness;

mod audit;
mod cases;
mod contracts;
mod every_page;
mod home;
mod publishing;
mod services;
mod stock;
