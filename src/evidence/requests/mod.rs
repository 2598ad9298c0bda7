//! Requests one by one (stage 1, and the split of their latency for stage 4): logs in CSV, TSV or
//! lines of JSON, OTLP spans, AIPerf's records, and public traces of workloads.
//!
//! Every format becomes the same [`table`] of requests, and everything after looks at that alone.
//! Percentiles are exact. Memory is a few machine words per request, up to a stated cap.

mod aiperf;
mod attempts;
mod blocks;
mod cells;
mod checks;
mod column;
mod compose;
mod delimited;
mod figures;
mod json;
mod known;
mod load;
mod log;
mod names;
mod names_apart;
mod number;
mod otlp;
mod plan;
mod recognise;
mod signals;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod words;
mod yields;

pub use aiperf::read as read_aiperf;
pub use log::read as read_log;
pub use otlp::read as read_otlp;
pub use recognise::{recognise, recognise_sure};
pub use yields::{TRACE_YIELDS, YIELDS};

/// Version of these parsers.
pub const PARSER: &str = "1.0";
