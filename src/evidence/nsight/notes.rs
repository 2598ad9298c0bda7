//! Hints and notes of one export: what it suggests about the run, and what it does not hold.

use super::{
    facts::MESSAGES,
    ops::{KERNEL_NAMES, OpKind, TABLES},
    seen::Seen,
};
use crate::{
    Hint, HintAbout, Note,
    NoteLevel::{Info, NotCaptured, Warning},
    Reading,
};
use std::collections::BTreeMap;

/// Writes hints and notes.
pub(super) fn write(reading: &mut Reading, seen: &Seen) {
    hints(reading, seen);
    not_captured(reading, seen);
    left_out(reading, seen);
    warnings(reading, seen);
}

fn hint(about: HintAbout, says: &str, code: &str, args: &[(&str, String)]) -> Hint {
    Hint {
        about,
        says: says.to_owned(),
        code: code.to_owned(),
        args: args
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.clone()))
            .collect::<BTreeMap<_, _>>(),
    }
}

/// Every export was taken under a profiler. Code that is loaded or compiled, and long gaps while
/// that happens, are what a process does when it is cold.
fn hints(reading: &mut Reading, seen: &Seen) {
    let profiled = hint(HintAbout::Profiled, "yes", "profiler-export", &[]);
    reading.hints.push(profiled);
    let mut cold = |code: &str, args: &[(&str, String)]| {
        reading
            .hints
            .push(hint(HintAbout::Phase, "cold", code, args));
    };
    let millis = |nanos: u128| format!("{:.0}", nanos as f64 / 1e6);
    let found = &seen.cold;
    if found.load_calls > 0 {
        cold(
            "module-loading",
            &[
                ("count", found.load_calls.to_string()),
                ("milliseconds", millis(found.load_nanos)),
            ],
        );
    }
    if found.long_gaps > 0 {
        cold(
            "start-up-gap",
            &[
                ("count", found.long_gaps.to_string()),
                ("milliseconds", millis(found.longest_gap.into())),
            ],
        );
    }
    for (kind, code) in [
        (2, "overhead-jit"),
        (6, "overhead-module-loading"),
        (7, "overhead-lazy-loading"),
    ] {
        if let Some(tally) = seen.side.cupti_overhead.get(&kind) {
            cold(
                code,
                &[
                    ("count", tally.count.to_string()),
                    ("milliseconds", millis(tally.nanos)),
                ],
            );
        }
    }
}

fn not_captured(reading: &mut Reading, seen: &Seen) {
    let rows = |kind: OpKind| seen.ops.used(kind).rows;
    let missing = |table: &str| Note::new(NotCaptured, "nsight-table-missing").arg("table", table);
    if seen.devices.is_empty() {
        reading.note(Note::new(NotCaptured, "nsight-no-gpu-activity"));
    } else if rows(OpKind::Kernel) + rows(OpKind::Graph) == 0 {
        reading.note(Note::new(NotCaptured, "nsight-no-kernels"));
    }
    for (table, kind) in TABLES {
        if rows(kind) == 0 {
            reading.note(missing(table));
        }
    }
    if seen.calls.scanned.rows == 0 {
        reading.note(missing("CUPTI_ACTIVITY_KIND_RUNTIME"));
    }
    for table in [
        "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        "NVTX_EVENTS",
        "GPU_METRICS",
    ] {
        if seen.side.rows(table) == 0 {
            reading.note(missing(table));
        }
    }
    reading.note(Note::new(NotCaptured, "nsight-no-occupancy"));
    if seen.facts.gpus.is_empty() {
        reading.note(missing("TARGET_INFO_GPU"));
    }
}

/// Rows that were there and not used.
fn left_out(reading: &mut Reading, seen: &Seen) {
    let ops = TABLES
        .iter()
        .zip(seen.ops.used)
        .map(|((table, _), used)| (*table, used.skipped));
    let calls = ("CUPTI_ACTIVITY_KIND_RUNTIME", seen.calls.scanned.skipped);
    let side = seen.side.scanned.iter().map(|(t, s)| (*t, s.skipped));
    for (table, skipped) in ops.chain([calls]).chain(side) {
        if skipped > 0 {
            reading.note(
                Note::new(Warning, "nsight-rows-skipped")
                    .arg("table", table)
                    .arg("count", skipped),
            );
        }
    }
    for (code, n) in [
        ("nsight-invalid-operations", seen.ops.invalid()),
        ("nsight-invalid-calls", seen.calls.invalid),
        ("nsight-ranges-left-out", seen.side.ranges_left_out),
        ("nsight-messages-left-out", seen.facts.messages_left_out),
    ] {
        if n > 0 {
            reading.note(Note::new(Warning, code).arg("count", n));
        }
    }
    if seen.ops.beyond_names > 0 {
        reading.note(
            Note::new(Warning, "nsight-kernel-names-capped")
                .arg("count", seen.ops.beyond_names)
                .arg("limit", KERNEL_NAMES),
        );
    }
}

fn warnings(reading: &mut Reading, seen: &Seen) {
    if seen.facts.events_missing {
        reading.note(Note::new(Warning, "nsight-events-missing"));
    }
    if !seen.has_schema {
        reading.note(Note::new(Warning, "nsight-schema-unstated"));
    }
    if seen.write_ahead {
        reading.note(Note::new(Warning, "sqlite-write-ahead"));
    }
    if seen.devices_by_process {
        reading.note(Note::new(Warning, "nsight-devices-by-process"));
    }
    if seen.ops.used(OpKind::Graph).rows > 0 {
        reading.note(
            Note::new(Warning, "nsight-graphs-hide-kernels").arg("graphs", seen.ops.graph_ids),
        );
    }
    if seen.gap_overhead > 0 {
        let gaps: u128 = seen.devices.iter().map(|d| d.gap_nanos()).sum();
        let percent = 100.0 * seen.gap_overhead as f64 / gaps as f64;
        reading.note(
            Note::new(Warning, "nsight-gaps-under-overhead")
                .arg(
                    "milliseconds",
                    format!("{:.3}", seen.gap_overhead as f64 / 1e6),
                )
                .arg("percent", format!("{percent:.1}")),
        );
    }
    let launches = &seen.launches;
    if launches.early > 0 {
        reading.note(Note::new(Info, "nsight-early-kernels").arg("count", launches.early));
    }
    if launches.without_call > 0 && seen.calls.scanned.rows > 0 {
        reading.note(
            Note::new(Info, "nsight-kernels-without-call").arg("count", launches.without_call),
        );
    }
    for message in seen.facts.messages.iter().take(MESSAGES) {
        let code = match message.error {
            true => "nsight-profiler-error",
            false => "nsight-profiler-warning",
        };
        reading.note(Note::new(Warning, code).arg("text", &message.text));
    }
}
