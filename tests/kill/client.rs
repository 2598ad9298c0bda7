//! Plain HTTP clients with a session of their own: they hand in forms and note what was
//! acknowledged. What is not acknowledged they may hand in again, as a person would.

use crate::chance::Chance;
use crate::files::{self, File};
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use hyper_util::client::legacy::{Client as Http, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
const BOUNDARY: &str = "----kill-boundary";

/// What became of the forms so far.
#[derive(Clone, Default)]
pub struct Ledger {
    /// Files whose form was answered with a redirect, or that the service says it has.
    pub acknowledged: Vec<File>,
    /// Files of forms that never got an answer.
    pub unanswered: Vec<File>,
    /// Forms acknowledged at once.
    pub forms: usize,
    /// Forms acknowledged when they were handed in again.
    pub again: usize,
}

/// One client.
#[derive(Clone)]
pub struct Client {
    http: Http<HttpConnector, Body>,
    address: watch::Receiver<Option<String>>,
    cookie: String,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: StatusCode,
    pub location: String,
    pub body: String,
}

impl Client {
    pub fn new(address: watch::Receiver<Option<String>>, token: &str) -> Self {
        let mut http = Http::builder(TokioExecutor::new());
        // A connection to a process that was killed is never used again.
        http.pool_max_idle_per_host(0);
        Self {
            http: http.build_http(),
            address,
            cookie: format!("pel={token}"),
        }
    }

    /// Opens a page.
    pub async fn get(&self, path: &str) -> Option<Answer> {
        self.send(Method::GET, path, "", Body::empty()).await
    }

    /// Sends a form.
    pub async fn post(&self, path: &str, content: &str, body: Body) -> Option<Answer> {
        self.send(Method::POST, path, content, body).await
    }

    /// Sends a request to wherever the service answers now; `None` when no whole answer came.
    async fn send(&self, method: Method, path: &str, content: &str, body: Body) -> Option<Answer> {
        let mut address = self.address.clone();
        let there = address.wait_for(Option::is_some);
        let host = timeout(PATIENCE, there).await.ok()?.ok()?.clone()?;
        let request = Request::builder()
            .method(method)
            .uri(format!("http://{host}{path}"))
            .header(header::COOKIE, &self.cookie)
            .header(header::CONTENT_TYPE, content)
            .header("sec-fetch-site", "same-origin")
            .body(body)
            .unwrap();
        let answer = timeout(PATIENCE, self.http.request(request)).await;
        let (parts, body) = answer.ok()?.ok()?.into_parts();
        let body = timeout(PATIENCE, to_bytes(Body::new(body), 16 << 20)).await;
        let location = parts.headers.get(header::LOCATION);
        Some(Answer {
            status: parts.status,
            location: location.map_or_else(String::new, |v| v.to_str().unwrap().to_owned()),
            body: String::from_utf8_lossy(&body.ok()?.ok()?).into_owned(),
        })
    }

    async fn hand_in(&self, path: &str, files: &[File], pause: Option<Duration>) -> Option<Answer> {
        let content = format!("multipart/form-data; boundary={BOUNDARY}");
        self.post(path, &content, form(files, pause)).await
    }

    /// Hands in forms until it is told to stop or may hand in no more.
    pub async fn work(
        self,
        path: String,
        mut chance: Chance,
        permits: Arc<Semaphore>,
        stop: CancellationToken,
        ledger: Arc<Mutex<Ledger>>,
    ) {
        loop {
            let permit = tokio::select! {
                () = stop.cancelled() => return,
                permit = permits.acquire() => permit.expect("never closed"),
            };
            permit.forget();
            let files = files::some(&mut chance);
            self.one(&path, &files, &mut chance, &ledger).await;
            tokio::time::sleep(chance.millis(0, 150)).await;
        }
    }

    async fn one(&self, path: &str, files: &[File], chance: &mut Chance, ledger: &Mutex<Ledger>) {
        let slow = chance.percent(30).then(|| chance.millis(5, 60));
        let first = self.hand_in(path, files, slow).await;
        if let Some(answer) = &first
            && answer.status == StatusCode::SEE_OTHER
        {
            assert!(answer.location.contains("#EV-"), "{}", answer.location);
            let mut ledger = ledger.lock().unwrap();
            ledger.acknowledged.extend_from_slice(files);
            ledger.forms += 1;
            return;
        }
        // Not acknowledged: an answer of another kind tells of a database that went away.
        if let Some(answer) = &first {
            assert!(answer.status.is_server_error(), "{}", answer.body);
        }
        for _ in 0..if chance.percent(60) { 3 } else { 0 } {
            let answer = self.hand_in(path, files, None).await;
            if answer.is_some_and(|a| has_them_all(&a, files)) {
                let mut ledger = ledger.lock().unwrap();
                ledger.acknowledged.extend_from_slice(files);
                ledger.again += 1;
                return;
            }
        }
        ledger.lock().unwrap().unanswered.extend_from_slice(files);
    }
}

/// Whether an answer to a second try says that every file is on the case: attached now, or, in the
/// words of the page, attached before.
fn has_them_all(answer: &Answer, files: &[File]) -> bool {
    match answer.status {
        StatusCode::SEE_OTHER => true,
        StatusCode::UNPROCESSABLE_ENTITY => {
            let said = files.iter().any(|f| answer.body.contains(&f.name));
            assert!(said && answer.body.contains("EV-"), "{}", answer.body);
            true
        }
        other => {
            assert!(other.is_server_error(), "{other}: {}", answer.body);
            false
        }
    }
}

/// The body of a form; with a pause it trickles in.
fn form(files: &[File], pause: Option<Duration>) -> Body {
    let mut parts: Vec<Bytes> = Vec::new();
    for file in files {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n",
            file.name
        );
        parts.push(head.into());
        let piece = (file.bytes.len() / 12).clamp(1 << 10, 1 << 20);
        let mut rest = file.bytes.clone();
        while !rest.is_empty() {
            parts.push(rest.split_to(piece.min(rest.len())));
        }
        parts.push("\r\n".into());
    }
    parts.push(format!("--{BOUNDARY}--\r\n").into());
    let parts = stream::iter(parts).then(move |part| async move {
        if let Some(pause) = pause {
            tokio::time::sleep(pause).await;
        }
        Ok::<_, Infallible>(part)
    });
    Body::from_stream(parts)
}
