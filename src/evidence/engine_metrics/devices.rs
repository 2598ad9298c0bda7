//! What exporters say of GPUs: per device, never summed over devices. Also quantiles of
//! summaries, which belong to one exporter and cannot be added either.

use super::{
    collect::Collected,
    names::What,
    table::Name,
    tracks::{Device, Track},
};
use crate::{
    Bound, Cell, Column, Figure, Note,
    NoteLevel::{Info, Warning},
    Reading, Scope, Signal, Statistic, Unit,
};
use std::collections::BTreeSet;

/// Most devices that get signals of their own.
const MOST_DEVICES: usize = 64;

/// Emits the signals of every device, a table of them, and the notes that stand with them.
pub fn emit(reading: &mut Reading, all: &Collected) {
    let hosts: BTreeSet<_> = all.devices.iter().map(|d| d.host.as_deref()).collect();
    let several = hosts.len() > 1;
    let mut order: Vec<usize> = (0..all.devices.len()).collect();
    order.sort_by_key(|at| sort_key(&all.devices[*at]));
    for at in order.iter().take(MOST_DEVICES) {
        let tracks = || all.tracks.iter().filter(|t| t.device == Some(*at));
        for track in best(&tracks().collect::<Vec<_>>()) {
            one(reading, all, track, &all.devices[*at], several);
        }
    }
    if all.devices.len() > MOST_DEVICES {
        reading.note(
            Note::new(Warning, "gpu-many-devices")
                .arg("shown", MOST_DEVICES)
                .arg("devices", all.devices.len()),
        );
    }
    table(reading, all, &order);
    let is_seen = |reading: &Reading, name: &str| reading.signals.iter().any(|s| s.name == name);
    if is_seen(reading, "gpu_device_utilization") {
        reading.note(Note::new(Info, "gpu-utilization-says-little"));
    }
    if is_seen(reading, "gpu_throttled_share") {
        reading.note(Note::new(Info, "gpu-throttle-sampled"));
    }
}

/// Indexes by number, identifiers by their letters.
fn sort_key(device: &Device) -> (Option<&str>, u64, &str) {
    let digits = device.gpu.split(' ').next().unwrap_or_default();
    let number = digits.parse().unwrap_or(u64::MAX);
    (device.host.as_deref(), number, &device.gpu)
}

/// One track for each signal: exporters may state one thing under two names.
fn best<'a>(tracks: &[&'a Track]) -> Vec<&'a Track> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut kept = Vec::new();
    for track in tracks {
        let name = match track.what {
            What::Device(name) | What::DeviceCount(name) => name,
            _ => "error",
        };
        if seen.insert(name.to_owned()) {
            kept.push(*track);
        }
    }
    kept
}

fn labelled(signal: Signal, device: &Device, several: bool) -> Signal {
    let signal = signal.label("gpu", &device.gpu);
    match &device.host {
        Some(host) if several => signal.label("host", host),
        _ => signal,
    }
}

fn one(reading: &mut Reading, all: &Collected, track: &Track, device: &Device, several: bool) {
    let mut push = |signal| reading.push(labelled(signal, device, several));
    match track.what {
        What::Device("gpu_throttled_share") => {
            // Bits of an instant: their share of the scrapes is all that can be said.
            let signal = Signal::new("gpu_throttled_share", Statistic::Ratio, track.mean())
                .samples(u64::from(track.times))
                .bound(Bound::Estimate);
            push(signal);
        }
        What::Device(name) => {
            if all.is_current(track) {
                push(Signal::new(name, Statistic::Last, track.last).scope(Scope::Instant));
            }
            let is_fixed = matches!(name, "gpu_memory_total" | "gpu_power_limit");
            if all.scrapes > 1 && track.times > 1 && !is_fixed {
                for (statistic, value) in
                    [(Statistic::Mean, track.mean()), (Statistic::Max, track.max)]
                {
                    // Between scrapes nobody looked.
                    let signal = Signal::new(name, statistic, value)
                        .samples(u64::from(track.times))
                        .bound(Bound::Estimate);
                    push(signal);
                }
            }
        }
        What::DeviceCount(name) => {
            let single = all.scrapes == 1;
            if single {
                let signal = Signal::new(name, Statistic::Total, track.last);
                push(signal.scope(Scope::SinceStart));
            } else if !track.late {
                push(Signal::new(name, Statistic::Total, track.increase));
            }
        }
        What::DeviceError if track.max > 0.0 => {
            reading.note(
                Note::new(Warning, "gpu-xid")
                    .arg("gpu", &device.gpu)
                    .arg("code", track.max),
            );
        }
        _ => {}
    }
}

/// The columns of the table of devices.
const COLUMNS: [(Name, Unit); 8] = [
    ("gpu_device_utilization", Unit::Ratio),
    ("sm_active", Unit::Ratio),
    ("dram_active", Unit::Ratio),
    ("tensor_active", Unit::Ratio),
    ("gpu_memory_used", Unit::Bytes),
    ("gpu_power", Unit::Watts),
    ("gpu_sm_clock", Unit::Hertz),
    ("gpu_temperature", Unit::Celsius),
];

/// Means over the scrapes, one row per device. A device column that nobody exports is left out.
fn table(reading: &mut Reading, all: &Collected, order: &[usize]) {
    let mean = |at: usize, name: Name| {
        let is_it = |t: &&Track| t.device == Some(at) && t.what == What::Device(name);
        all.tracks.iter().find(is_it).filter(|t| t.times > 0)
    };
    let shown: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(name, _)| order.iter().any(|at| mean(*at, name).is_some()))
        .collect();
    if shown.is_empty() {
        return;
    }
    let mut columns = vec![Column::text("gpu_device"), Column::text("gpu_model")];
    columns.extend(shown.iter().map(|(name, unit)| Column::number(name, *unit)));
    let row = |at: &usize| {
        let device = &all.devices[*at];
        let name = match &device.host {
            Some(host) => format!("{} ({host})", device.gpu),
            None => device.gpu.clone(),
        };
        let model = device.model.as_deref().map_or(Cell::NONE, Cell::text);
        let mut cells = vec![Cell::text(&name), model];
        cells.extend(
            shown
                .iter()
                .map(|(name, _)| mean(*at, name).map(Track::mean).into()),
        );
        cells
    };
    let rows = order.iter().take(MOST_DEVICES).map(row).collect();
    let left = order.len().saturating_sub(MOST_DEVICES) as u64;
    reading
        .figures
        .push(Figure::new("gpu-devices", columns, rows).left_out(left));
}

/// Quantiles of summaries, each as its exporter states it.
pub fn summaries(
    reading: &mut Reading,
    all: &Collected,
    labels: &dyn Fn(usize) -> Vec<(&'static str, String)>,
) {
    let is_one = |t: &&Track| matches!(t.what, What::Summary(_)) && all.is_current(t);
    let owners: BTreeSet<_> = all.tracks.iter().filter(is_one).map(|t| t.owner).collect();
    for track in all.tracks.iter().filter(is_one).take(1000) {
        let What::Summary(name) = track.what else {
            continue;
        };
        let tenths = (track.le * 1000.0).round();
        if !(1.0..1000.0).contains(&tenths) || (tenths / 1000.0 - track.le).abs() > 1e-9 {
            continue;
        }
        let mut signal = Signal::new(name, Statistic::Quantile(tenths as u16), track.last)
            .scope(Scope::Instant)
            .bound(Bound::Estimate);
        if owners.len() > 1
            && let Some(owner) = track.owner
        {
            for (label, value) in labels(owner) {
                signal = signal.label(label, value);
            }
        }
        reading.push(signal);
    }
}
