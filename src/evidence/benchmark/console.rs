//! The console block that the serving benchmarks of vLLM and SGLang print and people paste:
//! `============ Serving Benchmark Result ============`, then `label: number` up to a line of
//! equals signs. Several blocks in one text are several runs.

use super::{
    numbers::{Habit, habit, number},
    run::{Results, Rule, Run, statistic},
};
use crate::{Note, NoteLevel, Refusal, Statistic};

/// Title of a block.
pub const TITLE: &str = "Serving Benchmark Result";
/// Most blocks of one text.
const MOST_BLOCKS: usize = 1000;
/// Most lines of one block.
const MOST_LINES: usize = 300;

/// A block as it stands: its labels with what is printed behind them.
#[derive(Debug, Default)]
struct Block {
    line: u64,
    pairs: Vec<(String, String)>,
    settings: Settings,
    ended: bool,
}

/// What the lines before a block say of the load.
#[derive(Debug, Default, Clone)]
struct Settings {
    rate: Option<String>,
    concurrency: Option<String>,
    prompts: Option<String>,
    model: Option<String>,
}

/// A text being read.
#[derive(Debug, Default)]
pub struct Reader {
    blocks: Vec<Block>,
    open: bool,
    next: Settings,
    left_out: u64,
}

/// The line without colours, quote marks and the prefix of a launcher.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // ESC [ … letter
            for c in rest.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            out.push(c);
        }
    }
    let text = out.trim().trim_start_matches(['#', '>', '|']).trim();
    match text.split_once(">:") {
        Some((prefix, rest)) if prefix.starts_with('[') => rest.trim().to_owned(),
        _ => text.to_owned(),
    }
}

impl Reader {
    /// Takes one line.
    pub fn line(&mut self, at: u64, line: &str) {
        let line = plain(line);
        if line.contains(TITLE) {
            if self.blocks.len() >= MOST_BLOCKS {
                self.left_out += 1;
                self.open = false;
                return;
            }
            self.open = true;
            self.blocks.push(Block {
                line: at,
                settings: std::mem::take(&mut self.next),
                ..Block::default()
            });
            return;
        }
        if !self.open {
            self.settings(&line);
            return;
        }
        let Some(block) = self.blocks.last_mut() else {
            return;
        };
        if line.len() >= 20 && line.chars().all(|c| c == '=') {
            block.ended = true;
            self.open = false;
            return;
        }
        if let Some((label, value)) = line.rsplit_once(':')
            && block.pairs.len() < MOST_LINES
        {
            let value = value.trim().to_owned();
            block.pairs.push((label.trim().to_lowercase(), value));
        }
    }

    /// What a line between blocks says: the tool echoes its arguments.
    fn settings(&mut self, line: &str) {
        let argument = |name: &str| {
            let at = line.find(&format!("{name}="))? + name.len() + 1;
            let rest = line[at..].trim_start_matches(['\'', '"']);
            let end = rest.find([',', ')', '\'', '"', ' ']).unwrap_or(rest.len());
            Some(rest[..end].to_owned()).filter(|v| !v.is_empty() && v != "None")
        };
        let next = &mut self.next;
        if line.starts_with("Namespace(") {
            next.rate = argument("request_rate");
            next.concurrency = argument("max_concurrency");
            next.prompts = argument("num_prompts");
            next.model = argument(" model");
        } else if let Some(rate) = line.strip_prefix("Traffic request rate:") {
            let rate = rate.split_whitespace().next().unwrap_or_default();
            next.rate = Some(rate.to_owned());
        } else if let Some(n) = line.strip_prefix("Maximum request concurrency:") {
            next.concurrency = Some(n.trim().to_owned()).filter(|v| v != "None");
        }
    }

