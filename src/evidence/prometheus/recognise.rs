//! Which text is Prometheus text, and of which engine.
//!
//! vLLM's families make it readable. Text of another engine, an answer of the Prometheus HTTP
//! API, or a web error page saved in place of metrics is refused by name, with the way out.

use super::{line, lines::each_line, open, time};
use crate::{Kind, Refusal, Source, detect::Head};

/// Prefixes that vLLM's families carry, also through Ray and exporters that replace colons.
pub const VLLM_PREFIXES: [&str; 4] = ["vllm:", "vllm_", "ray_vllm_", "ray_vllm:"];

/// The name without vLLM's prefix; `None` when it is not vLLM's.
pub fn vllm_tail(name: &str) -> Option<&str> {
    VLLM_PREFIXES.iter().find_map(|p| name.strip_prefix(p))
}

/// Families of other engines and exporters, by prefix.
const OTHERS: [(&str, &str); 14] = [
    ("sglang:", "SGLang"),
    ("sglang_", "SGLang"),
    ("tgi_", "Text Generation Inference"),
    ("nv_", "Triton Inference Server"),
    ("llamacpp:", "llama.cpp"),
    ("trtllm:", "TensorRT-LLM"),
    ("trtllm_", "TensorRT-LLM"),
    ("dynamo_", "Dynamo"),
    ("lmdeploy:", "LMDeploy"),
    ("DCGM_", "DCGM exporter"),
    ("ray_serve_", "Ray Serve"),
    ("kserve_", "KServe"),
    ("node_", "node exporter"),
    ("nvidia_smi_", "nvidia-smi exporter"),
];

/// Recognises Prometheus text of a known engine; other text of the family is refused by name.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let text = head.text.as_slice();
    let mut body = skip_blank(text);
    // `curl -i` prints a header for every answer on the way: 100 Continue, a proxy's 200.
    while body.starts_with(b"HTTP/") {
        if let Err(refusal) = good_status(source, body) {
            return Some(Err(refusal));
        }
        body = skip_blank(after_header(body));
    }
    if let Some(page) = error_page(source, body).or_else(|| api_answer(source, body)) {
        return Some(Err(page));
    }
    let mut look = Look::default();
    for bytes in body.split(|b| *b == b'\n').take(5000) {
        look.line(bytes);
        if look.vllm {
            return Some(Ok(Kind::VllmMetrics));
        }
    }
    if !look.is_exposition() {
        return None;
    }
    Some(through_the_file(source))
}

/// The head is exposition text without vLLM's families: the rest of the file decides.
fn through_the_file(source: &Source) -> Result<Kind, Refusal> {
    let mut look = Look::default();
    let mut opened = open(source)?;
    // A damaged end does not matter here; the reader reports it.
    let _ = each_line(&mut *opened.input, &mut |l| {
        look.line(l.bytes);
        if look.vllm { Err(()) } else { Ok(()) }
    });
    if look.vllm {
        return Ok(Kind::VllmMetrics);
    }
    if look.samples == 0 {
        return Err(Refusal::new(&source.name, "metrics-no-sample"));
    }
    if let Some(engine) = look.engine {
        return Err(Refusal::new(&source.name, "metrics-engine-not-read").arg("engine", engine));
    }
    Err(Refusal::new(&source.name, "metrics-without-engine")
        .arg("families", look.families.join(", ")))
}

/// What the lines looked at so far say.
#[derive(Default)]
struct Look {
    samples: u64,
    declared: u64,
    strange: u64,
    vllm: bool,
    engine: Option<&'static str>,
    families: Vec<String>,
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
        if vllm_tail(name).is_some() {
            self.vllm = true;
            return;
        }
        if self.engine.is_none() {
            self.engine = OTHERS
                .iter()
                .find(|(prefix, _)| name.starts_with(prefix))
                .map(|(_, engine)| *engine);
        }
        let new = self.families.len() < 5 && !self.families.iter().any(|f| f == name);
        if new && !name.is_empty() {
            self.families.push(name.to_owned());
        }
    }

    fn is_exposition(&self) -> bool {
        self.declared > 0 || (self.samples > 0 && self.samples >= self.strange)
    }
}

fn name_of(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || b"_:".contains(b)))
        .unwrap_or(text.len());
    &text[..end]
}

fn skip_blank(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .position(|b| !b.is_ascii_whitespace())
        .unwrap_or(text.len());
    &text[start..]
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

/// An answer of the Prometheus HTTP API, or what promtool prints.
fn api_answer(source: &Source, text: &[u8]) -> Option<Refusal> {
    let refusal = || Refusal::new(&source.name, "prometheus-api-not-yet");
    if first_key(text) == Some(b"status") {
        let head = String::from_utf8_lossy(&text[..text.len().min(400)]).replace([' ', '\n'], "");
        if head.contains("\"status\":\"error\"") {
            return Some(Refusal::new(&source.name, "web-error-page").arg("quote", quote(text)));
        }
        let is_api = head.contains("\"data\":") || head.contains("\"resultType\"");
        return is_api.then(refusal);
    }
    if text.starts_with(b"{__name__=") {
        return Some(refusal());
    }
    let first = line::trim(text.split(|b| *b == b'\n').next().unwrap_or_default());
    let is_query =
        line::key(first).is_some_and(|(_, end)| line::trim(&first[end..]).starts_with(b"=>"));
    is_query.then(refusal)
}

/// The first key of a JSON object.
fn first_key(text: &[u8]) -> Option<&[u8]> {
    let inside = skip_blank(text.strip_prefix(b"{")?).strip_prefix(b"\"")?;
    let end = inside.iter().position(|b| *b == b'"')?;
    skip_blank(&inside[end + 1..])
        .starts_with(b":")
        .then(|| &inside[..end])
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
