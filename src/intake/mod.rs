//! Intake: bytes from outside, until they are evidence.
//!
//! [`receive`] takes uploads into [`blobs`], content-addressed and on disk before they are
//! acknowledged; [`jobs`] runs the work that follows; [`cage`] reads a file in a process of its
//! own that [`sandbox`] confines; [`sweep`] removes what an interrupted upload left behind.

pub mod blobs;
pub mod cage;
pub mod grouping;
pub mod jobs;
pub mod outdated;
pub mod reading;
pub mod receive;
pub mod retention;
pub mod sandbox;
mod seccomp;
pub mod sweep;
pub mod upkeep;
pub mod weighing;
