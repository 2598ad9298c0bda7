//! Which files are results of load generators, by their beginning, and in what form they are.

use super::{
    console,
    documents::{Object, which},
    guidellm_csv,
    json::Json,
    mlperf, tables,
};
use crate::{Kind, Refusal, Source, detect::Head};

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON values.
    Json,
    /// A YAML report of GuideLLM.
    Yaml,
    /// Text with console blocks of a serving benchmark.
    Console,
    /// The boxed table of GenAI-Perf.
    Boxed,
    /// Tables of GenAI-Perf or AIPerf.
    Tables,
    /// The table of GuideLLM.
    GuidellmTable,
    /// LoadGen's summary.
    MlperfSummary,
    /// LoadGen's detail log.
    MlperfDetail,
}

/// The form of a file with this beginning, if it is one of these.
pub fn form(head: &[u8]) -> Option<Form> {
    let first = head.iter().find(|b| !b.is_ascii_whitespace())?;
    if matches!(first, b'{' | b'[') && !head.trim_ascii_start().starts_with(b"[1,0]") {
        return is_json(head).then_some(Form::Json);
    }
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let line = lines.next()?.trim_start_matches('\u{feff}');
    if line.starts_with(mlperf::DETAIL) {
        return Some(Form::MlperfDetail);
    }
    if text.lines().take(20).any(|l| l.trim() == mlperf::SUMMARY) {
        return Some(Form::MlperfSummary);
    }
    if is_table(line) {
        return Some(Form::Tables);
    }
    if guidellm_csv::is_table(line, lines.next().unwrap_or_default()) {
        return Some(Form::GuidellmTable);
    }
    if text.contains(console::TITLE) {
        return Some(Form::Console);
    }
    if text.contains("GenAI-Perf |") && text.contains("Statistic") {
        return Some(Form::Boxed);
    }
    is_yaml(&text).then_some(Form::Yaml)
}

fn is_table(line: &str) -> bool {
    let plain = line.replace('"', "").replace([';', '\t'], ",");
    line.starts_with(tables::SERVER_EXPORT)
        || plain.starts_with("Metric,avg,")
        || plain.starts_with("Metric,Value")
        || (plain.starts_with("Config Name,") && plain.contains("(requests/sec)"))
        || plain.starts_with("Endpoint,Type,Metric,")
}

fn is_yaml(text: &str) -> bool {
    let top = |key: &str| text.lines().any(|l| l.starts_with(key));
    let report = text.contains("guidellm_version:") || text.contains("type_: generative_benchmark");
    report && (top("metadata:") || top("benchmarks:"))
}

/// Whether the values that the beginning shows are results. It is cut somewhere, which is no harm.
fn is_json(head: &[u8]) -> bool {
    let mut bytes = head;
    let mut json = Json::new(&mut bytes);
    let mut object = Object::default();
    if json.peek().ok().flatten() == Some(b'[')
        && !(json.value().is_ok() && json.item(true).is_ok_and(|more| more))
    {
        return false;
    }
    if json.peek().ok().flatten() != Some(b'{') {
        return false;
    }
    let _ = object.read(&mut json);
    which(&object.flat, &object.columns).is_some()
}

/// Recognises results of load generators; `None` for anything else.
pub fn recognise(_source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    form(&head.text).map(|_| Ok(Kind::BenchmarkResults))
}
