//! The canary plan in full, and what it risks at worst, in words and numbers.

use crate::ladder::CaseFile;
use crate::ladder::canary::worst_case;
use crate::ladder::change::Terms;
use crate::web::{Page, format};
use pel_evidence::Unit;

/// One fact of the plan: its name and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Name.
    pub name: String,
    /// Words; never empty.
    pub said: String,
}

/// The plan's facts in the order of the form, then the worst case.
pub fn facts(page: &Page, case: &CaseFile, terms: &Terms) -> Vec<Fact> {
    let mut all = vec![
        fact(page, "change-start-window", start(page, terms)),
        fact(page, "change-scope", scope(page, terms)),
        fact(page, "change-margin", margin(page, terms)),
        fact(page, "change-limits", limits(page, case, terms)),
        fact(page, "change-interval-is", interval(page, terms)),
        fact(page, "change-capacity", capacity(page, terms)),
    ];
    all.extend(worst(page, case, terms));
    all
}

fn fact(page: &Page, key: &str, said: String) -> Fact {
    Fact {
        name: page.t(key),
        said,
    }
}

fn ratio(page: &Page, n: f64) -> String {
    format::value(page.lang, n, Unit::Ratio).to_string()
}

fn time(page: &Page, seconds: u64) -> String {
    format::duration(page.lang, i64::try_from(seconds).unwrap_or(i64::MAX))
}

/// When it may start.
pub fn start(page: &Page, terms: &Terms) -> String {
    let at = |t| format::date_time(page.lang, t);
    match (terms.plan.start_from, terms.plan.start_to) {
        (None, None) => page.t("change-start-any"),
        (Some(from), None) => page.t1("change-start-after", "from", at(from)),
        (None, Some(to)) => page.t1("change-start-until", "to", at(to)),
        (Some(from), Some(to)) => page.t2("change-start-between", "from", at(from), "to", at(to)),
    }
}

fn scope(page: &Page, terms: &Terms) -> String {
    let p = &terms.plan;
    let or = |names: &[String], key: &str| {
        if names.is_empty() {
            page.t(key)
        } else {
            names.join(", ")
        }
    };
    let said = page.t2(
        "change-scope-said",
        "classes",
        or(&p.classes, "change-every-class"),
        "regions",
        or(&p.regions, "change-regions-apart"),
    );
    if p.scope.trim().is_empty() {
        said
    } else {
        format!("{said} {}", p.scope.trim())
    }
}

/// How much worse than the baseline arm it may be.
pub fn margin(page: &Page, terms: &Terms) -> String {
    match terms.plan.margin {
        _ if !terms.plan.concurrent_baseline => page.t("change-margin-alone"),
        Some(m) => page.t1("change-margin-said", "margin", ratio(page, m)),
        None => page.t("change-not-stated"),
    }
}

fn limits(page: &Page, case: &CaseFile, terms: &Terms) -> String {
    let p = &terms.plan;
    if p.limits.is_empty() {
        return page.t("change-limits-all");
    }
    let of = |id: &String| {
        let limit = case.contract.as_ref()?.limit(id)?;
        Some(crate::web::say::measure(
            page.lang,
            &limit.signal,
            limit.statistic,
        ))
    };
    let names: Vec<String> = p.limits.iter().filter_map(of).collect();
    page.t1("change-limits-said", "limits", names.join(", "))
}

/// How often it is evaluated.
pub fn interval(page: &Page, terms: &Terms) -> String {
    terms.plan.interval_seconds.map_or_else(
        || page.t("change-interval-contract"),
        |s| time(page, u64::from(s)),
    )
}

/// What stands ready.
pub fn capacity(page: &Page, terms: &Terms) -> String {
    let c = &terms.plan.capacity;
    let or = |said: Option<String>| said.unwrap_or_else(|| page.t("change-not-stated"));
    page.text(
        "change-capacity-said",
        &[
            ("headroom", &or(c.headroom.map(|h| ratio(page, h)))),
            ("spare", &or(c.spare.map(|n| format!("N+{n}")))),
            (
                "warm-up",
                &or(c.warm_up_seconds.map(|s| time(page, u64::from(s)))),
            ),
            (
                "back",
                &or(terms.rollback_seconds.map(|s| time(page, u64::from(s)))),
            ),
        ],
    )
}

/// What the plan risks at worst.
fn worst(page: &Page, case: &CaseFile, terms: &Terms) -> Vec<Fact> {
    let Some(contract) = &case.contract else {
        return Vec::new();
    };
    let Some(w) = worst_case(terms, &contract.terms) else {
        let said = page.t("change-worst-unknown");
        return vec![fact(page, "change-worst-time", said)];
    };
    let whole = time(page, w.seconds());
    let time_said = page.text(
        "change-worst-time-said",
        &[
            ("whole", &whole),
            ("notice", &time(page, w.notice_seconds)),
            ("back", &time(page, w.back_seconds)),
        ],
    );
    let most = terms
        .plan
        .max_requests
        .map_or_else(|| page.t("change-not-stated"), |n| page.count(n));
    let exposed = match w.requests {
        Some(n) => page.text(
            "change-worst-exposure-said",
            &[
                ("requests", &page.count(n)),
                ("whole", &whole),
                ("most", &most),
            ],
        ),
        None => page.t1("change-worst-exposure-unknown", "most", most),
    };
    vec![
        fact(page, "change-worst-time", time_said),
        fact(page, "change-worst-exposure", exposed),
    ]
}
