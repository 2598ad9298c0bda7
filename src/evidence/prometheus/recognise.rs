//! Which files carry Prometheus' samples, and of what: an engine, or a device.
//!
//! Families of vLLM, of another engine, or of a GPU exporter make a file readable. What is neither,
//! an answer that only an expression could explain, or a web error page saved in place of metrics
//! is refused by name, with the way out.

use super::{
    Form, Reader,
    form::{body_at, first_key, form, skip_blank},
    line,
    lines::each_line,
    open, read_source, time,
};
use crate::{Kind, Refusal, Source, detect::Head};

/// Prefixes that vLLM's families carry, also through Ray and exporters that replace colons.
pub const VLLM_PREFIXES: [&str; 4] = ["vllm:", "vllm_", "ray_vllm_", "ray_vllm:"];

/// The name without vLLM's prefix; `None` when it is not vLLM's.
pub fn vllm_tail(name: &str) -> Option<&str> {
    VLLM_PREFIXES.iter().find_map(|p| name.strip_prefix(p))
}

/// Recognises Prometheus text of a known engine or device; other text of the family is refused
/// by name.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let text = head.text.as_slice();
    let mut rest = skip_blank(text);
    // `curl -i` prints a header for every answer on the way: 100 Continue, a proxy's 200.
    while rest.starts_with(b"HTTP/") {
        if let Err(refusal) = good_status(source, rest) {
            return Some(Err(refusal));
        }
        rest = skip_blank(after_header(rest));
    }
    let body = &text[body_at(text)..];
    if form(text) != Form::Exposition {
        return Some(of_answer(source));
    }
    if let Some(page) = error_page(source, body) {
        return Some(Err(page));
    }
    let mut look = Look::default();
    for bytes in body.split(|b| *b == b'\n').take(5000) {
        look.line(bytes);
        if look.found == Some(Kind::VllmMetrics) {
            return Some(Ok(Kind::VllmMetrics));
        }
    }
    if !look.is_exposition() {
        return None;
    }
    Some(through_the_file(source))
}

/// An answer about stored samples is read whole: a name may stand in its last series.
fn of_answer(source: &Source) -> Result<Kind, Refusal> {
    let mut reader = Reader::default();
    read_source(&mut reader, source, &mut |_| Ok(()))?;
    let mut look = Look::default();
    for series in reader.table().series() {
        look.family(&series.key.name);
    }
    let tally = reader.tally();
    if let Some(kind) = look.found {
        return Ok(kind);
    }
    let code = match (
        look.families.is_empty(),
        tally.unnamed > 0,
        tally.native > 0,
    ) {
        (false, _, _) => return Err(look.without_engine(source)),
        (true, true, _) => "prometheus-expression",
        (true, false, true) => "prometheus-native-histograms",
        (true, false, false) => "prometheus-empty-answer",
    };
    let extent = tally.extent.values.unwrap_or((f64::NAN, f64::NAN));
    let mut refusal = Refusal::new(&source.name, code);
    if code == "prometheus-expression" {
        refusal = refusal
            .arg("series", tally.unnamed)
            .arg("samples", tally.samples)
            .arg("least", extent.0)
            .arg("greatest", extent.1);
    }
    Err(refusal)
}

/// The head is exposition text without vLLM's families: the rest of the file decides.
fn through_the_file(source: &Source) -> Result<Kind, Refusal> {
    let mut look = Look::default();
    let mut opened = open(source)?;
    // A damaged end does not matter here; the reader reports it.
    let _ = each_line(&mut *opened.input, &mut |l| {
        look.line(l.bytes);
        if look.found == Some(Kind::VllmMetrics) {
            Err(())
        } else {
            Ok(())
        }
    });
    if look.found == Some(Kind::VllmMetrics) {
        return Ok(Kind::VllmMetrics);
    }
    if look.samples == 0 {
        return Err(Refusal::new(&source.name, "metrics-no-sample"));
    }
    look.found.ok_or_else(|| look.without_engine(source))
}

