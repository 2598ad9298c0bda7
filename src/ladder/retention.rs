//! Retention: when the bytes of an item may go, what keeps them, and the sealed summary that stays
//! (lifecycle §9).

use super::case::{CaseFile, CaseState};
use super::change::ChangeState;
use super::condition::Condition;
use super::evidence::{Evidence, EvidenceFile, EvidenceState};
use super::numbers::Policy;
use super::run::Statement;
use super::{Arg, Sentence, basis};
use chrono::{DateTime, TimeDelta, Utc};
use pel_evidence::{Kind, Signal, Window, kinds::Keep};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

/// What bears on retention and is not part of the judgement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// The case is under legal hold.
    pub legal_hold: bool,
    /// The case is confidential.
    pub confidential: bool,
    /// There is a redacted copy of the item.
    pub redacted: bool,
}

/// What becomes of an item's bytes now.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// Their time is not over, or they are gone.
    Keep,
    /// Their time is over and they stay, because of this.
    Held(Sentence),
    /// They go.
    Due,
}

/// Days the bytes of an item are kept: by its kind, and no longer than the policy allows for a
/// confidential case or for the original of a redacted copy.
pub fn days(item: &Evidence, circumstances: Circumstances, policy: &Policy) -> i64 {
    let read = item.extraction.as_ref();
    let kind = match read.map_or(Keep::Other, |x| x.kind.format().keep) {
        Keep::Metrics => policy.keep_metrics_days,
        Keep::Sweeps => policy.keep_sweeps_days,
        Keep::Traces => policy.keep_traces_days,
        Keep::Other => policy.keep_other_days,
    };
    let most = |days: i64, applies: bool, bound: i64| if applies { days.min(bound) } else { days };
    let kind = most(
        kind,
        circumstances.confidential,
        policy.keep_confidential_days,
    );
    most(kind, circumstances.redacted, policy.keep_redacted_days)
}

/// What becomes of an item's bytes now.
pub fn fate(
    case: &CaseFile,
    item: &Evidence,
    circumstances: Circumstances,
    now: DateTime<Utc>,
) -> Fate {
    let waiting = matches!(
        item.state,
        EvidenceState::Received | EvidenceState::Parsing | EvidenceState::Purged
    );
    let days = days(item, circumstances, &case.policy);
    if waiting || now - item.added_at < TimeDelta::days(days) {
        return Fate::Keep;
    }
    let held = |key: &str| {
        Sentence::new(key)
            .text("evidence", item.label())
            .text("case", case.label())
            .with("since", Arg::Time(item.added_at))
    };
    if circumstances.legal_hold {
        return Fate::Held(held("retention-legal-hold"));
    }
    if live_basis(case).contains(&item.id) {
        return Fate::Held(held("retention-live-basis"));
    }
    Fate::Due
}

/// Items that something live rests on: in an open case the conditions in force, and changes that
/// are not over.
fn live_basis(case: &CaseFile) -> HashSet<Uuid> {
    if case.state == CaseState::Closed {
        return HashSet::new();
    }
    let recorded = Condition::ALL
        .iter()
        .filter_map(|c| case.record(*c))
        .map(|r| basis::of(case, &r.claim));
    let changed = case
        .changes
        .iter()
        .filter(|c| !c.state.is_terminal() && c.state != ChangeState::Draft)
        .map(|c| basis::whole(case, c));
    recorded
        .chain(changed)
        .flat_map(|b| b.0)
        .filter(|i| i.kind == "evidence")
        .filter_map(|i| i.id.parse().ok())
        .collect()
}

/// What stays of an item when its bytes go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// `EV-3`.
    pub evidence: String,
    /// Label of its run.
    pub run: String,
    /// What was stated about the run.
    pub stated: Option<Statement>,
    /// Names, digests and lengths.
    pub files: Vec<EvidenceFile>,
    /// What the files were.
    pub kind: Option<Kind>,
    /// Tool that wrote them.
    pub tool: Option<String>,
    /// Parser that read them last.
    pub parser: Option<String>,
    /// Window as the files claimed it.
    pub window: Option<Window>,
    /// Facts about the environment read from them.
    pub environment: BTreeMap<String, String>,
    /// Everything that was read.
    pub signals: Vec<Signal>,
    /// Labels of numbers attested out of them, each with its value.
    pub attested: Vec<(String, Signal)>,
    /// Where the item stood.
    pub state: EvidenceState,
}

impl Summary {
    /// The summary of an item as it stands.
    pub fn of(case: &CaseFile, item: &Evidence) -> Self {
        let x = item.extraction.as_ref();
        let run = case.run(item.run_id);
        Self {
            evidence: item.label(),
            run: run.map_or_else(|| "?".to_owned(), super::run::Run::label),
            stated: run.map(|r| r.stated.clone()),
            files: item.files.clone(),
            kind: x.map(|x| x.kind),
            tool: x.map(|x| x.tool.clone()),
            parser: x.map(|x| x.parser.clone()),
            window: x.and_then(|x| x.window.clone()),
            environment: x.map(|x| x.environment.clone()).unwrap_or_default(),
            signals: x.map(|x| x.signals.clone()).unwrap_or_default(),
            attested: case
                .attested
                .iter()
                .filter(|a| a.evidence_id == item.id)
                .map(|a| (a.label(), a.signal.clone()))
                .collect(),
            state: item.state,
        }
    }
}
