//! The judgement against the edge cases of the lifecycle, by their ids.

mod break_glass;
mod canary;
mod conditions;
mod contract;
mod environment;
mod evidence;
mod life;
mod messages;
mod properties;
mod records;
mod retention;
mod review;
mod running;
mod statements;
mod upkeep;
mod weighing;

use super::fixture::{accept, ready};
use super::gate::{Gate, LineStatus};

/// Status of a line.
fn status(gate: &Gate, line: &str) -> LineStatus {
    gate.line(line)
        .unwrap_or_else(|| panic!("no line {line}"))
        .status
}

/// Whether a line says this sentence.
fn says(gate: &Gate, line: &str, key: &str) -> bool {
    let line = gate.line(line).unwrap_or_else(|| panic!("no line {line}"));
    line.sentences.iter().any(|s| s.key == key)
}

#[test]
fn the_fixture_may_be_accepted() {
    let gate = accept(&ready());
    let open: Vec<_> = gate.open().collect();
    assert!(open.is_empty(), "{open:#?}");
    assert!(gate.ready);
    assert_eq!(gate.headline().key, "gate-accept-ready-but");
}
