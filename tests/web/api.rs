//! The API: tokens, their scopes and ends, keys, versions, and that a token never decides.

use crate::harness::{Answer, Browser, Site, field};
use axum::{
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{Method, Request, StatusCode},
};
use chrono::TimeDelta;
use pel::ladder::policy::Role;
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// A program with a token.
struct Program {
    site: Site,
    token: String,
}

async fn program(scopes: &[&str]) -> Program {
    let site = Site::new().await;
    site.person("root", &[Role::Admin]).await;
    site.person("ana", &[Role::Responder]).await;
    let mut ana = site.signed_in("ana").await;
    let made = ana
        .post(
            "/services",
            &[
                ("name", "vllm-chat"),
                ("class", "chat"),
                ("classes", "chat"),
            ],
        )
        .await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.body);
    let token = token(&mut site.signed_in("root").await, scopes, &[]).await;
    Program { site, token }
}

async fn token(root: &mut Browser, scopes: &[&str], more: &[(&str, &str)]) -> String {
    let mut fields = vec![("name", "pager"), ("days", "30")];
    fields.extend(scopes.iter().map(|s| ("scope", *s)));
    fields.extend(more);
    let answer = root.post("/tokens", &fields).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let mark = answer
        .body
        .split("id=\"told\"")
        .nth(1)
        .expect("the token is shown");
    let told = mark
        .split("value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(told.starts_with("pel_") && told.len() == 68, "{told}");
    let again = root.get("/tokens").await;
    assert!(!again.body.contains(told), "shown once");
    told.to_owned()
}

impl Program {
    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "pel.test")
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .extension(ConnectInfo(
                "127.0.0.1:5000".parse::<std::net::SocketAddr>().unwrap(),
            ));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.into()).unwrap();
        let response = self.site.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.send(Method::POST, path, headers, body.to_string())
            .await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], "").await
    }

    fn alert(&self) -> Value {
        json!({
            "title": "TTFT p99 doubled",
            "service": "vllm-chat",
            "symptom": { "signal": "ttft", "statistic": "p99", "observed": 1.64, "text": "" },
            "first_seen": self.site.now() - TimeDelta::hours(1),
        })
    }
}

fn said(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{}", answer.body))
}

#[tokio::test]
async fn an_alert_opens_a_case_that_nobody_owns_yet() {
    let program = program(&["open_cases", "read_gate"]).await;
    let answer = program.post("/api/v1/cases", &[], &program.alert()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    let path = format!("/api/v1/cases/{}", said(&answer)["case"].as_str().unwrap());
    let case = said(&program.get(&path).await);
    assert_eq!(
        (&case["state"], &case["owner"]),
        (&json!("new"), &Value::Null)
    );
    let gate = said(&program.get(&format!("{path}/gate")).await);
    assert_eq!(gate["ready"], json!(false));
    assert!(!gate["lines"].as_array().unwrap().is_empty());
    // The log names the token.
    let name: String = sqlx::query_scalar(
        "select body::jsonb ->> 'name' from audit_event where act = 'case.open'",
    )
    .fetch_one(&program.site.db.pool)
    .await
    .unwrap();
    assert_eq!(name, "pager");
    let mut ana = program.site.signed_in("ana").await;
    let page = ana.get(path.trim_start_matches("/api/v1")).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("pager"), "{}", page.body);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_the_name_of_its_field() {
    let program = program(&["open_cases"]).await;
    for (field, value) in [
        ("title", json!("x")),
        ("service", json!("nowhere")),
        ("symptom.signal", json!(null)),
        (
            "first_seen",
            json!(program.site.now() + TimeDelta::hours(1)),
        ),
        ("classes", json!(["made up"])),
        ("body", json!(null)),
    ] {
        let mut alert = program.alert();
        match field {
            "symptom.signal" => alert["symptom"]["signal"] = json!("no_such_signal"),
            "body" => alert["unknown"] = json!(1),
            field => alert[field] = value,
        }
        let answer = program.post("/api/v1/cases", &[], &alert).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{field}: {}",
            answer.body
        );
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(said(&answer)["field"], json!(field), "{}", answer.body);
    }
}

