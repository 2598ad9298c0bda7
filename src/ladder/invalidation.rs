//! What makes a record stop holding (lifecycle §6): the table, and which of its rows took place
//! since the records in force were made.
//!
//! The statuses themselves are computed by each condition's own rule; the table says what those
//! rules must come to, and a test walks it row by row. What happens to a running canary is decided
//! by the table alone.

use super::change::Change;
use super::condition::Condition;
use super::conditions;
use super::contract::VersionState;
use super::evidence::EvidenceState;
use super::view::View;
use super::{Sentence, basis, run::ids};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Something that may move under a record: the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Evidence in the basis withdrawn, set aside or found corrupt.
    EvidenceGone,
    /// Evidence in the basis purged by retention.
    EvidencePurged,
    /// A new usable baseline run that does not breach.
    CleanRun,
    /// New evidence that contradicts the layer.
    LayerContradicted,
    /// A material version of the contract, or its end.
    ContractMaterial,
    /// An editorial version of the contract.
    ContractEditorial,
    /// The environment of the service changed.
    EnvironmentChanged,
    /// The newest workload lies outside the declared one.
    Drift,
    /// A newer parser moved a cited number.
    Reread,
    /// A statement about a run of the basis was corrected.
    StatementCorrected,
    /// A run from a bigger environment reopened stage 5.
    StageFiveReopened,
    /// The change was revised.
    Revised,
    /// A comment, a tag, a title, a participant, a link.
    Remark,
    /// The case was reopened.
    Reopened,
}

ids!(Event {
    EvidenceGone => "evidence_gone",
    EvidencePurged => "evidence_purged",
    CleanRun => "clean_run",
    LayerContradicted => "layer_contradicted",
    ContractMaterial => "contract_material",
    ContractEditorial => "contract_editorial",
    EnvironmentChanged => "environment_changed",
    Drift => "drift",
    Reread => "reread",
    StatementCorrected => "statement_corrected",
    StageFiveReopened => "stage_five_reopened",
    Revised => "revised",
    Remark => "remark",
    Reopened => "reopened",
});

/// What becomes of a condition: the first four columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Becomes {
    /// Nothing happens to it.
    Same,
    /// No longer carried, or true when recorded and moved since.
    NotHeld,
    /// Newer evidence says otherwise.
    Contradicted,
    /// Its basis moved.
    Stale,
    /// Judged again on what is there now.
    Reevaluated,
}

/// What becomes of approvals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalFate {
    /// They count as before.
    Keep,
    /// They are kept and no longer counted.
    Void,
    /// They do not count until their givers confirm them.
    Reconfirm,
}

/// What becomes of a running canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CanaryFate {
    /// It goes on.
    GoesOn,
    /// It pauses.
    Pause,
    /// The event cannot take place while it runs.
    NotAllowed,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// On `reproduced_bottleneck`.
    pub reproduced: Becomes,
    /// On `owner_layer_identified`.
    pub layer: Becomes,
    /// On `acceptance_impact_visible`.
    pub impact: Becomes,
    /// On `rollback_threshold_defined`.
    pub rollback: Becomes,
    /// On approvals.
    pub approvals: ApprovalFate,
    /// On a running canary.
    pub canary: CanaryFate,
}

const fn row(conditions: [Becomes; 4], approvals: ApprovalFate, canary: CanaryFate) -> Effect {
    Effect {
        reproduced: conditions[0],
        layer: conditions[1],
        impact: conditions[2],
        rollback: conditions[3],
        approvals,
        canary,
    }
}

