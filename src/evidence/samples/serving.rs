//! Sample scrapes of vLLM's `/metrics`: the counters and histograms after so many requests.

use super::Dice;
use std::fmt::Write as _;

const TTFT: &[f64] = &[
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
    20.0, 40.0, 80.0, 160.0, 640.0, 2560.0,
];
const ITL: &[f64] = &[
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0,
    40.0, 80.0,
];
const REQUEST: &[f64] = &[
    0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0,
    480.0, 960.0, 1920.0, 7680.0,
];
const TOKENS: &[f64] = &[
    1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0, 20000.0,
];
const STEP: &[f64] = &[
    1.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0,
];

/// The load and behaviour a sample pair is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Seed: equal seeds give equal bytes.
    pub seed: u64,
    /// Model name in the labels.
    pub model: &'static str,
    /// Requests finished before the first scrape.
    pub before: u32,
    /// Requests finished between the scrapes.
    pub during: u32,
    /// Median queue time, seconds.
    pub queue_s: f64,
    /// Median prefill time, seconds.
    pub prefill_s: f64,
    /// Median gap between tokens, seconds.
    pub itl_s: f64,
    /// Median prompt length, tokens.
    pub prompt_tokens: f64,
    /// Median output length, tokens.
    pub output_tokens: f64,
    /// Share of requests aborted.
    pub aborted: f64,
    /// Requests running at the second scrape.
    pub running: u32,
    /// Requests waiting at the second scrape.
    pub waiting: u32,
    /// KV cache use at the second scrape, 0–1.
    pub kv_usage: f64,
    /// Preemptions between the scrapes.
    pub preemptions: u32,
    /// Unix time of the first scrape, seconds.
    pub first_scrape_s: u64,
    /// Seconds between the scrapes.
    pub interval_s: u64,
    /// Seconds the process had run at the first scrape.
    pub uptime_s: u64,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            seed: 1,
            model: "meta-llama/Llama-3.1-8B-Instruct",
            before: 1500,
            during: 2400,
            queue_s: 0.02,
            prefill_s: 0.18,
            itl_s: 0.018,
            prompt_tokens: 900.0,
            output_tokens: 60.0,
            aborted: 0.002,
            running: 18,
            waiting: 0,
            kv_usage: 0.46,
            preemptions: 0,
            first_scrape_s: 1_796_000_400,
            interval_s: 600,
            uptime_s: 86_400,
        }
    }
}

/// Two scrapes of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrapes {
    /// Text of the scrape before.
    pub before: String,
    /// Text of the scrape after.
    pub after: String,
}

struct Histogram {
    bounds: &'static [f64],
    counts: Vec<u64>,
    sum: f64,
    count: u64,
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Self {
        Self {
            bounds,
            counts: vec![0; bounds.len() + 1],
            sum: 0.0,
            count: 0,
        }
    }

    fn observe(&mut self, value: f64) {
        self.counts[self.bounds.partition_point(|b| *b < value)] += 1;
        self.sum += value;
        self.count += 1;
    }

    fn write(&self, out: &mut String, name: &str, labels: &str) {
        let _ = writeln!(out, "# TYPE vllm:{name} histogram");
        let mut cumulative = 0;
        for (bound, n) in self.bounds.iter().zip(&self.counts) {
            cumulative += n;
            let _ = writeln!(
                out,
                "vllm:{name}_bucket{{{labels},le=\"{bound:?}\"}} {cumulative}.0"
            );
        }
        let _ = writeln!(
            out,
            "vllm:{name}_bucket{{{labels},le=\"+Inf\"}} {}.0",
            self.count
        );
        let _ = writeln!(out, "vllm:{name}_sum{{{labels}}} {:?}", self.sum);
        let _ = writeln!(out, "vllm:{name}_count{{{labels}}} {}.0", self.count);
    }
}

struct Engine {
    ttft: Histogram,
    itl: Histogram,
    e2e: Histogram,
    queue: Histogram,
    prefill: Histogram,
    decode: Histogram,
    inference: Histogram,
    prompt: Histogram,
    output: Histogram,
    steps: Histogram,
    finished: [u64; 3],
}

impl Engine {
    fn new() -> Self {
        Self {
            ttft: Histogram::new(TTFT),
            itl: Histogram::new(ITL),
            e2e: Histogram::new(REQUEST),
            queue: Histogram::new(REQUEST),
            prefill: Histogram::new(REQUEST),
            decode: Histogram::new(REQUEST),
            inference: Histogram::new(REQUEST),
            prompt: Histogram::new(TOKENS),
            output: Histogram::new(TOKENS),
            steps: Histogram::new(STEP),
            finished: [0; 3],
        }
    }

