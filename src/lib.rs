//! `pel`, the Performance Evidence Ladder: from a symptom of an inference service to an accepted
//! production change, by evidence.
//!
//! Data flows one way: bytes → [`intake`] → `pel_evidence` → [`ladder`] → [`store`] → [`web`].
//! Each room knows the rooms to its left, never those to its right; `tests/architecture.rs`
//! fails on a forbidden arrow. `ARCHITECTURE.md` is the map.

pub mod cli;
pub mod config;
pub mod demo;
pub mod i18n;
pub mod intake;
pub mod ladder;
pub mod postgres;
pub mod store;
pub mod web;
