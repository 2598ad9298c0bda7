//! Signals of a table of requests: latencies, lengths, arrivals, concurrency, how requests ended,
//! retries and acceptance, in all and by task class.

use super::{
    load::{Arrivals, Flight},
    table::{Outcome, Table},
    values::{FACTS, Fact, Sorted},
};
use crate::{Bound, Reading, Signal, Statistic};

/// Most classes that get signals of their own, the largest first.
pub const MOST_CLASSES: usize = 24;

/// What holds for all signals of one table.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Whether only a part of the requests is in the file: then counts and rates are lower bounds.
    pub partial: bool,
    /// Label of all signals, when the table is not the run's own view of itself.
    pub label: Option<(&'static str, &'static str)>,
    /// Whether requests end within the file: a trace of a workload only begins them.
    pub ends: bool,
}

impl Context {
    fn push(&self, reading: &mut Reading, class: Option<&str>, mut signal: Signal) {
        if let Some((name, value)) = self.label {
            signal = signal.label(name, value);
        }
        if let Some(class) = class {
            signal = signal.label("class", class);
        }
        reading.push(signal);
    }

    /// A count or a rate: at least this, where a part of the requests is missing.
    fn counted(&self, name: &str, statistic: Statistic, value: f64) -> Signal {
        let bound = if self.partial {
            Bound::AtLeast
        } else {
            Bound::Exact
        };
        Signal::new(name, statistic, value).bound(bound)
    }
}

/// How the requests of a table, or of one class of it, ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ends {
    /// Rows that are no copies: attempts.
    pub arrived: u64,
    /// Requests: the last attempt of each.
    pub finished: u64,
    /// Ended in an error, timeouts and empty answers among them.
    pub errors: u64,
    /// Gave up waiting.
    pub timeouts: u64,
    /// Aborted.
    pub aborted: u64,
    /// Cut by the length limit.
    pub length: u64,
    /// Answered without a token.
    pub empty: u64,
    /// Ended in a way that is not known.
    pub unclear: u64,
    /// Accepted.
    pub accepted: u64,
    /// Answered and not accepted.
    pub refused: u64,
    /// Answered, and nobody said whether accepted.
    pub not_judged: u64,
    /// Requests that were tried again, and all retries.
    pub retried: u64,
    /// Retries of all requests.
    pub retries: u64,
    /// Output tokens of answered requests.
    pub output: u64,
    /// Prompt tokens.
    pub prompt: u64,
    /// Cached prompt tokens, and the prompt tokens of the rows that say so.
    pub cached: (u64, u64),
}

impl Ends {
    fn add(&mut self, table: &Table, row: usize) {
        if !table.counts(row) {
            return;
        }
        self.arrived += 1;
        self.prompt += table.prompt.get(row).map_or(0, u64::from);
        if let (Some(cached), Some(prompt)) = (table.cached.get(row), table.prompt.get(row)) {
            self.cached.0 += u64::from(cached);
            self.cached.1 += u64::from(prompt);
        }
        let outcome = table.outcome(row);
        if outcome.is_ok() {
            self.output += table.output.get(row).map_or(0, u64::from);
        }
        if !table.is_final(row) {
            return;
        }
        self.finished += 1;
        match outcome {
            Outcome::Done => {}
            Outcome::Length => self.length += 1,
            Outcome::Error => self.errors += 1,
            Outcome::TimedOut => {
                self.errors += 1;
                self.timeouts += 1;
            }
            Outcome::Empty => {
                self.errors += 1;
                self.empty += 1;
            }
            Outcome::Aborted => self.aborted += 1,
            Outcome::Unclear => self.unclear += 1,
        }
        match table.accepted(row) {
            Some(true) => self.accepted += 1,
            Some(false) if outcome.is_ok() => self.refused += 1,
            None if outcome.is_ok() => self.not_judged += 1,
            _ => {}
        }
        let retries = u64::from(table.retries.get(row).unwrap_or(0));
        self.retries += retries;
        self.retried += u64::from(retries > 0);
    }

