//! Numbers and moments out of bytes: a log of ten million rows holds a hundred million of them.
//!
//! A short decimal is put together from its digits, which gives the very number that the standard
//! library's parser gives; whatever is longer goes through that parser.

/// Powers of ten that are exact in a 64-bit float.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Nanoseconds of a second.
pub const NANOS: i64 = 1_000_000_000;

/// The number that a decimal writes; `None` for anything else, infinities and NaN among it.
pub fn parse(text: &[u8]) -> Option<f64> {
    if let Some((digits, places, negative)) = decimal(text)
        && digits < 1 << 53
        && places < POWERS.len()
    {
        let value = digits as f64 / POWERS[places];
        return Some(if negative { -value } else { value });
    }
    // Words that the standard parser takes (`inf`, `nan`) hold a letter other than an exponent's.
    let plain = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
    if text.is_empty() || text.len() > 64 || !text.iter().all(plain) {
        return None;
    }
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Digits, places after the point and sign of a plain decimal of at most 19 digits.
fn decimal(text: &[u8]) -> Option<(u64, usize, bool)> {
    let (negative, body) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if body.is_empty() || body.len() > 20 {
        return None;
    }
    let (mut digits, mut count, mut point) = (0_u64, 0_usize, None);
    for (i, byte) in body.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            count += 1;
            if count > 19 {
                return None;
            }
            digits = digits * 10 + u64::from(digit);
        } else if *byte == b'.' && point.is_none() {
            point = Some(i);
        } else {
            return None;
        }
    }
    let places = point.map_or(0, |at| body.len() - at - 1);
    (count > 0).then_some((digits, places, negative))
}

/// A moment: exact nanoseconds from an origin, and the same in seconds as a float.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Nanoseconds from the origin.
    pub ns: i64,
    /// Seconds from the origin, as the file wrote them.
    pub s: f64,
}

/// From here on a moment counts from 1970: before, it is a clock of its own (1973).
const WALL: i64 = 100_000_000 * NANOS;

impl Moment {
    /// A moment this many nanoseconds from its origin.
    pub fn from_ns(ns: i64) -> Self {
        Self {
            ns,
            s: ns as f64 / 1e9,
        }
    }

    /// The moment that a number names, in units of `10^exponent` seconds (0 for seconds, −9 for
    /// nanoseconds), exact to the nanosecond where its digits are.
    pub fn from_number(text: &[u8], exponent: i32) -> Option<Self> {
        let value = parse(text)?;
        let s = value / POWERS[exponent.unsigned_abs() as usize];
        let exact = decimal(text).and_then(|(digits, places, negative)| {
            let shift = 9 + exponent - places as i32;
            let ns = if shift >= 0 {
                i128::from(digits) * 10_i128.pow(shift as u32)
            } else {
                i128::from(digits) / 10_i128.pow(shift.unsigned_abs().min(30))
            };
            i64::try_from(if negative { -ns } else { ns }).ok()
        });
        let ns = match exact {
            Some(ns) => ns,
            None if (s.abs()) < 9.2e9 => (s * 1e9).round() as i64,
            None => return None,
        };
        Some(Self { ns, s })
    }

    /// Whether it counts from 1970.
    pub fn is_wall(self) -> bool {
        self.ns >= WALL
    }

    /// Seconds from `earlier` to here; `None` when the two are of different clocks. Small readings
    /// are subtracted as floats, as every other tool does; wall clocks as whole nanoseconds,
    /// because a float of theirs resolves a quarter of a microsecond only.
    pub fn since(self, earlier: Self) -> Option<f64> {
        if self.is_wall() != earlier.is_wall() {
            return None;
        }
        if self.is_wall() {
            return Some(self.ns.checked_sub(earlier.ns)? as f64 / 1e9);
        }
        Some(self.s - earlier.s)
    }
}

/// The exponent of the unit of a number that counts from 1970, told by its size: seconds,
/// milliseconds, microseconds or nanoseconds of a date between 2001 and 2286.
pub fn epoch_exponent(text: &[u8]) -> Option<i32> {
    let value = parse(text)?;
    let is = |low: f64| (low..low * 10.0).contains(&value);
    [(1e9, 0), (1e12, -3), (1e15, -6), (1e18, -9)]
        .into_iter()
        .find(|(low, _)| is(*low))
        .map(|(_, exponent)| exponent)
}

/// A written date and time with the way it is placed on the globe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Date {
    /// The moment; without a zone, as if it were written in UTC.
    pub moment: Moment,
    /// Minutes east of Greenwich; `None` when the text names no zone.
    pub zone: Option<i32>,
}

