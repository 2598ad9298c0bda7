//! What a token of a service may do. It never decides: approving, accepting, overriding,
//! recording a condition and closing a case are acts of people.

use super::run::ids;
use serde::{Deserialize, Serialize};

/// One thing a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Open a case from an alert.
    OpenCases,
    /// State runs and attach evidence to them.
    AttachEvidence,
    /// Read cases, gates and decisions.
    ReadGate,
    /// Post samples of a running canary.
    PostCanary,
}

ids!(Scope {
    OpenCases => "open_cases",
    AttachEvidence => "attach_evidence",
    ReadGate => "read_gate",
    PostCanary => "post_canary",
});
