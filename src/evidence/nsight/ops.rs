//! GPU operations: the rows of the kernel, copy, memset and graph tables in compact form.
//!
//! One operation takes 32 bytes, whatever its row held; names stay numbers until the
//! string table is read. Copies and memsets are summed on the way.

use super::{
    export::{Cells, Export, HELD_ROWS, Odd},
    spans::interval,
};
use crate::Refusal;
use std::collections::{BTreeMap, HashMap};

/// Distinct kernel names told apart; the others are summed as one.
pub(super) const KERNEL_NAMES: usize = 50_000;
/// Distinct processes, and devices, told apart; rows beyond are skipped.
const OWNERS: usize = 256;

/// The tables of GPU operations, in the order in which equal operations are taken.
pub(super) const TABLES: [(&str, OpKind); 4] = [
    ("CUPTI_ACTIVITY_KIND_KERNEL", OpKind::Kernel),
    ("CUPTI_ACTIVITY_KIND_MEMCPY", OpKind::Copy),
    ("CUPTI_ACTIVITY_KIND_MEMSET", OpKind::Set),
    ("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", OpKind::Graph),
];

/// What an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OpKind {
    Kernel,
    Copy,
    Set,
    Graph,
}

/// The operation ran inside a CUDA graph that was traced node by node.
pub(super) const IN_GRAPH: u8 = 1;
/// The copy has a pageable side.
pub(super) const PAGEABLE: u8 = 2;
/// The vendor's synchronous-copy rule leaves the copy out (small upload, or within one device).
pub(super) const SMALL_OR_LOCAL: u8 = 4;
/// The memset is on pinned or managed memory.
pub(super) const HOST_SIDE: u8 = 8;

/// One GPU operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    pub start: i64,
    pub end: i64,
    /// 0 = none.
    pub correlation: u32,
    /// Index into [`Ops::processes`], [`NO_PROCESS`] when the row has none.
    pub process: u32,
    /// Kernel name: index into [`Ops::kernel_ids`].
    pub name: u32,
    /// Index into [`Ops::devices`].
    pub device: u16,
    pub kind: OpKind,
    pub flags: u8,
}

impl Op {
    pub(super) fn is_compute(&self) -> bool {
        matches!(self.kind, OpKind::Kernel | OpKind::Graph)
    }

    pub(super) fn duration(&self) -> u64 {
        (self.end - self.start) as u64
    }
}

/// Marks an operation without a process.
pub(super) const NO_PROCESS: u32 = u32::MAX;
/// Index of the sum of all kernel names beyond the cap.
pub(super) const OTHER_NAMES: u32 = u32::MAX;

/// Count, bytes and summed time of one kind of copy.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    pub count: u64,
    pub bytes: u128,
    pub nanos: u128,
}

impl Moved {
    fn add(&mut self, bytes: i64, nanos: u64) {
        self.count += 1;
        self.bytes += u128::try_from(bytes).unwrap_or(0);
        self.nanos += u128::from(nanos);
    }
}

/// Whether a table is in the file and how many of its rows were used.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Used {
    pub rows: u64,
    pub skipped: u64,
    pub invalid: u64,
}

/// Everything the operation tables say.
#[derive(Default)]
pub(super) struct Ops {
    /// Sorted by device, start, end once loaded.
    pub ops: Vec<Op>,
    /// Ids of processes (`globalPid`).
    pub processes: Vec<i64>,
    /// Process and CUDA ordinal of each device.
    pub devices: Vec<(u32, i64)>,
    /// String ids of kernels: demangled and short name.
    pub kernel_ids: Vec<(i64, i64)>,
    /// Use of each table, in the order of [`TABLES`].
    pub used: [Used; 4],
    /// Copies by `copyKind`.
    pub copies: BTreeMap<i64, Moved>,
    pub pageable: Moved,
    pub peer_bytes: u128,
    pub sets: Moved,
    /// Distinct graphs launched as a whole.
    pub graph_ids: u64,
    /// Kernels whose name is beyond [`KERNEL_NAMES`].
    pub beyond_names: u64,
    process_index: HashMap<i64, u32>,
    device_index: HashMap<(u32, i64), u16>,
    kernel_index: HashMap<i64, u32>,
}

