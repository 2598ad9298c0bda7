//! The banners above a case, most severe first. One about an override stays for good.

use crate::{
    ladder::{
        CaseFile,
        break_glass::{self, Override, Standing},
        change::{CanaryEventKind, ChangeState},
        gate::{Gate, LineStatus},
    },
    store::case_page::Beside,
    web::{Page, format, say},
};
use pel_evidence::Unit;

/// One line across the page.
pub struct Banner {
    /// Shape.
    pub shape: &'static str,
    /// Tone.
    pub tone: &'static str,
    /// Heading word.
    pub strong: String,
    /// One sentence.
    pub rest: String,
    /// Where to go.
    pub href: String,
    /// The link's word.
    pub link: String,
}

/// The banners, most severe first.
pub fn banners(page: &Page, case: &CaseFile, beside: &Beside, gate: &Gate) -> Vec<Banner> {
    let mut out = Vec::new();
    let mut add = |(shape, tone), key: &str, rest: String, href: String| {
        out.push(Banner {
            shape,
            tone,
            strong: page.t(key),
            rest,
            href,
            link: page.t(&format!("{key}-link")),
        });
    };
    let corrupt: Vec<String> = beside
        .checks
        .iter()
        .filter(|c| !c.sound)
        .filter_map(|c| case.item(c.evidence_id))
        .map(crate::ladder::evidence::Evidence::label)
        .collect();
    if let Some(first) = corrupt.first() {
        let rest = page.t1("case-banner-corrupt-text", "items", corrupt.join(", "));
        add(
            ("breaks", "bad"),
            "case-banner-corrupt",
            rest,
            format!("/evidence/{first}"),
        );
    }
    for used in &case.overrides {
        let (rest, tone) = override_words(page, case, used);
        let href = crate::web::overrides::path(&case.label(), used.id);
        add(("over", tone), "override-banner", rest, href);
    }
    if let Some(change) = case.live_change() {
        let href = format!("{}/changes/{}", super::path(case), change.label());
        let label = change.label();
        match change.state {
            ChangeState::RolledBack => {
                let rest = page.t1("case-banner-rolled-back-text", "change", label);
                add(
                    ("back", "bad"),
                    "case-banner-rolled-back",
                    rest,
                    href.clone(),
                );
            }
            ChangeState::CanaryRunning | ChangeState::CanaryPaused => {
                let key = if change.state == ChangeState::CanaryRunning {
                    "case-banner-canary"
                } else {
                    "case-banner-paused"
                };
                add(
                    ("live", "own"),
                    key,
                    canary_words(page, change),
                    href.clone(),
                );
            }
            ChangeState::Expired if change.last(CanaryEventKind::Started).is_some() => {
                let rest = page.t1("case-banner-expired-text", "change", label);
                add(("stale", "bad"), "case-banner-expired", rest, href.clone());
            }
            _ => {}
        }
        if gate
            .line("approvals")
            .is_some_and(|l| l.status == LineStatus::OutOfDate)
        {
            let rest = page.t1("case-banner-approval-text", "change", change.label());
            add(("stale", "stale"), "case-banner-approval", rest, href);
        }
    }
    out
}

/// An override stays across the page for good, whatever became of it.
fn override_words(page: &Page, case: &CaseFile, used: &Override) -> (String, &'static str) {
    let said = crate::web::overrides::sentence(page, case, used);
    match break_glass::standing(case, used, page.now) {
        Standing::Live | Standing::Alone => (page.t1("override-banner-live", "said", said), "bad"),
        Standing::Waiting => (page.t1("override-banner-waiting", "said", said), "warn"),
        _ => {
            let review = used.review.as_ref().map_or_else(
                || page.t("override-banner-review-waits"),
                |r| page.t(&say::key("override-verdict", r.verdict.id())),
            );
            let tone = if used.review.is_some() {
                "quiet"
            } else {
                "warn"
            };
            (
                page.t2("override-banner-past", "said", said, "review", review),
                tone,
            )
        }
    }
}

fn canary_words(page: &Page, change: &crate::ladder::change::Change) -> String {
    let since = change.last(CanaryEventKind::Started).map_or_else(
        || "?".to_owned(),
        |e| format::duration(page.lang, (page.now - e.at).num_seconds()),
    );
    let plan = change.current().map(|r| &r.terms.plan);
    let ceiling = plan.and_then(|p| p.share_ceiling).map_or_else(
        || "?".to_owned(),
        |s| format::value(page.lang, s, Unit::Ratio).to_string(),
    );
    let most = plan.and_then(|p| p.max_seconds).map_or_else(
        || "?".to_owned(),
        |s| format::duration(page.lang, i64::from(s)),
    );
    page.text(
        "case-banner-canary-text",
        &[
            ("change", &change.label()),
            ("since", &since),
            ("most", &most),
            ("ceiling", &ceiling),
        ],
    )
}
