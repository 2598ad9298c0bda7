//! The real router over a real database: people, sessions, permissions, headers, pages.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

#[path = "../common/mod.rs"]
mod common;

mod api;
mod harness;
mod headers;
mod people;
mod permissions;
mod sessions;
mod signin;
mod words;
