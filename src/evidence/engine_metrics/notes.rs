//! Notes: what a reader must know before trusting the numbers of a scrape.

use super::{
    collect::Collected,
    facts,
    names::{HISTS, What},
    signals::populations_agree,
    sums::Sums,
    table::{Counter, Engine, Name},
};
use crate::{
    Note,
    NoteLevel::{Info, Invalid, NotCaptured, Warning},
    Reading, Statistic,
    prometheus::{Histogram, Tally},
};

/// Notes on the text itself: lines passed over, cut files, time.
pub fn on_the_text(reading: &mut Reading, tally: &Tally) {
    if let Some((line, file)) = tally.first_skipped.as_ref() {
        reading.note(
            Note::new(Warning, "metrics-lines-skipped")
                .arg("skipped", tally.skipped)
                .arg("lines", tally.lines)
                .arg("line", line)
                .arg("file", file),
        );
    }
    if tally.cut > 0 {
        reading.note(Note::new(Warning, "metrics-cut"));
    }
    if tally.without_eof > 0 {
        reading.note(Note::new(Warning, "metrics-openmetrics-cut"));
    }
    if tally.unnamed > 0 {
        reading.note(Note::new(NotCaptured, "metrics-unnamed-series").arg("count", tally.unnamed));
    }
    if tally.native > 0 {
        reading
            .note(Note::new(NotCaptured, "metrics-native-histograms").arg("count", tally.native));
    }
    if tally.answers > 0 {
        reading.note(Note::new(Info, "metrics-from-prometheus"));
    }
    let same = tally.duplicates - tally.differing;
    for (count, code) in [
        (same, "metrics-duplicates"),
        (tally.differing, "metrics-duplicates-differ"),
    ] {
        if count > 0 {
            reading.note(Note::new(Warning, code).arg("count", count));
        }
    }
}

/// Notes on the scrapes: one or several, their order, resets, engines.
pub fn on_the_scrapes(reading: &mut Reading, all: &Collected) {
    if all.scrapes == 1 {
        reading.note(Note::new(Warning, "metrics-since-start"));
        if let Some(up) = facts::uptime(all, all.course.last(), false) {
            reading.note(Note::new(Info, "metrics-uptime").arg("seconds", format!("{up:.0}")));
        }
    }
    if all.course.ran_backwards() || all.reversed_steps > 0 {
        reading.note(Note::new(Invalid, "metrics-order-reversed"));
    } else if all.fallen_steps > 0 {
        reading.note(Note::new(Warning, "metrics-order-looks-reversed"));
    }
    if all.reset_steps > 0 {
        reading.note(Note::new(Warning, "metrics-reset").arg("steps", all.reset_steps));
    }
    if all.born > 0 {
        reading.note(Note::new(Info, "metrics-series-born").arg("count", all.born));
    }
    let late = all.tracks.iter().filter(|t| t.late).count();
    if late > 0 {
        reading.note(Note::new(NotCaptured, "metrics-series-late").arg("count", late));
    }
    if all.targets > 0 {
        reading.note(Note::new(Warning, "metrics-targets-merged").arg("targets", all.targets));
    }
    if all.engines_changed {
        reading.note(Note::new(Warning, "metrics-engines-changed"));
    }
    let models = facts::models(all);
    if models.len() > 1 {
        let names: Vec<&str> = models.into_iter().take(8).collect();
        reading.note(Note::new(Info, "metrics-several-models").arg("models", names.join(", ")));
    }
}

