//! `statistics`: vectors computed with scipy and numpy, inputs and expected values together.

use super::frame::{Comparison, folder, json};
use pel_evidence::statistic::nearest_rank;
use pel_evidence::statistics as s;
use serde_json::Value;
use std::path::Path;

/// Chances by the normal approximation, and their intervals.
const NORMAL: f64 = 1e-7;
/// Intervals found by root search.
const ROOT: f64 = 1e-6;
/// Ranks, U, quantiles and counts.
const EXACT: f64 = 1e-9;
/// Capacity and cost are written down rounded to six decimals.
const ROUNDED: f64 = 5e-7;

const NOT_COMPARED: &[(&str, &str)] = &[
    ("_meta", "versions of the tools that made them"),
    ("_how", "explanation in words"),
];

/// Compares within an absolute tolerance; `null` must not exist.
fn within(c: &mut Comparison, path: &str, want: &Value, got: Option<f64>, tolerance: f64) {
    match (want.as_f64(), got) {
        // What is within the tolerance counts as equal; what is not is reported as it is.
        (Some(w), Some(g)) if (w - g).abs() <= tolerance => c.number(path, w, Some(w)),
        (Some(w), g) => c.number(path, w, g),
        (None, g) if want.is_null() => c.absent(path, g),
        (None, _) => c.difference(path, format!("expected {want}, which is no number")),
    }
}

fn pair(c: &mut Comparison, path: &str, want: &Value, got: Option<(f64, f64)>, tolerance: f64) {
    if want.is_null() {
        return c.absent(path, got.map(|g| g.0));
    }
    within(
        c,
        &format!("{path}[0]"),
        &want[0],
        got.map(|g| g.0),
        tolerance,
    );
    within(
        c,
        &format!("{path}[1]"),
        &want[1],
        got.map(|g| g.1),
        tolerance,
    );
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}

fn head(c: &mut Comparison, path: &Path) -> Value {
    let all = json(path);
    c.read_file();
    for key in NOT_COMPARED
        .iter()
        .map(|(k, _)| *k)
        .filter(|k| all.get(k).is_some())
    {
        c.left(key);
    }
    all
}

/// Every vector.
pub fn compare() {
    let Some(folder) = folder("statistics") else {
        return;
    };
    let mut c = Comparison::of("statistics");
    mann_whitney(&mut c, &folder.join("mann_whitney.json"));
    intervals(&mut c, &folder.join("quantile_ci.json"));
    quantiles(&mut c, &folder.join("quantiles_and_bootstrap.json"));
    proportions(&mut c, &folder.join("proportions.json"));
    rest(&mut c, &folder.join("multiplicity_power_capacity.json"));
    c.finish(NOT_COMPARED);
}

fn mann_whitney(c: &mut Comparison, path: &Path) {
    let all = head(c, path);
    for (name, case) in all["cases"].as_object().into_iter().flatten() {
        let (x, y) = (
            s::sorted(&numbers(&case["x"])),
            s::sorted(&numbers(&case["y"])),
        );
        let Some(test) = s::mann_whitney(&x, &y) else {
            c.difference(name, "no test");
            continue;
        };
        for (key, want) in case["expected"].as_object().into_iter().flatten() {
            let at = format!("{name}.{key}");
            let z = if key.contains("_98") { 0.99 } else { 0.975 };
            let z = s::normal_quantile(z);
            let shift = s::shift(&x, &y, z);
            match key.as_str() {
                "n" => within(c, &at, want, Some(test.n as f64), 0.0),
                "m" => within(c, &at, want, Some(test.m as f64), 0.0),
                "R1" => within(c, &at, want, Some(test.rank_sum), EXACT),
                "U1" => within(c, &at, want, Some(test.u1), EXACT),
                "U2" => within(c, &at, want, Some(test.u2), EXACT),
                "cles" => within(c, &at, want, Some(test.cles()), EXACT),
                "cliffs_delta" => within(c, &at, want, Some(test.delta()), EXACT),
                "tie_sum" => within(c, &at, want, Some(test.tie_sum), EXACT),
                "mu" => within(c, &at, want, Some(test.mu), EXACT),
                "sigma" => within(c, &at, want, Some(test.sigma), EXACT),
                "has_ties" => c.equal(&at, want.as_bool(), Some(test.has_ties())),
                "p_asymptotic_two_sided" => within(c, &at, want, Some(test.p), NORMAL),
                "p_asymptotic_greater" => within(c, &at, want, Some(test.p_greater), NORMAL),
                "p_asymptotic_less" => within(c, &at, want, Some(test.p_less), NORMAL),
                "z_no_continuity" => within(c, &at, want, test.z(), NORMAL),
                "p_exact_two_sided" => within(c, &at, want, test.exact.map(|e| e.0), EXACT),
                "p_exact_greater" => within(c, &at, want, test.exact.map(|e| e.1), EXACT),
                "hodges_lehmann" => within(c, &at, want, shift.map(|s| s.estimate), EXACT),
                "location_shift_ci_95" | "location_shift_ci_98" => {
                    pair(c, &at, want, s::root_interval(&x, &y, z), ROOT);
                }
                "location_shift_ci_95_order_statistic" | "location_shift_ci_98_order_statistic" => {
                    pair(c, &at, want, shift.map(|s| (s.low, s.high)), EXACT);
                }
                _ => c.left(key),
            }
        }
    }
}

