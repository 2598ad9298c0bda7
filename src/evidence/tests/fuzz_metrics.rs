//! Mutated metrics of engines and GPUs, answers of a Prometheus server, and samples of nvidia-smi:
//! a reading whose numbers are numbers, or a refusal, never a panic.
//!
//! The same mutations are made each time; `PEL_FUZZ_ROUNDS` makes more of them.

use pel_evidence::{
    Options, Source, detect, read,
    samples::{Load, vllm_scrapes},
    statistics::SplitMix64,
};

/// Mutations of each family without `PEL_FUZZ_ROUNDS`.
const ROUNDS: usize = 2000;

const PIECES: [&[u8]; 18] = [
    b"\"",
    b"{",
    b"}",
    b",",
    b"=",
    b"# ",
    b"NaN",
    b"+Inf",
    b"-1",
    b"1e308",
    b"9223372036854775794",
    b"[N/A]",
    b" @[1780000000]",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\0",
    b"\r\n",
    b"\n# 1780000000\n",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(200)).min(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        2 => {
            bytes.drain(at..end);
        }
        3 => {
            let piece = bytes[at..end].to_vec();
            bytes.extend(piece);
        }
        4 => {
            let digits = vec![b'0' + random.below(10) as u8; 1 + random.below(30)];
            let after = (at + 1).min(bytes.len());
            bytes.splice(at..after, digits);
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
    }
}

/// Mutates the seeds of one family over and over and reads what comes out.
fn family(name: &str, seeds: &[&str]) {
    let rounds = std::env::var("PEL_FUZZ_ROUNDS").ok();
    let rounds = rounds.and_then(|r| r.parse().ok()).unwrap_or(ROUNDS);
    let mut random = SplitMix64::new(20_260_528);
    let file = tempfile::NamedTempFile::new().expect("a file");
    let (mut readings, mut refusals) = (0, 0);
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            mutate(&mut bytes, &mut random);
        }
        std::fs::write(file.path(), &bytes).expect("written");
        let sources = [Source::at(file.path())];
        let _ = detect::kind_of(&sources);
        match read(&sources, &Options::default()) {
            Ok(reading) => {
                readings += 1;
                for signal in &reading.signals {
                    assert!(signal.value.is_finite(), "{name} {round}: {signal:?}");
                }
                for figure in &reading.figures {
                    let n = figure.columns.len();
                    assert!(
                        figure.rows.iter().all(|row| row.len() == n),
                        "{name} {round}"
                    );
                }
                assert!(reading.distributions.iter().all(|d| d.data.is_sound()));
            }
            Err(refusal) => {
                refusals += 1;
                assert!(!refusal.code.is_empty(), "{name} {round}");
            }
        }
    }
    // Mutations that are all refused at the door would test the door alone.
    assert!(
        readings > rounds / 20 && refusals > 0,
        "{name}: {readings} of {rounds} were read, {refusals} refused"
    );
}

#[test]
fn exposition_of_vllm() {
    let scrapes = vllm_scrapes(&Load {
        before: 5,
        during: 9,
        ..Load::default()
    });
    let both = scrapes.before.clone() + &scrapes.after;
    family("vLLM", &[&scrapes.after, &both]);
}

#[test]
fn exposition_of_other_engines_and_gpus() {
    let triton = "# TYPE nv_inference_request_success counter\nnv_inference_request_success{model=\"m\",version=\"1\"} 40\nnv_inference_request_failure{model=\"m\",reason=\"REJECTED\",version=\"1\"} 2\nnv_inference_queue_duration_us{model=\"m\",version=\"1\"} 7000\nnv_inference_request_duration_us{model=\"m\",version=\"1\"} 9000\nnv_inference_queue_summary_us{model=\"m\",version=\"1\",quantile=\"0.99\"} 101\nnv_gpu_utilization{gpu_uuid=\"GPU-1\"} 0.97\n";
    let sglang = "sglang:num_running_reqs{dp_rank=\"0\",model_name=\"m\",tp_rank=\"0\"} 3\nsglang:num_running_reqs{dp_rank=\"0\",model_name=\"m\",tp_rank=\"1\"} 3\nsglang:queue_time_seconds_bucket{le=\"1\",tp_rank=\"0\"} 2\nsglang:queue_time_seconds_bucket{le=\"+Inf\",tp_rank=\"0\"} 4\nsglang:queue_time_seconds_sum{tp_rank=\"0\"} 8\nsglang:queue_time_seconds_count{tp_rank=\"0\"} 4\n";
    let dcgm = "# 1780000000\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",Hostname=\"h\"} 99\nDCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu=\"0\",Hostname=\"h\"} 4\nDCGM_FI_DEV_ECC_DBE_VOL_TOTAL{gpu=\"0\",Hostname=\"h\"} 1\n# 1780000010\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",Hostname=\"h\"} 98\nDCGM_FI_DEV_XID_ERRORS{gpu=\"0\",Hostname=\"h\"} 79\n";
    let open = "# TYPE tgi_request_success counter\ntgi_request_success_total 4 1780000000.5 # {trace_id=\"4\"} 0.67 1780000050.5\n# TYPE tgi_queue_size gauge\ntgi_queue_size 2\n# EOF\n";
    family("engines", &[triton, sglang, dcgm, open]);
}

#[test]
fn answers_of_a_prometheus_server() {
    let matrix = r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"vllm:num_requests_running","engine":"0"},"values":[[1780000000,"4"],[1780000015.5,"NaN"],[1780000030,"5"]]},{"metric":{"__name__":"vllm:generation_tokens_total","engine":"0"},"values":[[1780000000,"100"],[1780000030,"400"]]}]},"warnings":["w"]}"#;
    let vector = r#"[{"metric":{"__name__":"sglang:num_queue_reqs"},"value":[1780000000,"4"]},{"metric":{},"value":[1780000000,"0.5"]}]"#;
    let query = "vllm:num_requests_waiting{engine=\"0\", job=\"v\"} =>\n9 @[1780000030]\n13 @[1780000045]\nvllm:num_requests_waiting{engine=\"1\", job=\"v\"} => 4 @[1780000030]\n";
    let dump = "{__name__=\"vllm:num_preemptions_total\", engine=\"0\"} 13 1780000015000\n{__name__=\"vllm:num_preemptions_total\", engine=\"0\"} 36 1780000030000\n{__name__=\"vllm:num_requests_running\", engine=\"0\"} 3 1780000015000\n";
    let open = "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{a=\"b\"} 3 1780000015\nvllm:num_requests_running{a=\"b\"} 4 1780000030\n# EOF\n";
    family("answers", &[matrix, vector, query, dump, open]);
}

#[test]
fn samples_of_nvidia_smi() {
    let query = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks_event_reasons.active\n2026/05/28 20:27:40.125, 0, NVIDIA H200, 99 %, 1024 MiB, 612.31 W, 0x0000000000000004\n2026/05/28 20:27:41.125, 0, NVIDIA H200, 98 %, 1024 MiB, 612,31 W, 0x0000000000000001\n2026/05/28 20:27:41.125, 1, NVIDIA H200, [N/A], 1024 MiB, 12.5 W, [N/A]\n";
    let dmon = "# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n# Idx      W      C      C      %      %    MHz    MHz\n    0    612     58     63     99     46   2619   1980\n    1      -     41      -      0      0   2619    345\n";
    family("nvidia-smi", &[query, dmon]);
}
