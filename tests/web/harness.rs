//! A site of one test with a clock that the test moves, and browsers that keep their cookies.
#![allow(dead_code)]

use crate::common::{self, TestDb};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use chrono::{DateTime, TimeDelta, TimeZone as _, Utc};
use pel::{
    ladder::policy::Role,
    store::{audit::Actor, people, secret},
    web::{self, App},
};
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, LazyLock, Mutex},
};
use tower::ServiceExt as _;
use uuid::Uuid;

/// The password of everybody in tests.
pub const PASSWORD: &str = "a ladder of five rungs";
static PHC: LazyLock<String> = LazyLock::new(|| secret::hash_password(PASSWORD).unwrap());

/// One service over a database of its own.
pub struct Site {
    pub db: TestDb,
    pub app: App,
    pub router: Router,
    now: Arc<Mutex<DateTime<Utc>>>,
}

impl Site {
    pub async fn new() -> Self {
        Self::at(None).await
    }

    /// A site over a database that is filled already, with the files that belong to it.
    pub fn over(db: TestDb, blobs: pel::intake::blobs::Blobs, at: DateTime<Utc>) -> Self {
        let now = Arc::new(Mutex::new(at));
        let clock = {
            let now = Arc::clone(&now);
            Arc::new(move || *now.lock().unwrap())
        };
        let app = App::new(db.pool.clone(), blobs, clock, None);
        Self {
            db,
            router: web::router(app.clone()),
            app,
            now,
        }
    }

    /// A site people reach at `public_url`.
    pub async fn at(public_url: Option<&str>) -> Self {
        let db = common::database().await;
        let now = Arc::new(Mutex::new(
            Utc.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap(),
        ));
        let clock = {
            let now = Arc::clone(&now);
            Arc::new(move || *now.lock().unwrap())
        };
        let app = App::new(db.pool.clone(), common::blobs(), clock, public_url);
        Self {
            db,
            router: web::router(app.clone()),
            app,
            now,
        }
    }

    pub fn now(&self) -> DateTime<Utc> {
        *self.now.lock().unwrap()
    }

    /// Lets time pass.
    pub fn pass(&self, time: TimeDelta) {
        *self.now.lock().unwrap() += time;
    }

    /// An account with [`PASSWORD`].
    pub async fn person(&self, login: &str, roles: &[Role]) -> Uuid {
        let mut tx = self.db.pool.begin().await.unwrap();
        let new = people::New {
            login,
            name: &format!("Name of {login}"),
            roles,
            phc: Some(&PHC),
        };
        let id = people::create(&mut tx, &Actor::app(), &new, self.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        id
    }

    pub async fn load(&self, id: Uuid) -> people::Person {
        people::get(&mut self.db.pool.acquire().await.unwrap(), id)
            .await
            .unwrap()
    }

    pub fn browser(&self) -> Browser {
        Browser {
            router: self.router.clone(),
            cookies: BTreeMap::new(),
            from: "127.0.0.1:5000".parse().unwrap(),
        }
    }

    /// A browser in which `login` is signed in.
    pub async fn signed_in(&self, login: &str) -> Browser {
        let mut browser = self.browser();
        let answer = browser.sign_in(login, PASSWORD).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        browser
    }

    /// Acts in the log, oldest first.
    pub async fn acts(&self) -> Vec<String> {
        sqlx::query_scalar("select act from audit_event order by seq")
            .fetch_all(&self.db.pool)
            .await
            .unwrap()
    }
}

/// A browser: keeps cookies, says where its forms come from.
#[derive(Clone)]
pub struct Browser {
    pub router: Router,
    pub cookies: BTreeMap<String, String>,
    pub from: SocketAddr,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn location(&self) -> &str {
        self.header("location")
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }
}

impl Browser {
    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    /// Sends a form from a page of our own.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let own = [("sec-fetch-site", "same-origin")];
        self.send(Method::POST, path, &own, Some(fields)).await
    }

