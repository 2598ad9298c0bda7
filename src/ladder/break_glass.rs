//! Break-glass (lifecycle §10): an exception that is narrow, expires, and is loud for good.
//!
//! What may be overridden is the list of [`Overridable`] and nothing else: the rollback threshold
//! and procedure, separation of duties, integrity, audit, confidentiality, a failed limit and
//! identity have no entry there. Whether an override is in force is computed every time.

use super::case::CaseFile;
use super::change::Change;
use super::gate::{Policy, Target};
use super::policy::{Act, Role};
use super::run::ids;
use super::{Arg, Sentence, basis, contributor};
use chrono::{DateTime, Datelike as _, TimeDelta, Utc, Weekday};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Fewest characters of a reason.
pub const REASON: usize = 50;
/// Fewest characters of a review's words.
pub const REVIEW_WORDS: usize = 20;

/// Everything that may be overridden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overridable {
    /// Fewer runs than the policy asks for; at least one must still reproduce it.
    ReproducedBottleneck,
    /// No layer is identified.
    OwnerLayerIdentified,
    /// The impact on acceptance is not visible.
    AcceptanceImpactVisible,
    /// The canary ran shorter, or saw fewer samples, than planned.
    CanaryMinimum,
    /// Fewer approvals than the policy asks for, down to one.
    Approvals,
    /// A window in which nothing may change.
    FreezeWindow,
    /// An approval or a canary that is too old.
    Expiry,
}

ids!(Overridable {
    ReproducedBottleneck => "reproduced_bottleneck",
    OwnerLayerIdentified => "owner_layer_identified",
    AcceptanceImpactVisible => "acceptance_impact_visible",
    CanaryMinimum => "canary_minimum",
    Approvals => "approvals",
    FreezeWindow => "freeze_window",
    Expiry => "expiry",
});

impl Overridable {
    /// The gate lines it may stand for; whether it does depends on what each line says.
    pub fn lines(self) -> &'static [&'static str] {
        match self {
            Self::ReproducedBottleneck => &["reproduced_bottleneck"],
            Self::OwnerLayerIdentified => &["owner_layer_identified"],
            Self::AcceptanceImpactVisible => &["acceptance_impact_visible"],
            Self::CanaryMinimum => &["canary_verdict", "comparison_canary", "revision"],
            Self::Approvals => &["approvals"],
            Self::FreezeWindow => &["freeze"],
            Self::Expiry => &["approvals", "canary_verdict"],
        }
    }

    /// Message key of its name.
    pub fn key(self) -> String {
        format!("override-what-{}", self.id().replace('_', "-"))
    }
}

/// Why waiting costs more than the risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// The service does not serve.
    Outage,
    /// It serves badly, and users feel it.
    Degradation,
    /// People may come to harm.
    Safety,
    /// An attack, or data at risk.
    Security,
    /// Something else, said in the reason.
    Other,
}

ids!(Category {
    Outage => "outage",
    Degradation => "degradation",
    Safety => "safety",
    Security => "security",
    Other => "other",
});

/// What a review found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It was right to override.
    Justified,
    /// It was not.
    NotJustified,
    /// Something has to follow.
    NeedsFollowUp,
}

ids!(Verdict {
    Justified => "justified",
    NotJustified => "not_justified",
    NeedsFollowUp => "needs_follow_up",
});

/// A second person's signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cosignature {
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// Words; may be empty.
    pub note: String,
}

/// A retrospective review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// What it found.
    pub verdict: Verdict,
    /// In words.
    pub words: String,
}

/// An override as recorded; nothing of it ever changes, a co-signature and a review are added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// Id.
    pub id: Uuid,
    /// The change whose gate it is for.
    pub change_id: Uuid,
    /// The gate it was asked on; never that of closing.
    pub target: Target,
    /// What it stands for.
    pub what: Vec<Overridable>,
    /// Kind of emergency.
    pub category: Category,
    /// Why, at least [`REASON`] characters.
    pub reason: String,
    /// Digest of the revision it is bound to.
    pub revision_digest: String,
    /// Digest of the basis it is bound to.
    pub basis_digest: String,
    /// The manager who asked for it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// It ends then.
    pub until: DateTime<Utc>,
    /// From then on it counts without a co-signature, which is overdue.
    pub alone_from: DateTime<Utc>,
    /// A review is due by then.
    pub review_due: DateTime<Utc>,
    /// The co-signature, once given.
    #[serde(default)]
    pub cosigned: Option<Cosignature>,
    /// The review, once given.
    #[serde(default)]
    pub review: Option<Review>,
}

/// Whether an override counts now, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It waits for a co-signature.
    Waiting,
    /// It counts, co-signed.
    Live,
    /// It counts; the co-signature is overdue.
    Alone,
    /// Its time is over.
    Expired,
    /// The change has another revision.
    OtherRevision,
    /// What it rests on moved.
    BasisMoved,
}

ids!(Standing {
    Waiting => "waiting",
    Live => "live",
    Alone => "alone",
    Expired => "expired",
    OtherRevision => "other_revision",
    BasisMoved => "basis_moved",
});

impl Standing {
    /// Whether it counts in the gate.
    pub fn counts(self) -> bool {
        matches!(self, Self::Live | Self::Alone)
    }
}

/// The basis an override of this gate rests on, as the case stands.
pub fn basis_digest(case: &CaseFile, change: &Change, target: Target) -> String {
    match target {
        Target::Accept => basis::whole(case, change).digest(),
        _ => basis::before_canary(case, change).digest(),
    }
}

