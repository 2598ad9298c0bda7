//! One export, read and worked out: what signals, figures and notes are written from.

use super::{
    calls::Calls,
    device::{Device, Launches, VENDOR_GAP},
    export::Export,
    facts::Facts,
    kernels::{self, Kernel},
    names,
    ops::{HOST_SIDE, Op, OpKind, Ops, PAGEABLE, SMALL_OR_LOCAL, pid},
    side::{Side, ids},
    spans::{Span, covered, union},
};
use crate::Refusal;
use std::collections::{BTreeMap, BTreeSet};

/// Points of the timeline.
pub(super) const TIMELINE_PARTS: usize = 120;

/// Findings of the vendor's own rules, counted by the same definitions.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rules {
    pub gpu_gaps: u64,
    pub idle_chunks: u64,
    pub async_copy_pageable: u64,
    pub sync_copy: u64,
    pub sync_set: u64,
    pub sync_call: u64,
}

/// Module loading, compilation and the long gaps they cause: signs of a cold process.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cold {
    pub load_calls: u64,
    pub load_nanos: u128,
    pub long_gaps: u64,
    pub longest_gap: u64,
}

/// Everything worked out from one export.
pub(super) struct Seen {
    pub facts: Facts,
    pub ops: Ops,
    pub calls: Calls,
    pub side: Side,
    pub devices: Vec<Device>,
    /// Processes were needed to tell devices apart.
    pub devices_by_process: bool,
    pub kernels: Vec<Kernel>,
    pub launches: Launches,
    pub rules: Rules,
    pub cold: Cold,
    /// Part of the gaps in which the profiler was busy with itself.
    pub gap_overhead: u128,
    /// From the first operation to the end of the last, over all devices.
    pub axis: (i64, i64),
    pub write_ahead: bool,
    pub has_schema: bool,
}

impl Seen {
    /// Reads and works out everything.
    ///
    /// # Errors
    /// As [`Export::scan`] and [`Facts::load`].
    pub(super) fn of(export: &Export, file: &str) -> Result<Self, Refusal> {
        let facts = Facts::load(export, file)?;
        let mut ops = Ops::load(export)?;
        let mut calls = Calls::load(export)?;
        let mut side = Side::load(export)?;
        let wanted = ids(ops
            .kernel_ids
            .iter()
            .flat_map(|(a, b)| [a, b])
            .chain(calls.wanted())
            .chain(side.wanted()));
        let found = names::look_up(export, &wanted)?;
        calls.settle(&found, &ops);
        side.settle(&found);
        let kernels = kernels::by_name(&ops, &found);
        let (labels, devices_by_process) = device_labels(&mut ops, &facts);
        let first = ops.ops.iter().map(|o| o.start).min().unwrap_or(0);
        let last = ops.ops.iter().map(|o| o.end).max().unwrap_or(1);
        let axis = (first, last);
        let parts = TIMELINE_PARTS.min((last - first).max(1) as usize);
        let devices: Vec<Device> = ops
            .ops
            .chunk_by(|a, b| a.device == b.device)
            .filter_map(|run| {
                let label = labels[run[0].device as usize].clone();
                Device::new(label, run, &calls, axis, parts)
            })
            .collect();
        Ok(Self {
            launches: Launches::of(&ops.ops, &calls),
            rules: rules(&ops, &calls, &devices),
            cold: cold(&calls, &devices),
            gap_overhead: devices
                .iter()
                .flat_map(|d| &d.gaps)
                .map(|g| covered(&side.overhead_spans, g.start, g.start + g.nanos as i64))
                .map(u128::from)
                .sum(),
            has_schema: facts.schema.is_some(),
            write_ahead: export.write_ahead,
            facts,
            ops,
            calls,
            side,
            devices,
            devices_by_process,
            kernels,
            axis,
        })
    }

    /// Summed time of the kernels recorded one by one.
    pub(super) fn kernel_nanos(&self) -> u128 {
        self.kernels.iter().map(|k| k.nanos).sum()
    }
}

