//! Times in front of log lines. One line may carry several: the engine prints month and day without
//! a year or a zone, and whatever carried the log (Docker, Kubernetes, journald) adds its own.
//!
//! Three kinds are kept apart, because only times of one kind can be subtracted.

/// The kinds of time, the surest first.
pub const KINDS: usize = 3;

/// Unix seconds: the zone is known.
pub const UTC: usize = 0;
/// A calendar with a year whose zone is not known.
pub const LOCAL: usize = 1;
/// A calendar without a year, as seconds since the beginning of a leap year.
pub const YEARLESS: usize = 2;

const DAY: f64 = 86_400.0;

/// The times of one line, in seconds; the outermost of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stamps(pub [Option<f64>; KINDS]);

impl Stamps {
    /// Takes a time unless an outer one of its kind is there.
    pub fn take(&mut self, kind: usize, seconds: f64) {
        self.0[kind].get_or_insert(seconds);
    }

    /// Whether the line carries no time.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

/// A time at the beginning of `text`: its kind, its seconds, and how many bytes it took.
pub fn leading(text: &[u8]) -> Option<(usize, f64, usize)> {
    dated(text)
        .or_else(|| yearless(text))
        .or_else(|| syslog(text))
}

/// `2025-08-08T03:34:58.123456789Z`, `2026-04-19 12:18:36,123`, with an offset or without one.
fn dated(text: &[u8]) -> Option<(usize, f64, usize)> {
    let year = digits(text, 0, 4)?;
    let separator = *text.get(4)?;
    if separator != b'-' && separator != b'/' || *text.get(7)? != separator {
        return None;
    }
    let (month, day) = (digits(text, 5, 2)?, digits(text, 8, 2)?);
    if !matches!(text.get(10)?, b'T' | b' ' | b'_') || !is_date(month, day) || year < 1970 {
        return None;
    }
    let (clock, mut at) = clock(text, 11)?;
    let seconds = days(year, month, day) * DAY + clock;
    match zone(&text[at..]) {
        Some((offset, length)) => {
            at += length;
            Some((UTC, seconds - offset, at))
        }
        None => Some((LOCAL, seconds, at)),
    }
}

/// `08-20 23:20:01`, as vLLM prints it.
fn yearless(text: &[u8]) -> Option<(usize, f64, usize)> {
    let (month, day) = (digits(text, 0, 2)?, digits(text, 3, 2)?);
    if text.get(2) != Some(&b'-') || text.get(5) != Some(&b' ') || !is_date(month, day) {
        return None;
    }
    let (clock, at) = clock(text, 6)?;
    Some((YEARLESS, since_january(month, day) + clock, at))
}

/// `Aug 20 23:20:01`, as syslog and journald print it.
fn syslog(text: &[u8]) -> Option<(usize, f64, usize)> {
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let month = MONTHS.iter().position(|m| text.starts_with(m))? as u32 + 1;
    if text.get(3) != Some(&b' ') || text.get(6) != Some(&b' ') {
        return None;
    }
    let day = match text.get(4)? {
        b' ' => digits(text, 5, 1)?,
        _ => digits(text, 4, 2)?,
    };
    let (clock, at) = clock(text, 7)?;
    is_date(month, day).then_some((YEARLESS, since_january(month, day) + clock, at))
}

/// `HH:MM:SS` with a fraction or without, and where it ends.
fn clock(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let (hour, minute, second) = (
        digits(text, at, 2)?,
        digits(text, at + 3, 2)?,
        digits(text, at + 6, 2)?,
    );
    let colons = text[at + 2] == b':' && text[at + 5] == b':';
    if !colons || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut end = at + 8;
    let mut seconds = f64::from(hour * 3600 + minute * 60 + second);
    let has_fraction = matches!(text.get(end), Some(b'.' | b','))
        && text.get(end + 1).is_some_and(u8::is_ascii_digit);
    if has_fraction {
        let mut scale = 0.1;
        end += 1;
        while let Some(digit) = text.get(end).filter(|b| b.is_ascii_digit()) {
            seconds += f64::from(digit - b'0') * scale;
            scale /= 10.0;
            end += 1;
        }
    }
    Some((seconds, end))
}

/// `Z`, `+02:00`, ` +0200`, ` UTC`: seconds east of Greenwich, and its length.
fn zone(text: &[u8]) -> Option<(f64, usize)> {
    if text.first() == Some(&b'Z') {
        return Some((0.0, 1));
    }
    let blanks = usize::from(text.first() == Some(&b' '));
    let text = &text[blanks..];
    if text.starts_with(b"UTC") || text.starts_with(b"GMT") {
        return Some((0.0, blanks + 3));
    }
    let sign = match text.first()? {
        b'+' => 1.0,
        b'-' => -1.0,
        _ => return None,
    };
    let hours = digits(text, 1, 2)?;
    let colon = usize::from(text.get(3) == Some(&b':'));
    let minutes = digits(text, 3 + colon, 2)?;
    (hours <= 14 && minutes < 60).then(|| {
        let offset = f64::from(hours * 3600 + minutes * 60);
        (sign * offset, blanks + 5 + colon)
    })
}

fn digits(text: &[u8], at: usize, length: usize) -> Option<u32> {
    let part = text.get(at..at + length)?;
    part.iter().try_fold(0u32, |n, b| {
        b.is_ascii_digit().then(|| n * 10 + u32::from(b - b'0'))
    })
}

fn is_date(month: u32, day: u32) -> bool {
    const LONGEST: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    (1..=12).contains(&month) && (1..=LONGEST[month as usize - 1]).contains(&day)
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: u32, month: u32, day: u32) -> f64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let month = (i64::from(month) + 9) % 12;
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    let day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    (era * 146_097 + day - 719_468) as f64
}

