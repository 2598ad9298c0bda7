//! Sample logs as vLLM and SGLang servers print them, around numbers that the caller knows.

use super::Dice;
use std::fmt::Write as _;

/// One periodic line of a sample log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beat {
    /// Seconds since the first line.
    pub at: u32,
    /// Running requests.
    pub running: u32,
    /// Waiting requests.
    pub waiting: u32,
    /// KV use in tenths of a percent.
    pub kv: u32,
    /// Generated tokens per second, in tenths.
    pub generation: u32,
}

/// Lines every `every` seconds, with a queue that comes and goes.
pub fn beats(count: u32, every: u32, seed: u64) -> Vec<Beat> {
    let mut dice = Dice::new(seed);
    (0..count)
        .map(|i| {
            let load = dice.uniform();
            let running = (load * 64.0) as u32;
            Beat {
                at: i * every,
                running,
                waiting: if load > 0.7 { (load * 40.0) as u32 } else { 0 },
                kv: (load * 1000.0) as u32,
                generation: running * 251,
            }
        })
        .collect()
}

/// The time of day at which the sample logs begin.
const BEGIN: u32 = 23 * 3600 + 55 * 60;

/// `MM-DD HH:MM:SS`, over midnight.
fn clock(at: u32) -> String {
    let seconds = BEGIN + at;
    let (day, rest) = (20 + seconds / 86_400, seconds % 86_400);
    format!(
        "08-{day:02} {:02}:{:02}:{:02}",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

/// A log of vLLM V1 with its start (which takes 90 seconds), its periodic lines, and one answer
/// after each of them.
pub fn vllm_log(beats: &[Beat]) -> String {
    let mut log = String::new();
    let api = "(APIServer pid=1) INFO";
    let core = "(EngineCore_DP0 pid=77) INFO";
    let start = [
        (
            0,
            api,
            "[api_server.py:1839] vLLM API server version 0.11.0",
        ),
        (
            0,
            api,
            "[utils.py:233] non-default args: {'model_tag': 'example/model-8b', 'api_key': ['sample-key'], 'model': 'example/model-8b', 'max_model_len': 8192, 'tensor_parallel_size': 2, 'max_num_seqs': 64}",
        ),
        (
            9,
            core,
            "[core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='example/model-8b', speculative_config=None, dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=2, quantization=None, enforce_eager=False, kv_cache_dtype=auto, enable_prefix_caching=True, chunked_prefill_enabled=True",
        ),
        (
            30,
            core,
            "[gpu_model_runner.py:1549] Model loading took 7.5000 GiB and 21.500000 seconds",
        ),
        (
            50,
            core,
            "[monitor.py:33] torch.compile takes 12.25 s in total",
        ),
        (
            60,
            core,
            "[gpu_worker.py:276] Available KV cache memory: 40.50 GiB",
        ),
        (
            60,
            core,
            "[kv_cache_utils.py:864] GPU KV cache size: 331,776 tokens",
        ),
        (
            60,
            core,
            "[kv_cache_utils.py:868] Maximum concurrency for 8,192 tokens per request: 40.50x",
        ),
        (
            80,
            core,
            "[gpu_model_runner.py:2934] Graph capturing finished in 18 secs, took 0.75 GiB",
        ),
        (
            85,
            core,
            "[core.py:218] init engine (profile, create kv cache, warmup model) took 55.50 seconds",
        ),
    ];
    for (at, who, message) in start {
        let _ = writeln!(log, "{who} {} {message}", clock(at));
    }
    let _ = writeln!(
        log,
        "{api} {} [launcher.py:28] Available routes are:",
        clock(90)
    );
    let _ = writeln!(
        log,
        "(APIServer pid=1) INFO:     Application startup complete."
    );
    for beat in beats {
        log.push_str(&vllm_line(&clock(100 + beat.at), beat));
        let _ = writeln!(
            log,
            "(APIServer pid=1) INFO:     127.0.0.1:50000 - \"POST /v1/completions HTTP/1.1\" 200 OK"
        );
    }
    log
}

/// One periodic line of vLLM V1.
pub fn vllm_line(clock: &str, beat: &Beat) -> String {
    format!(
        "(APIServer pid=1) INFO {clock} [loggers.py:127] Engine 000: Avg prompt throughput: 12.5 tokens/s, Avg generation throughput: {:.1} tokens/s, Running: {} reqs, Waiting: {} reqs, GPU KV cache usage: {:.1}%, Prefix cache hit rate: 25.0%\n",
        f64::from(beat.generation) / 10.0,
        beat.running,
        beat.waiting,
        f64::from(beat.kv) / 10.0,
    )
}

/// A log of SGLang with its start, and a prefill and a decode line per beat.
pub fn sglang_log(beats: &[Beat]) -> String {
    let mut log = String::new();
    let at = |seconds: u32| format!("2026-{}", clock(seconds));
    let start = [
        (
            0,
            "",
            "server_args=ServerArgs(model_path='example/model-8b', tokenizer_path='example/model-8b', api_key='sample-key', random_seed=4711, dtype='auto', mem_fraction_static=0.835, tp_size=1, chunked_prefill_size=8192, schedule_policy='fcfs', disable_radix_cache=False)",
        ),
        (
            30,
            "",
            "Load weight end. elapsed=21.50 s, type=Example, dtype=torch.bfloat16, avail mem=60.00 GB, mem usage=15.00 GB.",
        ),
        (
            40,
            "",
            "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 331776, K size: 20.25 GB, V size: 20.25 GB",
        ),
        (
            60,
            "",
            "Capture cuda graph end. Time elapsed: 18.00 s. mem usage=0.75 GB. avail mem=8.00 GB.",
        ),
        (
            61,
            "",
            "max_total_num_tokens=331776, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=64, context_len=8192",
        ),
        (85, "INFO:     ", "Application startup complete."),
        (90, "", "The server is fired up and ready to roll!"),
    ];
    for (seconds, before, message) in start {
        let _ = writeln!(log, "[{}] {before}{message}", at(seconds));
    }
    for beat in beats {
        let kv = f64::from(beat.kv) / 1000.0;
        let _ = writeln!(
            log,
            "[{}] Prefill batch, #new-seq: 1, #new-token: 300, #cached-token: 100, token usage: {kv:.3}, #running-req: {}, #queue-req: {}, cuda graph: False, input throughput (token/s): 12.50",
            at(100 + beat.at),
            beat.running,
            beat.waiting,
        );
        let _ = writeln!(
            log,
            "[{}] Decode batch, #running-req: {}, #token: 17, token usage: {kv:.3}, cuda graph: True, gen throughput (token/s): {:.1}, #queue-req: {}",
            at(100 + beat.at),
            beat.running,
            f64::from(beat.generation) / 10.0,
            beat.waiting,
        );
    }
    log
}
