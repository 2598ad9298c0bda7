//! The requests of a log, column by column, and what was odd about single rows.
//!
//! Every format pushes its rows here; everything after (signals, checks, figures) looks at this
//! table only. What a row does not say stays absent; what follows from two of its facts (end to
//! end from start and finish) is filled in here, once, and never across two clocks.

use super::{column::Column, names_apart::Names, number::Moment};

/// Most bytes that the columns may take: some ten million requests with all that logs usually say.
/// The reader's cage has a gibibyte, and sorting needs a part of it.
pub const MOST_BYTES: usize = 640 << 20;

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// Answered; also when nothing says how it ended.
    #[default]
    Done,
    /// Answered, cut by the length limit.
    Length,
    /// Ended in an error.
    Error,
    /// Gave up waiting.
    TimedOut,
    /// Aborted by the client.
    Aborted,
    /// Said to be answered, without a single token.
    Empty,
    /// The status is a word that is not known.
    Unclear,
}

impl Outcome {
    const ALL: [Self; 7] = [
        Self::Done,
        Self::Length,
        Self::Error,
        Self::TimedOut,
        Self::Aborted,
        Self::Empty,
        Self::Unclear,
    ];

    /// Whether it was answered.
    pub fn is_ok(self) -> bool {
        matches!(self, Self::Done | Self::Length)
    }

    /// Whether it failed, aborts included.
    pub fn is_failed(self) -> bool {
        !self.is_ok() && self != Self::Unclear
    }
}

/// One request as its row says it.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Where it stands in its file.
    pub line: u64,
    /// Hash of its id.
    pub id: Option<u64>,
    /// When it should have been sent.
    pub intended: Option<Moment>,
    /// When it arrived or was sent.
    pub start: Option<Moment>,
    /// When it was queued.
    pub queued: Option<Moment>,
    /// When it was first scheduled.
    pub scheduled: Option<Moment>,
    /// When its first token came.
    pub first: Option<Moment>,
    /// When it ended.
    pub finish: Option<Moment>,
    /// Time to first token, s.
    pub ttft: Option<f64>,
    /// Mean time per output token after the first, s.
    pub tpot: Option<f64>,
    /// End to end, s.
    pub e2e: Option<f64>,
    /// Waiting before being scheduled, s.
    pub queue: Option<f64>,
    /// Scheduled to first token, s.
    pub prefill: Option<f64>,
    /// First to last token, s.
    pub decode: Option<f64>,
    /// Scheduled to last token, s.
    pub inference: Option<f64>,
    /// Prompt tokens.
    pub prompt: Option<u32>,
    /// Prompt tokens from a cache.
    pub cached: Option<u32>,
    /// Output tokens.
    pub output: Option<u32>,
    /// Task class, as a place in [`Table::classes`].
    pub class: Option<u16>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the file says how it ended.
    pub judged_end: bool,
    /// Whether the answer was accepted.
    pub accepted: Option<bool>,
    /// How often it was tried again.
    pub retries: Option<u16>,
    /// Which attempt it is.
    pub attempt: Option<u16>,
}

/// A count with the first place where it happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// How often.
    pub count: u64,
    /// First line.
    pub line: u64,
}

impl Seen {
    /// Counts one more.
    pub fn at(&mut self, line: u64) {
        if self.count == 0 {
            self.line = line;
        }
        self.count += 1;
    }
}

/// What was odd about rows.
#[derive(Debug, Default)]
pub struct Odd {
    /// Finish, first token or schedule before what must come before it.
    pub backwards: Seen,
    /// Durations below zero.
    pub negative: Seen,
    /// TTFT above the end-to-end latency.
    pub above: Seen,
    /// Times of two clocks in one row, never subtracted.
    pub two_clocks: Seen,
    /// Rows that start before the row above them.
    pub disorder: Seen,
    /// Failed and marked as accepted.
    pub accepted_failed: Seen,
    /// Cached tokens above the prompt's.
    pub cached_above: Seen,
    /// Answered without a token.
    pub empty: Seen,
    /// Times on a wall clock, and on another.
    pub wall: [u64; 2],
}

const OUTCOME: u16 = 0b111;
const YES: u16 = 1 << 3;
const NO: u16 = 1 << 4;
const SUPERSEDED: u16 = 1 << 5;
const DUPLICATE: u16 = 1 << 6;

