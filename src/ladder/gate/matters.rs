//! The lines about the case itself: nothing left open, evidence intact, contract in force.

use super::super::case::CaseState;
use super::super::change::Change;
use super::super::contract::VersionState;
use super::super::view::contract_label;
use super::super::{Arg, Sentence, Stage, basis, conditions, contributor, loosening, stage};
use super::lines::{Judging, being_read};
use super::{Check, Closes, Input, InputKind, Line, LineStatus as S, Target};
use chrono::TimeDelta;
use std::collections::HashSet;
use uuid::Uuid;

/// No open request, no disputed stage, no contradicted statement, nothing still being read.
pub(super) fn open_matters(judging: &Judging<'_, '_>, change: Option<&Change>) -> Line {
    let mut against = Vec::new();
    let mut closes = None;
    if let Some(change) = change.filter(|_| judging.target != Target::Submit) {
        for request in change.requests.iter().filter(|r| r.cleared.is_none()) {
            against.push(
                Sentence::new("gate-request-open")
                    .text("person", judging.case().name_of(request.by))
                    .text("points", &request.points),
            );
            closes.get_or_insert(Closes::ClearRequest(change.id));
        }
    }
    for stage in Stage::ALL {
        let disputes = stage::disputes(judging.view, stage);
        if !disputes.is_empty() {
            closes.get_or_insert(Closes::Stage(stage));
        }
        against.extend(disputes);
    }
    let mut waiting = Vec::new();
    let mut accepted = Vec::new();
    let runs: HashSet<Uuid> = basis::gate_runs(judging.case()).map(|r| r.id).collect();
    for run in judging.view.runs().filter(|r| runs.contains(&r.run.id)) {
        let contradicted = run.all_contradictions();
        if !contradicted.is_empty() {
            closes.get_or_insert(Closes::EditRun(run.run.id));
        }
        against.extend(contradicted);
        accepted.extend(run.accepted_sentences(judging.case()));
        waiting.extend(run.reading.iter().map(|e| being_read(e)));
    }
    let status = if against.is_empty() {
        S::CannotTell
    } else {
        S::NotSupported
    };
    against.extend(waiting);
    let mut line = Line::unless(
        "open_matters",
        against,
        status,
        Sentence::new("gate-nothing-open"),
    );
    line.sentences
        .extend(accepted.iter().map(|(_, said)| said.clone()));
    let inputs = accepted
        .into_iter()
        .map(|(item, said)| Input::new(InputKind::Evidence, item.id, item.label()).said(said))
        .collect();
    line.with_inputs(inputs).closed_by(closes)
}

/// Every digest in the basis was checked within the time the policy gives.
pub(super) fn integrity(judging: &Judging<'_, '_>) -> Line {
    let runs: HashSet<Uuid> = basis::gate_runs(judging.case()).map(|r| r.id).collect();
    let oldest = judging.now - TimeDelta::seconds(judging.policy.integrity_max_age_s);
    let (mut failed, mut unchecked) = (Vec::new(), Vec::new());
    let mut counted = 0;
    let mut sealed = Vec::new();
    for run in judging.view.runs().filter(|r| runs.contains(&r.run.id)) {
        for item in run.usable.iter().chain(&run.corrupt) {
            counted += 1;
            if item.is_sealed() {
                sealed.push(Arg::Text(item.label()));
                continue;
            }
            match judging.checks.0.get(&item.id) {
                Some(Check::Verified(at)) if *at >= oldest && *at <= judging.now => {}
                Some(Check::Failed(at)) => failed.push((item.id, item.label(), *at)),
                _ => unchecked.push((item.id, item.label())),
            }
        }
    }
    let first = failed
        .first()
        .map(|f| f.0)
        .or_else(|| unchecked.first().map(|u| u.0));
    let status = if failed.is_empty() {
        S::OutOfDate
    } else {
        S::NotSupported
    };
    let mut against: Vec<Sentence> = failed
        .into_iter()
        .map(|(_, label, at)| {
            Sentence::new("gate-integrity-failed")
                .text("evidence", label)
                .with("at", Arg::Time(at))
        })
        .collect();
    if !unchecked.is_empty() {
        let labels = unchecked.into_iter().map(|u| Arg::Text(u.1)).collect();
        against.push(
            Sentence::new("gate-integrity-unchecked")
                .with("items", Arg::List(labels))
                .count(
                    "hours",
                    (judging.policy.integrity_max_age_s / 3600) as usize,
                ),
        );
    }
    let holds = Sentence::new("gate-integrity-holds").count("count", counted);
    let mut line = Line::unless("integrity", against, status, holds);
    if !sealed.is_empty() {
        let said = Sentence::new("gate-integrity-sealed").with("items", Arg::List(sealed));
        line.sentences.push(said);
    }
    line.closed_by(first.map(Closes::EvidenceItem))
}

/// Limits of the contract that were loosened while the case was open; no line when there are none.
pub(super) fn loosened(judging: &Judging<'_, '_>) -> Option<Line> {
    let mut against: Vec<Sentence> = loosening::of(judging.case())
        .iter()
        .map(loosening::Loosened::said)
        .collect();
    if against.is_empty() {
        let holds = loosening::consented(judging.case())?;
        return Some(Line::new("contract_loosened", S::Holds, vec![holds]));
    }
    against.push(contributor::who_may_consent(judging.case()));
    Some(Line::new("contract_loosened", S::NotSupported, against).closed_by(Closes::Consent))
}

pub(super) fn case_open(judging: &Judging<'_, '_>) -> Line {
    let mut against = Vec::new();
    let mut closes = None;
    if judging.case().state == CaseState::Closed {
        against.push(Sentence::new("gate-case-closed"));
    }
    if let Some((until, reason)) = judging.case().held(judging.now) {
        against.push(
            Sentence::new("gate-case-on-hold")
                .with("until", Arg::Time(until))
                .text("reason", reason),
        );
        closes = Some(Closes::EndHold);
    }
    let Some(version) = &judging.case().contract else {
        against.push(Sentence::new("gate-no-contract"));
        return Line::new("case_open", S::Missing, against).closed_by(Closes::PinContract);
    };
    match version.state {
        VersionState::Published => {}
        VersionState::Draft => against
            .push(Sentence::new("gate-contract-draft").text("contract", contract_label(version))),
        VersionState::Superseded | VersionState::Withdrawn => {
            against.push(conditions::contract_gone(judging.view, version));
        }
    }
    if version.state != VersionState::Published {
        closes.get_or_insert(Closes::PinContract);
    }
    let holds = Sentence::new("gate-case-open").text("contract", contract_label(version));
    Line::unless("case_open", against, S::NotSupported, holds).closed_by(closes)
}