/// Notes on the numbers: what is not there, what must not be trusted.
pub fn on_the_numbers(reading: &mut Reading, sums: &Sums, all: &Collected) {
    absent(reading, sums, all);
    silent_gauge(reading, all);
    broken_ttft(reading, sums);
    let v0_rate = all.gauge("prefix_cache_hit_ratio");
    if v0_rate.is_some_and(|(_, level)| level.last < 0.0) {
        reading.note(Note::new(NotCaptured, "metrics-prefix-cache-off"));
    }
    // Versions that export computed tokens no longer count a re-prefill as a hit.
    let is_fixed = sums.hists.contains_key("prefill_computed_tokens");
    let some = |counter| sums.counter(counter).is_some_and(|n| n > 0.0);
    if some(Counter::Preemptions) && some(Counter::PrefixHits) && !is_fixed {
        reading.note(Note::new(Warning, "metrics-prefix-hits-after-preemption"));
    }
    if populations_agree(sums, all) == Some(false) {
        let count = |hist: &str| sums.hists.get(hist).map_or(0, |h| h.samples());
        reading.note(
            Note::new(NotCaptured, "metrics-populations-differ")
                .arg("first_tokens", count("ttft"))
                .arg("finished", count("queue_time").max(count("e2e_latency"))),
        );
    }
    if sums.finished().is_some_and(|n| n > 0.0) {
        let is_told = super::signals::accepted(sums).is_some();
        reading.note(if is_told {
            Note::new(Info, "metrics-acceptance-of-engine")
        } else {
            Note::new(NotCaptured, "metrics-no-finish-reasons")
        });
    }
    if let Some(n) = sums.counter(Counter::Rejections).filter(|n| *n > 0.0) {
        reading.note(Note::new(Warning, "metrics-rejections").arg("count", n));
    }
}

/// Names the signals of a note. An argument has a length limit, so a long list is several notes.
fn list(reading: &mut Reading, level: crate::NoteLevel, code: &str, signals: &[&str]) {
    for some in signals.chunks(6) {
        reading.note(Note::new(level, code).arg("signals", some.join(", ")));
    }
}

/// Signals that responders ask for first.
const ASKED: [&str; 7] = [
    "ttft",
    "itl",
    "e2e_latency",
    "queue_time",
    "prefill_time",
    "decode_time",
    "iteration_tokens",
];

fn absent(reading: &mut Reading, sums: &Sums, all: &Collected) {
    let mut missing: Vec<&str> = ASKED
        .into_iter()
        .filter(|hist| !sums.hists.contains_key(hist))
        .collect();
    let counters = [
        (Counter::Finished, "acceptance_rate"),
        (Counter::Preemptions, "preemptions"),
        (Counter::PromptTokens, "prompt_tokens"),
        (Counter::GenerationTokens, "generation_tokens"),
    ];
    missing.extend(
        counters
            .into_iter()
            .filter(|(counter, _)| sums.counter(*counter).is_none())
            .map(|(_, name)| name),
    );
    let has_rate = all.gauge("prefix_cache_hit_ratio").is_some();
    if sums.counter(Counter::PrefixQueries).is_none() && !has_rate {
        missing.push("prefix_cache_hit_ratio");
    }
    for name in ["running_requests", "waiting_requests", "kv_cache_usage"] {
        if all.gauge(name).is_none() {
            missing.push(name);
        }
    }
    if !reading
        .signals
        .iter()
        .any(|s| s.name == "kv_cache_capacity")
    {
        missing.push("kv_cache_capacity");
    }
    // A mean from a counter or a quantile of a summary is there, too.
    missing.retain(|name| {
        let given = |s: &crate::Signal| s.name == *name;
        *name == "kv_cache_capacity" || !reading.signals.iter().any(given)
    });
    list(reading, NotCaptured, "metrics-not-exported", &missing);
    let which = |pick: &dyn Fn(&super::sums::Summed) -> bool| -> Vec<&str> {
        let is_one = |hist: &Name| sums.hists.get(hist).is_some_and(pick);
        HISTS.into_iter().filter(is_one).collect()
    };
    let incomplete = which(&|h| h.buckets.as_ref().is_some_and(|b| !b.is_complete()));
    list(reading, NotCaptured, "metrics-no-inf-bucket", &incomplete);
    let differ = which(&|h| h.bounds_differ);
    list(reading, NotCaptured, "metrics-bounds-differ", &differ);
    let broken = which(&|h| h.broken);
    list(reading, NotCaptured, "metrics-buckets-partial", &broken);
    let silent = which(&|h| h.count == Some(0.0));
    list(reading, NotCaptured, "metrics-no-observations", &silent);
    let above = which(&|h| {
        let p99 = Statistic::P99.quantile().unwrap_or(0.99);
        let quantile = h.buckets.as_ref().and_then(|b| b.quantile(p99));
        quantile.is_some_and(|q| q.high == f64::INFINITY)
    });
    list(reading, Warning, "metrics-above-highest-bound", &above);
    let in_first = which(&|h| {
        let first = h
            .buckets
            .as_ref()
            .and_then(|b| b.buckets().first().copied());
        let complete = h.buckets.as_ref().is_some_and(Histogram::is_complete);
        complete && first.is_some_and(|b| b.count > 0.0 && Some(b.count) == h.count)
    });
    list(reading, Warning, "metrics-first-bucket", &in_first);
    let least = Statistic::P99.least_samples();
    let few = which(&|h| h.samples() > 0 && h.samples() < least);
    for some in few.chunks(6) {
        reading.note(
            Note::new(Info, "metrics-few-samples")
                .arg("signals", some.join(", "))
                .arg("least", least),
        );
    }
}

