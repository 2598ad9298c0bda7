//! What a load point can say: the mode of the load, the parts of an average latency, the readings of
//! GPUs, and where each of them goes.
//!
//! The headings are those of perf_analyzer's CSV, whose words the other sources share.

use crate::{Statistic, Unit};

/// What drove the load of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

    /// Stable snake_case id, and the figure column of the load.
    pub fn id(self) -> &'static str {
        match self {
            Self::Concurrency => "concurrency",
            Self::RequestRate => "request_rate",
        }
    }

    /// The heading of its column.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Concurrency => "Concurrency",
            Self::RequestRate => "Request Rate",
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
    /// The client library's own time of a request: the average where the tool prints percentiles.
    ClientLibrary,
    /// What the average leaves beside client, queue and compute, where no column says it.
    NetworkGap,
    /// From arrival at the server to its answer, as the server measured it.
    ServerRequest,
    /// What the server's own parts leave of [`Part::ServerRequest`].
    ServerOverhead,
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
    part(Part::ClientLibrary, "client library time", "client_library_time", None, false),
    part(Part::NetworkGap, "network (derived)", "network_time", Some("network_time"), false),
    part(Part::ServerRequest, "server request time", "server_request_time", Some("server_request_time"), false),
    part(Part::ServerOverhead, "server overhead", "server_overhead_time", None, false),
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
    /// The field that a heading of perf_analyzer's CSV means.
    pub fn from_heading(heading: &str) -> Self {
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

    /// How the field is headed, for messages.
    pub fn heading(self, mode: Mode) -> String {
        match self {
            Self::Load => mode.heading().to_owned(),
            Self::Throughput => "Inferences/Second".to_owned(),
            Self::ResponseThroughput => "Response Throughput".to_owned(),
            Self::Time(part) => PARTS
                .iter()
                .find(|d| d.part == part)
                .map_or(String::new(), |d| d.heading.to_owned()),
            Self::Latency(quantile) => format!("{quantile} latency"),
            Self::Gpu(field) => GPU_FIELDS
                .iter()
                .find(|(f, ..)| *f == field)
                .map_or(String::new(), |(_, h, _)| (*h).to_owned()),
            Self::Unknown => String::new(),
        }
    }
}
