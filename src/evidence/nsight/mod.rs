//! Nsight Systems SQLite exports (stages 2, 3 and part of 5), and the refusals of its binary reports.
//!
//! A table that is not in the file was not recorded: what it would say is noted as not captured,
//! never given as zero. The tables are read once, into compact rows that are sorted in memory, so
//! memory grows with the number of operations and calls (about 150 bytes for a launch with its
//! call), up to a stated number of rows.

mod calls;
mod device;
mod export;
mod facts;
mod figures;
mod foreign;
mod kernels;
mod names;
mod notes;
mod ops;
mod seen;
mod side;
mod signals;
mod spans;
mod yields;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

pub use names::kernel_label;
pub(crate) use names::redact;
pub use yields::YIELDS;

use crate::{FileRead, Kind, Options, Reading, Refusal, Source, Tool, detect::Head};
use export::{Export, MAGIC};
use seen::Seen;

/// Version of this parser.
pub const PARSER: &str = "1.0";

/// Tables of another SQLite file that its refusal names.
const NAMED_TABLES: usize = 5;

/// Recognises exports by content; binary reports are refused with the command that exports them,
/// other SQLite files with the names of the tables found.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    if !head.raw.starts_with(MAGIC) {
        return foreign::refuse(source, head).map(Err);
    }
    Some(Export::open(source).and_then(|export| {
        let ours = |t: &str| {
            matches!(t, "META_DATA_EXPORT" | "EXPORT_META_DATA")
                || t.starts_with("CUPTI_ACTIVITY_KIND_")
        };
        if export.tables().any(ours) {
            return Ok(Kind::NsightSystems);
        }
        let found: Vec<String> = export
            .tables()
            .take(NAMED_TABLES)
            .map(names::clean)
            .collect();
        let tables = match found.is_empty() {
            true => "none".to_owned(),
            false => found.join(", "),
        };
        Err(Refusal::new(&source.name, "sqlite-not-nsight").arg("tables", tables))
    }))
}

/// Reads one export.
///
/// # Errors
/// A refusal when the file is damaged, not an export, of an unknown layout, too large, or says
/// nothing.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let [source] = sources else {
        let name = sources.first().map_or("", |s| s.name.as_str());
        return Err(
            Refusal::new(name, "one-file-per-reading").arg("kind", Kind::NsightSystems.id())
        );
    };
    let bytes = std::fs::metadata(&source.path)
        .map_err(|e| Refusal::io(&source.name, &e))?
        .len();
    let export = Export::open(source)?;
    let seen = Seen::of(&export, &source.name)?;
    let tool = Tool {
        name: "Nsight Systems".to_owned(),
        version: seen.facts.version.clone(),
        format: seen.facts.schema.clone(),
    };
    let mut reading = Reading::new(Kind::NsightSystems, PARSER, tool);
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes,
    });
    reading.window = seen.facts.window();
    reading.environment = seen.facts.environment.clone();
    if !seen.devices.is_empty() {
        reading
            .environment
            .insert("gpu_count".to_owned(), seen.devices.len().to_string());
    }
    notes::write(&mut reading, &seen);
    signals::write(&mut reading, &seen);
    figures::write(&mut reading, &seen);
    reading.or_empty(&source.name)
}
