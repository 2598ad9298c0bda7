//! Opening a case: title, service and the observed symptom are enough; everything else may come
//! later.

use crate::{
    ladder::{
        case::{self, Symptom},
        policy::Act,
    },
    store::{
        cases::{self, NewCase},
        contracts,
        services::{self, Service},
    },
    web::{
        App, Page, Reader, Result,
        contracts::signals::{self, Stage},
        form::{self, Faults},
        page::{Nav, show_with},
        say, typed,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_extra::extract::Form;
use chrono::{DateTime, Utc};
use pel_evidence::{Statistic, catalogue};
use serde::Deserialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// What the form sends, as typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    form_key: Option<Uuid>,
    title: String,
    service: String,
    signal: String,
    statistic: String,
    observed: String,
    unit: String,
    symptom: String,
    first_seen: String,
    classes: Vec<String>,
    contract: String,
    problem: String,
    own: String,
}

/// A service with what a case of it may name.
struct Offer {
    service: Service,
    /// Contract versions that may be pinned: id and label.
    contracts: Vec<(Uuid, String)>,
}

#[derive(Template)]
#[template(path = "cases/new.html")]
struct New {
    page: Page,
    typed: Typed,
    faults: Faults,
    offers: Vec<Offer>,
    may_define: bool,
}

impl New {
    fn stages(&self) -> Vec<Stage> {
        signals::by_stage(self.page.lang, |_| true)
    }

    fn statistics(&self) -> Vec<(String, String)> {
        signals::statistics(self.page.lang)
    }

    fn is_service(&self, offer: &Offer) -> bool {
        self.typed.service == offer.service.id.to_string()
    }

    fn is_contract(&self, id: &Uuid) -> bool {
        self.typed.contract == id.to_string()
    }

    /// Classes are sent with their service, so that two services may have one of the same name.
    fn class_value(&self, offer: &Offer, class: &str) -> String {
        class_value(offer.service.id, class)
    }

    fn has_class(&self, offer: &Offer, class: &str) -> bool {
        let value = class_value(offer.service.id, class);
        self.typed.classes.contains(&value)
    }

    fn any_class(&self) -> bool {
        self.offers.iter().any(|o| !o.service.classes.is_empty())
    }

    fn any_contract(&self) -> bool {
        self.offers.iter().any(|o| !o.contracts.is_empty())
    }

    fn units(&self) -> Vec<&'static str> {
        signals::units()
    }

    fn form_key(&self) -> Uuid {
        form::key(self.typed.form_key)
    }
}

fn class_value(service: Uuid, class: &str) -> String {
    format!("{service}/{class}")
}

async fn offers(conn: &mut PgConnection) -> Result<Vec<Offer>> {
    let mut offers = Vec::new();
    for service in services::list(conn).await? {
        let contracts = contracts::pinnable(conn, service.id).await?;
        offers.push(Offer { service, contracts });
    }
    Ok(offers)
}

/// What the address of an empty form may say: the service to begin with.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Begin {
    service: String,
}

/// `GET /cases/new`
///
/// # Errors
/// When the reader may not open cases.
pub async fn form(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Query(begin): Query<Begin>,
) -> Result<Response> {
    reader.may(Act::OpenCase)?;
    let offers = offers(&mut *app.conn().await?).await?;
    let service = match offers.as_slice() {
        [only] => only.service.id.to_string(),
        _ => begin.service,
    };
    let typed = Typed {
        form_key: Some(form::new_key()),
        service,
        statistic: "p99".to_owned(),
        first_seen: typed::time_field(visit.now),
        own: "yes".to_owned(),
        ..Typed::default()
    };
    answer(&app, &visit, &reader, typed, Faults::default(), offers)
}

fn answer(
    app: &App,
    visit: &Visit,
    reader: &Reader,
    typed: Typed,
    faults: Faults,
    offers: Vec<Offer>,
) -> Result<Response> {
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    let new = New {
        page: Page::of(app, visit).at(Nav::Cases),
        typed,
        faults,
        offers,
        may_define: reader.can(Act::DraftContract),
    };
    show_with(status, &new)
}

/// `POST /cases`
///
/// # Errors
/// When the reader may not open cases.
pub async fn open(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::OpenCase)?;
    let mut tx = app.begin().await?;
    let offers = offers(&mut tx).await?;
    let page = Page::of(&app, &visit);
    let mut faults = Faults::default();
    let new = check(&page, &typed, &offers, visit.now, &mut faults);
    let Some(new) = new.filter(|_| faults.is_empty()) else {
        return answer(&app, &visit, &reader, typed, faults, offers);
    };
    let actor = reader.actor(&visit, Some(role));
    let key = (form::key(typed.form_key), &reader);
    let fields = typed.fields();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (*n, v.as_str())).collect();
    if let Some(path) = form::claim(&mut tx, key, "case.open", &fields, &visit).await? {
        return Ok(Redirect::to(&path).into_response());
    }
    let (_, number) = cases::open(&mut tx, &actor, &new, visit.now).await?;
    let path = format!("/cases/{}", case::label(number));
    form::finish(&mut tx, key, &path, &visit).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&path).into_response())
}

