//! Sizes and durations as people write them: `4GiB`, `500MB`, `90s`, `12h`.

use std::time::Duration;

/// Reads a size in bytes: a whole number, alone or with B, KB, MB, GB, TB (thousands) or KiB, MiB,
/// GiB, TiB (1024s).
///
/// # Errors
/// A sentence that shows what is accepted.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let scale: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of size; write e.g. 4GiB")),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "a size is a whole number and a unit, e.g. 4GiB".to_owned())?;
    match number.checked_mul(scale) {
        Some(0) => Err("a size of 0 allows nothing; write e.g. 4GiB".to_owned()),
        Some(size) => Ok(size),
        None => Err("that size is too large".to_owned()),
    }
}

/// Reads a duration: a whole number with ms, s, min, h or d.
///
/// # Errors
/// A sentence that shows what is accepted.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let milliseconds: u64 = match unit.to_ascii_lowercase().as_str() {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err("a duration needs a unit: 500ms, 90s, 15min, 12h or 7d".to_owned()),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "a duration is a whole number and a unit, e.g. 90s".to_owned())?;
    match number.checked_mul(milliseconds) {
        Some(0) => Err("a duration of 0 leaves no time; write e.g. 90s".to_owned()),
        Some(total) => Ok(Duration::from_millis(total)),
        None => Err("that duration is too long".to_owned()),
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let at = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (&text[..at], text[at..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_both_systems() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("500 MB"), Ok(500_000_000));
        assert_eq!(bytes("1024"), Ok(1024));
        for wrong in [
            "",
            "GiB",
            "4 parsecs",
            "-1",
            "1.5GiB",
            "0",
            "99999999999TiB",
        ] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("12h"), Ok(Duration::from_secs(43_200)));
        assert_eq!(duration("7d"), Ok(Duration::from_secs(604_800)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        for wrong in ["", "90", "s", "1 fortnight", "0s", "99999999999999999d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
