//! The signal catalogue: every signal the product knows, spelled once.
//!
//! Parsers name signals from it, the contract and threshold forms offer it, the docs and the API
//! list it. A signal that is not here does not exist. One file per stage holds the entries; which
//! kinds of file yield a signal is said by the readers ([`crate::kinds`]) and gathered here.

mod distributed;
mod gpu;
mod kernel;
mod request_trace;
mod serving;

use crate::{Kind, kinds};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, sync::LazyLock};

/// The five stages of the ladder, top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// 1: what the user feels, for which kind of task.
    RequestTrace,
    /// 2: whether the device waits, and for what.
    GpuExecutionMemory,
    /// 3: which kernel or operator takes the time.
    KernelOperator,
    /// 4: prefill, decode, KV cache, batching, admission.
    ServingSchedulerCache,
    /// 5: links, collectives, placement, replicas.
    DistributedCapacity,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 5] = [
        Self::RequestTrace,
        Self::GpuExecutionMemory,
        Self::KernelOperator,
        Self::ServingSchedulerCache,
        Self::DistributedCapacity,
    ];

    /// 1 to 5.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The stage with this number.
    pub fn from_number(n: u8) -> Option<Self> {
        Self::ALL.get(usize::from(n.checked_sub(1)?)).copied()
    }

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::RequestTrace => "request_trace",
            Self::GpuExecutionMemory => "gpu_execution_memory",
            Self::KernelOperator => "kernel_operator",
            Self::ServingSchedulerCache => "serving_scheduler_cache",
            Self::DistributedCapacity => "distributed_capacity",
        }
    }
}

/// Base units. Conversion happens in the parser, formatting on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// A share, 0–1.
    Ratio,
    /// A number of things.
    Count,
    /// Tokens.
    Tokens,
    /// Things per second.
    PerSecond,
    /// Tokens per second.
    TokensPerSecond,
    /// Bytes per second.
    BytesPerSecond,
    /// Watts.
    Watts,
    /// Cycles per second.
    Hertz,
    /// Degrees Celsius.
    Celsius,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 11] = [
        Self::Seconds,
        Self::Bytes,
        Self::Ratio,
        Self::Count,
        Self::Tokens,
        Self::PerSecond,
        Self::TokensPerSecond,
        Self::BytesPerSecond,
        Self::Watts,
        Self::Hertz,
        Self::Celsius,
    ];

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Bytes => "bytes",
            Self::Ratio => "ratio",
            Self::Count => "count",
            Self::Tokens => "tokens",
            Self::PerSecond => "per_second",
            Self::TokensPerSecond => "tokens_per_second",
            Self::BytesPerSecond => "bytes_per_second",
            Self::Watts => "watts",
            Self::Hertz => "hertz",
            Self::Celsius => "celsius",
        }
    }

    /// The unit with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|u| u.id() == id)
    }

    /// Spellings a person may type for this unit, each with its factor to the base unit.
    /// `ms` means milliseconds, `%` a hundredth. The first is the base unit's own.
    pub fn spellings(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Seconds => &[
                ("s", 1.0),
                ("ms", 1e-3),
                ("us", 1e-6),
                ("µs", 1e-6),
                ("ns", 1e-9),
                ("min", 60.0),
            ],
            Self::Bytes => &[
                ("B", 1.0),
                ("kB", 1e3),
                ("MB", 1e6),
                ("GB", 1e9),
                ("KiB", 1024.0),
                ("MiB", 1_048_576.0),
                ("GiB", 1_073_741_824.0),
            ],
            Self::Ratio => &[("ratio", 1.0), ("%", 1e-2)],
            Self::Count => &[("count", 1.0)],
            Self::Tokens => &[("tokens", 1.0)],
            Self::PerSecond => &[("/s", 1.0), ("/min", 1.0 / 60.0)],
            Self::TokensPerSecond => &[("tokens/s", 1.0)],
            Self::BytesPerSecond => &[("B/s", 1.0), ("MB/s", 1e6), ("GB/s", 1e9)],
            Self::Watts => &[("W", 1.0)],
            Self::Hertz => &[("Hz", 1.0), ("MHz", 1e6), ("GHz", 1e9)],
            Self::Celsius => &[("°C", 1.0)],
        }
    }

    /// Converts a typed number to the base unit. `None` when the spelling does not belong here.
    ///
    /// The result is the number nearest to its first fifteen digits: 97.9 % is 0.979 to the last
    /// bit, where 97.9 × 0.01 is not, so that equal values compare equal however they are typed.
    pub fn to_base(self, value: f64, spelling: &str) -> Option<f64> {
        self.spellings()
            .iter()
            .find(|(s, _)| *s == spelling.trim())
            .map(|(_, factor)| {
                let base = value * factor;
                format!("{base:.14e}").parse().unwrap_or(base)
            })
    }
}