/// What the lines looked at so far say.
#[derive(Default)]
struct Look {
    samples: u64,
    declared: u64,
    strange: u64,
    /// vLLM goes before other engines, those before devices.
    found: Option<Kind>,
    families: Vec<String>,
    last: String,
}

impl Look {
    fn line(&mut self, bytes: &[u8]) {
        let text = line::trim(bytes);
        if text.is_empty() {
            return;
        }
        let name = if let Some(comment) = text.strip_prefix(b"#") {
            let Some(rest) = ["HELP ", "TYPE "]
                .iter()
                .find_map(|word| line::trim(comment).strip_prefix(word.as_bytes()))
            else {
                return;
            };
            self.declared += 1;
            name_of(line::trim(rest))
        } else if self.is_sample(text) {
            self.samples += 1;
            name_of(text)
        } else {
            let is_separator = !text.iter().any(u8::is_ascii_alphanumeric)
                || time::of_line(text).is_some()
                || text.starts_with(b"HTTP/");
            self.strange += u64::from(!is_separator);
            return;
        };
        self.family(&String::from_utf8_lossy(name));
    }

    /// Full parsing costs; a name with a brace or a blank behind it is enough once it is clear
    /// what the text is.
    fn is_sample(&self, text: &[u8]) -> bool {
        if self.samples > 100 {
            let name = name_of(text);
            return !name.is_empty() && text.get(name.len()).is_some_and(|b| b" {\t".contains(b));
        }
        line::key(text).is_some_and(|(_, end)| line::tail(&text[end..]).is_some())
    }

    fn family(&mut self, name: &str) {
        if name == self.last {
            return;
        }
        name.clone_into(&mut self.last);
        let kind = if vllm_tail(name).is_some() {
            Some(Kind::VllmMetrics)
        } else {
            crate::engine_metrics::kind_of(name)
        };
        self.found = match (self.found, kind) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let new = self.families.len() < 5 && !self.families.iter().any(|f| f == name);
        if new && !name.is_empty() {
            self.families.push(name.to_owned());
        }
    }

    fn is_exposition(&self) -> bool {
        self.declared > 0 || (self.samples > 0 && self.samples >= self.strange)
    }

    fn without_engine(&self, source: &Source) -> Refusal {
        Refusal::new(&source.name, "metrics-without-engine")
            .arg("families", self.families.join(", "))
    }
}

fn name_of(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || b"_:".contains(b)))
        .unwrap_or(text.len());
    &text[..end]
}

/// An HTML page, or the JSON by which web frameworks state an error.
fn error_page(source: &Source, text: &[u8]) -> Option<Refusal> {
    let lower = text[..text.len().min(200)].to_ascii_lowercase();
    let page: &[&[u8]] = &[
        b"<html",
        b"<!doctype html",
        b"<head",
        b"<title",
        b"<body",
        b"<error",
        b"<h1",
    ];
    let is_page = page.iter().any(|start| lower.starts_with(start));
    let is_error = ["detail", "error"]
        .iter()
        .any(|key| first_key(&lower) == Some(key.as_bytes()));
    (is_page || is_error)
        .then(|| Refusal::new(&source.name, "web-error-page").arg("quote", quote(text)))
}

/// The beginning of a page as one line.
fn quote(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(400)]);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(120).collect()
}

fn good_status(source: &Source, text: &[u8]) -> Result<(), Refusal> {
    let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let status = first.split(|b| *b == b' ').nth(1).unwrap_or_default();
    if status.starts_with(b"2") || status.starts_with(b"1") {
        return Ok(());
    }
    Err(Refusal::new(&source.name, "web-error-page").arg("quote", quote(line::trim(first))))
}

fn after_header(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let Some(feed) = memchr::memchr(b'\n', rest) {
        let blank = line::trim(&rest[..feed]).is_empty();
        rest = &rest[feed + 1..];
        if blank {
            return rest;
        }
    }
    &[]
}
