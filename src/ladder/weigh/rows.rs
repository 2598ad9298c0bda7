//! The rows of a comparison, weighed: first each alone, then all together, because their chances
//! are corrected for one another.

use super::super::contract::{Limit, LimitPhase};
use super::super::evidence::Held;
use super::super::measure::{Judgement, Verdict, about};
use super::super::row::{Measurement, Row, Side};
use super::super::view::{LOAD, View};
use super::super::{Arg, Sentence, Statistic, Unit};
use super::{Asked, Calculated, Interval, Method, Outcome, Weighed, bounds, confidence, fit};
use pel_evidence::statistics as s;

/// Times by which the distance between the quartiles may grow or shrink while the middle stays.
const SPREAD: f64 = 2.0;
/// Single starts per side from which an exact rank test says anything.
const STARTS: usize = 4;

/// One limit with what both sides measured of it.
pub struct Weighing<'v, 'a> {
    view: &'v View<'a>,
    limit: &'v Limit,
    asked: Option<Asked>,
    known: Option<&'a Calculated>,
}

/// Stored observations behind a measurement.
fn held<'a>(view: &View<'a>, signal: &str, m: &Measurement) -> Option<&'a Held> {
    let value = m.judged.value.as_ref()?;
    let item = view.case.item(value.evidence_id)?;
    item.extraction.as_ref()?.held(signal, |labels| {
        let load = labels.get(LOAD).and_then(|l| l.parse::<f64>().ok());
        labels.keys().all(|k| k == LOAD) && load == value.load
    })
}

impl<'v, 'a> Weighing<'v, 'a> {
    /// What there is to weigh of a limit.
    pub fn of(view: &'v View<'a>, limit: &'v Limit, baseline: &Side, candidate: &Side) -> Self {
        let asked = asked(view, limit, baseline, candidate);
        let known = asked.as_ref().and_then(|a| view.calculated(&a.basis()));
        Self {
            view,
            limit,
            asked,
            known,
        }
    }

    /// What has to be calculated for it.
    pub fn asked(self) -> Option<Asked> {
        self.asked
    }

    /// Judges the candidate's runs by their bounds instead of their points. Without observations
    /// the tool's own number stands.
    pub fn bound(&self, candidate: &mut Side) {
        let mut place = 0;
        for m in &mut candidate.runs {
            let run = m.run.clone();
            let of_run = m.judged.value.is_some().then(|| {
                place += 1;
                place - 1
            });
            let decided = !matches!(m.judged.verdict, Verdict::CannotTell(_));
            match (&self.asked, self.known, of_run) {
                (Some(_), Some(known), Some(i)) => {
                    let bounds = known.candidate.get(i).copied().unwrap_or_default();
                    bounds::judge(self.limit, &run, &mut m.judged, &bounds);
                }
                (Some(_), None, _) if decided => {
                    m.judged.verdict = Verdict::CannotTell(about(
                        Sentence::new("compare-being-calculated"),
                        self.limit,
                    ));
                }
                (None, ..) => {
                    if let Some(bounds) = self.share(&m.judged) {
                        bounds::judge(self.limit, &run, &mut m.judged, &bounds);
                    }
                }
                _ => {}
            }
        }
    }

    /// Wilson's bounds of a share whose observations are counted.
    fn share(&self, judged: &Judgement) -> Option<Interval> {
        let value = judged.value.as_ref()?;
        let n = value.samples? as f64;
        if self.limit.unit() != Unit::Ratio || self.limit.statistic != Statistic::Ratio {
            return None;
        }
        let z = s::normal_quantile(1.0 - self.view.case.policy.alpha / 2.0);
        let (low, high) = s::wilson((value.value * n).round(), n, z)?;
        Some(Interval {
            point: Some(value.value),
            low: Some(low),
            high: Some(high),
        })
    }

    /// The row alone: everything but what depends on the other rows.
    pub fn weigh(&self, baseline: &Side, candidate: &Side) -> Weighed {
        let samples = |side: &Side| -> Option<u64> {
            let measured = side.runs.iter().filter_map(|m| m.judged.value.as_ref());
            measured.map(|v| v.samples).sum()
        };
        let mut out = Weighed {
            n: [samples(baseline), samples(candidate)],
            basis: self.asked.as_ref().map(Asked::basis),
            ..Weighed::default()
        };
        let worst = candidate.worst(self.limit.comparator);
        if let Some(known) = self.known {
            self.from(known, &mut out);
            let measured = candidate.runs.iter().filter(|m| m.judged.value.is_some());
            let place = worst.and_then(|w| measured.into_iter().position(|m| m.run_id == w.run_id));
            out.candidate = place.and_then(|i| known.candidate.get(i).copied());
        } else if self.asked.is_none() {
            out.candidate = worst.and_then(|w| self.share(&w.judged));
            self.shares(baseline, candidate, &mut out);
            if self.limit.phase == LimitPhase::Cold && out.change.is_none() {
                self.starts(baseline, candidate, &mut out);
            }
        }
        out
    }