    /// Requests that failed, aborts among them: none of them is accepted.
    pub fn failed(&self) -> u64 {
        self.errors + self.aborted
    }

    /// Counts a table: all of it, and every class.
    pub fn of(table: &Table) -> (Self, Vec<Self>) {
        let mut all = Self::default();
        let mut classes = vec![Self::default(); table.classes.all().len()];
        for row in 0..table.len() {
            all.add(table, row);
            if let Some(class) = table.class.get(row) {
                classes[usize::from(class)].add(table, row);
            }
        }
        (all, classes)
    }
}

/// The classes that get signals, the largest first: number and name.
pub fn classes<'a>(table: &'a Table, ends: &[Ends]) -> Vec<(usize, &'a str)> {
    let mut all: Vec<(usize, &str)> = table
        .classes
        .all()
        .iter()
        .enumerate()
        .filter(|(i, _)| ends.get(*i).is_some_and(|e| e.arrived > 0))
        .map(|(i, name)| (i, name.as_str()))
        .collect();
    all.sort_by_key(|(i, _)| (std::cmp::Reverse(ends[*i].arrived), *i));
    all.truncate(MOST_CLASSES);
    all
}

/// Emits the values of every fact, whole and by class; answers those that figures are drawn from.
pub fn facts(
    reading: &mut Reading,
    table: &Table,
    shown: &[(usize, &str)],
    context: &Context,
) -> Vec<(Fact, Sorted)> {
    let mut kept = Vec::new();
    for fact in FACTS {
        let sorted = Sorted::new(fact.values(table));
        if sorted.n() == 0 {
            continue;
        }
        one(reading, fact.signal, None, &sorted, context);
        if !shown.is_empty() {
            let mut by_class = fact.by_class(table, table.classes.all().len());
            for (class, name) in shown {
                let sorted = Sorted::new(std::mem::take(&mut by_class[*class]));
                one(reading, fact.signal, Some(name), &sorted, context);
            }
        }
        if matches!(
            fact.signal,
            "ttft" | "e2e_latency" | "tpot" | "queue_time" | "prompt_length" | "output_length"
        ) {
            kept.push((fact, sorted));
        }
    }
    kept
}

fn one(reading: &mut Reading, name: &str, class: Option<&str>, sorted: &Sorted, context: &Context) {
    for (statistic, value) in sorted.statistics() {
        let signal = Signal::new(name, statistic, value).samples(sorted.n());
        context.push(reading, class, signal);
    }
}

/// Gaps between tokens: every one where the file has them; else their mean, which follows from
/// decode times and token counts.
pub fn gaps(reading: &mut Reading, table: &Table, context: &Context) {
    if !table.gaps.is_empty() {
        one(
            reading,
            "itl",
            None,
            &Sorted::new(table.gaps.clone()),
            context,
        );
        return;
    }
    let (mut spent, mut gaps) = (0.0, 0.0);
    for row in (0..table.len()).filter(|r| table.is_answered(*r)) {
        if let Some((tpot, n)) = table.tpot(row).zip(table.gaps_of(row)) {
            spent += tpot * n;
            gaps += n;
        }
    }
    if gaps > 0.0 {
        let mean = Signal::new("itl", Statistic::Mean, spent / gaps)
            .samples(gaps as u64)
            .bound(Bound::Estimate);
        context.push(reading, None, mean);
    }
}

