//! The whole of a case in a few lines for a machine: the five stages with their signals and
//! values, what counts as accepted, and where the four stop conditions stand.
//!
//! A decision seals its own, so that a year later it still says what was known then.
//! `docs/schema/pel-summary-1.schema.json` describes the shape.

use super::case::CaseFile;
use super::compare::Comparison;
use super::condition::Condition;
use super::conditions;
use super::contract::Version;
use super::decision::Sealed;
use super::gate::{Gate, InputKind, LineStatus};
use super::run::{Phase, RunRole};
use super::stage;
use super::view::View;
use super::{Stage, Statistic, Unit, basis};
use chrono::{DateTime, Utc};
use pel_evidence::catalogue::find as definition;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

/// Where the shape is described.
pub const SCHEMA: &str = "/schema/pel-summary-1.schema.json";
/// The schema itself, as published.
pub const SCHEMA_TEXT: &str = include_str!("../../docs/schema/pel-summary-1.schema.json");
/// The most signals a stage lists; how many were left out is said.
pub const SIGNALS: usize = 200;

/// A signal's value, in its base unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Name from the catalogue.
    pub name: String,
    /// Which statistic of it.
    pub statistic: Statistic,
    /// The value.
    pub value: f64,
    /// Its base unit.
    pub unit: Unit,
    /// Observations behind it; absent = not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// What it is for, when not for the whole run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The run it was measured in.
    pub run: String,
    /// Role of that run.
    pub role: RunRole,
    /// Its phase.
    pub phase: Phase,
    /// The item it was read from; absent = several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// One stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageSummary {
    /// 1 to 5.
    pub stage: u8,
    /// Its name.
    pub name: Stage,
    /// Where it stands; absent in a record that did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<stage::StandingWord>,
    /// What was measured. Empty: nothing was, and nothing is guessed.
    pub signals: Vec<Value>,
    /// Signals that are not listed, because there are too many.
    pub left_out: usize,
}

/// A stop condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StopCondition {
    /// Which.
    pub name: Condition,
    /// `held`, or why not; `overridden` when only an override stands for it.
    pub status: String,
}

/// The contract everything was judged under.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContractSummary {
    /// Name.
    pub name: String,
    /// Number of the version.
    pub version: i32,
    /// Digest of its terms.
    pub digest: String,
    /// What counts as accepted, in the words of the contract.
    pub accepted: String,
}

/// What was decided, for the summary of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionSummary {
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: super::decision::Kind,
    /// By whom.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// The change.
    pub change: String,
    /// The one setting it turns.
    pub setting: String,
    /// Its value before.
    pub old: String,
    /// Its value after.
    pub new: String,
    /// Verdict of the canary, once one ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<super::canary::Whole>,
    /// Gate lines by status, as judged then.
    pub gate: BTreeMap<String, usize>,
    /// What was overridden.
    pub overrides: Vec<String>,
    /// Version of the policy it was judged under.
    pub policy: i32,
    /// Digest of the whole record.
    pub record: String,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Where this shape is described.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The method.
    pub framework: String,
    /// Case, `PEL-0042`.
    pub case: String,
    /// Service.
    pub service: String,
    /// The instant it speaks of.
    pub at: DateTime<Utc>,
    /// The contract; absent = none is pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractSummary>,
    /// The five stages.
    pub stages: Vec<StageSummary>,
    /// What a case is measured by: never tokens.
    pub acceptance_unit: String,
    /// The four conditions, in their order.
    pub stop_conditions: Vec<StopCondition>,
    /// Whether an override was ever asked for on the case.
    pub override_used: bool,
    /// What was decided; absent in the summary of a case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionSummary>,
}

/// Cost belongs to the unit only where the contract says which cost an accepted task carries.
fn unit(cost: bool) -> String {
    if cost {
        "cost_per_accepted_task_under_workload_contract"
    } else {
        "accepted_task_under_workload_contract"
    }
    .to_owned()
}

fn contract(v: &Version) -> ContractSummary {
    ContractSummary {
        name: v.contract_name.clone(),
        version: v.number,
        digest: v.terms.digest(),
        accepted: v.terms.acceptance.definition.clone(),
    }
}

/// The case as it stands at `now`.
pub fn of_case(case: &CaseFile, now: DateTime<Utc>) -> Summary {
    Summary {
        schema: SCHEMA.to_owned(),
        framework: "Performance Evidence Ladder".to_owned(),
        case: case.label(),
        service: case.service.1.clone(),
        at: now,
        contract: case.contract.as_ref().map(contract),
        stages: stages(case),
        acceptance_unit: unit(
            case.contract
                .as_ref()
                .is_some_and(|v| v.terms.cost.is_some()),
        ),
        stop_conditions: Condition::ALL
            .iter()
            .map(|c| StopCondition {
                name: *c,
                status: conditions::status(case, *c, &case.policy)
                    .status
                    .id()
                    .to_owned(),
            })
            .collect(),
        override_used: case.override_used(),
        decision: None,
    }
}

