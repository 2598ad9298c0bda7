use super::*;
use crate::{Bound, HintAbout, read as read_any};
use std::fmt::Write;

const TTFT: &str = "vllm:time_to_first_token_seconds";

fn sources(texts: &[&str]) -> (tempfile::TempDir, Vec<Source>) {
    let dir = tempfile::tempdir().expect("a folder");
    let sources = texts.iter().enumerate().map(|(i, text)| {
        let path = dir.path().join(format!("{i}.prom"));
        std::fs::write(&path, text).expect("the folder is ours");
        Source::at(path)
    });
    let sources = sources.collect();
    (dir, sources)
}

fn reading_every(texts: &[&str], interval: Option<f64>) -> Reading {
    let (_dir, sources) = sources(texts);
    let options = Options {
        interval_seconds: interval,
        ..Options::default()
    };
    read_any(&sources, &options).expect("it is readable")
}

fn reading(texts: &[&str]) -> Reading {
    reading_every(texts, None)
}

fn codes(reading: &Reading) -> Vec<&str> {
    reading.notes.iter().map(|n| n.code.as_str()).collect()
}

fn of_engine(reading: &Reading, name: &str, statistic: Statistic, engine: &str) -> Option<f64> {
    let mut signals = reading.signals.iter();
    let is_it = |s: &&Signal| {
        s.name == name
            && s.statistic == statistic
            && s.labels.get("engine").map(String::as_str) == Some(engine)
    };
    signals.find(is_it).map(|s| s.value)
}

/// A histogram of cumulative counts at bounds, with a mean of one.
fn histogram(name: &str, engine: u32, buckets: &[(&str, u32)]) -> String {
    let mut out = format!("# TYPE {name} histogram\n");
    let labels = format!("engine=\"{engine}\",model_name=\"m\"");
    for (le, n) in buckets {
        writeln!(out, "{name}_bucket{{{labels},le=\"{le}\"}} {n}").expect("memory");
    }
    let n = buckets.last().map_or(0, |(_, n)| *n);
    writeln!(
        out,
        "{name}_count{{{labels}}} {n}\n{name}_sum{{{labels}}} {n}"
    )
    .expect("memory");
    out
}

#[test]
fn gauges_are_summed_but_kv_use_is_the_greatest() {
    let at = |running: u32, kv: f64| {
        format!(
            "vllm:num_requests_running{{engine=\"0\"}} {running}\nvllm:num_requests_running{{engine=\"1\"}} 3\n\
             vllm:kv_cache_usage_perc{{engine=\"0\"}} {kv}\nvllm:kv_cache_usage_perc{{engine=\"1\"}} 0.2\n"
        )
    };
    let text = format!("# 1000000000\n{}# 1000000010\n{}", at(9, 0.9), at(1, 0.1));
    let r = reading(&[&text]);
    assert_eq!(r.value("running_requests", Statistic::Last), Some(4.0));
    assert_eq!(r.value("running_requests", Statistic::Max), Some(12.0));
    assert_eq!(r.value("running_requests", Statistic::Mean), Some(8.0));
    assert_eq!(r.value("kv_cache_usage", Statistic::Last), Some(0.2));
    assert_eq!(r.value("kv_cache_usage", Statistic::Max), Some(0.9));
    assert_eq!(r.value("engine_count", Statistic::Last), Some(2.0));
    assert_eq!(
        of_engine(&r, "kv_cache_usage", Statistic::Max, "1"),
        Some(0.2)
    );
    let series = r.figures.iter().find(|f| f.id == "vllm-series");
    assert_eq!(series.map(|f| f.rows.len()), Some(2));
}

