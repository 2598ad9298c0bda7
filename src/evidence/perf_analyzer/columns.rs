//! The columns a perf_analyzer CSV can have: their headings, and where their numbers go.
//!
//! Headings are matched exactly. A heading that is not here is reported and left out.

use crate::{Refusal, Statistic, Unit};

/// What drove the load of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A fixed number of requests in flight: each client waits for its answer (closed loop).
    Concurrency,
    /// Requests sent by a schedule: a fixed rate, custom intervals or a schedule file.
    RequestRate,
}

impl Mode {
    /// The mode whose heading this is.
    pub fn from_heading(heading: &str) -> Option<Self> {
        match heading {
            "Concurrency" => Some(Self::Concurrency),
            "Request Rate" => Some(Self::RequestRate),
            _ => None,
        }
    }

    /// Unit of the load.
    pub fn unit(self) -> Unit {
        match self {
            Self::Concurrency => Unit::Count,
            Self::RequestRate => Unit::PerSecond,
        }
    }
}

/// The heading of the second column, in every version of the tool.
pub const THROUGHPUT: &str = "Inferences/Second";

/// An average time per request, written in whole microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Sending the request.
    ClientSend,
    /// What the measured parts leave of the average: network, and server send and receive.
    Network,
    /// Waiting in the server's queue.
    Queue,
    /// Preparing model inputs.
    ComputeInput,
    /// Running the model.
    ComputeInfer,
    /// Extracting model outputs.
    ComputeOutput,
    /// The whole compute step, in files before mid 2020.
    Compute,
    /// Answering from the response cache, averaged over hits.
    CacheHit,
    /// Looking up and filling the response cache, averaged over misses.
    CacheMiss,
    /// Receiving the answer.
    ClientReceive,
    /// End-to-end latency.
    Average,
    /// Sending and receiving together.
    RequestResponse,
    /// Waiting for the answer.
    ResponseWait,
}

/// Where a [`Part`] comes from and goes to.
pub struct PartDef {
    /// The part.
    pub part: Part,
    /// Heading in the file.
    pub heading: &'static str,
    /// Column of the components figure.
    pub column: &'static str,
    /// Signal of the catalogue that carries it, if one does.
    pub signal: Option<&'static str>,
    /// Whether it is one of the summands of the average latency.
    pub summand: bool,
}

const fn part(
    part: Part,
    heading: &'static str,
    column: &'static str,
    signal: Option<&'static str>,
    summand: bool,
) -> PartDef {
    PartDef {
        part,
        heading,
        column,
        signal,
        summand,
    }
}

/// All parts in the order of the file.
#[rustfmt::skip]
pub const PARTS: &[PartDef] = &[
    part(Part::ClientSend, "Client Send", "client_send_time", Some("client_send_time"), true),
    part(Part::Network, "Network+Server Send/Recv", "network_time", Some("network_time"), true),
    part(Part::Queue, "Server Queue", "queue_time", Some("queue_time"), true),
    part(Part::ComputeInput, "Server Compute Input", "server_compute_input_time", Some("server_compute_input_time"), true),
    part(Part::ComputeInfer, "Server Compute Infer", "server_compute_infer_time", Some("server_compute_infer_time"), true),
    part(Part::ComputeOutput, "Server Compute Output", "server_compute_output_time", Some("server_compute_output_time"), true),
    part(Part::Compute, "Server Compute", "server_compute_time", Some("server_compute_time"), true),
    part(Part::CacheHit, "Server Cache Hit", "server_cache_hit_time", Some("server_cache_hit_time"), true),
    part(Part::CacheMiss, "Server Cache Miss", "server_cache_miss_time", Some("server_cache_miss_time"), true),
    part(Part::ClientReceive, "Client Recv", "client_receive_time", Some("client_receive_time"), true),
    part(Part::Average, "Avg latency", "average_latency", Some("e2e_latency"), false),
    part(Part::RequestResponse, "request/response", "request_response_time", None, false),
    part(Part::ResponseWait, "response wait", "response_wait_time", None, false),
];

