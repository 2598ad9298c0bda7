//! The frame of the conformance tests: where the corpus lies, and the collector of comparisons.
//!
//! A kind's module walks its folders, maps what it read onto the expected keys and hands every
//! pair to a [`Comparison`]. The collector prints one line per folder and fails on any
//! difference, and on any expected key that was neither compared nor listed with a reason.

#![allow(dead_code, reason = "every kind uses its part of the frame")]

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Greatest relative difference between two numbers that are not whole.
pub const TOLERANCE: f64 = 1e-9;

/// The folder `name` of the corpus, or `None` (said on the screen) where there is none.
pub fn folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PEL_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("corpus {name}: skipped, no such folder (set PEL_CORPUS)");
    None
}

/// The files directly in `folder`, by name, without the manifest.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder can be listed")
        .map(|entry| entry.expect("the entry can be read").path())
        .filter(|path| path.is_file() && name_of(path) != "MANIFEST.tsv")
        .collect();
    found.sort();
    found
}

/// The last part of a path as text.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// A JSON file.
pub fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Collects the comparisons of one folder.
#[derive(Debug, Default)]
pub struct Comparison {
    folder: String,
    files: usize,
    refused: usize,
    numbers: usize,
    differences: Vec<String>,
    left: BTreeMap<String, usize>,
}

impl Comparison {
    /// A collector for the folder called `folder`.
    pub fn of(folder: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            ..Self::default()
        }
    }

    /// Counts a file that was read.
    pub fn read_file(&mut self) {
        self.files += 1;
    }

    /// Counts a file that was refused as it should be (a kind that is not supported, say).
    pub fn refused_file(&mut self) {
        self.refused += 1;
    }

    /// Records a difference at `path`, also for a file that could not be mapped at all.
    pub fn difference(&mut self, path: &str, what: impl std::fmt::Display) {
        self.differences.push(format!("{path}: {what}"));
    }

    /// Compares a number: whole numbers exactly, others within [`TOLERANCE`].
    pub fn number(&mut self, path: &str, expected: f64, got: Option<f64>) {
        self.numbers += 1;
        match got {
            Some(got) if same(expected, got) => {}
            Some(got) => self.difference(path, format!("expected {expected}, got {got}")),
            None => self.difference(path, format!("expected {expected}, got nothing")),
        }
    }

    /// Compares texts, booleans, lists of names: anything that is equal or not.
    pub fn equal<T: PartialEq + std::fmt::Debug>(&mut self, path: &str, expected: T, got: T) {
        self.numbers += 1;
        if expected != got {
            self.difference(path, format!("expected {expected:?}, got {got:?}"));
        }
    }

    /// Checks that what the expected file calls null was not captured.
    pub fn absent(&mut self, path: &str, got: Option<f64>) {
        self.numbers += 1;
        if let Some(got) = got {
            self.difference(path, format!("expected nothing, got {got}"));
        }
    }

    /// Compares a value that may be null in the expected file.
    pub fn optional(&mut self, path: &str, expected: &Value, got: Option<f64>) {
        match expected {
            Value::Null => self.absent(path, got),
            Value::String(s) if s == "+Inf" => self.number(path, f64::INFINITY, got),
            other => match other.as_f64() {
                Some(number) => self.number(path, number, got),
                None => self.difference(path, format!("expected {other}, which is no number")),
            },
        }
    }

    /// Compares two JSON trees wherever the expected one has something. A key of `skip` is left.
    pub fn tree(&mut self, path: &str, expected: &Value, got: &Value, skip: &[(&str, &str)]) {
        match (expected, got) {
            (Value::Object(want), Value::Object(have)) => {
                for (key, value) in want {
                    if skip.iter().any(|(k, _)| k == key) {
                        self.left(key);
                        continue;
                    }
                    let below = format!("{path}.{key}");
                    self.tree(&below, value, have.get(key).unwrap_or(&Value::Null), skip);
                }
            }
            (Value::Array(want), Value::Array(have)) if want.len() == have.len() => {
                for (i, (w, h)) in want.iter().zip(have).enumerate() {
                    self.tree(&format!("{path}[{i}]"), w, h, skip);
                }
            }
            (Value::Number(want), _) => {
                self.number(path, want.as_f64().unwrap_or(f64::NAN), got.as_f64());
            }
            _ => self.equal(path, expected, got),
        }
    }

    /// Says that the expected key was not compared.
    pub fn left(&mut self, key: &str) {
        *self.left.entry(key.to_owned()).or_default() += 1;
    }

    /// Prints the line of the folder and fails on differences and on unexplained keys.
    pub fn finish(self, not_compared: &[(&str, &str)]) {
        println!(
            "corpus {}: {} files read, {} refused as expected, {} numbers compared, {} differences, {} keys not compared",
            self.folder,
            self.files,
            self.refused,
            self.numbers,
            self.differences.len(),
            self.left.len()
        );
        let mut failures = self.differences;
        for (key, times) in &self.left {
            match not_compared.iter().find(|(k, _)| k == key) {
                Some((_, why)) => println!("  not compared: {key} ({times}): {why}"),
                None => failures.push(format!("{key}: not compared and no reason given")),
            }
        }
        if self.files + self.refused == 0 {
            failures.push("no file was read".to_owned());
        }
        let shown = failures.len().min(40);
        assert!(
            failures.is_empty(),
            "corpus {}: {} failures, the first {shown}:\n{}",
            self.folder,
            failures.len(),
            failures[..shown].join("\n")
        );
    }
}

/// Whether two numbers are the same: whole ones exactly, others within [`TOLERANCE`].
fn same(expected: f64, got: f64) -> bool {
    if expected == got || (expected.is_nan() && got.is_nan()) {
        return true;
    }
    if expected.fract() == 0.0 && got.fract() == 0.0 {
        return false;
    }
    (expected - got).abs() <= TOLERANCE * expected.abs().max(got.abs())
}

#[test]
fn whole_numbers_compare_exactly_and_others_closely() {
    assert!(same(3.0, 3.0) && same(0.1 + 0.2, 0.3));
    assert!(!same(1_000_000_000_000.0, 1_000_000_000_001.0));
    assert!(!same(0.3, 0.300_001));
}

#[test]
#[should_panic(expected = "no reason given")]
fn a_key_left_without_a_reason_fails() {
    let mut comparison = Comparison::of("nowhere");
    comparison.read_file();
    comparison.left("mystery");
    comparison.finish(&[("other", "because")]);
}

#[test]
#[should_panic(expected = "expected 2, got nothing")]
fn a_missing_number_fails() {
    let mut comparison = Comparison::of("nowhere");
    comparison.read_file();
    comparison.number("a.b", 2.0, None);
    comparison.finish(&[]);
}

#[test]
fn trees_differ_where_the_expected_one_says_something() {
    let want = serde_json::json!({"a": [1, 2.5], "b": {"c": "x"}, "how": "prose"});
    let mut same = Comparison::of("tree");
    same.read_file();
    same.tree(
        "t",
        &want,
        &serde_json::json!({"a": [1, 2.5], "b": {"c": "x", "d": 1}}),
        &[("how", "prose")],
    );
    assert!(same.differences.is_empty());
    let mut other = Comparison::of("tree");
    other.tree("t", &want, &serde_json::json!({"a": [1, 2.6]}), &[]);
    assert_eq!(other.differences.len(), 3);
}