/// What usable evidence under the contract says, by stage. A value for one kernel or one engine is
/// left to the evidence's own page.
fn stages(case: &CaseFile) -> Vec<StageSummary> {
    let view = View::new(case);
    let runs: HashSet<Uuid> = basis::gate_runs(case).map(|r| r.id).collect();
    let mut by: BTreeMap<u8, (Vec<Value>, usize)> = BTreeMap::new();
    for run in view.runs().filter(|r| runs.contains(&r.run.id)) {
        for item in &run.usable {
            for signal in item.signals() {
                let Some(known) = definition(&signal.name) else {
                    continue;
                };
                let (found, left_out) = by.entry(known.stage.number()).or_default();
                if !signal.labels.is_empty() || found.len() >= SIGNALS {
                    *left_out += 1;
                    continue;
                }
                found.push(Value {
                    name: signal.name.clone(),
                    statistic: signal.statistic,
                    value: signal.value,
                    unit: signal.unit,
                    samples: signal.samples,
                    labels: signal.labels.clone(),
                    run: run.run.label(),
                    role: run.run.stated.role,
                    phase: run.run.stated.phase,
                    evidence: Some(item.label()),
                });
            }
        }
    }
    stage::standings(case)
        .into_iter()
        .map(|(stage, standing)| {
            let (signals, left_out) = by.remove(&stage.number()).unwrap_or_default();
            StageSummary {
                stage: stage.number(),
                name: stage,
                standing: Some(standing.word),
                signals,
                left_out,
            }
        })
        .collect()
}

/// A decision, from what it sealed and from nothing else. A record of a time when summaries were
/// not sealed gives what its comparisons say.
pub fn of_record(sealed: &Sealed, digest: &str) -> Summary {
    let base = sealed.summary.as_deref().cloned();
    let stages = base.as_ref().map_or_else(
        || from_comparisons(&sealed.comparisons),
        |summary| summary.stages.clone(),
    );
    Summary {
        schema: SCHEMA.to_owned(),
        framework: "Performance Evidence Ladder".to_owned(),
        case: sealed.case.clone(),
        service: sealed.service.clone(),
        at: sealed.act.at,
        contract: sealed.contract.as_ref().map(|c| ContractSummary {
            name: c.name.clone(),
            version: c.number,
            digest: c.digest.clone(),
            accepted: c.terms.acceptance.definition.clone(),
        }),
        stages,
        acceptance_unit: unit(
            sealed
                .contract
                .as_ref()
                .is_some_and(|c| c.terms.cost.is_some()),
        ),
        stop_conditions: Condition::ALL
            .iter()
            .map(|c| StopCondition {
                name: *c,
                status: sealed
                    .gate
                    .line(c.id())
                    .map_or("missing", |l| condition_status(l.status))
                    .to_owned(),
            })
            .collect(),
        override_used: !sealed.overrides.is_empty()
            || base.is_some_and(|summary| summary.override_used),
        decision: Some(decision(sealed, digest)),
    }
}

/// The word of a condition for its gate line's status.
fn condition_status(status: LineStatus) -> &'static str {
    match status {
        LineStatus::Holds => "held",
        LineStatus::OutOfDate => "stale",
        LineStatus::Contradicted => "contradicted",
        LineStatus::Missing => "missing",
        LineStatus::Overridden => "overridden",
        _ => "unsupported",
    }
}

fn decision(sealed: &Sealed, digest: &str) -> DecisionSummary {
    let knob = &sealed.terms.knob;
    DecisionSummary {
        kind: sealed.act.kind,
        by: sealed.act.name.clone(),
        at: sealed.act.at,
        change: sealed.change.clone(),
        setting: knob.setting.clone(),
        old: knob.old.clone(),
        new: knob.new.clone(),
        canary: sealed.canary.as_ref().map(|v| v.whole),
        gate: counted(&sealed.gate),
        overrides: overridden(&sealed.gate),
        policy: sealed.policy.version,
        record: digest.to_owned(),
    }
}

fn counted(gate: &Gate) -> BTreeMap<String, usize> {
    let mut by: BTreeMap<String, usize> = BTreeMap::new();
    for line in &gate.lines {
        *by.entry(line.status.id().to_owned()).or_default() += 1;
    }
    by
}

fn overridden(gate: &Gate) -> Vec<String> {
    let mut what: Vec<String> = gate
        .lines
        .iter()
        .filter(|l| l.status == LineStatus::Overridden)
        .flat_map(|l| &l.inputs)
        .filter(|i| i.kind == InputKind::Override)
        .map(|i| i.label.clone())
        .collect();
    what.sort_unstable();
    what.dedup();
    what
}

fn from_comparisons(comparisons: &[Comparison]) -> Vec<StageSummary> {
    Stage::ALL
        .iter()
        .map(|stage| {
            let of_stage = |signal: &str| definition(signal).is_some_and(|d| d.stage == *stage);
            let mut signals = Vec::new();
            for compared in comparisons {
                for row in compared.rows.iter().filter(|r| of_stage(&r.signal)) {
                    let sides = [
                        (RunRole::Baseline, &row.baseline),
                        (RunRole::Candidate, &row.candidate),
                    ];
                    for (role, side) in sides {
                        for measured in &side.runs {
                            let Some(value) = &measured.judged.value else {
                                continue;
                            };
                            signals.push(Value {
                                name: row.signal.clone(),
                                statistic: row.statistic,
                                value: value.value,
                                unit: row.unit,
                                samples: value.samples,
                                labels: BTreeMap::new(),
                                run: measured.run.clone(),
                                role,
                                phase: compared.phase,
                                evidence: None,
                            });
                        }
                    }
                }
            }
            StageSummary {
                stage: stage.number(),
                name: *stage,
                standing: None,
                signals,
                left_out: 0,
            }
        })
        .collect()
}
