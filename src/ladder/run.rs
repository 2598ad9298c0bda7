//! Runs: one measured execution each, with the statements people make about it.

use super::environment::Environment;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunRole {
    /// The service as it stands.
    Baseline,
    /// The service with the change.
    Candidate,
    /// Not stated: blocks gate use.
    Unknown,
}

/// In which phase a run was taken. Cold, warm and canary are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// From start-up.
    Cold,
    /// Steady service.
    Warm,
    /// Under a canary's share of live traffic.
    Canary,
    /// Not stated: blocks gate use.
    Unknown,
}

/// Whether a profiler was attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profiled {
    /// A profiler was attached: timings are not production's.
    Yes,
    /// None was.
    No,
    /// Not stated: blocks gate use.
    Unknown,
}

macro_rules! ids {
    ($type:ty { $($variant:ident => $id:literal),+ $(,)? }) => {
        impl $type {
            /// All values, as offered in forms.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Stable id.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id),+ }
            }

            /// The value with this id.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.id() == id)
            }
        }
    };
}
pub(crate) use ids;

ids!(RunRole { Baseline => "baseline", Candidate => "candidate", Unknown => "unknown" });
ids!(Phase { Cold => "cold", Warm => "warm", Canary => "canary", Unknown => "unknown" });
ids!(Profiled { Yes => "yes", No => "no", Unknown => "unknown" });

/// What people state about a run. A correction is a new statement; the old one is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// What the run is for.
    pub role: RunRole,
    /// Its phase.
    pub phase: Phase,
    /// Profiled or not.
    pub profiled: Profiled,
    /// The contract version it was taken under.
    pub contract_version_id: Option<Uuid>,
    /// Where it was taken.
    pub environment: Environment,
    /// The task class it measured; `None` = all classes together.
    pub class: Option<String>,
    /// The concurrency band it ran in.
    pub band: Option<String>,
    /// When it ran.
    pub window: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// Free words.
    pub note: String,
}

/// A run with its statement in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Id.
    pub id: Uuid,
    /// Number inside the case: `R-7`.
    pub number: i32,
    /// Which statement is in force, from 1.
    pub statement_number: i32,
    /// The statement in force.
    pub stated: Statement,
    /// Who stated it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

impl Run {
    /// `R-7`.
    pub fn label(&self) -> String {
        format!("R-{}", self.number)
    }

    /// Whether two runs share any instant, or one of them has no window (which cannot show that
    /// they are independent).
    pub fn overlaps(&self, other: &Self) -> bool {
        match (&self.stated.window, &other.stated.window) {
            (Some((a0, a1)), Some((b0, b1))) => a0 < b1 && b0 < a1,
            _ => true,
        }
    }
}
