//! Evidence: bytes in, a [`Reading`] out.
//!
//! One folder or file per tool reads what that tool wrote and turns it into signals, figures
//! and notes. Nothing here knows SQL, HTTP, async, the clock or the environment; what a signal
//! means for a case is judged elsewhere, in the ladder.

pub mod benchmark;
pub mod catalogue;
pub mod detect;
pub mod distribution;
pub mod engine_config;
pub mod engine_log;
pub mod engine_metrics;
pub mod figure;
pub mod input;
pub mod kinds;
pub mod mapping;
pub mod model_analyzer;
pub mod nsight;
pub mod nvidia_smi;
pub mod perf_analyzer;
pub mod prometheus;
pub mod reading;
pub mod refusal;
pub mod requests;
pub mod samples;
pub mod statistic;
pub mod statistics;
pub mod sweep;
pub mod tables;

pub use catalogue::{Better, Role, SignalDef, Stage, Unit};
pub use distribution::{Data, Distribution};
pub use figure::{Cell, Column, Figure, Mark, Series, Shown};
pub use kinds::Kind;
pub use mapping::{Mapping, Proposal};
pub use reading::{
    Bound, FileRead, Hint, HintAbout, Note, NoteLevel, Reading, Scope, Signal, Tool, Window,
};
pub use refusal::Refusal;
pub use statistic::Statistic;

use std::path::{Path, PathBuf};

/// One file of a run as handed to [`read`]: where its bytes lie and what its owner called it.
///
/// The name is data from outside: it is shown, never interpreted as a path.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where the bytes can be read.
    pub path: PathBuf,
    /// The name the uploader gave it.
    pub name: String,
}

impl Source {
    /// A source named after the last part of its own path.
    pub fn at(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().to_path_buf();
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        Self { path, name }
    }
}

/// What the reader's caller knows that the files do not say.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Seconds between two scrapes, when the files carry no time.
    pub interval_seconds: Option<f64>,
    /// What the columns of a table mean, as a person said it.
    pub mapping: Option<Mapping>,
    /// Whether a person has to confirm what the columns of a request log mean even where their
    /// names leave nothing open. Formats that are known whole are never asked about.
    pub ask: bool,
}

/// Reads the files of one run that belong together (a scrape before and one after, say) into one
/// [`Reading`].
///
/// # Errors
/// A [`Refusal`] says which file was refused, why, where in it, and what to do instead.
pub fn read(sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    let found = detect::kind_of(sources)?;
    // Whether rows are requests or measurements is said by the mapping, where there is one.
    let kind = match (found, options.mapping.as_ref().map(|m| m.subject)) {
        (Kind::MeasurementTable, Some(mapping::Subject::Requests)) => Kind::RequestLog,
        (Kind::RequestLog, Some(mapping::Subject::Measurements)) if sources.len() == 1 => {
            Kind::MeasurementTable
        }
        _ => found,
    };
    (kind.format().read)(sources, options)
}
