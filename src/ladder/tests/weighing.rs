//! Comparisons beyond their points: what is calculated, and what must not pass.

use super::super::canary::{Whole, verdict};
use super::super::case::CaseFile;
use super::super::compare::{Comparison, asked, compare};
use super::super::contract::{Comparator, LimitPhase};
use super::super::evidence::Held;
use super::super::fixture::*;
use super::super::measure::Verdict;
use super::super::run::{Phase, Profiled, RunRole};
use super::super::weigh::{Method, Outcome, calculate};
use super::super::{Arg, Statistic, digest};
use pel_evidence::statistics::SplitMix64;
use pel_evidence::{Data, Kind, Signal};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// A case with observations stored beside its extractions.
struct Scene {
    case: CaseFile,
    stored: HashMap<String, Data>,
}

impl Scene {
    fn new() -> Self {
        let mut case = ready();
        // One baseline run: the fixture's second has nothing stored beside it.
        case.runs.retain(|r| r.id != R2);
        case.evidence.retain(|e| e.run_id != R2);
        Self {
            case,
            stored: HashMap::new(),
        }
    }

    fn hold(&mut self, number: i64, signal: &str, data: Data) {
        let (form, key) = (data.form().to_owned(), digest(&data));
        let extraction = item_mut(&mut self.case, number)
            .extraction
            .as_mut()
            .expect("read");
        extraction.held.push(Held {
            signal: signal.to_owned(),
            labels: BTreeMap::new(),
            form,
            n: data.len(),
            digest: key.clone(),
        });
        self.stored.insert(key, data);
    }

    /// Does what the job does.
    fn calculate(&mut self) {
        let side = |digests: &[String]| -> Vec<Data> {
            digests.iter().map(|d| self.stored[d].clone()).collect()
        };
        let results = asked(&self.case, &[R1], &[R3], Phase::Warm)
            .into_iter()
            .map(|a| calculate(&a, &side(&a.baseline), &side(&a.candidate)))
            .collect();
        self.case.calculated = results;
    }

    fn warm(&self) -> Comparison {
        compare(&self.case, &[R1], &[R3], Phase::Warm)
    }
}

fn values(n: usize, seed: u64, of: impl Fn(f64) -> f64) -> Data {
    let mut random = SplitMix64::new(seed);
    let draw = |_| of(random.below(1_000_000) as f64 / 1_000_000.0);
    Data::Values {
        values: (0..n).map(draw).collect(),
        times: Vec::new(),
    }
}

fn row<'c>(c: &'c Comparison, id: &str) -> &'c super::super::compare::Row {
    c.rows.iter().find(|r| r.limit_id == id).expect("the row")
}

fn reason(c: &Comparison, id: &str) -> String {
    let row = row(c, id);
    let said = row.verdict.reason().or(row.why.as_ref());
    said.map_or_else(String::new, |s| s.key.clone())
}

#[test]
fn a_result_that_is_not_there_yet_is_no_pass() {
    let mut scene = Scene::new();
    scene.hold(1, "ttft", values(3000, 1, |u| 1.0 + u));
    scene.hold(3, "ttft", values(3000, 2, |u| 0.3 + 0.3 * u));
    let before = scene.warm();
    assert_eq!(reason(&before, "ttft"), "compare-being-calculated");
    scene.calculate();
    let after = scene.warm();
    let row = row(&after, "ttft");
    assert_eq!(row.verdict, Verdict::Holds);
    assert_eq!(row.weighed.method, Method::Bootstrap);
    assert_eq!(row.weighed.outcome, Outcome::Better);
    assert_eq!(row.weighed.n, [Some(3000), Some(3000)]);
    assert!(row.weighed.seed.is_some() && row.weighed.replicates == Some(2000));
    // A basis that moved is not there again.
    scene.case.policy.replicates = 1000;
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-being-calculated");
}

