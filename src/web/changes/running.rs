//! A canary as it runs: how much of its exposure and time is used, what each limit comes to so
//! far, how old the newest sample is, and what its watcher said.

use super::words::{self, Mark};
use crate::ladder::CaseFile;
use crate::ladder::canary::{self, CanaryVerdict, Exposure};
use crate::ladder::change::{CanaryPlan, Change, ChangeState};
use crate::ladder::compare;
use crate::ladder::gate;
use crate::ladder::run::Phase;
use crate::web::compare::table::Table;
use crate::web::{Page, format, say};
use chrono::{DateTime, Utc};
use pel_evidence::Unit;
use uuid::Uuid;

/// A use of something limited, as a bar and in words.
pub struct Used {
    /// What is used.
    pub name: String,
    /// How much of how much.
    pub said: String,
    /// Used and limit for the bar; `None` = not known.
    pub bar: Option<(String, String)>,
    /// Whether the limit is passed.
    pub over: bool,
}

/// The block of a running canary.
pub struct Running {
    /// Shares of the plan that are used.
    pub used: Vec<Used>,
    /// The verdict so far.
    pub mark: Mark,
    /// What concerns the canary as such.
    pub reasons: Vec<String>,
    /// Each limit so far.
    pub table: Table,
    /// The newest window, and when it makes the verdict open.
    pub newest: String,
    /// Whether a rollback is asked for, because it has been paused for too long.
    pub paused: Option<String>,
}

/// The block of a change whose canary runs or is paused; `None` for any other.
pub fn running(
    page: &Page,
    case: &CaseFile,
    change: &Change,
    now: DateTime<Utc>,
) -> Option<Running> {
    if !matches!(
        change.state,
        ChangeState::CanaryRunning | ChangeState::CanaryPaused
    ) {
        return None;
    }
    let plan = change.plan()?;
    let so_far = canary::so_far(case, change, now);
    let said = |s| say::sentence(page.lang, s);
    Some(Running {
        used: used(page, &plan, so_far.exposure.as_ref()),
        mark: words::whole_mark(page, so_far.whole),
        reasons: so_far.reasons.iter().map(said).collect(),
        newest: newest(page, case, &plan, so_far.exposure.as_ref()),
        paused: canary::paused_too_long(case, change, now)
            .as_ref()
            .map(said),
        table: table(page, case, &so_far),
    })
}

/// A canary's verdict as a table, whether runs or posted samples speak.
pub fn table(page: &Page, case: &CaseFile, verdict: &CanaryVerdict) -> Table {
    let (a, b) = (&verdict.baseline, &verdict.candidate);
    let mut compared = compare::compare(case, a, b, Phase::Canary);
    if b.is_empty() && verdict.samples > 0 {
        compared.refused.clear();
    }
    Table::canary(page, &compared, verdict)
}

fn used(page: &Page, plan: &CanaryPlan, exposure: Option<&Exposure>) -> Vec<Used> {
    let not_stated = || page.t("canary-not-known");
    let requests = exposure.and_then(|e| e.requests);
    let share = exposure.and_then(|e| e.share);
    let took = exposure.map_or(0, |e| e.seconds).max(0);
    let ratio = |n: f64| format::value(page.lang, n, Unit::Ratio).to_string();
    let time = |s: i64| format::duration(page.lang, s);
    let planned = |s: Option<u32>| s.map_or_else(not_stated, |s| time(i64::from(s)));
    let most = plan.max_seconds.map(i64::from);
    vec![
        Used {
            name: page.t("canary-used-requests"),
            said: page.t2(
                "canary-used-of",
                "used",
                requests.map_or_else(not_stated, |n| page.count(n)),
                "most",
                plan.max_requests.map_or_else(not_stated, |n| page.count(n)),
            ),
            bar: requests
                .zip(plan.max_requests)
                .map(|(n, most)| (n.min(most).to_string(), most.to_string())),
            over: requests.zip(plan.max_requests).is_some_and(|(n, m)| n > m),
        },
        Used {
            name: page.t("canary-used-share"),
            said: page.t2(
                "canary-used-of",
                "used",
                share.map_or_else(not_stated, ratio),
                "most",
                plan.share_ceiling.map_or_else(not_stated, ratio),
            ),
            bar: share
                .zip(plan.share_ceiling)
                .map(|(s, most)| (format!("{:.4}", s.min(most)), format!("{most:.4}"))),
            over: share
                .zip(plan.share_ceiling)
                .is_some_and(|(s, m)| s > m + 1e-9),
        },
        Used {
            name: page.t("canary-used-time"),
            said: page.text(
                "canary-used-time-of",
                &[
                    ("used", &time(took)),
                    ("least", &planned(plan.min_seconds)),
                    ("most", &planned(plan.max_seconds)),
                ],
            ),
            bar: most.map(|m| (took.min(m).to_string(), m.to_string())),
            over: most.is_some_and(|m| took > m),
        },
    ]
}

fn newest(page: &Page, case: &CaseFile, plan: &CanaryPlan, exposure: Option<&Exposure>) -> String {
    let old = case
        .contract
        .as_ref()
        .map_or(0, |v| 2 * plan.interval(&v.terms));
    let old = format::duration(page.lang, old);
    match exposure.and_then(|e| e.newest) {
        None => page.t1("canary-no-sample-yet", "old", old),
        Some(at) => page.t2(
            "canary-newest",
            "age",
            format::duration(page.lang, (page.now - at).num_seconds().max(0)),
            "old",
            old,
        ),
    }
}

/// What the watcher said, and whether the reader is the one to say it.
pub struct Watch {
    /// Who watches, and their last word.
    pub said: String,
    /// Whether that word counts now.
    pub counts: bool,
    /// Whether the reader may give it.
    pub mine: bool,
}

/// The watcher of a change that has not ended; `None` when nobody has to watch.
pub fn watch(page: &Page, case: &CaseFile, change: &Change, reader: Uuid) -> Option<Watch> {
    use ChangeState as S;
    let watched = matches!(
        change.state,
        S::ApprovedForCanary
            | S::CanaryRunning
            | S::CanaryPaused
            | S::CanaryEnded
            | S::AwaitingPromotion
            | S::Accepted
    );
    let plan = &change.current().filter(|_| watched)?.terms.plan;
    let person = gate::watcher(case, plan);
    let last = person.and_then(|p| change.presence.iter().rev().find(|x| x.by == p.id));
    let most = case.policy.presence_max_age_s;
    Some(Watch {
        said: match last {
            Some(p) => page.t2(
                "canary-watcher-said",
                "watcher",
                &plan.watcher,
                "age",
                format::duration(page.lang, (page.now - p.at).num_seconds().max(0)),
            ),
            None => page.t1("canary-watcher-silent", "watcher", &plan.watcher),
        },
        counts: last.is_some_and(|p| (page.now - p.at).num_seconds() <= most),
        mine: person.is_some_and(|p| p.id == reader),
    })
}
