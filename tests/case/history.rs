//! A case written out and imported again: history to read, and nothing that a gate could use.

use crate::harness::Browser;
use crate::scene::{Scene, reading};
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, header};
use pel::ladder::run::{Phase, RunRole};
use pel::store::case_file;
use tower::ServiceExt as _;

/// Sends a file to `/history`; status, where it leads, and the page.
async fn import(browser: &Browser, bytes: &[u8]) -> (StatusCode, String, String) {
    let head =
        "--B\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pel.json\"\r\n\r\n";
    let body = [head.as_bytes(), bytes, b"\r\n--B--\r\n"].concat();
    let cookies: Vec<String> = browser
        .cookies
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    let request = Request::post("/history")
        .header(header::HOST, "pel.test")
        .header(header::COOKIE, cookies.join("; "))
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=B")
        .extension(ConnectInfo(browser.from))
        .body(Body::from(body))
        .unwrap();
    let (parts, body) = browser
        .router
        .clone()
        .oneshot(request)
        .await
        .unwrap()
        .into_parts();
    let location = parts.headers.get(header::LOCATION);
    let location = location.map_or(String::new(), |l| l.to_str().unwrap().to_owned());
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    (
        parts.status,
        location,
        String::from_utf8(bytes.to_vec()).unwrap(),
    )
}

#[tokio::test]
async fn x29_an_imported_case_is_history_and_feeds_no_gate() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, _) = scene.item(run, "first.prom").await;
    scene.read(item, &reading(1.588, None)).await;
    let mut jo = scene.responder().await;
    let file = jo.get(&format!("{}/export.json", scene.path())).await;
    assert_eq!(file.status, StatusCode::OK, "{}", file.body);
    assert!(file.header("content-disposition").contains(&scene.label));
    let (status, page, body) = import(&jo, file.body.as_bytes()).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
    let again = import(&jo, file.body.as_bytes()).await;
    assert_eq!(again.1, page, "the same file again is the same history");
    let shown = jo.get(&page).await.body;
    assert!(
        shown.contains("Restored from import (read-only)"),
        "{shown}"
    );
    assert!(shown.contains("EV-1") && shown.contains("R-1"));
    let main = shown.split("<main").nth(1).unwrap();
    let main = main.split("</main>").next().unwrap();
    assert!(
        !main.contains("<form"),
        "nothing can be done to history: {main}"
    );
    assert!(jo.get("/history").await.body.contains(&page));
    // No case came of it, and the one there did not move.
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    let cases: i64 = sqlx::query_scalar("select count(*) from case_file")
        .fetch_one(&mut *conn)
        .await
        .unwrap();
    assert_eq!(cases, 1);
    let case = case_file::load(&mut conn, scene.case).await.unwrap();
    assert_eq!((case.runs.len(), case.evidence.len()), (1, 1));
    // Nothing that is judged refers to it.
    let refers: i64 = sqlx::query_scalar(
        "select count(*) from pg_constraint where confrelid = 'imported_case'::regclass",
    )
    .fetch_one(&mut *conn)
    .await
    .unwrap();
    assert_eq!(refers, 0);
    let acts = scene.site.acts().await;
    assert_eq!(acts.iter().filter(|a| *a == "history.import").count(), 1);
    assert_eq!(acts.iter().filter(|a| *a == "case.export").count(), 1);
}

#[tokio::test]
async fn x29_what_is_no_exported_case_is_refused_at_its_field() {
    let scene = Scene::new().await;
    let mut jo = scene.responder().await;
    let file = jo.get(&format!("{}/export.json", scene.path())).await.body;
    let altered = file.replace("\"state\":\"investigating\"", "\"state\":\"closed\"");
    assert_ne!(altered, file);
    for (bytes, says) in [
        (altered.as_bytes(), "no longer has the digest"),
        (b"{\"format\": 1".as_slice(), "Line 1, column"),
        (b"".as_slice(), "Choose the file"),
    ] {
        let (status, _, body) = import(&jo, bytes).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert!(body.contains(says), "{says}: {body}");
    }
    assert!(
        !scene
            .site
            .acts()
            .await
            .contains(&"history.import".to_owned())
    );
}
