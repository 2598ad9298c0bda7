//! What surrounds the facts of a case: who takes part and who stays out, its flags, how often it
//! was opened again, which cases are its duplicates, and the contract versions it was judged by.

use super::case::CaseFile;
use super::contract::Terms;
use super::policy::Role;
use super::run::ids;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How a person stands to a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Works on it.
    Participant,
    /// Was asked to review it.
    Reviewer,
    /// Stays out of its decisions because of a conflict of interest.
    Excluded,
}

ids!(PartKind {
    Participant => "participant",
    Reviewer => "reviewer",
    Excluded => "excluded",
});

/// A part somebody has in a case now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Which part.
    pub part: PartKind,
    /// Who has it.
    pub person: Uuid,
    /// Why, for an exclusion.
    pub reason: String,
    /// Who said so.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// A flag of a case: not a state, and always with a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// Nothing is accepted until a date.
    OnHold,
    /// Only the people on it may know of it.
    Confidential,
    /// Its evidence is not purged.
    LegalHold,
}

ids!(FlagKind {
    OnHold => "on_hold",
    Confidential => "confidential",
    LegalHold => "legal_hold",
});

/// The newest word on a flag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flag {
    /// Which flag.
    pub flag: FlagKind,
    /// Whether it is raised.
    pub raised: bool,
    /// Until when, for a hold.
    pub until: Option<DateTime<Utc>>,
    /// Why.
    pub reason: String,
    /// Who said so.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// A case that was closed and opened again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reopening {
    /// Why.
    pub reason: String,
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// An earlier version of the pinned contract that says the same: everything between it and the
/// pinned one was editorial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancestor {
    /// Id of the version.
    pub id: Uuid,
    /// Its number.
    pub number: i32,
    /// Digest of its terms.
    pub digest: String,
}

/// A contract version the case was judged by at some time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// Id of the version.
    pub version: Uuid,
    /// `chat v3`.
    pub label: String,
    /// What it says.
    pub terms: Terms,
    /// Since when.
    pub at: DateTime<Utc>,
}

/// A reviewer's word that a version with loosened limits counts in this case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consent {
    /// The version.
    pub version: Uuid,
    /// Why it is right.
    pub reason: String,
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Life {
    /// When the present owner accepted the case; `None` while it was only handed to them.
    pub accepted_at: Option<DateTime<Utc>>,
    /// Parts people have now.
    pub parts: Vec<Part>,
    /// The newest word on each flag.
    pub flags: Vec<Flag>,
    /// Reopenings, oldest first.
    pub reopenings: Vec<Reopening>,
    /// Number of the case this one is a duplicate of.
    pub duplicate_of: Option<i64>,
    /// Numbers of the cases that are duplicates of this one.
    pub duplicates: Vec<i64>,
    /// Versions before the pinned one that say the same, oldest first.
    pub editorial: Vec<Ancestor>,
    /// Contract versions the case was judged by, oldest first, the present one last.
    pub pins: Vec<Pin>,
    /// Consents to versions with loosened limits.
    pub consents: Vec<Consent>,
}

impl Life {
    /// The flag, when it is raised. A hold whose date has passed still stands here; ask
    /// [`CaseFile::held`].
    pub fn flag(&self, kind: FlagKind) -> Option<&Flag> {
        self.flags.iter().find(|f| f.flag == kind && f.raised)
    }

    /// People who have this part.
    pub fn with_part(&self, part: PartKind) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |p| p.part == part)
    }

    /// Whether a person has this part.
    pub fn has_part(&self, person: Uuid, part: PartKind) -> bool {
        self.with_part(part).any(|p| p.person == person)
    }

    /// Everybody named here.
    pub fn mentioned(&self) -> impl Iterator<Item = Uuid> {
        let parts = self.parts.iter().flat_map(|p| [p.person, p.by]);
        let flags = self.flags.iter().map(|f| f.by);
        let others = self.reopenings.iter().map(|r| r.by);
        parts
            .chain(flags)
            .chain(others)
            .chain(self.consents.iter().map(|c| c.by))
    }
}

impl CaseFile {
    /// Whether somebody may know of the case at all: of an open one whoever reads cases, of a
    /// confidential one its owner, participants, reviewers asked onto it, and auditors.
    pub fn known_to(&self, person: Uuid, roles: &[Role]) -> bool {
        self.life.flag(FlagKind::Confidential).is_none()
            || self.owner == Some(person)
            || roles.contains(&Role::Auditor)
            || self.life.has_part(person, PartKind::Participant)
            || self.life.has_part(person, PartKind::Reviewer)
    }

    /// Until when and why the case is on hold at `now`. A hold ends by itself when its date passes.
    pub fn held(&self, now: DateTime<Utc>) -> Option<(DateTime<Utc>, &str)> {
        self.on_hold
            .as_ref()
            .filter(|(until, _)| *until > now)
            .map(|(until, reason)| (*until, reason.as_str()))
    }

    /// When the case was last opened again.
    pub fn reopened_at(&self) -> Option<DateTime<Utc>> {
        self.life.reopenings.last().map(|r| r.at)
    }

    /// Whether `version` is the pinned contract version, or one before it that says the same.
    pub fn under_contract(&self, version: Option<Uuid>) -> bool {
        let (Some(version), Some(pinned)) = (version, &self.contract) else {
            return false;
        };
        version == pinned.id || self.life.editorial.iter().any(|a| a.id == version)
    }

    /// What the pinned contract rests on: the oldest version that says the same, by id and digest.
    /// An editorial version moves nothing that rests on it.
    pub fn contract_ground(&self) -> Option<(Uuid, String)> {
        let pinned = self.contract.as_ref()?;
        Some(match self.life.editorial.first() {
            Some(first) => (first.id, first.digest.clone()),
            None => (pinned.id, pinned.terms.digest()),
        })
    }
}
