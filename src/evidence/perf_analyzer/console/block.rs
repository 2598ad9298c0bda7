//! One block of console output: what was measured at one load, line by line.

use super::line::{amount, parts};
use crate::{
    Statistic,
    reading::tame,
    sweep::{GpuField, LoadPoint, Mode, Part, number::Fault},
};
use std::collections::BTreeMap;

/// Most GPUs and composing models of one block; the tool prints at most sixteen GPUs.
const MOST_NAMED: usize = 64;
/// Most measurement windows remembered; the tool makes at most ten by default.
const MOST_PASSES: usize = 1000;

/// The part of a block that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Client,
    Server,
    Composing,
    Metrics(Option<GpuField>),
}

/// The server's numbers of one model of an ensemble.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Composing {
    /// Its name and version.
    pub name: String,
    /// Its times in seconds.
    pub times: BTreeMap<Part, f64>,
    counts: Counts,
}

impl Composing {
    /// Inferences over executions.
    pub fn batch(&self) -> Option<f64> {
        self.counts.batch()
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Counts {
    inferences: Option<f64>,
    executions: Option<f64>,
}

impl Counts {
    fn batch(self) -> Option<f64> {
        Some(self.inferences? / self.executions.filter(|e| *e > 0.0)?)
    }
}

/// What was measured at one load.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    /// What drove the load.
    pub mode: Mode,
    /// The numbers, in base units.
    pub point: LoadPoint,
    /// Throughput and stabilising latency of each window, where `-v` printed them.
    pub passes: Vec<(f64, f64)>,
    /// The first line with a number of another locale, with its text.
    pub locale: Option<(u64, String)>,
    /// Models of an ensemble.
    pub composing: Vec<Composing>,
    section: Section,
    counts: Counts,
}

impl Block {
    pub fn new(mode: Mode, load: f64, line: u64) -> Self {
        let mut point = LoadPoint::at(line);
        point.load = load;
        Self {
            mode,
            point,
            passes: Vec::new(),
            locale: None,
            composing: Vec::new(),
            section: Section::Client,
            counts: Counts::default(),
        }
    }

    /// Whether the client's part is there to its end.
    pub fn is_complete(&self) -> bool {
        let usual = [
            Statistic::P50,
            Statistic::P90,
            Statistic::P95,
            Statistic::P99,
        ];
        self.point.throughput.is_some() && usual.iter().all(|q| self.point.latency.contains_key(q))
    }

    /// Takes one line; whether it belonged to the block.
    pub fn take(&mut self, line: &str, number: u64) -> bool {
        match line {
            "Client:" => self.section = Section::Client,
            "Server:" => self.section = Section::Server,
            "Composing models:" => self.section = Section::Composing,
            "Server Prometheus Metrics:" => self.section = Section::Metrics(None),
            _ => {
                return match self.section {
                    Section::Client => self.client(line, number),
                    Section::Server => self.server(line, number),
                    Section::Composing => self.composed(line),
                    Section::Metrics(field) => self.metrics(line, field),
                };
            }
        }
        true
    }

    /// A number of a line, or `None` with a number of another locale remembered.
    fn value(&mut self, line: &str, at: u64, before: &str, unit: &str) -> Option<f64> {
        match amount(line, before, unit)? {
            Ok(value) if value.is_finite() && value >= 0.0 => Some(value),
            Ok(_) | Err(Fault::Other) => None,
            Err(Fault::Locale) => {
                self.locale.get_or_insert((at, tame(line)));
                None
            }
        }
    }

    fn client(&mut self, line: &str, at: u64) -> bool {
        if line.starts_with("Pass [") {
            let throughput = self.value(line, at, "throughput:", "infer/sec");
            let latency = self.value(line, at, " latency:", "usec");
            if let (Some(x), Some(l)) = (throughput, latency)
                && self.passes.len() < MOST_PASSES
            {
                self.passes.push((x, l / 1e6));
            }
        } else if line.starts_with("Request count:") {
            let count = self.value(line, at, "count:", "");
            self.point.requests = count.map(|n| n as u64);
        } else if line.contains("% of the requests were delayed") {
            // The number stands before its unit, behind two sentences.
            self.point.delayed = line
                .split_once('%')
                .and_then(|(before, _)| before.rsplit_once(' '))
                .and_then(|(_, number)| number.parse::<f64>().ok())
                .map(|percent| percent / 100.0);
        } else if line.starts_with("Throughput:") {
            self.point.throughput = self.value(line, at, "Throughput:", "infer/sec");
        } else if line.starts_with("Response Throughput:") {
            self.point.response_throughput = self.value(line, at, "Throughput:", "infer/sec");
        } else if line.starts_with("Avg client overhead:") {
            let percent = self.value(line, at, "overhead:", "%");
            self.point.overhead = percent.map(|p| p / 100.0);
        } else if line.starts_with("Avg latency:") {
            self.time(line, at, Part::Average);
        } else if line.starts_with("Avg HTTP time:") || line.starts_with("Avg gRPC time:") {
            self.time(line, at, Part::ClientLibrary);
            self.client_parts(line);
        } else if let Some(quantile) = quantile_of(line) {
            if let Some(us) = self.value(line, at, "latency:", "usec") {
                self.point.latency.insert(quantile, us / 1e6);
            }
        } else {
            return line.starts_with("Avg send request rate:")
                || line.starts_with("Sequence count:");
        }
        true
    }

    fn time(&mut self, line: &str, at: u64, part: Part) {
        if let Some(us) = self.value(line, at, ":", "usec") {
            self.point.times.insert(part, us / 1e6);
        }
    }

