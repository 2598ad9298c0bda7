//! Who contributed to a change, and who may therefore not decide on it (lifecycle §2).
//!
//! History counts: leaving the case, or losing a role, does not undo having contributed. Pausing
//! or rolling back a canary, setting evidence aside, asking for changes and commenting never make
//! a contributor.

use super::case::CaseFile;
use super::change::{CanaryEventKind, Change, ChangeState};
use super::condition::Condition;
use super::evidence::Evidence;
use super::life::PartKind;
use super::policy::Role;
use super::{Arg, Sentence, basis};
use std::collections::HashSet;
use uuid::Uuid;

/// Contributors of a change with what made them one. A person may appear with several reasons.
pub fn contributors(case: &CaseFile, change: &Change) -> Vec<(Uuid, Sentence)> {
    let mut found: Vec<(Uuid, Sentence)> = Vec::new();
    let mut add = |person: Uuid, why: Sentence| {
        let why = why.text("person", case.name_of(person));
        if !found.iter().any(|(p, w)| *p == person && w.key == why.key) {
            found.push((person, why));
        }
    };
    let wrote = || Sentence::new("contributor-author").text("change", change.label());
    add(change.author, wrote());
    for author in change.revisions.iter().flat_map(|r| &r.authors) {
        add(*author, wrote());
    }
    for (person, why) in hands_on(case) {
        add(person, why);
    }
    for event in &change.canary {
        use CanaryEventKind as K;
        if let Some(by) = event
            .by
            .filter(|_| matches!(event.kind, K::Started | K::Resumed | K::Ended))
        {
            add(by, Sentence::new("contributor-canary"));
        }
    }
    for used in case.overrides.iter().filter(|o| o.change_id == change.id) {
        add(used.by, Sentence::new("contributor-override"));
    }
    found
}

/// Who has a hand in the case itself, whatever the change: in the conditions in force, the
/// evidence of the gate, its ownership.
fn hands_on(case: &CaseFile) -> Vec<(Uuid, Sentence)> {
    let mut found = Vec::new();
    let mut add = |person: Uuid, why: Sentence| found.push((person, why));
    for condition in Condition::ALL {
        if let Some(record) = case.record(*condition) {
            let name = format!("condition-{}", condition.id().replace('_', "-"));
            add(
                record.by,
                Sentence::new("contributor-condition").with("condition", Arg::Key(name)),
            );
        }
    }
    let runs: HashSet<Uuid> = basis::gate_runs(case).map(|r| r.id).collect();
    for item in &case.evidence {
        if item.counts() && runs.contains(&item.run_id) {
            add(
                item.added_by,
                Sentence::new("contributor-evidence").text("evidence", item.label()),
            );
        }
    }
    for owner in case.owner.iter().chain(&case.owners) {
        add(*owner, Sentence::new("contributor-owner"));
    }
    if uploads_relaxed(case) {
        found.retain(|(_, why)| why.key != "contributor-evidence");
    }
    found
}

/// Who has a hand in the case or in a change of it that is not over.
pub(super) fn of_case(case: &CaseFile) -> Vec<(Uuid, Sentence)> {
    let mut found: Vec<(Uuid, Sentence)> = hands_on(case)
        .into_iter()
        .map(|(person, why)| (person, why.text("person", case.name_of(person))))
        .collect();
    for change in case.changes.iter().filter(|c| !is_void(c.state)) {
        found.extend(contributors(case, change));
    }
    found
}

/// Whether a change came to nothing: who wrote it has no stake in the case any more.
fn is_void(state: ChangeState) -> bool {
    use ChangeState as S;
    matches!(
        state,
        S::Withdrawn | S::Rejected | S::Expired | S::RolledBack
    )
}

/// Whether a person may accept a contradicted statement of `item`'s run as it stands.
///
/// # Errors
/// A sentence saying why not.
pub fn may_accept(case: &CaseFile, item: &Evidence, person: Uuid) -> Result<(), Sentence> {
    let run = case.run(item.run_id);
    let stated = run.is_some_and(|r| case.same_person(r.by, person));
    if stated || case.same_person(item.added_by, person) {
        return Err(Sentence::new("contributor-stated").text("person", case.name_of(person)));
    }
    may_vouch(case, person)
}

/// Whether a person may vouch for a statement or a number of the case: an active reviewer who has
/// no hand in it.
///
/// # Errors
/// A sentence saying why not.
pub fn may_vouch(case: &CaseFile, person: Uuid) -> Result<(), Sentence> {
    refusal(case, &of_case(case), person).map_or(Ok(()), Err)
}

/// People a team has fewer of when attaching evidence alone may be let pass.
const SMALL_TEAM: i64 = 4;