/// Arrivals and requests in flight.
pub fn load(reading: &mut Reading, arrivals: &Arrivals, flight: &Flight, context: &Context) {
    let n = arrivals.at.len() as u64;
    if let Some(rate) = arrivals.rate {
        let rate = context.counted("arrival_rate", Statistic::Rate, rate);
        context.push(reading, None, rate.samples(n));
    }
    if let Some(peak) = arrivals.peak {
        let peak = context.counted("arrival_rate", Statistic::Max, peak as f64);
        context.push(reading, None, peak.samples(n));
    }
    if let Some(cv) = arrivals.burstiness.filter(|_| !context.partial) {
        let signal = Signal::new("arrival_burstiness", Statistic::Ratio, cv);
        context.push(reading, None, signal.samples(n.saturating_sub(1)));
    }
    let Some(mean) = flight.mean else { return };
    let part = Context {
        partial: context.partial || flight.without_end > 0,
        ..context.clone()
    };
    let n = flight.starts.len() as u64;
    for (statistic, value) in [
        (Statistic::Mean, mean),
        (Statistic::Max, flight.most as f64),
    ] {
        let signal = part.counted("request_concurrency", statistic, value);
        context.push(reading, None, signal.samples(n));
    }
    if let Some(running) = flight.running {
        for (name, value) in [
            ("running_requests", running),
            ("waiting_requests", (mean - running).max(0.0)),
        ] {
            let signal = part.counted(name, Statistic::Mean, value).samples(n);
            context.push(reading, None, signal);
        }
    }
}

/// How requests ended, tokens, and what follows per second of the window.
pub fn ends(
    reading: &mut Reading,
    table: &Table,
    ends: &Ends,
    class: Option<&str>,
    seconds: Option<f64>,
    context: &Context,
) {
    let share = |part: u64| part as f64 / ends.finished as f64;
    let mut out = vec![context.counted("arrived_requests", Statistic::Total, ends.arrived as f64)];
    let mut rates = Vec::new();
    if context.ends && ends.finished > 0 {
        let finished = ends.finished as f64;
        out.push(context.counted("finished_requests", Statistic::Total, finished));
        rates.push(("request_throughput", finished));
        if table.has_outcome && ends.unclear == 0 {
            for (name, part) in [
                ("error_ratio", ends.errors),
                ("aborted_ratio", ends.aborted),
                ("timeout_ratio", ends.timeouts),
                ("length_limited_ratio", ends.length),
            ] {
                out.push(Signal::new(name, Statistic::Ratio, share(part)).samples(ends.finished));
            }
        }
    }
    if ends.finished > 0 && !table.retries.is_empty() {
        out.push(context.counted("retries", Statistic::Total, ends.retries as f64));
        let retried = Signal::new("retried_ratio", Statistic::Ratio, share(ends.retried));
        out.push(retried.samples(ends.finished));
    }
    let judged = ends.accepted + ends.refused + ends.failed();
    if table.has_accepted && judged > 0 {
        let accepted = ends.accepted as f64;
        let rate = Signal::new(
            "acceptance_rate",
            Statistic::Ratio,
            accepted / judged as f64,
        );
        out.push(rate.samples(judged));
        out.push(context.counted("accepted_requests", Statistic::Total, accepted));
        rates.push(("accepted_throughput", accepted));
    }
    if !table.prompt.is_empty() {
        out.push(context.counted("prompt_tokens", Statistic::Total, ends.prompt as f64));
        rates.push(("prompt_token_throughput", ends.prompt as f64));
    }
    if !table.output.is_empty() {
        out.push(context.counted("generation_tokens", Statistic::Total, ends.output as f64));
        rates.push(("generation_token_throughput", ends.output as f64));
    }
    if ends.cached.1 > 0 {
        let ratio = ends.cached.0 as f64 / ends.cached.1 as f64;
        out.push(Signal::new(
            "prefix_cache_hit_ratio",
            Statistic::Ratio,
            ratio,
        ));
    }
    if let Some(seconds) = seconds.filter(|s| *s > 0.0 && context.ends) {
        for (name, total) in rates {
            let rate = context.counted(name, Statistic::Rate, total / seconds);
            out.push(rate.samples(ends.finished));
        }
    }
    for signal in out {
        context.push(reading, class, signal);
    }
}

/// The share of every class in what arrived, of small ones too: a class that is not told is no
/// class that did not come.
pub fn mix(reading: &mut Reading, table: &Table, of: &[Ends], all: &Ends, context: &Context) {
    for (name, ends) in table.classes.all().iter().zip(of) {
        let share = ends.arrived as f64 / all.arrived.max(1) as f64;
        let signal = Signal::new("class_share", Statistic::Ratio, share).samples(all.arrived);
        context.push(reading, Some(name), signal);
    }
}
