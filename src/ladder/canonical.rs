//! The digest of a stored value: over its content alone, whatever order its keys came in and
//! however a number was written.
//!
//! A record is kept as JSON by a database that keeps neither key order nor the spelling of
//! numbers, and is read by later versions of the program whose types have grown. Its digest is
//! therefore computed of what is stored, never of what a type makes of it.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// SHA-256 in hex over the canonical text of a value: keys sorted, no blanks, whole numbers
/// without point or exponent, other numbers in their shortest form.
pub fn digest(value: &Value) -> String {
    hex::encode(Sha256::digest(text(value).as_bytes()))
}

/// The canonical text of a value, as it is digested and signed.
pub fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(n) => number(n, out),
        Value::String(s) => string(s, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            out.push('{');
            for (i, key) in keys.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                string(key, out);
                out.push(':');
                write(&map[key], out);
            }
            out.push('}');
        }
    }
}

fn string(text: &str, out: &mut String) {
    // As JSON writes it: a `Value` of a string always serialises.
    out.push_str(&Value::from(text).to_string());
}

fn number(n: &serde_json::Number, out: &mut String) {
    // Writing to a string never fails.
    let _ = match (n.as_i64(), n.as_u64(), n.as_f64()) {
        (Some(i), _, _) => write!(out, "{i}"),
        (_, Some(u), _) => write!(out, "{u}"),
        // The database knows no negative zero.
        (_, _, Some(0.0)) => write!(out, "0"),
        (_, _, Some(f)) if f.fract() == 0.0 => write!(out, "{f:.0}"),
        (_, _, Some(f)) => write!(out, "{f:e}"),
        _ => write!(out, "{n}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn order_and_spelling_do_not_matter_and_content_does() {
        let a = json!({ "a": 1.0, "b": [1e16, 0.1, -0.0], "c": { "y": "é\n", "x": null } });
        let text = r#"{ "c": {"x": null, "y": "\u00e9\u000a"}, "b": [10000000000000000, 0.10, 0], "a": 1 }"#;
        let b: Value = serde_json::from_str(text).unwrap();
        assert_eq!(digest(&a), digest(&b));
        for other in [
            json!({ "a": 1, "b": [1e16, 0.1, 0] }),
            json!({ "a": 1.5, "b": [1e16, 0.1, 0], "c": { "y": "é\n", "x": null } }),
            json!({ "a": 1, "b": [0.1, 1e16, 0], "c": { "y": "é\n", "x": null } }),
            json!({ "a": "1", "b": [1e16, 0.1, 0], "c": { "y": "é\n", "x": null } }),
        ] {
            assert_ne!(digest(&a), digest(&other), "{other}");
        }
    }
}
