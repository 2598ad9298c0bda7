//! What the sample files say when they are read: the numbers the browser tests and the examples
//! rest on.

use chrono::{DateTime, Utc};
use pel::demo::{self, Pair};
use pel::ladder::contract::{Comparator, Limit, LimitPhase};
use pel::ladder::measure::{Value, Verdict, against};
use pel::ladder::run::{Phase, Profiled, Run, RunRole, Statement};
use pel_evidence::{HintAbout, Kind, Options, Reading, Signal, Source, Statistic};
use std::path::Path;
use uuid::Uuid;

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_796_050_430, 0).expect("a time")
}

fn read(paths: &[&Path]) -> Reading {
    let sources: Vec<Source> = paths.iter().map(Source::at).collect();
    pel_evidence::read(&sources, &Options::default()).expect("the sample is read")
}

fn signal<'r>(reading: &'r Reading, name: &str, statistic: Statistic) -> &'r Signal {
    reading
        .signals
        .iter()
        .find(|s| s.name == name && s.statistic == statistic && s.labels.is_empty())
        .unwrap_or_else(|| panic!("no {name} {statistic}"))
}

/// What the judgement says of a value under a limit, bucket width and all.
fn verdict(signal: &Signal, comparator: Comparator, limit: f64) -> Verdict {
    let limit = Limit {
        id: "limit".to_owned(),
        signal: signal.name.clone(),
        statistic: signal.statistic,
        comparator,
        value: limit,
        typed_unit: String::new(),
        class: None,
        band: None,
        phase: LimitPhase::Warm,
        min_samples: None,
    };
    let run = Run {
        id: Uuid::nil(),
        number: 1,
        statement_number: 1,
        stated: Statement {
            role: RunRole::Baseline,
            phase: Phase::Warm,
            profiled: Profiled::No,
            contract_version_id: None,
            environment: pel::ladder::environment::Environment::default(),
            class: None,
            band: None,
            window: None,
            note: String::new(),
        },
        by: Uuid::nil(),
        at: now(),
    };
    let value = Value {
        value: signal.value,
        samples: signal.samples,
        bound: signal.bound,
        scope: signal.scope,
        evidence_id: Uuid::nil(),
        evidence: String::new(),
        load: None,
        attested: None,
    };
    against(&limit, &run, &value)
}

fn judge(pair: &Pair) -> [Verdict; 3] {
    let reading = read(&[&pair.before, &pair.after]);
    assert_eq!(reading.kind, Kind::VllmMetrics);
    assert!(reading.hints.is_empty(), "{:?}", reading.hints);
    let window = reading.window.as_ref().expect("a window");
    assert_eq!(
        (window.start, window.end),
        (Some(pair.window.0), Some(pair.window.1))
    );
    let ttft = signal(&reading, "ttft", Statistic::P99);
    assert!(ttft.samples >= Some(1000));
    let acceptance = signal(&reading, "acceptance_rate", Statistic::Ratio);
    assert!(acceptance.samples >= Some(1000));
    [
        verdict(ttft, Comparator::AtMost, 0.8),
        verdict(
            signal(&reading, "itl", Statistic::P99),
            Comparator::AtMost,
            0.06,
        ),
        verdict(acceptance, Comparator::AtLeast, 0.97),
    ]
}

#[test]
fn baselines_break_the_limits_and_candidates_keep_them() {
    let dir = tempfile::tempdir().expect("a folder");
    let files = demo::files(dir.path(), now()).expect("written");
    let broken = [Verdict::Breaks, Verdict::Holds, Verdict::Breaks];
    let kept = [Verdict::Holds, Verdict::Holds, Verdict::Holds];
    for pair in files.baseline.iter().chain([&files.canary_baseline]) {
        assert_eq!(judge(pair), broken, "{}", pair.after.display());
    }
    for pair in [&files.candidate, &files.canary] {
        assert_eq!(judge(pair), kept, "{}", pair.after.display());
    }
    let [a, b] = &files.baseline;
    assert!(a.window.1 <= b.window.0, "the baseline runs do not overlap");
    let values: Vec<f64> = [a, b]
        .map(|p| {
            let reading = read(&[&p.before, &p.after]);
            signal(&reading, "ttft", Statistic::P99).value
        })
        .to_vec();
    let spread = (values[0] - values[1]).abs() / values[0].min(values[1]);
    assert!(spread > 0.0 && spread < 0.3, "{values:?}");
    assert!(files.canary.window.0 < now() && now() < files.canary.window.1);
    assert_eq!(files.canary.window, files.canary_baseline.window);
}

#[test]
fn the_export_and_the_sweeps_agree_with_what_is_typed_beside_them() {
    let dir = tempfile::tempdir().expect("a folder");
    let files = demo::files(dir.path(), now()).expect("written");
    let reading = read(&[&files.nsight.path]);
    assert_eq!(reading.kind, Kind::NsightSystems);
    assert!(
        reading
            .hints
            .iter()
            .all(|h| h.about == HintAbout::Profiled && h.says == "yes"),
        "{:?}",
        reading.hints
    );
    let window = reading.window.as_ref().expect("a window");
    let (from, to) = files.nsight.window;
    assert!(window.start >= Some(from) && window.end <= Some(to) && window.end.is_some());
    for (key, found) in &reading.environment {
        if let Some(stated) = files.environment_before.get(key) {
            assert_eq!(stated, found, "{key}");
        }
    }
    let gaps = signal(&reading, "gpu_gap_ratio", Statistic::Ratio).value;
    assert!(gaps > 0.02 && gaps < 0.3, "{gaps}");
    let knees = [&files.sweep_before, &files.sweep_after].map(|path| {
        let reading = read(&[path]);
        assert_eq!(reading.kind, Kind::PerfAnalyzerCsv);
        reading
            .signals
            .iter()
            .find(|s| s.name == "saturation_load")
            .expect("a knee")
            .value
    });
    assert!(
        knees[0] < knees[1],
        "the candidate saturates later: {knees:?}"
    );
}
