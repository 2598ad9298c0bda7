//! The four stop conditions: append-only claims, each with the basis it rests on. Whether one
//! holds is computed by the gate, never stored as an opinion.

use super::{digest, run::ids};
use chrono::{DateTime, Utc};
use pel_evidence::{Stage, Statistic};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Which of the four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// Two runs breach the same limit.
    ReproducedBottleneck,
    /// One layer is named, with what shows it and what speaks against the others.
    OwnerLayerIdentified,
    /// What the breach costs in accepted tasks is measured.
    AcceptanceImpactVisible,
    /// When and how to go back is fixed before going forward.
    RollbackThresholdDefined,
}

ids!(Condition {
    ReproducedBottleneck => "reproduced_bottleneck",
    OwnerLayerIdentified => "owner_layer_identified",
    AcceptanceImpactVisible => "acceptance_impact_visible",
    RollbackThresholdDefined => "rollback_threshold_defined",
});

/// The layer that limits accepted tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// One of the five stages.
    Stage(Stage),
    /// None of ours.
    Outside,
}

/// A signal cited for a layer, with the value it had when cited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// Evidence item.
    pub evidence_id: Uuid,
    /// Catalogued signal.
    pub signal: String,
    /// Statistic.
    pub statistic: Statistic,
    /// Labels of the value.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Value when cited, base unit.
    pub value: f64,
}

/// What a person claims. The program decides whether it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "condition")]
pub enum Claim {
    /// These runs breach this limit.
    ReproducedBottleneck {
        /// Limit id in the contract.
        limit_id: String,
        /// Baseline runs.
        runs: Vec<Uuid>,
    },
    /// This layer limits accepted tasks.
    OwnerLayerIdentified {
        /// The layer.
        layer: Layer,
        /// Signals that show it.
        cited: Vec<Citation>,
        /// For each other stage (by number) why it is not the limit.
        #[serde(deserialize_with = "numbered")]
        others: BTreeMap<u8, String>,
    },
    /// This is what the breach costs.
    AcceptanceImpactVisible {
        /// Limit id of the acceptance floor in the contract.
        limit_id: String,
        /// The breaching runs.
        runs: Vec<Uuid>,
        /// Words.
        note: String,
    },
    /// The thresholds on this revision are the ones.
    RollbackThresholdDefined {
        /// Change.
        change_id: Uuid,
        /// Digest of the revision whose thresholds are meant.
        revision_digest: String,
    },
}

/// A tagged enum is read through a buffer in which JSON's map keys stay text.
fn numbered<'de, D: serde::Deserializer<'de>>(d: D) -> Result<BTreeMap<u8, String>, D::Error> {
    BTreeMap::<String, String>::deserialize(d)?
        .into_iter()
        .map(|(n, why)| Ok((n.parse().map_err(serde::de::Error::custom)?, why)))
        .collect()
}

impl Claim {
    /// Which condition it claims.
    pub fn condition(&self) -> Condition {
        match self {
            Self::ReproducedBottleneck { .. } => Condition::ReproducedBottleneck,
            Self::OwnerLayerIdentified { .. } => Condition::OwnerLayerIdentified,
            Self::AcceptanceImpactVisible { .. } => Condition::AcceptanceImpactVisible,
            Self::RollbackThresholdDefined { .. } => Condition::RollbackThresholdDefined,
        }
    }
}

/// One input of a basis: its kind, id and digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BasisItem {
    /// `contract`, `run`, `evidence`, `extraction`, `stage`, `revision`, `condition`.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Digest of what it said.
    pub digest: String,
}

/// The exact inputs a fact rests on, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Basis(pub Vec<BasisItem>);

impl Basis {
    /// Adds an input.
    pub fn add(&mut self, kind: &str, id: impl ToString, digest: impl Into<String>) {
        self.0.push(BasisItem {
            kind: kind.to_owned(),
            id: id.to_string(),
            digest: digest.into(),
        });
    }

    /// Sorted and without repeats.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.0.sort();
        self.0.dedup();
        self
    }

    /// The basis digest.
    pub fn digest(&self) -> String {
        digest(&self.0)
    }

    /// Inputs of `self` that `now` no longer has as they were.
    pub fn moved<'a>(&'a self, now: &Self) -> Vec<&'a BasisItem> {
        self.0.iter().filter(|i| !now.0.contains(i)).collect()
    }
}

/// A recorded claim. The newest one of its condition that is not retracted is in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Id.
    pub id: Uuid,
    /// Order over the case.
    pub number: i32,
    /// What is claimed.
    pub claim: Claim,
    /// What it rests on.
    pub basis: Basis,
    /// Digest of the basis.
    pub basis_digest: String,
    /// Who recorded it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// Who retracted it, when, why.
    pub retracted: Option<(Uuid, DateTime<Utc>, String)>,
}