/// Names the devices by CUDA ordinal. When several processes show the same ordinal it may be a
/// different GPU in each: then by the machine's own number where the file maps all of them, else
/// by process and ordinal. Renumbers the operations so that equal names are one device.
fn device_labels(ops: &mut Ops, facts: &Facts) -> (Vec<String>, bool) {
    let process = |p: u32| ops.processes.get(p as usize).copied();
    let mut ordinals: Vec<i64> = ops.devices.iter().map(|d| d.1).collect();
    ordinals.sort_unstable();
    let clash = ordinals.windows(2).any(|w| w[0] == w[1]);
    let mapped: Vec<Option<i64>> = ops
        .devices
        .iter()
        .map(|(p, ordinal)| facts.ordinals.get(&(*ordinal, pid(process(*p)?))).copied())
        .collect();
    let all_mapped = mapped.iter().all(Option::is_some);
    let names: Vec<String> = ops
        .devices
        .iter()
        .zip(mapped)
        .map(|((p, ordinal), gpu)| match (clash, all_mapped, gpu) {
            (false, ..) => ordinal.to_string(),
            (true, true, Some(gpu)) => gpu.to_string(),
            _ => match process(*p) {
                Some(id) => format!("{}:{ordinal}", pid(id)),
                None => format!("?:{ordinal}"),
            },
        })
        .collect();
    // In order of ordinal, then of name, so that readings of the same run agree.
    let order: BTreeSet<(i64, String)> = ops
        .devices
        .iter()
        .zip(&names)
        .map(|(d, n)| (if clash && all_mapped { 0 } else { d.1 }, n.clone()))
        .collect();
    let labels: Vec<String> = order.into_iter().map(|o| o.1).collect();
    let mut place: BTreeMap<&str, u16> = BTreeMap::new();
    for (i, label) in (0u16..).zip(&labels) {
        place.entry(label).or_insert(i);
    }
    let renumber: Vec<u16> = names.iter().map(|n| place[n.as_str()]).collect();
    for op in &mut ops.ops {
        op.device = renumber[op.device as usize];
    }
    ops.ops.sort_by_key(|o| (o.device, o.start, o.end));
    (labels, clash && !all_mapped)
}

fn rules(ops: &Ops, calls: &Calls, devices: &[Device]) -> Rules {
    let mut rules = Rules {
        gpu_gaps: devices
            .iter()
            .flat_map(|d| &d.gaps)
            .filter(|g| g.nanos > VENDOR_GAP)
            .count() as u64,
        idle_chunks: devices.iter().map(|d| d.idle_chunks).sum(),
        sync_call: calls
            .sum(|f| matches!(&*f.name, "cudaDeviceSynchronize" | "cudaStreamSynchronize"))
            .0,
        ..Rules::default()
    };
    let name_of = |op: &Op| {
        calls
            .of(op)
            .map(|c| &*calls.functions[c.function as usize].name)
    };
    for op in ops.ops.iter().filter(|o| !o.is_compute()) {
        let Some(name) = name_of(op) else { continue };
        let has = |flag: u8| op.flags & flag != 0;
        let asynchronous = name.contains("Async");
        if op.kind == OpKind::Copy && name.starts_with("cudaMemcpy") {
            if asynchronous && has(PAGEABLE) {
                rules.async_copy_pageable += 1;
            } else if !asynchronous && !has(SMALL_OR_LOCAL) {
                rules.sync_copy += 1;
            }
        }
        if op.kind == OpKind::Set
            && name.starts_with("cudaMemset")
            && !asynchronous
            && has(HOST_SIDE)
        {
            rules.sync_set += 1;
        }
    }
    rules
}

/// Calls that load or link code.
fn loads_code(name: &str) -> bool {
    ["cuModuleLoad", "cuLibraryLoad", "cudaLibraryLoad", "cuLink"]
        .iter()
        .any(|p| name.starts_with(p))
}

fn cold(calls: &Calls, devices: &[Device]) -> Cold {
    let (load_calls, load_nanos) = calls.sum(|f| loads_code(&f.name));
    let mut cold = Cold {
        load_calls,
        load_nanos,
        ..Cold::default()
    };
    let mut loading: Vec<Span> = calls
        .calls
        .iter()
        .filter(|c| loads_code(&calls.functions[c.function as usize].name))
        .map(|c| (c.start, c.end))
        .collect();
    loading.sort_unstable();
    let loading = union(loading.into_iter());
    for gap in devices.iter().flat_map(|d| &d.gaps) {
        let end = gap.start + gap.nanos as i64;
        if gap.nanos >= VENDOR_GAP && covered(&loading, gap.start, end) > 0 {
            cold.long_gaps += 1;
            cold.longest_gap = cold.longest_gap.max(gap.nanos);
        }
    }
    cold
}
