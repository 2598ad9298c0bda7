//! Names of columns taken apart: `TTFT p99 (ms)`, `ttft_p99_ms` and `p99TtftMs` say the same.
//!
//! A unit or a statistic is taken from a name only where a whole word says it; a name that says
//! none leaves the question to a person.

use crate::{Statistic, Unit};

/// A column's name in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// What is left: lower-case words joined by `_`.
    pub stem: String,
    /// The statistic that a word of it names.
    pub statistic: Option<Statistic>,
    /// The unit that a word of it names, in a spelling of [`Unit::spellings`].
    pub unit: Option<&'static str>,
}

/// Words that name a unit, with the spelling they mean.
const UNITS: &[(&str, &str)] = &[
    ("ms", "ms"),
    ("msec", "ms"),
    ("msecs", "ms"),
    ("millis", "ms"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("us", "us"),
    ("µs", "us"),
    ("μs", "us"),
    ("usec", "us"),
    ("usecs", "us"),
    ("micros", "us"),
    ("microsecond", "us"),
    ("microseconds", "us"),
    ("ns", "ns"),
    ("nsec", "ns"),
    ("nanos", "ns"),
    ("nanosecond", "ns"),
    ("nanoseconds", "ns"),
    ("s", "s"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("%", "%"),
    ("pct", "%"),
    ("percent", "%"),
    ("percentage", "%"),
    ("kb", "kB"),
    ("mb", "MB"),
    ("gb", "GB"),
    ("kib", "KiB"),
    ("mib", "MiB"),
    ("gib", "GiB"),
    ("bytes", "B"),
    ("watt", "W"),
    ("watts", "W"),
    ("tok/s", "tokens/s"),
    ("tokens/s", "tokens/s"),
    ("token/s", "tokens/s"),
    ("toks/s", "tokens/s"),
    ("tokens/sec", "tokens/s"),
    ("token/sec", "tokens/s"),
    ("tok/sec", "tokens/s"),
    ("tps", "tokens/s"),
    ("req/s", "/s"),
    ("requests/s", "/s"),
    ("request/s", "/s"),
    ("req/sec", "/s"),
    ("infer/sec", "/s"),
    ("qps", "/s"),
    ("rps", "/s"),
    ("gb/s", "GB/s"),
    ("mb/s", "MB/s"),
    ("b/s", "B/s"),
];

/// The unit that a text names on its own, in a spelling of [`Unit::spellings`].
pub fn unit_in(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let known = Unit::ALL
        .into_iter()
        .flat_map(Unit::spellings)
        .find(|(spelling, _)| *spelling == text);
    if let Some((spelling, _)) = known {
        return Some(spelling);
    }
    let lower = text.to_lowercase();
    UNITS
        .iter()
        .find(|(word, _)| *word == lower)
        .map(|(_, spelling)| *spelling)
}

/// A name as a key: lower-case words joined by `_`, brackets and signs gone.
pub fn normal(name: &str) -> String {
    words(name).join("_")
}

impl Named {
    /// Takes a column's name apart.
    pub fn of(name: &str) -> Self {
        let (outside, bracket) = unbracket(name);
        let mut named = Self {
            unit: bracket.as_deref().and_then(unit_in),
            ..Self::default()
        };
        let mut outside = outside;
        // `tok/s` at the end of a name is one word.
        if named.unit.is_none()
            && let Some((rest, last)) = outside.trim_end().rsplit_once([' ', '_', '.'])
            && last.contains('/')
            && let Some(unit) = unit_in(last)
        {
            (named.unit, outside) = (Some(unit), rest.to_owned());
        }
        let mut words = words(&outside);
        named.take_unit(&mut words);
        named.take_statistic(&mut words);
        if named.unit.is_none() {
            named.take_unit(&mut words);
        }
        if let Some(rest) = bracket.filter(|b| unit_in(b).is_none()) {
            words.extend(self::words(&rest));
            named.take_statistic(&mut words);
            named.take_unit(&mut words);
        }
        named.stem = words.join("_");
        named
    }

    /// A unit stands last.
    fn take_unit(&mut self, words: &mut Vec<String>) {
        if self.unit.is_some() || words.len() < 2 {
            return;
        }
        let per = words.len() > 2 && words[words.len() - 2] == "per";
        if per {
            return self.take_rate(words);
        }
        let Some(unit) = words.last().and_then(|w| unit_in(w)) else {
            return;
        };
        // `tokens` alone names what is counted; `tps` says it and is the whole name then.
        if matches!(unit, "tokens" | "count" | "ratio" | "min" | "B" | "W") {
            return;
        }
        self.unit = Some(unit);
        words.pop();
    }

    /// `tokens per second`, `req_per_s`.
    fn take_rate(&mut self, words: &[String]) {
        let [.., what, _, time] = words else { return };
        if unit_in(time) != Some("s") {
            return;
        }
        self.unit = match what.as_str() {
            "token" | "tokens" | "tok" | "toks" => Some("tokens/s"),
            "byte" | "bytes" => Some("B/s"),
            "gb" => Some("GB/s"),
            "mb" => Some("MB/s"),
            _ => Some("/s"),
        };
    }

    fn take_statistic(&mut self, words: &mut Vec<String>) {
        if self.statistic.is_some() {
            return;
        }
        let found = words
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, word)| Some((at, statistic(word)?)));
        if let Some((at, statistic)) = found {
            // `max` of `max_tokens` is no statistic of anything measured.
            let setting = words.get(at + 1).is_some_and(|next| next == "tokens");
            if !setting {
                self.statistic = Some(statistic);
                words.remove(at);
            }
        }
    }
}

fn statistic(word: &str) -> Option<Statistic> {
    Some(match word {
        "mean" | "avg" | "average" | "media" | "média" => Statistic::Mean,
        "median" | "med" | "mediana" => Statistic::P50,
        "min" | "minimum" => Statistic::Min,
        "max" | "maximum" => Statistic::Max,
        "total" | "sum" => Statistic::Total,
        _ => {
            let digits = word.strip_prefix('p').or_else(|| {
                word.strip_suffix("th")
                    .or_else(|| word.strip_suffix("%ile"))
            })?;
            let digits = digits.strip_prefix("ct").unwrap_or(digits);
            match digits {
                "999" => Statistic::Quantile(999),
                _ => format!("p{digits}").parse().ok()?,
            }
        }
    })
}

/// The text in the last pair of brackets, apart from the rest.
fn unbracket(name: &str) -> (String, Option<String>) {
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
        let Some(end) = name.rfind(close) else {
            continue;
        };
        if let Some(start) = name[..end].rfind(open) {
            let inside = name[start + 1..end].trim().to_owned();
            let rest = format!("{} {}", &name[..start], &name[end + close.len_utf8()..]);
            return (rest, Some(inside));
        }
    }
    (name.to_owned(), None)
}

/// The words of a name: split at signs, blanks and where small letters meet capitals.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let characters: Vec<char> = name.chars().collect();
    for (at, &c) in characters.iter().enumerate() {
        let next = characters.get(at + 1).copied().unwrap_or(' ');
        let decimal = c == '.' && before.is_ascii_digit() && next.is_ascii_digit();
        if !(c.is_alphanumeric() || c == '%' || decimal) {
            words.push(String::new());
        } else {
            if c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
                words.push(String::new());
            }
            if let Some(last) = words.last_mut() {
                last.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    words.retain(|w| !w.is_empty());
    words
}
