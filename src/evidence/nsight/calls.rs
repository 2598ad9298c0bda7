//! CUDA API calls: what the host asked for, by thread, and which call an operation came from.
//!
//! A correlation number is unique only inside a process, so every join is on process and number.

use super::{
    export::{Export, HELD_ROWS, Odd, Scanned},
    names::{Names, api_name},
    ops::{NO_PROCESS, Op, Ops, process_of},
    spans::{Span, interval, union},
};
use crate::Refusal;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Process of threads no operation came from.
const ELSEWHERE: u32 = NO_PROCESS - 1;
/// Distinct function names and threads told apart; rows beyond are skipped.
const DISTINCT: usize = 50_000;

/// What a call does to the host, in order of precedence where calls are nested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CallClass {
    Sync,
    Memory,
    Other,
}

impl CallClass {
    pub(super) fn of(name: &str) -> Self {
        const SYNC: [&str; 7] = [
            "cudaDeviceSynchronize",
            "cudaStreamSynchronize",
            "cudaEventSynchronize",
            "cudaThreadSynchronize",
            "cuCtxSynchronize",
            "cuStreamSynchronize",
            "cuEventSynchronize",
        ];
        const MEMORY: [&str; 4] = ["cudaMemcpy", "cuMemcpy", "cudaMemset", "cuMemset"];
        if SYNC.contains(&name) {
            Self::Sync
        } else if MEMORY.iter().any(|m| name.starts_with(m)) {
            Self::Memory
        } else {
            Self::Other
        }
    }
}

/// One API call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub start: i64,
    pub end: i64,
    /// 0 = none.
    pub correlation: u32,
    /// Index into [`Calls::threads`].
    pub thread: u32,
    /// Index into [`Calls::functions`] once names are known.
    pub function: u32,
}

impl Call {
    pub(super) fn duration(&self) -> u64 {
        (self.end - self.start) as u64
    }
}

/// One API function and what its calls add up to.
pub(super) struct Function {
    pub name: Arc<str>,
    pub class: CallClass,
    pub count: u64,
    pub nanos: u128,
    pub longest: u64,
}

/// When a thread was in which class of call: unions for the classes up to each one.
#[derive(Default)]
pub(super) struct Busy {
    pub sync: Vec<Span>,
    pub sync_or_memory: Vec<Span>,
    pub any: Vec<Span>,
}

/// All calls, sorted by thread and start.
#[derive(Default)]
pub(super) struct Calls {
    pub calls: Vec<Call>,
    pub threads: Vec<i64>,
    pub functions: Vec<Function>,
    pub busy: Vec<Busy>,
    pub scanned: Scanned,
    /// Calls that end before they start.
    pub invalid: u64,
    /// Calls that returned an error.
    pub errors: u64,
    name_ids: Vec<i64>,
    /// Calls by process and correlation number.
    index: Vec<u32>,
    /// Process of each thread, as an index of [`Ops::processes`].
    process: Vec<u32>,
}

/// `cudaErrorNotReady`: the answer of a query, no failure.
const NOT_READY: i64 = 600;

impl Calls {
    /// Reads the runtime table, which holds driver calls too.
    ///
    /// # Errors
    /// `nsight-too-many-rows`, else as [`Export::scan`].
    pub(super) fn load(export: &Export) -> Result<Self, Refusal> {
        let mut all = Self::default();
        let mut name_index: HashMap<i64, u32> = HashMap::new();
        let mut thread_index: HashMap<i64, u32> = HashMap::new();
        let columns = [
            "start",
            "end",
            "globalTid",
            "correlationId",
            "nameId",
            "returnValue",
        ];
        let table = "CUPTI_ACTIVITY_KIND_RUNTIME";
        all.scanned = export.scan(table, &columns, &mut |row| {
            let (start, end) = (row.need(0)?, row.need(1)?);
            let thread = row.int(2)?.unwrap_or(0);
            let correlation = u32::try_from(row.int(3)?.unwrap_or(0)).unwrap_or(0);
            let name = row.need(4)?;
            let status = row.int(5)?.unwrap_or(0);
            // A call can be shorter than the clock's step.
            let Some((start, _)) = interval(start, end.saturating_add(1)) else {
                all.invalid += 1;
                return Ok(());
            };
            if all.calls.len() >= HELD_ROWS {
                return Err(Odd);
            }
            let function = index_of(&mut name_index, &mut all.name_ids, name)?;
            let thread = index_of(&mut thread_index, &mut all.threads, thread)?;
            if status != 0 && status != NOT_READY {
                all.errors += 1;
            }
            all.calls.push(Call {
                start,
                end,
                correlation,
                thread,
                function,
            });
            Ok(())
        })?;
        if all.calls.len() >= HELD_ROWS {
            return Err(export.too_many_rows(table));
        }
        all.calls.sort_by_key(|c| (c.thread, c.start, c.end));
        Ok(all)
    }

