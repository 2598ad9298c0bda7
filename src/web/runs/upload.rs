//! Handing in the files of a run: streamed into the blob store, then attached and enqueued in one
//! transaction.

use super::{actor, load, locked, number_of, open, run_of};
use crate::intake::blobs::Stored;
use crate::intake::grouping::{self, Grouping};
use crate::intake::{reading, receive};
use crate::ladder::CaseFile;
use crate::ladder::evidence::EvidenceFile;
use crate::ladder::policy::{Act, Role};
use crate::ladder::run::Run;
use crate::store::{self, evidence};
use crate::web::page::{Nav, show, show_with};
use crate::web::{App, Error, Page, Reader, Result, form::Faults, format, visit::Visit};
use askama::Template;
use axum::{
    extract::{FromRequest as _, Multipart, Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use sqlx::PgConnection;
use tokio::io::AsyncReadExt as _;

#[derive(Template)]
#[template(path = "runs/upload.html")]
struct UploadPage {
    page: Page,
    case: CaseFile,
    run: Run,
    limit: String,
    limit_bytes: u64,
    most_files: usize,
    faults: Faults,
    kept: Vec<String>,
}

fn upload_page(
    app: &App,
    page: Page,
    case: CaseFile,
    run: Run,
    faults: Faults,
    kept: Vec<String>,
) -> UploadPage {
    let rules = app.rules;
    UploadPage {
        limit: format::limit(page.lang, rules.file_bytes).to_string(),
        limit_bytes: rules.file_bytes,
        most_files: rules.files,
        page: page.at(Nav::Cases),
        case,
        run,
        faults,
        kept,
    }
}

/// `GET /cases/{c}/runs/{run}/evidence`
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
    show(&upload_page(
        &app,
        page,
        case,
        run,
        Faults::default(),
        Vec::new(),
    ))
}

/// `POST /cases/{c}/runs/{run}/evidence`: each file stands for itself; what was refused is said,
/// what was kept is attached.
pub async fn post(
    State(app): State<App>,
    Path((label, run)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    request: Request,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    // The case is looked at before a byte is taken.
    let case = load(&app, &reader, &label).await?;
    open(&case)?;
    let run = run_of(&case, &run)?.clone();
    let Ok(mut multipart) = Multipart::from_request(request, &app).await else {
        return Err(Error::Invalid(page.t("upload-fault-none")));
    };
    let mut faults = Faults::default();
    let mut ours = false;
    let received = receive::form(&app.blobs, &mut multipart, app.rules, &mut |_, _| {}).await;
    let received = received.unwrap_or_else(|refused| {
        ours |= refused.ours;
        faults.add("files", said(&page, None, &refused));
        receive::Form::default()
    });
    let again = received.text("again").unwrap_or_default().to_owned();
    let how = Grouping::from_id(received.text("together").unwrap_or_default());
    let mut stored: Vec<(String, Stored)> = Vec::new();
    for file in received.files {
        match file.result {
            Ok(bytes) => stored.push((file.name, bytes)),
            Err(refused) => {
                ours |= refused.ours;
                faults.add("files", said(&page, Some(&file.name), &refused));
            }
        }
    }
    if stored.is_empty() && faults.is_empty() {
        faults.add("files", page.t("upload-fault-none"));
    }
    let who = Uploader {
        again: &again,
        app: &app,
        reader: &reader,
        role,
        visit: &visit,
        page: &page,
    };
    let kept = who.attach(&label, &run, stored, how, &mut faults).await?;
    if faults.is_empty() {
        let first = kept.first().map(String::as_str).unwrap_or_default();
        return Ok(Redirect::to(&format!("/cases/{label}#{first}")).into_response());
    }
    let status = if ours {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    show_with(status, &upload_page(&app, page, case, run, faults, kept))
}

/// A refusal in words, with the file's name and the way out.
pub(in crate::web) fn said(page: &Page, name: Option<&str>, refused: &receive::Refused) -> String {
    let args: Vec<(&str, &str)> = refused
        .args
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    let why = page.text(refused.code, &args);
    let remedy = page.text(&format!("{}-remedy", refused.code), &args);
    match name {
        Some(name) => format!("{name}: {why} {remedy}"),
        None => format!("{why} {remedy}"),
    }
}

/// That bytes were withdrawn from the case before, with the history, and that a reason is asked.
pub(super) async fn withdrawn(
    conn: &mut PgConnection,
    page: &Page,
    name: &str,
    item: &str,
) -> Result<String> {
    let number = number_of(item, "EV").ok_or(Error::NotFound)?;
    let last = evidence::last_event(conn, number).await?;
    let by = last.by.unwrap_or_else(|| page.t("case-timeline-app"));
    let history = page.text(
        "upload-fault-withdrawn-by",
        &[
            ("person", &by),
            ("at", &format::date_time(page.lang, last.at)),
            ("reason", last.reason.as_deref().unwrap_or_default()),
        ],
    );
    let args = [("name", name), ("item", item), ("history", &history)];
    Ok(page.text("upload-fault-withdrawn", &args))
}

struct Uploader<'a> {
    again: &'a str,
    app: &'a App,
    reader: &'a Reader,
    role: Role,
    visit: &'a Visit,
    page: &'a Page,
}

impl Uploader<'_> {
    /// Attaches what was stored, each item in its own transaction with its reading: one that is
    /// refused takes no other with it.
    async fn attach(
        &self,
        label: &str,
        run: &Run,
        stored: Vec<(String, Stored)>,
        how: Grouping,
        faults: &mut Faults,
    ) -> Result<Vec<String>> {
        let mut shapes = Vec::with_capacity(stored.len());
        for (name, bytes) in &stored {
            let scrape = how == Grouping::Auto && self.is_scrape(bytes).await?;
            shapes.push((name.clone(), scrape));
        }
        let mut kept = Vec::new();
        for group in grouping::groups(&shapes, how) {
            let files: Vec<EvidenceFile> = group
                .iter()
                .map(|&i| EvidenceFile {
                    name: stored[i].0.clone(),
                    sha256: stored[i].1.sha256.to_string(),
                    bytes: stored[i].1.bytes,
                })
                .collect();
            match self.attach_one(label, run, &files).await {
                Ok(number) => kept.push(format!("EV-{number}")),
                Err(Refusal::Withdrawn(item)) => {
                    let mut conn = self.app.conn().await?;
                    let words = withdrawn(&mut conn, self.page, &names(&files), &item).await?;
                    faults.add("again", words);
                }
                Err(Refusal::Same(item)) => {
                    let names = names(&files);
                    faults.add(
                        "files",
                        self.page
                            .t2("upload-fault-same", "name", names, "item", item),
                    );
                }
                Err(Refusal::Other(error)) => return Err(error),
            }
        }
        Ok(kept)
    }

    async fn is_scrape(&self, stored: &Stored) -> Result<bool> {
        let reading = self
            .app
            .blobs
            .open(stored.sha256)
            .await
            .map_err(Error::internal)?;
        let mut head = Vec::new();
        tokio_util::io::StreamReader::new(reading)
            .take(16 * 1024)
            .read_to_end(&mut head)
            .await
            .map_err(Error::internal)?;
        Ok(grouping::looks_like_scrape(&head))
    }

    async fn attach_one(
        &self,
        label: &str,
        run: &Run,
        files: &[EvidenceFile],
    ) -> std::result::Result<i64, Refusal> {
        let mut tx = self.app.begin().await?;
        let case_id = locked(&mut tx, self.reader, label).await?.id;
        let who = actor(self.reader, self.visit, self.role);
        let handing = evidence::Handing {
            again: Some(self.again),
            attested: false,
        };
        let of = (case_id, run.id);
        let (id, number) = evidence::attach_as(&mut tx, &who, of, files, handing, self.visit.now)
            .await
            .map_err(|e| match e {
                store::Error::Refused { constraint, detail } => match constraint.as_str() {
                    "same_bytes_in_case" => Refusal::Same(detail),
                    "withdrawn_bytes_need_reason" => Refusal::Withdrawn(detail),
                    _ => Refusal::Other(Error::Refused { constraint }),
                },
                other => Refusal::Other(other.into()),
            })?;
        reading::enqueue(&mut tx, id, self.visit.now).await?;
        self.app.commit_settled(tx, case_id, self.visit.now).await?;
        Ok(number)
    }
}

fn names(files: &[EvidenceFile]) -> String {
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    names.join(", ")
}

enum Refusal {
    /// The same bytes are on the case, in this item.
    Same(String),
    /// The same bytes were withdrawn from the case, in this item, and nobody says why they come back.
    Withdrawn(String),
    Other(Error),
}

impl<E: Into<Error>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}
