//! The timeline: every act of the case out of the audit log, comments among them, by day.

use super::cut;
use crate::{
    i18n::has,
    ladder::{CaseFile, change::Purpose, evidence::Evidence, run::Run},
    store::audit::{Body, Event},
    web::{Page, format, say},
};
use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

/// Entries on one page.
pub const MOST: i64 = 100;

/// One day.
pub struct Day {
    /// The day in words.
    pub name: String,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// One entry.
pub struct Entry {
    /// When, for machines.
    pub machine: String,
    /// Hour and minute.
    pub clock: String,
    /// Who; `None` is the program.
    pub who: Option<String>,
    /// What they did.
    pub what: String,
    /// What it was done to: label and address.
    pub object: Option<(String, Option<String>)>,
    /// A comment, or the reason given.
    pub words: Option<String>,
    /// Place in the audit log.
    pub seq: i64,
}

/// The days, newest first as the events are given.
pub fn days(page: &Page, case: &CaseFile, events: &[Event]) -> Vec<Day> {
    let mut days: Vec<(NaiveDate, Day)> = Vec::new();
    for event in events {
        let at = DateTime::<Utc>::from_timestamp_micros(event.body.at_us).unwrap_or(page.now);
        let entry = entry(page, case, &event.body, at);
        match days.last_mut() {
            Some((day, group)) if *day == at.date_naive() => group.entries.push(entry),
            _ => days.push((
                at.date_naive(),
                Day {
                    name: format::date(page.lang, at),
                    entries: vec![entry],
                },
            )),
        }
    }
    days.into_iter().map(|(_, d)| d).collect()
}

/// What an act is called. One that has no words yet shows its name in the log.
pub fn act_words(page: &Page, body: &Body) -> String {
    let act = body.act.as_str();
    let purpose = body.detail.get("purpose").and_then(|p| p.as_str());
    if act == "change.approve" && purpose == Some(Purpose::Promotion.id()) {
        return page.t("case-act-change-approve-promotion");
    }
    let key = format!("case-act-{}", act.replace(['.', '_'], "-"));
    if has(page.lang, &key) {
        page.t(&key)
    } else {
        act.to_owned()
    }
}

fn entry(page: &Page, case: &CaseFile, body: &Body, at: DateTime<Utc>) -> Entry {
    let why = say::all(page.lang, body.detail.get("why"));
    let comment = (body.act == "case.comment")
        .then(|| body.detail.get("text").and_then(|t| t.as_str()))
        .flatten();
    Entry {
        machine: at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        clock: at.format("%H:%M").to_string(),
        who: body.person_id.map(|id| who(case, id, &body.name)),
        what: act_words(page, body),
        object: object(page, case, body),
        words: comment
            .or(why.as_deref())
            .or(body.reason.as_deref())
            .map(|w| cut(w, 10_000))
            .filter(|w| !w.trim().is_empty()),
        seq: body.seq,
    }
}

/// The name at the time, or the pseudonym of somebody whose name was erased since.
fn who(case: &CaseFile, id: Uuid, then: &str) -> String {
    let erased = case.person(id).filter(|p| p.erased);
    cut(erased.map_or(then, |p| &p.name), 80)
}

fn object(page: &Page, case: &CaseFile, body: &Body) -> Option<(String, Option<String>)> {
    let base = super::path(case);
    let id: Option<Uuid> = body.object_id.parse().ok();
    match body.object_kind.as_str() {
        "evidence" => {
            let label = id.and_then(|id| case.item(id)).map(Evidence::label)?;
            Some((label.clone(), Some(format!("/evidence/{label}"))))
        }
        "run" => {
            let label = id.and_then(|id| case.run(id)).map(Run::label)?;
            Some((label.clone(), Some(format!("{base}/runs/{label}"))))
        }
        "change" => {
            let label = id.and_then(|id| case.change(id)).map(|c| c.label())?;
            Some((label.clone(), Some(format!("{base}/changes/{label}"))))
        }
        "hypothesis" => {
            let found = case.hypotheses.iter().find(|h| Some(h.id) == id)?;
            Some((
                format!("H-{}", found.number),
                Some("#hypotheses".to_owned()),
            ))
        }
        "stage" => Some((
            body.object_id.clone(),
            Some(format!("#s{}", body.object_id.parse::<u8>().ok()?)),
        )),
        "condition" => {
            let named = body.detail.get("condition").and_then(|c| c.as_str());
            let recorded = case.records.iter().find(|r| Some(r.id) == id);
            let condition = named.or(recorded.map(|r| r.claim.condition().id()))?;
            Some((page.t(&say::key("condition", condition)), None))
        }
        "case" if body.act == "case.owner" => {
            let owner: Uuid = body.after.as_deref()?.parse().ok()?;
            Some((case.name_of(owner), None))
        }
        "decision" => Some((
            format::short_digest(body.after.as_deref().unwrap_or_default()).to_owned(),
            id.map(|id| format!("/decisions/{id}")),
        )),
        _ => None,
    }
}