    fn from(&self, known: &Calculated, out: &mut Weighed) {
        out.n = known.n.map(Some);
        out.change = known.change;
        out.method = known.method;
        out.p = known.p;
        let drawn = known.replicates > 0;
        out.seed = drawn.then_some(known.seed);
        out.replicates = drawn.then_some(known.replicates);
        out.windows = known.windows;
        out.middle = known.middle;
        out.spread = known.spread;
    }

    /// The change of a share, over all runs of each side.
    fn shares(&self, baseline: &Side, candidate: &Side, out: &mut Weighed) {
        if self.limit.unit() != Unit::Ratio || self.limit.statistic != Statistic::Ratio {
            return;
        }
        let counted = |side: &Side| -> Option<(f64, f64)> {
            let mut sum = (0.0, 0.0);
            for v in side.runs.iter().filter_map(|m| m.judged.value.as_ref()) {
                let n = v.samples? as f64;
                sum = (sum.0 + (v.value * n).round(), sum.1 + n);
            }
            (sum.1 > 0.0).then_some(sum)
        };
        let Some(((kb, nb), (kc, nc))) = counted(baseline).zip(counted(candidate)) else {
            return;
        };
        let z = s::normal_quantile(1.0 - self.view.case.policy.alpha / 2.0);
        if let Some((low, high)) = s::newcombe(kc, nc, kb, nb, z) {
            out.change = Some(Interval {
                point: Some(kc / nc - kb / nb),
                low: Some(low),
                high: Some(high),
            });
            out.method = Method::Newcombe;
            out.p = s::two_rates(kc as u64, nc as u64, kb as u64, nb as u64);
        }
    }

    /// Single starts: the exact rank test, when there are enough of them.
    fn starts(&self, baseline: &Side, candidate: &Side, out: &mut Weighed) {
        let values = |side: &Side| {
            let v: Vec<f64> = side
                .runs
                .iter()
                .filter_map(|m| m.judged.value.as_ref().map(|v| v.value))
                .collect();
            s::sorted(&v)
        };
        let (b, c) = (values(baseline), values(candidate));
        out.n = [Some(b.len() as u64), Some(c.len() as u64)];
        if b.len() < STARTS || c.len() < STARTS {
            return;
        }
        let z = s::normal_quantile(0.5 + confidence(self.view.case.policy.alpha) / 2.0);
        if let (Some(test), Some(shift)) = (s::mann_whitney(&c, &b), s::shift(&c, &b, z)) {
            out.method = Method::ExactRanks;
            out.p = Some(test.exact.map_or(test.p, |e| e.0));
            out.change = Some(Interval {
                point: Some(shift.estimate),
                low: Some(shift.low),
                high: Some(shift.high),
            });
        }
    }

    /// Why the two sides of this row may not be compared, if they may not.
    pub fn unfit(&self, baseline: &Side, candidate: &Side) -> Option<Sentence> {
        let recomputed = self.asked.as_ref().is_some_and(|a| a.form == "values");
        let zero = baseline.value == Some(0.0) && self.limit.unit() != Unit::Ratio;
        fit::other_definition(self.view, self.limit, baseline, candidate, recomputed)
            .or_else(|| zero.then(|| about(Sentence::new("compare-zero-baseline"), self.limit)))
            .or_else(|| {
                let same = self.known.is_some_and(|k| k.identical);
                same.then(|| Sentence::new("compare-identical"))
            })
    }
}

fn asked(view: &View<'_>, limit: &Limit, baseline: &Side, candidate: &Side) -> Option<Asked> {
    let forms = match limit.statistic {
        Statistic::Quantile(_) => &["values", "histogram"][..],
        Statistic::Mean => &["values"][..],
        _ => return None,
    };
    let all = |side: &Side| -> Option<Vec<&Held>> {
        let measured = side.runs.iter().filter(|m| m.judged.value.is_some());
        measured.map(|m| held(view, &limit.signal, m)).collect()
    };
    let (b, c) = (all(baseline), all(candidate)?);
    let form = c.first()?.form.clone();
    let like = |side: &[&Held]| side.iter().all(|h| h.form == form);
    if !forms.contains(&form.as_str()) || !like(&c) {
        return None;
    }
    let digests = |side: Vec<&Held>| side.into_iter().map(|h| h.digest.clone()).collect();
    Some(Asked {
        signal: limit.signal.clone(),
        statistic: limit.statistic,
        form: form.clone(),
        // A baseline of another form gives the candidate its bounds, and no change.
        baseline: digests(b.filter(|b| like(b)).unwrap_or_default()),
        candidate: digests(c),
        alpha: view.case.policy.alpha,
        replicates: view.case.policy.replicates,
    })
}

