//! One line of an exposition: the series key `name{labels}` and what stands after it.
//!
//! A key is parsed in full only the first time its bytes are met; after that its raw bytes are
//! looked up, so that the common line costs a comparison and one number.

/// A parsed series key: name and labels sorted by name, labels with an empty value left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Name of the sample, e.g. `vllm:prompt_tokens_total`.
    pub name: String,
    /// Labels, sorted by name.
    pub labels: Vec<(String, String)>,
}

/// What follows a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// The value; `NaN` and infinities occur.
    pub value: f64,
    /// Unix seconds, when the sample carries a time.
    pub time: Option<f64>,
}

/// Whether the byte is a blank inside a line.
pub fn is_blank(b: u8) -> bool {
    b == b' ' || b == b'\t'
}

/// The line without blanks and carriage returns at its ends.
pub fn trim(line: &[u8]) -> &[u8] {
    let is_edge = |b: &u8| is_blank(*b) || *b == b'\r';
    let start = line.iter().position(|b| !is_edge(b)).unwrap_or(line.len());
    let end = line
        .iter()
        .rposition(|b| !is_edge(b))
        .map_or(start, |i| i + 1);
    &line[start..end]
}

/// Reads `value [timestamp] [# exemplar]`. `None` when it is anything else.
pub fn tail(bytes: &[u8]) -> Option<Tail> {
    let (value, rest) = token(bytes)?;
    let value = number(value)?;
    let (time, rest) = match token(rest) {
        Some((t, after)) if t[0] != b'#' => (Some(time_of_sample(number(t)?)), after),
        _ => (None, rest),
    };
    match token(rest) {
        None => Some(Tail { value, time }),
        Some((t, _)) if t[0] == b'#' => Some(Tail { value, time }),
        Some(_) => None,
    }
}

/// Text 0.0.4 counts milliseconds, OpenMetrics seconds; no real time confuses the two.
fn time_of_sample(t: f64) -> f64 {
    if t.abs() >= 1e11 { t / 1000.0 } else { t }
}

/// The next run of non-blank bytes and what follows it.
fn token(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = bytes.iter().position(|b| !is_blank(*b))?;
    let bytes = &bytes[start..];
    let end = bytes
        .iter()
        .position(|b| is_blank(*b))
        .unwrap_or(bytes.len());
    Some((&bytes[..end], &bytes[end..]))
}

/// A number as expositions write it: decimal, exponent, `NaN`, `+Inf`, `-Inf`, `Inf`.
pub fn number(bytes: &[u8]) -> Option<f64> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// Parses the key at the beginning of a line; also says where it ends. `None` when the line does
/// not begin with a key.
pub fn key(line: &[u8]) -> Option<(Key, usize)> {
    any_key(line, false).filter(|(key, _)| !key.name.is_empty())
}

/// A key as a Prometheus server states it: the name may stand in the label `__name__`, or be
/// missing because a function was applied.
pub fn key_of_answer(line: &[u8]) -> Option<(Key, usize)> {
    any_key(line, true).filter(|(_, end)| *end > 0)
}

fn any_key(line: &[u8], answer: bool) -> Option<(Key, usize)> {
    let mut at = Cursor {
        line,
        at: 0,
        answer,
    };
    let mut name = at.name(true).unwrap_or_default();
    let name_end = at.at;
    at.blanks();
    let mut labels = Vec::new();
    let end = if at.eat(b'{') {
        at.labels(&mut name, &mut labels)?;
        at.at
    } else {
        name_end
    };
    labels.retain(|(_, value): &(String, String)| !value.is_empty());
    labels.sort();
    let twice = labels.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!twice).then_some((Key { name, labels }, end))
}

struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
    /// Whether `__name__` may name the series.
    answer: bool,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// `[a-zA-Z_][a-zA-Z0-9_]*`; names of samples may hold colons too.
    fn name(&mut self, colons: bool) -> Option<String> {
        let start = self.at;
        while self.peek().is_some_and(|b| {
            b.is_ascii_alphabetic()
                || b == b'_'
                || (colons && b == b':')
                || (self.at > start && b.is_ascii_digit())
        }) {
            self.at += 1;
        }
        let name = std::str::from_utf8(&self.line[start..self.at]).ok()?;
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// A quoted text with its escapes undone.
    fn quoted(&mut self) -> Option<String> {
        if !self.eat(b'"') {
            return None;
        }
        let mut out = Vec::new();
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(String::from_utf8_lossy(&out).into_owned());
                }
                b'\\' => {
                    self.at += 1;
                    match self.peek()? {
                        b'n' => out.push(b'\n'),
                        escaped @ (b'\\' | b'"') => out.push(escaped),
                        // An unknown escape stands for itself.
                        other => out.extend([b'\\', other]),
                    }
                    self.at += 1;
                }
                byte => {
                    out.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// What stands between the braces. A quoted text without `=` is the name (Prometheus 3).
    fn labels(&mut self, name: &mut String, labels: &mut Vec<(String, String)>) -> Option<()> {
        loop {
            self.blanks();
            if self.eat(b'}') {
                return Some(());
            }
            let quoted = self.peek() == Some(b'"');
            let label = if quoted {
                self.quoted()?
            } else {
                self.name(false)?
            };
            self.blanks();
            if self.eat(b'=') {
                self.blanks();
                let value = self.quoted()?;
                if label == "__name__" {
                    if !self.answer || !name.is_empty() {
                        return None;
                    }
                    *name = value;
                } else {
                    labels.push((label, value));
                }
            } else if quoted && name.is_empty() && !label.is_empty() {
                *name = label;
            } else {
                return None;
            }
            self.blanks();
            if !self.eat(b',') && self.peek() != Some(b'}') {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(line: &str) -> Option<(Key, Tail)> {
        let line = trim(line.as_bytes());
        let (key, end) = key(line)?;
        Some((key, tail(&line[end..])?))
    }

    #[test]
    fn labels_may_hold_commas_braces_and_escapes() {
        let (key, tail) =
            parsed(r#"m:x{b="comma, } brace",a="q\"uote \\ n\new", e="" ,} 2.5e-3 1780000000123"#)
                .expect("a sample");
        assert_eq!(key.name, "m:x");
        assert_eq!(
            key.labels,
            [
                ("a".into(), "q\"uote \\ n\new".into()),
                ("b".into(), "comma, } brace".into())
            ]
        );
        assert_eq!(tail.value, 0.0025);
        assert_eq!(tail.time, Some(1_780_000_000.123));
    }

    #[test]
    fn odd_but_allowed_lines() {
        assert_eq!(parsed("m{} 0").map(|(_, t)| t.value), Some(0.0));
        assert_eq!(
            parsed("n{ l = \"v\" , }-Inf").map(|(_, t)| t.value),
            Some(f64::NEG_INFINITY)
        );
        assert!(parsed("n NaN").is_some_and(|(_, t)| t.value.is_nan()));
        let (key, _) =
            parsed(r#"{"http.server.duration","service.name"="api"} 4.5"#).expect("utf8");
        assert_eq!(key.name, "http.server.duration");
        assert_eq!(key.labels[0].0, "service.name");
        let (_, tail) = parsed(r#"h_bucket{le="1.0"} 11 # {trace_id="4"} 0.67 1780000050.5"#)
            .expect("an exemplar is cut");
        assert_eq!((tail.value, tail.time), (11.0, None));
        let (_, tail) = parsed("c_total 120 1780000060.25 # {a=\"b\"} 1").expect("a timestamp");
        assert_eq!(tail.time, Some(1_780_000_060.25));
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        for line in [
            r#"metric{label="bla"} 3.14 2 3"#,
            r#"metric{__name__="bla"} 3.14"#,
            "metric{label=bla} 3.14",
            r#"metric{label="bla"+} 3.14"#,
            r#"{label="bla"} 3.14 2"#,
            r#"metric{label="new"#,
            "metric",
            "9lives 3",
            "Thu May 28 20:27:40 UTC 2026",
            r#"m{a="1",a="2"} 1"#,
        ] {
            assert!(parsed(line).is_none(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let line = trim(&bytes);
            if let Some((_, end)) = key(line) {
                let _ = tail(&line[end..]);
            }
        }

        #[test]
        fn near_misses_never_panic(text in "[a-z{}=\",\\\\ #0-9.]{0,40}") {
            if let Some((_, end)) = key(text.as_bytes()) {
                let _ = tail(&text.as_bytes()[end..]);
            }
        }

        #[test]
        fn any_label_value_survives(value in "\\PC{1,20}", number in -1e9..1e9f64) {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            let line = format!("m{{a=\"{escaped}\"}} {number}");
            let (key, end) = key(line.as_bytes()).expect("a key");
            prop_assert_eq!(&key.labels[0].1, &value);
            prop_assert_eq!(tail(&line.as_bytes()[end..]).expect("a value").value, number);
        }
    }
}