fn intervals(c: &mut Comparison, path: &Path) {
    let all = head(c, path);
    for case in all["cases"].as_array().into_iter().flatten() {
        let number = |key: &str| case[key].as_f64().unwrap_or(f64::NAN);
        let (n, q, confidence) = (number("n"), number("q"), number("confidence"));
        let got = s::order_interval(n as u64, q, confidence);
        let at = format!("n={n} q={q} confidence={confidence}");
        let rank = |r: Option<u64>| r.map(|r| r as f64);
        within(
            c,
            &format!("{at}.lower_index"),
            &case["lower_index"],
            rank(got.low),
            0.0,
        );
        within(
            c,
            &format!("{at}.upper_index"),
            &case["upper_index"],
            rank(got.high),
            0.0,
        );
        within(
            c,
            &format!("{at}.coverage"),
            &case["coverage"],
            Some(got.coverage),
            EXACT,
        );
    }
    for (key, want) in all["minimum_n"].as_object().into_iter().flatten() {
        let parts: Vec<f64> = key
            .split([',', '='])
            .filter_map(|p| p.parse().ok())
            .collect();
        let [q, confidence] = parts[..] else {
            c.difference(key, "cannot be mapped");
            continue;
        };
        let one = s::finite_one_side(q, confidence) as f64;
        let both = s::finite_both_sides(q, confidence) as f64;
        within(
            c,
            &format!("{key}.one"),
            &want["one_sided_upper_bound"],
            Some(one),
            0.0,
        );
        within(
            c,
            &format!("{key}.both"),
            &want["two_sided_upper_finite"],
            Some(both),
            0.0,
        );
        // The bound exists from there on, and not before.
        for (n, exists) in [(both as u64, true), (both as u64 - 1, false)] {
            let high = s::order_interval(n, q, confidence).high;
            c.equal(&format!("{key}.exists at {n}"), exists, high.is_some());
        }
    }
}

fn quantiles(c: &mut Comparison, path: &Path) {
    let all = head(c, path);
    let (x, y) = (numbers(&all["x"]), numbers(&all["y"]));
    for (side, values) in [("x", &x), ("y", &y)] {
        let values = s::sorted(values);
        for (q, want) in all["expected"][side].as_object().into_iter().flatten() {
            let share: f64 = q.parse().expect("a quantile");
            let at = format!("{side}.{q}");
            within(
                c,
                &format!("{at}.linear"),
                &want["linear"],
                s::type7(&values, share),
                EXACT,
            );
            let near = nearest_rank(&values, share);
            within(
                c,
                &format!("{at}.nearest_rank"),
                &want["nearest_rank"],
                near,
                EXACT,
            );
        }
    }
    for (seed, want) in all["splitmix_first3"].as_object().into_iter().flatten() {
        let mut random = s::SplitMix64::new(seed.parse().expect("a seed"));
        let got: Vec<String> = (0..3).map(|_| random.next_u64().to_string()).collect();
        c.equal(
            &format!("splitmix {seed}"),
            want.clone(),
            serde_json::json!(got),
        );
    }
    for case in all["bootstrap"].as_array().into_iter().flatten() {
        let q = case["quantile"].as_f64().expect("a quantile");
        let replicates = case["B"].as_u64().expect("a number of replicates") as usize;
        let seed = case["seed"].as_u64().expect("a seed");
        let Some(got) = s::plain(&x, &y, s::Of::Quantile(q), replicates, seed) else {
            c.difference("bootstrap", "no change");
            continue;
        };
        let at = format!("bootstrap {q}");
        for (i, want) in case["first5"].as_array().into_iter().flatten().enumerate() {
            within(
                c,
                &format!("{at}.first[{i}]"),
                want,
                Some(got.replicates[i]),
                EXACT,
            );
        }
        within(
            c,
            &format!("{at}.observed"),
            &case["observed"],
            Some(got.observed),
            EXACT,
        );
        within(
            c,
            &format!("{at}.mean"),
            &case["mean"],
            Some(got.mean()),
            EXACT,
        );
        pair(
            c,
            &format!("{at}.ci95"),
            &case["ci95"],
            got.interval(0.95),
            EXACT,
        );
        let above = Some(got.above_zero());
        within(
            c,
            &format!("{at}.frac_gt_zero"),
            &case["frac_gt_zero"],
            above,
            EXACT,
        );
    }
}

