//! The readers of load generators, on small inputs.

mod damage;
mod json;
mod tools;
mod truths;

use super::read;
use crate::{Options, Reading, Refusal, Source, Statistic};
use std::io::Write;

/// The reading of one text.
fn of(text: impl AsRef<[u8]>) -> Result<Reading, Refusal> {
    all(&[text.as_ref()])
}

/// The reading of several texts handed in together, through detection.
fn all(texts: &[&[u8]]) -> Result<Reading, Refusal> {
    let files: Vec<tempfile::NamedTempFile> = texts
        .iter()
        .map(|text| {
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            file.write_all(text).expect("written");
            file
        })
        .collect();
    let sources: Vec<Source> = files.iter().map(|f| Source::at(f.path())).collect();
    let kind = crate::detect::kind_of(&sources)?;
    assert_eq!(kind, crate::Kind::BenchmarkResults);
    read(&sources, &Options::default())
}

fn value(reading: &Reading, name: &str, statistic: Statistic) -> f64 {
    let value = reading.value(name, statistic);
    value.unwrap_or_else(|| panic!("{name} {statistic} in {:#?}", reading.signals))
}

fn near(got: f64, wanted: f64) {
    assert!(
        (got - wanted).abs() <= wanted.abs() * 1e-9,
        "{got} != {wanted}"
    );
}

fn noted(reading: &Reading, code: &str) -> bool {
    reading.notes.iter().any(|n| n.code == code)
}