#[test]
fn a_limit_inside_the_interval_cannot_be_told_though_the_point_keeps_it() {
    let mut scene = Scene::new();
    scene.hold(1, "ttft", values(3000, 1, |u| 1.0 + u));
    // About one in a hundred beyond a second: the p99 is anywhere near the limit.
    scene.hold(
        3,
        "ttft",
        values(3000, 2, |u| if u > 0.9905 { 1.2 } else { 0.2 + 0.1 * u }),
    );
    scene.calculate();
    let c = scene.warm();
    assert!(row(&c, "ttft").weighed.candidate.expect("bounds").high > Some(0.8));
    assert_eq!(reason(&c, "ttft"), "compare-bound-spans");
}

#[test]
fn k8_worse_at_the_tail_than_the_baseline_fails_though_the_limit_is_kept() {
    let mut scene = Scene::new();
    set_signals(&mut scene.case, 1, engine(0.4, 0.985));
    scene.hold(1, "ttft", values(5000, 1, |u| 0.30 + 0.10 * u));
    // A better median and a worse tail.
    scene.hold(
        3,
        "ttft",
        values(5000, 2, |u| if u > 0.95 { 0.6 } else { 0.10 + 0.10 * u }),
    );
    scene.calculate();
    let c = scene.warm();
    assert_eq!(row(&c, "ttft").verdict, Verdict::Breaks);
    assert_eq!(reason(&c, "ttft"), "compare-worse");
    assert_eq!(c.rows[0].said().key, "compare-worse");
    assert!(
        row(&c, "ttft").weighed.middle.expect("a middle").delta < 0.0,
        "better in the middle"
    );
}

#[test]
fn inside_what_is_tolerated_passes_and_a_guarded_limit_asks_for_proof() {
    let mut scene = Scene::new();
    set_signals(&mut scene.case, 1, engine(0.4, 0.985));
    scene.hold(1, "ttft", values(5000, 1, |u| 0.30 + 0.10 * u));
    scene.hold(3, "ttft", values(5000, 2, |u| 0.31 + 0.10 * u));
    scene.calculate();
    let c = scene.warm();
    assert_eq!(row(&c, "ttft").verdict, Verdict::Holds);
    assert_eq!(row(&c, "ttft").weighed.outcome, Outcome::NotWorse);
    // Nothing was observed of acceptance but its share: Newcombe shows it. Without counts nothing does.
    with_contract(&mut scene.case, |t| {
        t.tolerated.insert("ttft".to_owned(), 0.01);
        t.tolerated.insert("accepted".to_owned(), 0.5);
    });
    let c = scene.warm();
    assert_eq!(row(&c, "accepted").weighed.method, Method::Newcombe);
    assert_eq!(row(&c, "accepted").verdict, Verdict::Holds);
    assert_eq!(
        row(&c, "ttft").verdict,
        Verdict::Breaks,
        "2.5 % is worse than 1 %"
    );
    item_mut(&mut scene.case, 1)
        .extraction
        .as_mut()
        .expect("read")
        .held
        .clear();
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-being-calculated");
    item_mut(&mut scene.case, 3)
        .extraction
        .as_mut()
        .expect("read")
        .held
        .clear();
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-no-interval");
}

#[test]
fn a_tools_own_percentile_keeps_its_verdict_and_is_marked() {
    let scene = Scene::new();
    let c = scene.warm();
    let row = row(&c, "ttft");
    assert_eq!(row.verdict, Verdict::Holds);
    assert_eq!(
        (row.weighed.method, row.weighed.outcome),
        (Method::ToolValue, Outcome::NotCompared)
    );
    assert!(row.weighed.candidate.is_none() && row.weighed.change.is_none());
}

#[test]
fn e7_the_same_observations_under_other_files_cannot_tell() {
    let mut scene = Scene::new();
    let same = values(3000, 1, |u| 0.3 + 0.1 * u);
    scene.hold(1, "ttft", same.clone());
    scene.hold(3, "ttft", same);
    scene.calculate();
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-identical");
}

