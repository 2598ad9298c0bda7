//! Attesting a number: the form on a run. The file goes through the normal intake and no further:
//! no parser ever reads it.

use super::{actor, load, locked, open, run_of};
use crate::intake::receive;
use crate::ladder::CaseFile;
use crate::ladder::evidence::{Evidence, EvidenceFile, EvidenceState};
use crate::ladder::policy::Act;
use crate::ladder::run::Run;
use crate::store::vouched::NewAttested;
use crate::store::{self, evidence, vouched};
use crate::web::contracts::signals;
use crate::web::form::{Faults, visible};
use crate::web::page::{Nav, show, show_with};
use crate::web::{App, Error, Page, Reader, Result, format, typed, visit::Visit};
use askama::Template;
use axum::{
    extract::{FromRequest as _, Multipart, Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use pel_evidence::{Signal, catalogue};

/// Minutes a window may end after now before it lies ahead.
const AHEAD_MINUTES: i64 = 5;

/// What was typed, kept as typed.
#[derive(Debug, Clone, Default)]
struct Typed {
    signal: String,
    statistic: String,
    value: String,
    unit: String,
    samples: String,
    start: String,
    end: String,
    class: String,
    source: String,
    place: String,
    again: String,
}

impl Typed {
    fn of(form: &receive::Form) -> Self {
        let text = |name: &str| form.text(name).unwrap_or_default().to_owned();
        Self {
            signal: text("signal"),
            statistic: text("statistic"),
            value: text("value"),
            unit: text("unit"),
            samples: text("samples"),
            start: text("start"),
            end: text("end"),
            class: text("class"),
            source: text("source"),
            place: text("place"),
            again: text("again"),
        }
    }

    fn fresh(run: &Run) -> Self {
        let minute = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M").to_string();
        Self {
            start: run.stated.window.map(|w| minute(w.0)).unwrap_or_default(),
            end: run.stated.window.map(|w| minute(w.1)).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The number and its window; faults name every missing part.
    fn parse(&self, page: &Page, run: &Run, faults: &mut Faults) -> Option<Parsed> {
        let def = catalogue::find(self.signal.trim());
        if def.is_none() {
            faults.add("signal", page.t("attest-fault-signal"));
        }
        let statistic = self.statistic.parse().ok();
        if statistic.is_none() {
            faults.add("statistic", page.t("attest-fault-statistic"));
        }
        let value = def.and_then(|d| self.value_of(page, d, faults));
        if def.is_none() && self.value.trim().is_empty() {
            faults.add("value", page.t("attest-fault-value"));
        }
        let samples = typed::whole(&self.samples).filter(|n| *n > 0);
        if samples.is_none() {
            faults.add("samples", page.t("attest-fault-samples"));
        }
        let window = self.window(page, run, faults);
        if visible(&self.place) < 10 {
            faults.add("place", page.t("attest-fault-place"));
        }
        let class = self.class.trim();
        if let Some(of_run) = run.stated.class.as_deref()
            && !class.is_empty()
            && class != of_run
        {
            faults.add("class", page.t1("attest-fault-class", "class", of_run));
        }
        let mut signal = Signal::new(def?.name, statistic?, value?);
        signal.samples = Some(samples?);
        Some(Parsed {
            signal,
            class: (!class.is_empty()).then(|| class.to_owned()),
            window: window?,
        })
    }

    fn value_of(
        &self,
        page: &Page,
        def: &catalogue::SignalDef,
        faults: &mut Faults,
    ) -> Option<f64> {
        match typed::value(page.lang, def.unit, &self.value, self.unit.trim()) {
            Ok(value) => Some(value),
            Err(typed::ValueFault::Number) => {
                faults.add("value", page.t("attest-fault-value"));
                None
            }
            Err(typed::ValueFault::Unit) => {
                let units = typed::spellings(def);
                faults.add("unit", page.t1("attest-fault-unit", "units", units));
                None
            }
        }
    }

    fn window(
        &self,
        page: &Page,
        run: &Run,
        faults: &mut Faults,
    ) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
        let fault = match (typed::time(&self.start), typed::time(&self.end)) {
            (None, _) => ("start", "attest-fault-window"),
            (_, None) => ("end", "attest-fault-window"),
            (Some(a), Some(b)) if a >= b => ("end", "attest-fault-window-order"),
            (Some(_), Some(b)) if b > page.now + TimeDelta::minutes(AHEAD_MINUTES) => {
                ("end", "attest-fault-window-future")
            }
            (Some(a), Some(b)) if run.stated.window.is_some_and(|(x, y)| b <= x || a >= y) => {
                ("start", "attest-fault-window-run")
            }
            (Some(a), Some(b)) => return Some((a, b)),
        };
        faults.add(fault.0, page.t(fault.1));
        None
    }
}

struct Parsed {
    signal: Signal,
    class: Option<String>,
    window: (DateTime<Utc>, DateTime<Utc>),
}

#[derive(Template)]
#[template(path = "runs/attest.html")]
struct AttestPage {
    page: Page,
    case: CaseFile,
    run: Run,
    stages: Vec<signals::Stage>,
    statistics: Vec<(String, String)>,
    units: Vec<&'static str>,
    classes: Vec<String>,
    sources: Vec<(String, String)>,
    limit: String,
    typed: Typed,
    faults: Faults,
}

/// Files kept for attested numbers of the run, which another number may stand in too.
fn sources<'a>(case: &'a CaseFile, run: &Run) -> impl Iterator<Item = &'a Evidence> {
    case.items_of(run.id)
        .filter(|e| e.attested && e.state == EvidenceState::Usable)
}

fn page_of(
    app: &App,
    page: Page,
    case: CaseFile,
    run: Run,
    typed: Typed,
    faults: Faults,
) -> AttestPage {
    let classes = match (&run.stated.class, &case.contract) {
        (None, Some(v)) => v.terms.classes.iter().map(|c| c.name.clone()).collect(),
        _ => Vec::new(),
    };
    AttestPage {
        stages: signals::by_stage(page.lang, |_| true),
        statistics: signals::statistics(page.lang),
        units: signals::units(),
        classes,
        sources: sources(&case, &run)
            .map(|e| {
                let name = e.files.first().map_or("", |f| f.name.as_str());
                (e.label(), name.to_owned())
            })
            .collect(),
        limit: format::limit(page.lang, app.rules.file_bytes).to_string(),
        page: page.at(Nav::Cases),
        case,
        run,
        typed,
        faults,
    }
}

/// `GET /cases/{c}/runs/{run}/attest`
///
/// # Errors
/// Not found; conflict when the case is closed.
pub async fn form(
    State(app): State<App>,
    Path((label, run)): Path<(String, String)>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::AttachEvidence)?;
    let case = load(&app, &reader, &label).await?;
    open(&case)?;
    let run = run_of(&case, &run)?.clone();
    let typed = Typed::fresh(&run);
    show(&page_of(&app, page, case, run, typed, Faults::default()))
}

