//! Tables of numbers over HTTP: the reader asks, a person says what the columns mean, the item is
//! read again, and its numbers count once a reviewer countersigned them.

use crate::harness::{as_fields, form, set};
use crate::scene::Scene;
use axum::http::StatusCode;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::{case_file, evidence, mappings};
use pel_evidence::{Options, Source, Statistic};
use serde_json::json;
use uuid::Uuid;

const TABLE: &str = "variant,ttft_p99_ms,gpu_power_w\nold,1588,650\nnew,900,640\n";

/// Reads the item as its job would: the bytes, with the mapping that is kept.
async fn read(scene: &Scene, item: Uuid) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes");
    std::fs::write(&path, TABLE).unwrap();
    let mut tx = scene.tx().await;
    let mapping = mappings::newest(&mut tx, item).await.unwrap();
    let options = Options {
        mapping: mapping.as_ref().map(|m| m.mapping.clone()),
        ..Options::default()
    };
    let source = Source {
        path,
        name: "measured.csv".to_owned(),
    };
    let now = scene.site.now();
    match pel_evidence::read(&[source], &options) {
        Ok(reading) => {
            let by = ("0.1.0", mapping.as_ref());
            evidence::keep_mapped(&mut tx, item, &reading, &json!({}), by, now)
                .await
                .unwrap();
        }
        Err(refusal) => {
            let reason = json!({ "refusal": refusal });
            evidence::keep_refusal(&mut tx, item, &reason, now)
                .await
                .unwrap();
        }
    }
    tx.commit().await.unwrap();
}

async fn case(scene: &Scene) -> pel::ladder::CaseFile {
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    case_file::load(&mut conn, scene.case).await.unwrap()
}

async fn jobs(scene: &Scene) -> i64 {
    sqlx::query_scalar("select count(*) from job where kind = 'read_evidence'")
        .fetch_one(&scene.site.db.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_table_is_asked_about_mapped_read_attested_and_countersigned() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "measured.csv").await;
    read(&scene, item).await;
    let mut browser = scene.responder().await;
    let page = format!("/evidence/EV-{number}");
    let path = format!("{page}/mapping");
    for shows in [page.clone(), scene.path()] {
        let html = browser.get(&shows).await.body;
        assert!(html.contains(&format!("href=\"{path}\"")), "{shows}");
    }
    let asked = browser.get(&path).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
    let mut typed = form(&asked.body, &path);
    let value = |f: &[(String, String)], name: &str| {
        f.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone())
    };
    assert_eq!(value(&typed, "as-1").as_deref(), Some("signal:ttft"));
    assert_eq!(value(&typed, "unit-1").as_deref(), Some("ms"));

    // Nothing is read before everything is said.
    set(&mut typed, "as-2", "");
    set(&mut typed, "do", "read");
    let answer = browser.post(&path, &as_fields(&typed)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("id=\"samples-fault\""),
        "{}",
        answer.body
    );
    assert_eq!(jobs(&scene).await, 0);

    set(&mut typed, "samples", "12000");
    set(&mut typed, "only-column", "variant");
    set(&mut typed, "only-text", "old");
    set(&mut typed, "as-0", "");
    set(&mut typed, "do", "preview");
    let answer = browser.post(&path, &as_fields(&typed)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(
        answer.body.contains("p99 TTFT") && answer.body.contains("588"),
        "{}",
        answer.body
    );
    assert_eq!(jobs(&scene).await, 0, "a preview keeps nothing");

    set(&mut typed, "do", "read");
    let answer = browser.post(&path, &as_fields(&typed)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(jobs(&scene).await, 1);
    assert!(scene.site.acts().await.contains(&"evidence.map".to_owned()));
    read(&scene, item).await;

    let found = case(&scene).await;
    assert!(
        found.items_of(run).all(|e| e.signals().is_empty()),
        "nothing was extracted"
    );
    let a = &found.attested[0];
    assert_eq!((found.attested.len(), a.by), (1, scene.responder));
    assert_eq!(
        (a.signal.value, a.signal.statistic),
        (1.588, Statistic::P99)
    );
    assert!(a.place.contains("ttft_p99_ms") && a.place.contains("variant = old"));
    let html = browser.get(&page).await.body;
    assert!(html.contains("attested by Name of resp") && html.contains("not countersigned"));

    let answer_path = format!("{}/attested/A-1", scene.path());
    let own = browser.post(&answer_path, &[("answer", "agree")]).await;
    assert_eq!(own.status, StatusCode::FORBIDDEN);
    let mut reviewer = scene.site.signed_in("rev").await;
    let done = reviewer.post(&answer_path, &[("answer", "agree")]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let html = reviewer.get(&page).await.body;
    assert!(html.contains("countersigned by Name of rev"));

    // Said otherwise: the old number no longer stands, nor its countersignature.
    set(&mut typed, "only-text", "new");
    let answer = browser.post(&path, &as_fields(&typed)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    read(&scene, item).await;
    let found = case(&scene).await;
    let item_now = found.item(item).unwrap();
    let said: Vec<f64> = found
        .attested
        .iter()
        .filter(|a| a.is_said_by(item_now))
        .map(|a| a.signal.value)
        .collect();
    assert_eq!(said, [0.9]);
    let html = reviewer.get(&page).await.body;
    assert!(html.contains("not countersigned"));
    assert!(!html.contains("countersigned by Name of rev"));
}

#[tokio::test]
async fn a_mapping_is_offered_to_the_next_file_with_the_same_columns() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (first, number) = scene.item(run, "a.csv").await;
    read(&scene, first).await;
    let mut browser = scene.responder().await;
    let path = format!("/evidence/EV-{number}/mapping");
    let html = browser.get(&path).await.body;
    let mut typed = form(&html, &path);
    for (name, value) in [
        ("as-1", "signal:e2e_latency"),
        ("as-2", ""),
        ("samples", "77"),
        ("do", "read"),
    ] {
        set(&mut typed, name, value);
    }
    let answer = browser.post(&path, &as_fields(&typed)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let (second, number) = scene.item(run, "b.csv").await;
    read(&scene, second).await;
    let path = format!("/evidence/EV-{number}/mapping");
    let typed = form(&browser.get(&path).await.body, &path);
    assert!(typed.contains(&("as-1".to_owned(), "signal:e2e_latency".to_owned())));
    assert!(typed.contains(&("samples".to_owned(), "77".to_owned())));
}

#[tokio::test]
async fn no_mapping_where_no_reader_asked() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (_, number) = scene.item(run, "waits.csv").await;
    let mut browser = scene.responder().await;
    let path = format!("/evidence/EV-{number}/mapping");
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
    scene.site.person("viewer", &[Role::Viewer]).await;
    let mut viewer = scene.site.signed_in("viewer").await;
    assert_eq!(viewer.get(&path).await.status, StatusCode::FORBIDDEN);
    assert_eq!(viewer.post(&path, &[]).await.status, StatusCode::FORBIDDEN);
}
