//! Condition four: when and how to go back is fixed before going forward. A threshold is strict
//! when it triggers no later than the contract's limit would be broken (lifecycle §6).

use super::change::{Terms as ChangeTerms, Threshold};
use super::condition::Condition;
use super::conditions::Findings;
use super::contract::{Comparator, Limit, LimitPhase, Terms, Version};
use super::gate::{Closes, Input, InputKind, Policy};
use super::invalidation::Event;
use super::measure::{band_arg, class_arg};
use super::view::{View, contract_label};
use super::{Arg, Sentence};
use pel_evidence::catalogue::{self, Role};
use uuid::Uuid;

/// Relative difference within which two numbers typed in different units are equal.
const SAME: f64 = 1e-9;

/// What keeps one threshold from being complete and strict. Empty = it is both.
pub fn problems(t: &Threshold, version: &Version) -> Vec<Sentence> {
    let terms = &version.terms;
    let mut found = Vec::new();
    if catalogue::find(&t.signal).is_none() {
        return vec![Sentence::new("threshold-no-signal").text("given", &t.signal)];
    }
    let value = t.value.filter(|v| v.is_finite());
    let parts: Vec<Arg> = [
        (t.statistic.is_none(), "threshold-part-statistic"),
        (value.is_none(), "threshold-part-value"),
        (
            t.unit().to_base(1.0, &t.typed_unit).is_none(),
            "threshold-part-unit",
        ),
        (
            t.window_seconds.is_none_or(|w| w == 0),
            "threshold-part-window",
        ),
        (
            t.min_samples.is_none_or(|n| n == 0),
            "threshold-part-samples",
        ),
        (t.consecutive == 0, "threshold-part-consecutive"),
    ]
    .into_iter()
    .filter(|(lacks, _)| *lacks)
    .map(|(_, key)| Arg::Key(key.to_owned()))
    .collect();
    if !parts.is_empty() {
        found.push(speak("threshold-missing-parts", t).with("parts", Arg::List(parts)));
    }
    if t.window_seconds.is_some_and(|w| w > terms.window_seconds) {
        found.push(
            speak("threshold-window-long", t)
                .with("window", seconds(t.window_seconds.unwrap_or_default()))
                .with("allowed", seconds(terms.window_seconds)),
        );
    }
    match counterparts(t, terms) {
        Err(key) => found.push(speak(key, t).text("contract", contract_label(version))),
        Ok(limits) => {
            for limit in limits {
                found.extend(looser(t, value, limit, version));
            }
        }
    }
    found
}

fn seconds(n: u32) -> Arg {
    Arg::Value(f64::from(n), super::Unit::Seconds)
}

fn speak(key: &str, t: &Threshold) -> Sentence {
    let sentence = Sentence::new(key)
        .with("signal", Arg::Signal(t.signal.clone()))
        .text("sign", t.comparator.sign())
        .with("class", class_arg(t.class.as_deref()))
        .with("band", band_arg(t.band.as_deref()));
    let sentence = match t.statistic {
        Some(s) => sentence.with("statistic", Arg::Statistic(s)),
        None => sentence.text("statistic", "?"),
    };
    match t.value {
        Some(v) if v.is_finite() => sentence.with("value", Arg::Value(v, t.unit())),
        _ => sentence.text("value", "?"),
    }
}

/// The limits of the contract a threshold is measured against: those of its own class and band,
/// or else those for all together. A threshold for all together never stands for several classes.
fn counterparts<'c>(t: &Threshold, terms: &'c Terms) -> Result<Vec<&'c Limit>, &'static str> {
    let mut limits: Vec<&Limit> = terms
        .limits
        .iter()
        .filter(|l| l.signal == t.signal)
        .collect();
    if limits.is_empty() {
        return Err("threshold-unknown-signal");
    }
    if let Some(statistic) = t.statistic {
        limits.retain(|l| l.statistic == statistic);
    }
    if limits.is_empty() {
        return Err("threshold-other-statistic");
    }
    if limits.iter().any(|l| l.phase == LimitPhase::Warm) {
        limits.retain(|l| l.phase == LimitPhase::Warm);
    }
    let limits = narrow(limits, t.class.as_deref(), terms.classes.len() == 1, |l| {
        l.class.as_deref()
    })
    .ok_or("threshold-class")?;
    narrow(limits, t.band.as_deref(), terms.bands.len() == 1, |l| {
        l.band.as_deref()
    })
    .ok_or("threshold-band")
}

fn narrow<'c>(
    limits: Vec<&'c Limit>,
    wanted: Option<&str>,
    single: bool,
    of: impl Fn(&Limit) -> Option<&str>,
) -> Option<Vec<&'c Limit>> {
    let exact: Vec<&Limit> = limits.iter().copied().filter(|l| of(l) == wanted).collect();
    let general: Vec<&Limit> = limits
        .iter()
        .copied()
        .filter(|l| of(l).is_none() || single)
        .collect();
    match wanted {
        // One for everything must not hide a limit of one class or band that has its own.
        None if single => Some(limits),
        None if exact.len() == limits.len() => Some(exact),
        None => None,
        Some(_) if !exact.is_empty() => Some(exact),
        Some(_) if !general.is_empty() => Some(general),
        Some(_) => None,
    }
}

