//! A bundle over HTTP and in the database: its reason, the reviewer's consent, and who may not
//! give it.

use crate::story::{Story, actor_of, change_fields};
use axum::http::StatusCode;
use pel::ladder::policy::Role;
use pel::ladder::run::RunRole;
use pel::store::{Error, bundles, runs};
use uuid::Uuid;

/// The candidate also ran another number of sequences.
async fn other_candidate(story: &Story) {
    let case = story.case().await;
    let run = case
        .runs
        .iter()
        .find(|r| r.stated.role == RunRole::Candidate)
        .unwrap();
    let mut stated = run.stated.clone();
    let facts = &mut stated.environment.facts;
    facts.insert("setting.max_num_seqs".to_owned(), "256".to_owned());
    let actor = actor_of(story.jo, "Name of jo");
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let number = run.statement_number;
    let why = "it ran with more sequences";
    let now = story.site.now();
    runs::correct(&mut tx, &actor, case.id, run.id, number, &stated, why, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

const REASON: &str = "the engine refuses one of the two without the other";

/// A story whose change has a bundle and is submitted.
async fn submitted() -> Story {
    let story = Story::begin().await;
    other_candidate(&story).await;
    let mut jo = story.site.signed_in("jo").await;
    story.conditions(&mut jo).await;
    let mut fields = change_fields("runbook 7");
    fields.extend([
        ("bundle", "max_num_seqs = 128 → 256"),
        ("bundle_reason", REASON),
    ]);
    let path = format!("/cases/{}/changes", story.label);
    let answer = jo.post(&path, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    story
        .record(&mut jo, "rollback-threshold-defined", &[])
        .await;
    let sent = story
        .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
        .await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
    story
}

#[tokio::test]
async fn k1_two_settings_without_a_reason_are_refused_at_the_form() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    let mut fields = change_fields("runbook 7");
    fields.push(("bundle", "max_num_seqs = 128 → 256"));
    let answer = jo
        .post(&format!("/cases/{}/changes", story.label), &fields)
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("id=\"bundle_reason-fault\""),
        "{}",
        answer.body
    );
    assert!(
        answer.body.contains("max_num_seqs = 128"),
        "what was typed is kept"
    );
    assert!(story.case().await.changes.is_empty());
}

#[tokio::test]
async fn k1_a_bundle_is_approved_only_after_a_reviewers_consent() {
    let story = submitted().await;
    let mut rita = story.site.signed_in("rita").await;
    let approve = story.change("/approve");
    let refused = story
        .send(&mut rita, &story.change(""), &approve, &[])
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.body.contains(REASON), "{}", refused.body);
    let consent = story.change("/bundle/consent");
    let short = story
        .send(&mut rita, &story.change(""), &consent, &[("note", "ok")])
        .await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    for _ in 0..2 {
        let words = [("note", "they only work together")];
        let given = story
            .send(&mut rita, &story.change(""), &consent, &words)
            .await;
        assert_eq!(given.status, StatusCode::SEE_OTHER, "{}", given.body);
    }
    assert_eq!(
        story.case().await.changes[0].consents.len(),
        1,
        "given once"
    );
    let page = rita.get(&story.change("")).await.body;
    assert!(page.contains("they only work together"), "{page}");
    let answer = story
        .send(&mut rita, &story.change(""), &approve, &[])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

#[tokio::test]
async fn a_contributor_does_not_consent_and_the_database_says_so_too() {
    let story = submitted().await;
    sqlx::query("insert into person_role (person_id, role, granted_by, granted_at) values ($1, $2, $1, now())")
        .bind(story.jo)
        .bind(Role::Reviewer.id())
        .execute(&story.site.db.pool)
        .await
        .unwrap();
    let mut jo = story.site.signed_in("jo").await;
    // No form is offered to a contributor; the act refuses all the same.
    let digest = story.case().await.changes[0]
        .current()
        .unwrap()
        .digest
        .clone();
    let typed = [
        ("revision", digest.as_str()),
        ("note", "I like my own bundle"),
    ];
    let refused = jo.post(&story.change("/bundle/consent"), &typed).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(story.case().await.changes[0].consents.is_empty());
    assert_eq!(
        rule(past(&story, story.jo, None).await),
        "bundle_consent_not_by_contributor"
    );
    let other = "0".repeat(64);
    assert_eq!(
        rule(past(&story, story.rita, Some(&other)).await),
        "bundle_consent_on_revision"
    );
    past(&story, story.rita, None).await.unwrap();
    assert_eq!(
        rule(past(&story, story.rita, None).await),
        "bundle_consent_once"
    );
    let rewritten = sqlx::query("update bundle_consent set note = 'something else'")
        .execute(&story.site.db.pool)
        .await;
    assert!(rewritten.is_err(), "a consent is kept as it was given");
}

/// A consent written past the program.
async fn past(story: &Story, by: Uuid, digest: Option<&str>) -> Result<(), Error> {
    let case = story.case().await;
    let change = &case.changes[0];
    let revision = change.current().unwrap();
    let on = (change.id, revision.id, digest.unwrap_or(&revision.digest));
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let actor = actor_of(by, "somebody");
    let now = story.site.now();
    bundles::consent(&mut tx, &actor, case.id, on, "past the program", now).await?;
    tx.commit().await.map_err(Error::from)
}

fn rule(result: Result<(), Error>) -> String {
    match result {
        Err(Error::Refused { constraint, .. }) => constraint,
        other => format!("{other:?}"),
    }
}
