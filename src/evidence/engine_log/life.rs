//! One life of a server in a log, from a start (or the log's beginning) to the next start: its
//! engines, what it said while starting, and what went wrong.

use super::{
    course::{Course, DRAWN, Levels, Points},
    sample::{Gauge, Sample},
    stamp::Stamps,
    start::Step,
    vllm::Speculation,
};
use crate::engine_config::{Config, Engine};
use std::collections::BTreeMap;

/// Most engines that are kept apart.
pub const MOST_ENGINES: usize = 64;

/// Most processes whose steps of the start are kept apart.
const MOST_PROCESSES: usize = 1024;

/// One engine of a server.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Owner {
    /// Its number, where lines name it: vLLM's engine, SGLang's data parallel rank.
    pub number: Option<u32>,
    /// The API server that printed it, where several do.
    pub server: String,
    /// Its gauges over the lines.
    pub levels: Levels,
    /// Its newest line.
    pub newest: Sample,
    /// Prompt tokens computed and taken from the cache, summed.
    pub prefill: (f64, f64),
    /// Decode lines with a graph, and all that tell.
    pub graphs: (u64, u64),
    /// Sequences thrown out, where lines count them.
    pub preempted: Option<f64>,
    /// Tensor and pipeline rank that is read; others repeat it.
    pub rank: (Option<u32>, Option<u32>),
}

/// Speculative decoding over a life.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Speculated {
    /// Lines read.
    pub lines: u64,
    /// Draft tokens accepted.
    pub accepted: f64,
    /// Draft tokens proposed.
    pub drafted: f64,
    /// Mean lengths weighted by draft tokens, and the weight.
    pub length: (f64, f64),
    /// Acceptance by position weighted by draft tokens, and the weight.
    pub positions: Vec<(f64, f64)>,
    /// V0: the counts of the first line and of the newest.
    pub counted: Option<((f64, f64), (f64, f64))>,
}

impl Speculated {
    /// Takes a line.
    pub fn take(&mut self, line: &Speculation) {
        self.lines += 1;
        let now = (line.accepted, line.drafted);
        if line.since_start {
            let first = self.counted.map_or(now, |(first, _)| first);
            self.counted = Some((first, now));
            return;
        }
        self.accepted += line.accepted;
        self.drafted += line.drafted;
        if let Some(length) = line.length {
            self.length.0 += length * line.drafted;
            self.length.1 += line.drafted;
        }
        for (i, rate) in line.positions.iter().enumerate() {
            if self.positions.len() <= i {
                self.positions.push((0.0, 0.0));
            }
            self.positions[i].0 += rate * line.drafted;
            self.positions[i].1 += line.drafted;
        }
    }
}

/// Seconds and bytes that a step took.
pub type Took = (Option<f64>, Option<f64>);

/// What a server said while it started.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Start {
    /// Line and times of its first line, when the log has the start.
    pub began: Option<(u64, Stamps)>,
    /// Times of the line that says it answers requests.
    pub ready: Option<Stamps>,
    /// Whether that was SGLang's own line, after its first answer.
    pub sure: bool,
    /// Release.
    pub release: Option<String>,
    /// Settings that were given.
    pub given: Option<Config>,
    /// Settings as the engine resolved them.
    pub resolved: Option<Config>,
    /// Seconds and bytes of each step, by process.
    pub steps: BTreeMap<(Step, Vec<u8>), Took>,
    /// Tokens that the KV cache holds, by engine.
    pub kv_tokens: BTreeMap<Option<u32>, f64>,
    /// Blocks that the KV cache holds.
    pub kv_blocks: Option<f64>,
    /// Requests of full length that it holds at once.
    pub concurrency: Option<f64>,
    /// Attention backend.
    pub backend: Option<String>,
}

impl Start {
    /// Takes a step of one process. SGLang loads and captures several models one after another.
    pub fn step(
        &mut self,
        step: Step,
        process: &[u8],
        seconds: Option<f64>,
        bytes: Option<f64>,
        adds: bool,
    ) {
        let key = (step, process.to_vec());
        if self.steps.len() >= MOST_PROCESSES && !self.steps.contains_key(&key) {
            return;
        }
        let kept = self.steps.entry(key).or_default();
        let join = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) if adds => Some(a + b),
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        *kept = (join(kept.0, seconds), join(kept.1, bytes));
    }

    /// The greatest of all processes: seconds, and bytes of one device.
    pub fn greatest(&self, step: Step) -> Took {
        let of = self.steps.iter().filter(|((s, _), _)| *s == step);
        of.fold((None, None), |(a, b), (_, (seconds, bytes))| {
            let more = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
            (more(a, *seconds), more(b, *bytes))
        })
    }

    /// Seconds from the first line to answering requests.
    pub fn seconds(&self) -> Option<f64> {
        let (began, ready) = (self.began?.1, self.ready?);
        (0..began.0.len()).find_map(|kind| {
            let step = super::stamp::step(kind, began.0[kind]?, ready.0[kind]?);
            (step >= 0.0).then_some(step)
        })
    }
}