/// Reads `2026-11-30T12:00:00.123456789Z` and its relatives: a blank or `_` for the `T`, `/` for
/// the hyphens, no fraction or up to nine digits and more, `Z`, `UTC`, `+02:00`, `+0200`, `+02`
/// or no zone (RFC 3339, ISO 8601).
pub fn date(text: &[u8]) -> Option<Date> {
    let two = |at: usize| -> Option<i64> {
        let pair = text.get(at..at + 2)?;
        pair.iter()
            .all(u8::is_ascii_digit)
            .then(|| i64::from(pair[0] - b'0') * 10 + i64::from(pair[1] - b'0'))
    };
    let (century, year) = (two(0)?, two(2)?);
    let (month, day) = (two(5)?, two(8)?);
    let (hour, minute, second) = (two(11)?, two(14)?, two(17)?);
    let between = |at: usize, signs: &[u8]| text.get(at).is_some_and(|b| signs.contains(b));
    let framed = between(4, b"-/")
        && between(7, b"-/")
        && between(10, b"Tt _")
        && between(13, b":")
        && between(16, b":");
    let sound = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 61;
    if !framed || !sound {
        return None;
    }
    let mut rest = &text[19..];
    let mut nanos = 0_i64;
    if let Some(fraction) = rest.strip_prefix(b".").or_else(|| rest.strip_prefix(b",")) {
        let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        for place in 0..9 {
            let digit = fraction.get(place).filter(|_| place < digits);
            nanos = nanos * 10 + digit.map_or(0, |d| i64::from(d - b'0'));
        }
        rest = &fraction[digits..];
    }
    let zone = zone(rest)?;
    let days = days_from_civil(century * 100 + year, month, day);
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    let seconds = seconds - i64::from(zone.unwrap_or(0)) * 60;
    let ns = seconds.checked_mul(NANOS)?.checked_add(nanos)?;
    Some(Date {
        moment: Moment::from_ns(ns),
        zone,
    })
}

/// `Some(None)` for no zone, `None` for what is no zone.
fn zone(text: &[u8]) -> Option<Option<i32>> {
    let text = text.trim_ascii();
    match text {
        b"" => return Some(None),
        b"Z" | b"z" | b"UTC" | b"GMT" => return Some(Some(0)),
        _ => {}
    }
    let sign = match text.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: Vec<i32> = text[1..]
        .iter()
        .filter(|b| **b != b':')
        .map(|b| b.is_ascii_digit().then(|| i32::from(b - b'0')))
        .collect::<Option<_>>()?;
    let (hours, minutes) = match digits.as_slice() {
        [a, b] => (a * 10 + b, 0),
        [a, b, c, d] => (a * 10 + b, c * 10 + d),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(Some(sign * (hours * 60 + minutes)))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar (Howard Hinnant's `days_from_civil`).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_decimals_are_what_the_standard_parser_says() {
        for text in [
            "0",
            "-0.5",
            "+7.",
            ".25",
            "17570.3",
            "1787267980.083",
            "1e3",
            "-2.5E-7",
            "2.0578998373821378e-05",
            "0.6894345283508301",
            "9007199254740993",
            "123456789012345678901234567890",
            "1787267980.0827403",
        ] {
            let expected: f64 = text.parse().expect("a float");
            assert_eq!(parse(text.as_bytes()), Some(expected), "{text}");
        }
        for text in [
            "", "-", ".", "1.2.3", "inf", "NaN", "1e999", "0x10", "12ms", "1 2",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn moments_are_exact_to_the_nanosecond() {
        let at =
            |text: &str, exponent| Moment::from_number(text.as_bytes(), exponent).map(|m| m.ns);
        assert_eq!(at("1787267980.083", 0), Some(1_787_267_980_083_000_000));
        assert_eq!(
            at("1796049358667572662", -9),
            Some(1_796_049_358_667_572_662)
        );
        assert_eq!(at("1787267980083", -3), Some(1_787_267_980_083_000_000));
        assert_eq!(at("-1.5", 0), Some(-1_500_000_000));
        assert_eq!(at("1e30", 0), None);
        assert_eq!(epoch_exponent(b"1787267980083.5"), Some(-3));
        assert_eq!(epoch_exponent(b"1787267980"), Some(0));
        assert_eq!(epoch_exponent(b"27536.66"), None);
    }

    #[test]
    fn dates_of_many_hands_are_one_moment() {
        let expected = Some(1_700_158_623_979_960_000);
        for text in [
            "2023-11-16 18:17:03.9799600",
            "2023-11-16T18:17:03.97996Z",
            "2023/11/16 20:17:03.979960000+02:00",
            "2023-11-16T12:47:03.97996-0530",
        ] {
            assert_eq!(
                date(text.as_bytes()).map(|d| d.moment.ns),
                expected,
                "{text}"
            );
        }
        assert_eq!(date(b"2023-11-16 18:17:03").and_then(|d| d.zone), None);
        let zoned = date(b"2024-05-10 00:00:00.009930+00:00").expect("a date");
        assert_eq!(zoned.zone, Some(0));
        for text in [
            "2023-13-01 00:00:00",
            "2023-01-01",
            "12:00:00",
            "2023-01-01 00:00:00 late",
        ] {
            assert_eq!(date(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn clocks_are_never_mixed() {
        let wall = Moment::from_number(b"1787267980.08", 0).expect("a moment");
        let own = Moment::from_number(b"27536.66", 0).expect("a moment");
        assert_eq!(wall.since(own), None);
        assert_eq!(own.since(own), Some(0.0));
    }
}
