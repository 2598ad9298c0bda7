//! The live change summed up on the case page: its knob, its plan and thresholds in words, and the
//! approvals given on it.

use super::cut;
use crate::{
    ladder::{
        CaseFile,
        change::{Change, Threshold},
        contributor,
        gate::approvals,
    },
    web::{Page, format, say},
};
use chrono::{DateTime, Utc};

/// The live change, summed up.
pub struct ChangeView {
    /// `CH-12`.
    pub label: String,
    /// Its page.
    pub href: String,
    /// Revision, digest, who and when.
    pub about: String,
    /// The knob.
    pub setting: String,
    /// Whose setting it is.
    pub component: String,
    /// Old value.
    pub old: String,
    /// New value.
    pub new: String,
    /// State in words.
    pub state: String,
    /// What is expected.
    pub expects: String,
    /// Risks.
    pub risks: String,
    /// Each rollback threshold written out.
    pub thresholds: Vec<String>,
    /// Approvals: name, when, whether it counts, why not.
    pub approvals: Vec<ApprovalRow>,
    /// Who else may approve.
    pub who: String,
    /// Earlier changes: label, setting, state.
    pub earlier: Vec<(String, String, String)>,
}

/// One approval.
pub struct ApprovalRow {
    /// Who.
    pub name: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Why it does not count any more; empty when it does.
    pub outdated: String,
}

/// The change section.
pub fn change(page: &Page, case: &CaseFile) -> Option<ChangeView> {
    let live = case.live_change()?;
    let revision = live.current()?;
    let terms = &revision.terms;
    let unit = cut(&terms.knob.unit, 20);
    let valued = |v: &str| {
        let v = cut(v, 80);
        if unit.is_empty() {
            v
        } else {
            format!("{v} {unit}")
        }
    };
    let about = page.text(
        "case-change-about",
        &[
            ("revision", &revision.number.to_string()),
            ("digest", format::short_digest(&revision.digest)),
            ("name", &case.name_of(live.author)),
        ],
    );
    Some(ChangeView {
        label: live.label(),
        href: format!("{}/changes/{}", super::path(case), live.label()),
        about,
        setting: cut(&terms.knob.setting, 80),
        component: cut(&terms.knob.component, 80),
        old: valued(&terms.knob.old),
        new: valued(&terms.knob.new),
        state: page.t(&say::key("change-state", live.state.id())),
        expects: expectation(page, live),
        risks: cut(&terms.risks, 400),
        thresholds: terms
            .thresholds
            .iter()
            .map(|t| threshold(page, t))
            .collect(),
        approvals: approvals(case, live, &case.policy, page.now)
            .into_iter()
            .map(|a| ApprovalRow {
                outdated: a
                    .outdated
                    .iter()
                    .map(|s| say::sentence(page.lang, s))
                    .collect::<Vec<_>>()
                    .join(" "),
                at: a.approval.at,
                name: a.name,
            })
            .collect(),
        who: say::sentence(page.lang, &contributor::who_may(case, live)),
        earlier: case
            .changes
            .iter()
            .rev()
            .filter(|c| c.id != live.id)
            .map(|c| {
                let setting = c
                    .current()
                    .map_or_else(String::new, |r| cut(&r.terms.knob.setting, 60));
                (
                    c.label(),
                    setting,
                    page.t(&say::key("change-state", c.state.id())),
                )
            })
            .collect(),
    })
}

fn expectation(page: &Page, change: &Change) -> String {
    let Some(e) = change.current().map(|r| &r.terms.expectation) else {
        return String::new();
    };
    if e.signal.is_empty() {
        return String::new();
    }
    let direction = match e.direction.as_str() {
        "higher" => page.t("case-direction-higher"),
        _ => page.t("case-direction-lower"),
    };
    let signal = say::signal_name(page.lang, &e.signal);
    page.text(
        "case-change-expects",
        &[
            ("signal", &signal),
            ("direction", &direction),
            ("by", &cut(&e.by, 200)),
        ],
    )
}

/// A threshold written out as a sentence.
pub fn threshold(page: &Page, t: &Threshold) -> String {
    let gap = || "?".to_owned();
    let value = t
        .value
        .map_or_else(gap, |v| format::value(page.lang, v, t.unit()).to_string());
    let side = page.t(match t.comparator {
        crate::ladder::contract::Comparator::AtMost => "case-threshold-above",
        crate::ladder::contract::Comparator::AtLeast => "case-threshold-below",
    });
    page.text(
        "case-threshold-words",
        &[
            (
                "measure",
                &match t.statistic {
                    Some(of) => say::measure(page.lang, &t.signal, of),
                    None => format!("{} ?", say::signal_name(page.lang, &t.signal)),
                },
            ),
            (
                "class",
                &t.class
                    .clone()
                    .unwrap_or_else(|| page.t("case-all-classes")),
            ),
            ("side", &side),
            ("value", &value),
            (
                "window",
                &t.window_seconds
                    .map_or_else(gap, |s| format::duration(page.lang, i64::from(s))),
            ),
            (
                "samples",
                &t.min_samples
                    .map_or_else(gap, |n| page.count(i64::try_from(n).unwrap_or(i64::MAX))),
            ),
            ("count", &t.consecutive.to_string()),
        ],
    )
}
