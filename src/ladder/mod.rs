//! The ladder: the domain and its judgement, pure functions over an immutable [`CaseFile`].
//!
//! Here stand the case, its stages, contract, runs, conditions, gate, comparison, change, canary
//! and decision, and who may do what. Nothing here touches SQL, HTTP, async or the clock.

mod accepted;
pub mod attested;
pub mod basis;
pub mod bounds;
pub mod break_glass;
pub mod bundle;
pub mod canary;
pub mod canonical;
pub mod case;
pub mod change;
pub mod compare;
pub mod condition;
pub mod conditions;
pub mod contract;
pub mod contributor;
pub mod decision;
pub mod drift;
pub mod environment;
pub mod evidence;
#[cfg(test)]
mod fixture;
pub mod gate;
pub mod history;
mod impact;
pub mod invalidation;
mod layer;
pub mod life;
pub mod loosening;
mod main_signal;
pub mod measure;
pub mod numbers;
mod place;
pub mod plan;
pub mod policy;
pub mod redaction;
mod reproduce;
pub mod reread;
pub mod retention;
mod row;
pub mod run;
pub mod scope;
pub mod seen;
pub mod sentence;
pub mod stage;
pub mod states;
pub mod summary;
pub mod template;
#[cfg(test)]
mod tests;
pub mod threshold;
pub mod upkeep;
pub mod view;
pub mod weigh;

pub use case::{CaseFile, CaseState};
pub use pel_evidence::{Stage, Statistic, Unit};
pub use sentence::{Arg, Sentence};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// SHA-256 in hex over the canonical JSON of a value: struct fields in their declared order, maps
/// sorted by key. Equal values have equal digests whatever they were typed like.
pub fn digest<T: Serialize>(value: &T) -> String {
    // Our own types hold no map with non-string keys, so this cannot fail; a failure would give
    // the digest of the error text, equal to no value's digest.
    let text = serde_json::to_string(value).unwrap_or_else(|e| format!("unserialisable: {e}"));
    hex::encode(Sha256::digest(text.as_bytes()))
}
