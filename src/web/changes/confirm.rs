//! An approval whose ground moved: the numbers it was given on beside those of now.

use super::judging::Scene;
use crate::ladder::gate;
use crate::ladder::seen::{Seen, SeenRow};
use crate::web::{Page, Reader, format, say};
use chrono::{DateTime, Utc};

/// One limit, then and now.
#[derive(Debug)]
pub struct Row {
    /// The limit in words.
    pub what: String,
    /// Candidate value and verdict when it was approved.
    pub then: String,
    /// Candidate value and verdict now.
    pub now: String,
    /// Whether the two differ.
    pub moved: bool,
}

/// What one approver is asked to confirm again.
#[derive(Debug)]
pub struct Confirm {
    /// When the approval was given.
    pub at: String,
    /// Whether no verdict moved, so that confirming is all there is to do.
    pub same_verdicts: bool,
    /// Limits.
    pub rows: Vec<Row>,
}

/// The reader's own newest approval, when it no longer counts because its ground moved.
pub fn of(page: &Page, scene: &Scene, reader: &Reader, now: DateTime<Utc>) -> Option<Confirm> {
    let (case, change) = (&scene.case, &scene.change);
    let all = gate::approvals(case, change, &case.policy, now);
    let mine = all.iter().rev().find(|a| a.approval.by == reader.id)?;
    if mine.counts() {
        return None;
    }
    let then = mine.approval.seen.as_ref()?;
    let seen = Seen::of(case, change);
    let rows = then.beside(&seen).into_iter().filter_map(|m| {
        let what = words(page, m.now.as_ref().or(m.then.as_ref())?);
        Some(Row {
            what,
            then: side(page, m.then.as_ref()),
            now: side(page, m.now.as_ref()),
            moved: m.then != m.now,
        })
    });
    Some(Confirm {
        at: format::date_time(page.lang, mine.approval.at),
        same_verdicts: mine.confirm,
        rows: rows.collect(),
    })
}

fn words(page: &Page, row: &SeenRow) -> String {
    let mut words = say::measure(page.lang, &row.signal, row.statistic);
    let phase = page.t(&say::key("phase", row.phase.id()));
    for part in [row.class.as_deref(), row.band.as_deref(), Some(&*phase)]
        .into_iter()
        .flatten()
    {
        words.push_str(" · ");
        words.push_str(part);
    }
    words
}

fn side(page: &Page, row: Option<&SeenRow>) -> String {
    let Some(row) = row else {
        return page.t("confirm-not-compared");
    };
    let value = row.candidate.map_or_else(
        || page.t("gate-not-measured"),
        |v| format::value(page.lang, v, row.unit).to_string(),
    );
    let verdict = page.t(&say::key("confirm-verdict", &row.verdict));
    page.t2("confirm-side", "value", value, "verdict", verdict)
}
