//! MLPerf LoadGen: the summary (`mlperf_log_summary.txt`, `key : value`) and the detail log
//! (`mlperf_log_detail.txt`, one `:::MLLOG` object per line). Times are nanoseconds. Its verdict
//! on the run, `VALID` or `INVALID`, is taken seriously.

use super::{
    flat::{self, Flat, Leaf},
    json::Json,
    run::{Results, Rule, Run, statistic},
};
use crate::{NoteLevel, Statistic};

const NANO: f64 = 1e-9;
/// Prefix of a line of the detail log.
pub const DETAIL: &str = ":::MLLOG";
/// Title of a summary.
pub const SUMMARY: &str = "MLPerf Results Summary";

/// A summary or detail log being read, line by line.
#[derive(Debug, Default)]
pub struct Reader {
    run: Run,
    version: Option<String>,
    scenario: Option<String>,
    target: Option<f64>,
    scheduled: Option<f64>,
    verdict: Option<String>,
    why: Vec<String>,
    mode: Option<String>,
    streams: Option<f64>,
}

/// What a latency of either file is called: signal and statistic.
fn latency(name: &str) -> Option<(&'static str, Statistic)> {
    let name = name.to_ascii_lowercase().replace(' ', "_");
    let signal = if name.contains("first_token") {
        "ttft"
    } else if name.contains("output_token") {
        "tpot"
    } else if name.contains("latency") && !name.contains("early") && !name.contains("target") {
        "e2e_latency"
    } else {
        return None;
    };
    let of = ["min", "max", "mean"]
        .into_iter()
        .find(|w| name.split('_').any(|part| part == *w));
    if let Some(word) = of {
        return Some((signal, statistic(word)?));
    }
    // `99.90_percentile`, `90.0th_percentile`
    let at = name.find("_percentile").or_else(|| {
        let end = name.strip_suffix("_ns").unwrap_or(&name);
        name.starts_with("time_per_output_token_")
            .then_some(end.len())
    })?;
    let number = name[..at].rsplit('_').next()?.trim_end_matches("th");
    let percent: f64 = number.parse().ok()?;
    Some((signal, statistic(&format!("p{percent}"))?))
}

impl Reader {
    /// Takes one line of a summary.
    pub fn summary_line(&mut self, line: &str) {
        if let Some(reason) = line.trim_start().strip_prefix("* ") {
            if self.why.len() < 6 {
                self.why.push(reason.trim().to_owned());
            }
            return;
        }
        let Some((key, value)) = line.split_once(':') else {
            return;
        };
        let (key, value) = (key.trim(), value.trim());
        let number = value.split_whitespace().next().and_then(|v| v.parse().ok());
        match (key, number) {
            ("Scenario", _) => self.scenario = Some(value.to_owned()),
            ("Mode", _) => self.mode = Some(value.to_owned()),
            ("Result is", _) => self.verdict = Some(value.to_owned()),
            ("target_qps", n) => self.target = n,
            ("Scheduled samples per second", n) => self.scheduled = n,
            ("max_async_queries", n) => self.streams = n,
            (_, Some(n)) => self.number(key, n),
            (_, None) => {
                if key.ends_with("satisfied") && value.eq_ignore_ascii_case("no") {
                    self.why.insert(0, format!("{key}: {value}"));
                }
            }
        }
    }

    fn number(&mut self, key: &str, value: f64) {
        let rate = match key {
            "Completed samples per second"
            | "Samples per second"
            | "QPS w/o loadgen overhead"
            | "result_completed_samples_per_sec"
            | "result_samples_per_second"
            | "result_qps_without_loadgen_overhead" => "request_throughput",
            "Completed tokens per second"
            | "Tokens per second"
            | "result_completed_tokens_per_second"
            | "result_tokens_per_second" => "generation_token_throughput",
            _ => {
                let name = key.trim_end_matches("(ns)").trim();
                let timed = key.ends_with("(ns)")
                    || key.ends_with("_ns")
                    || key.starts_with("result_time_to_output_token");
                if let Some((signal, statistic)) = latency(name).filter(|_| timed) {
                    self.run.tell(signal, statistic, value, NANO);
                }
                return;
            }
        };
        self.run.tell_of(rate, Statistic::Rate, value, None);
    }

