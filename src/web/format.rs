//! Values as people read them. Everything inside is in base units (seconds, bytes, ratio 0–1);
//! here they are scaled, rounded to what can be judged, and written in the reader's language.
//!
//! Thousands stand apart by a narrow no-break space and the unit follows after one, in both
//! languages; Portuguese writes a decimal comma.

use crate::i18n::{Lang, text};
use askama::filters::HtmlSafe;
use chrono::{DateTime, Datelike as _, SecondsFormat, Utc};
use pel_evidence::Unit;
use std::fmt;

/// Narrow no-break space.
pub const THIN: char = '\u{202f}';

/// HTML that is known to be well-formed and escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Takes HTML over as it is. Whoever calls this answers for every character.
    pub fn trusted(html: String) -> Self {
        Self(html)
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Markup {}

/// A number and its unit, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The number, with sign and thousands.
    pub number: String,
    /// The unit; empty when there is none.
    pub unit: String,
}

impl Shown {
    /// With the unit small and grey, as numbers stand on pages.
    pub fn html(&self) -> Markup {
        if self.unit.is_empty() {
            return Markup(self.number.clone());
        }
        Markup(format!(
            "{}{THIN}<span class=\"u\">{}</span>",
            self.number, self.unit
        ))
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.number)?;
        if !self.unit.is_empty() {
            write!(f, "{THIN}{}", self.unit)?;
        }
        Ok(())
    }
}

/// A value in its base unit, scaled: seconds to µs, ms or s, a ratio to %, bytes to kB … TB.
pub fn value(lang: Lang, value: f64, unit: Unit) -> Shown {
    match unit {
        Unit::Seconds => seconds(lang, value),
        Unit::Ratio => shown(lang, value * 100.0, "%"),
        Unit::Bytes => bytes(lang, value, ""),
        Unit::BytesPerSecond => bytes(lang, value, "/s"),
        Unit::Count => shown(lang, value, ""),
        Unit::Tokens => shown(lang, value, "tok"),
        Unit::PerSecond => shown(lang, value, "/s"),
        Unit::TokensPerSecond => shown(lang, value, "tok/s"),
        Unit::Watts => shown(lang, value, "W"),
        Unit::Hertz => shown(lang, value / 1e6, "MHz"),
        Unit::Celsius => shown(lang, value, "°C"),
    }
}

/// Seconds as µs below a millisecond, ms below ten seconds, then s. A zero is `0 ms`.
pub fn seconds(lang: Lang, seconds: f64) -> Shown {
    let size = seconds.abs();
    if size > 0.0 && size < 1e-3 {
        shown(lang, seconds * 1e6, "µs")
    } else if size < 10.0 {
        shown(lang, seconds * 1e3, "ms")
    } else {
        shown(lang, seconds, "s")
    }
}

fn bytes(lang: Lang, value: f64, per: &str) -> Shown {
    let (mut scaled, mut unit) = (value, "B");
    for larger in ["kB", "MB", "GB", "TB", "PB"] {
        if scaled.abs() < 999.5 {
            break;
        }
        (scaled, unit) = (scaled / 1000.0, larger);
    }
    shown(lang, scaled, &format!("{unit}{per}"))
}

/// A limit of bytes as it was set: in KiB, MiB or GiB where it is a whole number of them, else
/// like any other number of bytes.
pub fn limit(lang: Lang, bytes: u64) -> Shown {
    for (size, unit) in [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
        if bytes >= size && bytes.is_multiple_of(size) {
            return shown(lang, (bytes / size) as f64, unit);
        }
    }
    value(lang, bytes as f64, Unit::Bytes)
}

fn shown(lang: Lang, value: f64, unit: &str) -> Shown {
    Shown {
        number: number(lang, value),
        unit: unit.to_owned(),
    }
}

