//! The page of one evidence item, and what reviewers vouch for there.

pub mod attested;
pub mod beside;
pub mod redact;
pub mod show;
mod sweep;
pub mod vouch;