#[test]
fn other_lengths_are_other_work() {
    let mut scene = Scene::new();
    for (number, mean) in [(1, 400.0), (3, 300.0)] {
        let mut signals = engine(0.6, 0.985);
        signals.push(Signal::new("output_length", Statistic::Mean, mean).samples(12_000));
        set_signals(&mut scene.case, number, signals);
    }
    set_signals_ttft(&mut scene.case, 1, 1.6);
    let c = scene.warm();
    assert_eq!(reason(&c, "ttft"), "compare-different-work");
    assert_eq!(reason(&c, "accepted"), "compare-different-work");
}

fn set_signals_ttft(case: &mut CaseFile, number: i64, value: f64) {
    let signals = &mut item_mut(case, number)
        .extraction
        .as_mut()
        .expect("read")
        .signals;
    signals
        .iter_mut()
        .filter(|s| s.name == "ttft")
        .for_each(|s| s.value = value);
}

#[test]
fn equal_means_of_other_mixes_are_other_work() {
    let mut scene = Scene::new();
    scene.hold(1, "prompt_length", values(2000, 1, |u| 100.0 + 10.0 * u));
    scene.hold(
        3,
        "prompt_length",
        values(2000, 2, |u| if u < 0.8 { 90.0 } else { 165.0 }),
    );
    assert_eq!(
        reason(&scene.warm(), "ttft"),
        "compare-mix-being-calculated"
    );
    scene.calculate();
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-different-mix");
}

#[test]
fn a_cache_that_helped_one_side_cannot_tell_unless_it_is_the_knob() {
    let mut scene = Scene::new();
    for (number, ratio) in [(1, 0.05), (3, 0.60)] {
        let mut signals = engine(if number == 1 { 1.6 } else { 0.6 }, 0.985);
        signals.push(Signal::new(
            "prefix_cache_hit_ratio",
            Statistic::Ratio,
            ratio,
        ));
        set_signals(&mut scene.case, number, signals);
    }
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-cache-assisted");
    with_terms(&mut scene.case, |t| {
        t.consequences
            .push("setting.enable_prefix_caching".to_owned());
    });
    let facts = &mut run_mut(&mut scene.case, R3).stated.environment.facts;
    facts.insert(
        "setting.enable_prefix_caching".to_owned(),
        "true".to_owned(),
    );
    assert_eq!(row(&scene.warm(), "ttft").verdict, Verdict::Holds);
}

#[test]
fn zero_empty_and_not_a_number_never_pass() {
    let mut scene = Scene::new();
    set_signals(&mut scene.case, 1, engine(0.0, 0.985));
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-zero-baseline");
    set_signals(&mut scene.case, 1, Vec::new());
    set_signals(&mut scene.case, 3, engine(f64::NAN, f64::NAN));
    let c = scene.warm();
    assert!(
        c.rows
            .iter()
            .all(|r| matches!(r.verdict, Verdict::CannotTell(_)))
    );
}

#[test]
fn e12_percentiles_of_other_tools_are_not_compared() {
    let mut scene = Scene::new();
    item_mut(&mut scene.case, 1)
        .extraction
        .as_mut()
        .expect("read")
        .kind = Kind::PerfAnalyzerCsv;
    assert_eq!(reason(&scene.warm(), "ttft"), "compare-other-definition");
    // Recomputed from the values of both, they are one thing again.
    scene.hold(1, "ttft", values(3000, 1, |u| 1.0 + u));
    scene.hold(3, "ttft", values(3000, 2, |u| 0.3 + 0.3 * u));
    scene.calculate();
    assert_eq!(row(&scene.warm(), "ttft").verdict, Verdict::Holds);
}

#[test]
fn changed_variance_around_the_same_median_cannot_tell() {
    let mut scene = Scene::new();
    with_contract(&mut scene.case, |t| t.limits[0].statistic = Statistic::P50);
    for (number, accepted) in [(1, 0.985), (3, 0.986)] {
        let mut signals = engine(0.5, accepted);
        signals[0].statistic = Statistic::P50;
        set_signals(&mut scene.case, number, signals);
    }
    scene.hold(1, "ttft", values(4000, 1, |u| 0.50 + 0.02 * (u - 0.5)));
    scene.hold(3, "ttft", values(4000, 2, |u| 0.50 + 0.09 * (u - 0.5)));
    scene.calculate();
    let c = scene.warm();
    assert_eq!(reason(&c, "ttft"), "compare-spread-changed");
}

