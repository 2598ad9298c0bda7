//! The reference for the case page: the same rows with axum, sqlx and askama and nothing else. No
//! session, no judgement, no words in two languages; one table row per signal. It loads every item
//! and shows as many as the case page shows in cards.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::{Router, routing::get};
use pel_evidence::Signal;
use sqlx::types::Json;
use sqlx::{FromRow, PgPool};
use uuid::Uuid;

#[derive(FromRow)]
struct Case {
    id: Uuid,
    number: i64,
    title: String,
    problem: String,
    state: String,
}

#[derive(FromRow)]
struct Run {
    number: i32,
    role: String,
    phase: String,
}

#[derive(FromRow)]
struct Item {
    number: i64,
    run: i32,
    name: String,
    sha256: String,
    bytes: i64,
    state: String,
    kind: String,
    tool: String,
    signals: Json<Vec<Signal>>,
}

#[derive(Template)]
#[template(
    source = "<!doctype html><title>{{ case.title }}</title><h1>{{ case.number }} {{ case.title }} {{ case.state }}</h1>
<p>{{ case.problem }}</p><table>{% for run in runs %}<tr><td>{{ run.number }}<td>{{ run.role }}<td>{{ run.phase }}{% endfor %}
</table>{% for item in items %}<h2>{{ item.number }} {{ item.kind }} {{ item.tool }} {{ item.state }}</h2>
<p>{{ item.name }} {{ item.sha256 }} {{ item.bytes }} {{ item.run }}</p>
<table>{% for s in item.signals.0 %}<tr><td>{{ s.name }}<td>{{ s.statistic }}<td>{{ s.value }}{% endfor %}</table>{% endfor %}",
    ext = "html"
)]
struct Page {
    case: Case,
    runs: Vec<Run>,
    items: Vec<Item>,
}

/// The reference service: `GET /{number}/{shown}`.
pub fn router(pool: PgPool) -> Router {
    Router::new()
        .route("/{number}/{shown}", get(page))
        .with_state(pool)
}

async fn page(
    State(pool): State<PgPool>,
    Path((number, shown)): Path<(i64, usize)>,
) -> Result<Html<String>, StatusCode> {
    let mut page = load(&pool, number).await.map_err(failed)?;
    page.items.truncate(shown);
    page.render().map(Html).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> StatusCode {
    eprintln!("the reference page failed: {error}");
    StatusCode::INTERNAL_SERVER_ERROR
}

async fn load(pool: &PgPool, number: i64) -> sqlx::Result<Page> {
    let mut conn = pool.acquire().await?;
    let case: Case =
        sqlx::query_as("select id, number, title, problem, state from case_file where number = $1")
            .bind(number)
            .fetch_one(&mut *conn)
            .await?;
    let runs = sqlx::query_as(
        "select r.number, s.role, s.phase from run r join lateral
           (select role, phase from run_statement where run_id = r.id order by number desc limit 1) s on true
         where r.case_id = $1 order by r.number",
    )
    .bind(case.id)
    .fetch_all(&mut *conn)
    .await?;
    let items = sqlx::query_as(
        "select e.number, r.number as run, f.name, f.sha256, f.bytes, v.state, x.kind, x.tool, x.signals
         from evidence e join run r on r.id = e.run_id join evidence_file f on f.evidence_id = e.id
         join lateral (select state from evidence_event where evidence_id = e.id order by seq desc limit 1) v on true
         join lateral (select kind, tool, signals from extraction where evidence_id = e.id order by seq desc limit 1) x on true
         where e.case_id = $1 order by e.number",
    )
    .bind(case.id)
    .fetch_all(&mut *conn)
    .await?;
    Ok(Page { case, runs, items })
}
