//! What labels and odd values say beside the table: repeated ranks, reasons, paths, bits.

use super::{table::Reason, tracks::Track};
use crate::prometheus::table::Series;

/// Exporters write integers near 2^63 for "no value"; as doubles they are all this or more.
pub const NO_VALUE: f64 = 9.2e18;

/// Whether clocks are held down, from NVML's bits: power cap, slowdown by hardware, thermal
/// slowdown by software or hardware, power brake. Being idle and a chosen clock are not among
/// them.
pub fn throttled(bits: f64) -> f64 {
    const HELD_DOWN: u64 = 0x04 | 0x08 | 0x20 | 0x40 | 0x80;
    let is_set = (0.0..NO_VALUE).contains(&bits) && (bits as u64) & HELD_DOWN != 0;
    f64::from(u8::from(is_set))
}

/// Ranks of one scheduler repeat its numbers.
pub fn is_repeating(label: &str) -> bool {
    matches!(label, "tp_rank" | "pp_rank" | "moe_ep_rank" | "ep_rank")
}

/// The key of a series without the ranks that repeat it, if it has any.
pub fn repeated(series: &Series) -> Option<String> {
    let labels = &series.key.labels;
    labels.iter().any(|(name, _)| is_repeating(name)).then(|| {
        let kept = labels.iter().filter(|(name, _)| !is_repeating(name));
        let parts = kept.map(|(name, value)| format!("\u{1}{name}\u{2}{value}"));
        format!("{}{}", series.key.name, parts.collect::<String>())
    })
}

/// Why the requests finished that a series counts.
pub fn reason(track: &Track, series: &Series) -> Option<String> {
    match track.row?.reason {
        Reason::None => None,
        Reason::Label(label) => Some(series.label(label).unwrap_or_default().to_owned()),
        Reason::Fixed(reason) => Some(reason.to_owned()),
    }
}

/// Whether an HTTP series counts requests for inference, not for health, metrics or documents.
pub fn is_inference(series: &Series) -> bool {
    let path = ["handler", "endpoint", "path"]
        .iter()
        .find_map(|name| series.label(name));
    path.is_none_or(|path| {
        [
            "/v1/",
            "/v2/models",
            "/generate",
            "/inference",
            "/invocations",
        ]
        .iter()
        .any(|start| path.starts_with(start))
            && !path.starts_with("/v1/models")
    })
}