fn proportions(c: &mut Comparison, path: &Path) {
    let all = head(c, path);
    let z = s::normal_quantile(0.975);
    for case in all["cases"].as_array().into_iter().flatten() {
        let n = |key: &str| case[key].as_u64().expect("a count");
        let (k1, n1, k2, n2) = (n("k1"), n("n1"), n("k2"), n("n2"));
        let f = [k1, n1, k2, n2].map(|v| v as f64);
        let at = format!("{k1}/{n1} and {k2}/{n2}");
        let want = &case["expected"];
        pair(
            c,
            &format!("{at}.wilson1"),
            &want["wilson1"],
            s::wilson(f[0], f[1], z),
            NORMAL,
        );
        pair(
            c,
            &format!("{at}.wilson2"),
            &want["wilson2"],
            s::wilson(f[2], f[3], z),
            NORMAL,
        );
        let d = f[0] / f[1] - f[2] / f[3];
        within(c, &format!("{at}.diff"), &want["diff"], Some(d), EXACT);
        let newcombe = s::newcombe(f[0], f[1], f[2], f[3], z);
        pair(
            c,
            &format!("{at}.newcombe"),
            &want["newcombe"],
            newcombe,
            NORMAL,
        );
        let fisher = s::fisher(k1, n1, k2, n2);
        within(
            c,
            &format!("{at}.fisher"),
            &want["fisher_two_sided"],
            fisher,
            NORMAL,
        );
    }
}

fn rest(c: &mut Comparison, path: &Path) {
    let all = head(c, path);
    let adjusted = s::holm(&numbers(&all["holm"]["p"]));
    for (i, want) in numbers(&all["holm"]["adjusted"]).into_iter().enumerate() {
        c.number(&format!("holm[{i}]"), want, adjusted.get(i).copied());
    }
    for (a, want) in all["noether"].as_object().into_iter().flatten() {
        let got = s::noether(a.parse().expect("an effect")).map(|n| n as f64);
        within(c, &format!("noether {a}"), want, got, 0.0);
    }
    for (i, case) in all["capacity"].as_array().into_iter().flatten().enumerate() {
        let at = format!("capacity[{i}]");
        let n = |key: &str| case[key].as_u64().expect("a count");
        let f = |key: &str| case[key].as_f64().expect("a number");
        let got = s::Capacity::of(
            n("replicas"),
            f("capacity_per_replica"),
            f("target_load"),
            n("failure_domain_replicas"),
        )
        .expect("a capacity");
        within(
            c,
            &format!("{at}.headroom"),
            &case["headroom"],
            Some(got.headroom),
            ROUNDED,
        );
        let left = got.headroom_after_loss;
        within(
            c,
            &format!("{at}.n_minus_f"),
            &case["headroom_n_minus_f"],
            left,
            ROUNDED,
        );
        c.equal(
            &format!("{at}.survives"),
            case["survives"].as_bool(),
            Some(got.survives),
        );
        let least = Some(got.least_replicas as f64);
        within(
            c,
            &format!("{at}.min_replicas"),
            &case["min_replicas"],
            least,
            0.0,
        );
    }
    for (i, case) in all["cost"].as_array().into_iter().flatten().enumerate() {
        let f = |key: &str| case[key].as_f64().expect("a number");
        let accepted = case["accepted_tasks"].as_u64().expect("a count");
        let got = s::cost_per_accepted(
            f("gpu_hours"),
            f("price_per_gpu_hour"),
            f("other_cost"),
            accepted,
        );
        within(
            c,
            &format!("cost[{i}]"),
            &case["cost_per_accepted"],
            got,
            ROUNDED,
        );
    }
}