/// `POST /cases/{c}/runs/{run}/attest`
///
/// # Errors
/// Not found; conflict when the case is closed. Missing parts come back with the form.
pub async fn post(
    State(app): State<App>,
    Path((label, run)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    request: Request,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    let case = load(&app, &reader, &label).await?;
    open(&case)?;
    let run = run_of(&case, &run)?.clone();
    let Ok(mut multipart) = Multipart::from_request(request, &app).await else {
        return Err(Error::Invalid(page.t("attest-fault-file")));
    };
    let mut faults = Faults::default();
    let received = receive::form(&app.blobs, &mut multipart, app.rules, &mut |_, _| {}).await;
    let received = received.unwrap_or_else(|refused| {
        faults.add("file", super::upload::said(&page, None, &refused));
        receive::Form::default()
    });
    let typed = Typed::of(&received);
    let parsed = typed.parse(&page, &run, &mut faults);
    let file = source(&page, &case, &run, &typed, received, &mut faults);
    if let (Some(parsed), Some(file), true) = (parsed, file, faults.is_empty()) {
        let mut tx = app.begin().await?;
        let case = locked(&mut tx, &reader, &label).await?;
        let who = actor(&reader, &visit, role);
        let kept = match file {
            Source::Here(id, number) => Ok((id, number)),
            Source::New(file) => {
                let handing = evidence::Handing {
                    again: Some(&typed.again),
                    attested: true,
                };
                let of = (case.id, run.id);
                evidence::attach_as(&mut tx, &who, of, &[file], handing, visit.now).await
            }
        };
        match kept {
            Ok((id, number)) => {
                let new = NewAttested {
                    case_id: case.id,
                    run_id: run.id,
                    evidence_id: id,
                    signal: &parsed.signal,
                    typed: (&typed.value, &typed.unit),
                    class: parsed.class.as_deref(),
                    window: parsed.window,
                    place: &typed.place,
                };
                vouched::attest(&mut tx, &who, &new, visit.now).await?;
                app.commit_settled(tx, case.id, visit.now).await?;
                return Ok(Redirect::to(&format!("/evidence/EV-{number}#attested")).into_response());
            }
            Err(store::Error::Refused { constraint, detail }) => {
                let words = match constraint.as_str() {
                    "same_bytes_in_case" => {
                        page.t2("upload-fault-same", "name", "", "item", detail)
                    }
                    "withdrawn_bytes_need_reason" => {
                        super::upload::withdrawn(&mut tx, &page, "", &detail).await?
                    }
                    _ => return Err(Error::Refused { constraint }),
                };
                faults.add("file", words);
            }
            Err(other) => return Err(other.into()),
        }
    }
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    show_with(status, &page_of(&app, page, case, run, typed, faults))
}

enum Source {
    /// An item that is kept already.
    Here(uuid::Uuid, i64),
    /// A file that came with the form.
    New(EvidenceFile),
}

/// The file the number was read from: one that came along, or one that is kept already.
fn source(
    page: &Page,
    case: &CaseFile,
    run: &Run,
    typed: &Typed,
    received: receive::Form,
    faults: &mut Faults,
) -> Option<Source> {
    if let Some(file) = received.files.into_iter().next() {
        return match file.result {
            Ok(stored) => Some(Source::New(EvidenceFile {
                name: file.name,
                sha256: stored.sha256.to_string(),
                bytes: stored.bytes,
            })),
            Err(refused) => {
                faults.add(
                    "file",
                    super::upload::said(page, Some(&file.name), &refused),
                );
                None
            }
        };
    }
    let here = sources(case, run).find(|e| e.label() == typed.source.trim());
    if here.is_none() && faults.of("file").is_none() {
        faults.add("file", page.t("attest-fault-file"));
    }
    here.map(|e| Source::Here(e.id, e.number))
}
