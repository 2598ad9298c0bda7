//! Limits that became looser while a case was open. A run that failed may pass under them, so a
//! reviewer who did not contribute to the case must let the new version count (lifecycle §4).

use super::case::CaseFile;
use super::contract::{Limit, Version};
use super::life::{Consent, Pin};
use super::measure::about;
use super::view::contract_label;
use super::{Arg, Sentence};

/// One limit that is looser than when the case was judged by it, or gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Loosened {
    /// The version it stood in, `chat v3`.
    pub version: String,
    /// As it stood.
    pub was: Limit,
    /// As it stands; `None` when it is gone.
    pub now: Option<Limit>,
}

impl Loosened {
    /// `p99 TTFT ≤ 800 ms (chat v3) is now ≤ 900 ms`.
    pub fn said(&self) -> Sentence {
        let sentence = about(
            Sentence::new(if self.now.is_some() {
                "contract-limit-loosened"
            } else {
                "contract-limit-gone"
            }),
            &self.was,
        )
        .text("version", &self.version);
        match &self.now {
            Some(now) => sentence.with("now", Arg::Value(now.value, now.unit())),
            None => sentence,
        }
    }
}

/// Limits of the pinned contract that are looser than in a version the case was judged by before,
/// and that no reviewer has let count since. The strictest earlier word of a limit is the one that
/// is compared.
pub fn of(case: &CaseFile) -> Vec<Loosened> {
    let Some(pinned) = &case.contract else {
        return Vec::new();
    };
    let mut found: Vec<Loosened> = Vec::new();
    for pin in before(case, pinned) {
        for was in pinned.terms.loosened_limits(&pin.terms) {
            let now = pinned.limit(&was.id).cloned();
            let looser = Loosened {
                version: pin.label.clone(),
                was: was.clone(),
                now,
            };
            match found.iter_mut().find(|l| l.was.id == was.id) {
                Some(known) if stricter(was, &known.was) => *known = looser,
                Some(_) => {}
                None => found.push(looser),
            }
        }
    }
    found
}

fn stricter(a: &Limit, b: &Limit) -> bool {
    a.comparator == b.comparator && a.value != b.value && a.comparator.holds(a.value, b.value)
}

/// The versions the case was judged by that the pinned one is compared with: those since the last
/// one a reviewer let count, or all.
fn before<'a>(case: &'a CaseFile, pinned: &Version) -> &'a [Pin] {
    let pins = &case.life.pins;
    let agreed = pins
        .iter()
        .rposition(|p| case.life.consents.iter().any(|c| c.version == p.version));
    let from = agreed.unwrap_or(0);
    let end = pins
        .iter()
        .rposition(|p| p.version == pinned.id)
        .unwrap_or(pins.len());
    // Once the pinned version itself was let count there is nothing left to compare it with.
    pins.get(from..end.max(from)).unwrap_or_default()
}

/// The consent to the pinned version, when one was needed and given.
pub fn consent(case: &CaseFile) -> Option<&Consent> {
    let pinned = case.contract.as_ref()?;
    case.life
        .consents
        .iter()
        .find(|c| case.under_contract(Some(c.version)) || c.version == pinned.id)
}

/// By whom the loosened limits of the pinned version count, in words.
pub fn consented(case: &CaseFile) -> Option<Sentence> {
    consent(case).zip(case.contract.as_ref()).map(|(c, v)| {
        Sentence::new("gate-loosened-consented")
            .text("contract", contract_label(v))
            .text("person", case.name_of(c.by))
            .with("at", Arg::Time(c.at))
            .text("reason", &c.reason)
    })
}