#[test]
fn buckets_are_summed_before_the_quantile() {
    let at = |n: u32| {
        histogram(
            TTFT,
            0,
            &[("0.1", 10 * n), ("1.0", 10 * n), ("+Inf", 10 * n)],
        ) + &histogram(TTFT, 1, &[("0.1", 0), ("1.0", 30 * n), ("+Inf", 30 * n)])
    };
    let r = reading_every(&[&at(1), &at(2)], Some(10.0));
    let p50 = r.signals.iter().find(|s| s.statistic == Statistic::P50);
    let p50 = p50.expect("a median");
    assert_eq!(
        p50.bound,
        Bound::Bucket {
            low: 0.1,
            high: 1.0
        }
    );
    assert!((p50.value - 0.4).abs() < 1e-12, "{}", p50.value);
    assert_eq!((p50.samples, p50.scope), (Some(40), Scope::Window));
    assert_eq!(of_engine(&r, "ttft", Statistic::P50, "0"), Some(0.05));
    assert_eq!(r.window.and_then(|w| w.seconds), Some(10.0));
}

#[test]
fn engines_with_other_bounds_have_a_mean_but_no_quantile() {
    let text = histogram(TTFT, 0, &[("0.1", 1), ("+Inf", 2)])
        + &histogram(TTFT, 1, &[("0.2", 1), ("+Inf", 2)]);
    let r = reading(&[&text]);
    assert_eq!(r.value("ttft", Statistic::Mean), Some(1.0));
    assert_eq!(r.value("ttft", Statistic::P50), None);
    assert!(codes(&r).contains(&"metrics-bounds-differ"));
}

#[test]
fn a_rank_above_every_bound_is_at_least() {
    let text = histogram(TTFT, 0, &[("5.0", 1), ("10.0", 4), ("+Inf", 10)]);
    let r = reading(&[&text]);
    let p99 = r.signals.iter().find(|s| s.statistic == Statistic::P99);
    let p99 = p99.expect("a value");
    assert_eq!((p99.value, p99.bound), (10.0, Bound::AtLeast));
    assert_eq!(p99.scope, Scope::SinceStart);
    assert!(codes(&r).contains(&"metrics-above-highest-bound"));
    assert!(codes(&r).contains(&"metrics-since-start"));
}

#[test]
fn e13_a_reset_histogram_is_reset_as_a_whole() {
    let before = histogram(TTFT, 0, &[("0.1", 2), ("1.0", 90), ("+Inf", 100)]);
    // After the restart the first bucket already passed its old value.
    let after = histogram(TTFT, 0, &[("0.1", 5), ("1.0", 8), ("+Inf", 10)]);
    let r = reading(&[&before, &after]);
    let p50 = r.value("ttft", Statistic::P50);
    assert_eq!(p50, Some(0.1));
    assert!(codes(&r).contains(&"metrics-reset"));
    assert!(codes(&r).contains(&"metrics-order-looks-reversed"));
}

#[test]
fn files_in_the_wrong_order_are_put_right_when_the_process_is_the_same() {
    let at = |n: u32, start: u32| {
        format!("process_start_time_seconds {start}\nvllm:generation_tokens_total {n}\n")
    };
    let r = reading(&[&at(50, 1), &at(20, 1)]);
    assert!(codes(&r).contains(&"metrics-order-put-right"));
    assert_eq!(r.value("generation_tokens", Statistic::Total), Some(30.0));
    // Neither way round makes sense of these: 1 before 2 by the first pair, after it by the second.
    let muddled = reading(&[&at(50, 1), &at(20, 1), &at(60, 1)]);
    assert!(codes(&muddled).contains(&"metrics-order-reversed"));
    let restarted = reading(&[&at(50, 1), &at(20, 2)]);
    assert!(!codes(&restarted).contains(&"metrics-order-reversed"));
    assert_eq!(
        restarted.value("generation_tokens", Statistic::Total),
        Some(20.0)
    );
    let hint = restarted.hints.first().expect("a restart shows");
    assert_eq!((hint.about, hint.says.as_str()), (HintAbout::Phase, "cold"));
}

