//! Words that the pages of changes share: gate lines, states, thresholds, events.

use crate::ladder::CaseFile;
use crate::ladder::canary::Whole;
use crate::ladder::change::{Change, ChangeState, Terms, Threshold};
use crate::ladder::evidence::Evidence;
use crate::ladder::gate::{Gate, Line, LineStatus};
use crate::ladder::run::Run;
use crate::store::audit::Event;
use crate::web::{Page, format, say};
use pel_evidence::Unit;

/// A shape, a tone and a word (see `parts/marks.html`).
pub type Mark = (&'static str, &'static str, String);

/// The mark of a gate line's status.
pub fn line_mark(page: &Page, status: LineStatus) -> Mark {
    let (shape, tone) = match status {
        LineStatus::Holds => ("holds", "good"),
        LineStatus::Missing => ("missing", "warn"),
        LineStatus::NotSupported => ("half", "warn"),
        LineStatus::OutOfDate => ("stale", "stale"),
        LineStatus::Contradicted => ("contra", "bad"),
        LineStatus::NotApplicable => ("na", "quiet"),
        LineStatus::CannotTell => ("unknown", "quiet"),
        LineStatus::Error => ("breaks", "bad"),
        LineStatus::Overridden => ("over", "warn"),
    };
    (shape, tone, page.t(&say::key("gate-status", status.id())))
}

/// One gate line as shown, unfolded.
pub struct LineView {
    /// Its id, for links.
    pub id: String,
    /// Mark of its status.
    pub mark: Mark,
    /// What it asks for.
    pub name: String,
    /// What carries it, or what is missing.
    pub said: Vec<String>,
}

/// All lines of a gate.
pub fn lines(page: &Page, gate: &Gate) -> Vec<LineView> {
    gate.lines.iter().map(|l| line(page, l)).collect()
}

fn line(page: &Page, line: &Line) -> LineView {
    LineView {
        id: line.id.replace('_', "-"),
        mark: line_mark(page, line.status),
        name: page.t(&line.requirement),
        said: line
            .sentences
            .iter()
            .map(|s| say::sentence(page.lang, s))
            .collect(),
    }
}

/// The word for a change's state.
pub fn state(page: &Page, state: ChangeState) -> String {
    page.t(&say::key("change-state", state.id()))
}

/// The mark of a canary's verdict.
pub fn whole_mark(page: &Page, whole: Whole) -> Mark {
    let (shape, tone) = match whole {
        Whole::Pass => ("holds", "good"),
        Whole::Inconclusive => ("unknown", "quiet"),
        Whole::Fail => ("breaks", "bad"),
    };
    (shape, tone, page.t(&say::key("verdict", whole.id())))
}

/// A class or the words for all together.
fn class(page: &Page, class: Option<&str>) -> String {
    class.map_or_else(|| page.t("gate-all-classes"), str::to_owned)
}

fn band(page: &Page, band: Option<&str>) -> String {
    band.map_or_else(|| page.t("gate-all-bands"), str::to_owned)
}

/// A threshold in one sentence: when it triggers.
pub fn threshold(page: &Page, t: &Threshold) -> String {
    let value = t.value.map_or_else(
        || "?".to_owned(),
        |v| format::value(page.lang, v, t.unit()).to_string(),
    );
    let measure = match t.statistic {
        Some(of) => say::listed(page.lang, &t.signal, of),
        None => format!("{} ?", say::signal_name(page.lang, &t.signal)),
    };
    let window = t.window_seconds.map_or_else(
        || "?".to_owned(),
        |w| format::duration(page.lang, i64::from(w)),
    );
    let samples = t
        .min_samples
        .map_or_else(|| "?".to_owned(), |n| page.count(n));
    let key = match t.comparator {
        crate::ladder::contract::Comparator::AtMost => "change-threshold-above",
        crate::ladder::contract::Comparator::AtLeast => "change-threshold-below",
    };
    page.text(
        key,
        &[
            ("measure", &measure),
            ("class", &class(page, t.class.as_deref())),
            ("band", &band(page, t.band.as_deref())),
            ("value", &value),
            ("window", &window),
            ("samples", &samples),
            ("count", &t.consecutive.to_string()),
        ],
    )
}

/// The thresholds of a revision, each as a sentence.
pub fn thresholds(page: &Page, terms: &Terms) -> Vec<String> {
    terms
        .thresholds
        .iter()
        .map(|t| threshold(page, t))
        .collect()
}

/// What the author expects, in words; `None` when nothing is stated.
pub fn expectation(page: &Page, terms: &Terms) -> Option<String> {
    let e = &terms.expectation;
    pel_evidence::catalogue::find(&e.signal)?;
    let key = if e.direction == "higher" {
        "change-expects-higher"
    } else {
        "change-expects-lower"
    };
    let by = if e.by.trim().is_empty() {
        "?"
    } else {
        e.by.trim()
    };
    Some(page.t2(
        key,
        "signal",
        say::signal_name(page.lang, &e.signal),
        "by",
        by,
    ))
}

/// The canary plan in words.
pub fn plan(page: &Page, terms: &Terms) -> String {
    let p = &terms.plan;
    let unknown = || "?".to_owned();
    let share = p.share_ceiling.map_or_else(unknown, |s| {
        format::value(page.lang, s, Unit::Ratio).to_string()
    });
    let most = p.max_requests.map_or_else(unknown, |n| page.count(n));
    let time =
        |s: Option<u32>| s.map_or_else(unknown, |s| format::duration(page.lang, i64::from(s)));
    let samples = p.min_samples.map_or_else(unknown, |n| page.count(n));
    let watcher = if p.watcher.trim().is_empty() {
        "?"
    } else {
        p.watcher.trim()
    };
    page.text(
        "change-plan-said",
        &[
            ("share", &share),
            ("most", &most),
            ("least-time", &time(p.min_seconds)),
            ("most-time", &time(p.max_seconds)),
            ("samples", &samples),
            ("watcher", watcher),
        ],
    )
}

/// One event of the log in a sentence: who did what to what, when.
pub fn event(page: &Page, case: &CaseFile, event: &Event) -> String {
    let b = &event.body;
    let key = format!("case-act-{}", b.act.replace(['.', '_'], "-"));
    let what = if crate::i18n::has(page.lang, &key) {
        page.t(&key)
    } else {
        b.act.clone()
    };
    let id = b.object_id.parse().unwrap_or_default();
    let object = match b.object_kind.as_str() {
        "evidence" => case.item(id).map(Evidence::label),
        "run" => case.run(id).map(Run::label),
        "change" => case.change(id).map(Change::label),
        _ => None,
    };
    let at = chrono::DateTime::from_timestamp_micros(b.at_us)
        .map_or_else(String::new, |at| format::date_time(page.lang, at));
    let object = object.unwrap_or_default();
    page.text(
        "change-event",
        &[
            ("name", &b.name),
            ("what", &what),
            ("object", &object),
            ("at", &at),
        ],
    )
}
