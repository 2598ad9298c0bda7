//! What is typed on the form of a condition, and the claim it makes. The form checks only that a
//! claim can be read; whether it holds is the ladder's to say.

use super::{layer, limits};
use crate::ladder::condition::{Claim, Condition, Layer};
use crate::ladder::{CaseFile, Stage};
use crate::web::{Page, form::Faults};
use serde::Deserialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Fewest characters of the reason of a retraction.
pub const REASON: usize = 5;
/// Longest text of a field.
const LONGEST: usize = 4000;

/// What was typed, kept as typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    /// The record in force when the form was shown; nil = none.
    pub record: Uuid,
    /// Limit id.
    pub limit: String,
    /// Runs ticked, each as `<limit id>/<run label>`.
    pub run: Vec<String>,
    /// Layer: stage number or `outside`; more than one is a fault.
    pub layer: Vec<String>,
    /// Signals cited, by their key.
    pub cite: Vec<String>,
    /// Why stage 1 is not the limit.
    pub why_1: String,
    /// Why stage 2 is not the limit.
    pub why_2: String,
    /// Why stage 3 is not the limit.
    pub why_3: String,
    /// Why stage 4 is not the limit.
    pub why_4: String,
    /// Why stage 5 is not the limit.
    pub why_5: String,
    /// Words.
    pub note: String,
    /// Digest of the revision whose thresholds are meant.
    pub revision: String,
    /// Why a record is retracted.
    pub reason: String,
}

impl Typed {
    /// The record in force as the form shows it, or what the case suggests.
    pub fn of(case: &CaseFile, condition: Condition, page: &Page) -> Self {
        let record = case.record(condition);
        let mut typed = Self {
            record: record.map(|r| r.id).unwrap_or_default(),
            ..Self::default()
        };
        match record.map(|r| &r.claim) {
            Some(Claim::ReproducedBottleneck { limit_id, runs }) => {
                typed.set_runs(case, limit_id, runs);
            }
            Some(Claim::AcceptanceImpactVisible {
                limit_id,
                runs,
                note,
            }) => {
                typed.set_runs(case, limit_id, runs);
                typed.note.clone_from(note);
            }
            Some(Claim::OwnerLayerIdentified {
                layer,
                cited,
                others,
            }) => {
                typed.layer = vec![layer_id(*layer)];
                typed.cite = cited.iter().map(layer::key_of).collect();
                for (n, why) in others {
                    if let Some(stage) = Stage::from_number(*n) {
                        typed.why_mut(stage).clone_from(why);
                    }
                }
            }
            Some(Claim::RollbackThresholdDefined { .. }) => {}
            None => typed.suggest(case, condition, page),
        }
        typed
    }

    fn set_runs(&mut self, case: &CaseFile, limit_id: &str, runs: &[Uuid]) {
        limit_id.clone_into(&mut self.limit);
        self.run = runs
            .iter()
            .filter_map(|id| case.run(*id))
            .map(|r| limits::pair(limit_id, &r.label()))
            .collect();
    }

    fn suggest(&mut self, case: &CaseFile, condition: Condition, page: &Page) {
        match condition {
            Condition::ReproducedBottleneck => {
                if let Some((limit, runs)) = limits::broken(case) {
                    self.set_runs(case, &limit, &runs);
                }
            }
            Condition::AcceptanceImpactVisible => {
                let limit = limits::offered(case, condition)
                    .first()
                    .map(|l| l.id.clone());
                let runs = match case
                    .record(Condition::ReproducedBottleneck)
                    .map(|r| &r.claim)
                {
                    Some(Claim::ReproducedBottleneck { runs, .. }) => runs.clone(),
                    _ => Vec::new(),
                };
                if let Some(limit) = limit {
                    self.set_runs(case, &limit, &runs);
                }
            }
            Condition::OwnerLayerIdentified => {
                for stage in Stage::ALL {
                    *self.why_mut(stage) = layer::standing_words(page, case, stage);
                }
            }
            Condition::RollbackThresholdDefined => {}
        }
    }

    /// Why a stage is not the limit.
    pub fn why(&self, stage: Stage) -> &str {
        match stage {
            Stage::RequestTrace => &self.why_1,
            Stage::GpuExecutionMemory => &self.why_2,
            Stage::KernelOperator => &self.why_3,
            Stage::ServingSchedulerCache => &self.why_4,
            Stage::DistributedCapacity => &self.why_5,
        }
    }

