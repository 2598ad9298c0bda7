//! The pull reader on its own.

use super::super::json::*;

fn whole(text: &str) -> Result<Vec<f64>, Fault> {
    let mut bytes = text.as_bytes();
    let mut out = Vec::new();
    Json::new(&mut bytes).numbers(&mut out)?;
    Ok(out)
}

#[test]
fn numbers_are_read_to_the_last_bit_and_pythons_words_too() {
    let read = whole("[0.1, 0.02447945000017171, -3e-4, 1E5,NaN, Infinity, null, \"x\", [1]]");
    let read = read.expect("numbers");
    assert_eq!(&read[..4], [0.1, 0.024_479_450_000_171_71, -3e-4, 1e5]);
    assert!(read[4].is_nan() && read[5].is_infinite());
    assert!(read.len() == 9 && read[6..].iter().all(|n| n.is_nan()));
}

#[test]
fn what_is_no_json_has_a_place() {
    assert!(matches!(whole("[1, 2"), Err(Fault::Cut(5 | 6))));
    assert!(matches!(whole("[1 2]"), Err(Fault::Syntax(3))));
    assert!(matches!(whole("[1,]"), Err(Fault::Syntax(_))));
    assert!(matches!(whole("[inf]"), Err(Fault::Syntax(1))));
    assert!(matches!(whole("[1_0]"), Err(Fault::Syntax(_))));
}

#[test]
fn nesting_has_an_end_and_skipping_needs_no_stack() {
    let deep = "[".repeat(200_000);
    let mut bytes = deep.as_bytes();
    assert!(matches!(Json::new(&mut bytes).skip(), Err(Fault::Cut(_))));
    let mut bytes = deep.as_bytes();
    let mut json = Json::new(&mut bytes);
    let fault = loop {
        if let Err(fault) = json.value() {
            break fault;
        }
    };
    assert!(matches!(fault, Fault::Deep(_)));
}

#[test]
fn a_value_across_the_buffer_is_whole() {
    let mut text = " ".repeat(BUFFER - 4);
    text.push_str("[0.123456789012345, \"a\\\"b\", 7]");
    let mut bytes = text.as_bytes();
    let mut json = Json::new(&mut bytes);
    assert_eq!(json.value().expect("array"), Value::Array);
    assert!(json.item(true).expect("item"));
    assert_eq!(
        json.value().expect("number"),
        Value::Number(0.123_456_789_012_345)
    );
    assert!(json.item(false).expect("item"));
    assert_eq!(json.value().expect("text"), Value::Text);
    assert_eq!(json.text(), "a\"b");
}
