//! Rows that share an id: a request that was tried again, the same line written twice, or an id
//! that is none.
//!
//! A row that repeats another is left out everywhere. An earlier attempt that failed stands for
//! load and for nothing else: its request is judged by the attempt that followed.

use super::table::Table;

/// What rows of one id turned out to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repeated {
    /// Rows that say what another row said already.
    pub duplicates: u64,
    /// Attempts that another one followed.
    pub attempts: u64,
    /// Rows whose id belongs to a request that had been answered before.
    pub reused: u64,
}

/// Sorts out rows that share an id, and gives the column of ids back.
pub fn settle(table: &mut Table) -> Repeated {
    let mut found = Repeated::default();
    let mut hashes: Vec<u64> = (0..table.len()).filter_map(|r| table.id.get(r)).collect();
    hashes.sort_unstable();
    let mut twice: Vec<u64> = hashes
        .windows(2)
        .filter(|w| w[0] == w[1])
        .map(|w| w[0])
        .collect();
    drop(hashes);
    twice.dedup();
    if !twice.is_empty() {
        let mut rows: Vec<(u64, u32)> = (0..table.len())
            .filter_map(|r| Some((table.id.get(r)?, u32::try_from(r).ok()?)))
            .filter(|(hash, _)| twice.binary_search(hash).is_ok())
            .collect();
        rows.sort_unstable();
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            let mut rows: Vec<usize> = group.iter().map(|(_, row)| *row as usize).collect();
            settle_group(table, &mut rows, &mut found);
        }
    }
    table.id.clear();
    found
}

fn settle_group(table: &mut Table, rows: &mut [usize], found: &mut Repeated) {
    // By attempt where it is stated, else by time, else as written.
    rows.sort_by_key(|r| (table.attempt.get(*r), table.at.get(*r), *r));
    let mut kept: Vec<usize> = Vec::new();
    for &row in rows.iter() {
        if kept.iter().rev().take(4).any(|k| is_copy(table, *k, row)) {
            table.mark_duplicate(row);
            found.duplicates += 1;
        } else {
            kept.push(row);
        }
    }
    let mut chain = 0_u64;
    for pair in kept.windows(2) {
        let stated = table.attempt.get(pair[0]) < table.attempt.get(pair[1]);
        if stated || table.outcome(pair[0]).is_failed() {
            table.mark_superseded(pair[0]);
            found.attempts += 1;
            chain += 1;
        } else {
            found.reused += 1;
            chain = 0;
        }
        let tries = u16::try_from(chain).unwrap_or(u16::MAX - 1);
        if chain > 0 && table.retries.get(pair[1]).unwrap_or(0) < tries {
            table.retries.set(pair[1], tries);
        }
    }
}

/// Whether two rows say the same.
fn is_copy(table: &Table, a: usize, b: usize) -> bool {
    let same = |x: Option<f64>, y: Option<f64>| x == y;
    table.at.get(a) == table.at.get(b)
        && table.attempt.get(a) == table.attempt.get(b)
        && table.outcome(a) == table.outcome(b)
        && same(table.e2e.get(a), table.e2e.get(b))
        && same(table.ttft.get(a), table.ttft.get(b))
        && table.output.get(a) == table.output.get(b)
        && table.prompt.get(a) == table.prompt.get(b)
}
