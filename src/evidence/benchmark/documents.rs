//! JSON results: one object, several one after another (`--append-result`, JSONL), or a list of
//! them. What an object is is told by its keys.

use super::{
    aiperf,
    flat::{Flat, flatten},
    guidellm::{self, Records},
    inference_perf,
    json::{Fault, Json},
    llmperf,
    requests::Columns,
    run::{Results, Rule, Run},
    serve, server_metrics,
};
use crate::{Note, NoteLevel, Refusal, reading::tame};
use std::io::Read;

/// Most runs of one reading.
pub const MOST_RUNS: usize = 2000;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// A GuideLLM report.
    Guidellm,
    /// AIPerf's export of server metrics.
    ServerMetrics,
    /// A summary of AIPerf or GenAI-Perf.
    Aiperf,
    /// A file of inference-perf.
    InferencePerf,
    /// A summary of llmperf.
    LlmperfSummary,
    /// The record of one request of llmperf.
    LlmperfRecord,
    /// A result of vLLM's or SGLang's benchmarks.
    Serve(serve::Form),
}

/// What an object with these leaves and arrays is, if it is one of these.
pub fn which(flat: &Flat, columns: &Columns) -> Option<Which> {
    let has = |key: &str| {
        let array = ["ttfts", "itls", "output_lens", "latencies"].contains(&key);
        flat.has(key) || (array && !columns.is_empty())
    };
    let guide = flat.has("metadata.guidellm_version")
        || flat.has("benchmarks.0.metrics.requests_per_second")
        || flat
            .text("benchmarks.0.type_")
            .is_some_and(|t| t.contains("generative_benchmark"));
    if guide {
        return Some(Which::Guidellm);
    }
    if server_metrics::is_export(flat) {
        return Some(Which::ServerMetrics);
    }
    if aiperf::is_summary(flat) {
        return Some(Which::Aiperf);
    }
    if inference_perf::is_report(&has) {
        return Some(Which::InferencePerf);
    }
    if llmperf::is_summary(&has) {
        return Some(Which::LlmperfSummary);
    }
    if llmperf::is_record(&has) {
        return Some(Which::LlmperfRecord);
    }
    serve::form(&has).map(Which::Serve)
}

/// One object as read.
#[derive(Debug, Default)]
pub struct Object {
    /// Its leaves.
    pub flat: Flat,
    /// Its arrays with an entry per request.
    pub columns: Columns,
    records: Records,
}

impl Object {
    /// Reads the next value into this.
    ///
    /// # Errors
    /// What stopped the reader; what was read so far stays.
    pub fn read(&mut self, json: &mut Json<'_>) -> Result<(), Fault> {
        let Self {
            flat,
            columns,
            records,
        } = self;
        flatten(json, &mut String::new(), flat, &mut |path, json| {
            if path.is_empty() {
                return Ok(false);
            }
            if guidellm::skipped(path) {
                json.skip()?;
                return Ok(true);
            }
            Ok((!path.contains('.') && columns.take(path, json)?) || records.take(path, json)?)
        })
    }

    fn results(self, file: &str) -> Result<Option<Results>, Refusal> {
        self.columns.within_caps(file)?;
        let Some(which) = which(&self.flat, &self.columns) else {
            return Ok(None);
        };
        let flat = &self.flat;
        let mut results = match which {
            Which::Guidellm => guidellm::results(flat, self.records),
            Which::ServerMetrics => server_metrics::of_json(flat),
            Which::Aiperf => aiperf::results(flat),
            Which::InferencePerf => inference_perf::results(flat),
            Which::LlmperfSummary => llmperf::summary(flat),
            Which::LlmperfRecord => return Ok(None),
            Which::Serve(form) => serve::results(form, flat, self.columns),
        };
        if flat.full {
            let note = Note::new(NoteLevel::Warning, "bench-values-left-out");
            results.notes.push(note);
        }
        Ok(Some(results))
    }
}

/// Everything read so far of a file.
struct All<'f> {
    file: &'f str,
    results: Option<Results>,
    records: Option<Run>,
    objects: usize,
}