/// The requests of a log.
#[derive(Debug, Default)]
pub struct Table {
    rows: usize,
    state: Column<u16>,
    /// Hashes of ids.
    pub id: Column<u64>,
    /// Arrivals, ns.
    pub at: Column<i64>,
    /// Intended to actual send, s.
    pub delay: Column<f64>,
    /// TTFT, s.
    pub ttft: Column<f64>,
    /// TPOT where the file has its own, s; else it follows from the others.
    tpot: Column<f64>,
    /// End to end, s.
    pub e2e: Column<f64>,
    /// Queue time, s.
    pub queue: Column<f64>,
    /// Prefill, s.
    pub prefill: Column<f64>,
    /// Decode, s.
    pub decode: Column<f64>,
    /// Inference, s.
    pub inference: Column<f64>,
    /// Prompt tokens.
    pub prompt: Column<u32>,
    /// Cached prompt tokens.
    pub cached: Column<u32>,
    /// Output tokens.
    pub output: Column<u32>,
    /// Task class.
    pub class: Column<u16>,
    /// Retries.
    pub retries: Column<u16>,
    /// Attempts.
    pub attempt: Column<u16>,
    /// Gaps between tokens of answered requests, s, all pooled.
    pub gaps: Vec<f64>,
    /// Whether some gaps were left out: then none is shown.
    pub gaps_incomplete: bool,
    /// Names of the classes.
    pub classes: Names,
    /// Names of the models.
    pub models: Names,
    /// Whether the file says how requests ended.
    pub has_outcome: bool,
    /// Whether the file says what was accepted.
    pub has_accepted: bool,
    /// What was odd.
    pub odd: Odd,
    last: Option<i64>,
}

/// Most gaps between tokens that are kept.
pub const MOST_GAPS: usize = 16_000_000;

impl Table {
    /// Rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds a request. `false` when the table is full.
    pub fn push(&mut self, mut row: Row) -> bool {
        self.derive(&mut row);
        self.look(&row);
        let n = self.rows;
        self.rows += 1;
        let state = match row.accepted {
            Some(true) => YES,
            Some(false) => NO,
            None => 0,
        };
        self.has_accepted |= row.accepted.is_some();
        self.has_outcome |= row.judged_end || row.outcome != Outcome::Done;
        self.state.set(n, state | row.outcome as u16);
        put(&mut self.id, n, row.id);
        put(&mut self.at, n, row.start.or(row.intended).map(|m| m.ns));
        let delay = row.start.zip(row.intended).and_then(|(s, i)| s.since(i));
        put(&mut self.delay, n, delay);
        put(&mut self.ttft, n, row.ttft);
        put(&mut self.tpot, n, row.tpot);
        put(&mut self.e2e, n, row.e2e);
        put(&mut self.queue, n, row.queue);
        put(&mut self.prefill, n, row.prefill);
        put(&mut self.decode, n, row.decode);
        put(&mut self.inference, n, row.inference);
        put(&mut self.prompt, n, row.prompt);
        put(&mut self.cached, n, row.cached);
        put(&mut self.output, n, row.output);
        put(&mut self.class, n, row.class);
        put(&mut self.retries, n, row.retries);
        put(&mut self.attempt, n, row.attempt);
        !n.is_multiple_of(65_536) || self.bytes() <= MOST_BYTES
    }

    /// Keeps the gaps of an answered request.
    pub fn push_gaps(&mut self, gaps: &[f64]) {
        if self.gaps_incomplete || self.gaps.len() + gaps.len() > MOST_GAPS {
            self.gaps_incomplete = true;
            self.gaps = Vec::new();
        } else {
            self.gaps.extend_from_slice(gaps);
        }
    }

    fn bytes(&self) -> usize {
        let floats = [
            &self.delay,
            &self.ttft,
            &self.tpot,
            &self.e2e,
            &self.queue,
            &self.prefill,
            &self.decode,
            &self.inference,
        ];
        let words = [&self.prompt, &self.cached, &self.output];
        let shorts = [&self.state, &self.class, &self.retries, &self.attempt];
        floats.iter().map(|c| c.bytes()).sum::<usize>()
            + words.iter().map(|c| c.bytes()).sum::<usize>()
            + shorts.iter().map(|c| c.bytes()).sum::<usize>()
            + self.id.bytes()
            + self.at.bytes()
            + self.gaps.len() * 8
    }

