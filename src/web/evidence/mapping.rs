//! Saying what the columns of a table mean: the form of an item whose reader asked, a preview of
//! the rows it showed, and the mapping kept with the reading enqueued.

mod typed;

use crate::{
    intake::reading,
    ladder::{
        CaseFile,
        evidence::{Evidence, EvidenceState},
        policy::Act,
    },
    store::{evidence as items, mappings},
    web::{
        App, Error, Page, Reader, Result,
        contracts::signals,
        evidence_acts,
        form::Faults,
        page::{Nav, show, show_with},
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Form, Path, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use pel_evidence::{
    Mapping, Proposal,
    mapping::{Field, Numbers, Subject, Takes},
    tables,
};
use std::collections::HashMap;
use typed::{ColumnRow, MeasureRow};

/// One row of the preview: its number, and what it would say.
pub(super) struct PreviewRow {
    number: u64,
    words: Vec<String>,
    wrong: bool,
}

#[derive(Template)]
#[template(path = "evidence/mapping.html")]
struct MappingPage {
    page: Page,
    case: CaseFile,
    item: Evidence,
    layout: String,
    proposal: Proposal,
    questions: Vec<String>,
    columns: Vec<ColumnRow>,
    measures: Vec<MeasureRow>,
    stages: Vec<signals::Stage>,
    /// What a column may mean, by group: value and word.
    choices: Vec<(String, Vec<(String, String)>)>,
    only_column: String,
    only_text: String,
    statistics: Vec<(String, String)>,
    units: Vec<&'static str>,
    mapping: Mapping,
    thousands: &'static str,
    samples: String,
    without_window: bool,
    preview: Option<Vec<PreviewRow>>,
    faults: Faults,
}

/// What was asked about an item, and the case around it.
async fn load(
    app: &App,
    reader: &Reader,
    label: &str,
) -> Result<(CaseFile, Evidence, Proposal, Mapping)> {
    let mut conn = app.conn().await?;
    let (case, item) = evidence_acts::find(&mut conn, reader, label).await?;
    let asks = mappings::asked(&mut conn, item.id).await?;
    let asks = asks.ok_or(Error::NotFound)?;
    let first = match mappings::newest(&mut conn, item.id).await? {
        Some(kept) => kept.mapping,
        None => mappings::remembered(&mut conn, case.service.0, &asks.fingerprint)
            .await?
            .unwrap_or_else(|| asks.guess.clone()),
    };
    Ok((case, item, asks, first))
}

/// Whether a mapping may be said of the item as it stands.
pub fn offered(item: &Evidence) -> bool {
    !item.attested
        && matches!(
            item.state,
            EvidenceState::Unreadable | EvidenceState::Usable
        )
}

/// `GET /evidence/{ev}/mapping`
///
/// # Errors
/// Not found when the item's reader asked nothing; conflict when the item is out of play.
pub async fn form(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::AttachEvidence)?;
    let (case, item, asks, mapping) = load(&app, &reader, &label).await?;
    if !offered(&item) {
        return Err(Error::Conflict);
    }
    let faults = Faults::default();
    show(&page_of(page, case, item, asks, mapping, None, faults))
}

/// `POST /evidence/{ev}/mapping`: shows what the mapping makes of the rows that were seen, or keeps
/// it and has the item read again.
///
/// # Errors
/// As [`form`]. What is wrong with the mapping comes back with the form.
pub async fn post(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(form): Form<HashMap<String, String>>,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    let (case, item, asks, _) = load(&app, &reader, &label).await?;
    if !offered(&item) {
        return Err(Error::Conflict);
    }
    let mut faults = Faults::default();
    let mapping = typed::read(&page, &asks, &form, &mut faults);
    check(&page, &case, &item, &asks, &mapping, &mut faults);
    let rows = preview(&page, &asks, &mapping);
    if let Some(wrong) = rows.iter().find(|r| r.wrong) {
        faults.add("preview", wrong.words.join(" "));
    }
    if faults.is_empty() && form.get("do").map(String::as_str) == Some("read") {
        let mut tx = app.begin().await?;
        let (case, item) = evidence_acts::held(&mut tx, &reader, &label).await?;
        if !offered(&item) {
            return Err(Error::Conflict);
        }
        let who = reader.actor(&visit, Some(role));
        let known = mappings::newest(&mut tx, item.id).await?;
        // The same said twice is said once.
        if known.is_none_or(|k| k.mapping != mapping || k.by != reader.id) {
            let of = (case.id, item.id, case.service.0);
            let said = (asks.fingerprint.as_str(), &mapping);
            mappings::keep(&mut tx, &who, of, said, visit.now).await?;
        }
        items::read_again(&mut tx, &who, case.id, item.id, visit.now).await?;
        reading::enqueue(&mut tx, item.id, visit.now).await?;
        app.commit_settled(tx, case.id, visit.now).await?;
        return Ok(Redirect::to(&format!("/evidence/{label}")).into_response());
    }
    let status = match faults.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = page_of(page, case, item, asks, mapping, Some(rows), faults);
    show_with(status, &page)
}

/// What is wrong with the mapping as a whole.
fn check(
    page: &Page,
    case: &CaseFile,
    item: &Evidence,
    asks: &Proposal,
    mapping: &Mapping,
    faults: &mut Faults,
) {
    if let Err(refusal) = mapping.check("") {
        let (why, remedy) = say::refusal(page.lang, &refusal);
        let column = refusal.args.get("column").map_or("", String::as_str);
        let at = asks.columns.iter().position(|c| c.name == column);
        let field = at.map_or_else(|| "columns".to_owned(), |at| format!("as-{at}"));
        faults.add(field, format!("{why} {remedy}"));
    }
    if serde_json::to_string(mapping).is_ok_and(|json| json.len() > mappings::MOST_BYTES) {
        faults.add("columns", page.t("mapping-fault-size"));
    }
    if mapping.subject != Subject::Measurements {
        return;
    }
    let counted = typed::counts_samples(mapping);
    if mapping.samples.is_none() && !counted && faults.of("samples").is_none() {
        faults.add("samples", page.t("attest-fault-samples"));
    }
    if case
        .run(item.run_id)
        .is_none_or(|r| r.stated.window.is_none())
    {
        faults.add("window", page.t("mapping-fault-window"));
    }
}

/// What the mapping makes of the rows that the reader showed. Reads no file.
fn preview(page: &Page, asks: &Proposal, mapping: &Mapping) -> Vec<PreviewRow> {
    let names: Vec<String> = asks.columns.iter().map(|c| c.name.clone()).collect();
    if mapping.subject == Subject::Requests {
        return typed::requests(page, mapping, &names, &asks.rows);
    }
    // JSON says itself what is a number.
    let mut mapping = mapping.clone();
    if asks.layout.delimiter().is_none() && asks.layout.id().starts_with("json") {
        mapping.numbers = Numbers::default();
    }
    tables::preview(&mapping, &names, &asks.rows)
        .into_iter()
        .map(|(number, said)| match said {
            Ok(signals) => PreviewRow {
                number,
                words: signals
                    .iter()
                    .map(|s| {
                        let name = say::measure(page.lang, &s.name, s.statistic);
                        let labels = say::labels(page.lang, &s.labels);
                        format!("{name} {labels} {}", say::value(page.lang, s))
                    })
                    .collect(),
                wrong: false,
            },
            Err(wrong) => PreviewRow {
                number,
                words: vec![page.t2(
                    &format!("refusal-{}", wrong.code),
                    "text",
                    wrong.text,
                    "column",
                    wrong.column,
                )],
                wrong: true,
            },
        })
        .collect()
}

fn page_of(
    page: Page,
    case: CaseFile,
    item: Evidence,
    asks: Proposal,
    mapping: Mapping,
    preview: Option<Vec<PreviewRow>>,
    faults: Faults,
) -> MappingPage {
    let said = |q: &pel_evidence::mapping::Question| {
        page.t1(&format!("question-{}", q.code), "column", &q.column)
    };
    let stages = signals::by_stage(page.lang, |_| true);
    let (only_column, only_text) = match &mapping.only {
        Some(only) => (only.column.clone(), only.text.clone()),
        None => Default::default(),
    };
    MappingPage {
        only_column,
        only_text,
        layout: page.t(&format!("layout-{}", asks.layout.id())),
        questions: asks.questions.iter().map(said).collect(),
        columns: typed::columns(&asks, &mapping),
        measures: typed::measures(&asks, &mapping),
        choices: choices(&page, &stages),
        stages,
        statistics: signals::statistics(page.lang),
        units: signals::units(),
        thousands: typed::thousands_id(mapping.numbers.thousands),
        samples: mapping.samples.map(|n| n.to_string()).unwrap_or_default(),
        without_window: case
            .run(item.run_id)
            .is_none_or(|r| r.stated.window.is_none()),
        page: page.at(Nav::Cases),
        proposal: asks,
        case,
        item,
        mapping,
        preview,
        faults,
    }
}

/// What a column may mean, by group.
fn choices(page: &Page, stages: &[signals::Stage]) -> Vec<(String, Vec<(String, String)>)> {
    let word = |value: &str, key: &str| (value.to_owned(), page.t(key));
    let labels = ["class", "run", "load", "device", "model"]
        .map(|l| word(&format!("label:{l}"), &format!("mapping-label-{l}")));
    let others =
        ["samples", "measure", "value", "unit"].map(|k| word(k, &format!("mapping-means-{k}")));
    let parts = labels.into_iter().chain(others).collect();
    let of_stage = |stage: &signals::Stage| {
        let named = |(name, label): &(&str, String)| (format!("signal:{name}"), label.clone());
        (
            stage.name.clone(),
            stage.signals.iter().map(named).collect(),
        )
    };
    let fields = Field::ALL
        .map(|f| word(&format!("field:{}", f.id()), &say::key("field", f.id())))
        .to_vec();
    std::iter::once((page.t("mapping-parts"), parts))
        .chain(stages.iter().map(of_stage))
        .chain(std::iter::once((page.t("mapping-fields"), fields)))
        .collect()
}

/// Whether a field takes a unit.
fn takes_unit(field: Field) -> bool {
    field.takes() != Takes::Text
}
