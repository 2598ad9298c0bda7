//! What one device did over time: busy time, gaps, and what the host did during each gap.

use super::{
    calls::Calls,
    ops::{IN_GRAPH, Op, OpKind},
    spans::{Span, bucket_length, buckets, common, covered, length, union},
};

/// What the launching host thread did during a gap; the order of [`Causes`].
pub(super) const CAUSES: [&str; 6] = [
    "host_no_cuda",
    "launch_latency",
    "sync_api",
    "memcpy_api",
    "other_cuda_api",
    "unattributed",
];

/// Nanoseconds per cause, in the order of [`CAUSES`].
pub(super) type Causes = [u128; 6];

/// Lower edges of the gap histogram in nanoseconds, and what each class is called.
pub(super) const BUCKETS: [(u64, &str); 7] = [
    (0, "<10 µs"),
    (10_000, "10–100 µs"),
    (100_000, "0.1–1 ms"),
    (1_000_000, "1–10 ms"),
    (10_000_000, "10–100 ms"),
    (100_000_000, "100–500 ms"),
    (500_000_000, "≥500 ms"),
];

/// Gaps longer than this are those the vendor's own rule reports.
pub(super) const VENDOR_GAP: u64 = 500_000_000;
/// Equal parts into which the vendor's utilisation rule cuts the span.
const VENDOR_CHUNKS: usize = 30;

/// One stretch in which nothing ran.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub start: i64,
    pub nanos: u64,
    /// Index into [`CAUSES`] of the largest part.
    pub main: u8,
}

/// One device over its span.
pub(super) struct Device {
    pub label: String,
    pub span: Span,
    pub busy: u128,
    pub compute_busy: u128,
    pub copy_busy: u128,
    pub overlap: u128,
    /// Summed, not merged.
    pub compute_sum: u128,
    pub gaps: Vec<Gap>,
    pub causes: Causes,
    /// Parts of the vendor's rule with less than half of summed operation time.
    pub idle_chunks: u64,
    /// Busy share per part of the common time axis.
    pub timeline: Vec<f64>,
}

impl Device {
    /// Looks at the operations of one device, sorted by start and end; `axis` is the stretch over
    /// which the timeline is cut into `parts`. `None` without operations.
    pub(super) fn new(
        label: String,
        ops: &[Op],
        calls: &Calls,
        axis: Span,
        parts: usize,
    ) -> Option<Self> {
        let stretch = |o: &Op| (o.start, o.end);
        let merged = union(ops.iter().map(stretch));
        let span = (merged.first()?.0, merged.last()?.1);
        let compute = union(ops.iter().filter(|o| o.is_compute()).map(stretch));
        let copy = union(ops.iter().filter(|o| o.kind == OpKind::Copy).map(stretch));
        let chunks = buckets(ops.iter().map(stretch), span, VENDOR_CHUNKS);
        let idle_chunks = (0..VENDOR_CHUNKS)
            .filter(|i| 2 * chunks[*i] < u128::from(bucket_length(span, VENDOR_CHUNKS, *i)))
            .count() as u64;
        let timeline = buckets(merged.iter().copied(), axis, parts)
            .into_iter()
            .enumerate()
            .map(|(i, t)| t as f64 / bucket_length(axis, parts, i).max(1) as f64)
            .collect();
        let mut device = Self {
            label,
            span,
            busy: length(&merged),
            compute_busy: length(&compute),
            copy_busy: length(&copy),
            overlap: common(&copy, &compute),
            compute_sum: ops
                .iter()
                .filter(|o| o.is_compute())
                .map(|o| u128::from(o.duration()))
                .sum(),
            gaps: Vec::with_capacity(merged.len() - 1),
            causes: Causes::default(),
            idle_chunks,
            timeline,
        };
        device.find_gaps(&merged, ops, calls);
        Some(device)
    }

