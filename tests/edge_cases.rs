//! Every edge case of the case's life has a test that bears its id, or is named as absent with
//! what is missing. The table is `docs/edge-cases.md`; a test's name begins with the ids it shows:
//! `r04_s12_history_counts…`.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Letter and how many cases bear it.
const ALL: &[(char, u32)] = &[
    ('A', 5),
    ('C', 13),
    ('E', 26),
    ('K', 22),
    ('R', 21),
    ('S', 13),
    ('X', 29),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn ids() -> BTreeSet<String> {
    ALL.iter()
        .flat_map(|(letter, most)| (1..=*most).map(move |n| format!("{letter}{n}")))
        .collect()
}

fn sources(folder: PathBuf, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The ids at the start of a test's name: `k5_…` and `k05_…` are both K5.
fn of_name(name: &str) -> Vec<String> {
    let known = ids();
    name.split('_')
        .map_while(|part| {
            let (letter, number) = part.split_at_checked(1)?;
            let number: u32 = number.parse().ok()?;
            let id = format!("{}{number}", letter.to_ascii_uppercase());
            known.contains(&id).then_some(id)
        })
        .collect()
}

/// For every id the tests that bear it, as `path::name`.
fn tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    sources(root().join("src"), &mut files);
    sources(root().join("tests"), &mut files);
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let place = file.strip_prefix(root()).unwrap().display().to_string();
        for (before, after) in text.split("fn ").zip(text.split("fn ").skip(1)) {
            let is_test = before.rsplit("\n\n").next().is_some_and(|head| {
                head.contains("test]") || head.contains("::test(") || head.contains("proptest!")
            });
            let name = after.split('(').next().unwrap();
            if is_test {
                for id in of_name(name) {
                    let test = format!("{place}::{name}");
                    found.entry(id).or_default().insert(test);
                }
            }
        }
    }
    found
}

/// Rows of the table: id and what stands in its last column.
fn rows() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("docs/edge-cases.md")).unwrap();
    text.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let known = ids().contains(*cells.first()?);
            known.then(|| (cells[0].to_owned(), cells[cells.len() - 1].to_owned()))
        })
        .collect()
}

#[test]
fn every_edge_case_has_a_test_or_a_reason() {
    let (tests, rows) = (tests(), rows());
    let mut wrong = Vec::new();
    for id in ids() {
        let Some(row) = rows.get(&id) else {
            wrong.push(format!("{id} has no row in docs/edge-cases.md"));
            continue;
        };
        let bear = tests.get(&id).cloned().unwrap_or_default();
        let named: BTreeSet<String> = row
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        if bear.is_empty() {
            let reason = row.strip_prefix("absent: ").unwrap_or_default();
            if reason.len() < 20 {
                wrong.push(format!(
                    "{id} has neither a test nor `absent: what is missing`"
                ));
            }
        } else if bear != named {
            let all: Vec<String> = bear.iter().map(|t| format!("`{t}`")).collect();
            wrong.push(format!("the row of {id} should name {}", all.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_bear_ids_and_words_do_not() {
    assert_eq!(of_name("r04_s12_history_counts"), ["R4", "S12"]);
    assert_eq!(of_name("k5_over_its_share"), ["K5"]);
    assert!(of_name("a_case_of_two").is_empty());
    assert!(of_name("x30_there_is_none").is_empty());
}
