//! One run of a load generator: how the load was made, what the tool said of it, and what its
//! own records say. Every parser fills this; everything else only looks at it.

use super::sample::Sample;
use crate::{Bound, Note, NoteLevel, Statistic, reading::tame};
use std::collections::{BTreeMap, BTreeSet};

/// How a tool turns values into percentiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Between the two ranks, linearly (numpy's and pandas' default, type 7).
    Linear,
    /// The value observed at the rank.
    Observed,
    /// Not stated in the file and not known of the tool.
    Unknown,
}

impl Rule {
    /// The fact as it is carried with the environment.
    pub fn fact(self) -> Option<&'static str> {
        match self {
            Self::Linear => Some("linear between ranks"),
            Self::Observed => Some("observed at the rank"),
            Self::Unknown => None,
        }
    }
}

/// A number as a tool told it, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    /// The value.
    pub value: f64,
    /// Observations behind it, when the file says so.
    pub samples: Option<u64>,
    /// How exact it is.
    pub bound: Bound,
}

/// A note of a parser: how grave, its code, its arguments.
pub type Said = (NoteLevel, &'static str, Vec<(&'static str, String)>);

/// One run of a load generator.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// What the file calls it.
    pub name: Option<String>,
    /// Most requests in flight at once: the load of a closed loop.
    pub concurrency: Option<f64>,
    /// Requests per second asked for.
    pub rate: Option<f64>,
    /// All requests were sent as fast as they could be.
    pub unlimited: bool,
    /// Requests per second that were sent.
    pub send_rate: Option<f64>,
    /// Numbers of the tool.
    pub told: BTreeMap<(&'static str, Statistic), Told>,
    /// Values per request or per token.
    pub own: BTreeMap<&'static str, Sample>,
    /// Requests that were to be sent.
    pub planned: Option<u64>,
    /// Requests that the tool calls successful.
    pub completed: Option<u64>,
    /// Requests that failed, as the tool counts them or as their errors show.
    pub failed: Option<u64>,
    /// Successful in the tool's eyes, but without an output token.
    pub without_token: Option<u64>,
    /// Requests that were cut off when the run ended.
    pub unfinished: Option<u64>,
    /// Length of the run in seconds.
    pub duration: Option<f64>,
    /// Readings per GPU: its name, signal, statistic, value in base units.
    pub gpus: Vec<(String, &'static str, Statistic, f64)>,
    /// Wall-clock start and end in unix seconds.
    pub times: (Option<f64>, Option<f64>),
    /// Facts that go to the environment.
    pub facts: BTreeMap<&'static str, String>,
    /// Seed or other mark of the prompts that were sent.
    pub prompts: Option<String>,
    /// Signals whose numbers do not quite mean what their name says.
    pub rough: BTreeSet<&'static str>,
    /// Latencies are lower bounds: requests were sent late.
    pub late: bool,
    /// The server's own view: its counts are not the client's.
    pub of_server: bool,
    /// Notes of the parser.
    pub notes: Vec<Said>,
}

impl Run {
    /// Keeps a number of the tool, given in a unit of which `factor` makes the base unit.
    pub fn tell(&mut self, name: &'static str, statistic: Statistic, value: f64, factor: f64) {
        self.tell_of(name, statistic, value * factor, None);
    }

    /// Keeps a number of the tool in base units with the observations behind it.
    pub fn tell_of(
        &mut self,
        name: &'static str,
        statistic: Statistic,
        value: f64,
        samples: Option<u64>,
    ) {
        if value.is_finite() {
            let told = Told {
                value,
                samples,
                bound: Bound::Exact,
            };
            self.told.insert((name, statistic), told);
        }
    }

    /// Keeps a number of the tool if it is there.
    pub fn tell_some(&mut self, name: &'static str, statistic: Statistic, value: Option<f64>) {
        if let Some(value) = value {
            self.tell_of(name, statistic, value, None);
        }
    }

    /// A number of the tool.
    pub fn said(&self, name: &'static str, statistic: Statistic) -> Option<f64> {
        self.told.get(&(name, statistic)).map(|t| t.value)
    }

    /// Forgets what the tool told of a signal.
    pub fn forget(&mut self, name: &'static str) {
        self.told.retain(|(n, _), _| *n != name);
    }

    /// Drops latencies that the tool printed as 0 throughout because it measured none.
    pub fn drop_zeros(&mut self) {
        let names: BTreeSet<&'static str> = self.told.keys().map(|(n, _)| *n).collect();
        for name in names.into_iter().filter(|n| is_latency(n)) {
            let mut of = self.told.iter().filter(|((n, _), _)| *n == name);
            if of.all(|(_, t)| t.value == 0.0) {
                self.forget(name);
                self.note(
                    NoteLevel::NotCaptured,
                    "bench-zero-latency",
                    &[("signal", name)],
                );
            }
        }
    }

    /// The mean of a signal: of the records where there are any, else the tool's.
    pub fn mean(&self, name: &'static str) -> Option<f64> {
        let own = self.own.get(name).and_then(Sample::mean);
        own.or_else(|| self.said(name, Statistic::Mean))
    }

    /// A quantile of a signal: of the records where there are any, else the tool's.
    pub fn quantile(&self, name: &'static str, statistic: Statistic) -> Option<f64> {
        let q = statistic.quantile()?;
        let own = self.own.get(name).map(|s| s.quantiles(&[q]));
        own.and_then(|q| Some(q.first()?.0))
            .or_else(|| self.said(name, statistic))
    }

    /// A fact of the environment.
    pub fn fact(&mut self, key: &'static str, value: Option<&str>) {
        if let Some(value) = value.map(str::trim).filter(|v| !v.is_empty()) {
            self.facts.insert(key, tame(value));
        }
    }

    /// Remembers a note; where it belongs is added when it is written.
    pub fn note(&mut self, level: NoteLevel, code: &'static str, args: &[(&'static str, &str)]) {
        let args = args.iter().map(|(k, v)| (*k, (*v).to_owned())).collect();
        self.notes.push((level, code, args));
    }

    /// Requests that ended, in whatever way.
    pub fn ended(&self) -> Option<u64> {
        match (self.completed, self.failed) {
            (None, None) => None,
            (c, f) => Some(c.unwrap_or(0) + f.unwrap_or(0)),
        }
    }

    /// Requests that ended well: without those that have no token.
    pub fn good(&self) -> Option<u64> {
        Some(
            self.completed?
                .saturating_sub(self.without_token.unwrap_or(0)),
        )
    }

    /// Requests per second: successful ones over the run.
    pub fn throughput(&self) -> Option<f64> {
        self.said("request_throughput", Statistic::Rate)
    }
}

