//! The analysis of sweeps against the expected files, and the comparison of two sweeps.

use super::super::frame::{Comparison, json};
use super::others::points_of;
use super::sweep_of;
use pel_evidence::{
    Options, Source, read,
    sweep::{
        analysis::{self, Little, Point},
        compare::{self, Reason, Terms},
        usl::Usl,
    },
};
use serde_json::{Value, json};
use std::path::Path;

/// Rounds as the expected files are rounded; a value on the border of two goes up, whatever its
/// last bit says.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale * (1.0 + 1e-12)).round() / scale
}

/// The analysis in the shape of the expected files.
pub fn analysed(points: &[Point], mode: &str, batch: Option<f64>) -> Value {
    let k = batch.unwrap_or(1.0);
    let mut out = json!({
        "mode": mode,
        "batch_size": batch.map(|b| b as u64),
        "points": points.len(),
        "shape": analysis::shape(points).map(analysis::Shape::id),
        "operating_point_by_budget_ms": operating_points(points),
    });
    let little: Vec<Little> = points.iter().filter_map(|p| Little::of(p, k)).collect();
    if mode == "request_rate" {
        let pairs = |of: &dyn Fn(&Point) -> Option<f64>, digits| -> Vec<Value> {
            points
                .iter()
                .filter_map(|p| Some(json!([p.load, rounded(of(p)?, digits)])))
                .collect()
        };
        out["saturation"] = json!({
            "first_rate_below_95pct": analysis::saturation_rate(points, k),
            "achieved_over_target": pairs(&|p| Some(analysis::achieved(p, k)), 4),
            "implied_in_flight": pairs(&|p| Little::of(p, k).map(|l| l.implied), 3),
        });
        return out;
    }
    out["knee"] = json!({
        "kneedle_first_S1": analysis::kneedle(points),
        "max_distance_to_chord": analysis::farthest_from_chord(points),
        "max_power_load": analysis::max_power(points),
        "usl": Usl::fit(points).map(|u| json!({
            "gamma": u.gamma, "alpha": u.alpha, "beta": u.beta,
            "n_star": u.best_load(), "r2": u.r2, "usable": u.usable(),
        })),
    });
    out["little"] = little
        .iter()
        .map(|l| {
            json!({
                "load": l.load,
                "implied_concurrency": rounded(l.implied, 4),
                "residual": rounded(l.residual(), 4),
                "ok": l.holds(),
            })
        })
        .collect();
    out["batch_hint"] = json!(analysis::batch_hint(points).filter(|_| batch.is_none()));
    out
}

fn operating_points(points: &[Point]) -> Value {
    let mut out = json!({});
    for budget in [2, 5, 10, 20, 25, 50, 100, 200, 500, 1000] {
        let op = analysis::operating_point(points, Some(f64::from(budget) / 1e3));
        out[budget.to_string()] = op.map_or(Value::Null, |op| {
            json!({
                "load": op.best.load,
                "throughput": op.best.throughput,
                "latency_us": op.best.tail.map(|t| t * 1e6),
                "within_1pct_lowest_load": op.lowest_load_within_1_percent,
            })
        });
    }
    out
}

pub fn comparisons(c: &mut Comparison, folder: &Path) {
    for case in json(&folder.join("compare_cases.json"))
        .as_array()
        .expect("cases")
    {
        let id = case["id"].as_str().expect("an id");
        let expected = json(&folder.join(format!("expected/compare_{id}.json")));
        let side = |key: &str| {
            let name = case[key].as_str().expect("a file name");
            if name.ends_with(".csv") {
                let sweep = sweep_of(&folder.join(name));
                let points = sweep.points.iter().filter_map(|p| sweep.analysed(p));
                return (points.collect(), true);
            }
            let reading = read(&[Source::at(folder.join(name))], &Options::default());
            let reading = reading.expect("a log");
            let stable = !reading.notes.iter().any(|n| n.code == "sweep-unstable");
            (points_of(&reading), stable)
        };
        let (before, before_stable) = side("before");
        let (after, after_stable) = side("after");
        // The difference of the configurations is found elsewhere and given to the comparison.
        let one_knob = expected["config_verdict"] != "several_knobs";
        let got = compare::compare(
            &before,
            &after,
            &Terms {
                budget: case["budget_ms"].as_f64().expect("a budget") / 1e3,
                contract_load: case["contract_load"].as_f64().expect("a load"),
                noise: expected["noise_floor_pct"].as_f64().expect("a noise floor") / 100.0,
                one_knob,
                before_stable,
                after_stable,
            },
        );
        compare_case(c, id, &expected, &got);
    }
}

fn compare_case(c: &mut Comparison, id: &str, expected: &Value, got: &compare::Comparison) {
    let op = |op: Option<analysis::OperatingPoint>| {
        op.map(|op| {
            json!([
                op.best.load,
                op.best.throughput,
                op.best.tail.map(|t| t * 1e6)
            ])
        })
    };
    let reasons: Vec<&str> = got
        .reasons
        .iter()
        .map(|reason| match reason {
            Reason::NotOneKnob => "not exactly one knob changed",
            Reason::UnstableBefore => "unstable measurement in before",
            Reason::UnstableAfter => "unstable measurement in after",
            Reason::BudgetNotReached => "budget not reached",
            Reason::LoadNotMeasured => "load not measured",
        })
        .collect();
    let percent = |share: Option<f64>| share.map(|s| rounded(s * 100.0, 2));
    let mine = json!({
        "before_op": op(got.before),
        "after_op": op(got.after),
        "throughput_at_budget_change_pct": percent(got.throughput_change),
        "tail_at_contract_load_change_pct": percent(got.tail_change),
        "verdict": got.verdict.id(),
        "reasons": reasons,
    });
    for (key, value) in expected.as_object().expect("an object") {
        match key.as_str() {
            // What the case itself says, and what was given to the comparison.
            "id" | "before" | "after" | "config" | "accept_group" | "budget_ms"
            | "contract_load" | "noise_floor_pct" | "latency_used" => {}
            "how" | "changed" | "config_verdict" => c.left(key),
            _ => c.tree(&format!("compare_{id}.{key}"), value, &mine[key], &[]),
        }
    }
}
