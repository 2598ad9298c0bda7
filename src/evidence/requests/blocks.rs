//! Blocks of prompts in a trace: how much of them a prefix cache could have reused at best.

use super::json;
use std::collections::HashSet;

/// Blocks of prompts, by which a trace says what a cache could have reused.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    seen: HashSet<u64>,
    /// Blocks seen, the same ones again included.
    pub(super) all: u64,
    again: u64,
    too_many: bool,
}

/// Most different blocks that are told apart.
const MOST_BLOCKS: usize = 8_000_000;

impl Blocks {
    pub(super) fn take(&mut self, list: &[u8]) {
        let mut ids = Vec::new();
        json::numbers(list, &mut ids);
        for id in ids {
            self.all += 1;
            if self.seen.len() >= MOST_BLOCKS {
                self.too_many = true;
            } else if !self.seen.insert(id.to_bits()) {
                self.again += 1;
            }
        }
    }

    pub(super) fn reuse(&self) -> Option<f64> {
        (self.all > 0 && !self.too_many).then(|| self.again as f64 / self.all as f64)
    }
}