    /// Fills in what follows from two facts of the row.
    fn derive(&mut self, row: &mut Row) {
        let line = row.line;
        let mut span = |from: Option<Moment>, to: Option<Moment>| -> Option<f64> {
            let (from, to) = from.zip(to)?;
            let Some(seconds) = to.since(from) else {
                self.odd.two_clocks.at(line);
                return None;
            };
            if seconds < 0.0 {
                self.odd.backwards.at(line);
                return None;
            }
            Some(seconds)
        };
        // An engine's own clock begins when it queued the request; it is taken where the arrival
        // is on another clock.
        let begin = |end: Option<Moment>| {
            let same = |m: &Moment| end.is_some_and(|e| e.is_wall() == m.is_wall());
            row.start
                .filter(same)
                .or(row.queued.filter(same))
                .or(row.start)
        };
        let (to_first, to_finish) = (begin(row.first), begin(row.finish));
        row.ttft = row.ttft.or_else(|| span(to_first, row.first));
        row.e2e = row.e2e.or_else(|| span(to_finish, row.finish));
        row.queue = row.queue.or_else(|| span(row.queued, row.scheduled));
        row.prefill = row.prefill.or_else(|| span(row.scheduled, row.first));
        row.decode = row.decode.or_else(|| span(row.first, row.finish));
        for value in [
            &mut row.ttft,
            &mut row.tpot,
            &mut row.e2e,
            &mut row.queue,
            &mut row.prefill,
            &mut row.decode,
            &mut row.inference,
        ] {
            if value.is_some_and(|v| v < 0.0) {
                *value = None;
                self.odd.negative.at(line);
            }
        }
        if row.outcome.is_ok() && row.output == Some(0) {
            row.outcome = Outcome::Empty;
            self.odd.empty.at(line);
        }
        if row.outcome.is_failed() && row.accepted == Some(true) {
            row.accepted = Some(false);
            self.odd.accepted_failed.at(line);
        }
        if row.cached.zip(row.prompt).is_some_and(|(c, p)| c > p) {
            row.cached = None;
            self.odd.cached_above.at(line);
        }
    }

    fn look(&mut self, row: &Row) {
        if let Some((ttft, e2e)) = row.ttft.zip(row.e2e)
            && row.outcome.is_ok()
            && ttft > e2e * (1.0 + 1e-6) + 1e-6
        {
            self.odd.above.at(row.line);
        }
        if let Some(at) = row.start.or(row.intended) {
            self.odd.wall[usize::from(!at.is_wall())] += 1;
            if self.last.is_some_and(|last| at.ns < last) {
                self.odd.disorder.at(row.line);
            }
            self.last = Some(at.ns);
        }
    }

    fn state(&self, row: usize) -> u16 {
        self.state.get(row).unwrap_or(0)
    }

    /// How a row ended.
    pub fn outcome(&self, row: usize) -> Outcome {
        let place = usize::from(self.state(row) & OUTCOME);
        Outcome::ALL.get(place).copied().unwrap_or_default()
    }

    /// Whether its answer was accepted; `None` = nobody said.
    pub fn accepted(&self, row: usize) -> Option<bool> {
        match self.state(row) & (YES | NO) {
            YES => Some(true),
            NO => Some(false),
            _ => None,
        }
    }

    /// Whether the row stands for itself: it is no second copy of another.
    pub fn counts(&self, row: usize) -> bool {
        self.state(row) & DUPLICATE == 0
    }

    /// Whether it is the last attempt of its request.
    pub fn is_final(&self, row: usize) -> bool {
        self.state(row) & (DUPLICATE | SUPERSEDED) == 0
    }

    /// Whether its latency counts: answered, and no copy.
    pub fn is_answered(&self, row: usize) -> bool {
        self.counts(row) && self.outcome(row).is_ok()
    }

    /// Marks a row as a second copy.
    pub fn mark_duplicate(&mut self, row: usize) {
        self.state.set(row, self.state(row) | DUPLICATE);
    }

    /// Marks a row as an attempt that another one followed.
    pub fn mark_superseded(&mut self, row: usize) {
        self.state.set(row, self.state(row) | SUPERSEDED);
    }

    /// Time per output token after the first: the file's own, or (end to end − TTFT) over the
    /// gaps, or decode time over the gaps.
    pub fn tpot(&self, row: usize) -> Option<f64> {
        if let Some(own) = self.tpot.get(row) {
            return Some(own);
        }
        let gaps = self.gaps_of(row)?;
        let decode = self.decode.get(row).or_else(|| {
            let spent = self.e2e.get(row)? - self.ttft.get(row)?;
            (spent >= 0.0).then_some(spent)
        })?;
        Some(decode / gaps)
    }

    /// Gaps between the output tokens of a row.
    pub fn gaps_of(&self, row: usize) -> Option<f64> {
        let output = self.output.get(row)?;
        (output > 1).then(|| f64::from(output - 1))
    }
}

fn put<T: super::column::Slot>(column: &mut Column<T>, row: usize, value: Option<T>) {
    if let Some(value) = value {
        column.set(row, value);
    }
}
