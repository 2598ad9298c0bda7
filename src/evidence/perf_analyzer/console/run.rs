//! One run of the tool in a console log: its settings, its blocks, its summary, and the lines that
//! lower the trust in it.

use super::block::Block;
use super::line::amount;
use crate::{Statistic, reading::tame, sweep::Mode};

/// Most blocks and summary lines of one run.
pub(super) const MOST_POINTS: usize = 1000;

/// Which latency the summary lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    Average,
    Quantile(Statistic),
}

/// What the run was set to, as far as the log says it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Settings {
    pub model: Option<String>,
    pub batch: Option<f64>,
    pub service_kind: Option<String>,
    pub window: Option<String>,
    pub percentile: Option<Statistic>,
    pub latency_limit_ms: Option<f64>,
    pub load_limit: Option<f64>,
    pub distribution: Option<String>,
    pub calls: Option<String>,
    pub binary_search: bool,
    pub decoupled: bool,
    /// Whether the settings block of the tool was there.
    pub printed: bool,
}

/// A line of the summary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    pub line: u64,
    pub mode: Mode,
    pub load: f64,
    pub throughput: f64,
    pub latency: f64,
}

/// One run.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Run {
    pub settings: Settings,
    pub blocks: Vec<Block>,
    pub summary: Vec<Summary>,
    pub listed: Option<Listed>,
    /// Loads whose measurement did not settle.
    pub unstable: Vec<f64>,
    /// The load that went over the limit the run was given.
    pub over_limit: Option<f64>,
    pub interrupted: bool,
    pub failures: usize,
    pub network_floored: bool,
    /// Blocks beyond the limit, left out.
    pub left_out: usize,
    open: Option<Block>,
    in_command: bool,
}

impl Run {
    /// Whether anything was measured or announced.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
            && self.summary.is_empty()
            && self.open.is_none()
            && self.unstable.is_empty()
            && self.over_limit.is_none()
    }

    /// Whether this line begins another run.
    pub fn ends_before(&self, line: &str) -> bool {
        if line.starts_with("*** Measurement Settings ***") {
            return self.settings.printed || !self.is_empty();
        }
        if is_command(line) {
            return self.settings.printed || !self.is_empty();
        }
        // A block behind the summary belongs to this run if the summary knows its load.
        match header(line) {
            Some((mode, load)) if !self.summary.is_empty() => {
                let known = |s: &Summary| s.load == load && s.mode == mode;
                let twice = self.blocks.iter().chain(&self.open);
                !self.summary.iter().any(known)
                    || twice
                        .clone()
                        .any(|b| b.point.load == load && b.mode == mode)
            }
            _ => false,
        }
    }

    /// Takes one line.
    pub fn take(&mut self, line: &str, at: u64) {
        if self.in_command || is_command(line) {
            self.in_command = line.ends_with('\\');
            self.settings.command(line.trim_end_matches('\\'));
        } else if let Some((mode, load)) = header(line) {
            self.close();
            self.open = Some(Block::new(mode, load, at));
        } else if let Some(listed) = summary_header(line) {
            self.close();
            self.listed = Some(listed);
        } else if let Some(row) = summary_row(line, at) {
            self.close();
            if self.summary.len() < MOST_POINTS {
                self.summary.push(row);
            }
        } else if !self.trouble(line) {
            let taken = self.open.as_mut().is_some_and(|b| b.take(line, at));
            if !taken {
                self.settings.take(line);
            }
        }
    }

    /// Ends the block that is being read.
    pub fn close(&mut self) {
        if let Some(mut block) = self.open.take() {
            block.settle();
            if self.blocks.len() < MOST_POINTS {
                self.blocks.push(block);
            } else {
                self.left_out += 1;
            }
        }
    }

    /// Lines that lower trust.
    fn trouble(&mut self, line: &str) -> bool {
        let load = self.open.as_ref().map(|b| b.point.load);
        if line.starts_with("Failed to obtain stable measurement") {
            let named = amount(line, "for concurrency ", ".").and_then(Result::ok);
            self.unstable.extend(named.or(load));
        } else if line.contains("Request latency is not stabilizing") {
            self.mark(|b| b.point.latency_unstable = true);
        } else if line.starts_with("Measured latency went over the set limit") {
            self.over_limit = load.or(Some(f64::NAN));
        } else if line.contains("is not able to keep up with the desired load") {
            self.mark(|b| b.point.client_limited = true);
        } else if line.contains("Server average accounted time was larger") {
            self.network_floored = true;
        } else if line.starts_with("Interrupt signal (") {
            self.interrupted = true;
        } else if line.contains("Failed to retrieve results") || line.contains("cb::Error:") {
            self.failures += 1;
        } else {
            return false;
        }
        true
    }

    /// The block a warning speaks of: the one being read, else the last.
    fn mark(&mut self, set: impl FnOnce(&mut Block)) {
        if let Some(block) = self.open.as_mut().or(self.blocks.last_mut()) {
            set(block);
        }
    }
}

