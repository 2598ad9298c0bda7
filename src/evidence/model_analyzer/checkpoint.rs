//! Checkpoints: JSON with every measurement unrounded and the whole configuration of each variant.
//!
//! Only the parts that are used are kept while reading; the rest of the file is skipped.

use super::measured::{GpuRow, Measured, Measurement, of_gpu, of_tag};
use super::{MOST_CHECKPOINT, MOST_MEASUREMENTS};
use crate::{Note, NoteLevel, Refusal, reading::tame, sweep::Mode};
use serde::Deserialize;
use std::{collections::BTreeMap, io::BufRead};

/// A checkpoint, read.
pub(super) struct Found {
    pub measured: Measured,
    pub notes: Vec<Note>,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "ResultManager.results")]
    results: Option<Results>,
    #[serde(rename = "ResultManager.server_only_data")]
    server_only: Option<BTreeMap<String, Vec<Record>>>,
}

#[derive(Deserialize)]
struct Results {
    #[serde(rename = "_results")]
    results: BTreeMap<String, BTreeMap<String, Entry>>,
}

/// The configuration, and measurements by the command that made them.
#[derive(Deserialize)]
struct Entry(RunConfig, BTreeMap<String, Taken>);

#[derive(Deserialize)]
struct RunConfig {
    #[serde(rename = "_model_run_configs", default)]
    models: Vec<ModelRun>,
}

#[derive(Deserialize)]
struct ModelRun {
    #[serde(rename = "_model_config_variant", default)]
    variant: Option<Variant>,
}

#[derive(Deserialize)]
struct Variant {
    #[serde(default)]
    model_config: Option<Config>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Config {
    max_batch_size: Option<u64>,
    instance_group: Vec<InstanceGroup>,
    dynamic_batching: Option<DynamicBatching>,
    response_cache: Option<ResponseCache>,
}

#[derive(Deserialize)]
struct InstanceGroup {
    #[serde(default)]
    count: Option<u64>,
    #[serde(default)]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct DynamicBatching {
    /// 64-bit integers are texts in the JSON of protobuf.
    #[serde(rename = "maxQueueDelayMicroseconds", default)]
    delay: Option<Whole>,
}

#[derive(Deserialize)]
struct ResponseCache {
    #[serde(default)]
    enable: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Whole {
    Number(f64),
    Text(String),
}

impl Whole {
    fn value(&self) -> Option<f64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Text(t) => t.parse().ok(),
        }
    }
}

#[derive(Deserialize)]
struct Taken {
    #[serde(rename = "_gpu_data", default)]
    gpus: Option<BTreeMap<String, Vec<Record>>>,
    #[serde(rename = "_model_config_measurements", default)]
    models: Vec<ModelTaken>,
}

#[derive(Deserialize)]
struct ModelTaken {
    #[serde(rename = "_model_specific_pa_params", default)]
    parameters: BTreeMap<String, Option<Whole>>,
    #[serde(rename = "_non_gpu_data", default)]
    data: Vec<Record>,
}

/// `["perf_latency_p99", {"_value": 0.539, …}]`.
#[derive(Deserialize)]
struct Record(String, Valued);

#[derive(Deserialize)]
struct Valued {
    #[serde(rename = "_value")]
    value: Option<f64>,
}

/// Reads a checkpoint.
pub(super) fn read(file: &str, input: impl BufRead, packed: bool) -> Result<Found, Refusal> {
    let mut input = input;
    if input
        .fill_buf()
        .map_err(|e| super::unreadable(file, &e, packed))?
        .starts_with(b"\xef\xbb\xbf")
    {
        input.consume(3);
    }
    let parsed: File = serde_json::from_reader(input.take(MOST_CHECKPOINT)).map_err(|e| {
        let code = match e.classify() {
            serde_json::error::Category::Io if packed => "perf-gzip-damaged",
            serde_json::error::Category::Io => "io",
            serde_json::error::Category::Eof => "export-cut",
            _ => "ma-checkpoint-damaged",
        };
        Refusal::new(file, code).arg("error", &e).at(format!(
            "line {}, column {}",
            e.line(),
            e.column()
        ))
    })?;
    let mut found = Found {
        measured: Measured {
            counts: "entry",
            ..Measured::default()
        },
        notes: Vec::new(),
    };
    for (model, configs) in parsed.results.map(|r| r.results).unwrap_or_default() {
        for (name, entry) in configs {
            found.take(file, &model, &name, entry)?;
        }
    }
    for (gpu, records) in parsed.server_only.unwrap_or_default() {
        found.measured.gpus.push(gpu_row(None, &gpu, &records));
    }
    Ok(found)
}

