//! Attested numbers as pages show them: the value, both names, and what a reviewer may do.

use crate::{
    ladder::{
        CaseFile,
        attested::{self, Attested, State},
        policy::Act,
    },
    web::{
        Page,
        case::{self, cut},
        format, say,
    },
};

/// One attested number.
pub struct AttestedRow {
    /// `A-2`.
    pub label: String,
    /// Signal and statistic.
    pub name: String,
    /// Value with its unit.
    pub value: String,
    /// What it is for and made of: class, samples, as typed.
    pub notes: String,
    /// When.
    pub window: String,
    /// Where in the file it stands.
    pub place: String,
    /// Who attests it, when.
    pub by: String,
    /// Shape, tone and words of where it stands.
    pub standing: (&'static str, &'static str, String),
    /// Label of the file.
    pub source: String,
    /// Whether this reader is offered to answer.
    pub can_answer: bool,
    /// Where the answer goes.
    pub path: String,
}

/// Where an attested number stands: shape, tone, words.
pub fn standing(
    page: &Page,
    case: &CaseFile,
    a: &Attested,
) -> (&'static str, &'static str, String) {
    let said = |key: &str, answer: &attested::Answer| {
        page.text(
            key,
            &[
                ("person", &case.name_of(answer.by)),
                ("at", &format::date_time(page.lang, answer.at)),
                ("reason", &cut(&answer.reason, 300)),
            ],
        )
    };
    match attested::state(case, a) {
        State::Open => ("missing", "warn", page.t("attested-open")),
        State::Declined(answer) => ("breaks", "quiet", said("attested-declined", answer)),
        State::NotCounted(answer) => ("unknown", "warn", said("attested-not-counted", answer)),
        State::Countersigned(answer) => ("holds", "good", said("attested-countersigned", answer)),
    }
}

/// The attested numbers that `of` picks.
pub fn rows(page: &Page, case: &CaseFile, of: impl Fn(&Attested) -> bool) -> Vec<AttestedRow> {
    let open = case::open_to(page, case, Act::Review);
    let me = page.reader.as_ref().map(|r| r.id);
    case.attested
        .iter()
        .filter(|a| of(a))
        .filter(|a| case.item(a.evidence_id).is_none_or(|e| a.is_said_by(e)))
        .map(|a| {
            let mut notes = Vec::new();
            notes.extend(a.class.as_ref().map(|c| cut(c, 80)));
            notes.extend(a.signal.samples.map(|n| {
                let n = page.count(i64::try_from(n).unwrap_or(i64::MAX));
                page.t1("case-signal-samples", "n", n)
            }));
            notes.push(page.t2(
                "attested-typed",
                "value",
                cut(&a.typed.0, 60),
                "unit",
                cut(&a.typed.1, 20),
            ));
            let who = case.name_of(a.by);
            let at = format::date_time(page.lang, a.at);
            AttestedRow {
                label: a.label(),
                name: say::measure(page.lang, &a.signal.name, a.signal.statistic),
                value: say::value(page.lang, &a.signal),
                notes: notes.join(" · "),
                window: case::window(page, a.window),
                place: a.place.clone(),
                by: page.t2("attested-by", "person", who, "at", at),
                standing: standing(page, case, a),
                source: case
                    .item(a.evidence_id)
                    .map_or_else(|| "?".to_owned(), |e| e.label()),
                can_answer: open
                    && me.is_some_and(|me| attested::may_countersign(case, a, me).is_ok()),
                path: format!("{}/attested/{}", case::path(case), a.label()),
            }
        })
        .collect()
}
