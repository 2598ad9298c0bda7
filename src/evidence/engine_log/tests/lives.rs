//! Restarts, rotation, failures, and times that do not run straight.

use super::*;
use crate::samples::vllm_line;

fn line(clock: &str, running: u32) -> String {
    let beat = Beat {
        at: 0,
        running,
        waiting: 0,
        kv: 500,
        generation: 100,
    };
    vllm_line(clock, &beat)
}

#[test]
fn a_restart_splits_the_numbers() {
    let first = beats(40, 10, 7);
    let second = beats(20, 10, 8);
    let later = vllm_log(&second)
        .replace(" 08-2", " 09-2")
        .replace("0.11.0", "0.12.0");
    let reading = read_text(&(vllm_log(&first) + &later));
    assert_beats(&reading, &second);
    assert!(codes(&reading).contains(&"engine-log-several-starts"));
    assert_eq!(reading.environment["engine_version"], "0.12.0");
    let of = |start: &str| {
        let found = reading.signals.iter().find(|s| {
            s.name == "running_requests"
                && s.statistic == Statistic::Mean
                && s.labels.get("start").map(String::as_str) == Some(start)
        });
        found.map(|s| s.value)
    };
    assert_near(of("1"), mean(&first, |b| b.running));
    assert_near(of("2"), mean(&second, |b| b.running));
}

#[test]
fn a_loop_of_failing_starts_stays_small_and_is_counted() {
    let start = "(APIServer pid=1) INFO 08-20 10:00:00 [api_server.py:9] vLLM API server version 0.11.0\n(EngineCore_DP0 pid=2) ERROR 08-20 10:00:05 [core.py:7] EngineCore failed to start.\n(EngineCore_DP0 pid=2) ERROR 08-20 10:00:05 [core.py:7] Traceback (most recent call last):\n(EngineCore_DP0 pid=2) ERROR 08-20 10:00:05 [core.py:7] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n";
    let reading = read_text(&start.repeat(500));
    assert_eq!(reading.signals, []);
    assert!(reading.figures.iter().any(|f| f.id == "engine-log-errors"));
    let note = reading
        .notes
        .iter()
        .find(|n| n.code == "engine-log-several-starts")
        .unwrap();
    assert_eq!(note.args["count"], "500");
    for code in [
        "engine-log-out-of-memory",
        "engine-log-dead",
        "engine-log-traces",
        "engine-log-not-ready",
        "engine-log-no-lines",
    ] {
        assert!(codes(&reading).contains(&code), "{code}");
    }
}

#[test]
fn parts_of_a_rotation_are_put_in_order() {
    let beats = beats(60, 10, 9);
    let log = vllm_log(&beats);
    let at = log.len() / 2 + log[log.len() / 2..].find('\n').unwrap() + 1;
    let (old, new) = log.split_at(at);
    let reading = read_files(&[
        ("server.log", new.as_bytes()),
        ("server.log.1", old.as_bytes()),
    ])
    .unwrap();
    assert_beats(&reading, &beats);
    assert!(codes(&reading).contains(&"engine-log-order"));
    assert_eq!(reading.files[0].name, "server.log.1");
}

#[test]
fn times_that_step_back_give_no_length() {
    let text = line("08-20 10:00:00", 1) + &line("08-20 10:00:10", 2) + &line("08-20 09:00:00", 3);
    let reading = read_text(&text);
    assert_eq!(reading.window, None);
    assert!(codes(&reading).contains(&"engine-log-time-back"));
    assert_near(reading.value("running_requests", Statistic::Mean), 2.0);
}

#[test]
fn lines_without_times_are_still_lines() {
    let text: String = (1..=3)
        .map(|n| format!("Engine 000: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 1.0 tokens/s, Running: {n} reqs, Waiting: 0 reqs, GPU KV cache usage: 1.0%, Prefix cache hit rate: 1.0%\n"))
        .collect();
    let reading = read_text(&text);
    assert!(codes(&reading).contains(&"engine-log-no-time"));
    assert_eq!(reading.window, None);
    assert_near(reading.value("running_requests", Statistic::Max), 3.0);
}

#[test]
fn several_api_servers_keep_their_rows() {
    let of = |server: u32, running: u32| {
        line("08-20 10:00:00", running).replace(
            "(APIServer pid=1)",
            &format!("(ApiServer_{server} pid={server})"),
        )
    };
    let reading = read_text(&(of(0, 3) + &of(1, 4) + &of(0, 5)));
    assert!(codes(&reading).contains(&"engine-log-api-servers"));
    let servers = reading
        .signals
        .iter()
        .filter(|s| s.labels.contains_key("server"));
    assert!(servers.count() > 0);
}

#[test]
fn ranks_that_repeat_a_scheduler_are_left_out() {
    let of = |rank: &str, running: u32| {
        format!(
            "[2026-09-27 09:19:23 {rank}] Decode batch, #running-req: {running}, #token: 1, token usage: 0.50, gen throughput (token/s): 10.0, #queue-req: 0\n"
        )
    };
    let text = of("DP0 TP0", 4) + &of("DP0 TP1", 4) + &of("DP1 TP2", 6) + &of("DP0 TP0", 8);
    let reading = read_text(&text);
    assert!(codes(&reading).contains(&"engine-log-ranks"));
    assert_near(reading.value("engine_count", Statistic::Last), 2.0);
    assert_near(reading.value("running_requests", Statistic::Last), 14.0);
}

#[test]
fn averages_over_engines_are_not_the_fullest_cache() {
    let text = line("08-20 10:00:00", 8).replace("Engine 000", "4 Engines Aggregated");
    let reading = read_text(&text);
    assert_eq!(reading.value("kv_cache_usage", Statistic::Max), None);
    assert_eq!(reading.value("engine_count", Statistic::Last), None);
    assert!(codes(&reading).contains(&"engine-log-aggregated"));
    assert_near(reading.value("running_requests", Statistic::Max), 8.0);
}
