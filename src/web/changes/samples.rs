//! Posting what a canary measured over one window: both arms, limit by limit.

use super::terms::{decimal, whole};
use super::{case_of, change_of, path, to};
use crate::ladder::CaseFile;
use crate::ladder::canary::{Arm, Sample};
use crate::ladder::change::Change;
use crate::ladder::contract::{Limit, LimitPhase};
use crate::ladder::policy::Act;
use crate::store::canary::{self, Source};
use crate::web::page::{Nav, show, show_with};
use crate::web::{App, Page, Reader, Result, form::Faults, format, say, typed, visit::Visit};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use axum_extra::extract::Form;
use chrono::{DateTime, Utc};
use serde::Deserialize;

/// What the form sends; the rows are columns of equal length, one per limit.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // one field of the form each, named as on the page
pub struct Typed {
    pub from: String,
    pub to: String,
    pub region: String,
    pub requests: String,
    pub share: String,
    pub s_limit: Vec<String>,
    pub s_candidate: Vec<String>,
    pub s_candidate_n: Vec<String>,
    pub s_baseline: Vec<String>,
    pub s_baseline_n: Vec<String>,
}

/// One limit on the form.
struct RowView {
    id: String,
    name: String,
    unit: String,
    typed: [String; 4],
}

#[derive(Template)]
#[template(path = "changes/samples.html")]
struct SamplesPage {
    page: Page,
    case: CaseFile,
    change: Change,
    typed: Typed,
    rows: Vec<RowView>,
    faults: Faults,
}

impl SamplesPage {
    fn path(&self) -> String {
        path(&self.case.label(), &self.change.label())
    }
}

/// The limits a canary is judged by, as the plan includes them.
fn limits<'a>(case: &'a CaseFile, change: &Change) -> Vec<&'a Limit> {
    let plan = change.plan().unwrap_or_default();
    let all = case.contract.iter().flat_map(|v| &v.terms.limits);
    all.filter(|l| l.phase == LimitPhase::Warm)
        .filter(|l| l.class.as_deref().is_none_or(|c| plan.includes(c)))
        .collect()
}

/// The unit a limit's values are typed in: as the contract types it.
fn unit(limit: &Limit) -> &str {
    if limit.unit().to_base(1.0, &limit.typed_unit).is_some() {
        &limit.typed_unit
    } else {
        limit.unit().spellings()[0].0
    }
}

fn page_of(
    page: Page,
    case: CaseFile,
    change: &Change,
    typed: Typed,
    faults: Faults,
) -> SamplesPage {
    let at = |id: &str| typed.s_limit.iter().position(|l| l == id);
    let rows = limits(&case, change)
        .into_iter()
        .map(|l| {
            let cell = |column: &[String]| {
                at(&l.id)
                    .and_then(|i| column.get(i).cloned())
                    .unwrap_or_default()
            };
            let mut name = say::measure(page.lang, &l.signal, l.statistic);
            for part in [&l.class, &l.band].into_iter().flatten() {
                name.push_str(" · ");
                name.push_str(part);
            }
            RowView {
                id: l.id.clone(),
                name,
                unit: unit(l).to_owned(),
                typed: [
                    cell(&typed.s_candidate),
                    cell(&typed.s_candidate_n),
                    cell(&typed.s_baseline),
                    cell(&typed.s_baseline_n),
                ],
            }
        })
        .collect();
    SamplesPage {
        page: page.at(Nav::Cases),
        change: change.clone(),
        rows,
        case,
        typed,
        faults,
    }
}

/// `GET /cases/{c}/changes/{h}/samples`
pub async fn form(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Change)?;
    let mut conn = app.conn().await?;
    let case = case_of(&mut conn, &reader, &c).await?;
    let change = change_of(&case, &h)?.clone();
    // The next window begins where the newest one of the candidate ended.
    let newest = change
        .samples
        .iter()
        .filter(|k| k.sample.arm == Arm::Candidate)
        .map(|k| k.sample.ends_at)
        .max();
    let typed = Typed {
        from: newest.map_or_else(String::new, typed::time_field),
        to: typed::time_field(visit.now),
        ..Typed::default()
    };
    show(&page_of(page, case, &change, typed, Faults::default()))
}

