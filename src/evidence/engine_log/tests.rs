//! Whole logs made here, against what they were made from.

mod damage;
mod lives;

use crate::{
    HintAbout, Kind, Options, Reading, Refusal, Scope, Source, Statistic, detect, read,
    samples::{Beat, beats, sglang_log, vllm_log},
};
use std::{io::Write as _, path::Path};

/// GiB in bytes.
const GIB: f64 = 1_073_741_824.0;

/// The files in a folder of their own.
fn sources(folder: &Path, files: &[(&str, &[u8])]) -> Vec<Source> {
    let write = |(name, bytes): &(&str, &[u8])| {
        let path = folder.join(name);
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(bytes).unwrap();
        Source::at(path)
    };
    files.iter().map(write).collect()
}

fn read_files(files: &[(&str, &[u8])]) -> Result<Reading, Refusal> {
    let folder = tempfile::tempdir().unwrap();
    read(&sources(folder.path(), files), &Options::default())
}

fn read_text(text: &str) -> Reading {
    let reading = read_files(&[("server.log", text.as_bytes())]).unwrap();
    assert_eq!(reading.kind, Kind::EngineLog);
    reading
}

fn is_log(text: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(folder.path(), &[("f", text.as_bytes())]);
    detect::kind_of(&sources) == Ok(Kind::EngineLog)
}

fn codes(reading: &Reading) -> Vec<&str> {
    reading.notes.iter().map(|n| n.code.as_str()).collect()
}

fn mean(beats: &[Beat], of: impl Fn(&Beat) -> u32) -> f64 {
    beats.iter().map(|b| f64::from(of(b))).sum::<f64>() / beats.len() as f64
}

fn most(beats: &[Beat], of: impl Fn(&Beat) -> u32) -> f64 {
    beats.iter().map(|b| f64::from(of(b))).fold(0.0, f64::max)
}

fn assert_near(got: Option<f64>, want: f64) {
    let got = got.expect("captured");
    assert!(
        (got - want).abs() <= 1e-9 * want.abs().max(1.0),
        "{got} is not {want}"
    );
}

/// What both engines say of the same beats.
fn assert_beats(reading: &Reading, beats: &[Beat]) {
    let value = |name: &str, statistic| reading.value(name, statistic);
    use Statistic::{Last, Max, Mean, Ratio};
    assert_near(value("running_requests", Mean), mean(beats, |b| b.running));
    assert_near(value("running_requests", Max), most(beats, |b| b.running));
    assert_near(value("waiting_requests", Max), most(beats, |b| b.waiting));
    assert_near(
        value("waiting_requests", Last),
        f64::from(beats.last().unwrap().waiting),
    );
    assert_near(value("kv_cache_usage", Max), most(beats, |b| b.kv) / 1000.0);
    assert_near(
        value("kv_cache_usage", Mean),
        mean(beats, |b| b.kv) / 1000.0,
    );
    assert_near(
        value("generation_token_throughput", Mean),
        mean(beats, |b| b.generation) / 10.0,
    );
    assert_near(
        value("waiting_share", Ratio),
        mean(beats, |b| u32::from(b.waiting > 0)),
    );
    assert_near(
        value("kv_cache_full_share", Ratio),
        mean(beats, |b| u32::from(b.kv >= 950)),
    );
    assert_near(value("prompt_token_throughput", Max), 12.5);
    assert_near(value("start_up_time", Last), 90.0);
    assert_near(value("model_load_time", Last), 21.5);
    assert_near(value("graph_capture_time", Last), 18.0);
    assert_near(value("kv_cache_memory", Last), 40.5 * GIB);
    assert_near(value("cuda_graph_memory", Last), 0.75 * GIB);
    assert_near(value("kv_cache_capacity", Last), 331_776.0);
    assert_near(
        reading.window.as_ref().and_then(|w| w.seconds),
        f64::from(beats.last().unwrap().at),
    );
}

#[test]
fn a_log_of_vllm_gives_the_numbers_it_was_made_from() {
    let beats = beats(200, 10, 1);
    let reading = read_text(&vllm_log(&beats));
    assert_beats(&reading, &beats);
    assert_near(reading.value("engine_init_time", Statistic::Last), 55.5);
    assert_near(reading.value("compile_time", Statistic::Last), 12.25);
    assert_near(reading.value("full_length_requests", Statistic::Last), 40.5);
    assert_near(reading.value("http_responses", Statistic::Total), 200.0);
    assert_near(reading.value("http_error_ratio", Statistic::Ratio), 0.0);
    assert_near(
        reading.value("prefix_cache_hit_ratio", Statistic::Last),
        0.25,
    );
    assert_eq!(reading.value("preemptions", Statistic::Total), None);
    assert!(codes(&reading).contains(&"engine-log-no-preemptions"));
    // Neither year nor zone is printed.
    assert!(codes(&reading).contains(&"engine-log-no-year"));
    assert_eq!(reading.window.as_ref().unwrap().start, None);
    let fact = |key: &str| reading.environment.get(key).map(String::as_str);
    assert_eq!(fact("engine"), Some("vLLM"));
    assert_eq!(fact("engine_version"), Some("0.11.0"));
    assert_eq!(fact("model"), Some("example/model-8b"));
    assert_eq!(fact("setting.tensor_parallel_size"), Some("2"));
    assert_eq!(fact("setting.pipeline_parallel_size"), Some("1"));
    assert!(codes(&reading).contains(&"engine-config-secrets"));
    let all = serde_json::to_string(&reading).unwrap();
    assert!(!all.contains("sample-key"));
}