/// Whether having attached evidence, and nothing else, makes no contributor here: only while the
/// policy says so, and only in a team that is known to be small.
fn uploads_relaxed(case: &CaseFile) -> bool {
    case.policy.uploader_may_approve && case.team.is_some_and(|n| n < SMALL_TEAM)
}

/// Whether a person may approve, reject or accept a change now: an active reviewer who is not a
/// contributor.
///
/// # Errors
/// A sentence saying why not; [`who_may`] says who could.
pub fn may_decide(case: &CaseFile, change: &Change, person: Uuid) -> Result<(), Sentence> {
    refusal(case, &contributors(case, change), person).map_or(Ok(()), Err)
}

/// Why a person may not decide.
pub(super) fn refusal(
    case: &CaseFile,
    contributors: &[(Uuid, Sentence)],
    person: Uuid,
) -> Option<Sentence> {
    let Some(found) = case.person(person) else {
        return Some(Sentence::new("decide-unknown-person"));
    };
    let named = |key: &str| Sentence::new(key).text("person", &found.name);
    if !found.active {
        return Some(named("decide-inactive"));
    }
    if !found.roles.contains(&Role::Reviewer) {
        return Some(named("decide-no-reviewer"));
    }
    // Whatever account somebody excluded comes with, they stay excluded.
    let mut excluded = case.life.with_part(PartKind::Excluded);
    if excluded.any(|p| case.same_person(p.person, person)) {
        return Some(named("decide-excluded"));
    }
    contributors
        .iter()
        .find(|(p, _)| case.identity(*p) == found.identity)
        .map(|(_, why)| why.clone())
}

/// Active reviewers who have not contributed.
pub fn eligible<'a>(case: &'a CaseFile, change: &Change) -> Vec<&'a super::case::PersonRef> {
    let all = contributors(case, change);
    case.people
        .iter()
        .filter(|p| refusal(case, &all, p.id).is_none())
        .collect()
}

/// Who may decide on a change, or that somebody has to be given the reviewer role.
pub fn who_may(case: &CaseFile, change: &Change) -> Sentence {
    named_or_nobody(eligible(case, change).into_iter(), candidates(case, change))
}

/// The people by name, or that there is nobody and who could be given the role.
fn named_or_nobody<'a>(
    people: impl Iterator<Item = &'a super::case::PersonRef>,
    could: Vec<Arg>,
) -> Sentence {
    let names: Vec<Arg> = people.map(|p| Arg::Text(p.name.clone())).collect();
    if names.is_empty() {
        match could.is_empty() {
            true => Sentence::new("decide-nobody"),
            false => Sentence::new("decide-nobody-but").with("people", Arg::List(could)),
        }
    } else {
        Sentence::new("decide-who").with("people", Arg::List(names))
    }
}

/// Active people who have not contributed and hold another role: whom an administrator could give
/// the reviewer role. At most four names.
fn candidates(case: &CaseFile, change: &Change) -> Vec<Arg> {
    let all = contributors(case, change);
    let theirs =
        |p: &super::case::PersonRef| all.iter().any(|(c, _)| case.identity(*c) == p.identity);
    case.people
        .iter()
        .filter(|p| p.active && !p.roles.is_empty() && !p.roles.contains(&Role::Reviewer))
        .filter(|p| !theirs(p))
        .take(4)
        .map(|p| Arg::Text(p.name.clone()))
        .collect()
}

/// Whether a person may let a contract with loosened limits count in the case: an active reviewer
/// who contributed to nothing in it.
///
/// # Errors
/// A sentence saying why not.
pub fn may_consent(case: &CaseFile, person: Uuid) -> Result<(), Sentence> {
    refusal(case, &of_whole_case(case), person).map_or(Ok(()), Err)
}

/// Contributors of the case as a whole: to any of its changes, or to what it rests on while there
/// is none.
fn of_whole_case(case: &CaseFile) -> Vec<(Uuid, Sentence)> {
    let mut found: Vec<(Uuid, Sentence)> = case
        .changes
        .iter()
        .flat_map(|change| contributors(case, change))
        .collect();
    let facts = case.records.iter().map(|r| r.by);
    let facts = facts.chain(case.evidence.iter().map(|e| e.added_by));
    let facts = facts.chain(case.owner).chain(case.owners.iter().copied());
    found.extend(facts.map(|person| {
        let why = Sentence::new("contributor-case").text("person", case.name_of(person));
        (person, why)
    }));
    found
}

/// Active reviewers who may let a loosened contract count.
pub fn who_may_consent(case: &CaseFile) -> Sentence {
    let all = of_whole_case(case);
    named_or_nobody(
        case.people
            .iter()
            .filter(|p| refusal(case, &all, p.id).is_none()),
        Vec::new(),
    )
}
