//! One periodic line of an engine as numbers, whichever engine and release wrote it.

/// What a periodic line may tell about the scheduler, in base units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gauge {
    /// Sequences in the running batch.
    Running,
    /// Requests not scheduled.
    Waiting,
    /// Share of KV blocks held by live requests.
    Kv,
    /// Prompt tokens per second over the interval of the line.
    Prompt,
    /// Generated tokens per second over the interval of the line.
    Generation,
    /// Prefix cache hit rate that the line prints.
    PrefixHit,
    /// Hit rate of the cache behind a KV connector.
    ExternalHit,
    /// Hit rate of the cache of multimodal inputs.
    MultimodalHit,
    /// Sequences swapped out to the host.
    Swapped,
    /// Requests that wait for something else than room in the batch.
    Deferred,
    /// Tokens gained per step of speculative decoding.
    AcceptedLength,
}

impl Gauge {
    /// All gauges; the position is the discriminant.
    pub const ALL: [Self; 11] = [
        Self::Running,
        Self::Waiting,
        Self::Kv,
        Self::Prompt,
        Self::Generation,
        Self::PrefixHit,
        Self::ExternalHit,
        Self::MultimodalHit,
        Self::Swapped,
        Self::Deferred,
        Self::AcceptedLength,
    ];

    /// Whether a value can be one of this gauge.
    fn is_possible(self, value: f64) -> bool {
        let most = match self {
            // Printed with one or two decimals.
            Self::Kv => 1.0005,
            Self::PrefixHit | Self::ExternalHit | Self::MultimodalHit => 1.0005,
            _ => 1e12,
        };
        (0.0..=most).contains(&value)
    }
}

/// One periodic line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    values: [Option<f64>; Gauge::ALL.len()],
    /// Sequences thrown out of the batch in the interval, when the line says so.
    pub preempted: Option<f64>,
    /// Prompt tokens computed and taken from the cache, when the line counts them.
    pub prefill: Option<(f64, f64)>,
    /// Whether a decode step ran from a captured graph.
    pub graph: Option<bool>,
    /// Whether the line is an average over several engines.
    pub aggregated: bool,
}

impl Sample {
    /// An empty line, of one engine or an average over several.
    pub fn of(aggregated: bool) -> Self {
        Self {
            aggregated,
            ..Self::default()
        }
    }

    /// The value of a gauge.
    pub fn get(&self, gauge: Gauge) -> Option<f64> {
        self.values[gauge as usize]
    }

    /// Sets a gauge; `false` when the value cannot be one.
    pub fn set(&mut self, gauge: Gauge, value: Option<f64>) -> bool {
        match value {
            Some(value) if gauge.is_possible(value) => {
                let share = matches!(
                    gauge,
                    Gauge::Kv | Gauge::PrefixHit | Gauge::ExternalHit | Gauge::MultimodalHit
                );
                self.values[gauge as usize] = Some(if share { value.min(1.0) } else { value });
                true
            }
            _ => false,
        }
    }

    /// Takes a gauge out.
    pub fn forget(&mut self, gauge: Gauge) {
        self.values[gauge as usize] = None;
    }
}

/// The number at the beginning of `text`, thousands separated by commas or not; what follows it
/// must not belong to a number.
pub fn number(text: &[u8]) -> Option<f64> {
    let end = text
        .iter()
        .take(32)
        .position(|b| !(b.is_ascii_digit() || *b == b'.' || *b == b','))
        .unwrap_or(text.len().min(32));
    // A comma or a full stop may end the sentence.
    let mut digits = &text[..end];
    while let Some((b'.' | b',', before)) = digits.split_last() {
        digits = before;
    }
    let cut = text
        .get(end)
        .is_some_and(|b| b.is_ascii_alphabetic() && *b != b'x' && *b != b's');
    if digits.is_empty() || cut {
        return None;
    }
    if memchr::memchr(b',', digits).is_some() {
        let digits: Vec<u8> = digits.iter().copied().filter(|b| *b != b',').collect();
        return parse(&digits);
    }
    parse(digits)
}

fn parse(digits: &[u8]) -> Option<f64> {
    // A few digits, at most one point: the shape of nearly every number in a log.
    let (mut whole, mut scale, mut seen_point) = (0u64, 1.0, false);
    if digits.len() > 15 {
        return std::str::from_utf8(digits).ok()?.parse().ok();
    }
    for b in digits {
        match b {
            b'0'..=b'9' => {
                whole = whole * 10 + u64::from(b - b'0');
                if seen_point {
                    scale *= 10.0;
                }
            }
            b'.' if !seen_point => seen_point = true,
            _ => return None,
        }
    }
    // Both are exact below 2^53, so the quotient is the nearest number.
    Some(whole as f64 / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_logs_print_them() {
        for (text, value) in [
            ("3392.0 tokens/s", Some(3392.0)),
            ("78,800 tokens", Some(78_800.0)),
            ("13.2%", Some(0.132)),
            ("9.62x", Some(9.62)),
            ("0.82, gen", Some(0.82)),
            ("100.0%.", Some(1.0)),
            ("", None),
            ("nan%", None),
            ("-1", None),
            ("1.2.3", None),
            (".", None),
        ] {
            let got =
                number(text.as_bytes()).map(|v| if text.contains('%') { v / 100.0 } else { v });
            assert_eq!(got, value, "{text}");
        }
        assert!(number(&[b'9'; 400]).is_some_and(f64::is_finite));
    }

    #[test]
    fn a_share_above_one_is_none() {
        let mut sample = Sample::default();
        assert!(!sample.set(Gauge::Kv, Some(2.4)));
        assert!(sample.set(Gauge::Kv, Some(1.0004)));
        assert_eq!(sample.get(Gauge::Kv), Some(1.0));
        assert!(!sample.set(Gauge::Running, Some(f64::NAN)));
    }
}