/// A number with as many decimals as can be judged: none from 100 on, one from 10 on, two from
/// 1 on, three significant figures below. Zeros at the end go. Not a number is `?`.
pub fn number(lang: Lang, value: f64) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let size = value.abs();
    let decimals = if size >= 99.95 {
        0
    } else if size >= 9.995 {
        1
    } else if size >= 1.0 || size == 0.0 {
        2
    } else {
        // The order of a number below one is negative and small: at most 12 decimals are written.
        let order = (-size.log10()).floor().clamp(0.0, 9.0);
        (order as usize) + 3
    };
    fixed(lang, value, decimals)
}

/// A number with at most `decimals` decimals; zeros at the end go.
pub fn fixed(lang: Lang, value: f64, decimals: usize) -> String {
    let mut plain = format!("{value:.decimals$}");
    if plain.contains('.') {
        plain.truncate(plain.trim_end_matches('0').trim_end_matches('.').len());
    }
    if plain == "-0" {
        plain.remove(0);
    }
    let (sign, plain) = match plain.strip_prefix('-') {
        Some(rest) => ("\u{2212}", rest),
        None => ("", plain.as_str()),
    };
    let (whole, decimals) = plain.split_once('.').unwrap_or((plain, ""));
    let mut out = format!("{sign}{}", apart(whole));
    if !decimals.is_empty() {
        out.push(if lang == Lang::PtBr { ',' } else { '.' });
        out.push_str(decimals);
    }
    out
}

/// A whole number with its thousands apart.
pub fn count(_lang: Lang, n: i64) -> String {
    let sign = if n < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", apart(&n.unsigned_abs().to_string()))
}

fn apart(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(THIN);
        }
        out.push(digit);
    }
    out
}

/// A stretch of time in words people use for ages: `40 s`, `12 min`, `3 h 05 min`, `4 d`.
pub fn duration(lang: Lang, seconds: i64) -> String {
    let s = seconds.max(0);
    let (minutes, hours) = (s / 60, s / 3600);
    if s < 60 {
        format!("{s}{THIN}s")
    } else if minutes < 60 {
        format!("{minutes}{THIN}min")
    } else if hours < 48 {
        match minutes % 60 {
            0 => format!("{hours}{THIN}h"),
            rest => format!("{hours}{THIN}h {rest:02}{THIN}min"),
        }
    } else {
        format!("{}{THIN}d", count(lang, hours / 24))
    }
}

/// `30 Nov 2026 15:40`, in UTC.
pub fn date_time(lang: Lang, at: DateTime<Utc>) -> String {
    format!("{} {}", date(lang, at), at.format("%H:%M"))
}

/// `30 Nov 2026`, in UTC.
pub fn date(lang: Lang, at: DateTime<Utc>) -> String {
    let month = text(lang, &format!("month-{}", at.month()), &[]);
    format!("{} {month} {}", at.day(), at.year())
}

/// A `time` element that shows date and time.
pub fn time(lang: Lang, at: DateTime<Utc>) -> Markup {
    element(at, &date_time(lang, at), None)
}

/// A `time` element that shows how long ago, with date and time as its title.
pub fn ago(lang: Lang, at: DateTime<Utc>, now: DateTime<Utc>) -> Markup {
    let seconds = (now - at).num_seconds();
    let words = if seconds < 60 {
        text(lang, "ago-now", &[])
    } else {
        let age = duration(lang, seconds);
        text(lang, "ago", &[("age", &age)])
    };
    element(at, &words, Some(&date_time(lang, at)))
}

/// Words come out of our own catalogues and hold no markup.
fn element(at: DateTime<Utc>, words: &str, title: Option<&str>) -> Markup {
    let machine = at.to_rfc3339_opts(SecondsFormat::Secs, true);
    let title = title.map_or_else(String::new, |t| format!(" title=\"{t} UTC\""));
    Markup(format!(
        "<time datetime=\"{machine}\"{title}>{words}</time>"
    ))
}

