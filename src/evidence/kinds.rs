//! The table of kinds: one row for everything the product reads.
//!
//! A reader is a folder of its own and a row here; detection, reading, the catalogue's list of who
//! yields a signal, the page and retention all go by the row. What a signal means is the
//! catalogue's, how a file is parsed is the reader's.

use crate::{
    Options, Reading, Refusal, Source, Stage, benchmark, detect::Head, engine_config, engine_log,
    engine_metrics, model_analyzer, nsight, nvidia_smi, perf_analyzer, prometheus, requests, sweep,
    tables,
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
    /// Triton perf_analyzer's console output: one or more sweeps over load.
    PerfAnalyzerConsole,
    /// Triton perf_analyzer's profile export: the timestamps of every request.
    #[serde(rename = "perf_analyzer_profile_export")]
    PerfAnalyzerExport,
    /// Result tables of Triton Model Analyzer.
    ModelAnalyzerCsv,
    /// A checkpoint of Triton Model Analyzer.
    ModelAnalyzerCheckpoint,
    /// Nsight Systems SQLite export.
    NsightSystems,
    /// Results of a load generator: vLLM's and SGLang's benchmarks, GuideLLM, AIPerf and others.
    BenchmarkResults,
    /// Log of a vLLM or SGLang server.
    EngineLog,
    /// Configuration of an engine: model configuration, command line, settings, variables.
    EngineConfig,
    /// Metrics of any other engine or of what stands in front of engines.
    EngineMetrics,
    /// Metrics of GPUs, as DCGM's exporter and those like it write them.
    GpuMetrics,
    /// Samples that nvidia-smi wrote as text.
    NvidiaSmi,
    /// Request log: CSV, TSV or lines of JSON, one row per request.
    RequestLog,
    /// Public trace of a workload: arrivals and lengths.
    RequestTrace,
    /// OTLP JSON spans of requests.
    OtlpSpans,
    /// AIPerf's records, one line per request.
    AiperfRecords,
    /// A table of measurements whose columns a person explained.
    MeasurementTable,
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
        parser: engine_metrics::PARSER,
        joins_files: true,
        home: Stage::ServingSchedulerCache,
        keep: Keep::Metrics,
        yields: &[engine_metrics::YIELDS, engine_metrics::GPU_YIELDS],
        read: engine_metrics::read_vllm,
    },
    Format {
        kind: Kind::EngineMetrics,
        id: "engine_metrics",
        parser: engine_metrics::PARSER,
        joins_files: true,
        home: Stage::ServingSchedulerCache,
        keep: Keep::Metrics,
        yields: &[engine_metrics::YIELDS, engine_metrics::GPU_YIELDS],
        read: engine_metrics::read_engine,
    },
    Format {
        kind: Kind::GpuMetrics,
        id: "gpu_metrics",
        parser: engine_metrics::PARSER,
        joins_files: true,
        home: Stage::GpuExecutionMemory,
        keep: Keep::Metrics,
        yields: &[engine_metrics::GPU_YIELDS],
        read: engine_metrics::read_gpu,
    },
    Format {
        kind: Kind::NvidiaSmi,
        id: "nvidia_smi",
        parser: nvidia_smi::PARSER,
        joins_files: false,
        home: Stage::GpuExecutionMemory,
        keep: Keep::Metrics,
        yields: &[nvidia_smi::YIELDS],
        read: nvidia_smi::read,
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
        kind: Kind::PerfAnalyzerConsole,
        id: "perf_analyzer_console",
        parser: perf_analyzer::PARSER,
        joins_files: false,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[perf_analyzer::console::YIELDS],
        read: perf_analyzer::console::read,
    },
    Format {
        kind: Kind::PerfAnalyzerExport,
        id: "perf_analyzer_profile_export",
        parser: perf_analyzer::PARSER,
        joins_files: false,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[perf_analyzer::export::YIELDS],
        read: perf_analyzer::export::read,
    },
    Format {
        kind: Kind::ModelAnalyzerCsv,
        id: "model_analyzer_csv",
        parser: model_analyzer::PARSER,
        joins_files: true,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[sweep::YIELDS, model_analyzer::YIELDS],
        read: model_analyzer::read_tables,
    },
    Format {
        kind: Kind::ModelAnalyzerCheckpoint,
        id: "model_analyzer_checkpoint",
        parser: model_analyzer::PARSER,
        joins_files: false,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[sweep::YIELDS, model_analyzer::YIELDS],
        read: model_analyzer::read_checkpoint,
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
        kind: Kind::BenchmarkResults,
        id: "benchmark_results",
        parser: benchmark::PARSER,
        joins_files: true,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[benchmark::YIELDS],
        read: benchmark::read,
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
    Format {
        kind: Kind::RequestLog,
        id: "request_log",
        parser: requests::PARSER,
        joins_files: true,
        home: Stage::RequestTrace,
        keep: Keep::Metrics,
        yields: &[requests::YIELDS],
        read: requests::read_log,
    },
    Format {
        kind: Kind::RequestTrace,
        id: "request_trace",
        parser: requests::PARSER,
        joins_files: true,
        home: Stage::RequestTrace,
        keep: Keep::Other,
        yields: &[requests::YIELDS, requests::TRACE_YIELDS],
        read: requests::read_log,
    },
    Format {
        kind: Kind::OtlpSpans,
        id: "otlp_spans",
        parser: requests::PARSER,
        joins_files: true,
        home: Stage::RequestTrace,
        keep: Keep::Metrics,
        yields: &[requests::YIELDS],
        read: requests::read_otlp,
    },
    Format {
        kind: Kind::AiperfRecords,
        id: "aiperf_records",
        parser: requests::PARSER,
        joins_files: true,
        home: Stage::RequestTrace,
        keep: Keep::Sweeps,
        yields: &[requests::YIELDS],
        read: requests::read_aiperf,
    },
    Format {
        kind: Kind::MeasurementTable,
        id: "measurement_table",
        parser: tables::PARSER,
        joins_files: false,
        home: Stage::RequestTrace,
        keep: Keep::Other,
        yields: &[tables::YIELDS],
        read: tables::read,
    },
];

/// Who is asked what a file is, in this order: the surest signs first. The first answer counts.
pub const RECOGNISERS: &[Recognise] = &[
    nsight::recognise,
    requests::recognise_sure,
    // Before perf_analyzer, whose family has tables with the same beginnings.
    benchmark::recognise,
    model_analyzer::recognise,
    perf_analyzer::recognise,
    nvidia_smi::recognise,
    // By the names of many columns, so before what goes by a first key.
    requests::recognise,
    // Before configurations: a log may quote the command that started it.
    engine_log::recognise,
    // Before metrics: a line `count: 2` also reads as one.
    engine_config::recognise,
    prometheus::recognise,
    // Last: whatever another reader refuses by name keeps its refusal.
    tables::recognise,
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

    /// Whether its numbers are a person's word: they said what the columns mean, so every number
    /// counts as attested (lifecycle §5), and any signal of the catalogue may be among them.
    pub fn is_attested(self) -> bool {
        self == Self::MeasurementTable
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