/// An error class, how often, and where first.
pub type Errors = BTreeMap<String, (u64, u64)>;

/// One life of a server.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Life {
    /// The engine.
    pub engine: Option<Engine>,
    /// What it said while it started.
    pub start: Start,
    /// Engines in the order they appeared.
    pub owners: Vec<Owner>,
    /// Engines beyond [`MOST_ENGINES`].
    pub more_owners: u64,
    /// Periodic lines.
    pub lines: u64,
    /// The course of time over the periodic lines.
    pub course: Course,
    /// Points of the figures.
    pub points: Points,
    /// Gauges over all engines at each line.
    pub total: Levels,
    /// Periodic lines within [`super::COLD_SECONDS`] after the server was ready.
    pub young: u64,
    /// Speculative decoding.
    pub speculated: Speculated,
    /// V0's counter of preemptions: first and newest value.
    pub counted_preemptions: Option<(f64, f64)>,
    /// SGLang: requests retracted.
    pub retracted: Option<f64>,
    /// Lines that further ranks repeat.
    pub repeated: u64,
    /// Lines that average over engines.
    pub aggregated: u64,
    /// Answers by endpoint and status.
    pub answers: BTreeMap<(&'static str, u16), u64>,
    /// Errors by class.
    pub errors: Errors,
    /// Line of the first message that the engine is gone.
    pub dead: Option<u64>,
    /// Line of the first error for want of memory.
    pub out_of_memory: Option<u64>,
    /// Stack traces, and the line of the first.
    pub traces: (u64, u64),
}

impl Life {
    /// Whether the log has periodic lines of it.
    pub fn has_lines(&self) -> bool {
        self.lines > 0
    }

    /// Whether a start marker now means another life.
    pub fn is_over(&self) -> bool {
        self.has_lines() || self.start.ready.is_some() || self.dead.is_some()
    }

    /// Takes the line of an engine.
    pub fn take(&mut self, sample: &Sample, stamps: &Stamps, line: u64, at: usize) {
        self.lines += 1;
        self.course.take(stamps, line);
        if self.is_young(stamps) {
            self.young += 1;
        }
        self.aggregated += u64::from(sample.aggregated);
        let owner = &mut self.owners[at];
        owner.levels.take(sample);
        for gauge in Gauge::ALL {
            if sample.get(gauge).is_some() {
                owner.newest.set(gauge, sample.get(gauge));
            }
        }
        if let Some((fresh, cached)) = sample.prefill {
            owner.prefill.0 += fresh;
            owner.prefill.1 += cached;
        }
        if let Some(graph) = sample.graph {
            owner.graphs.0 += u64::from(graph);
            owner.graphs.1 += 1;
        }
        if let Some(n) = sample.preempted {
            owner.preempted = Some(owner.preempted.unwrap_or(0.0) + n);
        }
        let now = self.now();
        self.total.take(&now);
        self.points
            .push(self.course.elapsed(), DRAWN.map(|gauge| now.get(gauge)));
    }

    /// The newest line of every engine together: sums, and the greatest KV use.
    fn now(&self) -> Sample {
        if let [only] = &self.owners[..] {
            return only.newest;
        }
        let mut now = Sample::default();
        for gauge in DRAWN {
            let values = self.owners.iter().filter_map(|o| o.newest.get(gauge));
            let joined = match gauge {
                Gauge::Kv => values.reduce(f64::max),
                _ => values.reduce(|a, b| a + b),
            };
            now.set(gauge, joined);
        }
        now
    }

    fn is_young(&self, stamps: &Stamps) -> bool {
        let Some(ready) = self.start.ready else {
            return false;
        };
        let up = (0..ready.0.len())
            .find_map(|kind| Some(super::stamp::step(kind, ready.0[kind]?, stamps.0[kind]?)));
        up.is_some_and(|up| (-60.0..super::COLD_SECONDS).contains(&up))
    }
}