/// A KV cache that is empty in every scrape while requests run is a gauge that nobody writes any
/// more: its name changed, or a pipeline filled the gap with zeros.
fn silent_gauge(reading: &mut Reading, all: &Collected) {
    let zero = |name| all.gauge(name).is_some_and(|(_, level)| level.max <= 0.0);
    let busy = all
        .gauge("running_requests")
        .is_some_and(|(_, level)| level.max > 0.0);
    if busy && zero("kv_cache_usage") {
        reading.note(
            Note::new(Warning, "metrics-gauge-never-written").arg("signal", "kv_cache_usage"),
        );
    }
}

/// Several engines in one reading: alternatives are taken from the first that has them.
pub fn on_the_engines(reading: &mut Reading, all: &Collected) {
    let engines: Vec<&str> = all
        .engines
        .iter()
        .filter(|e| !e.is_gateway())
        .map(|e| e.name())
        .collect();
    if engines.len() > 1 {
        reading
            .note(Note::new(Warning, "metrics-several-engines").arg("engines", engines.join(", ")));
    }
    let has = |engine| all.engines.contains(&engine);
    let models = facts::models(all).len();
    if has(Engine::Triton) && models > 1 {
        reading.note(Note::new(Info, "metrics-triton-ensembles"));
    }
    if has(Engine::Sglang) && all.tracks.iter().any(|t| t.repeats > 0) {
        reading.note(Note::new(Info, "metrics-ranks-repeat"));
    }
    if all
        .tracks
        .iter()
        .any(|t| matches!(t.what, What::Summary(_)))
    {
        reading.note(Note::new(Warning, "metrics-summary-window"));
    }
}

/// First tokens that all came within a millisecond are a broken metric, not a fast service.
fn broken_ttft(reading: &mut Reading, sums: &Sums) {
    const FASTEST: f64 = 0.001;
    let Some(ttft) = sums.hists.get("ttft") else {
        return;
    };
    let Some(mean) = ttft.mean() else {
        return;
    };
    let first = ttft
        .buckets
        .as_ref()
        .and_then(|h| h.buckets().first().copied());
    let all_in_first =
        first.is_some_and(|b| b.le <= FASTEST && Some(b.count) == ttft.count && b.count > 0.0);
    if mean < FASTEST || all_in_first {
        reading.note(
            Note::new(Invalid, "metrics-ttft-broken")
                .arg("mean_ms", format!("{:.3}", mean * 1000.0))
                .arg("count", ttft.samples()),
        );
    }
}
