//! Sample results of a serving benchmark, shaped like what `vllm bench serve --save-detailed`
//! writes.

use super::Dice;
use std::fmt::Write as _;

/// A run of a sample benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Benchmark {
    /// Requests sent.
    pub requests: usize,
    /// Requests in flight at most.
    pub concurrency: u32,
    /// Output tokens of a request.
    pub tokens: usize,
    /// Every so many a request fails; 0 = none.
    pub fails_every: usize,
    /// Seed of its numbers.
    pub seed: u64,
}

/// The result file of a run: sums, one array entry per request, and the tool's own figures.
pub fn serving_benchmark(run: Benchmark) -> String {
    let mut dice = Dice::new(run.seed);
    let (mut prompt, mut output) = (Vec::new(), Vec::new());
    let (mut ttfts, mut itls, mut errors): (Vec<f64>, Vec<Vec<f64>>, Vec<&str>) =
        (Vec::new(), Vec::new(), Vec::new());
    for i in 0..run.requests {
        let failed = run.fails_every > 0 && i % run.fails_every == run.fails_every - 1;
        prompt.push(64 + (dice.uniform() * 64.0) as usize);
        let ttft = dice.log_normal(0.020 * f64::from(run.concurrency).sqrt(), 0.25);
        let gaps: Vec<f64> = (1..run.tokens)
            .map(|_| dice.log_normal(0.010, 0.2))
            .collect();
        output.push(if failed { 0 } else { run.tokens });
        ttfts.push(if failed { 0.0 } else { ttft });
        itls.push(if failed { Vec::new() } else { gaps });
        errors.push(if failed { "Service Unavailable" } else { "" });
    }
    let good: Vec<usize> = (0..run.requests)
        .filter(|i| errors[*i].is_empty())
        .collect();
    let stay: f64 = good
        .iter()
        .map(|i| ttfts[*i] + itls[*i].iter().sum::<f64>())
        .sum();
    let duration = stay / f64::from(run.concurrency) * 1.02;
    let generated: usize = output.iter().sum();
    let asked: usize = good.iter().map(|i| prompt[*i]).sum();
    let mut sorted: Vec<f64> = good.iter().map(|i| ttfts[*i]).collect();
    sorted.sort_by(f64::total_cmp);
    let at = |q| crate::statistics::type7(&sorted, q).unwrap_or(0.0) * 1e3;
    let mut text = String::new();
    let _ = write!(
        text,
        "{{\"date\": \"20260301-120000\", \"endpoint_type\": \"openai\", \"label\": null, \
         \"model_id\": \"meta/sample-8b\", \"num_prompts\": {}, \"request_rate\": \"inf\", \
         \"burstiness\": 1.0, \"max_concurrency\": {}, \"duration\": {duration}, \
         \"completed\": {}, \"failed\": {}, \"total_input_tokens\": {asked}, \
         \"total_output_tokens\": {generated}, \"request_throughput\": {}, \
         \"request_goodput\": null, \"output_throughput\": {}, \"input_lens\": {prompt:?}, \
         \"output_lens\": {output:?}, \"ttfts\": {ttfts:?}, \"itls\": {itls:?}, \
         \"errors\": {errors:?}, \"median_ttft_ms\": {}, \"p99_ttft_ms\": {}}}",
        run.requests,
        run.concurrency,
        good.len(),
        run.requests - good.len(),
        good.len() as f64 / duration,
        generated as f64 / duration,
        at(0.5),
        at(0.99),
    );
    text
}