    fn why_mut(&mut self, stage: Stage) -> &mut String {
        match stage {
            Stage::RequestTrace => &mut self.why_1,
            Stage::GpuExecutionMemory => &mut self.why_2,
            Stage::KernelOperator => &mut self.why_3,
            Stage::ServingSchedulerCache => &mut self.why_4,
            Stage::DistributedCapacity => &mut self.why_5,
        }
    }

    /// The claim that was typed; faults name the field.
    pub fn claim(
        &self,
        case: &CaseFile,
        condition: Condition,
        page: &Page,
    ) -> (Option<Claim>, Faults) {
        let mut faults = Faults::default();
        if self.note.chars().count() > LONGEST
            || Stage::ALL
                .iter()
                .any(|s| self.why(*s).chars().count() > LONGEST)
        {
            faults.add("note", page.t("condition-fault-long"));
        }
        let claim = match condition {
            Condition::ReproducedBottleneck => self
                .limit_and_runs(case, condition, page, &mut faults)
                .map(|(limit_id, runs)| Claim::ReproducedBottleneck { limit_id, runs }),
            Condition::AcceptanceImpactVisible => self
                .limit_and_runs(case, condition, page, &mut faults)
                .map(|(limit_id, runs)| Claim::AcceptanceImpactVisible {
                    limit_id,
                    runs,
                    note: self.note.trim().to_owned(),
                }),
            Condition::OwnerLayerIdentified => self.layer_claim(case, page, &mut faults),
            Condition::RollbackThresholdDefined => self.thresholds_claim(case, page, &mut faults),
        };
        (claim, faults)
    }

    fn limit_and_runs(
        &self,
        case: &CaseFile,
        condition: Condition,
        page: &Page,
        faults: &mut Faults,
    ) -> Option<(String, Vec<Uuid>)> {
        let offered = limits::offered(case, condition);
        let Some(limit) = offered.iter().find(|l| l.id == self.limit) else {
            faults.add("limit", page.t("condition-fault-limit"));
            return None;
        };
        let runs = limits::runs_for(case, limit)
            .filter(|r| self.run.contains(&limits::pair(&limit.id, &r.label())))
            .map(|r| r.id)
            .collect();
        Some((limit.id.clone(), runs))
    }

    fn layer_claim(&self, case: &CaseFile, page: &Page, faults: &mut Faults) -> Option<Claim> {
        let layer = match self.layer.as_slice() {
            [one] => layer_from(one),
            _ => None,
        };
        let Some(layer) = layer else {
            faults.add("layer", page.t("condition-fault-layer"));
            return None;
        };
        let cited = layer::citable(case)
            .into_iter()
            .map(|(_, citation)| citation)
            .filter(|c| self.cite.contains(&layer::key_of(c)))
            .collect();
        let others: BTreeMap<u8, String> = Stage::ALL
            .into_iter()
            .filter(|s| layer != Layer::Stage(*s))
            .map(|s| (s.number(), self.why(s).trim().to_owned()))
            .collect();
        Some(Claim::OwnerLayerIdentified {
            layer,
            cited,
            others,
        })
    }

    fn thresholds_claim(&self, case: &CaseFile, page: &Page, faults: &mut Faults) -> Option<Claim> {
        let live = case.live_change().filter(|c| !c.state.is_terminal());
        let Some((change, revision)) = live.and_then(|c| Some((c, c.current()?))) else {
            faults.add("revision", page.t("condition-fault-no-change"));
            return None;
        };
        if revision.digest != self.revision {
            faults.add("revision", page.t("condition-fault-revised"));
            return None;
        }
        Some(Claim::RollbackThresholdDefined {
            change_id: change.id,
            revision_digest: revision.digest.clone(),
        })
    }
}

/// The id of a layer in the form.
pub fn layer_id(layer: Layer) -> String {
    match layer {
        Layer::Stage(stage) => stage.number().to_string(),
        Layer::Outside => "outside".to_owned(),
    }
}

fn layer_from(id: &str) -> Option<Layer> {
    match id {
        "outside" => Some(Layer::Outside),
        n => Some(Layer::Stage(Stage::from_number(n.parse().ok()?)?)),
    }
}
