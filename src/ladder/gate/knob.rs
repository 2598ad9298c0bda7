//! The one-knob line: candidate environments differ from the baseline's in the declared setting,
//! its bundle and its declared consequences, and in nothing else. A fact missing on one side is a
//! difference. A bundle also needs the consent of a reviewer who did not contribute.

use super::super::change::{Change, Knob, Revision};
use super::super::environment::{Difference, Environment};
use super::super::reproduce::facts;
use super::super::run::{Phase, Profiled, RunRole};
use super::super::view::RunView;
use super::super::{Arg, Sentence, contributor};
use super::lines::Judging;
use super::{Closes, Line, LineStatus as S, Target, compared, declares, knob_key, setting_key};
use std::collections::BTreeMap;
use uuid::Uuid;

pub(super) fn line(judging: &Judging<'_, '_>, change: &Change, revision: &Revision) -> Line {
    let terms = &revision.terms;
    let phases: &[Phase] = if judging.target == Target::Accept {
        &[Phase::Warm, Phase::Cold, Phase::Canary]
    } else {
        &[Phase::Warm, Phase::Cold]
    };
    let mut against = Vec::new();
    let mut candidates = 0;
    let mut extra: BTreeMap<String, Difference> = BTreeMap::new();
    let mut seen: BTreeMap<String, Difference> = BTreeMap::new();
    for phase in phases {
        let (a, b) = compared::runs(judging.view, change, *phase);
        let (a, b) = (found(judging, &a), found(judging, &b));
        candidates += b.len();
        for run in &a {
            against.extend(values(run, revision, true));
            against.extend(run.configuration_gaps());
        }
        for run in &b {
            against.extend(values(run, revision, false));
            against.extend(run.configuration_gaps());
            // A canary without an arm beside it is still measured against the reproduction.
            let bases: Vec<&Environment> = if a.is_empty() {
                compared::ground(judging.view).into_iter().collect()
            } else {
                a.iter().map(|r| r.environment()).collect()
            };
            for base in bases {
                for d in base.differences(run.environment()) {
                    if declares(terms, &d.key) {
                        seen.insert(d.key.clone(), d);
                    } else {
                        extra.insert(d.key.clone(), d);
                    }
                }
            }
        }
    }
    let mut unique: Vec<Sentence> = Vec::new();
    against.retain(|s| {
        !unique.contains(s) && {
            unique.push(s.clone());
            true
        }
    });
    if !extra.is_empty() {
        let extra: Vec<Difference> = extra.into_values().collect();
        against.push(
            Sentence::new("gate-more-than-one-thing")
                .count("count", extra.len() + 1)
                .text("setting", knob_key(terms))
                .with("facts", facts(&extra)),
        );
    }
    if against.is_empty() && candidates == 0 {
        return none_yet(judging, revision);
    }
    let holds = Sentence::new(if terms.bundle.is_none() && seen.len() <= 1 {
        "gate-one-knob-holds"
    } else {
        "gate-one-knob-holds-with"
    })
    .text("setting", &terms.knob.setting)
    .text("old", &terms.knob.old)
    .text("new", &terms.knob.new);
    let mut line = Line::unless("one_knob", against, S::NotSupported, holds)
        .closed_by(Closes::EditChange(change.id));
    if line.status == S::Holds {
        line.sentences.extend(declared(revision, seen));
    }
    line
}

/// What else moved and was declared: the bundle with its reason, and the consequences.
fn declared(revision: &Revision, mut seen: BTreeMap<String, Difference>) -> Vec<Sentence> {
    let terms = &revision.terms;
    let knob = knob_key(terms);
    seen.retain(|key, _| !super::environment::same_key(key, &knob));
    let (bundled, others): (Vec<Difference>, Vec<Difference>) = seen.into_values().partition(|d| {
        terms
            .bundle
            .iter()
            .flat_map(|b| &b.settings)
            .any(|k| super::environment::same_key(&setting_key(&k.setting), &d.key))
    });
    let mut said = Vec::new();
    if let Some(bundle) = &terms.bundle {
        said.push(
            Sentence::new("bundle-said")
                .with("facts", facts(&bundled))
                .text("reason", &bundle.reason),
        );
    }
    if !others.is_empty() {
        said.push(Sentence::new("gate-consequences").with("facts", facts(&others)));
    }
    said
}

