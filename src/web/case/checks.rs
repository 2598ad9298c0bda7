//! What was checked about an item, in words: its window, statements, samples and bytes, and why it
//! was refused.

use super::cards::Check;
use super::{cut, window};
use crate::{
    ladder::{
        CaseFile,
        evidence::{Acceptance, Contradiction, Evidence, EvidenceState},
        run::Run,
    },
    store::case_page::Beside,
    web::{
        Page,
        evidence::{attested::standing, beside::other_case},
        format, say,
    },
};
use chrono::{DateTime, Utc};
use pel_evidence::{NoteLevel, Signal, Statistic};

/// The acceptance of a contradiction, if a reviewer gave one.
fn acceptance<'a>(
    case: &'a CaseFile,
    item: &Evidence,
    found: &Contradiction,
) -> Option<&'a Acceptance> {
    case.acceptances
        .iter()
        .rev()
        .find(|a| a.evidence_id == item.id && a.of == *found)
}

/// Whether a reviewer accepted a contradiction as it stands.
pub fn is_accepted(case: &CaseFile, item: &Evidence, found: &Contradiction) -> bool {
    acceptance(case, item, found).is_some()
}

/// An accepted contradiction in words, with who accepted it and why.
fn accepted(page: &Page, case: &CaseFile, item: &Evidence, a: &Acceptance) -> String {
    let (field, stated, found) = parts(page, item, &a.of);
    page.text(
        "contradiction-accepted",
        &[
            ("field", &field),
            ("stated", &stated),
            ("found", &found),
            ("person", &case.name_of(a.by)),
            ("at", &format::date_time(page.lang, a.at)),
            ("reason", &cut(&a.reason, 300)),
        ],
    )
}

/// A contradiction in words: what was stated, what the file shows.
pub fn contradiction(page: &Page, item: &Evidence, found: &Contradiction) -> String {
    let (field, stated, found) = parts(page, item, found);
    page.text(
        "case-check-contradicted",
        &[("field", &field), ("stated", &stated), ("found", &found)],
    )
}

/// The statement, what was stated, what the file shows.
fn parts(page: &Page, item: &Evidence, found: &Contradiction) -> (String, String, String) {
    let field = field_word(page, &found.field);
    let said = |value: &str| match found.field.as_str() {
        "phase" | "profiled" => page.t(&say::key(&found.field, value)),
        "window" => ends(value).map_or_else(|| cut(value, 120), |w| window(page, w)),
        _ => cut(value, 120),
    };
    let why = item
        .extraction
        .iter()
        .flat_map(|x| &x.hints)
        .find(|h| found.code.as_deref() == Some(h.code.as_str()))
        .map(|h| say::hint(page.lang, h));
    let stated = if found.stated.is_empty() {
        page.t("case-statement-none")
    } else {
        said(&found.stated)
    };
    let found = why.unwrap_or_else(|| said(&found.found));
    (field, stated, found)
}

/// Both ends of a window that stands as text.
fn ends(text: &str) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let (from, to) = text.split_once(" – ")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// The word for a statement about a run, or for a fact of its environment.
pub fn field_word(page: &Page, field: &str) -> String {
    let key = say::key("statement", field);
    if crate::i18n::has(page.lang, &key) {
        page.t(&key)
    } else {
        cut(field, 60)
    }
}

