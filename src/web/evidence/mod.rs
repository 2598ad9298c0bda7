//! The page of one evidence item, and what reviewers vouch for there.

pub mod attested;
pub mod beside;
pub mod mapping;
pub mod redact;
pub mod show;
mod signals;
mod sweep;
pub mod vouch;