#[test]
fn a_family_the_first_scrape_lacks_is_not_counted_from_zero() {
    let r = reading(&[
        "vllm:prompt_tokens_total 5\n",
        "vllm:prompt_tokens_total 7\nvllm:generation_tokens_total 1000\n",
    ]);
    assert_eq!(r.value("prompt_tokens", Statistic::Total), Some(2.0));
    assert_eq!(r.value("generation_tokens", Statistic::Total), None);
    assert!(codes(&r).contains(&"metrics-series-late"));
    let declared = reading(&[
        "# TYPE vllm:generation_tokens_total counter\nvllm:prompt_tokens_total 5\n",
        "vllm:prompt_tokens_total 7\nvllm:generation_tokens_total 1000\n",
    ]);
    let born = declared.value("generation_tokens", Statistic::Total);
    assert_eq!(born, Some(1000.0));
}

#[test]
fn both_names_of_one_thing_are_not_added() {
    let text = histogram(
        "vllm:inter_token_latency_seconds",
        0,
        &[("1", 4), ("+Inf", 4)],
    ) + &histogram(
        "vllm:time_per_output_token_seconds",
        0,
        &[("1", 4), ("+Inf", 4)],
    );
    let r = reading(&[&text]);
    let mean = r.signals.iter().find(|s| s.name == "itl");
    assert_eq!(mean.and_then(|s| s.samples), Some(4));
}

#[test]
fn acceptance_counts_stop_and_length_against_everything_asked() {
    let text = "vllm:request_success_total{finished_reason=\"stop\"} 6\n\
        vllm:request_success_total{finished_reason=\"length\"} 2\n\
        vllm:request_success_total{finished_reason=\"abort\"} 2\n\
        vllm:admission_rejections_total{reason=\"max_num_queued_reqs\"} 10\n";
    let r = reading(&[text]);
    assert_eq!(r.value("acceptance_rate", Statistic::Ratio), Some(0.4));
    assert_eq!(r.value("finished_requests", Statistic::Total), Some(10.0));
    assert_eq!(r.value("aborted_ratio", Statistic::Ratio), Some(0.2));
    assert_eq!(r.value("error_ratio", Statistic::Ratio), None);
    assert!(codes(&r).contains(&"metrics-rejections"));
}

#[test]
fn what_is_not_exported_is_noted_and_never_zero() {
    let r = reading(&[
        "vllm:gpu_prefix_cache_hit_rate{model_name=\"m\"} -1\nvllm:num_requests_waiting 0\n",
    ]);
    assert!(!r.signals.iter().any(|s| s.name == "prefix_cache_hit_ratio"));
    assert!(codes(&r).contains(&"metrics-prefix-cache-off"));
    let missing: String = r
        .notes
        .iter()
        .filter(|n| n.code == "metrics-not-exported")
        .map(|n| n.args["signals"].clone() + ", ")
        .collect();
    for signal in [
        "ttft",
        "acceptance_rate",
        "kv_cache_usage",
        "kv_cache_capacity",
    ] {
        assert!(missing.contains(signal), "{missing}");
    }
    assert!(!missing.contains("waiting_requests"));
}

#[test]
fn front_end_time_needs_steady_populations() {
    let at = |n: u32, waiting: u32, prefill: u32| {
        let third = |name: &str, sum: u32| format!("{name}_count {n}\n{name}_sum {sum}\n");
        third(TTFT, 6 * n)
            + &third("vllm:request_queue_time_seconds", 2 * n)
            + &third("vllm:request_prefill_time_seconds", prefill * n)
            + &format!("vllm:num_requests_waiting {waiting}\n")
    };
    let steady = reading(&[&at(100, 5, 3), &at(200, 6, 3)]);
    assert_eq!(steady.value("front_end_time", Statistic::Mean), Some(1.0));
    let growing = reading(&[&at(100, 5, 3), &at(200, 60, 3)]);
    assert_eq!(growing.value("front_end_time", Statistic::Mean), None);
    assert!(codes(&growing).contains(&"metrics-populations-differ"));
}

