//! Stage 5, distributed capacity: links, collectives, placement, replicas.

use super::{
    Better::{Lower, Neither},
    Entry,
    Role::{Context, Errors, Layer},
    Unit::{Bytes, Count, Ratio, Seconds},
    def,
};

/// The signals of the stage.
pub(super) const SIGNALS: &[Entry] = &[
    def(
        "device_count",
        Count,
        Neither,
        Context,
        "Devices on which operations were recorded.",
    ),
    def(
        "device_busy_spread",
        Ratio,
        Lower,
        Layer,
        "Greatest less least device utilisation: imbalance between devices.",
    ),
    def(
        "collective_time_share",
        Ratio,
        Lower,
        Layer,
        "Share of summed kernel time spent in NCCL kernels.",
    ),
    def(
        "peer_copy_bytes",
        Bytes,
        Neither,
        Layer,
        "Bytes copied between devices.",
    ),
    def(
        "nixl_transfer_time",
        Seconds,
        Lower,
        Layer,
        "Time of one KV transfer between engines.",
    ),
    def(
        "nixl_failed_transfers",
        Count,
        Lower,
        Errors,
        "KV transfers between engines that failed.",
    ),
    def(
        "engine_count",
        Count,
        Neither,
        Context,
        "Engines (data-parallel ranks) that exported metrics.",
    ),
];