impl Settings {
    /// Options of a command line, as far as they bear on what is printed.
    fn command(&mut self, line: &str) {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let (option, joined) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            let mut value = || {
                joined
                    .map(str::to_owned)
                    .or_else(|| words.next_if(|w| !w.starts_with('-')).map(str::to_owned))
            };
            match option {
                "-b" | "--batch-size" => {
                    self.batch = value().and_then(|v| v.parse().ok()).filter(|b| *b >= 1.0);
                }
                "-m" | "--model-name" => self.model = value().map(|m| tame(&m)),
                "--percentile" => {
                    self.percentile = value().and_then(|v| format!("p{v}").parse().ok());
                }
                "--request-distribution" => self.distribution = value().map(|d| tame(&d)),
                _ => {}
            }
        }
    }

    /// A line of the settings block.
    fn take(&mut self, line: &str) {
        let after = |before: &str| line.strip_prefix(before).map(|rest| tame(rest.trim()));
        let number = |before: &str, unit: &str| {
            line.starts_with(before)
                .then(|| amount(line, before, unit).and_then(Result::ok))
                .flatten()
        };
        if line.starts_with("*** Measurement Settings ***") {
            self.printed = true;
        } else if let Some(kind) = after("Service Kind:") {
            self.service_kind = Some(kind);
        } else if let Some(batch) = number("Batch size:", "") {
            self.batch = Some(batch).filter(|b| *b >= 1.0);
        } else if let Some(window) = after("Measurement window:")
            .or_else(|| after("Minimum number of samples in each window:"))
        {
            self.window = Some(window);
        } else if let Some(limit) = number("Latency limit:", "msec") {
            self.latency_limit_ms = Some(limit).filter(|l| *l > 0.0);
        } else if let Some(limit) = number("Concurrency limit:", "concurrent")
            .or_else(|| number("Request Rate limit:", "requests"))
        {
            self.load_limit = Some(limit);
        } else if line.starts_with("Using Binary Search") {
            self.binary_search = true;
        } else if line.starts_with("Detected decoupled model") {
            self.decoupled = true;
        } else if line.starts_with("Using ") && line.contains("distribution on request") {
            self.distribution = line.split_whitespace().nth(1).map(tame);
        } else if line.starts_with("Using ") && line.contains("calls for inference") {
            self.calls = line.split_whitespace().nth(1).map(tame);
        } else if let Some(by) = line.strip_prefix("Stabilizing using p") {
            let digits: String = by.chars().take_while(char::is_ascii_digit).collect();
            if let Ok(q @ Statistic::Quantile(_)) = format!("p{digits}").parse() {
                self.percentile = Some(q);
            }
        }
    }
}

/// A prompt or a bare line that starts the tool.
fn is_command(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.any(|w| {
        let program = w.rsplit('/').next().unwrap_or(w);
        matches!(program, "perf_analyzer" | "perf_client")
    }) && words
        .next()
        .is_some_and(|w| w.starts_with('-') || w == "\\")
}

/// `Request concurrency: 4` or `Request Rate: 200 inference requests per seconds`.
fn header(line: &str) -> Option<(Mode, f64)> {
    let load = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|l| *l > 0.0 && l.is_finite())
    };
    if let Some(rest) = line.strip_prefix("Request concurrency:") {
        return Some((Mode::Concurrency, load(rest)?));
    }
    let rest = line.strip_prefix("Request Rate:")?;
    let (number, _) = rest.split_once("inference requests")?;
    Some((Mode::RequestRate, load(number)?))
}

/// `Inferences/Second vs. Client p95 Batch Latency`.
pub(super) fn summary_header(line: &str) -> Option<Listed> {
    let which = line
        .strip_prefix("Inferences/Second vs. Client ")?
        .split_whitespace()
        .next()?;
    match which.parse() {
        Ok(quantile @ Statistic::Quantile(_)) => Some(Listed::Quantile(quantile)),
        _ if which == "Average" || which == "Avg" => Some(Listed::Average),
        _ => None,
    }
}

/// `Concurrency: 4, throughput: 69.2 infer/sec, latency 14443 usec`, with or without the word.
pub(super) fn summary_row(line: &str, at: u64) -> Option<Summary> {
    let (mode, rest) = match line.strip_prefix("Concurrency:") {
        Some(rest) => (Mode::Concurrency, rest),
        None => (Mode::RequestRate, line.strip_prefix("Request Rate:")?),
    };
    let (load, rest) = rest.split_once(',')?;
    let (rate, latency) = rest.split_once("infer/sec, latency")?;
    let rate = rate.trim().trim_start_matches("throughput:");
    let us = latency.trim().strip_suffix("usec")?;
    let number = |t: &str| {
        t.trim()
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && *n >= 0.0)
    };
    Some(Summary {
        line: at,
        mode,
        load: number(load).filter(|l| *l > 0.0)?,
        throughput: number(rate)?,
        latency: number(us)? / 1e6,
    })
}