/// Weighs the rows together: corrects their chances, names what each change comes to, and turns
/// a verdict where the change or the fit of the sides says so. `unfit` holds a row's own reason
/// not to be compared, by its place.
pub fn settle(view: &View<'_>, limits: &[&Limit], rows: &mut [Row], unfit: &[Option<Sentence>]) {
    let places: Vec<usize> = (0..rows.len())
        .filter(|i| rows[*i].weighed.p.is_some())
        .collect();
    let p: Vec<f64> = places.iter().filter_map(|i| rows[*i].weighed.p).collect();
    for (i, adjusted) in places.into_iter().zip(s::holm(&p)) {
        rows[i].weighed.p_adjusted = Some(adjusted);
    }
    for ((row, limit), why) in rows.iter_mut().zip(limits).zip(unfit) {
        name(view, limit, row);
        turn(view, limit, row, why.as_ref());
    }
}

fn name(view: &View<'_>, limit: &Limit, row: &mut Row) {
    let policy = &view.case.policy;
    let own = view
        .terms()
        .and_then(|t| t.tolerated.get(&limit.id))
        .copied();
    let share = own.unwrap_or(policy.tolerated_change);
    let w = &mut row.weighed;
    w.tolerated = bounds::tolerated(limit, share, row.baseline.value);
    w.outcome = match (&w.change, w.tolerated) {
        (None, _) => Outcome::NotCompared,
        (Some(change), tolerated) => bounds::outcome(
            limit.comparator,
            change,
            tolerated.unwrap_or(f64::NAN),
            w.p_adjusted,
            policy.alpha,
        ),
    };
    if let Some(remark) = spread_changed(w, limit.unit()) {
        w.remarks.push(remark);
    }
}

/// Says that the values spread differently around the same middle.
fn spread_changed(w: &Weighed, unit: Unit) -> Option<Sentence> {
    let [Some(b), Some(c)] = w.spread else {
        return None;
    };
    let shift = w.middle?.shift?;
    let same_middle = shift.low? <= 0.0 && shift.high? >= 0.0;
    let times = c / b;
    let changed = times.is_nan() || !(1.0 / SPREAD..=SPREAD).contains(&times);
    (same_middle && changed && (b > 0.0 || c > 0.0)).then(|| {
        Sentence::new("compare-spread-changed")
            .with("baseline", Arg::Value(b, unit))
            .with("candidate", Arg::Value(c, unit))
    })
}

fn turn(view: &View<'_>, limit: &Limit, row: &mut Row, unfit: Option<&Sentence>) {
    let spans = |v: &Verdict| v.reason().is_some_and(|s| s.key == "compare-bound-spans");
    let open = row.verdict == Verdict::Holds || spans(&row.verdict);
    if !open {
        return;
    }
    if let Some(why) = unfit {
        row.verdict = Verdict::CannotTell(why.clone());
        return;
    }
    let w = &row.weighed;
    let change = w.change.unwrap_or_default();
    let tolerated = w.tolerated.unwrap_or(f64::NAN);
    let said = |key: &str| {
        let end = |v: Option<f64>| {
            v.map_or_else(
                || Arg::Key("compare-no-bound".to_owned()),
                |v| Arg::Value(v, limit.unit()),
            )
        };
        about(Sentence::new(key), limit)
            .with("change", end(change.point))
            .with("low", end(change.low))
            .with("high", end(change.high))
            .with("tolerated", end(w.tolerated))
    };
    let guarded = view
        .terms()
        .is_some_and(|t| t.tolerated.contains_key(&limit.id));
    let location = matches!(limit.statistic, Statistic::Mean | Statistic::P50);
    match w.outcome {
        Outcome::Worse => {
            row.why = Some(said("compare-worse"));
            row.verdict = Verdict::Breaks;
        }
        _ if row.verdict != Verdict::Holds => {}
        Outcome::NotCompared if guarded => {
            row.verdict = Verdict::CannotTell(about(Sentence::new("compare-no-interval"), limit));
        }
        Outcome::CannotTell
            if guarded || bounds::point_is_worse(limit.comparator, &change, tolerated) =>
        {
            row.verdict = Verdict::CannotTell(said("compare-change-open"));
        }
        _ if location && !w.remarks.is_empty() => {
            row.verdict = Verdict::CannotTell(w.remarks[0].clone());
        }
        _ => {}
    }
}