#[test]
fn a_log_of_sglang_gives_the_numbers_it_was_made_from() {
    let beats = beats(150, 7, 2);
    let reading = read_text(&sglang_log(&beats));
    assert_beats(&reading, &beats);
    assert_eq!(reading.tool.name, "SGLang");
    assert_near(
        reading.value("prefix_cache_hit_ratio", Statistic::Ratio),
        0.25,
    );
    assert_near(reading.value("cuda_graph_share", Statistic::Ratio), 1.0);
    assert_eq!(
        reading
            .environment
            .get("setting.mem_fraction_static")
            .map(String::as_str),
        Some("0.835")
    );
    assert!(!reading.environment.contains_key("setting.random_seed"));
    assert!(codes(&reading).contains(&"engine-log-no-zone"));
    let all = serde_json::to_string(&reading).unwrap();
    assert!(!all.contains("sample-key"));
}

#[test]
fn the_minutes_after_a_start_are_cold_and_hours_are_not() {
    let cold = read_text(&vllm_log(&beats(30, 10, 3)));
    assert_eq!(cold.hints[0].about, HintAbout::Phase);
    assert_eq!(cold.hints[0].says, "cold");
    let warm = read_text(&vllm_log(&beats(1000, 10, 3)));
    assert_eq!(warm.hints, []);
}

#[test]
fn what_carries_a_log_gives_the_wall_clock() {
    let beats = beats(5, 10, 4);
    let plain = vllm_log(&beats);
    let mut seconds = 0;
    let docker: String = plain
        .lines()
        .map(|line| {
            seconds += 1;
            format!("2026-08-20T22:10:{seconds:02}.500000000Z {line}\n")
        })
        .collect();
    let reading = read_text(&docker);
    let window = reading.window.as_ref().unwrap();
    assert_eq!(window.seconds, Some(8.0));
    assert_eq!(
        window.start.unwrap().to_rfc3339(),
        "2026-08-20T22:10:13.500+00:00"
    );
    assert_near(
        reading.value("running_requests", Statistic::Max),
        most(&beats, |b| b.running),
    );
    let wrapped: String = plain
        .lines()
        .map(|line| {
            let text = serde_json::to_string(&format!("{line}\n")).unwrap();
            format!("{{\"log\":{text},\"stream\":\"stderr\",\"time\":\"2026-08-20T22:10:00Z\"}}\n")
        })
        .collect();
    let again = read_text(&wrapped);
    assert_near(
        again.value("running_requests", Statistic::Mean),
        mean(&beats, |b| b.running),
    );
    let coloured: String = plain
        .lines()
        .map(|line| format!("\u{1b}[1;36m{}\u{1b}[0m{}\r\n", &line[..17], &line[17..]))
        .collect();
    let again = read_text(&coloured);
    assert_near(
        again.value("running_requests", Statistic::Mean),
        mean(&beats, |b| b.running),
    );
}

#[test]
fn engines_keep_their_own_rows_and_are_never_averaged() {
    let line = |engine: u32, running: u32, kv: u32, second: u32| {
        format!(
            "INFO 08-20 10:00:{second:02} [loggers.py:127] Engine {engine:03}: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 10.0 tokens/s, Running: {running} reqs, Waiting: 1 reqs, GPU KV cache usage: {kv}.0%, Prefix cache hit rate: 5.0%\n"
        )
    };
    let mut text = String::new();
    for second in 0..10 {
        text += &line(0, 10 + second, 99, second);
        text += &line(1, 2, 10, second);
    }
    let reading = read_text(&text);
    assert_eq!(reading.value("running_requests", Statistic::Mean), None);
    assert_near(reading.value("running_requests", Statistic::Max), 21.0);
    assert_near(reading.value("kv_cache_usage", Statistic::Max), 0.99);
    assert_near(reading.value("engine_count", Statistic::Last), 2.0);
    let of = |engine: &str, name: &str, statistic| {
        let found = reading.signals.iter().find(|s| {
            s.name == name
                && s.statistic == statistic
                && s.labels.get("engine").map(String::as_str) == Some(engine)
        });
        found.map(|s| s.value)
    };
    assert_near(of("0", "running_requests", Statistic::Mean), 14.5);
    assert_near(of("1", "running_requests", Statistic::Mean), 2.0);
    assert_near(of("1", "kv_cache_usage", Statistic::Max), 0.10);
    assert!(
        reading
            .figures
            .iter()
            .any(|f| f.id == "engine-log-engines" && f.rows.len() == 2)
    );
}