#[tokio::test]
async fn x5_the_same_key_gives_the_first_answer_and_another_body_is_refused() {
    let program = program(&["open_cases"]).await;
    let alert = program.alert();
    let key = [("idempotency-key", "alert-7")];
    let first = program.post("/api/v1/cases", &key, &alert).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    let (a, b) = tokio::join!(
        program.post("/api/v1/cases", &key, &alert),
        program.post("/api/v1/cases", &key, &alert),
    );
    for again in [a, b] {
        assert_eq!(again.status, StatusCode::CREATED);
        assert_eq!(said(&again), said(&first));
    }
    let mut other = alert.clone();
    other["title"] = json!("Another title");
    let refused = program.post("/api/v1/cases", &key, &other).await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        refused.body
    );
    let count = "select count(*) from case_file";
    let count: i64 = sqlx::query_scalar(count)
        .fetch_one(&program.site.db.pool)
        .await
        .unwrap();
    assert_eq!(count, 1);
    // After a day the key is free again.
    program.site.pass(TimeDelta::hours(25));
    let later = program.post("/api/v1/cases", &key, &other).await;
    assert_eq!(later.status, StatusCode::CREATED, "{}", later.body);
}

#[tokio::test]
async fn x5_two_at_once_with_one_key_open_one_case() {
    let program = program(&["open_cases"]).await;
    let alert = program.alert();
    let key = [("idempotency-key", "once")];
    let (a, b) = tokio::join!(
        program.post("/api/v1/cases", &key, &alert),
        program.post("/api/v1/cases", &key, &alert),
    );
    assert_eq!(
        (a.status, b.status),
        (StatusCode::CREATED, StatusCode::CREATED)
    );
    assert_eq!(said(&a), said(&b));
}

#[tokio::test]
async fn a_run_is_stated_measured_and_corrected_as_it_was_read() {
    let program = program(&["open_cases", "attach_evidence"]).await;
    let opened = said(&program.post("/api/v1/cases", &[], &program.alert()).await);
    let runs = format!("/api/v1/cases/{}/runs", opened["case"].as_str().unwrap());
    let now = program.site.now();
    let run = json!({
        "role": "baseline", "phase": "warm", "profiled": "no",
        "environment": { "gpu_model": "NVIDIA H200" },
        "start": now - TimeDelta::minutes(30), "end": now - TimeDelta::minutes(10),
    });
    let made = program.post(&runs, &[], &run).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    assert_eq!(made.header("etag"), "\"1\"");
    let path = format!("{runs}/R-1");
    let evidence = format!("{path}/evidence?name=metrics.prom");
    let sent = program
        .send(Method::POST, &evidence, &[], "a_metric 1\n")
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    assert_eq!(said(&sent)["items"][0]["evidence"], json!("EV-1"));
    let same = program
        .send(Method::POST, &evidence, &[], "a_metric 1\n")
        .await;
    assert_eq!(same.status, StatusCode::CONFLICT, "{}", same.body);
    let wrong = format!("{evidence}&sha256={}", "0".repeat(64));
    let wrong = program
        .send(Method::POST, &wrong, &[], "a_metric 2\n")
        .await;
    assert_eq!(
        wrong.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        wrong.body
    );
    // Corrections carry what was read.
    let mut cold = run.clone();
    cold["phase"] = json!("cold");
    cold["reason"] = json!("it was just started");
    let put = |tag: Option<&'static str>, body: Value| {
        let headers: Vec<(&str, &str)> = tag.map(|t| ("if-match", t)).into_iter().collect();
        let (program, path) = (&program, path.clone());
        async move {
            program
                .send(Method::PUT, &path, &headers, body.to_string())
                .await
        }
    };
    let without = put(None, cold.clone()).await;
    assert_eq!(
        without.status,
        StatusCode::PRECONDITION_REQUIRED,
        "{}",
        without.body
    );
    let done = put(Some("\"1\""), cold.clone()).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    assert_eq!(done.header("etag"), "\"2\"");
    let mut note = run.clone();
    note["note"] = json!("with the old client");
    note["reason"] = json!("the client was left out");
    let stale = put(Some("\"1\""), note).await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.body);
    let three = said(&stale);
    assert_eq!(three["theirs"]["stated"]["phase"], json!("cold"));
    assert_eq!(three["yours"]["note"], json!("with the old client"));
    assert_eq!(three["base"]["phase"], json!("warm"));
    assert_eq!(stale.header("etag"), "\"2\"");
}