    /// String ids of the functions called.
    pub(super) fn wanted(&self) -> &[i64] {
        &self.name_ids
    }

    /// Gives the functions their names and builds what joins need.
    pub(super) fn settle(&mut self, names: &Names, ops: &Ops) {
        self.name_functions(names);
        let known: HashMap<i64, u32> = (0u32..).zip(&ops.processes).map(|(i, p)| (*p, i)).collect();
        // Old exports leave the process out of operations; with one process it is that one.
        let processes: HashSet<i64> = self.threads.iter().map(|t| process_of(*t)).collect();
        let unknown = if ops.processes.is_empty() && processes.len() == 1 {
            NO_PROCESS
        } else {
            ELSEWHERE
        };
        self.process = self
            .threads
            .iter()
            .map(|t| known.get(&process_of(*t)).copied().unwrap_or(unknown))
            .collect();
        self.index = (0u32..)
            .zip(&self.calls)
            .filter(|(_, c)| c.correlation != 0)
            .map(|(i, _)| i)
            .collect();
        let (calls, process) = (&self.calls, &self.process);
        self.index.sort_by_key(|i| {
            let c = &calls[*i as usize];
            (process[c.thread as usize], c.correlation)
        });
        self.busy = self.busy_times();
    }

    fn name_functions(&mut self, names: &Names) {
        let mut merged: HashMap<Arc<str>, u32> = HashMap::new();
        let mut place = Vec::with_capacity(self.name_ids.len());
        for id in &self.name_ids {
            let name: Arc<str> = match names.get(id) {
                Some(n) => api_name(n).into(),
                None => "unknown".into(),
            };
            place.push(*merged.entry(Arc::clone(&name)).or_insert_with(|| {
                self.functions.push(Function {
                    class: CallClass::of(&name),
                    name,
                    count: 0,
                    nanos: 0,
                    longest: 0,
                });
                self.functions.len() as u32 - 1
            }));
        }
        for call in &mut self.calls {
            call.function = place[call.function as usize];
            let f = &mut self.functions[call.function as usize];
            let nanos = (call.end - call.start) as u64;
            f.count += 1;
            f.nanos += u128::from(nanos);
            f.longest = f.longest.max(nanos);
        }
    }

    fn busy_times(&self) -> Vec<Busy> {
        let mut busy: Vec<Busy> = Vec::new();
        busy.resize_with(self.threads.len(), Busy::default);
        for run in self.calls.chunk_by(|a, b| a.thread == b.thread) {
            let upto = |class: CallClass| {
                union(
                    run.iter()
                        .filter(|c| self.functions[c.function as usize].class <= class)
                        .map(|c| (c.start, c.end)),
                )
            };
            busy[run[0].thread as usize] = Busy {
                sync: upto(CallClass::Sync),
                sync_or_memory: upto(CallClass::Memory),
                any: upto(CallClass::Other),
            };
        }
        busy
    }

    /// The call an operation came from.
    pub(super) fn of(&self, op: &Op) -> Option<&Call> {
        if op.correlation == 0 {
            return None;
        }
        let key = (op.process, op.correlation);
        let found = |i: &u32| {
            let c = &self.calls[*i as usize];
            (self.process[c.thread as usize], c.correlation)
        };
        let at = self.index.partition_point(|i| found(i) < key);
        self.index
            .get(at)
            .filter(|i| found(i) == key)
            .map(|i| &self.calls[*i as usize])
    }

    /// Number and summed time of the calls of functions that fit.
    pub(super) fn sum(&self, fits: impl Fn(&Function) -> bool) -> (u64, u128) {
        self.functions
            .iter()
            .filter(|f| fits(f))
            .fold((0, 0), |(n, t), f| (n + f.count, t + f.nanos))
    }
}

fn index_of(index: &mut HashMap<i64, u32>, list: &mut Vec<i64>, id: i64) -> Result<u32, Odd> {
    if let Some(i) = index.get(&id) {
        return Ok(*i);
    }
    if list.len() >= DISTINCT {
        return Err(Odd);
    }
    let i = list.len() as u32;
    list.push(id);
    index.insert(id, i);
    Ok(i)
}