fn time(text: &str, field: &'static str, page: &Page, faults: &mut Faults) -> DateTime<Utc> {
    typed::time(text).unwrap_or_else(|| {
        faults.add(field, page.t("change-fault-time"));
        DateTime::UNIX_EPOCH
    })
}

/// Reads the form into samples; what cannot be read is a fault at its row.
fn read(typed: &Typed, case: &CaseFile, change: &Change, page: &Page) -> (Vec<Sample>, Faults) {
    let mut faults = Faults::default();
    let (from, to) = (
        time(&typed.from, "from", page, &mut faults),
        time(&typed.to, "to", page, &mut faults),
    );
    let requests = whole(&typed.requests).unwrap_or_else(|_| {
        faults.add("requests", page.t("canary-fault-requests"));
        None
    });
    let share = match decimal(&typed.share) {
        Ok(share) if share.is_none_or(|s| s <= 100.0) => share.map(|s| s / 100.0),
        _ => {
            faults.add("share", page.t("canary-fault-share"));
            None
        }
    };
    let region = Some(typed.region.trim().to_owned()).filter(|r| !r.is_empty());
    let mut samples = Vec::new();
    let all = limits(case, change);
    for (i, id) in typed.s_limit.iter().enumerate().take(100) {
        let Some(limit) = all.iter().find(|l| l.id == *id) else {
            continue;
        };
        let cell = |column: &[String]| column.get(i).cloned().unwrap_or_default();
        for (arm, value, n) in [
            (
                Arm::Candidate,
                cell(&typed.s_candidate),
                cell(&typed.s_candidate_n),
            ),
            (
                Arm::Baseline,
                cell(&typed.s_baseline),
                cell(&typed.s_baseline_n),
            ),
        ] {
            if value.trim().is_empty() && n.trim().is_empty() {
                continue;
            }
            let (Ok(Some(value)), Ok(n)) = (decimal(&value), whole(&n)) else {
                faults.add("rows", page.t1("sample-fault-row", "row", i + 1));
                continue;
            };
            let exposed = arm == Arm::Candidate;
            samples.push(Sample {
                arm,
                starts_at: from,
                ends_at: to,
                class: limit.class.clone(),
                band: limit.band.clone(),
                region: region.clone(),
                signal: limit.signal.clone(),
                statistic: limit.statistic,
                value: limit.unit().to_base(value, unit(limit)).unwrap_or(f64::NAN),
                samples: n,
                requests: requests.filter(|_| exposed),
                share: share.filter(|_| exposed),
            });
        }
    }
    if samples.is_empty() && faults.is_empty() {
        faults.add("rows", page.t("sample-fault-none"));
    }
    (samples, faults)
}

/// `POST /cases/{c}/changes/{h}/samples`
pub async fn post(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Change)?;
    let mut tx = app.begin().await?;
    let case = case_of(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?.clone();
    let (samples, mut faults) = read(&typed, &case, &change, &page);
    if faults.is_empty() {
        let actor = reader.actor(&visit, Some(role));
        let ids = (case.id, change.id);
        let posted =
            canary::post_samples(&mut tx, &actor, ids, &samples, Source::Form, visit.now).await?;
        let mut said: Vec<String> = posted
            .refused
            .iter()
            .flat_map(|(_, why)| why)
            .map(|s| say::sentence(page.lang, s))
            .collect();
        said.dedup();
        for message in said {
            faults.add("rows", message);
        }
    }
    if !faults.is_empty() {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let shown = page_of(page, case, &change, typed, faults);
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    }
    app.commit(tx).await?;
    Ok(to(&format!("{}#canary", path(&c, &h))))
}

/// One window of a canary in words, for the list of what was posted.
pub fn said(page: &Page, sample: &Sample) -> String {
    let value = pel_evidence::catalogue::find(&sample.signal).map_or_else(
        || sample.value.to_string(),
        |d| format::value(page.lang, sample.value, d.unit).to_string(),
    );
    page.text(
        "sample-said",
        &[
            ("arm", &page.t(&say::key("canary-arm", sample.arm.id()))),
            (
                "measure",
                &say::measure(page.lang, &sample.signal, sample.statistic),
            ),
            ("value", &value),
            (
                "samples",
                &sample
                    .samples
                    .map_or_else(|| page.t("canary-not-known"), |n| page.count(n)),
            ),
        ],
    )
}
