//! Where an open line leads: the form that closes it, with what it needs filled in, or who may use
//! it.

use super::gate_view::change_path;
use crate::{
    ladder::{CaseFile, CaseState, contributor, gate::Closes, policy::Act},
    web::{Page, say},
};
use uuid::Uuid;

/// An act as a link, or who may do it when this reader may not.
pub(super) type Closing = (Option<(String, String)>, Option<String>);

pub(super) fn closing(page: &Page, case: &CaseFile, closes: &Closes) -> Closing {
    if case.state == CaseState::Closed {
        return (None, None);
    }
    let Some((act, href, key)) = place(case, closes) else {
        return (None, None);
    };
    if matches!(act, Act::Review) {
        return reviewing(page, case, (href, page.t(key)));
    }
    if page.can(act) {
        return (Some((href, page.t(key))), None);
    }
    let roles = act
        .roles()
        .iter()
        .map(|r| page.role(r))
        .collect::<Vec<_>>()
        .join(", ");
    (None, Some(page.t1("case-gate-who-role", "roles", roles)))
}

/// A reviewer's act goes only to a reviewer who did not contribute; everybody else reads who can.
fn reviewing(page: &Page, case: &CaseFile, link: (String, String)) -> Closing {
    let Some(change) = case.live_change() else {
        return (None, None);
    };
    let may = page
        .reader
        .as_ref()
        .is_some_and(|r| r.can(Act::Review) && contributor::may_decide(case, change, r.id).is_ok());
    if may {
        return (Some(link), None);
    }
    let who = say::sentence(page.lang, &contributor::who_may(case, change));
    (None, Some(who))
}

/// Where a gap is closed: the act's role, its address with what it is prefilled with, its words.
fn place(case: &CaseFile, closes: &Closes) -> Option<(Act, String, &'static str)> {
    let base = super::path(case);
    let run = |id: &Uuid| case.run(*id).map(|r| format!("{base}/runs/{}", r.label()));
    let change = |id: &Uuid| case.change(*id).map(|c| change_path(case, c));
    Some(match closes {
        Closes::PinContract => (
            Act::Investigate,
            format!("{base}/contract"),
            "case-do-pin-contract",
        ),
        Closes::AddRun {
            role,
            phase,
            profiled,
            class,
        } => {
            let mut href = format!(
                "{base}/runs/new?role={}&phase={}&profiled={}",
                role.id(),
                phase.id(),
                profiled.id()
            );
            if let Some(class) = class {
                href.push_str("&class=");
                href.push_str(&escape(class));
            }
            (Act::AttachEvidence, href, "case-do-add-run")
        }
        Closes::AddEvidence(id) => (
            Act::AttachEvidence,
            format!("{}/evidence", run(id)?),
            "case-do-add-evidence",
        ),
        Closes::EditRun(id) => (Act::AttachEvidence, run(id)?, "case-do-edit-run"),
        Closes::Run(id) => (Act::Read, run(id)?, "case-do-see-run"),
        Closes::EvidenceItem(id) => {
            let item = case.item(*id)?;
            (
                Act::Read,
                format!("/evidence/{}", item.label()),
                "case-do-see-evidence",
            )
        }
        Closes::RecordCondition(condition) => {
            let id = condition.id().replace('_', "-");
            (
                Act::Investigate,
                format!("{base}/conditions/{id}"),
                "case-do-record",
            )
        }
        Closes::DeclareStage(stage) => (
            Act::Investigate,
            format!("{base}/stages/{}", stage.number()),
            "case-do-declare-stage",
        ),
        Closes::Stage(stage) => (
            Act::Read,
            format!("{base}#s{}", stage.number()),
            "case-do-see-stage",
        ),
        Closes::DraftChange => (
            Act::Change,
            format!("{base}/changes/new"),
            "case-do-draft-change",
        ),
        Closes::EditChange(id) => (
            Act::Change,
            format!("{}/edit", change(id)?),
            "case-do-edit-change",
        ),
        Closes::Submit(id) => (Act::Change, change(id)?, "case-do-submit"),
        Closes::Approve(id) => (Act::Review, change(id)?, "case-do-approve"),
        Closes::ConsentBundle(id) => (
            Act::Review,
            format!("{}#bundle", change(id)?),
            "case-do-consent-bundle",
        ),
        Closes::ClearRequest(id) => (Act::Review, change(id)?, "case-do-clear-request"),
        Closes::StartCanary(id) => (
            Act::Change,
            format!("{}/canary/start", change(id)?),
            "case-do-start-canary",
        ),
        Closes::EndCanary(id) => (
            Act::Change,
            format!("{}/canary/end", change(id)?),
            "case-do-end-canary",
        ),
        Closes::RollBack(id) => (
            Act::RollBack,
            format!("{}/roll-back", change(id)?),
            "case-do-roll-back",
        ),
        Closes::Change(id) => (Act::Read, change(id)?, "case-do-see-change"),
        Closes::Compare(phase) => (
            Act::Read,
            format!("{base}/compare?phase={}", phase.id()),
            "case-do-compare",
        ),
        Closes::EndHold => (
            Act::AssignOwner,
            format!("{base}/standing#on_hold"),
            "case-do-end-hold",
        ),
        Closes::Consent => (
            Act::Review,
            format!("{base}/contract#loosened"),
            "case-do-consent",
        ),
        Closes::Override(id) => (
            Act::Read,
            format!("{base}/overrides/{id}"),
            "case-do-review-override",
        ),
    })
}

/// Text in a query: everything but plain letters, digits and a few marks is escaped.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
