//! Which text is nvidia-smi's: the heading of a query, that of `dmon`, or the screen, which is
//! refused by name.

use super::fields::{is_query_heading, of_query};
use crate::{Kind, Refusal, Source, detect::Head, nvidia_smi::fields::Field};

const QUERY: &str = "nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,utilization.memory,memory.used,memory.total,power.draw,clocks.current.sm,temperature.gpu --format=csv -l 1 > gpu.csv";

/// Recognises samples of nvidia-smi by their heading.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let text = String::from_utf8_lossy(&head.text);
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let first: Vec<&str> = lines.by_ref().take(12).collect();
    for (at, line) in first.iter().enumerate() {
        if let Some(comment) = line.strip_prefix('#') {
            let mut words = comment.split_whitespace();
            let named = words.clone().any(|w| w == "gpu")
                && words.any(|w| {
                    matches!(w, "sm" | "pwr" | "fb" | "pclk" | "mclk" | "gtemp" | "rxpci")
                });
            let units = first
                .get(at + 1)
                .and_then(|next| next.strip_prefix('#'))
                .is_some_and(|next| next.split_whitespace().any(|w| w == "Idx"));
            if named && units {
                return Some(Ok(Kind::NvidiaSmi));
            }
            continue;
        }
        let cells: Vec<&str> = line.split(',').collect();
        let known = cells
            .iter()
            .filter(|cell| of_query(cell).0 != Field::Other)
            .count();
        // One heading of its own, and a second one that only this tool has beside it.
        if known >= 2 && cells.iter().any(|cell| is_query_heading(cell)) {
            return Some(Ok(Kind::NvidiaSmi));
        }
        let is_screen = line.starts_with("| NVIDIA-SMI ") || line.contains("==NVSMI LOG==");
        if is_screen {
            return Some(Err(
                Refusal::new(&source.name, "nvidia-smi-screen").command(QUERY)
            ));
        }
    }
    None
}
