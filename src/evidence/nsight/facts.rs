//! What the export says about itself: versions, the machine, the clock, the profiler's messages.
//!
//! Only the named rows are read. Environment variables, command lines, host and user names, paths
//! and captured output lie in neighbouring rows and tables and are never looked at.

use super::{
    export::Export,
    names::{cut_paths, kernel_label, redact},
};
use crate::{Refusal, Window, reading::tame};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// Layout generations this reader knows.
const MAJORS: [&str; 2] = ["2", "3"];
/// Messages of the profiler kept at most.
pub(super) const MESSAGES: usize = 30;

/// A message of the profiler that matters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Message {
    pub error: bool,
    pub text: String,
}

/// One GPU of the machine.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Gpu {
    pub id: i64,
    pub name: Option<String>,
    /// Bytes per second.
    pub bandwidth: Option<i64>,
}

/// Facts about the capture.
#[derive(Default)]
pub(super) struct Facts {
    pub version: Option<String>,
    pub schema: Option<String>,
    pub duration: Option<u64>,
    pub start: Option<DateTime<Utc>>,
    pub environment: BTreeMap<String, String>,
    pub gpus: Vec<Gpu>,
    pub messages: BTreeSet<Message>,
    pub messages_left_out: u64,
    /// The profiler says that CUDA events may be missing.
    pub events_missing: bool,
    /// `gpuId` by CUDA ordinal and process.
    pub ordinals: BTreeMap<(i64, i64), i64>,
}

impl Facts {
    /// Reads the facts.
    ///
    /// # Errors
    /// `nsight-schema-unknown-major`, else as [`Export::scan`].
    pub(super) fn load(export: &Export, file: &str) -> Result<Self, Refusal> {
        let mut facts = Self::default();
        facts.versions(export)?;
        if let Some(schema) = &facts.schema {
            let major = schema.split('.').next().unwrap_or_default();
            if !MAJORS.contains(&major) {
                return Err(Refusal::new(file, "nsight-schema-unknown-major")
                    .arg("schema", schema)
                    .at("table META_DATA_EXPORT"));
            }
        }
        facts.clock(export)?;
        facts.machine(export)?;
        facts.graph_mode(export)?;
        facts.messages(export)?;
        Ok(facts)
    }

    fn versions(&mut self, export: &Export) -> Result<(), Refusal> {
        for table in ["META_DATA_EXPORT", "EXPORT_META_DATA"] {
            export.scan_where(
                table,
                &["name", "value"],
                "WHERE name IN ('EXPORT_SCHEMA_VERSION', 'EXPORT_PRODUCT_VERSION')",
                &mut |row| {
                    let version = row.text(1)?.filter(|v| is_version(v));
                    match row.text(0)?.as_deref() {
                        Some("EXPORT_SCHEMA_VERSION") => self.schema = version,
                        _ => self.version = version,
                    }
                    Ok(())
                },
            )?;
        }
        Ok(())
    }

    /// The session's clock begins at `utcEpochNs`. Later releases also give `systemClockNs`, the
    /// reading of the machine's clock at that moment; events do not count from it (the profiler's
    /// own "has started" message stands at 0), so it is not subtracted.
    fn clock(&mut self, export: &Export) -> Result<(), Refusal> {
        export.scan("ANALYSIS_DETAILS", &["duration"], &mut |row| {
            let nanos = row.int(0)?.and_then(|n| u64::try_from(n).ok());
            self.duration = self.duration.max(nanos.filter(|n| *n > 0));
            Ok(())
        })?;
        export.scan(
            "TARGET_INFO_SESSION_START_TIME",
            &["utcEpochNs"],
            &mut |row| {
                if let Some(nanos) = row.int(0)?.filter(|n| *n > 0) {
                    let start = DateTime::from_timestamp_nanos(nanos);
                    self.start = Some(self.start.map_or(start, |s| s.min(start)));
                }
                Ok(())
            },
        )?;
        Ok(())
    }

