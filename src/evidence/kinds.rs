//! The table of kinds: one row for everything the product reads.
//!
//! A reader is a folder of its own and a row here; detection, reading, the catalogue's list of who
//! yields a signal, the page and retention all go by the row. What a signal means is the
//! catalogue's, how a file is parsed is the reader's.

use crate::{
    Options, Reading, Refusal, Source, Stage, detect::Head, engine_config, engine_log, nsight,
    perf_analyzer, prometheus, vllm,
};
use serde::{Deserialize, Serialize};

/// What a file is, once recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// vLLM `/metrics` in Prometheus text: one scrape, a before/after pair or a series.
    VllmMetrics,
    /// Triton perf_analyzer `-f` CSV: a sweep over load.
    PerfAnalyzerCsv,
    /// Nsight Systems SQLite export.
    NsightSystems,
    /// Log of a vLLM or SGLang server.
    EngineLog,
    /// Configuration of an engine: model configuration, command line, settings, variables.
    EngineConfig,
}

/// What the policy's retention calls a kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Metrics and logs of a service.
    Metrics,
    /// Results of load generators.
    Sweeps,
    /// Traces of profilers.
    Traces,
    /// Everything else.
    Other,
}

/// Answers for a file that is this reader's: its kind, or why it is refused. `None` passes it on.
pub type Recognise = fn(&Source, &Head) -> Option<Result<Kind, Refusal>>;

/// How one kind is called, recognised, read and kept.
#[derive(Debug)]
pub struct Format {
    /// The kind of this row.
    pub kind: Kind,
    /// Stable snake_case id.
    pub id: &'static str,
    /// Version of the parser; moves whenever the same bytes may give another reading.
    pub parser: &'static str,
    /// Whether several files may form one reading (scrapes of one run can, sweeps cannot).
    pub joins_files: bool,
    /// The stage at which the page shows its card.
    pub home: Stage,
    /// How long the policy keeps its bytes.
    pub keep: Keep,
    /// Lists of the signals that its reader can yield.
    pub yields: &'static [&'static [&'static str]],
    /// The reader.
    pub read: fn(&[Source], &Options) -> Result<Reading, Refusal>,
}

/// All kinds, in the order in which they are listed to people.
pub const FORMATS: &[Format] = &[
    Format {
        kind: Kind::VllmMetrics,
        id: "vllm_metrics",
        parser: vllm::PARSER,
        joins_files: true,
        home: Stage::ServingSchedulerCache,
        keep: Keep::Metrics,
        yields: &[vllm::YIELDS],
        read: vllm::read,
    },
    Format {
        kind: Kind::PerfAnalyzerCsv,
        id: "perf_analyzer_csv",
        parser: perf_analyzer::PARSER,
        joins_files: false,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[perf_analyzer::YIELDS],
        read: perf_analyzer::read,
    },
    Format {
        kind: Kind::NsightSystems,
        id: "nsight_systems",
        parser: nsight::PARSER,
        joins_files: false,
        home: Stage::GpuExecutionMemory,
        keep: Keep::Traces,
        yields: &[nsight::YIELDS],
        read: nsight::read,
    },
    Format {
        kind: Kind::EngineLog,
        id: "engine_log",
        parser: engine_log::PARSER,
        joins_files: true,
        home: Stage::ServingSchedulerCache,
        keep: Keep::Metrics,
        yields: &[engine_log::YIELDS],
        read: engine_log::read,
    },
    Format {
        kind: Kind::EngineConfig,
        id: "engine_config",
        parser: engine_config::PARSER,
        joins_files: true,
        home: Stage::ServingSchedulerCache,
        keep: Keep::Other,
        yields: &[],
        read: engine_config::read,
    },
];

/// Who is asked what a file is, in this order: the surest signs first. The first answer counts.
pub const RECOGNISERS: &[Recognise] = &[
    nsight::recognise,
    perf_analyzer::recognise,
    // Before configurations: a log may quote the command that started it.
    engine_log::recognise,
    // Before metrics: a line `count: 2` also reads as one.
    engine_config::recognise,
    prometheus::recognise,
];

impl Kind {
    /// All kinds, in the order they are listed to people.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|format| format.kind)
    }

    /// The row of this kind.
    ///
    /// # Panics
    /// Never: a test holds every kind against the table.
    pub fn format(self) -> &'static Format {
        FORMATS
            .iter()
            .find(|format| format.kind == self)
            .expect("every kind has a row")
    }

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        self.format().id
    }

    /// The kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().find(|k| k.id() == id)
    }

    /// Version of the parser that reads this kind today.
    pub fn parser(self) -> &'static str {
        self.format().parser
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_row_with_the_id_it_is_stored_under() {
        for format in FORMATS {
            let stored = serde_json::to_value(format.kind).expect("a kind is a word");
            assert_eq!(stored, format.id);
            assert_eq!(Kind::from_id(format.id), Some(format.kind));
            let rows = FORMATS.iter().filter(|f| f.kind == format.kind).count();
            assert_eq!(rows, 1, "{}", format.id);
        }
        // A variant without a row would make this number larger than the table.
        let last = FORMATS.iter().map(|f| f.kind as usize).max().unwrap_or(0);
        assert_eq!(last + 1, FORMATS.len());
    }
}