    pub async fn sign_in(&mut self, login: &str, password: &str) -> Answer {
        let fields = [("login", login), ("password", password)];
        self.post("/signin", &fields).await
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        fields: Option<&[(&str, &str)]>,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "pel.test")
            .extension(ConnectInfo(self.from));
        if !self.cookies.is_empty() {
            let all: Vec<String> = self
                .cookies
                .iter()
                .map(|(k, v)| format!("{k}={v}"))
                .collect();
            request = request.header(header::COOKIE, all.join("; "));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = fields.map(encode);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        let request = request.body(Body::from(body.unwrap_or_default())).unwrap();
        self.sent(request).await
    }

    /// Sends a form with files from a page of our own: `texts` by name, files as field, name, bytes.
    pub async fn upload(
        &mut self,
        path: &str,
        texts: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> Answer {
        const BOUNDARY: &str = "a-boundary-of-the-test";
        let mut body = Vec::new();
        for (name, value) in texts {
            let part = format!(
                "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            body.extend_from_slice(part.as_bytes());
        }
        for (field, name, bytes) in files {
            let head = format!(
                "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::HOST, "pel.test")
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, cookies.join("; "))
            .header(
                header::CONTENT_TYPE,
                format!("multipart/form-data; boundary={BOUNDARY}"),
            )
            .extension(ConnectInfo(self.from))
            .body(Body::from(body))
            .unwrap();
        self.sent(request).await
    }

    async fn sent(&mut self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        for set in parts.headers.get_all(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }
}

fn encode(fields: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(|b| match b {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(b).to_string(),
                _ => format!("%{b:02X}"),
            })
            .collect()
    };
    fields
        .iter()
        .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
        .collect::<Vec<_>>()
        .join("&")
}

/// The value of the first `name="…"` field of a page.
pub fn field<'a>(html: &'a str, name: &str) -> &'a str {
    let mark = format!("name=\"{name}\" value=\"");
    let from = html
        .find(&mark)
        .unwrap_or_else(|| panic!("no field {name}"))
        + mark.len();
    html[from..].split('"').next().unwrap()
}

/// What a browser would send of the form with this action, as the page shows it.
pub fn form(html: &str, action: &str) -> Vec<(String, String)> {
    let mark = format!("action=\"{action}\"");
    let from = html
        .find(&mark)
        .unwrap_or_else(|| panic!("no form {action}: {html}"));
    let form = html[from..].split("</form>").next().unwrap();
    let mut sent = Vec::new();
    let mut select = None;
    for tag in form.split('<').skip(1) {
        let (head, text) = tag.split_once('>').unwrap_or((tag, ""));
        let attr = |name: &str| {
            let from = head.find(&format!(" {name}=\""))? + name.len() + 3;
            Some(unescape(head[from..].split('"').next().unwrap()))
        };
        let on = |word: &str| head.split(' ').any(|w| w == word);
        match head.split(' ').next().unwrap() {
            "input" => {
                let kind = attr("type").unwrap_or_default();
                let ticked = !["radio", "checkbox"].contains(&kind.as_str()) || on("checked");
                if let (Some(name), true) = (attr("name"), ticked) {
                    sent.push((name, attr("value").unwrap_or_default()));
                }
            }
            "textarea" => sent.extend(attr("name").map(|n| (n, unescape(text)))),
            "select" => select = attr("name"),
            "option" if on("selected") => {
                let value = attr("value").unwrap_or_default();
                sent.extend(select.clone().map(|n| (n, value)));
            }
            _ => {}
        }
    }
    sent
}

/// Sets a field of a form, whichever values it had.
pub fn set(form: &mut Vec<(String, String)>, name: &str, value: &str) {
    form.retain(|(n, _)| n != name);
    form.push((name.to_owned(), value.to_owned()));
}

/// Pairs as [`Browser::post`] takes them.
pub fn as_fields(form: &[(String, String)]) -> Vec<(&str, &str)> {
    form.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect()
}

fn unescape(text: &str) -> String {
    [
        ("&lt;", "<"),
        ("&#60;", "<"),
        ("&gt;", ">"),
        ("&#62;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (mark, sign)| {
        text.replace(mark, sign)
    })
}
