//! What changed between two revisions, field by field, side by side.

use super::{bundle, risk, words};
use crate::ladder::change::Terms;
use crate::web::{Page, format};
use pel_evidence::Unit;

/// One field that differs; empty = not stated on that side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name of the field.
    pub name: String,
    /// In the older revision.
    pub old: String,
    /// In the newer one.
    pub new: String,
}

/// Fields in which the newer revision differs from the older one, in the order of the form.
pub fn fields(page: &Page, old: &Terms, new: &Terms) -> Vec<Field> {
    let (old, new) = (all(page, old), all(page, new));
    old.into_iter()
        .zip(new)
        .filter(|((_, a), (_, b))| a != b)
        .map(|((key, old), (_, new))| Field {
            name: page.t(key),
            old,
            new,
        })
        .collect()
}

fn all(page: &Page, t: &Terms) -> Vec<(&'static str, String)> {
    let yes_no = |b: bool| page.t(if b { "change-yes" } else { "change-no" });
    let time =
        |s: Option<u32>| s.map_or_else(String::new, |s| format::duration(page.lang, i64::from(s)));
    let count = |n: Option<u64>| n.map_or_else(String::new, |n| page.count(n));
    let p = &t.plan;
    let share = p.share_ceiling.map_or_else(String::new, |s| {
        format::value(page.lang, s, Unit::Ratio).to_string()
    });
    vec![
        ("change-component", t.knob.component.clone()),
        ("change-setting", t.knob.setting.clone()),
        ("change-old", t.knob.old.clone()),
        ("change-new", t.knob.new.clone()),
        ("change-unit", t.knob.unit.clone()),
        ("change-consequences", t.consequences.join(", ")),
        ("bundle-settings", bundle::lines(t)),
        (
            "bundle-reason",
            t.bundle
                .as_ref()
                .map_or_else(String::new, |b| b.reason.clone()),
        ),
        (
            "change-expectation",
            words::expectation(page, t).unwrap_or_default(),
        ),
        ("change-risks", t.risks.clone()),
        ("change-share", share),
        ("change-scope", p.scope.clone()),
        ("change-max-requests", count(p.max_requests)),
        ("change-min-time", time(p.min_seconds)),
        ("change-max-time", time(p.max_seconds)),
        ("change-min-samples", count(p.min_samples)),
        ("change-concurrent", yes_no(p.concurrent_baseline)),
        ("change-no-baseline-reason", p.no_baseline_reason.clone()),
        ("change-watcher", p.watcher.clone()),
        ("change-start-window", risk::start(page, t)),
        ("change-classes", p.classes.join(", ")),
        ("change-regions", p.regions.join(", ")),
        ("change-margin", risk::margin(page, t)),
        ("change-limits", p.limits.join(", ")),
        ("change-interval-is", risk::interval(page, t)),
        ("change-capacity", risk::capacity(page, t)),
        (
            "change-kind",
            page.t(&crate::web::say::key("change-kind", t.kind.id())),
        ),
        ("change-thresholds", words::thresholds(page, t).join("\n")),
        ("change-action", t.action.clone()),
        ("change-procedure", t.procedure.clone()),
        ("change-rollback-time", time(t.rollback_seconds)),
        ("change-no-warm-reason", t.no_warm_reason.clone()),
        ("change-start-up", yes_no(t.touches_start_up)),
    ]
}
