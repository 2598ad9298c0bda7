//! What happened to a canary, as people and the program wrote it down, and the plan it is under.

use crate::ladder::Sentence;
use crate::ladder::run::ids;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Something that happened to a canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CanaryEventKind {
    /// It began.
    Started,
    /// Candidate should take no traffic.
    Paused,
    /// It went on.
    Resumed,
    /// It ended, and its verdict was computed.
    Ended,
    /// It goes on once more, under exposure limits that a reviewer set.
    Extended,
    /// A threshold triggered or a reviewer refused the promotion: the change goes back. The
    /// candidate is in service until somebody states that the old value is.
    Recalled,
    /// Somebody took it back: the old value is in service.
    RolledBack,
    /// Somebody states that the old value is back in service.
    Restored,
}

ids!(CanaryEventKind {
    Started => "started",
    Paused => "paused",
    Resumed => "resumed",
    Ended => "ended",
    Extended => "extended",
    Recalled => "recalled",
    RolledBack => "rolled_back",
    Restored => "restored",
});

impl CanaryEventKind {
    /// Whether `next` may follow; `None` is before the first event.
    pub fn allows(before: Option<Self>, next: Self) -> bool {
        use CanaryEventKind as K;
        match before {
            None => next == K::Started,
            Some(K::Started | K::Resumed | K::Extended) => {
                matches!(next, K::Paused | K::Ended | K::Recalled | K::RolledBack)
            }
            Some(K::Paused) => {
                matches!(next, K::Resumed | K::Ended | K::Recalled | K::RolledBack)
            }
            Some(K::Ended) => matches!(next, K::Extended | K::Recalled | K::RolledBack),
            Some(K::Recalled) => next == K::Restored,
            Some(K::RolledBack | K::Restored) => false,
        }
    }
}

/// Pass, fail or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whole {
    /// Every limit holds.
    Pass,
    /// Something could not be judged.
    Inconclusive,
    /// A limit broke, or the plan was exceeded.
    Fail,
}

impl Whole {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Fail => "fail",
        }
    }
}

/// Exposure limits of an extension; they stand in the place of the plan's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extension {
    /// Greatest share of traffic, 0–1.
    pub share_ceiling: f64,
    /// Most requests exposed since the start.
    pub max_requests: u64,
    /// Longest duration since the start, in seconds.
    pub max_seconds: u32,
}

/// One event of a canary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CanaryEvent {
    /// What happened.
    pub kind: CanaryEventKind,
    /// Who did it; `None` = the program itself.
    pub by: Option<Uuid>,
    /// When.
    pub at: DateTime<Utc>,
    /// Canary run, once ended.
    pub run_id: Option<Uuid>,
    /// Share of traffic it took, 0–1, once ended.
    pub share: Option<f64>,
    /// Requests exposed, once ended.
    pub requests: Option<u64>,
    /// Digest of the revision that ran.
    pub revision_digest: String,
    /// Words.
    pub note: String,
    /// Verdict as it was when it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Whole>,
    /// What made the program do it: the threshold that triggered, what ended it, what moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<Sentence>,
    /// Limits of an extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<Extension>,
}

/// The watcher's own word that they are at the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}
