//! One run: what is stated about it, and its evidence.

use super::environment::{self as shown, FactView};
use super::{load, run_of};
use crate::ladder::CaseFile;
use crate::ladder::environment;
use crate::ladder::evidence::{Contradiction, Evidence};
use crate::ladder::policy::Act;
use crate::ladder::run::Run;
use crate::web::case::checks;
use crate::web::evidence::attested::{self, AttestedRow};
use crate::web::page::{Nav, show};
use crate::web::{App, Page, Reader, Result, say};
use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};

#[derive(Template)]
#[template(path = "runs/show.html")]
struct RunPage {
    page: Page,
    case: CaseFile,
    run: Run,
    items: Vec<Item>,
    by: String,
    may_attach: bool,
    attested: Vec<AttestedRow>,
    facts: Vec<FactView>,
    /// Digest and short name of the environment.
    place: (String, String),
}

struct Item {
    label: String,
    kind: String,
    state: String,
    files: String,
    checks: Vec<String>,
}

impl RunPage {
    fn word(&self, prefix: &str, id: &str) -> String {
        self.page.t(&say::key(prefix, id))
    }

    fn contract(&self) -> Option<String> {
        let id = self.run.stated.contract_version_id?;
        self.case
            .contract
            .as_ref()
            .filter(|c| c.id == id)
            .map(|c| format!("{} v{}", c.contract_name, c.number))
    }
}

/// What a file says against a statement, in words.
pub fn contradiction(page: &Page, c: &Contradiction) -> String {
    let args = [
        ("field", c.field.as_str()),
        ("stated", &c.stated),
        ("found", &c.found),
    ];
    page.text("run-contradicted", &args)
}

fn item(page: &Page, case: &CaseFile, run: &Run, evidence: &Evidence) -> Item {
    Item {
        label: evidence.label(),
        kind: match &evidence.extraction {
            Some(x) => page.t(&say::key("kind", x.kind.id())),
            None if evidence.attested => page.t("attested-kind"),
            None => String::new(),
        },
        state: page.t(&say::key("evidence-state", evidence.state.id())),
        files: evidence
            .files
            .iter()
            .map(|f| f.name.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        checks: evidence
            .contradictions(run)
            .iter()
            .filter(|c| !checks::is_accepted(case, evidence, c))
            .map(|c| contradiction(page, c))
            .collect(),
    }
}

/// `GET /cases/{c}/runs/{run}`
pub async fn get(
    State(app): State<App>,
    Path((label, run)): Path<(String, String)>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let case = load(&app, &reader, &label).await?;
    let run = run_of(&case, &run)?.clone();
    let items = case
        .items_of(run.id)
        .map(|e| item(&page, &case, &run, e))
        .collect();
    let effective = environment::of_run(&case, &run);
    let facts = shown::facts(&page, &effective);
    let place = (
        effective.environment.digest(),
        effective.environment.short_name().unwrap_or_default(),
    );
    show(&RunPage {
        facts,
        place,
        by: case.name_of(run.by),
        attested: attested::rows(&page, &case, |a| a.run_id == run.id),
        may_attach: reader.can(Act::AttachEvidence),
        page: page.at(Nav::Cases),
        items,
        case,
        run,
    })
}
