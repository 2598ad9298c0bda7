//! The bundle of a change: one setting a line on the form, `name = old → new`, and a reviewer's
//! consent to it on the page of the change.

use super::form::Typed;
use super::judging::Posted;
use super::{change_of, locked, path, show, to};
use crate::ladder::bundle::Bundle;
use crate::ladder::change::{Change, ChangeState, Knob, Terms};
use crate::ladder::policy::Act;
use crate::ladder::{CaseFile, contributor};
use crate::store::bundles;
use crate::web::{
    App, Error, Page, Reader, Result, form::Faults, format::Markup, say, visit::Visit,
};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;

/// Fewest characters of the words a consent is given with.
const WORDS: usize = 5;

/// Most settings of a bundle.
const MOST: usize = 12;

/// The bundle of a revision as the form shows it.
pub fn lines(terms: &Terms) -> String {
    terms
        .bundle
        .iter()
        .flat_map(|b| &b.settings)
        .map(|k| format!("{} = {} → {}", k.setting, k.old, k.new))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Reads the form. Nothing typed is no bundle.
pub fn read(typed: &Typed, page: &Page, faults: &mut Faults) -> Option<Bundle> {
    let reason = typed.bundle_reason.trim();
    let lines: Vec<&str> = typed
        .bundle
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    if lines.is_empty() && reason.is_empty() {
        return None;
    }
    if lines.len() > MOST {
        faults.add("bundle", page.t1("bundle-fault-many", "most", MOST));
    }
    let mut settings = Vec::new();
    for (i, line) in lines.iter().take(MOST).enumerate() {
        match setting(line) {
            Some((name, old, new)) => settings.push(Knob {
                component: typed.component.trim().to_owned(),
                setting: name.to_owned(),
                old: old.to_owned(),
                new: new.to_owned(),
                unit: String::new(),
            }),
            None => faults.add("bundle", page.t1("bundle-fault-line", "line", i + 1)),
        }
    }
    Some(Bundle {
        settings,
        reason: reason.to_owned(),
    })
}

/// `name = old → new`, also with `->`.
fn setting(line: &str) -> Option<(&str, &str, &str)> {
    let (name, values) = line.split_once('=')?;
    let (old, new) = values.split_once('→').or_else(|| values.split_once("->"))?;
    let name = name.trim();
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-[]".contains(c));
    (!name.is_empty() && plain).then_some((name, old.trim(), new.trim()))
}

/// A consent as shown.
pub struct ConsentView {
    /// Who gave it.
    pub name: String,
    /// When.
    pub at: Markup,
    /// Their words.
    pub note: String,
    /// Whether it was given on the current revision.
    pub current: bool,
}

/// The bundle of the current revision as shown.
pub struct BundleView {
    /// Setting, old and new value.
    pub settings: Vec<(String, String, String)>,
    /// Why they cannot be moved apart.
    pub reason: String,
    /// Consents, newest first.
    pub consents: Vec<ConsentView>,
    /// Whether the revision is one that can be consented to now.
    pub open: bool,
}

/// The bundle of a change, when its current revision has one.
pub fn view(page: &Page, case: &CaseFile, change: &Change) -> Option<BundleView> {
    let revision = change.current()?;
    let bundle = revision.terms.bundle.as_ref()?;
    let consents = change.consents.iter().rev().map(|c| ConsentView {
        name: case.name_of(c.by),
        at: page.time(&c.at),
        note: c.note.clone(),
        current: c.revision_digest == revision.digest,
    });
    Some(BundleView {
        settings: bundle
            .settings
            .iter()
            .map(|k| (k.setting.clone(), k.old.clone(), k.new.clone()))
            .collect(),
        reason: bundle.reason.clone(),
        consents: consents.collect(),
        open: takes_consent(change),
    })
}

fn takes_consent(change: &Change) -> bool {
    let state = matches!(
        change.state,
        ChangeState::Submitted | ChangeState::ApprovedForCanary
    );
    state && change.current().is_some_and(|r| r.submitted_at.is_some())
}

/// `POST /cases/{c}/changes/{h}/bundle/consent`: by a reviewer who did not contribute, on the
/// revision that was shown.
pub async fn consent(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?;
    let back = format!("{}#bundle", path(&c, &h));
    let revision = change.current().ok_or(Error::NotFound)?;
    let given = |by| {
        let mut all = change.consents.iter();
        all.any(|x| x.by == by && x.revision_digest == revision.digest)
    };
    if given(reader.id) {
        return Ok(to(&back));
    }
    if revision.terms.bundle.is_none()
        || !takes_consent(change)
        || revision.digest != posted.revision
    {
        return Err(Error::Conflict);
    }
    let why = contributor::may_decide(&case, change, reader.id).err();
    let fault = match why {
        Some(why) => Some(say::sentence(page.lang, &why)),
        None => {
            (crate::web::form::visible(&posted.note) < WORDS).then(|| page.t("bundle-fault-words"))
        }
    };
    if let Some(message) = fault {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let fault = ("consent", message, posted.note.as_str());
        return show::again(&app, &reader, page, &visit, (&c, &h), fault).await;
    }
    let actor = reader.actor(&visit, Some(role));
    let on = (change.id, revision.id, revision.digest.as_str());
    bundles::consent(&mut tx, &actor, case.id, on, &posted.note, visit.now).await?;
    app.commit(tx).await?;
    Ok(to(&back))
}

#[cfg(test)]
mod tests {
    use super::setting;

    #[test]
    fn a_setting_is_a_name_and_two_values() {
        assert_eq!(
            setting("max_num_seqs = 128 → 256"),
            Some(("max_num_seqs", "128", "256"))
        );
        assert_eq!(setting("a.b[0]=-1->2"), Some(("a.b[0]", "-1", "2")));
        for wrong in ["", "a", "a = 1", "= 1 → 2", "a b = 1 → 2"] {
            assert_eq!(setting(wrong), None, "{wrong}");
        }
    }
}
