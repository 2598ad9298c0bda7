//! R: who may approve and accept, over HTTP: second accounts, roles, requests, confirmations.

use crate::harness::{as_fields, form, set};
use crate::refusals::grant;
use crate::story::{Story, by_hand, hidden, post_shown};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::people;
use uuid::Uuid;

/// An administrator states on the people page that `account` is another one of `first`.
async fn same_person(story: &Story, account: Uuid, first: Uuid) {
    story.site.person("root", &[Role::Admin]).await;
    let mut root = story.site.signed_in("root").await;
    let action = format!("/people/{account}/identity");
    let mut sent = form(&root.get("/people").await.body, &action);
    set(&mut sent, "same_as", &first.to_string());
    set(&mut sent, "reason", "");
    let without = root.post(&action, &as_fields(&sent)).await;
    assert_eq!(without.status, StatusCode::UNPROCESSABLE_ENTITY);
    set(&mut sent, "reason", "told us so on Monday");
    let answer = root.post(&action, &as_fields(&sent)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert!(
        root.get("/people")
            .await
            .body
            .contains("the same person as Name of jo")
    );
}

#[tokio::test]
async fn r1_a_second_account_of_the_author_approves_nothing_of_theirs() {
    let story = Story::begin().await;
    let second = story.site.person("jo2", &[Role::Reviewer]).await;
    story.submitted().await;
    same_person(&story, second, story.jo).await;
    let mut jo2 = story.site.signed_in("jo2").await;
    let page = jo2.get(&story.change("")).await;
    assert!(
        !page.body.contains("/approve\""),
        "no form is offered: {}",
        page.body
    );
    let answer = by_hand(&story, &mut jo2, "/approve", &[]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    assert!(
        answer.body.contains("Name of rita"),
        "who could: {}",
        answer.body
    );
    assert_eq!(story.state().await, "submitted");
}

#[tokio::test]
async fn r1_a_second_account_accepts_nothing_and_the_database_says_so_too() {
    let story = Story::begin().await;
    story.awaiting().await;
    let second = story.site.person("jo2", &[Role::Reviewer]).await;
    same_person(&story, second, story.jo).await;
    let mut jo2 = story.site.signed_in("jo2").await;
    let answer = by_hand(&story, &mut jo2, "/accept", &[("note", "all is well")]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    assert!(story.decisions().await.is_empty());
}

#[tokio::test]
async fn r13_an_identity_is_flat_and_names_the_first_account() {
    let story = Story::begin().await;
    let mut conn = story.site.db.pool.acquire().await.unwrap();
    let actor = crate::story::actor_of(story.rita, "rita");
    let link = async |conn: &mut _, of: Uuid, first: Option<Uuid>| {
        let version = people::get(&mut *conn, of).await.unwrap().version;
        let now = story.site.now();
        people::set_identity(conn, &actor, (of, version), first, "told us so", now).await
    };
    let third = story.site.person("third", &[]).await;
    link(&mut *conn, story.rita, Some(story.jo)).await.unwrap();
    // Neither through another account nor onto one that stands for others.
    for (of, first) in [(third, story.rita), (story.jo, third), (third, third)] {
        let refused = link(&mut *conn, of, Some(first)).await;
        assert!(refused.is_err(), "{of} {first}");
    }
    link(&mut *conn, story.rita, None).await.unwrap();
}

#[tokio::test]
async fn r10_an_approver_is_shown_old_and_new_numbers_and_confirms_in_one_act() {
    let story = Story::begin().await;
    let mut jo = story.approved().await;
    let from = story.site.now() - TimeDelta::hours(2);
    story
        .run(
            story.jo,
            RunRole::Candidate,
            Phase::Warm,
            from,
            20,
            (0.7, 0.98),
        )
        .await;
    let start = story.change("/canary/start");
    let page = jo.get(&start).await;
    assert!(
        !page.body.contains("name=\"form_key\""),
        "not offered: {}",
        page.body
    );
    let mut rita = story.site.signed_in("rita").await;
    let shown = rita.get(&story.change("")).await;
    assert!(
        shown.body.contains("confirm the approval"),
        "{}",
        shown.body
    );
    let asked = rita.get(&story.change("/approve")).await;
    assert_eq!(asked.status, StatusCode::OK);
    let (said, moved) = ("600\u{202f}ms", "700\u{202f}ms");
    let table = asked.body.split("id=\"confirm\"").nth(1).unwrap();
    let table = table.split("</section>").next().unwrap();
    assert!(table.contains(said) && table.contains(moved), "{table}");
    let done = post_shown(&mut rita, &asked.body, &story.change("/approve"), &[]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let case = story.case().await;
    assert_eq!(case.changes[0].approvals.len(), 2, "the first is kept");
    assert_eq!(story.state().await, "approved_for_canary");
    story.present(&mut jo).await;
    let answer = story.send(&mut jo, &start, &start, &[]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

#[tokio::test]
async fn r16_an_administrator_without_the_reviewer_role_accepts_nothing() {
    let story = Story::begin().await;
    story.awaiting().await;
    story.site.person("root", &[Role::Admin]).await;
    let mut root = story.site.signed_in("root").await;
    for act in ["/approve", "/accept", "/reject"] {
        let answer = by_hand(&story, &mut root, act, &[("note", "all is well")]).await;
        assert_eq!(
            answer.status,
            StatusCode::FORBIDDEN,
            "{act}: {}",
            answer.body
        );
    }
    assert_eq!(story.state().await, "awaiting_promotion");
}

#[tokio::test]
async fn r21_who_asked_for_changes_and_then_wrote_on_the_draft_cannot_approve() {
    let story = Story::begin().await;
    let mut jo = story.submitted().await;
    grant(&story, story.rita, &[Role::Responder]).await;
    let mut rita = story.site.signed_in("rita").await;
    let asked = rita
        .post(
            &story.change("/request-changes"),
            &[("note", "a procedure with steps")],
        )
        .await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.body);
    let edit = story.change("/edit");
    let mut sent = form(&rita.get(&edit).await.body, &edit);
    set(&mut sent, "procedure", "1. set it back 2. watch");
    let wrote = rita.post(&edit, &as_fields(&sent)).await;
    assert_eq!(wrote.status, StatusCode::SEE_OTHER, "{}", wrote.body);
    story
        .record(&mut jo, "rollback-threshold-defined", &[])
        .await;
    // A new revision does not clear the request by itself.
    let again = story
        .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
        .await;
    let submitted = again.status == StatusCode::SEE_OTHER;
    let id = story.case().await.changes[0].requests[0].id;
    let clear = story.change(&format!("/requests/{id}/clear"));
    let own = rita.post(&clear, &[("note", "it is there now")]).await;
    assert_eq!(own.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", own.body);
    let mut ana = story.site.signed_in("ana").await;
    let without = ana.post(&clear, &[("note", "")]).await;
    assert_eq!(without.status, StatusCode::UNPROCESSABLE_ENTITY);
    let cleared = ana.post(&clear, &[("note", "it is there now")]).await;
    assert_eq!(cleared.status, StatusCode::SEE_OTHER, "{}", cleared.body);
    if !submitted {
        let again = story
            .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
            .await;
        assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.body);
    }
    let refused = by_hand(&story, &mut rita, "/approve", &[]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    let page = ana.get(&story.change("")).await;
    assert!(!hidden(&page.body).is_empty());
    let approved = post_shown(&mut ana, &page.body, &story.change("/approve"), &[]).await;
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.body);
}

#[tokio::test]
async fn r9_a_comment_after_approval_changes_nothing_about_it() {
    let story = Story::begin().await;
    let mut jo = story.approved().await;
    let path = format!("/cases/{}/comments", story.label);
    let answer = jo
        .post(&path, &[("text", "The night shift knows of it.")])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let mut rita = story.site.signed_in("rita").await;
    let answer = rita.post(&path, &[("text", "Thank you.")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let case = story.case().await;
    let change = &case.changes[0];
    let all = pel::ladder::gate::approvals(&case, change, &case.policy, story.site.now());
    assert!(all.len() == 1 && all[0].counts(), "{all:?}");
    // And the canary starts on it.
    story.present(&mut jo).await;
    let start = story.change("/canary/start");
    let answer = story.send(&mut jo, &start, &start, &[]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(story.state().await, "canary_running");
}
