//! Attested signals: numbers a person read out of a file that no parser reads (lifecycle §5).
//!
//! One behaves like an extracted signal only once a reviewer who contributed nothing has
//! countersigned it, is always said with both names, and never feeds the verdict of a canary.

use super::case::CaseFile;
use super::condition::Citation;
use super::contract::{Limit, Terms};
use super::evidence::Evidence;
use super::measure::{self, Measured, Value};
use super::run::{Phase, Run};
use super::view::{RunView, View, definition};
use super::{Arg, Sentence, Stage, Statistic, contributor};
use chrono::{DateTime, Utc};
use pel_evidence::{Scope, Signal};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a reviewer said about an attested number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Countersigned, or declined.
    pub agrees: bool,
    /// In words; a decline has some.
    pub reason: String,
    /// The reviewer.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// A number that a person attests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attested {
    /// Id.
    pub id: Uuid,
    /// Number inside the case: `A-2`.
    pub number: i32,
    /// The run it speaks for.
    pub run_id: Uuid,
    /// The file it was read from.
    pub evidence_id: Uuid,
    /// The number, in the signal's base unit, with its samples.
    pub signal: Signal,
    /// Value and unit as typed.
    pub typed: (String, String),
    /// The task class it measured; `None` = the run's own.
    pub class: Option<String>,
    /// The stretch of time it speaks for.
    pub window: (DateTime<Utc>, DateTime<Utc>),
    /// Where in the file it stands.
    pub place: String,
    /// Who attests it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// The reading it was taken from by a mapping; `None` when it was typed.
    #[serde(default)]
    pub extraction_id: Option<Uuid>,
    /// What reviewers said, oldest first; the last counts.
    #[serde(default)]
    pub answers: Vec<Answer>,
}

impl Attested {
    /// `A-2`.
    pub fn label(&self) -> String {
        format!("A-{}", self.number)
    }

    /// Whether the item says it still: a number read by a mapping stands with that reading, until
    /// the item is read anew.
    pub fn is_said_by(&self, item: &Evidence) -> bool {
        let newest = item.extraction.as_ref().map(|x| x.id);
        self.evidence_id == item.id
            && (self.extraction_id.is_none() || self.extraction_id == newest)
    }

    /// Whether it is of this limit's signal, statistic, class and band.
    pub fn speaks_for(&self, terms: &Terms, run: &Run, limit: &Limit) -> bool {
        if self.signal.name != limit.signal || self.signal.statistic != limit.statistic {
            return false;
        }
        let Some(class) = &self.class else {
            return measure::serves(terms, run, limit);
        };
        let mut of_class = run.clone();
        of_class.stated.class = Some(class.clone());
        measure::serves(terms, &of_class, limit)
    }

    fn class_in<'s>(&'s self, run: &'s Run) -> Option<&'s str> {
        self.class.as_deref().or(run.stated.class.as_deref())
    }
}

/// An attested number that nobody declined, with its file.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// The number.
    pub attested: &'a Attested,
    /// Its file.
    pub item: &'a Evidence,
    /// The countersignature that makes it count.
    pub countersigned: Option<&'a Answer>,
}

/// Who vouches for a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vouched {
    /// Who attests it.
    pub by: String,
    /// Who countersigned it.
    pub countersigned: String,
}

impl Vouched {
    /// The line that rests on it, said with both names.
    pub fn said(&self, signal: &str, statistic: Statistic, run: &str, item: &str) -> Sentence {
        Sentence::new("gate-attested-held")
            .with("signal", Arg::Signal(signal.to_owned()))
            .with("statistic", Arg::Statistic(statistic))
            .text("run", run)
            .text("evidence", item)
            .text("person", &self.by)
            .text("reviewer", &self.countersigned)
    }
}

impl Standing<'_> {
    /// Whether a citation means it.
    pub fn is(&self, c: &Citation) -> bool {
        self.item.id == c.evidence_id
            && self.attested.signal.name == c.signal
            && self.attested.signal.statistic == c.statistic
            && c.labels.is_empty()
    }

    /// Who vouches for it, once it counts.
    pub fn vouched(&self, case: &CaseFile) -> Option<Vouched> {
        self.countersigned.map(|a| Vouched {
            by: case.name_of(self.attested.by),
            countersigned: case.name_of(a.by),
        })
    }

    /// That nobody countersigned it.
    pub fn not_countersigned(&self, case: &CaseFile, run: &Run) -> Sentence {
        self.about("measure-attested-open", run)
            .text("person", case.name_of(self.attested.by))
    }

    fn about(&self, key: &str, run: &Run) -> Sentence {
        Sentence::new(key)
            .with("signal", Arg::Signal(self.attested.signal.name.clone()))
            .with("statistic", Arg::Statistic(self.attested.signal.statistic))
            .text("run", run.label())
            .text("evidence", self.item.label())
    }

    fn value(&self, case: &CaseFile) -> Value {
        let s = &self.attested.signal;
        Value {
            value: s.value,
            samples: s.samples,
            bound: s.bound,
            scope: s.scope,
            evidence_id: self.item.id,
            evidence: self.item.label(),
            load: None,
            attested: self.vouched(case),
        }
    }
}