/// The first twelve characters of a digest: enough to tell apart, short enough to read out.
pub fn short_digest(digest: &str) -> &str {
    let bare = digest.strip_prefix("sha256:").unwrap_or(digest);
    bare.get(..12).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone as _;

    fn said(lang: Lang, v: f64, unit: Unit) -> String {
        value(lang, v, unit).to_string().replace(THIN, "_")
    }

    #[test]
    fn values_are_scaled_to_what_people_say() {
        for (v, unit, english, portuguese) in [
            (1.64, Unit::Seconds, "1_640_ms", "1_640_ms"),
            (0.7361, Unit::Seconds, "736_ms", "736_ms"),
            (0.01234, Unit::Seconds, "12.3_ms", "12,3_ms"),
            (0.000_004_2, Unit::Seconds, "4.2_µs", "4,2_µs"),
            (61.26, Unit::Seconds, "61.3_s", "61,3_s"),
            (0.0, Unit::Seconds, "0_ms", "0_ms"),
            (0.97, Unit::Ratio, "97_%", "97_%"),
            (0.9789, Unit::Ratio, "97.9_%", "97,9_%"),
            (0.0004, Unit::Ratio, "0.04_%", "0,04_%"),
            (512_000_000.0, Unit::Bytes, "512_MB", "512_MB"),
            (999_700.0, Unit::Bytes, "1_MB", "1_MB"),
            (12.0, Unit::Bytes, "12_B", "12_B"),
            (3.35e12, Unit::BytesPerSecond, "3.35_TB/s", "3,35_TB/s"),
            (1_588_234.0, Unit::Count, "1_588_234", "1_588_234"),
            (7.126, Unit::PerSecond, "7.13_/s", "7,13_/s"),
            (4096.4, Unit::TokensPerSecond, "4_096_tok/s", "4_096_tok/s"),
            (-3.5, Unit::Watts, "\u{2212}3.5_W", "\u{2212}3,5_W"),
        ] {
            assert_eq!(said(Lang::En, v, unit), english, "{v}");
            assert_eq!(said(Lang::PtBr, v, unit), portuguese, "{v}");
        }
    }

    #[test]
    fn a_limit_is_said_as_it_was_set() {
        for (bytes, words) in [
            (4u64 << 30, "4_GiB"),
            (1536 << 20, "1_536_MiB"),
            (5_000_000_000, "5_GB"),
        ] {
            assert_eq!(limit(Lang::En, bytes).to_string().replace(THIN, "_"), words);
        }
    }

    #[test]
    fn what_is_not_a_number_is_not_shown_as_one() {
        assert_eq!(number(Lang::En, f64::NAN), "?");
        assert_eq!(number(Lang::En, f64::INFINITY), "?");
        assert_eq!(number(Lang::En, -0.0), "0");
        assert_eq!(number(Lang::En, 1e-15), "0");
        assert_eq!(count(Lang::En, -1234), "\u{2212}1\u{202f}234");
        assert_eq!(
            count(Lang::En, i64::MIN)
                .chars()
                .filter(char::is_ascii_digit)
                .count(),
            19
        );
    }

    #[test]
    fn times_carry_the_exact_instant_for_machines() {
        let at = Utc.with_ymd_and_hms(2026, 11, 30, 15, 40, 2).unwrap();
        assert_eq!(
            time(Lang::En, at).to_string(),
            "<time datetime=\"2026-11-30T15:40:02Z\">30 Nov 2026 15:40</time>"
        );
        assert!(
            time(Lang::PtBr, at)
                .to_string()
                .contains(">30 nov. 2026 15:40<")
        );
        let later = at + chrono::TimeDelta::minutes(185);
        assert!(
            ago(Lang::En, at, later)
                .to_string()
                .contains("3\u{202f}h 05\u{202f}min ago")
        );
        assert!(
            ago(Lang::PtBr, at, later)
                .to_string()
                .contains("há 3\u{202f}h")
        );
    }

    #[test]
    fn durations_and_digests() {
        assert_eq!(duration(Lang::En, 40), "40\u{202f}s");
        assert_eq!(duration(Lang::En, 7200), "2\u{202f}h");
        assert_eq!(duration(Lang::En, 400_000), "4\u{202f}d");
        assert_eq!(short_digest("sha256:0123456789abcdef"), "0123456789ab");
        assert_eq!(short_digest("é"), "é");
    }
}