    fn machine(&mut self, export: &Export) -> Result<(), Refusal> {
        export.scan_where(
            "TARGET_INFO_SYSTEM_ENV",
            &["name", "value"],
            "WHERE name IN ('NvDriverVersion', 'CudaDriverVersion', 'OsDescription', 'CpuCores')",
            &mut |row| {
                let (Some(name), Some(value)) = (row.text(0)?, row.text(1)?) else {
                    return Ok(());
                };
                let value = tame(&redact(value.trim()));
                let (key, value) = match name.as_str() {
                    "NvDriverVersion" => ("driver_version", value),
                    "CudaDriverVersion" => ("cuda_version", cuda_version(&value)),
                    "OsDescription" => ("os", value),
                    _ => ("cpu_cores", value),
                };
                if !value.is_empty() {
                    self.environment.insert(key.to_owned(), value);
                }
                Ok(())
            },
        )?;
        let columns = ["id", "name", "memoryBandwidth"];
        export.scan("TARGET_INFO_GPU", &columns, &mut |row| {
            if self.gpus.len() < 256 {
                self.gpus.push(Gpu {
                    id: row.need(0)?,
                    name: row.text(1)?.map(|n| kernel_label(n.trim())),
                    bandwidth: row.int(2)?.filter(|b| *b > 0),
                });
            }
            Ok(())
        })?;
        let models: BTreeSet<&str> = self.gpus.iter().filter_map(|g| g.name.as_deref()).collect();
        if !models.is_empty() {
            let models: Vec<&str> = models.into_iter().collect();
            self.environment
                .insert("gpu_model".to_owned(), tame(&models.join(" + ")));
        }
        let columns = ["gpuId", "cudaId", "pid"];
        export.scan("TARGET_INFO_CUDA_DEVICE", &columns, &mut |row| {
            if self.ordinals.len() < 4096 {
                let key = (row.need(1)?, row.need(2)?);
                self.ordinals.insert(key, row.need(0)?);
            }
            Ok(())
        })?;
        Ok(())
    }

    fn graph_mode(&mut self, export: &Export) -> Result<(), Refusal> {
        export.scan_where(
            "META_DATA_CAPTURE",
            &["value"],
            "WHERE name = 'CUDA_GRAPH_TRACE_OPTIONS:MODE' \
             OR name LIKE 'PROCESS!_%:CUDA!_GRAPH!_TRACE!_OPTIONS:MODE' ESCAPE '!'",
            &mut |row| {
                // Two words are possible; anything else is not what it claims to be.
                if let Some(mode @ ("Graph" | "Node")) = row.text(0)?.as_deref() {
                    self.environment
                        .insert("cuda_graph_trace".to_owned(), mode.to_ascii_lowercase());
                }
                Ok(())
            },
        )?;
        Ok(())
    }

    fn messages(&mut self, export: &Export) -> Result<(), Refusal> {
        export.scan_where(
            "DIAGNOSTIC_EVENT",
            &["severity", "text"],
            "WHERE severity IN (2, 3)",
            &mut |row| {
                let severity = row.need(0)?;
                let Some(text) = row.text(1)? else {
                    return Ok(());
                };
                self.events_missing |= text.contains("Not all CUDA events might have been");
                let message = Message {
                    error: severity == 3,
                    text: tame(&redact(&cut_paths(&text))),
                };
                if self.messages.len() < MESSAGES {
                    self.messages.insert(message);
                } else if !self.messages.contains(&message) {
                    self.messages_left_out += 1;
                }
                Ok(())
            },
        )?;
        Ok(())
    }

    /// The stretch the capture claims.
    pub(super) fn window(&self) -> Option<Window> {
        if self.start.is_none() && self.duration.is_none() {
            return None;
        }
        let length = self
            .duration
            .and_then(|n| i64::try_from(n).ok())
            .map(TimeDelta::nanoseconds);
        Some(Window {
            start: self.start,
            end: self
                .start
                .zip(length)
                .and_then(|(s, l)| s.checked_add_signed(l)),
            seconds: self.duration.map(|n| n as f64 / 1e9),
        })
    }
}

fn is_version(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// `12040` as the driver counts is CUDA 12.4.
fn cuda_version(value: &str) -> String {
    match value.parse::<u32>() {
        Ok(n) if n >= 1000 => format!("{}.{}", n / 1000, n % 1000 / 10),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_driver_api_are_spelled_as_people_do() {
        assert_eq!(cuda_version("12040"), "12.4");
        assert_eq!(cuda_version("13010"), "13.1");
        assert_eq!(cuda_version("12.4"), "12.4");
    }
}