    /// Takes one line of a detail log; `false` when it is no such line.
    pub fn detail_line(&mut self, line: &str) -> bool {
        let Some(rest) = line.trim_start().strip_prefix(DETAIL) else {
            return false;
        };
        let mut bytes = rest.trim().as_bytes();
        let mut record = Flat::default();
        let mut json = Json::new(&mut bytes);
        // Lists (the indexes of loaded samples) are long and of no use here.
        let mut lists = |path: &str, json: &mut Json<'_>| {
            let list = path == "value" && json.peek()? == Some(b'[');
            if list {
                json.skip()?;
            }
            Ok(list)
        };
        let read = flat::flatten(&mut json, &mut String::new(), &mut record, &mut lists);
        if read.is_err() {
            return false;
        }
        if let Some(key) = record.text("key") {
            self.detail(key, &record);
        }
        true
    }

    fn detail(&mut self, key: &str, record: &Flat) {
        let number = record.number("value");
        let text = record.text("value").map(str::to_owned);
        match key {
            "loadgen_version" => self.version = text,
            "effective_scenario" => self.scenario = text,
            "effective_test_mode" => self.mode = text,
            "effective_target_qps" => self.target = number,
            "effective_max_async_queries" => self.streams = number,
            "result_validity" => self.verdict = text,
            "result_invalid_reason" => self.why.extend(text),
            "result_scheduled_samples_per_sec" => self.scheduled = number,
            "result_query_count" => self.run.planned = record.count("value"),
            "generated_query_duration" => {
                self.run.duration = number.map(|n| n * NANO).filter(|d| *d > 0.0);
            }
            _ => {
                let met = record.get("value") == Some(&Leaf::Truth(false));
                if met && key.ends_with("_met") {
                    self.why.push(format!("{key}: false"));
                } else if let Some(value) = number.filter(|_| key.starts_with("result_")) {
                    self.number(key, value);
                }
            }
        }
    }

    /// The results, once all lines were taken; `None` when the file says nothing.
    pub fn finish(mut self) -> Option<Results> {
        if self.run.told.is_empty() && self.verdict.is_none() {
            return None;
        }
        let scenario = self.scenario.clone().unwrap_or_default();
        match scenario.as_str() {
            "Server" => self.run.rate = self.target.filter(|t| *t > 0.0),
            "SingleStream" | "MultiStream" => self.run.concurrency = Some(1.0),
            _ => self.run.unlimited = scenario == "Offline",
        }
        self.run.send_rate = self.scheduled;
        self.run.name = self.scenario.filter(|s| !s.is_empty());
        let accuracy = self.mode.as_deref().is_some_and(|m| m.contains("Accuracy"));
        if accuracy {
            self.run
                .note(NoteLevel::Invalid, "bench-mlperf-accuracy", &[]);
        }
        let why = self.why.join("; ");
        match self.verdict.as_deref() {
            Some("VALID") => {}
            Some(_) => self
                .run
                .note(NoteLevel::Invalid, "bench-mlperf-invalid", &[("why", &why)]),
            None => self.run.note(NoteLevel::Invalid, "bench-cut-run", &[]),
        }
        if let Some(planned) = self.run.planned.take() {
            for ((name, _), told) in &mut self.run.told {
                if ["ttft", "tpot", "e2e_latency"].contains(name) {
                    told.samples = Some(planned);
                }
            }
            self.run.completed = Some(planned);
        }
        let mut results = Results::of("MLPerf LoadGen", Rule::Observed).with(vec![self.run]);
        results.version = self.version;
        Some(results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_known_by_the_names_of_both_files() {
        let e2e = |s| Some(("e2e_latency", s));
        assert_eq!(
            latency("99.90 percentile latency"),
            e2e(Statistic::Quantile(999))
        );
        assert_eq!(latency("90.0th percentile latency"), e2e(Statistic::P90));
        assert_eq!(
            latency("result_97.00_percentile_latency_ns"),
            e2e(Statistic::Quantile(970))
        );
        assert_eq!(latency("Mean latency"), e2e(Statistic::Mean));
        assert_eq!(
            latency("50.00 percentile first token latency"),
            Some(("ttft", Statistic::P50))
        );
        assert_eq!(
            latency("result_time_per_output_token_99.00_percentile_ns"),
            Some(("tpot", Statistic::P99))
        );
        assert_eq!(
            latency("50.00 percentile time to output token"),
            Some(("tpot", Statistic::P50))
        );
        assert_eq!(latency("target_latency"), None);
        assert_eq!(latency("early_stopping_latency_ss"), None);
    }
}