impl Ops {
    /// Reads the four tables.
    ///
    /// # Errors
    /// `nsight-too-many-rows`, else as [`Export::scan`].
    pub(super) fn load(export: &Export) -> Result<Self, Refusal> {
        let mut all = Self::default();
        let mut graphs = std::collections::HashSet::new();
        for (i, (table, kind)) in TABLES.into_iter().enumerate() {
            let columns: &[&str] = match kind {
                OpKind::Kernel => &["demangledName", "shortName", "graphNodeId"],
                OpKind::Copy => &[
                    "bytes",
                    "copyKind",
                    "srcKind",
                    "dstKind",
                    "srcDeviceId",
                    "dstDeviceId",
                    "graphNodeId",
                ],
                OpKind::Set => &["bytes", "memKind", "graphNodeId"],
                OpKind::Graph => &["graphId"],
            };
            let mut asked = vec!["start", "end", "deviceId", "globalPid", "correlationId"];
            asked.extend_from_slice(columns);
            let mut used = Used::default();
            let done = export.scan(table, &asked, &mut |row| {
                let Some(op) = all.operation(row, kind, &mut used)? else {
                    return Ok(());
                };
                if kind == OpKind::Graph
                    && let Some(id) = row.int(5)?
                    && graphs.len() < KERNEL_NAMES
                {
                    graphs.insert(id);
                }
                all.ops.push(op);
                Ok(())
            })?;
            if all.ops.len() >= HELD_ROWS {
                return Err(export.too_many_rows(table));
            }
            used.rows = done.rows;
            used.skipped = done.skipped;
            all.used[i] = used;
        }
        all.graph_ids = graphs.len() as u64;
        all.ops.sort_by_key(|o| (o.device, o.start, o.end));
        Ok(all)
    }

    fn operation(
        &mut self,
        row: &Cells<'_>,
        kind: OpKind,
        used: &mut Used,
    ) -> Result<Option<Op>, Odd> {
        let (start, end) = (row.need(0)?, row.need(1)?);
        let Some((start, end)) = interval(start, end).filter(|s| s.0 > 0) else {
            used.invalid += 1;
            return Ok(None);
        };
        if self.ops.len() >= HELD_ROWS {
            return Err(Odd);
        }
        let ordinal = row.need(2)?;
        let process = match row.int(3)? {
            Some(id) => self.process(id)?,
            None => NO_PROCESS,
        };
        // Not a number a correlation can be: the operation stays, without its API call.
        let correlation = u32::try_from(row.int(4)?.unwrap_or(0)).unwrap_or(0);
        let mut op = Op {
            start,
            end,
            correlation,
            process,
            name: OTHER_NAMES,
            device: 0,
            kind,
            flags: 0,
        };
        match kind {
            OpKind::Kernel => self.kernel(row, &mut op)?,
            OpKind::Copy => self.copy(row, &mut op)?,
            OpKind::Set => self.set(row, &mut op)?,
            OpKind::Graph => {}
        }
        op.device = self.device(process, ordinal)?;
        Ok(Some(op))
    }

    fn kernel(&mut self, row: &Cells<'_>, op: &mut Op) -> Result<(), Odd> {
        let short = row.int(6)?.unwrap_or(-1);
        let id = row.int(5)?.unwrap_or(short);
        if row.int(7)?.is_some_and(|n| n > 0) {
            op.flags |= IN_GRAPH;
        }
        op.name = match self.kernel_index.get(&id) {
            Some(i) => *i,
            None if self.kernel_ids.len() >= KERNEL_NAMES => {
                self.beyond_names += 1;
                OTHER_NAMES
            }
            None => {
                let i = self.kernel_ids.len() as u32;
                self.kernel_ids.push((id, short));
                self.kernel_index.insert(id, i);
                i
            }
        };
        Ok(())
    }

