//! Every code and every column of the readers of sweeps has its words in both languages.

use crate::{Options, Source, catalogue, samples, sweep::*};
use std::collections::BTreeSet;

const CATALOGUES: [&str; 2] = [
    concat!(
        include_str!("../../../../locales/en/evidence-sweep.ftl"),
        include_str!("../../../../locales/en/evidence-perf-analyzer.ftl")
    ),
    concat!(
        include_str!("../../../../locales/pt-BR/evidence-sweep.ftl"),
        include_str!("../../../../locales/pt-BR/evidence-perf-analyzer.ftl")
    ),
];

const SOURCES: [&str; 19] = [
    include_str!("../checks.rs"),
    include_str!("../validity.rs"),
    include_str!("../report.rs"),
    include_str!("../figures.rs"),
    include_str!("../../perf_analyzer/mod.rs"),
    include_str!("../../perf_analyzer/report.rs"),
    include_str!("../../perf_analyzer/rows.rs"),
    include_str!("../../perf_analyzer/columns.rs"),
    include_str!("../../perf_analyzer/recognition.rs"),
    include_str!("../../perf_analyzer/console/mod.rs"),
    include_str!("../../perf_analyzer/console/report.rs"),
    include_str!("../../perf_analyzer/export/mod.rs"),
    include_str!("../../perf_analyzer/export/report.rs"),
    include_str!("../../model_analyzer/mod.rs"),
    include_str!("../../model_analyzer/recognition.rs"),
    include_str!("../../model_analyzer/table.rs"),
    include_str!("../../model_analyzer/checkpoint.rs"),
    include_str!("../../model_analyzer/report.rs"),
    include_str!("../../model_analyzer/measured.rs"),
];

#[test]
fn every_code_has_its_sentence() {
    let is_code = |s: &&str| {
        [
            "perf-",
            "sweep-",
            "console-",
            "export-",
            "ma-",
            "genai-",
            "aiperf-",
            "no-measured",
        ]
        .iter()
        .any(|p| s.starts_with(p))
            && !s.ends_with('-')
            && s.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    let mut codes: BTreeSet<String> = SOURCES
        .iter()
        .flat_map(|s| s.split('"'))
        .filter(is_code)
        .map(str::to_owned)
        .collect();
    assert!(codes.len() > 80, "{}", codes.len());
    for part in ["client", "network", "queue", "compute"] {
        codes.insert(format!("sweep-time-{part}"));
    }
    for shape in ["single-point", "not-saturated", "saturated", "retrograde"] {
        codes.insert(format!("perf-shape-{shape}"));
    }
    codes.insert("perf-shape-saturated-from-first-point".to_owned());
    for catalogue in CATALOGUES {
        for code in &codes {
            let has = |prefix: &str, suffix: &str| {
                catalogue.contains(&format!("\n{prefix}-{code}{suffix} ="))
            };
            let refusal = has("refusal", "") && has("refusal", "-remedy");
            assert!(refusal || has("note", "") || has("figure", ""), "{code}");
        }
    }
}

/// Every column of every figure, of all parts and of samples of every kind.
#[test]
fn every_column_has_its_heading() {
    let mut point = LoadPoint::at(1);
    point.load = 1.0;
    point.throughput = Some(1.0);
    point.response_throughput = Some(1.0);
    point.requests = Some(1000);
    point.executed_batch = Some(2.0);
    point.delayed = Some(0.5);
    for def in PARTS {
        point.times.insert(def.part, 1e-3);
    }
    for q in ["p50", "p75", "p90", "p95", "p99"] {
        point.latency.insert(q.parse().unwrap(), 1.0);
    }
    for (field, ..) in GPU_FIELDS {
        point
            .gpus
            .entry("a".to_owned())
            .or_default()
            .insert(*field, 0.5);
    }
    let mut columns = BTreeSet::new();
    for (mode, label, of_requests) in [
        (Mode::Concurrency, "config", false),
        (Mode::RequestRate, "sweep", true),
    ] {
        let mut sweep = Sweep::new(mode);
        sweep.points = vec![point.clone()];
        sweep.of_requests = of_requests;
        sweep.settle();
        // A cache leaves no shares of time.
        sweep.fields.remove(&Field::Time(Part::CacheHit));
        sweep.fields.remove(&Field::Time(Part::CacheMiss));
        let mut second = sweep.clone();
        sweep.series = Some((label, "1".to_owned()));
        second.series = Some((label, "2".to_owned()));
        let reading = super::reading(&[sweep, second]);
        columns.extend(
            reading
                .figures
                .into_iter()
                .flat_map(|f| f.columns)
                .map(|c| c.id),
        );
    }
    for (name, bytes) in samples::sweep_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let reading = crate::read(&[Source::at(path)], &Options::default()).unwrap();
        columns.extend(
            reading
                .figures
                .into_iter()
                .flat_map(|f| f.columns)
                .map(|c| c.id),
        );
    }
    assert!(columns.len() > 45, "{}", columns.len());
    for catalogue in CATALOGUES {
        for column in &columns {
            let key = format!("\ncolumn-{} =", column.replace('_', "-"));
            assert!(catalogue.contains(&key), "{key}");
        }
    }
}

#[test]
fn every_signal_is_catalogued() {
    for name in YIELDS {
        assert!(catalogue::find(name).is_some(), "{name}");
    }
}