/// Whether an override counts now.
pub fn standing(case: &CaseFile, used: &Override, now: DateTime<Utc>) -> Standing {
    // A clock that was set back gives no override more time.
    if now >= used.until || now < used.at {
        return Standing::Expired;
    }
    let Some(change) = case.change(used.change_id) else {
        return Standing::OtherRevision;
    };
    if change
        .current()
        .is_none_or(|r| r.digest != used.revision_digest)
    {
        return Standing::OtherRevision;
    }
    if basis_digest(case, change, used.target) != used.basis_digest {
        return Standing::BasisMoved;
    }
    match &used.cosigned {
        Some(_) => Standing::Live,
        None if now >= used.alone_from => Standing::Alone,
        None => Standing::Waiting,
    }
}

/// Overrides of a change that count now.
pub fn in_force<'a>(
    case: &'a CaseFile,
    change: &Change,
    now: DateTime<Utc>,
) -> impl Iterator<Item = &'a Override> {
    let id = change.id;
    case.overrides
        .iter()
        .filter(move |o| o.change_id == id && standing(case, o, now).counts())
}

/// So many working days later, Monday to Friday, at the same time of day.
pub fn working_days_after(at: DateTime<Utc>, days: i64) -> DateTime<Utc> {
    let (mut due, mut left) = (at, days.max(1));
    while left > 0 {
        due += TimeDelta::days(1);
        if !matches!(due.weekday(), Weekday::Sat | Weekday::Sun) {
            left -= 1;
        }
    }
    due
}

/// The times of an override asked for now: its end, the end of the wait for a co-signature, and
/// when its review is due. `seconds` is what was asked for.
pub fn times(
    policy: &Policy,
    seconds: i64,
    now: DateTime<Utc>,
) -> (DateTime<Utc>, DateTime<Utc>, DateTime<Utc>) {
    (
        now + TimeDelta::seconds(seconds.clamp(1, policy.override_max_s)),
        now + TimeDelta::seconds(policy.cosign_wait_s),
        working_days_after(now, policy.review_working_days),
    )
}

fn active(case: &CaseFile, person: Uuid, act: Act) -> Result<(), Sentence> {
    let Some(found) = case.person(person) else {
        return Err(Sentence::new("decide-unknown-person"));
    };
    let named = |key: &str| Sentence::new(key).text("person", &found.name);
    if !found.active {
        return Err(named("decide-inactive"));
    }
    if act.allowed_by(&found.roles).is_none() {
        return Err(named("override-no-role"));
    }
    Ok(())
}

/// Whether a person may ask for an override of a change's gate: an active manager who did not
/// write it.
///
/// # Errors
/// A sentence saying why not.
pub fn may_ask(case: &CaseFile, change: &Change, person: Uuid) -> Result<(), Sentence> {
    active(case, person, Act::Override)?;
    let same = |other: &Uuid| case.same_person(*other, person);
    let wrote = same(&change.author) || change.revisions.iter().any(|r| r.authors.iter().any(same));
    if wrote {
        return Err(Sentence::new("override-author")
            .text("person", case.name_of(person))
            .text("change", change.label()));
    }
    Ok(())
}

/// Whether a person may co-sign: an active reviewer or manager who neither asked for it nor
/// contributed to the change.
///
/// # Errors
/// A sentence saying why not.
pub fn may_cosign(case: &CaseFile, used: &Override, person: Uuid) -> Result<(), Sentence> {
    active(case, person, Act::Cosign)?;
    if case.same_person(used.by, person) {
        return Err(Sentence::new("override-second-person").text("person", case.name_of(person)));
    }
    let change = case
        .change(used.change_id)
        .ok_or_else(|| Sentence::new("gate-no-change"))?;
    contribution(case, change, person).map_or(Ok(()), Err)
}

/// Whether a person may review an override: an active reviewer who was not involved in the change,
/// in the override, or in any decision on it.
///
/// # Errors
/// A sentence saying why not.
pub fn may_review(case: &CaseFile, used: &Override, person: Uuid) -> Result<(), Sentence> {
    active(case, person, Act::Review)?;
    let involved = || Sentence::new("override-involved").text("person", case.name_of(person));
    let same = |other: Uuid| case.same_person(other, person);
    if same(used.by) || used.cosigned.as_ref().is_some_and(|c| same(c.by)) {
        return Err(involved());
    }
    let change = case
        .change(used.change_id)
        .ok_or_else(|| Sentence::new("gate-no-change"))?;
    if change.approvals.iter().any(|a| same(a.by)) {
        return Err(involved());
    }
    contribution(case, change, person).map_or(Ok(()), Err)
}

fn contribution(case: &CaseFile, change: &Change, person: Uuid) -> Option<Sentence> {
    contributor::contributors(case, change)
        .into_iter()
        .find(|(p, _)| case.same_person(*p, person))
        .map(|(_, why)| why)
}

/// Who could do something, by name; or that nobody can, and which role has to be given.
pub fn who(case: &CaseFile, may: impl Fn(Uuid) -> Result<(), Sentence>, nobody: &str) -> Sentence {
    let names: Vec<Arg> = case
        .people
        .iter()
        .filter(|p| may(p.id).is_ok())
        .map(|p| Arg::Text(p.name.clone()))
        .collect();
    if names.is_empty() {
        Sentence::new(nobody)
    } else {
        Sentence::new("override-who").with("people", Arg::List(names))
    }
}

/// Whether a manager is among these roles; for pages.
pub fn is_manager(roles: &[Role]) -> bool {
    Act::Override.allowed_by(roles).is_some()
}