#[test]
fn two_targets_pasted_together_are_one_instant() {
    let of = |engine: u32| {
        format!(
            "up 1\nvllm:num_requests_running{{engine=\"{engine}\",model_name=\"m\"}} 2\n\
             vllm:admission_rejections_total{{model_name=\"m\"}} 5\n"
        )
    };
    let both = of(0) + &of(1);
    let r = reading(&[&both]);
    let rejected = r.value("admission_rejections", Statistic::Total);
    assert_eq!(rejected, Some(10.0), "one process each");
    assert_eq!(r.value("running_requests", Statistic::Last), Some(4.0));
    assert!(codes(&r).contains(&"metrics-targets-merged"));
    // A second round of both is a second time.
    let r = reading(&[&(both.clone() + &both)]);
    assert_eq!(r.value("running_requests", Statistic::Last), Some(4.0));
    assert_eq!(r.value("running_requests", Statistic::Max), Some(4.0));
}

#[test]
fn several_models_are_told_apart() {
    let text = "vllm:num_requests_running{engine=\"0\",model_name=\"a\"} 1\n\
        vllm:num_requests_running{engine=\"0\",model_name=\"b\"} 2\n";
    let r = reading(&[text]);
    assert_eq!(r.value("running_requests", Statistic::Last), Some(3.0));
    let b = r
        .signals
        .iter()
        .find(|s| s.labels.get("model").map(String::as_str) == Some("b"));
    assert_eq!(b.map(|s| s.value), Some(2.0));
    assert_eq!(r.environment["model"], "a, b");
}

#[test]
fn capacity_and_configuration_come_from_the_labels() {
    let text = "vllm:num_requests_running 1\nvllm:cache_config_info{block_size=\"16\",num_gpu_blocks=\"100\",cache_dtype=\"auto\",gpu_memory_utilization=\"0.9\",num_cpu_blocks=\"None\"} 1\n";
    let r = reading(&[text]);
    assert_eq!(r.value("kv_cache_capacity", Statistic::Last), Some(1600.0));
    assert_eq!(r.environment["cache_dtype"], "auto");
    assert_eq!(r.environment["engine"], "vLLM");
    let none = reading(&[
        "vllm:num_requests_running 1\nvllm:cache_config_info{block_size=\"16\",num_gpu_blocks=\"None\"} 1\n",
    ]);
    assert_eq!(none.value("kv_cache_capacity", Statistic::Last), None);
}

#[test]
fn rates_need_a_time_and_a_young_process_is_cold() {
    let at = |t: u32, n: u32| {
        format!("# {t}\nprocess_start_time_seconds 1780000000\nvllm:generation_tokens_total {n}\n")
    };
    let text = at(1_780_000_060, 10) + &at(1_780_000_070, 110);
    let r = reading(&[&text]);
    assert_eq!(
        r.value("generation_token_throughput", Statistic::Rate),
        Some(10.0)
    );
    assert_eq!(
        r.hints.first().map(|h| h.code.as_str()),
        Some("vllm-young-process")
    );
    let old = text.replace(
        "process_start_time_seconds 1780000000",
        "process_start_time_seconds 1770000000",
    );
    assert!(reading(&[&old]).hints.is_empty());
    let timeless = old.replace("# 17", "# at 17x");
    let r = reading(&[&timeless]);
    assert_eq!(
        r.value("generation_token_throughput", Statistic::Rate),
        None
    );
    assert!(codes(&r).contains(&"metrics-no-time"));
}

#[test]
fn impossible_first_tokens_make_the_evidence_invalid() {
    let broken = histogram(TTFT, 0, &[("0.001", 50), ("1.0", 50), ("+Inf", 50)]);
    let r = reading(&[&broken]);
    let note = r.notes.iter().find(|n| n.code == "metrics-ttft-broken");
    assert_eq!(note.map(|n| n.level), Some(NoteLevel::Invalid));
    let fine = histogram(TTFT, 0, &[("0.001", 0), ("1.0", 50), ("+Inf", 50)]);
    assert!(!codes(&reading(&[&fine])).contains(&"metrics-ttft-broken"));
}

