//! The accept gate of a case with 500 evidence items and 20 000 signals, judged from the snapshot.

use crate::measure::{on_processor, quantile};
use crate::report::{Line, Unit};
use anyhow::ensure;
use chrono::{DateTime, TimeDelta, Utc};
use pel::ladder::basis;
use pel::ladder::case::CaseFile;
use pel::ladder::compare;
use pel::ladder::evidence::Held;
use pel::ladder::gate::{Checks, LineStatus, Target, judge, usual_runs};
use pel::ladder::run::Phase;
use pel::ladder::weigh::calculate;
use pel_evidence::{Signal, Statistic, catalogue};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;
use uuid::Uuid;

const ITEMS: usize = 500;
const SIGNALS: usize = 40;
const RUNS: usize = 50;
/// Seconds the promise allows, at p95.
const MOST_S: f64 = 0.050;

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    let now = DateTime::from_timestamp(1_777_824_000, 0).unwrap_or_default();
    let case = case(now)?;
    let signals: usize = case.evidence.iter().map(|e| e.signals().len()).sum();
    ensure!(
        (case.evidence.len(), signals) == (ITEMS, ITEMS * SIGNALS),
        "the case has {} items and {signals} signals",
        case.evidence.len()
    );
    let checks = Checks(BTreeMap::new());
    let gate = judge(&case, &case.policy, Target::Accept, &checks, now);
    let compared = gate
        .line("comparison_warm")
        .is_some_and(|l| l.status != LineStatus::Missing);
    ensure!(
        compared && gate.lines.len() > 10,
        "the gate judged no comparison: {:?}",
        gate.headline()
    );
    let (mut took, mut worked) = (Vec::new(), Vec::new());
    for _ in 0..if quick { 20 } else { 300 } {
        let (begun, before) = (Instant::now(), on_processor()?);
        let gate = judge(&case, &case.policy, Target::Accept, &checks, now);
        took.push(begun.elapsed().as_secs_f64());
        worked.push(on_processor()? - before);
        ensure!(!gate.lines.is_empty(), "an empty gate");
    }
    let name = "gate of 500 items and 20 000 signals, p95";
    let (clock, work) = (quantile(&took, 0.95), quantile(&worked, 0.95));
    Ok(vec![
        Line::limit(name, clock, MOST_S, Unit::Seconds),
        // What is left when the machine has other work beside.
        Line::beside("  of it on the processor", work, clock, Unit::Seconds),
    ])
}

fn id(n: usize) -> Uuid {
    Uuid::from_u128(n as u128)
}

fn environment(batch: &str) -> Value {
    json!({"facts": {"gpu_model": "NVIDIA H200", "gpu_count": "1", "node_count": "1",
        "driver_version": "570.86", "setting.max_num_batched_tokens": batch}})
}

/// Half the runs baseline and half candidate, warm but for two canary arms.
fn runs(now: DateTime<Utc>) -> Vec<Value> {
    let run = |i: usize| {
        let candidate = i % 2 == 1;
        let canary = i >= RUNS - 2;
        let hours = if canary { 8 } else { 200 - 2 * i as i64 };
        let from = now - TimeDelta::hours(hours);
        json!({"id": id(1000 + i), "number": i + 1, "statement_number": 1, "by": id(1), "at": from,
            "stated": {"role": if candidate { "candidate" } else { "baseline" },
                "phase": if canary { "canary" } else { "warm" }, "profiled": "no",
                "contract_version_id": id(100), "class": "chat", "band": "usual", "note": "",
                "environment": environment(if candidate { "4096" } else { "8192" }),
                "window": [from, from + TimeDelta::minutes(90)]}})
    };
    (0..RUNS).map(run).collect()
}

/// Every tenth part of a run's items: the limited signals in its first, other signals in all.
fn items(now: DateTime<Utc>) -> anyhow::Result<Vec<Value>> {
    let item = |i: usize| -> anyhow::Result<Value> {
        let run = i % RUNS;
        let candidate = run % 2 == 1;
        let mut signals = Vec::new();
        let mut held = Vec::new();
        if i < RUNS {
            for (name, value) in [("ttft", 1.6), ("itl", 0.05), ("e2e_latency", 9.0)] {
                let value = if candidate { value * 0.4 } else { value } + i as f64 * 1e-4;
                for statistic in [Statistic::P50, Statistic::P95, Statistic::P99] {
                    signals.push(Signal::new(name, statistic, value).samples(12_000));
                }
                held.push(Held {
                    signal: name.to_owned(),
                    labels: BTreeMap::new(),
                    form: "values".to_owned(),
                    n: 12_000,
                    digest: pel::ladder::digest(&(i, name)),
                });
            }
            let accepted = if candidate { 0.985 } else { 0.93 } + i as f64 * 1e-6;
            signals
                .push(Signal::new("acceptance_rate", Statistic::Ratio, accepted).samples(12_000));
        }
        // Labelled ones stand for parts of a run and belong to no limit.
        let others = catalogue::ALL.iter().cycle().skip(i);
        for (n, def) in others.take(SIGNALS - signals.len()).enumerate() {
            signals.push(Signal::new(def.name, Statistic::Max, n as f64).label("engine", n));
        }
        Ok(
            json!({"id": id(10_000 + i), "number": i + 1, "run_id": id(1000 + run),
            "files": [{"name": "metrics.txt", "sha256": format!("{i:064x}"), "bytes": 10}],
            "state": "usable", "state_reason": null, "state_since": now, "added_by": id(1), "added_at": now,
            "extraction": {"id": id(20_000 + i), "kind": "vllm_metrics", "tool": "vLLM", "parser": "1",
                "window": null, "environment": {}, "hints": [], "notes": [],
                "signals": signals, "held": held}}),
        )
    };
    (0..ITEMS).map(item).collect()
}

