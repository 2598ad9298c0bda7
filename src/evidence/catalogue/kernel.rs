//! Stage 3, kernel and operator: which kernel or operator takes the time.

use super::{
    Better::{Lower, Neither},
    Entry,
    Role::{Context, Layer},
    Unit::{Count, Ratio, Seconds},
    def,
};

/// The signals of the stage.
pub(super) const SIGNALS: &[Entry] = &[
    def(
        "kernel_launches",
        Count,
        Neither,
        Context,
        "Kernels recorded one by one.",
    ),
    def(
        "kernel_time",
        Seconds,
        Lower,
        Layer,
        "Summed kernel time; with label `kernel` that of one kernel name.",
    ),
    def(
        "kernel_time_share",
        Ratio,
        Lower,
        Layer,
        "One kernel name's share of summed kernel time, by label `kernel`.",
    ),
    def(
        "kernel_duration",
        Seconds,
        Lower,
        Layer,
        "Duration of one kernel, by label `kernel`.",
    ),
    def(
        "distinct_kernels",
        Count,
        Neither,
        Context,
        "Distinct kernel names.",
    ),
    def(
        "server_compute_input_time",
        Seconds,
        Lower,
        Layer,
        "Preparing model inputs on the server, average per request.",
    ),
    def(
        "server_compute_infer_time",
        Seconds,
        Lower,
        Layer,
        "Running the model on the server, average per request.",
    ),
    def(
        "server_compute_output_time",
        Seconds,
        Lower,
        Layer,
        "Extracting model outputs on the server, average per request.",
    ),
    def(
        "server_compute_time",
        Seconds,
        Lower,
        Layer,
        "Whole compute step on the server, average per request.",
    ),
];
