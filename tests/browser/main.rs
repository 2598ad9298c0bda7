//! The main job in a real browser: headless Chromium, real clicks, the real program with its own
//! private database, and people who sign in.
//!
//! Needs `chromium` and `chromedriver`; `scripts/test` installs them.
#![allow(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is not as it should be"
)]

mod harness;
mod main_job;
mod material;
mod people;