fn gpu_row(of: Option<(String, String, String)>, gpu: &str, records: &[Record]) -> GpuRow {
    let value = |Record(tag, valued): &Record| {
        let (field, factor) = of_gpu(tag)?;
        let value = valued.value.filter(|v| v.is_finite() && *v >= 0.0)?;
        Some((field, value * factor))
    };
    GpuRow {
        of,
        gpu: tame(gpu),
        values: records.iter().filter_map(value).collect(),
    }
}

impl Found {
    fn take(
        &mut self,
        file: &str,
        model: &str,
        name: &str,
        Entry(config, taken): Entry,
    ) -> Result<(), Refusal> {
        let configs: Vec<Config> = config
            .models
            .into_iter()
            .filter_map(|m| m.variant?.model_config)
            .collect();
        self.validity(name, &configs);
        let joined = |of: &dyn Fn(&Config) -> Option<String>| {
            let all: Option<Vec<String>> = configs.iter().map(of).collect();
            all.filter(|a| !a.is_empty()).map(|a| a.join(","))
        };
        let instances = joined(&|c| {
            let group = c.instance_group.first()?;
            let kind = group
                .kind
                .as_deref()
                .unwrap_or("")
                .trim_start_matches("KIND_");
            Some(tame(&format!("{}:{kind}", group.count.unwrap_or(1))))
        });
        let max_batch = joined(&|c| Some(c.max_batch_size.unwrap_or(0).to_string()));
        // The order of commands is that of their texts; entries count through the file.
        for one in taken.into_values() {
            if self.measured.all.len() >= MOST_MEASUREMENTS {
                return Err(Refusal::new(file, "ma-too-many").arg("limit", MOST_MEASUREMENTS));
            }
            let mut row = Measurement::at(self.measured.all.len() as u64 + 1);
            row.model = tame(model);
            row.config = tame(name);
            row.instances.clone_from(&instances);
            row.max_batch.clone_from(&max_batch);
            fill(&mut row, &one.models);
            if row.loads.is_empty() {
                self.notes.push(
                    Note::new(NoteLevel::Warning, "ma-no-load")
                        .arg("config", name)
                        .arg("entry", row.point.line),
                );
                continue;
            }
            row.point.load = row.loads.iter().sum();
            let key = (row.config.clone(), row.batch_text(), row.load_text());
            for (gpu, records) in one.gpus.unwrap_or_default() {
                self.measured
                    .gpus
                    .push(gpu_row(Some(key.clone()), &gpu, &records));
            }
            self.measured.all.push(row);
        }
        Ok(())
    }

    /// What the configuration says about the numbers measured with it.
    fn validity(&mut self, name: &str, configs: &[Config]) {
        let delay = configs
            .iter()
            .filter_map(|c| c.dynamic_batching.as_ref()?.delay.as_ref()?.value())
            .fold(0.0, f64::max);
        if delay > 0.0 {
            self.notes.push(
                Note::new(NoteLevel::Info, "ma-batch-delay")
                    .arg("config", name)
                    .arg("delay", delay / 1e3),
            );
        }
        if configs
            .iter()
            .any(|c| c.response_cache.as_ref().is_some_and(|r| r.enable))
        {
            self.notes
                .push(Note::new(NoteLevel::Warning, "ma-response-cache").arg("config", name));
        }
    }
}

/// The numbers of one measurement: one model's as they are, of several the sum of throughput and
/// the mean of the rest, as the tool's tables show them.
fn fill(row: &mut Measurement, models: &[ModelTaken]) {
    let parameter = |m: &ModelTaken, name: &str| m.parameters.get(name)?.as_ref()?.value();
    let all = |name: &str| -> Option<Vec<f64>> {
        let found: Option<Vec<f64>> = models.iter().map(|m| parameter(m, name)).collect();
        found.filter(|f| !f.is_empty() && f.iter().all(|v| v.is_finite() && *v > 0.0))
    };
    row.batch = all("batch-size").unwrap_or_default();
    if let Some(loads) = all("concurrency-range") {
        row.loads = loads;
    } else if let Some(loads) = all("request-rate-range") {
        row.mode = Mode::RequestRate;
        row.loads = loads;
    }
    let values = |m: &ModelTaken| -> Vec<(String, f64)> {
        m.data
            .iter()
            .filter_map(|Record(tag, v)| Some((tag.clone(), v.value?)))
            .filter(|(_, v)| v.is_finite() && *v >= 0.0)
            .collect()
    };
    let mut sums: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for (tag, value) in models.iter().flat_map(values) {
        let entry = sums.entry(tag).or_default();
        *entry = (entry.0 + value, entry.1 + 1);
    }
    for (tag, (sum, count)) in sums {
        let Some(meaning) = of_tag(&tag).filter(|_| count == models.len()) else {
            continue;
        };
        let adds = tag.ends_with("_throughput");
        row.take(meaning, if adds { sum } else { sum / count as f64 });
    }
}