/// Seconds since the beginning of a leap year.
fn since_january(month: u32, day: u32) -> f64 {
    (days(2024, month, day) - days(2024, 1, 1)) * DAY
}

/// The step from one time to the next of its kind, in seconds. A year without a number may turn,
/// and may have no 29 February.
pub fn step(kind: usize, from: f64, to: f64) -> f64 {
    let step = to - from;
    if kind != YEARLESS {
        return step;
    }
    if step < -180.0 * DAY {
        return step + 366.0 * DAY;
    }
    // 31 January + 28 days; a line of the 29th itself lies on neither side.
    let march = 60.0 * DAY;
    if from < march - DAY && to >= march && step >= DAY {
        return step - DAY;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instant_in_many_spellings() {
        let utc = 1_755_732_001.0;
        for text in [
            "2025-08-20T23:20:01Z",
            "2025-08-20 23:20:01 UTC",
            "2025-08-21T01:20:01+02:00",
            "2025-08-20T18:20:01-0500 INFO",
            "2025-08-20T23:20:01.000000000Z stdout F x",
        ] {
            let (kind, seconds, _) = leading(text.as_bytes()).unwrap();
            assert_eq!((kind, seconds), (UTC, utc), "{text}");
        }
        let (kind, seconds, length) = leading(b"2025-08-20 23:20:01,500 INFO").unwrap();
        assert_eq!((kind, seconds, length), (LOCAL, utc + 0.5, 23));
    }

    #[test]
    fn what_is_no_time_is_not_taken_for_one() {
        for text in [
            "127.0.0.1:8000 - x",
            "2025-13-01 00:00:00",
            "02-30 10:00:00",
            "08-20 25:00:00",
            "Aug",
            "Mar 1",
            "2025-08-20",
            "",
        ] {
            assert_eq!(leading(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_year_that_is_not_printed_may_turn() {
        let at = |text: &str| leading(text.as_bytes()).unwrap().1;
        let (new, old) = (at("01-01 00:00:05"), at("12-31 23:59:55"));
        assert_eq!(step(YEARLESS, old, new), 10.0);
        let over = step(YEARLESS, at("02-28 23:59:55"), at("03-01 00:00:05"));
        assert_eq!(over, 10.0);
        assert_eq!(
            step(YEARLESS, at("Feb 29 23:59:55"), at("Mar  1 00:00:05")),
            10.0
        );
        assert_eq!(
            step(YEARLESS, at("08-20 10:00:10"), at("08-20 10:00:00")),
            -10.0
        );
    }
}