/// A reading per GPU, written as `uuid:value;uuid:value;`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GpuField {
    /// Share of time in which any kernel ran, 0–1.
    Utilization,
    /// Average power in watts.
    Power,
    /// Greatest memory in use, in bytes.
    MemoryUsed,
    /// Memory of the device, in bytes.
    MemoryTotal,
}

/// GPU fields with their heading and the signal (and figure column) they become.
pub const GPU_FIELDS: &[(GpuField, &str, &str)] = &[
    (
        GpuField::Utilization,
        "Avg GPU Utilization",
        "gpu_device_utilization",
    ),
    (GpuField::Power, "Avg GPU Power Usage", "gpu_power"),
    (
        GpuField::MemoryUsed,
        "Max GPU Memory Usage",
        "gpu_memory_used",
    ),
    (
        GpuField::MemoryTotal,
        "Total GPU Memory",
        "gpu_memory_total",
    ),
];

/// What one column of a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The load, always first.
    Load,
    /// Inferences per second, always second.
    Throughput,
    /// Responses per second of a decoupled model.
    ResponseThroughput,
    /// An average time.
    Time(Part),
    /// A latency quantile in microseconds.
    Latency(Statistic),
    /// A reading per GPU.
    Gpu(GpuField),
    /// Not known here: left out, and said so.
    Unknown,
}

impl Field {
    fn from_heading(heading: &str) -> Self {
        if heading == "Response Throughput" {
            return Self::ResponseThroughput;
        }
        if let Some(def) = PARTS.iter().find(|d| d.heading == heading) {
            return Self::Time(def.part);
        }
        if let Some((field, ..)) = GPU_FIELDS.iter().find(|(_, h, _)| *h == heading) {
            return Self::Gpu(*field);
        }
        match heading.strip_suffix(" latency").map(str::parse) {
            Some(Ok(quantile @ Statistic::Quantile(_))) => Self::Latency(quantile),
            _ => Self::Unknown,
        }
    }
}

/// The header row of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What drove the load.
    pub mode: Mode,
    /// One field per column.
    pub fields: Vec<Field>,
    /// Headings as written, for messages.
    pub headings: Vec<String>,
}

/// Most columns a sweep may have. The tool writes at most about thirty.
const MOST_COLUMNS: usize = 128;

impl Header {
    /// Reads the cells of the header row.
    ///
    /// # Errors
    /// `perf-header` when the first two columns are not those of a sweep, a known column is there
    /// twice, or there are more than 128 columns.
    pub fn from_cells(file: &str, cells: &[String]) -> Result<Self, Refusal> {
        let refuse = |column: &str| {
            Refusal::new(file, "perf-header")
                .arg("column", column)
                .at("line 1")
        };
        let first = cells.first().map_or("", String::as_str);
        let mode = Mode::from_heading(first).ok_or_else(|| refuse(first))?;
        let second = cells.get(1).map_or("", String::as_str);
        if second != THROUGHPUT {
            return Err(refuse(second));
        }
        let mut fields = vec![Field::Load, Field::Throughput];
        for heading in &cells[2..] {
            let field = Field::from_heading(heading);
            let twice = field != Field::Unknown && fields.contains(&field);
            if twice || fields.len() == MOST_COLUMNS {
                return Err(refuse(heading));
            }
            fields.push(field);
        }
        Ok(Self {
            mode,
            fields,
            headings: cells.to_vec(),
        })
    }

    /// Whether the file has this column.
    pub fn has(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    /// Whether the file has this time.
    pub fn has_time(&self, part: Part) -> bool {
        self.has(Field::Time(part))
    }

    /// The latency quantiles of the file, ascending.
    pub fn quantiles(&self) -> Vec<Statistic> {
        let mut found: Vec<_> = self
            .fields
            .iter()
            .filter_map(|f| match f {
                Field::Latency(q) => Some(*q),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// The heading of a field, for messages.
    pub fn heading(&self, field: Field) -> &str {
        self.fields
            .iter()
            .position(|f| *f == field)
            .map_or("", |i| self.headings[i].as_str())
    }
}
