//! The reader of server logs against its corpus: a log rendered from a real run, and the series
//! that the run recorded beside it.

use super::frame::{Comparison, folder, json};
use pel_evidence::{Kind, Options, Source, Statistic, read};

/// Expected keys that are no number of the log.
const NOT_COMPARED: &[(&str, &str)] = &[("how", "prose: how the expected numbers were made")];

/// `serving/request_logs`: the log, by its expected file and by the series beside it.
pub fn compare() {
    let Some(folder) = folder("serving/request_logs") else {
        return;
    };
    let mut c = Comparison::of("serving/request_logs (engine log)");
    let name = "derived_rtx4090_engine_log.txt";
    let reading = read(&[Source::at(folder.join(name))], &Options::default()).expect("a log");
    c.read_file();
    c.equal("kind", Kind::EngineLog, reading.kind);
    let value = |name: &str, statistic| reading.value(name, statistic);
    let samples = |name: &str| {
        let found = reading.signals.iter().find(|s| s.name == name);
        found.and_then(|s| s.samples).map(|n| n as f64)
    };
    let answers = value("http_responses", Statistic::Total);
    let expected = json(&folder.join("expected").join(format!("{name}.json")));
    for (key, want) in expected.as_object().expect("an object") {
        let got = match key.as_str() {
            "stat_lines" => samples("running_requests"),
            // Every line of this file is a periodic one or an answer.
            "lines" => samples("running_requests").zip(answers).map(|(a, b)| a + b),
            "max_waiting" => value("waiting_requests", Statistic::Max),
            "max_running" => value("running_requests", Statistic::Max),
            "kv_pct_max" => value("kv_cache_usage", Statistic::Max).map(|v| v * 100.0),
            _ => {
                c.left(key);
                continue;
            }
        };
        c.optional(key, want, got);
    }
    let series = std::fs::read_to_string(folder.join("vllm-0.19_rtx4090_timeseries.csv"))
        .expect("the series");
    let rows: Vec<Vec<f64>> = series
        .lines()
        .skip(1)
        .map(|l| l.split(',').map(|n| n.parse().expect("a number")).collect())
        .collect();
    let n = rows.len() as f64;
    let mean = |column: usize| rows.iter().map(|r| r[column]).sum::<f64>() / n;
    let share = |of: &dyn Fn(&Vec<f64>) -> bool| rows.iter().filter(|r| of(r)).count() as f64 / n;
    for (signal, column) in [
        ("prompt_token_throughput", 1),
        ("generation_token_throughput", 2),
        ("running_requests", 3),
        ("waiting_requests", 4),
    ] {
        c.number(signal, mean(column), value(signal, Statistic::Mean));
    }
    let waiting = share(&|r| r[4] > 0.0);
    c.number(
        "waiting_share",
        waiting,
        value("waiting_share", Statistic::Ratio),
    );
    // The log prints one decimal of a percent.
    let full = share(&|r| (r[5] * 10.0).round() / 10.0 >= 95.0);
    c.number(
        "full_share",
        full,
        value("kv_cache_full_share", Statistic::Ratio),
    );
    let seconds = reading.window.as_ref().and_then(|w| w.seconds);
    c.number("seconds", rows[rows.len() - 1][0] - rows[0][0], seconds);
    // Printed as 0.0 because it was not recorded: not a rate.
    c.absent("hit rate", value("prefix_cache_hit_ratio", Statistic::Last));
    c.finish(NOT_COMPARED);
}
