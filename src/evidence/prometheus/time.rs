//! Times that people leave between scrapes: `date` output, unix seconds, ISO times, a clock.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

/// A time found on a line between scrapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stamp {
    /// Unix seconds: the zone is known.
    Utc(f64),
    /// Seconds of a calendar whose zone is not known: only differences hold.
    Local(f64),
    /// Seconds since midnight: only differences hold, and midnight may lie between.
    Clock(f64),
}

impl Stamp {
    /// Unix seconds, when known.
    pub fn unix(self) -> Option<f64> {
        match self {
            Self::Utc(s) => Some(s),
            _ => None,
        }
    }

    /// Seconds from `earlier` to `self`; `None` when the two cannot be compared. Negative when
    /// the order is reversed.
    pub fn since(self, earlier: Self) -> Option<f64> {
        match (earlier, self) {
            (Self::Utc(a), Self::Utc(b)) | (Self::Local(a), Self::Local(b)) => Some(b - a),
            (Self::Clock(a), Self::Clock(b)) => Some((b - a).rem_euclid(86_400.0)),
            _ => None,
        }
    }
}

/// The time a separator line states. `None` for any other line.
pub fn of_line(line: &[u8]) -> Option<Stamp> {
    if line.len() > 100 {
        return None;
    }
    let text = std::str::from_utf8(line).ok()?;
    let mut found = Found::default();
    let is_split = |c: char| c.is_whitespace() || "[](),;".contains(c);
    for word in text.split(is_split) {
        let word = word.trim_matches(|c| "=#*<>@\"'_|".contains(c));
        if !word.is_empty() && word.chars().any(|c| c.is_alphanumeric()) {
            found.take(word);
        }
    }
    found.stamp()
}

/// What the words of a line said.
#[derive(Default)]
struct Found {
    whole: Option<Stamp>,
    date: Option<NaiveDate>,
    year: Option<i32>,
    month: Option<u32>,
    day: Option<u32>,
    clock: Option<NaiveTime>,
    afternoon: Option<bool>,
    zone: Option<i32>,
    strangers: usize,
}

impl Found {
    fn take(&mut self, word: &str) {
        if let Some(stamp) = whole(word) {
            self.whole.get_or_insert(stamp);
        } else if let Some((clock, utc)) = clock(word) {
            self.clock.get_or_insert(clock);
            if utc {
                self.zone = Some(0);
            }
        } else if let Some(zone) = zone(word) {
            self.zone = Some(zone);
        } else if let Some(date) = date(word) {
            self.date.get_or_insert(date);
        } else if let Ok(n) = word.trim_end_matches('.').parse::<u32>() {
            match n {
                1..=31 => self.day = self.day.or(Some(n)),
                1970..=2199 => self.year = i32::try_from(n).ok(),
                _ => self.strangers += 1,
            }
        } else if let Some(month) = month(word) {
            // The last one: "mar" opens a Tuesday in some languages.
            self.month = Some(month);
        } else if word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm") {
            self.afternoon = Some(word.eq_ignore_ascii_case("pm"));
        } else {
            self.strangers += 1;
        }
    }

    fn stamp(&self) -> Option<Stamp> {
        // Weekday, "de", a zone name: more words than these make it a log line.
        if self.strangers > 4 {
            return None;
        }
        if self.whole.is_some() && self.clock.is_none() {
            return self.whole;
        }
        let mut seconds = f64::from(chrono::Timelike::num_seconds_from_midnight(&self.clock?))
            + f64::from(chrono::Timelike::nanosecond(&self.clock?)) / 1e9;
        match self.afternoon {
            Some(true) if seconds < 43_200.0 => seconds += 43_200.0,
            Some(false) if seconds >= 43_200.0 => seconds -= 43_200.0,
            _ => {}
        }
        let spelled = || NaiveDate::from_ymd_opt(self.year?, self.month?, self.day?);
        let Some(date) = self.date.or_else(spelled) else {
            return Some(Stamp::Clock(seconds));
        };
        let midnight = date.and_time(NaiveTime::MIN).and_utc().timestamp() as f64;
        Some(match self.zone {
            Some(offset) => Stamp::Utc(midnight + seconds - f64::from(offset)),
            None => Stamp::Local(midnight + seconds),
        })
    }
}