    /// The results, once all lines were taken.
    ///
    /// # Errors
    /// `bench-number-habit` when numbers may be read either way, `bench-no-block` without a whole
    /// block.
    pub fn finish(self, file: &str) -> Result<Results, Refusal> {
        let values = || self.blocks.iter().flat_map(|b| &b.pairs).map(|(_, v)| v);
        let found = habit(values().map(String::as_str));
        let sglang = values().next().is_some()
            && self
                .blocks
                .iter()
                .flat_map(|b| &b.pairs)
                .any(|(l, _)| l == "accept length" || l == "traffic request rate");
        let tool = if sglang {
            "SGLang bench_serving"
        } else {
            "vLLM serving benchmark"
        };
        let mut results = Results::of(tool, Rule::Linear);
        results.format = Some("console".to_owned());
        let mut warn = |code: &str, line: u64| {
            let note = Note::new(NoteLevel::Warning, code).arg("line", line);
            if !results.notes.contains(&note) {
                results.notes.push(note);
            }
        };
        let habit = found.ok_or_else(|| Refusal::new(file, "bench-number-habit"))?;
        if habit == Habit::Comma {
            warn("bench-decimal-comma", 0);
        }
        let mut runs = Vec::new();
        for block in self.blocks {
            let line = block.line;
            let run = run(&block, habit);
            let measured = run
                .told
                .keys()
                .any(|(n, _)| *n == "ttft" || *n == "e2e_latency");
            if !block.ended && !measured {
                warn("bench-block-cut", line);
                continue;
            }
            if !block.ended {
                warn("bench-block-open", line);
            }
            if !run.told.is_empty() || run.completed.is_some() {
                runs.push(run);
            }
        }
        if self.left_out > 0 {
            warn("bench-more-blocks", self.left_out);
        }
        results.runs = runs;
        if results.runs.is_empty() {
            return Err(Refusal::new(file, "bench-no-block"));
        }
        Ok(results)
    }
}

fn run(block: &Block, habit: Habit) -> Run {
    let mut run = Run::default();
    let parse = |v: &Option<String>| v.as_deref().and_then(|v| number(v, Habit::Point));
    run.rate = parse(&block.settings.rate).filter(|r| *r > 0.0);
    run.unlimited = block.settings.rate.as_deref() == Some("inf");
    run.concurrency = parse(&block.settings.concurrency);
    run.planned = parse(&block.settings.prompts).map(|n| n as u64);
    run.fact("model", block.settings.model.as_deref());
    for (label, text) in &block.pairs {
        if label.starts_with("traffic request rate") || label.starts_with("request rate conf") {
            run.unlimited = text.trim().eq_ignore_ascii_case("inf");
        }
        if let Some(value) = number(text, habit) {
            pair(&mut run, label, value);
        }
    }
    run.drop_zeros();
    run
}

fn pair(run: &mut Run, label: &str, value: f64) {
    use Statistic::{Max, Mean, Rate, Total};
    let whole = (value >= 0.0 && value.fract() == 0.0).then_some(value as u64);
    let name = label.split(" (").next().unwrap_or(label).trim();
    let (signal, statistic) = match name {
        "successful requests" => return run.completed = whole,
        "failed requests" => return run.failed = whole,
        "maximum request concurrency" | "max request concurrency" => {
            return run.concurrency = Some(value).filter(|v| *v > 0.0);
        }
        "traffic request rate" | "request rate configured" => {
            return run.rate = Some(value).filter(|v| *v > 0.0);
        }
        "benchmark duration" => return run.duration = Some(value).filter(|v| *v > 0.0),
        "total generated tokens" if label.contains("retokenized") => return,
        "total input tokens" => ("prompt_tokens", Total),
        "total generated tokens" => ("generation_tokens", Total),
        "request throughput" => ("request_throughput", Rate),
        "request goodput" => ("goodput", Rate),
        "output token throughput" => ("generation_token_throughput", Rate),
        "input token throughput" => ("prompt_token_throughput", Rate),
        "total token throughput" => ("total_token_throughput", Rate),
        "peak output token throughput" => ("generation_token_throughput", Max),
        "peak concurrent requests" => ("request_concurrency", Max),
        "concurrency" => ("request_concurrency", Mean),
        "accept length" => ("spec_decode_accepted_length", Mean),
        _ => return latency(run, name, label, value),
    };
    run.tell_of(signal, statistic, value, None);
}

/// `mean ttft (ms)`, `p99 e2e latency (ms)`.
fn latency(run: &mut Run, name: &str, label: &str, value: f64) {
    let Some((word, metric)) = name.split_once(' ') else {
        return;
    };
    let signal = match metric.trim() {
        "ttft" => "ttft",
        "tpot" => "tpot",
        "itl" => "itl",
        "e2el" | "e2e latency" | "e2e" => "e2e_latency",
        "client queue time" => "send_delay",
        _ => return,
    };
    let factor = if label.ends_with("(s)") {
        1.0
    } else if label.ends_with("(ms)") {
        1e-3
    } else {
        return;
    };
    if let Some(statistic) = statistic(word) {
        run.tell(signal, statistic, value, factor);
    }
}