#[test]
fn chances_of_all_limits_are_corrected_together_and_limits_are_not() {
    let mut scene = Scene::new();
    scene.hold(1, "ttft", values(3000, 1, |u| 1.0 + u));
    scene.hold(3, "ttft", values(3000, 2, |u| 0.3 + 0.3 * u));
    scene.calculate();
    let c = scene.warm();
    for r in &c.rows {
        let (p, adjusted) = (
            r.weighed.p.expect("a chance"),
            r.weighed.p_adjusted.expect("one"),
        );
        assert!(adjusted >= p && adjusted <= 1.0, "{}", r.limit_id);
    }
    let least = c
        .rows
        .iter()
        .min_by(|a, b| a.weighed.p.partial_cmp(&b.weighed.p).expect("order"));
    let w = &least.expect("a row").weighed;
    assert_eq!(w.p_adjusted, w.p.map(|p| (2.0 * p).min(1.0)));
}

#[test]
fn a_share_is_judged_by_its_bounds() {
    let mut scene = Scene::new();
    set_signals(&mut scene.case, 3, engine(0.6, 0.9705));
    assert_eq!(reason(&scene.warm(), "accepted"), "compare-bound-spans");
    set_signals(&mut scene.case, 3, engine(0.6, 0.95));
    assert_eq!(row(&scene.warm(), "accepted").verdict, Verdict::Breaks);
}

#[test]
fn a_profiled_twin_shows_what_the_profiler_costs() {
    let mut scene = Scene::new();
    let mut twin = scene.case.run(R3).expect("the run").clone();
    twin.id = Uuid::from_u128(399);
    twin.number = 99;
    twin.stated.profiled = Profiled::Yes;
    let mut evidence = item(99, twin.id, engine(0.9, 0.985));
    evidence.id = Uuid::from_u128(499);
    scene.case.runs.push(twin);
    scene.case.evidence.push(evidence);
    let c = scene.warm();
    let cost = c.twins.iter().find(|t| t.signal == "ttft").expect("a twin");
    assert_eq!(
        (cost.profiled.as_str(), cost.unprofiled.as_str()),
        ("R-99", "R-3")
    );
    assert!((cost.overhead.expect("a share") - 0.5).abs() < 1e-9);
    assert_eq!(
        row(&c, "ttft").verdict,
        Verdict::Holds,
        "the twin itself is not judged"
    );
}

#[test]
fn cold_starts_are_ranked_exactly_when_there_are_enough_and_never_given_a_tail() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        let mut cold = limit("cold", "ttft", Statistic::Max, Comparator::AtMost, 30.0);
        cold.phase = LimitPhase::Cold;
        t.limits.push(cold);
    });
    let mut ids = (Vec::new(), Vec::new());
    for i in 0..5 {
        for (role, side, base) in [
            (RunRole::Baseline, &mut ids.0, 20.0),
            (RunRole::Candidate, &mut ids.1, 10.0),
        ] {
            let number = 50 + 2 * i + i64::from(role == RunRole::Candidate);
            let id = Uuid::from_u128(300 + number as u128);
            case.runs
                .push(run(id, role, Phase::Cold, 60 - number / 2, 5));
            let value = base + i as f64;
            let signal = Signal::new("ttft", Statistic::Max, value).samples(1);
            case.evidence.push(item(number, id, vec![signal]));
            side.push(id);
        }
    }
    let few = compare(&case, &ids.0[..3], &ids.1[..3], Phase::Cold);
    assert!(row(&few, "cold").weighed.change.is_none());
    assert_eq!(row(&few, "cold").weighed.n, [Some(3), Some(3)]);
    let all = compare(&case, &ids.0, &ids.1, Phase::Cold);
    let w = &row(&all, "cold").weighed;
    assert_eq!((w.method, w.outcome), (Method::ExactRanks, Outcome::Better));
    assert!((w.p.expect("a chance") - 2.0 / 252.0).abs() < 1e-12);
}

