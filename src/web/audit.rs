//! The audit log: every act, newest first, narrowed to a case if asked; and the check that no row
//! was changed, removed, inserted or moved since it was written.

use super::{
    App, Error, Page, Reader, Result,
    cases::number_of,
    page::{Nav, show as render},
    paging::{self, ROWS},
    say,
    visit::Visit,
};
use crate::{
    i18n,
    ladder::{
        case,
        policy::{Act, Role},
    },
    store::{
        self,
        audit::{self, Event, Verdict},
        case_list, cases,
        checkpoint::Signed,
        checkpoints,
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::header,
    response::{IntoResponse as _, Response},
};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use sqlx::PgConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// How many checkpoints the page lists; older ones are in the export's company.
const CHECKPOINTS: i64 = 7;

/// What the address says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    case: String,
    before: String,
}

/// One row as shown.
struct Row {
    seq: i64,
    at: DateTime<Utc>,
    name: String,
    role: Option<String>,
    act: String,
    act_id: String,
    /// `PEL-0042`, when it belongs to a case.
    case: Option<String>,
    reason: Option<String>,
    /// Everything else.
    rest: Vec<Fact>,
    hash: String,
}

/// One thing that a row tells besides who did what.
struct Fact {
    name: String,
    /// The name is in the reader's language; else it is the one in the log.
    worded: bool,
    value: String,
}

/// What the check found, in words.
struct Checked {
    intact: bool,
    strong: String,
    rest: String,
    hash: Option<String>,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct Log {
    page: Page,
    case: String,
    /// The case asked for does not exist.
    unknown: bool,
    rows: Vec<Row>,
    checked: Option<Checked>,
    next: Option<String>,
    /// The newest checkpoints.
    checkpoints: Vec<Signed>,
}

/// `GET /audit`
///
/// # Errors
/// When the reader may not read the log.
pub async fn show(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::ReadAudit)?;
    let page = Page::of(&app, &visit).at(Nav::Audit);
    render(&log(&mut *app.conn().await?, &reader, page, asked).await?)
}

/// `POST /audit/verify`: walks the whole chain and answers with what it found.
///
/// # Errors
/// When the reader may not read the log, or it cannot be read.
pub async fn verify(State(app): State<App>, visit: Visit, reader: Reader) -> Result<Response> {
    reader.may(Act::ReadAudit)?;
    let page = Page::of(&app, &visit).at(Nav::Audit);
    let mut conn = app.conn().await?;
    let verdict = audit::verify(&mut conn).await?;
    if let Verdict::Broken { seq, what } = &verdict {
        tracing::error!(seq, what, "the audit log is broken");
    }
    let checked = in_words(&page, verdict);
    let mut log = match log(&mut conn, &reader, page.clone(), Asked::default()).await {
        Ok(log) => log,
        // A row that cannot be read is what the check just reported; the list gives way to it.
        Err(Error::Internal(_)) if !checked.intact => Log {
            page,
            case: String::new(),
            unknown: false,
            rows: Vec::new(),
            checked: None,
            next: None,
            checkpoints: Vec::new(),
        },
        Err(other) => return Err(other),
    };
    log.checked = Some(checked);
    render(&log)
}