/// Whether a signal is a time that a user or a step waits, of which 0 throughout means that it
/// was not measured.
pub fn is_latency(name: &str) -> bool {
    matches!(
        name,
        "ttft"
            | "itl"
            | "tpot"
            | "e2e_latency"
            | "normalized_latency"
            | "time_to_second_token"
            | "longest_stall"
    )
}

/// What a file holds: runs of one tool.
#[derive(Debug, Clone)]
pub struct Results {
    /// The tool's usual name.
    pub tool: &'static str,
    /// Its version, when stated.
    pub version: Option<String>,
    /// Version or form of the layout.
    pub format: Option<String>,
    /// How it makes percentiles.
    pub rule: Rule,
    /// Its runs, in the order of the file.
    pub runs: Vec<Run>,
    /// Notes on the whole file.
    pub notes: Vec<Note>,
}

impl Results {
    /// Results of a tool, without a run yet.
    pub fn of(tool: &'static str, rule: Rule) -> Self {
        Self {
            tool,
            version: None,
            format: None,
            rule,
            runs: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// With these runs.
    #[must_use]
    pub fn with(mut self, runs: Vec<Run>) -> Self {
        self.runs = runs;
        self
    }
}

/// The statistic that a tool spells like this: `mean`, `avg`, `median`, `p99`, `p99.9`, `P99`,
/// `std` is none.
pub fn statistic(word: &str) -> Option<Statistic> {
    Some(match word {
        "mean" | "avg" | "average" => Statistic::Mean,
        "median" => Statistic::P50,
        "min" => Statistic::Min,
        "max" => Statistic::Max,
        other => {
            let percent = other.strip_prefix(['p', 'P'])?;
            // `p999` and `p001` are spelled without their point.
            let digits = percent.len() == 3 && percent.bytes().all(|b| b.is_ascii_digit());
            if digits && percent.starts_with(['0', '9']) {
                return Some(Statistic::Quantile(percent.parse().ok()?));
            }
            let value: f64 = percent.parse().ok()?;
            let tenths = (value * 10.0).round();
            if !(0.0..=1000.0).contains(&value) || (tenths - value * 10.0).abs() > 1e-6 {
                return None;
            }
            if tenths > 1000.0 {
                return None;
            }
            Statistic::Quantile(tenths as u16)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_known_however_they_are_spelled() {
        assert_eq!(statistic("median"), Some(Statistic::P50));
        assert_eq!(statistic("avg"), Some(Statistic::Mean));
        assert_eq!(statistic("p99.9"), Some(Statistic::Quantile(999)));
        assert_eq!(statistic("p999"), Some(Statistic::Quantile(999)));
        assert_eq!(statistic("p001"), Some(Statistic::Quantile(1)));
        assert_eq!(statistic("p05"), Some(Statistic::Quantile(50)));
        assert_eq!(statistic("P99"), Some(Statistic::P99));
        for not in ["std", "p", "p101", "pp", "p99.99", "count"] {
            assert_eq!(statistic(not), None, "{not}");
        }
    }

    #[test]
    fn a_latency_of_nothing_but_zeros_was_not_measured() {
        let mut run = Run::default();
        run.tell("ttft", Statistic::Mean, 0.0, 1.0);
        run.tell("ttft", Statistic::P99, 0.0, 1.0);
        run.tell("tpot", Statistic::Mean, 0.0, 1.0);
        run.tell("tpot", Statistic::P99, 0.1, 1.0);
        run.drop_zeros();
        assert_eq!(run.said("ttft", Statistic::Mean), None);
        assert_eq!(run.said("tpot", Statistic::P99), Some(0.1));
        assert_eq!(run.notes.len(), 1);
    }
}