/// No candidate ran yet: open, unless a reason says why none can before the canary.
fn none_yet(judging: &Judging<'_, '_>, revision: &Revision) -> Line {
    let reason = revision.terms.no_warm_reason.trim();
    let sentence = Sentence::new("gate-one-knob-no-candidate")
        .text("setting", knob_key(&revision.terms))
        .text("new", &revision.terms.knob.new);
    let status = if reason.is_empty() || judging.target == Target::Accept {
        S::Missing
    } else {
        S::NotApplicable
    };
    Line::new("one_knob", status, vec![sentence]).closed_by(Closes::AddRun {
        role: RunRole::Candidate,
        phase: Phase::Warm,
        profiled: Profiled::No,
        class: None,
    })
}

fn found<'v, 'a>(judging: &'v Judging<'_, 'a>, ids: &[Uuid]) -> Vec<&'v RunView<'a>> {
    ids.iter().filter_map(|id| judging.view.run(*id)).collect()
}

/// The old value of every declared setting is the one measured, where the baseline's environment
/// has it; a candidate says that it ran the new value.
fn values(run: &RunView<'_>, revision: &Revision, baseline: bool) -> Vec<Sentence> {
    let terms = &revision.terms;
    let bundled = terms.bundle.iter().flat_map(|b| &b.settings);
    std::iter::once(&terms.knob)
        .chain(bundled)
        .filter_map(|knob| {
            if baseline {
                old_value(run, knob)
            } else {
                new_value(run, knob)
            }
        })
        .collect()
}

fn old_value(run: &RunView<'_>, knob: &Knob) -> Option<Sentence> {
    let key = setting_key(&knob.setting);
    let value = run.environment().get(&key)?;
    let old = knob.old.trim();
    (!run.environment().has(&key, old)).then(|| {
        Sentence::new("gate-baseline-other-value")
            .text("run", run.run.label())
            .text("setting", &key)
            .text("value", value)
            .text("old", old)
    })
}

fn new_value(run: &RunView<'_>, knob: &Knob) -> Option<Sentence> {
    let key = setting_key(&knob.setting);
    let new = knob.new.trim();
    (!run.environment().has(&key, new)).then(|| {
        Sentence::new("gate-candidate-other-value")
            .text("run", run.run.label())
            .text("setting", &key)
            .text("value", run.environment().get(&key).unwrap_or("?"))
            .text("new", new)
    })
}

/// The line of a bundle: a reviewer who did not contribute consents to this very revision. It is
/// not asked for before the revision is frozen by submitting it.
pub(super) fn bundle(
    judging: &Judging<'_, '_>,
    change: &Change,
    revision: &Revision,
) -> Option<Line> {
    let bundle = revision.terms.bundle.as_ref()?;
    if judging.target == Target::Submit {
        let later = vec![Sentence::new("bundle-consent-later").text("reason", &bundle.reason)];
        return Some(Line::new("bundle", S::NotApplicable, later));
    }
    let case = judging.case();
    let contributors = contributor::contributors(case, change);
    let mut against = Vec::new();
    for consent in change.consents.iter().rev() {
        let said = |key: &str| {
            Sentence::new(key)
                .text("person", case.name_of(consent.by))
                .with("at", Arg::Time(consent.at))
                .text("note", &consent.note)
        };
        if consent.revision_digest != revision.digest {
            against.push(said("bundle-consent-other-revision"));
        } else if let Some(why) = contributor::refusal(case, &contributors, consent.by) {
            against.push(said("bundle-consent-not-counted"));
            against.push(why);
        } else if consent.at <= judging.now {
            return Some(Line::new(
                "bundle",
                S::Holds,
                vec![said("bundle-consent-holds")],
            ));
        }
    }
    against.insert(
        0,
        Sentence::new("bundle-consent-missing").text("reason", &bundle.reason),
    );
    against.push(contributor::who_may(case, change));
    let line = Line::new("bundle", S::Missing, against);
    Some(line.closed_by(Closes::ConsentBundle(change.id)))
}