    fn client_parts(&mut self, line: &str) {
        for (name, seconds) in parts(line) {
            let part = match name {
                "send/recv" => Part::RequestResponse,
                "response wait" => Part::ResponseWait,
                "marshal" | "marshal request" => Part::ClientSend,
                "unmarshal" | "unmarshal response" => Part::ClientReceive,
                _ => continue,
            };
            self.point.times.insert(part, seconds);
        }
    }

    fn server(&mut self, line: &str, at: u64) -> bool {
        if line.starts_with("Inference count:") {
            self.counts.inferences = self.value(line, at, "count:", "");
        } else if line.starts_with("Execution count:") {
            self.counts.executions = self.value(line, at, "count:", "");
        } else if line.starts_with("Cache hit count:") {
            let hits = self.value(line, at, "count:", "");
            self.point.cache_hits = hits.map(|n| n as u64);
        } else if line.starts_with("Avg request latency:") {
            self.time(line, at, Part::ServerRequest);
            server_parts(line, &mut self.point.times);
        } else if line.starts_with("Average Cache Hit Latency:") {
            self.time(line, at, Part::CacheHit);
        } else if line.starts_with("Average Cache Miss Latency:") {
            server_parts(line, &mut self.point.times);
        } else {
            return line.starts_with("Successful request count:")
                || line.starts_with("Request count:")
                || line.starts_with("Cache miss count:");
        }
        self.point.executed_batch = self.counts.batch();
        true
    }

    fn composed(&mut self, line: &str) -> bool {
        if let Some((name, version)) = line.split_once(", version:") {
            if self.composing.len() < MOST_NAMED {
                let version = version.trim().trim_end_matches(':');
                let name = match version {
                    "" => tame(name.trim()),
                    version => tame(&format!("{} v{version}", name.trim())),
                };
                self.composing.push(Composing {
                    name,
                    times: BTreeMap::new(),
                    counts: Counts::default(),
                });
            }
            return true;
        }
        let Some(model) = self.composing.last_mut() else {
            return false;
        };
        let count = |before: &str| amount(line, before, "").and_then(Result::ok);
        if line.starts_with("Inference count:") {
            model.counts.inferences = count("count:");
        } else if line.starts_with("Execution count:") {
            model.counts.executions = count("count:");
        } else if line.starts_with("Avg request latency:") {
            if let Some(Ok(us)) = amount(line, "latency:", "usec") {
                model.times.insert(Part::ServerRequest, us / 1e6);
            }
            server_parts(line, &mut model.times);
        }
        true
    }

    fn metrics(&mut self, line: &str, field: Option<GpuField>) -> bool {
        let heading = match line {
            "Avg GPU Utilization:" => Some(GpuField::Utilization),
            "Avg GPU Power Usage:" => Some(GpuField::Power),
            "Max GPU Memory Usage:" => Some(GpuField::MemoryUsed),
            "Total GPU Memory:" => Some(GpuField::MemoryTotal),
            _ => None,
        };
        if heading.is_some() {
            self.section = Section::Metrics(heading);
            return true;
        }
        let (Some(field), Some((gpu, value))) = (field, line.rsplit_once(" : ")) else {
            return false;
        };
        let (unit, factor) = match field {
            GpuField::Utilization => ("%", 0.01),
            GpuField::Power => ("watts", 1.0),
            GpuField::MemoryUsed | GpuField::MemoryTotal => ("bytes", 1.0),
        };
        let number = value
            .trim()
            .strip_suffix(unit)
            .map(|n| n.trim().parse::<f64>());
        if let Some(Ok(value)) = number
            && value.is_finite()
            && value >= 0.0
            && (self.point.gpus.len() < MOST_NAMED || self.point.gpus.contains_key(gpu))
        {
            let readings = self.point.gpus.entry(tame(gpu.trim())).or_default();
            readings.insert(field, value * factor);
        }
        true
    }

    /// Adds what follows from the lines: the network is what the average leaves.
    pub fn settle(&mut self) {
        let times = &self.point.times;
        let time = |part| times.get(&part).copied();
        let sum = |of: &[Part]| of.iter().map(|p| time(*p)).sum::<Option<f64>>();
        if time(Part::CacheHit).is_some() {
            return;
        }
        let average = time(Part::Average).or_else(|| time(Part::ClientLibrary));
        let client =
            sum(&[Part::ClientSend, Part::ClientReceive]).or_else(|| time(Part::RequestResponse));
        let compute = time(Part::Compute)
            .or_else(|| sum(&[Part::ComputeInput, Part::ComputeInfer, Part::ComputeOutput]));
        if let (Some(average), Some(client), Some(queue), Some(compute)) =
            (average, client, time(Part::Queue), compute)
        {
            let gap = (average - client - queue - compute).max(0.0);
            self.point.times.insert(Part::NetworkGap, gap);
        }
    }
}

/// The parts of the server's latency.
fn server_parts(line: &str, times: &mut BTreeMap<Part, f64>) {
    for (name, seconds) in parts(line) {
        let part = match name {
            "overhead" => Part::ServerOverhead,
            "queue" => Part::Queue,
            "compute" => Part::Compute,
            "compute input" => Part::ComputeInput,
            "compute infer" => Part::ComputeInfer,
            "compute output" => Part::ComputeOutput,
            "cache lookup/insertion" => Part::CacheMiss,
            _ => continue,
        };
        times.insert(part, seconds);
    }
}

/// `p95 latency: …`.
fn quantile_of(line: &str) -> Option<Statistic> {
    let (name, _) = line.split_once(" latency:")?;
    match name.parse() {
        Ok(quantile @ Statistic::Quantile(_)) => Some(quantile),
        _ => None,
    }
}
