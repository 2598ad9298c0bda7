//! The periodic lines of vLLM: throughput, queue and cache in the layouts of V0 and V1, prefix
//! cache hit rates on a line of their own, speculative decoding, preemption warnings.

use super::sample::{Gauge, Sample, number};

/// A periodic line of vLLM.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Throughput, queue and cache of one engine; the number is the engine's, when it is printed.
    Stats(Option<u32>, Sample),
    /// V0's hit rate of the prefix cache.
    PrefixHit(f64),
    /// What speculative decoding did.
    Speculation(Speculation),
    /// Preemptions since the engine started, as V0 counts them.
    Preempted(f64),
    /// It begins like one and cannot be read.
    Broken,
}

/// A line on speculative decoding.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Speculation {
    /// Draft tokens accepted.
    pub accepted: f64,
    /// Draft tokens proposed.
    pub drafted: f64,
    /// Mean tokens gained per draft, the token of the target model included.
    pub length: Option<f64>,
    /// Share of drafts accepted up to each position.
    pub positions: Vec<f64>,
    /// Whether the counts run since the engine started (V0) and not over an interval.
    pub since_start: bool,
}

/// Most positions of a draft that are kept.
const MOST_POSITIONS: usize = 64;

/// Reads a message as a periodic line of vLLM; `None` when it is none.
pub fn read(message: &[u8]) -> Option<Line> {
    match message.first()? {
        b'E' => {
            let rest = message.strip_prefix(b"Engine ")?;
            let end = rest.iter().take(8).position(|b| *b == b':')?;
            let engine = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
            let body = rest[end + 1..].trim_ascii_start();
            body.starts_with(STATS)
                .then(|| stats(Some(engine), body, false))
        }
        b'A' if message.starts_with(STATS) => Some(stats(None, message, false)),
        b'0'..=b'9' => {
            let near = &message[..message.len().min(40)];
            let at = memchr::memmem::find(near, b" Engines Aggregated: ")?;
            let body = &message[at + 21..];
            body.starts_with(STATS).then(|| stats(None, body, true))
        }
        b'P' => {
            let rest = message.strip_prefix(b"Prefix cache hit rate: GPU: ")?;
            Some(percent(rest).map_or(Line::Broken, Line::PrefixHit))
        }
        b'S' => speculation(message).or_else(|| preemption(message)),
        _ => None,
    }
}

const STATS: &[u8] = b"Avg prompt throughput: ";

fn stats(engine: Option<u32>, body: &[u8], aggregated: bool) -> Line {
    let mut sample = Sample::of(aggregated);
    let mut fine = true;
    for field in fields(body) {
        let Some((name, value)) = pair(field) else {
            fine = false;
            continue;
        };
        let gauge = match name {
            b"Avg prompt throughput" => (Gauge::Prompt, 1.0),
            b"Avg generation throughput" => (Gauge::Generation, 1.0),
            b"Running" => (Gauge::Running, 1.0),
            b"Waiting" | b"Pending" => (Gauge::Waiting, 1.0),
            b"Swapped" => (Gauge::Swapped, 1.0),
            b"Deferred" => (Gauge::Deferred, 1.0),
            b"GPU KV cache usage" | b"KV cache usage" => (Gauge::Kv, 100.0),
            b"Prefix cache hit rate" => (Gauge::PrefixHit, 100.0),
            b"External prefix cache hit rate" => (Gauge::ExternalHit, 100.0),
            b"MM cache hit rate" => (Gauge::MultimodalHit, 100.0),
            b"Preemptions" => {
                sample.preempted = number(value);
                continue;
            }
            _ => continue,
        };
        // A rate over nothing is not a number; that is no damage.
        let none = value.starts_with(b"nan") || value.starts_with(b"-nan");
        let value = number(value).map(|v| v / gauge.1);
        fine &= sample.set(gauge.0, value) || none;
    }
    if aggregated {
        sample.forget(Gauge::Kv);
    }
    let whole = sample.get(Gauge::Running).is_some() && sample.get(Gauge::Waiting).is_some();
    if fine && whole {
        Line::Stats(engine, sample)
    } else {
        Line::Broken
    }
}

