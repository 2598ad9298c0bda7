//! Facts and banners about how a case stands: its contract moved or was loosened, the workload
//! drifted, it is on hold, confidential, a duplicate, was reopened, lost its owner.

use super::{banners::Banner, cut, header::Fact};
use crate::{
    ladder::{
        CaseFile, CaseState, case, drift, life::FlagKind, loosening, view::View,
        view::contract_label,
    },
    web::{Page, format, say},
};

/// Who may know of the case, with how often it was reopened.
pub fn visibility(page: &Page, case: &CaseFile) -> Fact {
    let raised = |flag| case.life.flag(flag).is_some();
    let mut words = vec![page.t(if raised(FlagKind::Confidential) {
        "case-visibility-confidential"
    } else {
        "case-visibility-open"
    })];
    if raised(FlagKind::LegalHold) {
        words.push(page.t("case-visibility-legal-hold"));
    }
    let reopened = case.life.reopenings.len();
    Fact {
        name: page.t("case-fact-visibility"),
        value: words.join(" · "),
        href: Some(format!("{}/standing", super::path(case))),
        small: if reopened > 0 {
            page.t1("case-fact-reopened", "count", reopened)
        } else {
            String::new()
        },
        ..Fact::default()
    }
}

/// A banner of message `key` in shape and tone, with its sentence and where it leads.
fn banner(
    page: &Page,
    (shape, tone): (&'static str, &'static str),
    key: &str,
    rest: String,
    href: String,
) -> Banner {
    Banner {
        shape,
        tone,
        strong: page.t(key),
        rest,
        href,
        link: page.t(&format!("{key}-link")),
    }
}

const STALE: (&str, &str) = ("stale", "stale");
const QUIET: (&str, &str) = ("dots", "quiet");

/// The banners, in the order of their weight; they follow those about evidence and change.
pub fn banners(page: &Page, case: &CaseFile) -> Vec<Banner> {
    let base = super::path(case);
    let mut out = Vec::new();
    if let Some(n) = case.newer_contract {
        let rest = page.t1("case-banner-contract-text", "number", n);
        let href = format!("{base}/contract");
        out.push(banner(page, STALE, "case-banner-contract", rest, href));
    }
    out.extend(loosened(page, case));
    if case.state != CaseState::Closed
        && let Some((run, sentence)) = drift::newest(&View::new(case)).into_iter().next()
    {
        let rest = say::sentence(page.lang, &sentence);
        let href = format!("{base}/runs/{run}");
        out.push(banner(page, STALE, "case-banner-drift", rest, href));
    }
    out.extend(standing(page, case, &base));
    out
}

fn loosened(page: &Page, case: &CaseFile) -> Option<Banner> {
    let found = loosening::of(case);
    let version = case.contract.as_ref().filter(|_| !found.is_empty())?;
    let limits: Vec<&str> = found.iter().map(|l| l.was.id.as_str()).collect();
    let rest = page.t2(
        "case-banner-loosened-text",
        "contract",
        contract_label(version),
        "limits",
        limits.join(", "),
    );
    let href = format!("{}/contract#loosened", super::path(case));
    Some(banner(page, STALE, "case-banner-loosened", rest, href))
}

fn standing(page: &Page, case: &CaseFile, base: &str) -> Vec<Banner> {
    let mut out = Vec::new();
    if let Some((until, reason)) = case.held(page.now) {
        let until = format::date(page.lang, until);
        let rest = page.t2(
            "case-banner-hold-text",
            "until",
            until,
            "reason",
            cut(reason, 200),
        );
        let href = format!("{base}/standing#on_hold");
        out.push(banner(page, QUIET, "case-banner-hold", rest, href));
    }
    if let Some(other) = case.life.duplicate_of {
        let other = case::label(other);
        let rest = page.t1("case-banner-duplicate-text", "case", &other);
        let href = format!("/cases/{other}");
        out.push(banner(page, QUIET, "case-banner-duplicate", rest, href));
    }
    // Ids alone: the reader may not know of every one of them.
    let others: Vec<String> = case
        .life
        .duplicates
        .iter()
        .map(|n| case::label(*n))
        .collect();
    if let Some(first) = others.first() {
        let href = format!("/cases/{first}");
        let rest = page.t1("case-banner-duplicates-text", "cases", others.join(", "));
        out.push(banner(page, QUIET, "case-banner-duplicates", rest, href));
    }
    if case.life.flag(FlagKind::Confidential).is_some() {
        let rest = page.t("case-banner-confidential-text");
        let href = format!("{base}/standing#people");
        out.push(banner(page, QUIET, "case-banner-confidential", rest, href));
    }
    if let Some(last) = case.life.reopenings.last() {
        let rest = page.text(
            "case-banner-reopened-text",
            &[
                ("name", &case.name_of(last.by)),
                ("at", &format::date_time(page.lang, last.at)),
                ("reason", &cut(&last.reason, 200)),
            ],
        );
        let href = "#timeline".to_owned();
        out.push(banner(page, QUIET, "case-banner-reopened", rest, href));
    }
    let left = case
        .owner
        .and_then(|o| case.person(o))
        .filter(|p| !p.active);
    if let Some(left) = left.filter(|_| case.state != CaseState::Closed) {
        let rest = page.t1("case-banner-owner-left-text", "name", &left.name);
        let href = "#people".to_owned();
        out.push(banner(page, STALE, "case-banner-owner-left", rest, href));
    }
    out
}