/// Everything that was checked about an item.
pub fn checks(
    page: &Page,
    case: &CaseFile,
    item: &Evidence,
    run: &Run,
    beside: &Beside,
) -> Vec<Check> {
    let mut found = Vec::new();
    let mut say = |shape, tone, text| found.push(Check { shape, tone, text });
    if let Some(check) = beside.checks.iter().find(|c| c.evidence_id == item.id) {
        let at = format::date_time(page.lang, check.at);
        if check.sound {
            say("holds", "good", page.t1("case-check-sound", "at", at));
        } else {
            say("breaks", "bad", page.t1("case-check-corrupt", "at", at));
        }
    }
    if let Some(link) = &item.link {
        let case = other_case(link.case_number);
        let words = page.t2("link-first-card", "item", link.label(), "case", case);
        say("half", "warn", words);
    }
    for a in case.attested.iter().filter(|a| a.is_said_by(item)) {
        let (shape, tone, standing) = standing(page, case, a);
        let words = page.text(
            "attested-on-card",
            &[
                (
                    "measure",
                    &say::measure(page.lang, &a.signal.name, a.signal.statistic),
                ),
                ("value", &say::value(page.lang, &a.signal)),
                ("person", &case.name_of(a.by)),
                ("standing", &standing),
            ],
        );
        say(shape, tone, words);
    }
    let Some(x) = &item.extraction else {
        return found;
    };
    let against = item.contradictions(run);
    for c in &against {
        match acceptance(case, item, c) {
            Some(a) => say("half", "warn", accepted(page, case, item, a)),
            None => say("contra", "bad", contradiction(page, item, c)),
        }
    }
    let agrees = |field: &str| !against.iter().any(|c| c.field == field);
    let read = x.window.as_ref().is_some_and(|w| w.start.is_some());
    if read && run.stated.window.is_some() && agrees("window") {
        say("holds", "good", page.t("case-check-window"));
    }
    for (about, field, value) in [
        (
            pel_evidence::HintAbout::Phase,
            "phase",
            run.stated.phase.id(),
        ),
        (
            pel_evidence::HintAbout::Profiled,
            "profiled",
            run.stated.profiled.id(),
        ),
    ] {
        if x.hints.iter().any(|h| h.about == about && h.says == value) && agrees(field) {
            let stated = page.t(&say::key(field, value));
            say(
                "holds",
                "good",
                page.t1("case-check-agrees", "stated", stated),
            );
        }
    }
    if let Some(words) = counted(page, case, &x.signals) {
        say("holds", "good", words);
    }
    for note in x.notes.iter().filter(|n| n.level == NoteLevel::Invalid) {
        say("contra", "bad", say::note(page.lang, note));
    }
    let absent = x
        .notes
        .iter()
        .filter(|n| n.level == NoteLevel::NotCaptured)
        .count();
    if absent > 0 {
        say(
            "unknown",
            "quiet",
            page.t1("case-check-not-captured", "count", absent),
        );
    }
    found
}

/// What stands behind the numbers: the requests that finished, else the samples of the first
/// signal that the contract limits; nothing when neither is in the file.
fn counted(page: &Page, case: &CaseFile, signals: &[Signal]) -> Option<String> {
    let whole = || signals.iter().filter(|s| s.labels.is_empty());
    let finished =
        whole().find(|s| s.name == "finished_requests" && s.statistic == Statistic::Total);
    if let Some(s) = finished.filter(|s| s.value.is_finite() && s.value >= 0.0) {
        let n = s.value.round() as i64;
        return Some(page.t2("case-check-requests", "count", n, "n", page.count(n)));
    }
    let limits = &case.contract.as_ref()?.terms.limits;
    limits.iter().find_map(|l| {
        let n = whole()
            .find(|s| s.name == l.signal && s.statistic == l.statistic)?
            .samples?;
        let n = page.count(i64::try_from(n).unwrap_or(i64::MAX));
        let signal = say::signal_name(page.lang, &l.signal);
        Some(page.t2("case-check-samples", "n", n, "signal", signal))
    })
}

/// The words of why an item could not be read, and what to do instead.
pub struct RefusalWords {
    /// Why.
    pub why: String,
    /// What to do.
    pub remedy: String,
    /// Whether the reader asks a person what the columns mean.
    pub asks: bool,
    /// The command that does it, if there is one.
    pub command: Option<String>,
}

/// Why an item could not be read and what to do instead, out of its state's reason.
pub fn refusal(page: &Page, item: &Evidence) -> Option<RefusalWords> {
    if item.state != EvidenceState::Unreadable && item.state != EvidenceState::Rejected {
        return None;
    }
    Some(reason_words(
        page,
        item.state_reason.as_deref().unwrap_or_default(),
    ))
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reason {
    Refusal(pel_evidence::Refusal),
    Failure {
        code: String,
        #[serde(default)]
        args: std::collections::BTreeMap<String, String>,
    },
}

/// The words of a refusal or failure that was kept as JSON; other text as it is.
fn reason_words(page: &Page, reason: &str) -> RefusalWords {
    let mut asks = false;
    let (why, remedy, command) = match serde_json::from_str::<Reason>(reason) {
        Ok(Reason::Refusal(r)) => {
            asks = r.asks.is_some();
            let (mut why, remedy) = say::refusal(page.lang, &r);
            if let Some(place) = &r.place {
                why = format!("{why} ({})", cut(place, 80));
            }
            let command = r.command.as_deref().map(|c| cut(c, 200));
            (why, remedy, command)
        }
        Ok(Reason::Failure { code, args }) => (
            say::coded(page.lang, "reader-failed", &code, &args),
            say::coded(page.lang, "reader-failed", &format!("{code}-remedy"), &args),
            None,
        ),
        Err(_) => (cut(reason, 300), page.t("case-card-refusal-remedy"), None),
    };
    RefusalWords {
        why,
        remedy,
        asks,
        command,
    }
}