/// The parts between `, `.
fn fields(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(body);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr::memchr_iter(b',', text).find(|at| text.get(at + 1) == Some(&b' '));
        rest = end.map(|end| &text[end + 2..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

fn pair(field: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b':', field)?;
    Some((field[..at].trim_ascii(), field[at + 1..].trim_ascii_start()))
}

fn percent(text: &[u8]) -> Option<f64> {
    number(text)
        .map(|v| v / 100.0)
        .filter(|v| (0.0..=1.0).contains(v))
}

fn speculation(message: &[u8]) -> Option<Line> {
    let old = message.strip_prefix(b"Speculative metrics: ");
    let body = old.or_else(|| message.strip_prefix(b"SpecDecoding metrics: "))?;
    let mut out = Speculation {
        since_start: old.is_some(),
        ..Speculation::default()
    };
    let (mut accepted, mut drafted) = (None, None);
    let mut in_positions = false;
    for field in fields(body) {
        let Some((name, value)) = pair(field) else {
            if in_positions && out.positions.len() < MOST_POSITIONS {
                out.positions.extend(number(field.trim_ascii()));
            }
            continue;
        };
        in_positions = name == b"Per-position acceptance rate";
        match name {
            b"Mean acceptance length" => out.length = number(value),
            b"Accepted" | b"Number of accepted tokens" => accepted = number(value),
            b"Drafted" | b"Number of draft tokens" | b"Number of draft tokens tokens" => {
                drafted = number(value);
            }
            b"Per-position acceptance rate" => {
                out.positions
                    .extend(number(value.strip_prefix(b"[").unwrap_or(value)));
            }
            _ => {}
        }
    }
    let Some((accepted, drafted)) = accepted.zip(drafted).filter(|(a, d)| a <= d) else {
        return Some(Line::Broken);
    };
    out.positions.retain(|p| (0.0..=1.0).contains(p));
    Some(Line::Speculation(Speculation {
        accepted,
        drafted,
        ..out
    }))
}

fn preemption(message: &[u8]) -> Option<Line> {
    let rest = message.strip_prefix(b"Sequence group ")?;
    memchr::memmem::find(rest, b" is preempted by ")?;
    let count = [
        &b"total_num_cumulative_preemption="[..],
        b"total_cumulative_preemption_cnt=",
    ]
    .iter()
    .find_map(|name| {
        let at = memchr::memmem::find(rest, name)?;
        number(&rest[at + name.len()..])
    });
    // Without its counter the warning still stands for one.
    Some(Line::Preempted(count.unwrap_or(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats_of(message: &str) -> (Option<u32>, Sample) {
        match read(message.as_bytes()) {
            Some(Line::Stats(engine, sample)) => (engine, sample),
            other => panic!("{message}: {other:?}"),
        }
    }

    #[test]
    fn the_layouts_of_three_generations() {
        let v0 = "Avg prompt throughput: 1514.3 tokens/s, Avg generation throughput: 313.4 tokens/s, Running: 35 reqs, Swapped: 2 reqs, Pending: 5 reqs, GPU KV cache usage: 95.0%, CPU KV cache usage: 0.0%.";
        let (engine, sample) = stats_of(v0);
        assert_eq!(engine, None);
        assert_eq!(sample.get(Gauge::Waiting), Some(5.0));
        assert_eq!(sample.get(Gauge::Swapped), Some(2.0));
        assert_eq!(sample.get(Gauge::Kv), Some(0.95));
        assert_eq!(sample.get(Gauge::PrefixHit), None);
        let v1 = "Engine 003: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 238.7 tokens/s, Running: 10 reqs, Waiting: 1 reqs, GPU KV cache usage: 3.5%, Prefix cache hit rate: 53.7%";
        let (engine, sample) = stats_of(v1);
        assert_eq!(engine, Some(3));
        assert_eq!(sample.get(Gauge::Generation), Some(238.7));
        assert_eq!(sample.get(Gauge::PrefixHit), Some(0.537));
        let new = "Engine 000: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 5.0 tokens/s, Running: 4 reqs, Waiting: 3 reqs, Deferred: 2 reqs, Preemptions: 7, GPU KV cache usage: 99.9%, Prefix cache hit rate: 1.0%, External prefix cache hit rate: 22.3%, MM cache hit rate: 50.0%";
        let (_, sample) = stats_of(new);
        assert_eq!(sample.get(Gauge::Deferred), Some(2.0));
        assert_eq!(sample.preempted, Some(7.0));
        assert_eq!(sample.get(Gauge::ExternalHit), Some(0.223));
        assert_eq!(sample.get(Gauge::MultimodalHit), Some(0.5));
        let (engine, sample) = stats_of(&format!("4 Engines Aggregated: {}", &v1[12..]));
        assert_eq!((engine, sample.aggregated), (None, true));
        assert_eq!(sample.get(Gauge::Kv), None);
    }

    #[test]
    fn a_line_without_its_numbers_is_broken_and_no_zero() {
        for message in [
            "Avg prompt throughput: 2412.0 tokens/s, Avg generation throughput: 820.0 tokens/s",
            "Engine 000: Avg prompt throughput: x tokens/s, Avg generation throughput: 5.0 tokens/s, Running: 4 reqs, Waiting: 3 reqs",
            "Avg prompt throughput: 1.0 tokens/s, Running: -4 reqs, Waiting: 3 reqs",
            "Avg prompt throughput: 1.0 tokens/s, Running: 4 reqs, Waiting: 3 reqs, GPU KV cache usage: 240.0%",
        ] {
            assert_eq!(read(message.as_bytes()), Some(Line::Broken), "{message}");
        }
        assert_eq!(read(b"Engine core started"), None);
        assert_eq!(read(b"127.0.0.1:8000 - x"), None);
    }

    #[test]
    fn speculation_of_two_generations() {
        let v1 = "SpecDecoding metrics: Mean acceptance length: 3.49, Accepted throughput: 0.12 tokens/s, Drafted throughput: 0.34 tokens/s, Accepted: 92 tokens, Drafted: 259 tokens, Per-position acceptance rate: 0.757, 0.622, 0.432, Avg Draft acceptance rate: 35.5%";
        let Some(Line::Speculation(s)) = read(v1.as_bytes()) else {
            panic!("no speculation")
        };
        assert_eq!((s.accepted, s.drafted, s.length), (92.0, 259.0, Some(3.49)));
        assert_eq!(s.positions, [0.757, 0.622, 0.432]);
        let v0 = "Speculative metrics: Draft acceptance rate: 0.642, System efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 8547, Number of draft tokens: 13311, Number of emitted tokens: 10616.";
        let Some(Line::Speculation(s)) = read(v0.as_bytes()) else {
            panic!("no speculation")
        };
        assert!(s.since_start && s.drafted == 13311.0);
        let first = "SpecDecoding metrics: Draft acceptance rate: 60.0%, Accepted: 12 tokens, Drafted: 20 tokens";
        assert!(matches!(read(first.as_bytes()), Some(Line::Speculation(_))));
    }

    #[test]
    fn preemption_warnings_carry_their_count() {
        let text = "Sequence group 0 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. This can affect the end-to-end performance. Increase gpu_memory_utilization or tensor_parallel_size to provide more KV cache memory. total_num_cumulative_preemption=51";
        assert_eq!(read(text.as_bytes()), Some(Line::Preempted(51.0)));
    }
}