/// The attested numbers of a case that stand: their file is in play and the last reviewer who
/// answered did not decline. A countersignature of somebody who has a hand in the case, then or
/// since, does not count.
pub(super) fn standing(case: &CaseFile) -> Vec<Standing<'_>> {
    if case.attested.is_empty() {
        return Vec::new();
    }
    let involved = contributor::of_case(case);
    case.attested
        .iter()
        .filter_map(|attested| {
            let item = case.item(attested.evidence_id)?;
            let last = attested.answers.last();
            let stands = item.counts()
                && attested.is_said_by(item)
                && last.is_none_or(|answer| answer.agrees);
            stands.then(|| Standing {
                attested,
                item,
                countersigned: last.filter(|a| counts(case, attested, a, &involved)),
            })
        })
        .collect()
}

/// Where an attested number stands with its reviewers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State<'a> {
    /// Nobody answered.
    Open,
    /// Countersigned, and it counts.
    Countersigned(&'a Answer),
    /// Countersigned by somebody who has a hand in the case.
    NotCounted(&'a Answer),
    /// Declined.
    Declined(&'a Answer),
}

/// Where an attested number stands with its reviewers.
pub fn state<'a>(case: &'a CaseFile, attested: &'a Attested) -> State<'a> {
    match attested.answers.last() {
        None => State::Open,
        Some(answer) if !answer.agrees => State::Declined(answer),
        Some(answer) if counts(case, attested, answer, &contributor::of_case(case)) => {
            State::Countersigned(answer)
        }
        Some(answer) => State::NotCounted(answer),
    }
}

fn counts(
    case: &CaseFile,
    attested: &Attested,
    answer: &Answer,
    involved: &[(Uuid, Sentence)],
) -> bool {
    let theirs = |person: Uuid| case.same_person(person, answer.by);
    answer.agrees && !theirs(attested.by) && !involved.iter().any(|(person, _)| theirs(*person))
}

/// What attested numbers say of a limit where nothing was extracted; `None` when there are none.
pub(super) fn measured(
    view: &View<'_>,
    run: &RunView<'_>,
    terms: &Terms,
    limit: &Limit,
) -> Option<Measured> {
    let found: Vec<&Standing<'_>> = run
        .attested
        .iter()
        .filter(|s| s.attested.speaks_for(terms, run.run, limit))
        .collect();
    let first = found.first()?;
    if run.run.stated.phase == Phase::Canary {
        return Some(Measured::Missing(
            first.about("measure-attested-canary", run.run),
        ));
    }
    let values: Vec<Value> = found
        .iter()
        .filter(|s| s.countersigned.is_some())
        .map(|s| s.value(view.case))
        .collect();
    let Some(worst) = measure::worst(limit.comparator, &values) else {
        return Some(Measured::Missing(
            first.not_countersigned(view.case, run.run),
        ));
    };
    let tolerance = view.case.policy.reread_tolerance;
    if values
        .iter()
        .any(|v| !measure::agree_within(v.value, worst.value, tolerance))
    {
        return Some(Measured::Several(values));
    }
    Some(Measured::Value(worst.clone()))
}

/// Where an attested number and an extracted one of the same signal, run and class differ by more
/// than the policy's tolerance, countersigned or not: both are shown.
pub(super) fn disputes(view: &View<'_>) -> Vec<(Stage, Sentence)> {
    let tolerance = view.case.policy.reread_tolerance;
    let mut found = Vec::new();
    for run in view.runs() {
        for standing in &run.attested {
            let a = standing.attested;
            let Some((_, def)) = definition(&a.signal.name) else {
                continue;
            };
            if a.class_in(run.run) != run.run.stated.class.as_deref() {
                continue;
            }
            let extracted = run
                .values(&a.signal.name, a.signal.statistic)
                .filter(|(_, s)| s.labels.is_empty() && s.scope == Scope::Window)
                .find(|(_, s)| !measure::agree_within(s.value, a.signal.value, tolerance));
            let Some((item, s)) = extracted else { continue };
            let stage = Arg::Key(format!("stage-{}", def.stage.id().replace('_', "-")));
            let said = standing
                .about("gate-stage-disputed-attested", run.run)
                .with("stage", stage)
                .with("attested", Arg::Value(a.signal.value, def.unit))
                .text("person", view.case.name_of(a.by))
                .text("other", item.label())
                .with("extracted", Arg::Value(s.value, def.unit));
            found.push((def.stage, said));
        }
    }
    found
}

/// Whether a person may countersign an attested number.
///
/// # Errors
/// A sentence saying why not.
pub fn may_countersign(case: &CaseFile, attested: &Attested, person: Uuid) -> Result<(), Sentence> {
    let attached = case
        .item(attested.evidence_id)
        .is_some_and(|e| case.same_person(e.added_by, person));
    if case.same_person(attested.by, person) || attached {
        return Err(Sentence::new("contributor-attester").text("person", case.name_of(person)));
    }
    contributor::may_vouch(case, person)
}