#[test]
fn label_values_are_tamed() {
    let r = reading(&["vllm:num_requests_running{engine=\"0\",model_name=\"a\\nb\u{202e}c\"} 1\n"]);
    assert_eq!(r.environment["model"], "abc");
}

#[test]
fn another_server_in_the_second_file_is_not_counted_from_zero() {
    let of = |model: &str| format!("vllm:prompt_tokens_total{{model_name=\"{model}\"}} 500\n");
    let (_dir, sources) = sources(&[&of("a"), &of("b")]);
    let answer = read_any(&sources, &Options::default());
    let r = answer.expect("it is readable");
    assert_eq!(
        of_model(&r, "prompt_tokens", "b"),
        None,
        "what was counted before the window is not of the window"
    );
    assert!(codes(&r).contains(&"metrics-engines-changed"));
}

fn of_model(reading: &Reading, name: &str, model: &str) -> Option<f64> {
    let mut signals = reading.signals.iter();
    let is_it =
        |s: &&Signal| s.name == name && s.labels.get("model").map(String::as_str) == Some(model);
    signals.find(is_it).map(|s| s.value)
}

proptest::proptest! {
    #[test]
    fn damaged_text_never_panics_nor_invents(
        hits in proptest::collection::vec((0usize..4000, proptest::num::u8::ANY), 0..40),
        cut in 0usize..4000,
    ) {
        let part = |n: u32| {
            histogram(TTFT, 0, &[("0.1", n), ("1.0", 2 * n), ("+Inf", 3 * n)])
                + &format!("# {}\nvllm:num_requests_running 3\n", 1_780_000_000 + n)
                + &format!("vllm:request_success_total{{finished_reason=\"stop\"}} {n}\n# EOF\n")
        };
        let mut text = (part(1) + &part(5) + &part(3)).into_bytes();
        for (at, byte) in hits {
            let at = at % text.len();
            text[at] = byte;
        }
        text.truncate(text.len().max(1).min(cut.max(1)));
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("m");
        std::fs::write(&path, &text).expect("the folder is ours");
        if let Ok(reading) = read(&[Source::at(path)], &Options::default()) {
            for signal in &reading.signals {
                proptest::prop_assert!(signal.value.is_finite(), "{:?}", signal);
            }
        }
    }

    #[test]
    fn increases_are_never_negative(values in proptest::collection::vec(0u32..1000, 2..12)) {
        let texts: Vec<String> = values
            .iter()
            .map(|n| format!("vllm:generation_tokens_total {n}\n"))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let increase: u32 = values
            .windows(2)
            .map(|w| w[1].checked_sub(w[0]).unwrap_or(w[1]))
            .sum();
        let got = reading(&texts).value("generation_tokens", Statistic::Total);
        proptest::prop_assert_eq!(got, Some(f64::from(increase)));
    }
}

#[test]
fn what_is_divided_by_a_stated_window_is_an_estimate() {
    let at = |n: u32| {
        format!("# TYPE vllm:generation_tokens_total counter\nvllm:generation_tokens_total {n}\n")
    };
    let rate = |r: &Reading| {
        let mut signals = r.signals.iter();
        let rate = signals.find(|s| s.name == "generation_token_throughput");
        rate.map(|s| (s.value, s.bound))
    };
    let stated = reading_every(&[&at(100), &at(300)], Some(10.0));
    assert_eq!(rate(&stated), Some((20.0, Bound::Estimate)));
    let timed = format!("# 1000000000\n{}# 1000000010\n{}", at(100), at(300));
    let timed = reading_every(&[&timed], Some(50.0));
    assert_eq!(rate(&timed), Some((20.0, Bound::Exact)));
}
