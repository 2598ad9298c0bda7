//! The terms of a change in parts, for the page of two editors who revised it at once.

use super::form::Typed;
use super::thresholds;
use crate::ladder::CaseFile;
use crate::ladder::change::Threshold;
use crate::web::conflict::Part;
use crate::web::{Page, say};
use pel_evidence::catalogue;

/// What was typed, in parts. Threshold rows that were kept from `before` are named so that they
/// mean the same once `now` is what is kept from.
pub fn of(
    typed: &Typed,
    before: &[Threshold],
    now: &[Threshold],
    case: &CaseFile,
    page: &Page,
) -> Vec<Part> {
    let text =
        |name: &str, key: &str, value: &str, rows: u8| Part::text(name, page.t(key), value, rows);
    let flag = |name: &str, key: &str, value: &Option<String>| {
        let ticked = value.iter().map(|v| (name.to_owned(), v.clone()));
        let word = if value.is_some() {
            "conflict-ticked"
        } else {
            "conflict-not-ticked"
        };
        Part::group(name, page.t(key), ticked.collect(), page.t(word))
    };
    let signal = match catalogue::find(&typed.expected_signal) {
        Some(known) => say::signal_name(page.lang, known.name),
        None => page.t("change-no-signal"),
    };
    let direction = match typed.direction.as_str() {
        "higher" => ("higher", "change-higher"),
        _ => ("lower", "change-lower"),
    };
    let watcher = match typed.watcher.trim() {
        "" => page.t("change-nobody"),
        id => match uuid::Uuid::parse_str(id) {
            Ok(id) => case.name_of(id),
            Err(_) => id.to_owned(),
        },
    };
    let t = typed;
    let mut all = vec![
        text("component", "change-component", &t.component, 1),
        text("setting", "change-setting", &t.setting, 1),
        text("old", "change-old", &t.old, 1),
        text("new", "change-new-value", &t.new, 1),
        text("unit", "change-unit", &t.unit, 1),
        text("consequences", "change-consequences", &t.consequences, 2),
        flag("touches_start_up", "change-start-up", &t.touches_start_up),
        Part::choice(
            "expected_signal",
            page.t("change-expected-signal"),
            &t.expected_signal,
            signal,
        ),
        Part::choice(
            "direction",
            page.t("change-direction"),
            direction.0,
            page.t(direction.1),
        ),
        text("expected_by", "change-expected-by", &t.expected_by, 1),
        text("risks", "change-risks", &t.risks, 3),
        text("share_ceiling", "change-share", &t.share_ceiling, 1),
        text("max_requests", "change-max-requests", &t.max_requests, 1),
        text("min_samples", "change-min-samples", &t.min_samples, 1),
        text("min_minutes", "change-min-minutes", &t.min_minutes, 1),
        text("max_minutes", "change-max-minutes", &t.max_minutes, 1),
        Part::choice("watcher", page.t("change-watcher"), &t.watcher, watcher),
        text("scope", "change-scope", &t.scope, 1),
        flag(
            "concurrent_baseline",
            "change-concurrent",
            &t.concurrent_baseline,
        ),
        text(
            "no_baseline_reason",
            "change-no-baseline-reason",
            &t.no_baseline_reason,
            1,
        ),
        text(
            "no_warm_reason",
            "change-no-warm-reason",
            &t.no_warm_reason,
            2,
        ),
        rows(typed, (before, now), case, page),
        text("action", "change-action", &t.action, 2),
        text("procedure", "change-procedure", &t.procedure, 4),
        text(
            "rollback_minutes",
            "change-rollback-minutes",
            &t.rollback_minutes,
            1,
        ),
        text("bundle", "bundle-settings", &t.bundle, 2),
        text("bundle_reason", "bundle-reason", &t.bundle_reason, 2),
    ];
    all.extend(plan(t, page));
    all
}

/// What a plan says beyond the numbers above.
fn plan(t: &Typed, page: &Page) -> Vec<Part> {
    let text = |name: &str, key: &str, value: &str| Part::text(name, page.t(key), value, 1);
    let list = |name: &str, key: &str, values: &[String]| {
        let pairs = values.iter().map(|v| (name.to_owned(), v.clone()));
        let words = if values.is_empty() {
            page.t("change-none-is-all")
        } else {
            values.join(", ")
        };
        Part::group(name, page.t(key), pairs.collect(), words)
    };
    let kind = crate::ladder::change::Route::from_id(&t.kind).unwrap_or_default();
    let kind_word = page.t(&say::key("change-kind", kind.id()));
    vec![
        text("start_from", "change-start-from", &t.start_from),
        text("start_to", "change-start-to", &t.start_to),
        list("plan_class", "change-classes", &t.plan_class),
        text("regions", "change-regions", &t.regions),
        text("margin", "change-margin", &t.margin),
        list("plan_limit", "change-limits", &t.plan_limit),
        text("interval_minutes", "change-interval", &t.interval_minutes),
        text("headroom", "change-headroom", &t.headroom),
        text("spare", "change-spare", &t.spare),
        text("warm_up_minutes", "change-warm-up", &t.warm_up_minutes),
        Part::choice("kind", page.t("change-kind"), kind.id(), kind_word),
        Part::choice(
            "template",
            page.t("change-template"),
            &t.template,
            t.template.clone(),
        ),
    ]
}

/// All thresholds are one part: a way back is chosen as a whole.
fn rows(
    typed: &Typed,
    (before, now): (&[Threshold], &[Threshold]),
    case: &CaseFile,
    page: &Page,
) -> Part {
    let version = case.contract.as_ref();
    let mut pairs = Vec::new();
    let mut shown = Vec::new();
    for row in typed.rows() {
        let stands_on = thresholds::stands_on(&row, version, before);
        let on = stands_on
            .as_ref()
            .map_or_else(|| "l:".to_owned(), |t| thresholds::names(t, version, now));
        if let Some(t) = &stands_on {
            let words = thresholds::words(page, t);
            shown.push(format!(
                "{words} {} {} · {} min · {} · {}",
                row.value, row.unit, row.window, row.samples, row.consecutive
            ));
        }
        for (name, value) in [
            ("t_on", on),
            ("t_value", row.value),
            ("t_unit", row.unit),
            ("t_window", row.window),
            ("t_samples", row.samples),
            ("t_consecutive", row.consecutive),
        ] {
            pairs.push((name.to_owned(), value));
        }
    }
    let label = page.t("change-roll-back-if");
    Part::group("thresholds", label, pairs, shown.join("; "))
}