/// Which direction of a signal is better for the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Lower is better: its limits are upper limits.
    Lower,
    /// Higher is better: its limits are floors.
    Higher,
    /// Neither by itself.
    Neither,
}

/// What role a signal may play in a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Latency felt by the user: a contract needs a limit on one.
    Latency,
    /// Acceptance of tasks, or failures: a contract needs a floor on one. Tokens per second
    /// never is.
    Acceptance,
    /// Errors and refusals: may carry a rollback threshold, does not show acceptance.
    Errors,
    /// Names a layer when cited for it.
    Layer,
    /// Context only. GPU utilisation is here: a busy GPU is no diagnosis.
    Context,
}
/// One catalogued signal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignalDef {
    /// Its only spelling, snake_case.
    pub name: &'static str,
    /// The stage it belongs to.
    pub stage: Stage,
    /// Base unit.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// What it may carry.
    pub role: Role,
    /// What it means, in one sentence.
    pub definition: &'static str,
    /// The kinds of file that yield it.
    pub kinds: &'static [Kind],
}

/// The definition of a signal.
pub fn find(name: &str) -> Option<&'static SignalDef> {
    position(name).map(|at| &ALL[at])
}

/// The place of a signal in [`ALL`]. A case of many items asks thousands of times per page.
pub fn position(name: &str) -> Option<usize> {
    static PLACES: LazyLock<HashMap<&str, usize>> =
        LazyLock::new(|| ALL.iter().enumerate().map(|(at, d)| (d.name, at)).collect());
    PLACES.get(name).copied()
}

/// Every signal, by stage.
pub static ALL: LazyLock<Vec<SignalDef>> = LazyLock::new(|| {
    let stages = [
        request_trace::SIGNALS,
        gpu::SIGNALS,
        kernel::SIGNALS,
        serving::SIGNALS,
        distributed::SIGNALS,
    ];
    let mut kinds: HashMap<&str, Vec<Kind>> = HashMap::new();
    for format in kinds::FORMATS {
        for name in format.yields.iter().flat_map(|list| *list) {
            kinds.entry(name).or_default().push(format.kind);
        }
    }
    Stage::ALL
        .into_iter()
        .zip(stages)
        .flat_map(|(stage, entries)| entries.iter().map(move |entry| (stage, entry)))
        .map(|(stage, entry)| SignalDef {
            name: entry.name,
            stage,
            unit: entry.unit,
            better: entry.better,
            role: entry.role,
            definition: entry.definition,
            // Kept for as long as the program runs, once.
            kinds: kinds.remove(entry.name).unwrap_or_default().leak(),
        })
        .collect()
});

/// A signal as the file of its stage writes it.
struct Entry {
    name: &'static str,
    unit: Unit,
    better: Better,
    role: Role,
    definition: &'static str,
}

const fn def(
    name: &'static str,
    unit: Unit,
    better: Better,
    role: Role,
    definition: &'static str,
) -> Entry {
    Entry {
        name,
        unit,
        better,
        role,
        definition,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_snake_case_and_defined() {
        let mut seen = BTreeSet::new();
        for d in ALL.iter() {
            assert!(seen.insert(d.name), "{} is listed twice", d.name);
            assert!(
                d.name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
            );
            assert!(
                d.definition.ends_with('.') && !d.kinds.is_empty(),
                "{}",
                d.name
            );
        }
    }

    #[test]
    fn readers_yield_catalogued_signals_once() {
        for format in kinds::FORMATS {
            let mut seen = BTreeSet::new();
            for name in format.yields.iter().flat_map(|list| *list) {
                assert!(find(name).is_some(), "{}: {name}", format.id);
                assert!(seen.insert(name), "{}: {name} twice", format.id);
            }
        }
    }

    #[test]
    fn tokens_per_second_never_shows_acceptance() {
        for d in ALL.iter().filter(|d| d.unit == Unit::TokensPerSecond) {
            assert_eq!(d.role, Role::Context, "{}", d.name);
        }
    }

    #[test]
    fn a_busy_gpu_is_no_diagnosis() {
        for d in ALL.iter().filter(|d| d.name.contains("utilization")) {
            assert_eq!(d.role, Role::Context, "{}", d.name);
        }
    }

    #[test]
    fn units_convert_what_people_type() {
        assert_eq!(Unit::Seconds.to_base(800.0, "ms"), Some(0.8));
        assert_eq!(Unit::Ratio.to_base(97.0, "%"), Some(0.97));
        assert_eq!(Unit::Seconds.to_base(1.0, "%"), None);
    }
}
