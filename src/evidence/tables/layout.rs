//! How a table is written, by its first bytes.

use super::{boxed, delimited, summary};
use crate::{Source, detect::Head, mapping::Layout};
use csv::ReaderBuilder;

/// The layout of a text that may be a table; `None` for what is none.
pub fn of(_source: &Source, head: &Head) -> Option<Layout> {
    let text = text(head)?;
    let start = text.trim_start();
    match start.as_bytes().first()? {
        b'{' => return Some(json_object(start)),
        b'[' if start[1..].trim_start().starts_with(['{', '[']) => return Some(Layout::JsonArray),
        b'<' | b'[' => return None,
        _ => {}
    }
    // Only whole lines: the last one of the head may be cut.
    let whole = match text.rfind('\n') {
        Some(end) if text.len() >= crate::detect::HEAD_BYTES - 4 => &text[..end],
        _ => text,
    };
    if boxed::is_table(whole) {
        return Some(Layout::Markdown);
    }
    if let Some(layout) = separated(whole) {
        return Some(layout);
    }
    summary::is_summary(whole).then_some(Layout::Summary)
}

/// The head as text: none when it holds what no text holds.
fn text(head: &Head) -> Option<&str> {
    let bytes = &head.text;
    if bytes
        .iter()
        .any(|b| *b < 32 && !matches!(b, b'\t' | b'\n' | b'\r'))
    {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        // The head may end within a letter.
        Err(e) if e.error_len().is_none() => std::str::from_utf8(&bytes[..e.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

fn json_object(start: &str) -> Layout {
    let mut lines = start.lines().filter(|l| !l.trim().is_empty());
    let object = |line: &str| serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok();
    let several = lines.next().is_some_and(object)
        && lines
            .next()
            .is_some_and(|l| l.trim_start().starts_with('{'));
    if several {
        Layout::JsonLines
    } else {
        Layout::JsonObject
    }
}

/// The sign that splits the lines most evenly into most fields.
fn separated(text: &str) -> Option<Layout> {
    let layouts = [Layout::Tab, Layout::Semicolon, Layout::Comma, Layout::Bar];
    layouts
        .into_iter()
        .filter_map(|layout| {
            let records = records(text, layout.delimiter()?);
            let texts: Vec<Vec<&str>> = records.iter().map(|r| r.iter().collect()).collect();
            let at = delimited::header_of(&texts)? as usize;
            let header = texts.get(at.saturating_sub(1))?;
            Some((header.len(), layout))
        })
        .max_by_key(|(width, _)| *width)
        .map(|(_, layout)| layout)
}

fn records(text: &str, delimiter: u8) -> Vec<csv::StringRecord> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
        .into_records()
        .take(50)
        .map_while(Result::ok)
        .collect()
}

/// Whether lines and signs make the table, rather than names and brackets.
pub fn is_drawn(layout: Layout) -> bool {
    layout.delimiter().is_some() || layout == Layout::Markdown
}
