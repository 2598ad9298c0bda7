//! What arrays with one entry per request say: which requests worked, and their latencies.
//!
//! The arrays of a benchmark result share an index and stand in any order, so that whether a
//! request failed is known only when all of them are read. A request without an output token did
//! not work, whatever the tool counts it as.

use super::{json::Fault, json::Json, json::Value, run::Run, sample::Sample};
use crate::{NoteLevel, Refusal};

/// Most requests of one run.
pub const MOST_REQUESTS: usize = 4_000_000;
/// Most gaps between tokens kept until it is known which requests failed.
pub const MOST_GAPS: usize = 8_000_000;

/// A column of numbers; `NaN` where there is none.
type Column = Vec<f64>;

/// Gaps between tokens, per request.
#[derive(Debug, Default)]
struct Gaps {
    /// Number, sum, longest and first of each request.
    requests: Vec<(u32, f64, f64, f64)>,
    /// All of them, one request after another, up to the cap.
    flat: Vec<f64>,
    /// Beyond the cap: all requests, also those that failed later on.
    counted: Option<Sample>,
}

/// The arrays of one run.
#[derive(Debug, Default)]
pub struct Columns {
    prompt: Column,
    output: Column,
    ttft: Column,
    e2e: Column,
    start: Column,
    queue: Column,
    server_queue: Column,
    cached: Column,
    errors: Vec<bool>,
    gaps: Option<Gaps>,
    /// Whether a run has more than [`MOST_REQUESTS`].
    pub too_many: bool,
}

impl Columns {
    /// Whether no array was found.
    pub fn is_empty(&self) -> bool {
        self.requests() == 0
    }

    fn requests(&self) -> usize {
        let columns = [
            &self.prompt,
            &self.output,
            &self.ttft,
            &self.e2e,
            &self.start,
            &self.queue,
        ];
        let longest = columns.iter().map(|c| c.len()).max().unwrap_or(0);
        let gaps = self.gaps.as_ref().map_or(0, |g| g.requests.len());
        longest.max(gaps).max(self.errors.len())
    }

