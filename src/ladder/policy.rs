//! Who may do what (lifecycle §2). Roles are checked per act; separation of duties (a contributor
//! never approves) is the gate's business, because it looks at a case's history.

use serde::{Deserialize, Serialize};

/// A role a person holds; they may hold several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads cases.
    Viewer,
    /// Opens cases, attaches evidence, records conditions, drafts and runs changes.
    Responder,
    /// Approves, asks for changes, rejects, accepts, sets evidence aside.
    Reviewer,
    /// Reads everything not confidential to others, reassigns owners, closes and reopens.
    Manager,
    /// Reads everything and the full audit log; writes nothing.
    Auditor,
    /// Users, roles, policies; acts on no case.
    Admin,
}

impl Role {
    /// All roles, as listed to people.
    pub const ALL: [Self; 6] = [
        Self::Viewer,
        Self::Responder,
        Self::Reviewer,
        Self::Manager,
        Self::Auditor,
        Self::Admin,
    ];

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Responder => "responder",
            Self::Reviewer => "reviewer",
            Self::Manager => "manager",
            Self::Auditor => "auditor",
            Self::Admin => "admin",
        }
    }

    /// The role with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.id() == id)
    }
}

/// A kind of act that needs a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// Read cases, contracts, evidence and decisions.
    Read,
    /// Open a case.
    OpenCase,
    /// Edit a case's problem, stages and hypotheses; record conditions.
    Investigate,
    /// Become owner of a case, or hand it over.
    AssignOwner,
    /// Attach evidence and describe runs.
    AttachEvidence,
    /// Withdraw evidence.
    WithdrawEvidence,
    /// Set evidence aside as not showing what it claims.
    SetAsideEvidence,
    /// Define services, task classes and contract drafts.
    DraftContract,
    /// Publish or withdraw a contract version.
    PublishContract,
    /// Draft and submit a change; start and end its canary.
    Change,
    /// Pause or roll back a canary: never blocked by review.
    RollBack,
    /// Approve, ask for changes, clear, reject, accept.
    Review,
    /// Close cases, put them on hold, make them confidential.
    Close,
    /// Open a closed case again.
    Reopen,
    /// Keep evidence from being purged for legal reasons.
    LegalHold,
    /// Read the whole audit log and verify it.
    ReadAudit,
    /// Invite people, grant roles, deactivate accounts.
    ManagePeople,
    /// See what retention keeps beyond its time, and which erasures wait.
    ReadRetention,
    /// Have bytes erased at a person's request.
    Erase,
    /// Read the numbers of the policy.
    ReadPolicy,
    /// Publish other numbers of the policy.
    ManagePolicy,
    /// Ask for an override of gate lines in an emergency.
    Override,
    /// Co-sign somebody else's override.
    Cosign,
    /// See every override, and how often each person and service needed one.
    ReadOverrides,
    /// Freeze a service against new changes, and lift a freeze.
    Freeze,
}

impl Act {
    /// All acts.
    pub const ALL: [Self; 25] = [
        Self::Read,
        Self::OpenCase,
        Self::Investigate,
        Self::AssignOwner,
        Self::AttachEvidence,
        Self::WithdrawEvidence,
        Self::SetAsideEvidence,
        Self::DraftContract,
        Self::PublishContract,
        Self::Change,
        Self::RollBack,
        Self::Review,
        Self::Close,
        Self::Reopen,
        Self::LegalHold,
        Self::ReadAudit,
        Self::ManagePeople,
        Self::ReadRetention,
        Self::Erase,
        Self::ReadPolicy,
        Self::ManagePolicy,
        Self::Override,
        Self::Cosign,
        Self::ReadOverrides,
        Self::Freeze,
    ];

    /// The roles that allow this act, the most specific first.
    pub fn roles(self) -> &'static [Role] {
        use Role::{Admin, Auditor, Manager, Responder, Reviewer, Viewer};
        match self {
            Self::Read => &[Viewer, Responder, Reviewer, Manager, Auditor],
            Self::OpenCase
            | Self::Investigate
            | Self::AttachEvidence
            | Self::DraftContract
            | Self::PublishContract
            | Self::Change => &[Responder],
            Self::WithdrawEvidence => &[Responder, Reviewer],
            Self::AssignOwner => &[Responder, Manager],
            Self::SetAsideEvidence | Self::Review => &[Reviewer],
            Self::RollBack | Self::Reopen => &[Responder, Reviewer, Manager],
            Self::LegalHold => &[Manager, Admin],
            Self::Close => &[Responder, Manager],
            Self::ReadAudit => &[Auditor, Manager, Admin],
            Self::ManagePeople | Self::ManagePolicy | Self::Erase => &[Admin],
            Self::ReadRetention => &[Admin, Auditor],
            Self::ReadPolicy => &[Viewer, Responder, Reviewer, Manager, Auditor, Admin],
            Self::Override | Self::Freeze => &[Manager],
            Self::Cosign => &[Reviewer, Manager],
            Self::ReadOverrides => &[Manager, Auditor],
        }
    }

    /// The role among `held` that allows this act, if one does.
    pub fn allowed_by(self, held: &[Role]) -> Option<Role> {
        self.roles().iter().copied().find(|r| held.contains(r))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admin_and_auditor_alone_act_on_no_case() {
        for act in Act::ALL {
            let by_admin = act.allowed_by(&[Role::Admin]).is_some();
            assert_eq!(
                by_admin,
                matches!(
                    act,
                    Act::ManagePeople
                        | Act::ManagePolicy
                        | Act::ReadPolicy
                        | Act::ReadAudit
                        | Act::ReadRetention
                        | Act::Erase
                        | Act::LegalHold
                ),
                "{act:?}"
            );
            let by_auditor = act.allowed_by(&[Role::Auditor]).is_some();
            assert_eq!(
                by_auditor,
                matches!(
                    act,
                    Act::Read
                        | Act::ReadAudit
                        | Act::ReadPolicy
                        | Act::ReadOverrides
                        | Act::ReadRetention
                ),
                "{act:?}"
            );
        }
    }

    #[test]
    fn only_a_reviewer_reviews() {
        let others: Vec<Role> = Role::ALL
            .into_iter()
            .filter(|r| *r != Role::Reviewer)
            .collect();
        assert_eq!(Act::Review.allowed_by(&others), None);
        assert_eq!(Act::Review.allowed_by(&Role::ALL), Some(Role::Reviewer));
    }
}