    fn serve(&mut self, dice: &mut Dice, load: &Load) {
        let prompt = dice
            .log_normal(load.prompt_tokens, 0.5)
            .round()
            .clamp(1.0, 16_384.0);
        let output = dice.log_normal(load.output_tokens, 0.4).round().max(2.0);
        let queue = dice.log_normal(load.queue_s, 0.45);
        let prefill = dice.log_normal(load.prefill_s, 0.25);
        let front_end = 0.004;
        let mut decode = 0.0;
        for _ in 1..output as u32 {
            let gap = dice.log_normal(load.itl_s, 0.2);
            self.itl.observe(gap);
            self.steps.observe(f64::from(load.running));
            decode += gap;
        }
        self.ttft.observe(front_end + queue + prefill);
        self.queue.observe(queue);
        self.prefill.observe(prefill);
        self.decode.observe(decode);
        self.inference.observe(prefill + decode);
        self.e2e.observe(front_end + queue + prefill + decode);
        self.prompt.observe(prompt);
        self.output.observe(output);
        let reason = match dice.uniform() {
            u if u < load.aborted => 2,
            u if u < load.aborted + 0.03 => 1,
            _ => 0,
        };
        self.finished[reason] += 1;
    }

    fn write(
        &self,
        load: &Load,
        at_s: u64,
        (running, waiting, kv): (u32, u32, f64),
        preempted: u32,
    ) -> String {
        let labels = format!("engine=\"0\",model_name=\"{}\"", load.model);
        let mut out = String::with_capacity(16 * 1024);
        let started = load.first_scrape_s - load.uptime_s;
        let _ = writeln!(
            out,
            "# scraped at {at_s}\n# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {started}.0"
        );
        for (name, value) in [
            ("num_requests_running", f64::from(running)),
            ("num_requests_waiting", f64::from(waiting)),
            ("kv_cache_usage_perc", kv),
        ] {
            let _ = writeln!(
                out,
                "# TYPE vllm:{name} gauge\nvllm:{name}{{{labels}}} {value:?} {}",
                at_s * 1000
            );
        }
        for (name, value) in [
            ("num_preemptions", u64::from(preempted)),
            ("prompt_tokens", self.prompt.sum as u64),
            ("generation_tokens", self.output.sum as u64),
            ("prefix_cache_queries", self.prompt.sum as u64),
            ("prefix_cache_hits", (self.prompt.sum * 0.125) as u64),
        ] {
            let _ = writeln!(
                out,
                "# TYPE vllm:{name} counter\nvllm:{name}_total{{{labels}}} {value}.0"
            );
        }
        let _ = writeln!(out, "# TYPE vllm:request_success counter");
        for (reason, n) in ["stop", "length", "abort"].iter().zip(self.finished) {
            let _ = writeln!(
                out,
                "vllm:request_success_total{{{labels},finished_reason=\"{reason}\"}} {n}.0"
            );
        }
        for (name, histogram) in [
            ("time_to_first_token_seconds", &self.ttft),
            ("inter_token_latency_seconds", &self.itl),
            ("e2e_request_latency_seconds", &self.e2e),
            ("request_queue_time_seconds", &self.queue),
            ("request_prefill_time_seconds", &self.prefill),
            ("request_decode_time_seconds", &self.decode),
            ("request_inference_time_seconds", &self.inference),
            ("request_prompt_tokens", &self.prompt),
            ("request_generation_tokens", &self.output),
            ("iteration_tokens_total", &self.steps),
        ] {
            histogram.write(&mut out, name, &labels);
        }
        let _ = writeln!(
            out,
            "# TYPE vllm:cache_config_info gauge\nvllm:cache_config_info{{block_size=\"16\",cache_dtype=\"auto\",enable_prefix_caching=\"True\",engine=\"0\",gpu_memory_utilization=\"0.9\",num_gpu_blocks=\"27000\"}} 1.0"
        );
        out
    }
}

/// Two scrapes of one engine under this load.
pub fn vllm_scrapes(load: &Load) -> Scrapes {
    let (mut dice, mut engine) = (Dice::new(load.seed), Engine::new());
    for _ in 0..load.before {
        engine.serve(&mut dice, load);
    }
    let gauges = (load.running, load.waiting, load.kv_usage);
    let before = engine.write(load, load.first_scrape_s, gauges, 0);
    for _ in 0..load.during {
        engine.serve(&mut dice, load);
    }
    let after = engine.write(
        load,
        load.first_scrape_s + load.interval_s,
        gauges,
        load.preemptions,
    );
    Scrapes { before, after }
}