impl Typed {
    fn fields(&self) -> Vec<(&'static str, String)> {
        vec![
            ("title", self.title.clone()),
            ("service", self.service.clone()),
            ("signal", self.signal.clone()),
            ("statistic", self.statistic.clone()),
            ("observed", self.observed.clone()),
            ("unit", self.unit.clone()),
            ("symptom", self.symptom.clone()),
            ("first_seen", self.first_seen.clone()),
            ("classes", self.classes.join("\n")),
            ("contract", self.contract.clone()),
            ("problem", self.problem.clone()),
            ("own", self.own.clone()),
        ]
    }
}

/// The case that was typed; `None` when a fault was noted.
fn check(
    page: &Page,
    typed: &Typed,
    offers: &[Offer],
    now: DateTime<Utc>,
    faults: &mut Faults,
) -> Option<NewCase> {
    let title = typed.title.trim();
    if !(3..=200).contains(&title.chars().count())
        || title.chars().any(crate::web::form::is_invisible)
    {
        faults.add("title", page.t("cases-new-title-fault"));
    }
    let offer = offers
        .iter()
        .find(|o| o.service.id.to_string() == typed.service);
    if offer.is_none() {
        faults.add("service", page.t("cases-new-service-fault"));
    }
    let symptom = symptom(page, typed, faults);
    let first_seen = typed::time(&typed.first_seen);
    match first_seen {
        None => faults.add("first_seen", page.t("cases-new-first-seen-fault")),
        Some(at) if at > now => faults.add("first_seen", page.t("cases-new-future-fault")),
        Some(_) => {}
    }
    let classes = classes(page, typed, offer, faults);
    let contract = contract(page, typed, offer, faults);
    if typed.problem.chars().count() > 10_000 {
        faults.add("problem", page.t("cases-new-problem-fault"));
    }
    Some(NewCase {
        title: title.to_owned(),
        service_id: offer?.service.id,
        problem: typed.problem.trim().to_owned(),
        symptom: symptom?,
        first_seen: first_seen?,
        classes,
        contract_version_id: contract,
        own: !typed.own.is_empty(),
    })
}

/// The symptom: a catalogued signal with the value seen, or words, or both.
fn symptom(page: &Page, typed: &Typed, faults: &mut Faults) -> Option<Symptom> {
    let text = typed.symptom.trim();
    if text.chars().count() > 2000 {
        faults.add("symptom", page.t("cases-new-symptom-long-fault"));
    }
    if typed.signal.is_empty() {
        if text.is_empty() {
            faults.add("signal", page.t("cases-new-symptom-fault"));
        }
        if !typed.observed.trim().is_empty() {
            faults.add("signal", page.t("cases-new-observed-alone-fault"));
        }
        return Some(Symptom {
            text: text.to_owned(),
            ..Symptom::default()
        });
    }
    let Some(signal) = catalogue::find(&typed.signal) else {
        faults.add("signal", page.t("cases-new-signal-fault"));
        return None;
    };
    let statistic: Option<Statistic> = typed.statistic.parse().ok();
    if statistic.is_none() {
        faults.add("statistic", page.t("cases-new-statistic-fault"));
    }
    let observed = match (typed.observed.trim(), typed.unit.trim()) {
        ("", _) => None,
        (number, unit) => match typed::value(page.lang, signal.unit, number, unit) {
            Ok(value) => Some(value),
            Err(typed::ValueFault::Number) => {
                faults.add("observed", page.t("typed-number-fault"));
                None
            }
            Err(typed::ValueFault::Unit) => {
                let name = say::signal_name(page.lang, signal.name);
                let units = typed::spellings(signal);
                let fault = page.t2("typed-unit-fault", "signal", name, "units", units);
                faults.add("unit", fault);
                None
            }
        },
    };
    Some(Symptom {
        signal: Some(signal.name.to_owned()),
        statistic,
        observed,
        text: text.to_owned(),
    })
}

/// The classes ticked, which must be the chosen service's.
fn classes(page: &Page, typed: &Typed, offer: Option<&Offer>, faults: &mut Faults) -> Vec<String> {
    let Some(Offer { service, .. }) = offer else {
        return Vec::new();
    };
    let known: Vec<&String> = service
        .classes
        .iter()
        .filter(|c| typed.classes.contains(&class_value(service.id, c)))
        .collect();
    if known.len() != typed.classes.len() {
        let fault = page.t1("cases-new-classes-fault", "service", &service.name);
        faults.add("classes", fault);
    }
    known.into_iter().cloned().collect()
}

/// The contract version chosen, which must be one that the chosen service may pin.
fn contract(
    page: &Page,
    typed: &Typed,
    offer: Option<&Offer>,
    faults: &mut Faults,
) -> Option<Uuid> {
    let offer = offer?;
    if typed.contract.is_empty() {
        return None;
    }
    let found = offer
        .contracts
        .iter()
        .find(|(id, _)| id.to_string() == typed.contract);
    if found.is_none() {
        let fault = page.t1("cases-new-contract-fault", "service", &offer.service.name);
        faults.add("contract", fault);
    }
    found.map(|(id, _)| *id)
}
