//! Baseline against candidate, in one phase at a time: the page, its table, its strip, and the
//! exports of exactly that table.

pub mod export;
pub mod show;
pub mod strip;
pub mod table;
pub mod weigh;