    /// Takes the array of a key if it is one of these; `false` leaves it to others.
    ///
    /// # Errors
    /// What stopped the reader.
    pub fn take(&mut self, key: &str, json: &mut Json<'_>) -> Result<bool, Fault> {
        let column = match key {
            "input_lens" | "prompt_lens" => &mut self.prompt,
            "output_lens" => &mut self.output,
            "ttfts" => &mut self.ttft,
            "latencies" => &mut self.e2e,
            "start_times" => &mut self.start,
            "queue_times" => &mut self.queue,
            "server_queue_times" => &mut self.server_queue,
            "cached_tokens" => &mut self.cached,
            "errors" => return self.take_errors(json),
            "itls" => return self.take_gaps(json),
            "generated_texts" | "server_ttfts" | "logprobs" | "prompts" => {
                json.skip()?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if json.peek()? != Some(b'[') {
            return Ok(false);
        }
        json.numbers(column)?;
        self.too_many |= column.len() > MOST_REQUESTS;
        Ok(true)
    }

    fn take_errors(&mut self, json: &mut Json<'_>) -> Result<bool, Fault> {
        if json.peek()? != Some(b'[') {
            return Ok(false);
        }
        json.value()?;
        let mut first = true;
        while json.item(first)? {
            first = false;
            let failed = match json.value()? {
                Value::Text => !json.bytes().is_empty(),
                Value::Null => false,
                Value::Truth(t) => t,
                Value::Number(n) => n != 0.0,
                Value::Object => {
                    json.skip_rest(true, true)?;
                    true
                }
                Value::Array => {
                    json.skip_rest(false, true)?;
                    true
                }
            };
            if self.errors.len() < MOST_REQUESTS {
                self.errors.push(failed);
            } else {
                self.too_many = true;
            }
        }
        Ok(true)
    }

    fn take_gaps(&mut self, json: &mut Json<'_>) -> Result<bool, Fault> {
        if json.peek()? != Some(b'[') {
            return Ok(false);
        }
        json.value()?;
        let mut gaps = Gaps::default();
        let mut first = true;
        while json.item(first)? {
            first = false;
            let of = gaps.take(json)?;
            if gaps.requests.len() < MOST_REQUESTS {
                gaps.requests.push(of);
            } else {
                self.too_many = true;
            }
        }
        self.gaps = Some(gaps);
        Ok(true)
    }

    /// Refuses what is beyond the caps.
    ///
    /// # Errors
    /// `bench-too-many-requests`.
    pub fn within_caps(&self, file: &str) -> Result<(), Refusal> {
        if self.too_many {
            return Err(Refusal::new(file, "bench-too-many-requests").arg("limit", MOST_REQUESTS));
        }
        Ok(())
    }

    /// Whether the entries line up: arrays of one run are of one length.
    fn lined_up(&self) -> bool {
        let n = self.requests();
        let columns = [&self.prompt, &self.output, &self.ttft, &self.e2e];
        let ok = |len: usize| len == 0 || len == n;
        columns.iter().all(|c| ok(c.len()))
            && ok(self.errors.len())
            && self.gaps.as_ref().is_none_or(|g| ok(g.requests.len()))
    }

    /// Fills a run with what the arrays say.
    pub fn settle(mut self, run: &mut Run) {
        let n = self.requests();
        // vLLM's offline latency benchmark has an array of latencies and nothing else.
        if n == 0 {
            return;
        }
        if !self.lined_up() {
            run.note(NoteLevel::Warning, "bench-arrays-differ", &[]);
            return;
        }
        let gaps = self.gaps.take().unwrap_or_default();
        let mut tally = Tally::default();
        let mut own = Own::default();
        for i in 0..n {
            let failed = self.errors.get(i).copied().unwrap_or(false);
            let at = |c: &Column| c.get(i).copied().filter(|v| v.is_finite());
            let of = gaps.requests.get(i).copied();
            let ttft = at(&self.ttft).filter(|t| *t > 0.0);
            let tokens = at(&self.output);
            let token = match tokens {
                Some(t) => t > 0.0,
                None => ttft.is_some() || at(&self.e2e).is_some_and(|e| e > 0.0),
            };
            tally.good.push(!failed && token);
            if failed || !token {
                tally.failed += u64::from(failed);
                tally.empty += u64::from(!failed);
                continue;
            }
            let sum = of.and_then(|g| Some(ttft? + g.1));
            let e2e = at(&self.e2e).or(sum);
            own.request(tokens, ttft, e2e, of);
            let rest = [
                (PROMPT, &self.prompt),
                (OUTPUT, &self.output),
                (DELAY, &self.queue),
                (QUEUE, &self.server_queue),
            ];
            for (place, column) in rest {
                own.add(place, at(column));
            }
            tally.cached += at(&self.cached).unwrap_or(0.0);
            tally.prompt += at(&self.prompt).unwrap_or(0.0);
        }
        own.settle(run);
        gaps.settle(run, &tally.good);
        self.sending(run);
        tally.settle(run, !self.cached.is_empty(), !self.errors.is_empty(), n);
        if self.e2e.is_empty() {
            summed(run);
        }
    }

    /// The rate at which requests left, where their times are known.
    fn sending(&self, run: &mut Run) {
        let mut known = self.start.iter().copied().filter(|t| t.is_finite());
        let Some(first) = known.next() else { return };
        let (low, high, n) = known.fold((first, first, 1_u64), |(low, high, n), t| {
            (low.min(t), high.max(t), n + 1)
        });
        if n > 1 && high > low {
            run.send_rate = Some((n - 1) as f64 / (high - low));
        }
    }
}

/// Latencies put together from TTFT and gaps are those of the tool only where the means agree:
/// SGLang's gaps leave out what comes behind the last token. Otherwise the tool's figures stand.
fn summed(run: &mut Run) {
    let own = run.own.get("e2e_latency").and_then(Sample::mean);
    let told = run.said("e2e_latency", crate::Statistic::Mean);
    let (Some(own), Some(told), Some(0)) = (own, told, run.without_token) else {
        return;
    };
    if (own / told - 1.0).abs() > 1e-6 {
        run.own.remove("e2e_latency");
        if run.said("tpot", crate::Statistic::Mean).is_some() {
            run.own.remove("tpot");
        }
        run.note(NoteLevel::Info, "bench-summed-latency", &[]);
    }
}

/// Signals with a value per request, by their place in [`Own`].
const NAMES: [&str; 9] = [
    "ttft",
    "e2e_latency",
    "tpot",
    "longest_stall",
    "time_to_second_token",
    "prompt_length",
    "output_length",
    "send_delay",
    "queue_time",
];
const PROMPT: usize = 5;
const OUTPUT: usize = 6;
const DELAY: usize = 7;
const QUEUE: usize = 8;

/// Values of the requests that worked.
#[derive(Debug, Default)]
struct Own([Sample; NAMES.len()]);

impl Own {
    fn add(&mut self, place: usize, value: Option<f64>) {
        if let Some(value) = value {
            self.0[place].push(value);
        }
    }

    /// What one request says of itself.
    fn request(
        &mut self,
        tokens: Option<f64>,
        ttft: Option<f64>,
        e2e: Option<f64>,
        gaps: Option<(u32, f64, f64, f64)>,
    ) {
        let per_token = match (tokens, ttft, e2e) {
            (Some(n), Some(ttft), Some(e2e)) if n > 1.0 => Some((e2e - ttft) / (n - 1.0)),
            _ => None,
        };
        let gaps = gaps.filter(|g| g.0 > 0);
        let all = [ttft, e2e, per_token, gaps.map(|g| g.2), gaps.map(|g| g.3)];
        for (place, value) in all.into_iter().enumerate() {
            self.add(place, value);
        }
    }

    fn settle(self, run: &mut Run) {
        for (name, sample) in NAMES.into_iter().zip(self.0) {
            if !sample.is_empty() {
                run.own.insert(name, sample);
            }
        }
    }
}

impl Gaps {
    /// Takes the gaps of one request: their number, sum, longest and first.
    fn take(&mut self, json: &mut Json<'_>) -> Result<(u32, f64, f64, f64), Fault> {
        let from = self.flat.len();
        json.numbers(&mut self.flat)?;
        if self.flat[from..].iter().any(|g| !g.is_finite()) {
            let finite: Vec<f64> = self.flat[from..]
                .iter()
                .copied()
                .filter(|g| g.is_finite())
                .collect();
            self.flat.truncate(from);
            self.flat.extend(finite);
        }
        let own = &self.flat[from..];
        let of = (
            own.len() as u32,
            own.iter().sum(),
            own.iter().copied().fold(0.0, f64::max),
            own.first().copied().unwrap_or(f64::NAN),
        );
        if let Some(counted) = &mut self.counted {
            self.flat.drain(..).for_each(|gap| counted.push(gap));
        } else if self.flat.len() > MOST_GAPS {
            self.counted = Some(std::mem::take(&mut self.flat).into_iter().collect());
        }
        Ok(of)
    }

    /// The gaps of requests that worked, pooled.
    fn settle(self, run: &mut Run, good: &[bool]) {
        if let Some(counted) = self.counted {
            run.own.insert("itl", counted);
            run.note(NoteLevel::Info, "bench-gaps-counted", &[]);
            return;
        }
        let mut at = 0;
        let mut sample = Sample::default();
        for (of, good) in self.requests.iter().zip(good) {
            let end = at + of.0 as usize;
            if *good {
                self.flat[at..end].iter().for_each(|g| sample.push(*g));
            }
            at = end;
        }
        if !sample.is_empty() {
            run.own.insert("itl", sample);
        }
    }
}

/// Counts over the requests of a run.
#[derive(Debug, Default)]
struct Tally {
    good: Vec<bool>,
    failed: u64,
    empty: u64,
    cached: f64,
    prompt: f64,
}

impl Tally {
    fn settle(self, run: &mut Run, has_cached: bool, has_errors: bool, n: usize) {
        let n = n as u64;
        if has_errors || run.failed.is_none() {
            run.failed = Some(self.failed);
        }
        let completed = n - self.failed;
        if run.completed.is_some_and(|told| told != completed) && has_errors {
            let told = run.completed.unwrap_or_default();
            // A tool of today counts a request without a token among the failed ones.
            if told != completed - self.empty {
                run.note(
                    NoteLevel::Warning,
                    "bench-count-differs",
                    &[
                        ("told", &told.to_string()),
                        ("found", &completed.to_string()),
                    ],
                );
            }
        }
        run.completed = Some(completed);
        run.without_token = Some(self.empty);
        if has_cached && self.prompt > 0.0 {
            let hits = self.cached / self.prompt;
            run.tell_of(
                "prefix_cache_hit_ratio",
                crate::Statistic::Ratio,
                hits,
                None,
            );
        }
    }
}
