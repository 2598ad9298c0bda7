//! Conditions, changes, canary, acceptance and decision records, over the router and a database
//! of its own: the whole way by two people, what is refused on it, and what the database itself
//! refuses.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

#[path = "../common/mod.rs"]
mod common;
#[path = "../web/harness.rs"]
mod harness;

mod bundle;
mod canary;
mod compared;
mod conflicts;
mod database;
mod job;
mod lifecycle;
mod orders;
mod overrides;
mod races;
mod random;
mod record;
mod refusals;
mod retention;
mod review;
mod schema;
mod story;
mod tokens;
mod upkeep;
