//! The rows of rollback thresholds on the form of a change: each stands on a limit of the
//! contract, or is kept from the revision before.

use super::form::triggers;
use super::terms::{decimal, whole};
use crate::ladder::change::Threshold;
use crate::ladder::contract::{Comparator, Limit, Version};
use crate::web::{Page, format, say};
use pel_evidence::Statistic;

/// Most thresholds a change may have.
pub const MOST: usize = 12;

/// One row as typed.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// `l:<limit id>`, or `k:<n>` for the n-th threshold of the revision before; empty = no row.
    pub on: String,
    /// Value in `unit`.
    pub value: String,
    /// Unit as typed.
    pub unit: String,
    /// Window in minutes.
    pub window: String,
    /// Least samples in the window.
    pub samples: String,
    /// Windows in a row that trigger.
    pub consecutive: String,
}

/// A choice of a select: value, words, whether it is chosen.
pub type Choice = (String, String, bool);

/// A row as shown.
pub struct Shown {
    /// What was typed.
    pub row: Row,
    /// What it may stand on.
    pub on: Vec<Choice>,
    /// Units it may be typed in.
    pub units: Vec<Choice>,
}

/// The rows as shown: those typed, then empty ones up to at least three.
pub fn shown(
    page: &Page,
    version: Option<&Version>,
    before: &[Threshold],
    rows: Vec<Row>,
) -> Vec<Shown> {
    let mut rows = rows;
    let wanted = (rows.len() + 1).clamp(3, MOST);
    rows.resize_with(wanted, Row::default);
    rows.into_iter()
        .map(|row| Shown {
            on: choices(page, version, before, &row.on),
            units: units(version, before, &row),
            row,
        })
        .collect()
}

fn choices(
    page: &Page,
    version: Option<&Version>,
    before: &[Threshold],
    chosen: &str,
) -> Vec<Choice> {
    let mut all = vec![(
        String::new(),
        page.t("change-threshold-none"),
        chosen.is_empty(),
    )];
    for (i, t) in before.iter().enumerate() {
        let id = format!("k:{i}");
        let is = id == chosen;
        let words = said(
            page,
            &t.signal,
            t.statistic,
            t.comparator,
            t.class.as_deref(),
            t.band.as_deref(),
        );
        all.push((id, words, is));
    }
    for limit in version.map_or(&[][..], |v| &v.terms.limits) {
        let id = format!("l:{}", limit.id);
        let is = id == chosen;
        let value = format::value(page.lang, limit.value, limit.unit()).to_string();
        let words = said(
            page,
            &limit.signal,
            Some(limit.statistic),
            limit.comparator,
            limit.class.as_deref(),
            limit.band.as_deref(),
        );
        all.push((
            id,
            page.t2("change-threshold-limit", "limit", words, "value", value),
            is,
        ));
    }
    all
}

fn said(
    page: &Page,
    signal: &str,
    statistic: Option<Statistic>,
    comparator: Comparator,
    class: Option<&str>,
    band: Option<&str>,
) -> String {
    let mut words = match statistic {
        Some(of) => say::listed(page.lang, signal, of),
        None => say::signal_name(page.lang, signal),
    };
    for part in [class, band].into_iter().flatten() {
        words.push_str(" · ");
        words.push_str(part);
    }
    format!("{words} {}", triggers(comparator))
}

/// Units of the row's signal; without one, all that limits of the contract are typed in.
fn units(version: Option<&Version>, before: &[Threshold], row: &Row) -> Vec<Choice> {
    let limits = version.map_or(&[][..], |v| &v.terms.limits);
    let kept = row
        .on
        .strip_prefix("k:")
        .and_then(|i| before.get(i.parse::<usize>().ok()?))
        .map(Threshold::unit);
    let on = kept.or_else(|| {
        let id = row.on.strip_prefix("l:")?;
        limits.iter().find(|l| l.id == id).map(Limit::unit)
    });
    let mut names: Vec<&str> = Vec::new();
    let all = on.map_or_else(|| limits.iter().map(Limit::unit).collect(), |u| vec![u]);
    for (name, _) in all.iter().flat_map(|u| u.spellings()) {
        // Two spellings of microseconds are one too many for a list.
        if !names.contains(name) && *name != "us" {
            names.push(name);
        }
    }
    names
        .into_iter()
        .map(|n| (n.to_owned(), n.to_owned(), n == row.unit))
        .collect()
}

/// Reads one row. What is left open stays open and is named by the gate.
///
/// # Errors
/// The message key of what cannot be read.
pub fn read(
    row: &Row,
    version: Option<&Version>,
    before: &[Threshold],
) -> Result<Threshold, &'static str> {
    let mut t = stands_on(row, version, before).ok_or("change-fault-threshold-limit")?;
    let number = |text: &str| -> Result<Option<f64>, &'static str> {
        decimal(text).map_err(|_| "change-fault-threshold-number")
    };
    let value = number(&row.value)?;
    t.typed_unit = row.unit.trim().to_owned();
    t.value = match value {
        None => None,
        Some(v) => Some(
            t.unit()
                .to_base(v, &t.typed_unit)
                .ok_or("change-fault-threshold-unit")?,
        ),
    };
    t.window_seconds = number(&row.window)?.map(|m| (m * 60.0).round() as u32);
    t.min_samples = whole(&row.samples).map_err(|_| "change-fault-threshold-number")?;
    let windows = whole(&row.consecutive).map_err(|_| "change-fault-threshold-number")?;
    t.consecutive =
        u32::try_from(windows.unwrap_or(1)).map_err(|_| "change-fault-threshold-number")?;
    Ok(t)
}

/// The threshold in words, without its value.
pub(super) fn words(page: &Page, t: &Threshold) -> String {
    let (class, band) = (t.class.as_deref(), t.band.as_deref());
    said(page, &t.signal, t.statistic, t.comparator, class, band)
}

/// How a row says that it stands on the same as `t`: on a limit of the contract, else on one of
/// the thresholds `kept`, else on nothing that is known.
pub(super) fn names(t: &Threshold, version: Option<&Version>, kept: &[Threshold]) -> String {
    let same = |o: &Threshold| {
        (&o.signal, o.statistic, o.comparator, &o.class, &o.band)
            == (&t.signal, t.statistic, t.comparator, &t.class, &t.band)
    };
    let limits = version.map_or(&[][..], |v| &v.terms.limits);
    let limit = limits.iter().find(|l| {
        (
            &l.signal,
            Some(l.statistic),
            l.comparator,
            &l.class,
            &l.band,
        ) == (&t.signal, t.statistic, t.comparator, &t.class, &t.band)
    });
    match (limit, kept.iter().position(same)) {
        (Some(limit), _) => format!("l:{}", limit.id),
        (None, Some(i)) => format!("k:{i}"),
        // No limit is named so: the form says that the row stands on nothing.
        (None, None) => "l:".to_owned(),
    }
}

/// What a row stands on.
pub(super) fn stands_on(
    row: &Row,
    version: Option<&Version>,
    before: &[Threshold],
) -> Option<Threshold> {
    if let Some(i) = row.on.strip_prefix("k:") {
        return before.get(i.parse::<usize>().ok()?).cloned();
    }
    let limit = version?.limit(row.on.strip_prefix("l:")?)?;
    Some(Threshold {
        signal: limit.signal.clone(),
        statistic: Some(limit.statistic),
        comparator: limit.comparator,
        value: None,
        typed_unit: String::new(),
        window_seconds: None,
        min_samples: None,
        consecutive: 1,
        class: limit.class.clone(),
        band: limit.band.clone(),
    })
}
