//! The demonstration from the outside: what its files say, and what loading it leaves behind.

#[path = "../common/mod.rs"]
mod common;

mod files;
mod load;
mod serve;
