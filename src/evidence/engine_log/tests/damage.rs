//! Damaged, foreign and hostile files.

use super::*;
use flate2::{Compression, write::GzEncoder};

#[test]
fn a_log_cut_anywhere_is_read_up_to_there_or_refused() {
    let log = vllm_log(&beats(6, 10, 10));
    for at in (0..log.len()).step_by(37) {
        match read_files(&[("server.log", &log.as_bytes()[..at])]) {
            Ok(reading) => {
                for signal in &reading.signals {
                    assert!(signal.value.is_finite());
                }
                // A number that was cut in its middle is not taken.
                let most = reading.value("running_requests", Statistic::Max);
                let whole = most_of_whole_lines(&log[..at]);
                assert_eq!(most, whole, "cut at {at}");
            }
            Err(refusal) => assert!(
                ["empty", "unknown-format", "engine-log-nothing"].contains(&refusal.code.as_str()),
                "{refusal:?}"
            ),
        }
    }
}

/// By another way than the reader's: the number behind `Running: ` of every line that has its end.
fn most_of_whole_lines(text: &str) -> Option<f64> {
    let whole = text
        .split_inclusive('\n')
        .filter(|l| l.ends_with('\n') || l.ends_with('%') && l.contains("hit rate: "));
    whole
        .filter_map(|l| l.split_once("Running: ")?.1.split(' ').next()?.parse().ok())
        .reduce(f64::max)
}

#[test]
fn a_last_line_without_its_end_is_left_out_and_said() {
    let log = vllm_log(&beats(6, 10, 11));
    let at = log.rfind("Waiting: ").unwrap() + 9;
    let reading = read_files(&[("server.log", &log.as_bytes()[..at])]).unwrap();
    assert!(codes(&reading).contains(&"engine-log-cut"));
}

#[test]
fn packed_and_damaged_logs() {
    let beats = beats(50, 10, 12);
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(vllm_log(&beats).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let reading = read_files(&[("server.log.gz", &packed)]).unwrap();
    assert_beats(&reading, &beats);
    let cut = read_files(&[("server.log.gz", &packed[..packed.len() - 40])]).unwrap();
    assert!(codes(&cut).contains(&"engine-log-gzip-damaged"));
}

#[test]
fn byte_order_marks_foreign_bytes_and_endless_lines_do_no_harm() {
    let beats = beats(20, 10, 13);
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    for line in vllm_log(&beats).lines() {
        bytes.extend_from_slice(line.as_bytes());
        bytes.extend_from_slice(b"\r\n\xff\xfe\xc3\x28 not text\n");
    }
    bytes.extend_from_slice(&vec![b'x'; 3 << 20]);
    bytes.push(b'\n');
    let reading = read_files(&[("server.log", &bytes)]).unwrap();
    assert_beats(&reading, &beats);
}

#[test]
fn numbers_beyond_reason_are_no_numbers() {
    let good = "INFO 08-20 10:00:00 [loggers.py:1] Engine 000: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 1.0 tokens/s, Running: 2 reqs, Waiting: 0 reqs, GPU KV cache usage: 1.0%, Prefix cache hit rate: 1.0%\n";
    for (from, to) in [
        ("Running: 2", "Running: 99999999999999999999999999999"),
        ("Running: 2", "Running: NaN"),
        ("Running: 2", "Running: -2"),
        ("usage: 1.0%", "usage: 1e300%"),
        ("usage: 1.0%", "usage: inf%"),
        ("throughput: 1.0", "throughput: 1.0.0"),
    ] {
        let reading = read_text(&(good.to_owned() + &good.replace(from, to)));
        assert!(codes(&reading).contains(&"engine-log-lines-broken"), "{to}");
        assert_eq!(
            reading.value("running_requests", Statistic::Max),
            Some(2.0),
            "{to}"
        );
    }
    // A rate over nothing is not a number and no damage.
    let reading = read_text(&good.replace("hit rate: 1.0%", "hit rate: nan%"));
    assert!(!codes(&reading).contains(&"engine-log-lines-broken"));
    assert_eq!(
        reading.value("prefix_cache_hit_ratio", Statistic::Last),
        None
    );
}

#[test]
fn other_text_is_not_taken_for_a_log() {
    for text in [
        "vllm serve example/model --max-num-seqs 64\n",
        "# HELP vllm:num_requests_running x\n# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running 1\n",
        "Look for Avg prompt throughput: in the log.\nDecode batch sizes matter.\n",
        "{\"log\": 5}\n",
        "node:1:2 [0] NCCL INFO Channel 00/02 :    0   1\nnode:1:2 [0] NCCL INFO Using network Socket\n",
        "2025-08-20 10:00:00 INFO something else entirely\n",
        "time,running\n1,2\n",
    ] {
        assert!(!is_log(text), "{text}");
    }
}

#[test]
fn a_log_behind_a_long_head_of_answers_is_found() {
    let answer = "INFO:     127.0.0.1:50000 - \"POST /v1/completions HTTP/1.1\" 200 OK\n";
    let text = answer.repeat(2000) + &vllm_log(&beats(3, 10, 14));
    assert!(text.len() > detect::HEAD_BYTES && is_log(&text));
    assert!(!is_log(&answer.repeat(2000)));
}

#[test]
fn text_of_requests_and_secrets_is_never_kept() {
    let log = vllm_log(&beats(3, 10, 15))
        + "INFO 08-21 00:10:00 [logger.py:39] Received request cmpl-1: prompt: 'my private words', params: SamplingParams(n=1)\n"
        + "ERROR 08-21 00:10:00 [serving.py:9] ValueError: my private words are too long\n"
        + "INFO:     10.1.2.3:9 - \"POST /v1/completions?api_key=my-private-key HTTP/1.1\" 401 Unauthorized\n";
    let all = serde_json::to_string(&read_text(&log)).unwrap();
    for secret in ["private", "10.1.2.3", "sample-key"] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert!(all.contains("ValueError"));
}
