//! The case page, the evidence page, the small acts and the live updates, over a real database.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

#[path = "../common/mod.rs"]
mod common;
#[path = "../web/harness.rs"]
mod harness;

mod acts;
mod attested;
mod conflicts;
mod history;
mod life;
mod live;
mod mapping;
mod pages;
mod scene;
mod statements;