fn limits() -> Value {
    let latency = ["ttft", "itl", "e2e_latency"].into_iter().flat_map(|name| {
        ["p50", "p95", "p99"].map(|statistic| {
            json!({"id": format!("{name}-{statistic}"), "signal": name, "statistic": statistic,
                "comparator": "at_most", "value": 5.0, "typed_unit": "s", "class": null, "band": null,
                "phase": "warm", "min_samples": null})
        })
    });
    let floor = json!({"id": "accepted", "signal": "acceptance_rate", "statistic": "ratio",
        "comparator": "at_least", "value": 0.97, "typed_unit": "%", "class": null, "band": null,
        "phase": "warm", "min_samples": null});
    latency.chain([floor]).collect()
}

fn contract() -> Value {
    let load = json!({"arrival_per_second": null, "prompt_tokens_mean": null, "output_tokens_mean": null, "note": ""});
    json!({"id": id(100), "contract_id": id(101), "contract_name": "chat", "number": 1,
            "state": "published", "digest": null,
            "terms": {"purpose": "chat", "classes": [{"name": "chat", "description": ""}],
                "bands": [{"name": "usual", "min": 1, "max": 64}],
                "acceptance": {"definition": "stop", "signal": "acceptance_rate"},
                "limits": limits(), "window_seconds": 600, "min_samples": 1000,
                "load": load,
                "cost": null, "environment": {}}})
}

fn terms() -> Value {
    json!({"knob": {"component": "vllm-chat", "setting": "max_num_batched_tokens", "old": "8192",
            "new": "4096", "unit": "tokens"},
        "consequences": [], "expectation": {"signal": "ttft", "direction": "lower", "by": "50 %"},
        "risks": "", "thresholds": [], "action": "", "procedure": "runbook", "rollback_seconds": 900,
        "no_warm_reason": "", "touches_start_up": false,
        "plan": {"share_ceiling": 0.05, "scope": "chat", "max_requests": 50_000, "max_seconds": 14_400,
            "min_seconds": 1800, "min_samples": 1000, "concurrent_baseline": true,
            "no_baseline_reason": "", "watcher": "somebody"}})
}

fn case(now: DateTime<Utc>) -> anyhow::Result<CaseFile> {
    let ago = |hours: i64| now - TimeDelta::hours(hours);
    let terms: pel::ladder::change::Terms = serde_json::from_value(terms())?;
    let digest = terms.digest();
    let event = |kind: &str, hours: i64, run: Option<Uuid>| {
        json!({"kind": kind, "by": id(1), "at": ago(hours), "run_id": run, "share": 0.05, "requests": 24_000,
            "revision_digest": digest, "note": ""})
    };
    let change = json!({"id": id(200), "number": 1, "state": "awaiting_promotion", "state_since": ago(6),
            "author": id(1), "version": 1, "approvals": [], "requests": [],
            "revisions": [{"id": id(201), "number": 1, "terms": terms, "digest": digest,
                "authors": [id(1)], "submitted_at": ago(12)}],
            "canary": [event("started", 8, None), event("ended", 6, Some(id(1000 + RUNS - 1)))]});
    let mut case: CaseFile = serde_json::from_value(json!({
        "id": id(10), "number": 1, "title": "TTFT p99 doubled", "service": [id(11), "chat"], "problem": "",
        "symptom": {"signal": null, "statistic": null, "observed": null, "text": "slow"},
        "first_seen": ago(300), "classes": ["chat"], "state": "deciding", "state_since": ago(6),
        "owner": id(1), "opened_by": id(1), "opened_at": ago(299), "outcome": null, "on_hold": null,
        "version": 1, "problem_version": 1, "contract_link_version": 1, "newer_contract": null, "other_live_change": null, "people": [],
        "contract": contract(),
        "runs": runs(now), "evidence": items(now)?, "declarations": [], "hypotheses": [], "records": [],
        "changes": [change],
    }))?;
    let claims = json!([
        {"condition": "reproduced_bottleneck", "limit_id": "ttft-p99", "runs": [id(1000), id(1002)]},
        {"condition": "acceptance_impact_visible", "limit_id": "accepted",
            "runs": [id(1000), id(1002)], "note": ""},
        {"condition": "rollback_threshold_defined", "change_id": id(200), "revision_digest": digest},
    ]);
    for (i, claim) in claims.as_array().into_iter().flatten().enumerate() {
        let claim: pel::ladder::condition::Claim = serde_json::from_value(claim.clone())?;
        let rests = basis::of(&case, &claim);
        case.records.push(serde_json::from_value(json!({
            "id": id(300 + i), "number": i + 1, "claim": claim, "basis_digest": rests.digest(),
            "basis": rests, "by": id(1), "at": ago(16), "retracted": null}))?);
    }
    // As if every comparison had been calculated: the gate looks each up by its basis.
    for phase in [Phase::Warm, Phase::Canary] {
        let (baseline, candidate) = usual_runs(&case, phase);
        let asked = compare::asked(&case, &baseline, &candidate, phase);
        let results = asked.iter().map(|a| calculate(a, &[], &[]));
        let results: Vec<_> = results.collect();
        case.calculated.extend(results);
    }
    ensure!(case.calculated.len() >= 9, "nothing was asked for");
    Ok(case)
}