#[test]
fn a_hit_rate_that_is_always_zero_is_not_taken() {
    let beats = beats(20, 10, 5);
    let log = vllm_log(&beats).replace("hit rate: 25.0%", "hit rate: 0.0%");
    // The start says that the cache was on.
    let reading = read_text(&log);
    assert_eq!(
        reading.value("prefix_cache_hit_ratio", Statistic::Last),
        Some(0.0)
    );
    let lines: Vec<&str> = log.lines().filter(|l| l.contains("Engine 000")).collect();
    let reading = read_text(&format!("{}\n", lines.join("\n")));
    assert_eq!(
        reading.value("prefix_cache_hit_ratio", Statistic::Last),
        None
    );
    assert!(codes(&reading).contains(&"engine-log-hit-rate-zero"));
    assert!(codes(&reading).contains(&"engine-log-no-start"));
}

#[test]
fn speculation_and_preemptions_are_summed_over_their_lines() {
    let beats = beats(3, 10, 6);
    let mut log = vllm_log(&beats);
    log += "(APIServer pid=1) INFO 08-21 00:10:00 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 2.00, Accepted throughput: 1.00 tokens/s, Drafted throughput: 2.00 tokens/s, Accepted: 30 tokens, Drafted: 60 tokens, Per-position acceptance rate: 0.700, 0.300, Avg Draft acceptance rate: 50.0%\n";
    log += "(APIServer pid=1) INFO 08-21 00:10:10 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 3.00, Accepted throughput: 1.00 tokens/s, Drafted throughput: 2.00 tokens/s, Accepted: 60 tokens, Drafted: 60 tokens, Per-position acceptance rate: 1.000, 1.000, Avg Draft acceptance rate: 100.0%\n";
    log += "WARNING 08-21 00:10:11 scheduler.py:1057] Sequence group 7 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. total_num_cumulative_preemption=51\n";
    let reading = read_text(&log);
    assert_near(
        reading.value("spec_decode_acceptance_ratio", Statistic::Ratio),
        0.75,
    );
    assert_near(
        reading.value("spec_decode_accepted_length", Statistic::Mean),
        2.5,
    );
    let preempted = reading
        .signals
        .iter()
        .find(|s| s.name == "preemptions")
        .unwrap();
    assert_eq!(
        (preempted.value, preempted.bound),
        (51.0, crate::Bound::AtLeast)
    );
    let figure = reading
        .figures
        .iter()
        .find(|f| f.id == "engine-log-positions")
        .unwrap();
    assert_eq!(figure.rows[0][1], 0.85.into());
    assert!(reading.signals.iter().all(|s| s.scope != Scope::SinceStart));
}

#[test]
fn every_code_figure_and_column_has_words_in_both_languages() {
    let catalogues = [
        [
            include_str!("../../../locales/en/evidence-engine-log.ftl"),
            include_str!("../../../locales/en/evidence-vllm.ftl"),
        ],
        [
            include_str!("../../../locales/pt-BR/evidence-engine-log.ftl"),
            include_str!("../../../locales/pt-BR/evidence-vllm.ftl"),
        ],
    ];
    let mut keys = Vec::new();
    let quoted = |text: &'static str, before: &'static str| {
        text.split(before)
            .skip(1)
            .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
    };
    let notes = include_str!("notes.rs").split('"').skip(1).step_by(2);
    let notes = notes.filter(|word| word.starts_with("engine-log-"));
    keys.extend(notes.map(|code| format!("note-{code}")));
    let figures = include_str!("figures.rs");
    let ids = figures.split('"').skip(1).step_by(2);
    let ids = ids.filter(|word| word.starts_with("engine-log-"));
    keys.extend(ids.map(|id| format!("figure-{id}")));
    for head in ["Column::text(", "Column::number("] {
        keys.extend(quoted(figures, head).map(|id| format!("column-{}", id.replace('_', "-"))));
    }
    let own = include_str!("mod.rs");
    keys.extend(quoted(own, "NoteLevel::Warning, ").map(|code| format!("note-{code}")));
    for code in
        quoted(own, "Refusal::new(&source.name, ").chain(quoted(own, "Refusal::new(first, "))
    {
        keys.push(format!("refusal-{code}"));
        keys.push(format!("refusal-{code}-remedy"));
    }
    keys.push("note-engine-log-order".to_owned());
    keys.push("hint-engine-log-after-start".to_owned());
    assert!(keys.len() > 60, "{keys:?}");
    for key in keys {
        for texts in catalogues {
            let found = texts.iter().any(|t| t.contains(&format!("\n{key} = ")));
            assert!(found, "{key}");
        }
    }
}
