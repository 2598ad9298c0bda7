//! Mutated files: every reader gives an answer or a refusal, never a panic, and never a number
//! that is no number.
//!
//! The same mutations are made each time. `PEL_FUZZ_ROUNDS` makes more of them.

use pel_evidence::{
    Options, Source, detect, read,
    samples::{Benchmark, serving_benchmark},
    statistics::SplitMix64,
};

/// Mutations of each family without `PEL_FUZZ_ROUNDS`.
const ROUNDS: usize = 2500;

/// Mutates the seeds of one family over and over and reads what comes out.
fn family(name: &str, seeds: &[Vec<u8>]) {
    let rounds = std::env::var("PEL_FUZZ_ROUNDS").ok();
    let rounds = rounds.and_then(|r| r.parse().ok()).unwrap_or(ROUNDS);
    let mut random = SplitMix64::new(20_260_301);
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut readings = 0;
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..=random.below(4) {
            mutate(&mut bytes, &mut random);
        }
        std::fs::write(file.path(), &bytes).expect("written");
        let sources = [Source::at(file.path())];
        let _ = detect::kind_of(&sources);
        if let Ok(reading) = read(&sources, &Options::default()) {
            readings += 1;
            assert!(
                reading.signals.iter().all(|s| s.value.is_finite()),
                "{name} {round}"
            );
            let says = !reading.signals.is_empty() || !reading.figures.is_empty();
            assert!(says, "{name} {round}: a reading of nothing");
        }
    }
    // Mutations that are all refused at the door would test the door alone.
    assert!(
        readings > rounds / 20,
        "{name}: {readings} of {rounds} were read"
    );
}

#[test]
fn results_of_load_generators() {
    family("load generators", &load_generators());
}

fn load_generators() -> Vec<Vec<u8>> {
    let small = serving_benchmark(Benchmark {
        requests: 5,
        concurrency: 2,
        tokens: 4,
        fails_every: 3,
        seed: 1,
    });
    [
        small.as_str(),
        r#"{"metadata":{"guidellm_version":"0.8.1"},"benchmarks":[{"config":{"strategy":{"type_":"constant","rate":1.0}},"metrics":{"requests_per_second":{"successful":{"mean":1.0,"count":2}},"request_latency":{"successful":{"mean":1.0,"count":2,"percentiles":{"p99":2.0}}}},"requests":{"successful":[{"request_latency":2.0,"output_tokens":3}]}}]}"#,
        "metadata:\n  guidellm_version: 0.8.1\nbenchmarks:\n- metrics:\n    request_latency:\n      successful: {mean: 1.0, count: 2}\n",
        r#"{"load_summary":{"count":6,"requested_rate":10.0},"successes":{"count":6,"latency":{"request_latency":{"mean":1.0,"p99.9":2.0}}},"failures":{"count":0}}"#,
        r#"[{"error_code":null,"ttft_s":0.1,"end_to_end_latency_s":1.0,"number_output_tokens":3}]"#,
        r#"{"aiperf_version":"1","request_throughput":{"unit":"requests/sec","avg":5.0},"request_latency":{"unit":"ms","avg":5.0,"p99":6.0}}"#,
        "Metric,avg,min,max,p99\r\nRequest Latency (ms),\"1,200.00\",100.00,300.00,299.00\r\n\r\nMetric,Value\r\nRequest Count,10.00\r\n",
        "============ Serving Benchmark Result ============\nSuccessful requests:   8\nMean TTFT (ms):   314.58\n==================================================\n",
        "MLPerf Results Summary\nScenario : Server\nResult is : VALID\n99.00 percentile latency (ns)   : 33000000\n",
        ":::MLLOG {\"key\": \"result_mean_latency_ns\", \"value\": 2000000}\n:::MLLOG {\"key\": \"result_validity\", \"value\": \"VALID\"}\n",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}

fn mutate(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    const PIECES: [&[u8]; 12] = [
        b"\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"NaN",
        b"-1",
        b"1e308",
        b"\xff\xfe",
        b"null",
        b"\r\n",
    ];
    let at = |random: &mut SplitMix64, n: usize| random.below(n.max(1));
    match random.below(5) {
        0 => {
            let end = at(random, bytes.len());
            bytes.truncate(end);
        }
        1 if !bytes.is_empty() => {
            let i = at(random, bytes.len());
            bytes[i] = random.below(256) as u8;
        }
        2 => {
            let piece = PIECES[random.below(PIECES.len())];
            let i = at(random, bytes.len());
            bytes.splice(i..i, piece.iter().copied());
        }
        3 => {
            let (a, b) = (at(random, bytes.len()), at(random, bytes.len()));
            let cut: Vec<u8> = bytes[a.min(b)..a.max(b)].to_vec();
            bytes.extend(cut.into_iter().take(4000));
        }
        _ => {
            let (a, n) = (at(random, bytes.len()), random.below(30));
            let end = (a + n).min(bytes.len());
            bytes.drain(a.min(end)..end);
        }
    }
}