impl Event {
    /// Its row of the table.
    pub fn effect(self) -> Effect {
        use ApprovalFate::{Keep, Reconfirm, Void};
        use Becomes::{Contradicted, NotHeld, Reevaluated, Same, Stale};
        use CanaryFate::{GoesOn, NotAllowed, Pause};
        match self {
            Self::EvidenceGone | Self::EvidencePurged => {
                row([NotHeld, NotHeld, NotHeld, Same], Void, Pause)
            }
            Self::CleanRun => row([Contradicted, Stale, Same, Same], Void, Pause),
            Self::LayerContradicted => row([Same, Contradicted, Same, Same], Void, GoesOn),
            Self::ContractMaterial => row([Stale, Stale, Stale, Stale], Void, Pause),
            Self::ContractEditorial | Self::Remark => row([Same, Same, Same, Same], Keep, GoesOn),
            Self::EnvironmentChanged => row([Stale, Stale, Stale, Same], Void, Pause),
            Self::Drift => row([Stale, Same, Stale, Same], Void, Pause),
            Self::Reread => row(
                [Reevaluated, Reevaluated, Reevaluated, Reevaluated],
                Reconfirm,
                GoesOn,
            ),
            Self::StatementCorrected => row(
                [Reevaluated, Reevaluated, Reevaluated, Same],
                Reconfirm,
                GoesOn,
            ),
            Self::StageFiveReopened => row([Same, Stale, Same, Same], Void, GoesOn),
            Self::Revised => row([Same, Same, Same, Reevaluated], Void, NotAllowed),
            Self::Reopened => row(
                [Reevaluated, Reevaluated, Reevaluated, Reevaluated],
                Void,
                GoesOn,
            ),
        }
    }
}

/// An event that took place, said with what it took place on.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The row.
    pub event: Event,
    /// What moved.
    pub said: Sentence,
}

impl Condition {
    /// The event that newer evidence against a claim of this condition is.
    pub(super) fn contradicted_by(self) -> Event {
        match self {
            Self::OwnerLayerIdentified => Event::LayerContradicted,
            _ => Event::CleanRun,
        }
    }
}

/// What moved under the records in force and the change, of the events that concern a canary.
pub fn moved(view: &View<'_>, change: &Change) -> Vec<Moved> {
    let mut found = evidence_moved(view);
    found.extend(contract_moved(view));
    for condition in [
        Condition::ReproducedBottleneck,
        Condition::AcceptanceImpactVisible,
    ] {
        let judged = conditions::judged(view, condition, &view.case.policy);
        found.extend(judged.moved);
    }
    if change.current().is_none() {
        found.push(Moved {
            event: Event::Revised,
            said: Sentence::new("gate-no-change"),
        });
    }
    found.sort_by_key(|m| m.event);
    found
}

/// Items of the bases in force that are out of play.
fn evidence_moved(view: &View<'_>) -> Vec<Moved> {
    let cited: BTreeSet<Uuid> = Condition::ALL
        .iter()
        .filter_map(|c| view.case.record(*c))
        .flat_map(|r| &r.basis.0)
        .filter(|i| i.kind == "evidence")
        .filter_map(|i| i.id.parse().ok())
        .collect();
    let corrupt: BTreeSet<Uuid> = view.runs().flat_map(|r| &r.corrupt).map(|e| e.id).collect();
    let mut found = Vec::new();
    for item in view.case.evidence.iter().filter(|e| cited.contains(&e.id)) {
        let state = |event| Moved {
            event,
            said: basis::evidence_moved_sentence(item),
        };
        match item.state {
            EvidenceState::SetAside | EvidenceState::Withdrawn | EvidenceState::Rejected => {
                found.push(state(Event::EvidenceGone));
            }
            EvidenceState::Purged => found.push(state(Event::EvidencePurged)),
            _ if corrupt.contains(&item.id) => found.push(Moved {
                event: Event::EvidenceGone,
                said: Sentence::new("upkeep-corrupt").text("evidence", item.label()),
            }),
            _ => {}
        }
    }
    found
}

fn contract_moved(view: &View<'_>) -> Option<Moved> {
    let version = view.case.contract.as_ref()?;
    matches!(
        version.state,
        VersionState::Superseded | VersionState::Withdrawn
    )
    .then(|| Moved {
        event: Event::ContractMaterial,
        said: conditions::contract_gone(view, version),
    })
}