fn looser(t: &Threshold, value: Option<f64>, limit: &Limit, version: &Version) -> Option<Sentence> {
    let said = |key: &str| {
        speak(key, t)
            .text("limit-sign", limit.comparator.sign())
            .with("limit", Arg::Value(limit.value, limit.unit()))
            .text("contract", contract_label(version))
    };
    if t.comparator != limit.comparator {
        return Some(said("threshold-direction"));
    }
    let value = value?;
    let slack = SAME * limit.value.abs();
    let strict = match limit.comparator {
        Comparator::AtMost => value <= limit.value + slack,
        Comparator::AtLeast => value >= limit.value - slack,
    };
    (!strict).then(|| said("threshold-looser"))
}

/// What keeps a revision's thresholds and way back from being complete and strict.
pub fn set_problems(terms: &ChangeTerms, version: &Version, policy: &Policy) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = terms
        .thresholds
        .iter()
        .flat_map(|t| problems(t, version))
        .collect();
    let has = |roles: &[Role]| {
        terms
            .thresholds
            .iter()
            .filter_map(|t| catalogue::find(&t.signal))
            .any(|d| roles.contains(&d.role))
    };
    let (latency, output) = (
        has(&[Role::Latency]),
        has(&[Role::Acceptance, Role::Errors]),
    );
    match (policy.thresholds_on_both, latency, output) {
        // Of one kind at least, whatever the policy says: a change always has a way back.
        (false, false, false) => found.push(Sentence::new("threshold-needs-one")),
        (false, _, _) | (true, true, true) => {}
        (true, _, _) => {
            let lacking = [
                (latency, "threshold-needs-latency"),
                (output, "threshold-needs-acceptance"),
            ];
            let lacking = lacking.into_iter().filter(|(has, _)| !has);
            found.extend(lacking.map(|(_, key)| Sentence::new(key)));
        }
    }
    let parts: Vec<Arg> = [
        (terms.action.trim().is_empty(), "threshold-part-action"),
        (
            terms.procedure.trim().is_empty(),
            "threshold-part-procedure",
        ),
        (
            terms.rollback_seconds.is_none_or(|s| s == 0),
            "threshold-part-time",
        ),
        (
            terms.plan.watcher.trim().is_empty(),
            "threshold-part-watcher",
        ),
    ]
    .into_iter()
    .filter(|(lacks, _)| *lacks)
    .map(|(_, key)| Arg::Key(key.to_owned()))
    .collect();
    if !parts.is_empty() {
        found.push(Sentence::new("threshold-way-back").with("parts", Arg::List(parts)));
    }
    found
}

/// Judges the claim that the thresholds of a revision are the ones.
pub(super) fn findings(view: &View<'_>, change_id: Uuid, revision_digest: &str) -> Findings {
    let mut found = Findings::default();
    let record = Closes::RecordCondition(Condition::RollbackThresholdDefined);
    let Some(version) = &view.case.contract else {
        return found;
    };
    let (Some(change), Some(live)) = (view.case.change(change_id), view.case.live_change()) else {
        found.gap(Sentence::new("gate-no-change"), Closes::DraftChange);
        return found;
    };
    if live.id != change.id {
        found.moved(
            Event::Revised,
            Sentence::new("threshold-other-change")
                .text("change", change.label())
                .text("live", live.label()),
        );
        found.closes = Some(record);
        return found;
    }
    let Some(current) = change.current() else {
        found.gap(Sentence::new("gate-no-change"), Closes::DraftChange);
        return found;
    };
    let meant = change
        .revisions
        .iter()
        .find(|r| r.digest == revision_digest);
    let same = current.digest == revision_digest
        || meant.is_some_and(|m| way_back(&m.terms) == way_back(&current.terms));
    if !same {
        found.moved(
            Event::Revised,
            Sentence::new("threshold-revised")
                .text("change", change.label())
                .text("revision", current.number),
        );
        found.closes = Some(record);
    }
    for problem in set_problems(&current.terms, version, &view.case.policy) {
        found.gap(problem, Closes::EditChange(change.id));
    }
    found
        .inputs
        .push(Input::new(InputKind::Change, change.id, change.label()));
    for t in &current.terms.thresholds {
        found.held.push(
            speak("threshold-held", t)
                .with("window", seconds(t.window_seconds.unwrap_or_default()))
                .with("samples", Arg::Count(t.min_samples.unwrap_or_default()))
                .text("windows", t.consecutive)
                .text("watcher", &current.terms.plan.watcher),
        );
    }
    found
}

/// The part of a revision the claim is about.
fn way_back(t: &ChangeTerms) -> (&[Threshold], &str, &str, Option<u32>, &str) {
    (
        &t.thresholds,
        &t.action,
        &t.procedure,
        t.rollback_seconds,
        &t.plan.watcher,
    )
}

/// What is there and what is needed when nobody recorded it.
pub(super) fn missing(view: &View<'_>) -> Findings {
    let mut found = Findings::default();
    let live = view.case.live_change().filter(|c| !c.state.is_terminal());
    let (Some(change), Some(version)) = (live, &view.case.contract) else {
        found.gap(Sentence::new("gate-no-change"), Closes::DraftChange);
        return found;
    };
    if let Some(current) = change.current() {
        for problem in set_problems(&current.terms, version, &view.case.policy) {
            found.gap(problem, Closes::EditChange(change.id));
        }
    }
    if found.unsupported.is_empty() {
        found.gap(
            Sentence::new("threshold-record").text("change", change.label()),
            Closes::RecordCondition(Condition::RollbackThresholdDefined),
        );
    }
    found
}