impl All<'_> {
    fn take(&mut self, object: Object, place: u64) -> Result<(), Refusal> {
        self.objects += 1;
        if which(&object.flat, &object.columns) == Some(Which::LlmperfRecord) {
            llmperf::record(self.records.get_or_insert_default(), &object.flat);
            return Ok(());
        }
        let Some(results) = object.results(self.file)? else {
            return Err(Refusal::new(self.file, "bench-unknown-object")
                .arg("number", self.objects)
                .at(format!("byte {place}")));
        };
        merge(self.file, &mut self.results, results)
    }

    /// Reads one value of the stream: an object, or a list of objects.
    fn value(&mut self, json: &mut Json<'_>) -> Result<Result<(), Refusal>, Fault> {
        if json.peek()? != Some(b'[') {
            return self.object(json);
        }
        json.value()?;
        let mut first = true;
        while json.item(first)? {
            first = false;
            if let Err(refusal) = self.object(json)? {
                return Ok(Err(refusal));
            }
        }
        Ok(Ok(()))
    }

    fn object(&mut self, json: &mut Json<'_>) -> Result<Result<(), Refusal>, Fault> {
        let place = json.place();
        let mut object = Object::default();
        object.read(json)?;
        Ok(self.take(object, place))
    }
}

/// Adds the runs of the same tool; refuses another one.
///
/// # Errors
/// `bench-mixed-tools`, `bench-too-many-runs`.
pub fn merge(file: &str, into: &mut Option<Results>, more: Results) -> Result<(), Refusal> {
    let Some(all) = into else {
        *into = Some(more);
        return Ok(());
    };
    if all.tool != more.tool {
        return Err(Refusal::new(file, "bench-mixed-tools")
            .arg("first", all.tool)
            .arg("second", more.tool));
    }
    if all.runs.len() + more.runs.len() > MOST_RUNS {
        return Err(Refusal::new(file, "bench-too-many-runs").arg("limit", MOST_RUNS));
    }
    all.runs.extend(more.runs);
    for note in more.notes {
        if !all.notes.contains(&note) {
            all.notes.push(note);
        }
    }
    if all.version.is_none() {
        all.version = more.version;
    }
    Ok(())
}

/// Reads a stream of JSON values.
///
/// # Errors
/// The byte at which it is cut or no JSON; an object that is no result; several tools. A last
/// object that is cut is left out and noted, when whole ones stand before it.
pub fn read(file: &str, input: &mut dyn Read) -> Result<Results, Refusal> {
    let mut json = Json::new(input);
    let mut all = All {
        file,
        results: None,
        records: None,
        objects: 0,
    };
    let mut cut = None;
    json.pass_bom().map_err(|f| refused(file, f))?;
    loop {
        json.restart();
        match json.peek() {
            Ok(None) => break,
            Ok(Some(_)) => {}
            Err(fault) => return Err(refused(file, fault)),
        }
        match all.value(&mut json) {
            Ok(taken) => taken?,
            Err(Fault::Cut(byte)) if all.objects > 0 => {
                cut = Some(byte);
                break;
            }
            Err(fault) => return Err(refused(file, fault)),
        }
    }
    if let Some(run) = all.records {
        let results = Results::of(llmperf::TOOL, Rule::Linear).with(vec![run]);
        merge(file, &mut all.results, results)?;
    }
    let Some(mut results) = all.results else {
        return Err(Refusal::new(file, "no-signal"));
    };
    if let Some(byte) = cut {
        let note = Note::new(NoteLevel::Warning, "bench-last-cut").arg("byte", byte);
        results.notes.push(note);
    }
    Ok(results)
}

fn refused(file: &str, fault: Fault) -> Refusal {
    let (code, byte) = match fault {
        Fault::Cut(byte) => ("bench-json-cut", byte),
        Fault::Syntax(byte) => ("bench-json", byte),
        Fault::Deep(byte) => ("bench-json-deep", byte),
        Fault::Io(error) if crate::input::is_damage(&error) => {
            return Refusal::new(file, "bench-gzip-damaged").arg("error", tame(&error.to_string()));
        }
        Fault::Io(error) => return Refusal::io(file, &error),
    };
    Refusal::new(file, code)
        .arg("byte", byte)
        .at(format!("byte {byte}"))
}