#[test]
fn k7_a_canary_with_a_broken_split_is_inconclusive() {
    let mut case = ready();
    let counted = |ttft: f64, accepted: f64, n: f64| {
        let mut signals = engine(ttft, accepted);
        signals.push(Signal::new("finished_requests", Statistic::Total, n));
        signals
    };
    set_signals(&mut case, 4, counted(0.62, 0.984, 24_000.0));
    set_signals(&mut case, 5, counted(1.65, 0.925, 456_000.0));
    assert_eq!(
        verdict(&case, &case.changes[0]).whole,
        Whole::Pass,
        "5 % of both"
    );
    set_signals(&mut case, 5, counted(1.65, 0.925, 300_000.0));
    let v = verdict(&case, &case.changes[0]);
    assert_eq!(v.whole, Whole::Inconclusive);
    assert!(v.reasons.iter().any(|s| s.key == "canary-split-broken"));
    let shown = v.reasons.iter().flat_map(|s| &s.args);
    assert!(
        shown
            .into_iter()
            .any(|(n, a)| n == "candidate" && *a == Arg::Count(24_000))
    );
}

#[test]
fn sweeps_are_kept_or_reverted_at_the_operating_point_within_the_budget() {
    let mut scene = Scene::new();
    let sweep = |scale: f64, tail: f64| {
        let mut signals = engine(0.6, 0.985);
        for load in [8.0, 16.0, 32.0] {
            let rate = Signal::new("inference_throughput", Statistic::Rate, load * scale);
            signals.push(rate.label("load", load));
            let p99 = Signal::new("ttft", Statistic::P99, tail * load / 32.0).samples(2000);
            signals.push(p99.label("load", load));
        }
        signals
    };
    set_signals(&mut scene.case, 1, sweep(1.0, 1.6));
    set_signals(&mut scene.case, 3, sweep(1.5, 0.7));
    let c = scene.warm();
    let s = c.sweeps.first().expect("a sweep");
    assert_eq!(s.verdict, "keep", "{s:?}");
    assert_eq!(s.baseline.operating.map(|p| p.0), Some(16.0));
    assert_eq!(s.candidate.operating.map(|p| p.0), Some(32.0));
    // A second, undeclared difference: not one knob.
    let facts = &mut run_mut(&mut scene.case, R3).stated.environment.facts;
    facts.insert("driver_version".to_owned(), "571.0".to_owned());
    let c = scene.warm();
    assert_eq!(c.sweeps[0].verdict, "invalid");
    assert_eq!(c.sweeps[0].reasons, ["not_one_knob"]);
}

#[test]
fn a_sweep_alone_is_held_against_its_budget_and_an_unstable_one_names_no_point() {
    let scene = Scene::new();
    let limits = &scene
        .case
        .contract
        .as_ref()
        .expect("a contract")
        .terms
        .limits;
    let limit = limits
        .iter()
        .find(|l| l.signal == "ttft" && l.statistic == Statistic::P99)
        .expect("a limit on TTFT");
    let mut signals = Vec::new();
    for (load, rate, tail) in [(1.0, 10.0, 0.2), (2.0, 19.0, 0.3), (4.0, 20.0, 5.0)] {
        let rate = Signal::new("inference_throughput", Statistic::Rate, rate);
        signals.push(rate.label("load", load));
        let tail = Signal::new("ttft", Statistic::P99, tail);
        signals.push(tail.label("load", load));
    }
    let found = super::super::weigh::alone(&signals, limit).expect("a sweep");
    assert_eq!(found.curve.points.len(), 3);
    assert_eq!(found.curve.operating.map(|p| (p.0, p.1)), Some((2.0, 19.0)));
    signals[5].bound = pel_evidence::Bound::AtLeast;
    let found = super::super::weigh::alone(&signals, limit).expect("a sweep");
    assert_eq!(found.curve.operating, None);
    assert!(super::super::weigh::alone(&signals[..2], limit).is_none());
}