/// Unix seconds or milliseconds, or a whole ISO time.
fn whole(word: &str) -> Option<Stamp> {
    let digits = word.split('.').next().unwrap_or_default();
    if digits.bytes().all(|b| b.is_ascii_digit()) && matches!(digits.len(), 10 | 13) {
        let n: f64 = word.parse().ok()?;
        return Some(Stamp::Utc(if digits.len() == 13 { n / 1000.0 } else { n }));
    }
    if !word.contains('T') || !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Ok(time) = DateTime::parse_from_rfc3339(word) {
        return Some(Stamp::Utc(time.timestamp_micros() as f64 / 1e6));
    }
    if let Ok(time) = DateTime::parse_from_str(word, "%Y-%m-%dT%H:%M:%S%.f%z") {
        return Some(Stamp::Utc(time.timestamp_micros() as f64 / 1e6));
    }
    let time = NaiveDateTime::parse_from_str(word, "%Y-%m-%dT%H:%M:%S%.f").ok()?;
    Some(Stamp::Local(time.and_utc().timestamp_micros() as f64 / 1e6))
}

/// `20:27:40`, with a fraction or a `Z` behind it.
fn clock(word: &str) -> Option<(NaiveTime, bool)> {
    let (word, utc) = match word.strip_suffix('Z') {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    if word.matches(':').count() != 2 || !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let word = word.replace(',', ".");
    NaiveTime::parse_from_str(&word, "%H:%M:%S%.f")
        .ok()
        .map(|time| (time, utc))
}

/// Seconds east of Greenwich: `UTC`, `GMT`, `Z`, `-03`, `+0530`, `+05:30`.
fn zone(word: &str) -> Option<i32> {
    if matches!(word, "UTC" | "GMT" | "Z") {
        return Some(0);
    }
    let sign = match word.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = word[1..].chars().filter(|c| *c != ':').collect();
    if !digits.bytes().all(|b| b.is_ascii_digit()) || !matches!(digits.len(), 2 | 4) {
        return None;
    }
    let hours: i32 = digits[..2].parse().ok()?;
    let minutes: i32 = digits[2..].parse().unwrap_or(0);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// `2026-05-28` or `2026/05/28`. Day-first and month-first orders cannot be told apart.
fn date(word: &str) -> Option<NaiveDate> {
    let format = if word.contains('/') {
        "%Y/%m/%d"
    } else {
        "%Y-%m-%d"
    };
    NaiveDate::parse_from_str(word, format).ok()
}

/// The month whose name begins so, in English, Portuguese, Spanish, French or German.
fn month(word: &str) -> Option<u32> {
    let start: String = word.chars().take(3).collect::<String>().to_lowercase();
    Some(match start.as_str() {
        "jan" | "ene" => 1,
        "feb" | "fev" | "fév" => 2,
        "mar" | "mär" | "mrz" => 3,
        "apr" | "abr" | "avr" => 4,
        "may" | "mai" => 5,
        "jun" => 6,
        "jul" => 7,
        "aug" | "ago" | "aoû" => 8,
        "sep" | "set" => 9,
        "oct" | "out" | "okt" => 10,
        "nov" => 11,
        "dec" | "dez" | "dic" | "déc" => 12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<Stamp> {
        of_line(line.as_bytes())
    }

    #[test]
    fn one_instant_in_many_spellings() {
        for line in [
            "Thu May 28 20:27:40 UTC 2026",
            "qui 28 mai 2026 17:27:40 -03",
            "# 1780000060",
            "1780000060.0",
            "==== 2026-05-28T20:27:40Z ====",
            "--- 2026-05-28 22:27:40 +0200 ---",
            "date: Thu, 28 May 2026 20:27:40 GMT",
            "Thu May 28 08:27:40 PM UTC 2026",
            "2026-05-28T15:27:40-0500",
        ] {
            assert_eq!(of(line), Some(Stamp::Utc(1_780_000_060.0)), "{line}");
        }
        assert_eq!(
            of("Thu May 28 20:27:40 CEST 2026"),
            Some(Stamp::Local(1_780_000_060.0))
        );
    }

    #[test]
    fn a_clock_alone_may_pass_midnight() {
        let (a, b) = (of("==== 23:59:50"), of("==== 00:00:05"));
        assert_eq!(b.expect("a clock").since(a.expect("a clock")), Some(15.0));
    }

    #[test]
    fn other_lines_are_no_time() {
        for line in [
            "",
            "====",
            "# nothing here",
            "upstream connect error",
            "# see http://localhost:8000/metrics",
            "INFO 05-28 20:27:40 api_server.py:50 Started the server process on port number 8000",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
