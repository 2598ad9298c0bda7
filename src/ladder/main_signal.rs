//! The one number shown for a stage on the ladder. It speaks for the service as it stands, so that
//! a candidate's number is never taken for the symptom: the signal the owner layer cites comes
//! first, then the runs of the reproduction, then other baseline runs, candidates and canaries last.

use super::Stage;
use super::condition::{Citation, Claim, Condition};
use super::contract::Limit;
use super::evidence::Evidence;
use super::run::{Phase, Run, RunRole};
use super::view::{View, definition};
use pel_evidence::catalogue::{Role, SignalDef};
use pel_evidence::{Scope, Signal, Statistic};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use uuid::Uuid;

/// The signal that matters most for a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MainSignal {
    /// Label of its run, `R-2`.
    pub run: String,
    /// Label of its item, `EV-3`.
    pub evidence: String,
    /// The signal with its value.
    pub signal: Signal,
}

impl MainSignal {
    /// Where it was read: `R-2 · EV-3`.
    pub fn from(&self) -> String {
        format!("{} · {}", self.run, self.evidence)
    }
}

/// What the records of a case say about which numbers matter.
struct Wanted<'a> {
    cited: &'a [Citation],
    reproduced: &'a [Uuid],
    /// Signals in the order they are asked for: the symptom's, then the reproduced limit's.
    named: [Option<(&'a str, Option<Statistic>)>; 2],
}

impl<'a> Wanted<'a> {
    fn of(view: &View<'a>) -> Self {
        let case = view.case;
        let cited = match case
            .record(Condition::OwnerLayerIdentified)
            .map(|r| &r.claim)
        {
            Some(Claim::OwnerLayerIdentified { cited, .. }) => cited.as_slice(),
            _ => &[],
        };
        let (limit_id, reproduced) = match case
            .record(Condition::ReproducedBottleneck)
            .map(|r| &r.claim)
        {
            Some(Claim::ReproducedBottleneck { limit_id, runs }) => {
                (Some(limit_id), runs.as_slice())
            }
            _ => (None, [].as_slice()),
        };
        let limit: Option<&'a Limit> = limit_id
            .zip(view.terms())
            .and_then(|(id, terms)| terms.limits.iter().find(|l| l.id == *id));
        let symptom = &case.symptom;
        Self {
            cited,
            reproduced,
            named: [
                symptom.signal.as_deref().map(|s| (s, symptom.statistic)),
                limit.map(|l| (l.signal.as_str(), Some(l.statistic))),
            ],
        }
    }

    /// Place of a citation in the owner layer's record.
    fn citation(&self, item: &Evidence, s: &Signal) -> Option<usize> {
        self.cited.iter().position(|c| {
            c.evidence_id == item.id
                && c.signal == s.name
                && c.statistic == s.statistic
                && c.labels == s.labels
        })
    }

    /// How near a run is to the service as it stands.
    fn place(&self, run: &Run) -> u8 {
        let stated = &run.stated;
        match (stated.role, stated.phase) {
            _ if self.reproduced.contains(&run.id) => 0,
            (RunRole::Candidate, _) => 5,
            (_, Phase::Canary) => 4,
            (RunRole::Baseline, Phase::Warm) => 1,
            (RunRole::Baseline, _) => 2,
            _ => 3,
        }
    }

    /// Place among the signals asked for, and whether the statistic is the one asked for.
    fn named(&self, s: &Signal) -> (usize, bool) {
        let found = self
            .named
            .iter()
            .enumerate()
            .find_map(|(i, n)| n.filter(|(name, _)| *name == s.name).map(|n| (i, n.1)));
        found.map_or((self.named.len(), true), |(i, statistic)| {
            (i, statistic != Some(s.statistic))
        })
    }
}

/// Canary arms and candidates: they come after every other run, whatever they carry.
const LATE: u8 = 4;

/// The signal of `stage` that matters most; `None` when no usable item has one.
pub(super) fn signal(view: &View<'_>, stage: Stage) -> Option<MainSignal> {
    let wanted = Wanted::of(view);
    let of_stage = |s: &Signal| {
        definition(&s.name).filter(|(_, def)| {
            def.stage == stage && s.scope != Scope::SinceStart && s.value.is_finite()
        })
    };
    view.runs()
        .flat_map(|r| r.usable.iter().map(move |e| (r.run, *e)))
        .flat_map(|(run, e)| e.signals().iter().map(move |s| (run, e, s)))
        .filter_map(|(run, e, s)| {
            let (at, def) = of_stage(s)?;
            Some((rank(&wanted, (run, e, s), (at, def)), run, e, s))
        })
        .min_by(|a, b| a.0.cmp(&b.0))
        .map(|(_, run, e, s)| MainSignal {
            run: run.label(),
            evidence: e.label(),
            signal: s.clone(),
        })
}

/// Smaller comes first.
fn rank(
    wanted: &Wanted<'_>,
    (run, item, s): (&Run, &Evidence, &Signal),
    (at, def): (usize, &SignalDef),
) -> impl Ord + use<> {
    let place = wanted.place(run);
    let (named, other_statistic) = wanted.named(s);
    let role = match def.role {
        Role::Latency | Role::Layer => 0,
        Role::Acceptance => 1,
        Role::Errors => 2,
        Role::Context => 3,
    };
    let statistic = match s.statistic {
        Statistic::Quantile(q) => 1000 - q.min(1000),
        _ => 1001,
    };
    (
        wanted.citation(item, s).unwrap_or(usize::MAX),
        def.role == Role::Context,
        place >= LATE,
        named,
        place,
        (role, !s.labels.is_empty(), at, other_statistic, statistic),
        Reverse(item.number),
    )
}