    fn find_gaps(&mut self, merged: &[Span], ops: &[Op], calls: &Calls) {
        let mut next = 0;
        for pair in merged.windows(2) {
            let (start, end) = (pair[0].1, pair[1].0);
            // The first operation, by start and end, that begins where the gap ends.
            while ops.get(next).is_some_and(|o| o.start < end) {
                next += 1;
            }
            let parts = match ops.get(next) {
                Some(op) => attribute(start, end, op, calls),
                None => Causes::default(),
            };
            let main = (0..CAUSES.len()).max_by_key(|i| parts[*i]).unwrap_or(0) as u8;
            for (sum, part) in self.causes.iter_mut().zip(parts) {
                *sum += part;
            }
            self.gaps.push(Gap {
                start,
                nanos: (end - start) as u64,
                main,
            });
        }
    }

    pub(super) fn span_nanos(&self) -> u128 {
        (self.span.1 - self.span.0) as u128
    }

    pub(super) fn gap_nanos(&self) -> u128 {
        self.gaps.iter().map(|g| u128::from(g.nanos)).sum()
    }

    /// Count and summed time of the gaps per class of [`BUCKETS`].
    pub(super) fn histogram(&self) -> [(u64, u128); 7] {
        let mut classes = [(0, 0); 7];
        for gap in &self.gaps {
            let i = BUCKETS.partition_point(|b| b.0 <= gap.nanos) - 1;
            classes[i].0 += 1;
            classes[i].1 += u128::from(gap.nanos);
        }
        classes
    }
}

/// Splits a gap by what the thread did that asked for the operation ending it.
fn attribute(start: i64, end: i64, next: &Op, calls: &Calls) -> Causes {
    let mut parts = Causes::default();
    let whole = (end - start) as u64;
    let Some(call) = calls.of(next) else {
        parts[5] = u128::from(whole);
        return parts;
    };
    let launch = call.start.clamp(start, end);
    let before = (launch - start) as u64;
    parts[1] = u128::from(whole - before);
    let busy = &calls.busy[call.thread as usize];
    let sync = covered(&busy.sync, start, launch);
    let memory = covered(&busy.sync_or_memory, start, launch);
    let any = covered(&busy.any, start, launch);
    parts[2] = u128::from(sync);
    parts[3] = u128::from(memory - sync);
    parts[4] = u128::from(any - memory);
    parts[0] = u128::from(before - any);
    parts
}

/// Durations of launching calls, and delays from their end to the start of the kernel.
#[derive(Default)]
pub(super) struct Launches {
    /// Ascending.
    pub api: Vec<u64>,
    /// Ascending.
    pub delay: Vec<u64>,
    /// Kernels that began before their call returned.
    pub early: u64,
    /// Kernels whose call was not recorded.
    pub without_call: u64,
}

impl Launches {
    /// Kernels outside graphs only: a graph launch stands for many kernels.
    pub(super) fn of(ops: &[Op], calls: &Calls) -> Self {
        let mut all = Self::default();
        for op in ops {
            if op.kind != OpKind::Kernel || op.flags & IN_GRAPH != 0 {
                continue;
            }
            let Some(call) = calls.of(op) else {
                all.without_call += 1;
                continue;
            };
            all.api.push(call.duration());
            match op.start - call.end {
                d if d >= 0 => all.delay.push(d as u64),
                _ => all.early += 1,
            }
        }
        all.api.sort_unstable();
        all.delay.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_classes_take_their_lower_edge() {
        let mut device = Device {
            label: String::new(),
            span: (0, 1),
            busy: 0,
            compute_busy: 0,
            copy_busy: 0,
            overlap: 0,
            compute_sum: 0,
            gaps: Vec::new(),
            causes: Causes::default(),
            idle_chunks: 0,
            timeline: Vec::new(),
        };
        for nanos in [9_999, 10_000, 499_999_999, 500_000_000] {
            device.gaps.push(Gap {
                start: 0,
                nanos,
                main: 0,
            });
        }
        let counts = device.histogram().map(|h| h.0);
        assert_eq!(counts, [1, 1, 0, 0, 0, 1, 1]);
    }
}