/// `GET /audit/checkpoints/{number}`: a signed checkpoint as a file, to be kept elsewhere.
///
/// # Errors
/// When the reader may not read the log; `NotFound`.
pub async fn checkpoint(
    State(app): State<App>,
    reader: Reader,
    Path(number): Path<String>,
) -> Result<Response> {
    reader.may(Act::ReadAudit)?;
    let number: i32 = number.parse().map_err(|_| Error::NotFound)?;
    let mut conn = app.conn().await?;
    let signed = checkpoints::get(&mut conn, number).await?;
    let text = serde_json::to_string_pretty(&signed).map_err(Error::internal)?;
    let name = format!("attachment; filename=\"pel-audit-checkpoint-{number}.json\"");
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

fn in_words(page: &Page, verdict: Verdict) -> Checked {
    match verdict {
        Verdict::Intact { events, last_hash } => Checked {
            intact: true,
            strong: page.t("audit-intact"),
            rest: page.t1("audit-intact-rest", "count", events),
            hash: Some(last_hash),
        },
        Verdict::Broken { seq, what } => Checked {
            intact: false,
            strong: page.t1("audit-broken", "seq", page.count(seq)),
            rest: match what {
                "a row is missing" => page.t("audit-broken-missing"),
                "the link to the row before is wrong" => page.t("audit-broken-link"),
                "the row was changed after it was written" => page.t("audit-broken-changed"),
                "the body cannot be read" => page.t("audit-broken-unreadable"),
                "a checkpoint knows another event here" => page.t("audit-broken-checkpoint"),
                "a checkpoint knows other events up to here" => page.t("audit-broken-merkle"),
                "the log was cut: a checkpoint knows later events" => page.t("audit-broken-cut"),
                "the signature of a checkpoint does not fit its content" => {
                    page.t("audit-broken-signature")
                }
                other => other.to_owned(),
            },
            hash: None,
        },
    }
}

async fn log(conn: &mut PgConnection, reader: &Reader, page: Page, asked: Asked) -> Result<Log> {
    let label = asked.case.trim().to_owned();
    let case_id = match (label.as_str(), number_of(&label)) {
        ("", _) => Ok(None),
        (_, None) => Err(store::Error::NotFound),
        (_, Some(number)) => cases::id_known(conn, number, reader.id).await.map(Some),
    };
    let (case_id, unknown) = match case_id {
        Ok(id) => (id, false),
        Err(store::Error::NotFound) => (None, true),
        Err(other) => return Err(other.into()),
    };
    let limit = i64::try_from(ROWS).unwrap_or(i64::MAX).saturating_add(1);
    let mut events = if unknown {
        Vec::new()
    } else {
        audit::log(conn, reader.id, case_id, asked.before.parse().ok(), limit).await?
    };
    let next = paging::cut(&mut events, |e| e.body.seq.to_string())
        .map(|seq| paging::link("/audit", &[("case", &label), ("before", &seq)]));
    let ids: Vec<Uuid> = events.iter().filter_map(|e| e.body.case_id).collect();
    let numbers = case_list::numbers(conn, &ids).await?;
    let checkpoints = checkpoints::list(conn, CHECKPOINTS).await?;
    Ok(Log {
        rows: events
            .into_iter()
            .map(|e| row(&page, e, &numbers))
            .collect(),
        page,
        case: label,
        unknown,
        checked: None,
        next,
        checkpoints,
    })
}

fn row(page: &Page, event: Event, numbers: &HashMap<Uuid, i64>) -> Row {
    let body = event.body;
    let key = format!("audit-act-{}", body.act.replace(['.', '_'], "-"));
    let act = if i18n::has(page.lang, &key) {
        page.t(&key)
    } else {
        body.act.clone()
    };
    let role = body.role.map(|id| match Role::from_id(&id) {
        Some(role) => page.role(&role),
        None => id,
    });
    let object = format!("{} {}", body.object_kind, body.object_id);
    let worded = |key: &str, value: String| Fact {
        name: page.t(key),
        worded: true,
        value,
    };
    let mut rest = vec![worded("audit-object", object)];
    let optional = [
        ("audit-before", body.before),
        ("audit-after", body.after),
        ("audit-request", body.request_id),
        ("audit-network", body.network),
    ];
    for (key, value) in optional {
        rest.extend(value.map(|v| worded(key, v)));
    }
    if let Value::Object(detail) = body.detail {
        rest.extend(detail.iter().map(|(name, value)| {
            let key = say::key("audit-detail", name);
            let known = i18n::has(page.lang, &key);
            Fact {
                name: if known { page.t(&key) } else { name.clone() },
                worded: known,
                value: plain(value),
            }
        }));
    }
    rest.push(worded("audit-hash", event.hash.clone()));
    Row {
        seq: body.seq,
        // Times no calendar knows cannot be written by us; the hash tells whoever wrote one.
        at: DateTime::from_timestamp_micros(body.at_us).unwrap_or_default(),
        name: body.name,
        role,
        act,
        act_id: body.act,
        case: body
            .case_id
            .and_then(|id| numbers.get(&id))
            .map(|n| case::label(*n)),
        reason: body.reason.filter(|r| !r.is_empty()),
        rest,
        hash: event.hash,
    }
}

/// A value of the detail as text: strings without their quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Row {
    fn short_hash(&self) -> &str {
        super::format::short_digest(&self.hash)
    }
}

impl Log {
    fn problem(&self) -> String {
        self.page.t1("audit-unknown-case", "case", &self.case)
    }
}