#[tokio::test]
async fn r15_a_token_never_approves_accepts_overrides_records_or_closes() {
    let program = program(&["open_cases", "attach_evidence", "read_gate", "post_canary"]).await;
    let opened = said(&program.post("/api/v1/cases", &[], &program.alert()).await);
    let case = opened["case"].as_str().unwrap().to_owned();
    for act in [
        "changes/CH-1/approve",
        "changes/CH-1/accept",
        "changes/CH-1/reject",
        "changes/CH-1/override",
        "conditions/reproduced-bottleneck",
        "close",
    ] {
        // Through the API, and at the pages' own addresses.
        for path in [
            format!("/api/v1/cases/{case}/{act}"),
            format!("/cases/{case}/{act}"),
        ] {
            let answer = program.post(&path, &[], &json!({})).await;
            let gone = path.ends_with("override") && answer.status == StatusCode::NOT_FOUND;
            assert!(
                gone || answer.status == StatusCode::FORBIDDEN,
                "{path}: {}",
                answer.body
            );
        }
    }
    let acts = program.site.acts().await;
    assert_eq!(acts.iter().filter(|a| *a == "token.refused").count(), 6);
}

#[tokio::test]
async fn a_token_does_what_its_scope_says_where_it_is_bound_until_it_ends() {
    let program = program(&["read_gate"]).await;
    let refused = program.post("/api/v1/cases", &[], &program.alert()).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.body.contains("open_cases"), "{}", refused.body);
    let mut root = program.site.signed_in("root").await;
    let opener = Program {
        token: token(&mut root, &["open_cases"], &[]).await,
        site: program.site,
    };
    let opened = said(&opener.post("/api/v1/cases", &[], &opener.alert()).await);
    let other = said(&opener.post("/api/v1/cases", &[], &opener.alert()).await);
    let label = opened["case"].as_str().unwrap().to_owned();
    let bound = Program {
        token: token(&mut root, &["read_gate"], &[("case", &label)]).await,
        site: opener.site,
    };
    let path = |case: &Value| format!("/api/v1/cases/{}", case["case"].as_str().unwrap());
    assert_eq!(bound.get(&path(&opened)).await.status, StatusCode::OK);
    assert_eq!(bound.get(&path(&other)).await.status, StatusCode::NOT_FOUND);
    // Taken back, it opens nothing; the list says so.
    let id: uuid::Uuid =
        sqlx::query_scalar("select id from service_token where case_id is not null")
            .fetch_one(&bound.site.db.pool)
            .await
            .unwrap();
    let done = root.post(&format!("/tokens/{id}/revoke"), &[]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER);
    let gone = bound.get(&path(&opened)).await;
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED, "{}", gone.body);
    assert_eq!(gone.header("www-authenticate"), "Bearer");
    let stored: Vec<u8> = sqlx::query_scalar("select secret_hash from service_token where id = $1")
        .bind(id)
        .fetch_one(&bound.site.db.pool)
        .await
        .unwrap();
    assert_ne!(stored, bound.token.as_bytes(), "only a digest is kept");
    let ended = Program {
        token: token(&mut root, &["read_gate"], &[]).await,
        site: bound.site,
    };
    assert_eq!(ended.get(&path(&opened)).await.status, StatusCode::OK);
    ended.site.pass(TimeDelta::days(31));
    assert_eq!(
        ended.get(&path(&opened)).await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn a_token_holds_no_role_and_signs_in_nowhere() {
    let program = program(&["read_gate"]).await;
    let id: uuid::Uuid = sqlx::query_scalar("select id from service_token")
        .fetch_one(&program.site.db.pool)
        .await
        .unwrap();
    for sql in [
        "insert into person_role (person_id, role, granted_at) values ($1, 'reviewer', now())",
        "insert into password (person_id, phc, changed_at) values ($1, '$argon2id$x', now())",
    ] {
        let refused = sqlx::query(sql)
            .bind(id)
            .execute(&program.site.db.pool)
            .await;
        assert!(
            refused.unwrap_err().to_string().contains("no role"),
            "{sql}"
        );
    }
    let mut root = program.site.signed_in("root").await;
    let people = root.get("/people").await;
    assert!(
        !people.body.contains("pager"),
        "a token is no person of the list"
    );
    assert!(!field(&root.get("/tokens").await.body, "days").is_empty());
}