    fn copy(&mut self, row: &Cells<'_>, op: &mut Op) -> Result<(), Odd> {
        let bytes = row.need(5)?;
        let kind = row.int(6)?.unwrap_or(0);
        let (source, target) = (row.int(7)?, row.int(8)?);
        let (from, to) = (row.int(9)?, row.int(10)?);
        let in_graph = row.int(11)?.is_some_and(|n| n > 0);
        if bytes < 0 {
            return Err(Odd);
        }
        let nanos = op.duration();
        // Kinds outside the vendor's list are summed as unknown.
        let kind = if (0..=13).contains(&kind) { kind } else { 0 };
        self.copies.entry(kind).or_default().add(bytes, nanos);
        if source == Some(0) || target == Some(0) {
            self.pageable.add(bytes, nanos);
            op.flags |= PAGEABLE;
        }
        let between = matches!((from, to), (Some(a), Some(b)) if a != b);
        if kind == 10 || (kind == 8 && between) {
            self.peer_bytes += bytes as u128;
        }
        let local = kind == 8 && !between;
        if (kind == 1 && bytes <= 64_000) || local {
            op.flags |= SMALL_OR_LOCAL;
        }
        if in_graph {
            op.flags |= IN_GRAPH;
        }
        Ok(())
    }

    fn set(&mut self, row: &Cells<'_>, op: &mut Op) -> Result<(), Odd> {
        let bytes = row.need(5)?;
        let memory = row.int(6)?;
        if row.int(7)?.is_some_and(|n| n > 0) {
            op.flags |= IN_GRAPH;
        }
        if bytes < 0 {
            return Err(Odd);
        }
        self.sets.add(bytes, op.duration());
        // 1 pinned, 4 managed, 6 static managed memory.
        if matches!(memory, Some(1 | 4 | 6)) {
            op.flags |= HOST_SIDE;
        }
        Ok(())
    }

    fn process(&mut self, id: i64) -> Result<u32, Odd> {
        if let Some(i) = self.process_index.get(&id) {
            return Ok(*i);
        }
        if self.processes.len() >= OWNERS {
            return Err(Odd);
        }
        let i = self.processes.len() as u32;
        self.processes.push(id);
        self.process_index.insert(id, i);
        Ok(i)
    }

    fn device(&mut self, process: u32, ordinal: i64) -> Result<u16, Odd> {
        if let Some(i) = self.device_index.get(&(process, ordinal)) {
            return Ok(*i);
        }
        if self.devices.len() >= OWNERS {
            return Err(Odd);
        }
        let i = self.devices.len() as u16;
        self.devices.push((process, ordinal));
        self.device_index.insert((process, ordinal), i);
        Ok(i)
    }

    /// Rows left out because start or end make no sense.
    pub(super) fn invalid(&self) -> u64 {
        self.used.iter().map(|u| u.invalid).sum()
    }

    /// Use of the table of one kind.
    pub(super) fn used(&self, kind: OpKind) -> Used {
        self.used[kind as usize]
    }
}

/// `tid` and `pid` are packed into one number; the process is what is left without the thread.
pub(super) fn process_of(global_thread: i64) -> i64 {
    global_thread & !0x00FF_FFFF
}

/// The process id people know, out of a `globalPid`.
pub(super) fn pid(global: i64) -> i64 {
    (global >> 24) & 0x00FF_FFFF
}

/// What a `copyKind` is called in the vendor's own reports.
pub(super) fn copy_name(kind: i64) -> &'static str {
    match kind {
        1 => "Host-to-Device",
        2 => "Device-to-Host",
        3 => "Host-to-Array",
        4 => "Array-to-Host",
        5 => "Array-to-Array",
        6 => "Array-to-Device",
        7 => "Device-to-Array",
        8 => "Device-to-Device",
        9 => "Host-to-Host",
        10 => "Peer-to-Peer",
        11 => "Unified Host-to-Device",
        12 => "Unified Device-to-Host",
        13 => "Unified Device-to-Device",
        _ => "Unknown",
    }
}
