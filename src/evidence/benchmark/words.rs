//! Bare words of JSON: numbers, `true`, `false`, `null`, and what Python writes beside them.

use super::json::Value;

/// A bare word of JSON, or of Python's.
pub fn parsed(word: &[u8]) -> Option<Value> {
    if let Some(b'-' | b'0'..=b'9') = word.first()
        && word != b"-Infinity"
    {
        // Rust also reads "1_000", "infinity" and the like; only digits get that far.
        let plain = word.iter().all(|b| in_number(*b));
        return plain.then(|| number(word)).flatten().map(Value::Number);
    }
    Some(match word {
        b"true" => Value::Truth(true),
        b"false" => Value::Truth(false),
        b"null" => Value::Null,
        b"NaN" => Value::Number(f64::NAN),
        b"Infinity" => Value::Number(f64::INFINITY),
        b"-Infinity" => Value::Number(f64::NEG_INFINITY),
        _ => return None,
    })
}

/// Bytes that may stand in a number.
const IN_NUMBER: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"0123456789.-+eE";
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
};

/// Whether a byte may stand in a number.
pub fn in_number(b: u8) -> bool {
    IN_NUMBER[usize::from(b)]
}

/// A number of which every byte may stand in one.
pub fn number(word: &[u8]) -> Option<f64> {
    // Counts are short and whole.
    if word.len() <= 15 && word.iter().all(u8::is_ascii_digit) {
        let whole = word.iter().fold(0, |n, b| n * 10 + u64::from(b - b'0'));
        return Some(whole as f64);
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}
