//! Sample sweeps as `perf_analyzer -f` writes them: rows sorted by throughput, times in
//! microseconds.

use std::fmt::Write as _;

/// The service a sample sweep measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// Time one request needs alone, microseconds.
    pub service_us: f64,
    /// Requests the server works on at once before they queue.
    pub parallel: f64,
}

/// The CSV of a closed-loop sweep over these concurrencies. Latencies obey Little's law, as real
/// sweeps do.
pub fn perf_analyzer_csv(sweep: Sweep, concurrencies: &[u32]) -> String {
    let mut rows: Vec<(f64, String)> = concurrencies
        .iter()
        .map(|&n| {
            let n = f64::from(n);
            let busy = n.min(sweep.parallel);
            let throughput = busy / (sweep.service_us * 1e-6) * (1.0 - 0.002 * n);
            let average = n / throughput * 1e6;
            let (send, receive, input, output) = (40.0, 6.0, 90.0, 15.0);
            let infer = (sweep.service_us * 0.9).min(average * 0.9);
            let network = (average * 0.03).floor();
            let queue = (average - send - receive - input - output - infer - network).max(0.0);
            let mut row = String::new();
            let _ = write!(
                row,
                "{n:.0},{},{send:.0},{network:.0},{queue:.0},{input:.0},{infer:.0},{output:.0},{receive:.0},{:.0},{:.0},{:.0},{:.0}",
                six_digits(throughput),
                average * 0.97,
                average * 1.16,
                average * 1.24,
                average * 1.45
            );
            (throughput, row)
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut csv = String::from(
        "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,p50 latency,p90 latency,p95 latency,p99 latency\n",
    );
    for (_, row) in rows {
        csv.push_str(&row);
        csv.push('\n');
    }
    csv
}

/// Six significant digits, as C++ streams print by default.
fn six_digits(value: f64) -> String {
    let digits = (5 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
