//! What is refused on the way, and that it says why.

use crate::story::{CHANGE, Story, by_hand, change_fields, hidden, post_shown};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::ladder::evidence::EvidenceState;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::evidence;
use std::collections::BTreeMap;

#[tokio::test]
async fn submitting_with_an_open_gate_names_every_line_and_is_written_down() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    story.draft(&mut jo).await;
    let answer = story
        .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
        .await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    for line in [
        "Reproduced bottleneck",
        "Owner layer",
        "Acceptance impact",
        "Rollback threshold",
    ] {
        assert!(answer.body.contains(line), "{line}: {}", answer.body);
    }
    assert_eq!(story.state().await, "draft");
    assert!(
        story
            .site
            .acts()
            .await
            .contains(&"submit.refused".to_owned())
    );
}

#[tokio::test]
async fn accepting_with_an_open_gate_names_the_line_and_keeps_the_note() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await;
    // The canary's verdict ages while the page is open.
    story.site.pass(TimeDelta::hours(25));
    let mut rita = story.site.signed_in("rita").await;
    let answer = post_shown(&mut rita, &shown.body, &page, &[("note", "a note of mine")]).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    assert!(answer.body.contains("a note of mine"));
    assert!(answer.body.contains("out of date"), "{}", answer.body);
    assert_eq!(story.state().await, "awaiting_promotion");
    assert_eq!(story.decisions().await, BTreeMap::new());
    assert!(
        story
            .site
            .acts()
            .await
            .contains(&"accept.refused".to_owned())
    );
}

#[tokio::test]
async fn r1_an_author_with_the_reviewer_role_decides_on_nothing_of_theirs() {
    let story = Story::begin().await;
    story.submitted().await;
    grant(&story, story.jo, &[Role::Responder, Role::Reviewer]).await;
    let mut jo = story.site.signed_in("jo").await;
    let answer = by_hand(&story, &mut jo, "/approve", &[]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    assert!(
        answer.body.contains("Name of rita"),
        "who could: {}",
        answer.body
    );
    assert_eq!(story.state().await, "submitted");
    // Somebody without the role is not even asked.
    let mut viewer = {
        story.site.person("vi", &[Role::Viewer]).await;
        story.site.signed_in("vi").await
    };
    let answer = viewer.post(&story.change("/approve"), &[]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn r2_a_reviewer_who_attached_evidence_does_not_approve() {
    let story = Story::begin().await;
    grant(&story, story.rita, &[Role::Responder, Role::Reviewer]).await;
    let from = story.site.now() - TimeDelta::hours(2);
    story
        .run(
            story.rita,
            RunRole::Baseline,
            Phase::Warm,
            from,
            20,
            (1.65, 0.93),
        )
        .await;
    story.submitted().await;
    let mut rita = story.site.signed_in("rita").await;
    let answer = by_hand(&story, &mut rita, "/approve", &[]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    assert!(answer.body.contains("EV-4"), "{}", answer.body);
    assert_eq!(story.state().await, "submitted");
}

#[tokio::test]
async fn r7_an_old_page_approves_nothing_and_shows_the_current_revision() {
    let story = Story::begin().await;
    let mut jo = story.submitted().await;
    let mut rita = story.site.signed_in("rita").await;
    let old = rita.get(&story.change("")).await;
    // One character of the procedure, and submitted again.
    let page = jo.get(&story.change("/edit")).await;
    let version = crate::harness::field(&page.body, "version").to_owned();
    let mut fields = change_fields("runbook 8");
    fields.push(("version", &version));
    let saved = jo.post(&story.change("/edit"), &fields).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    story
        .record(&mut jo, "rollback-threshold-defined", &[])
        .await;
    let again = story
        .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
        .await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.body);
    assert_eq!(story.case().await.changes[0].revisions.len(), 2);

    let answer = post_shown(&mut rita, &old.body, &story.change("/approve"), &[]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert!(answer.body.contains("Revision 2"), "{}", answer.body);
    assert!(
        answer.body.contains("revised"),
        "what moved: {}",
        answer.body
    );
    assert!(story.case().await.changes[0].approvals.is_empty());
    // The page of the change says what differs between the two.
    let shown = rita.get(&story.change("")).await;
    assert!(
        shown.body.contains("<del>runbook 7</del>") && shown.body.contains("<ins>runbook 8</ins>")
    );
}

#[tokio::test]
async fn x4_an_old_edit_page_keeps_what_was_typed() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    story.draft(&mut jo).await;
    let mut fields = change_fields("my own words");
    fields.push(("version", "99"));
    let answer = jo.post(&story.change("/edit"), &fields).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.body.contains("my own words"));
    let two = [
        ("setting", "a, b"),
        ("component", "x"),
        ("old", "1"),
        ("new", "2"),
    ];
    let answer = jo
        .post(&format!("/cases/{}/changes", story.label), &two)
        .await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn r18_evidence_withdrawn_while_the_accept_page_is_open_stops_the_acceptance() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await;
    let item = story.case().await.evidence[0].id;
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let jo = crate::story::actor_of(story.jo, "Name of jo");
    evidence::take_out(
        &mut tx,
        &jo,
        story.case_id,
        item,
        EvidenceState::Withdrawn,
        "wrong replica",
        story.site.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let answer = post_shown(&mut rita, &shown.body, &page, &[("note", "fine with me")]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert!(
        answer.body.contains("withdrew EV-1"),
        "what moved: {}",
        answer.body
    );
    assert!(answer.body.contains("fine with me"));
    assert_eq!(story.decisions().await, BTreeMap::new());
}

#[tokio::test]
async fn altered_bytes_stop_the_acceptance() {
    let story = Story::begin().await;
    story.awaiting().await;
    let item = story.case().await.evidence[0].clone();
    story
        .site
        .app
        .blobs
        .remove(item.files[0].sha256.parse().unwrap())
        .await
        .unwrap();
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    rita.get(&page).await;
    let answer = by_hand(&story, &mut rita, "/accept", &[("note", "fine with me")]).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    assert!(
        answer.body.contains("Evidence integrity"),
        "{}",
        answer.body
    );
    assert_eq!(story.state().await, "awaiting_promotion");
}

#[tokio::test]
async fn a_canary_over_its_share_fails_and_can_only_be_rolled_back() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    let answer = story.end(&mut jo, "6", (0.62, 0.984)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(story.state().await, "canary_ended");
    let shown = jo.get(&story.change("")).await;
    assert!(shown.body.contains("The canary failed."), "{}", shown.body);
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    rita.get(&page).await;
    let answer = by_hand(&story, &mut rita, "/accept", &[("note", "let it through")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn rolling_back_needs_nothing_but_a_reason() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    // The gate turns red: a condition is taken back.
    let record = story.case().await.records[0].id;
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let actor = crate::story::actor_of(story.jo, "Name of jo");
    pel::store::said::retract(
        &mut tx,
        &actor,
        story.case_id,
        record,
        "was wrong",
        story.site.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let page = story.change("/roll-back");
    let short = story.send(&mut jo, &page, &page, &[("note", "x")]).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    let done = story.send(&mut jo, &page, &page, &[("note", "hot")]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert_eq!(story.state().await, "rolled_back");
    assert_eq!(story.decisions().await["rolled_back"], 1);
    let shown = jo.get(done.location()).await;
    assert!(shown.body.contains("hot"));
    // A manager may, a viewer may not.
    story.site.person("vi", &[Role::Viewer]).await;
    let mut vi = story.site.signed_in("vi").await;
    assert_eq!(vi.get(&page).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_second_live_change_of_the_service_does_not_start() {
    let story = Story::begin().await;
    let mut jo = story.approved().await;
    // Another case of the service has a canary running.
    sqlx::query(
        "with c as (insert into case_file (id, title, service_id, problem, symptom, first_seen, state, state_since,
                      owner_id, owner_accepted_at, opened_by, opened_at, moved_at)
           select gen_random_uuid(), 'another case', service_id, '', symptom, first_seen, 'investigating', opened_at,
                  owner_id, opened_at, opened_by, opened_at, opened_at from case_file limit 1 returning id, service_id, opened_by, opened_at)
         insert into change (id, case_id, service_id, state, state_since, author_id, created_at)
         select gen_random_uuid(), id, service_id, 'canary_running', opened_at, opened_by, opened_at from c",
    )
    .execute(&story.site.db.pool)
    .await
    .unwrap();
    let page = story.change("/canary/start");
    jo.get(&page).await;
    story.present(&mut jo).await;
    let answer = by_hand(&story, &mut jo, "/canary/start", &[]).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    assert!(
        answer.body.contains("CH-2 (PEL-"),
        "a link to the other: {}",
        answer.body
    );
    assert_eq!(story.state().await, "approved_for_canary");
}

#[tokio::test]
async fn r12_a_request_for_changes_blocks_until_another_reviewer_clears_it() {
    let story = Story::begin().await;
    let mut jo = story.submitted().await;
    let mut rita = story.site.signed_in("rita").await;
    let asked = rita
        .post(
            &story.change("/request-changes"),
            &[("note", "an hour of short chat")],
        )
        .await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.body);
    let refused = story
        .send(&mut rita, &story.change(""), &story.change("/approve"), &[])
        .await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        refused.body
    );
    assert!(refused.body.contains("an hour of short chat"));
    let id = story.case().await.changes[0].requests[0].id;
    let clear = story.change(&format!("/requests/{id}/clear"));
    assert_eq!(
        jo.post(&clear, &[("note", "it is there now")]).await.status,
        StatusCode::FORBIDDEN
    );
    let mut ana = story.site.signed_in("ana").await;
    let cleared = ana.post(&clear, &[("note", "it is there now")]).await;
    assert_eq!(cleared.status, StatusCode::SEE_OTHER, "{}", cleared.body);
    let approved = story
        .send(&mut rita, &story.change(""), &story.change("/approve"), &[])
        .await;
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.body);
}

#[tokio::test]
async fn a_rejection_is_sealed_like_an_acceptance() {
    let story = Story::begin().await;
    story.submitted().await;
    let mut rita = story.site.signed_in("rita").await;
    let action = story.change("/reject");
    let short = story
        .send(&mut rita, &story.change(""), &action, &[("note", "no")])
        .await;
    assert_eq!(
        short.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        short.body
    );
    let done = story
        .send(
            &mut rita,
            &story.change(""),
            &action,
            &[("note", "too risky for chat")],
        )
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert_eq!(story.state().await, "rejected");
    let shown = rita.get(done.location()).await;
    assert!(shown.body.contains("Rejected") && shown.body.contains("too risky for chat"));
}

#[tokio::test]
async fn deciding_asks_for_the_password_after_a_quarter_of_an_hour() {
    let story = Story::begin().await;
    story.submitted().await;
    let mut rita = story.site.signed_in("rita").await;
    let shown = rita.get(&story.change("")).await;
    story.site.pass(TimeDelta::minutes(16));
    let answer = post_shown(&mut rita, &shown.body, &story.change("/approve"), &[]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(
        answer.location().starts_with("/reauth"),
        "{}",
        answer.location()
    );
    assert_eq!(story.state().await, "submitted");
}

#[tokio::test]
async fn a_change_of_another_case_is_not_found() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    story.draft(&mut jo).await;
    for path in [
        format!("/cases/PEL-0099/changes/{CHANGE}"),
        format!("/cases/{}/changes/CH-99", story.label),
        format!("/cases/{}/changes/12", story.label),
        format!("/cases/{}/conditions/reproduced_bottleneck", story.label),
        "/decisions/00000000-0000-4000-8000-000000000000".to_owned(),
        "/decisions/xyz".to_owned(),
        "/decisions/xyz/record.json".to_owned(),
    ] {
        assert_eq!(jo.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!hidden(&jo.get(&story.change("")).await.body).is_empty());
}

pub async fn grant(story: &Story, person: uuid::Uuid, roles: &[Role]) {
    for role in roles {
        sqlx::query("insert into person_role (person_id, role, granted_by, granted_at) values ($1, $2, $1, now()) on conflict do nothing")
            .bind(person)
            .bind(role.id())
            .execute(&story.site.db.pool)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn r19_who_once_owned_the_case_does_not_accept_after_handing_it_back() {
    let story = Story::begin().await;
    story.awaiting().await;
    let rita = story.rita;
    let mut conn = story.site.db.pool.acquire().await.unwrap();
    for owner in [rita, story.jo] {
        let case = story.case().await;
        let by = crate::story::actor_of(rita, "rita");
        pel::store::cases::set_owner(
            &mut conn,
            &by,
            case.id,
            case.version,
            owner,
            story.site.now(),
        )
        .await
        .unwrap();
    }
    drop(conn);
    let mut browser = story.site.signed_in("rita").await;
    let answer = by_hand(&story, &mut browser, "/accept", &[("note", "all is well")]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    assert!(story.decisions().await.is_empty());
}

#[tokio::test]
async fn a_draft_beside_a_change_that_awaits_promotion_holds_nothing_up() {
    let story = Story::begin().await;
    let mut jo = story.awaiting().await;
    let drafted = jo
        .post(
            &format!("/cases/{}/changes", story.case().await.label()),
            &crate::story::change_fields("another idea"),
        )
        .await;
    assert_eq!(drafted.status, StatusCode::SEE_OTHER, "{}", drafted.body);
    assert_eq!(story.case().await.changes.len(), 2);
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await;
    let answer = post_shown(
        &mut rita,
        &shown.body,
        &page,
        &[("note", "the canary agrees")],
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(story.state().await, "accepted");
}

#[tokio::test]
async fn text_with_a_zero_byte_is_refused_and_not_our_fault() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    let path = format!("/cases/{}/comments", story.case().await.label());
    let answer = jo.post(&path, &[("text", "a\0b")]).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    let found = jo.get("/cases?q=%00").await;
    assert_eq!(found.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_responder_with_no_part_in_it_withdraws_nobody_elses_evidence() {
    let story = Story::begin().await;
    story.site.person("tom", &[Role::Responder]).await;
    let mut tom = story.site.signed_in("tom").await;
    let why = [("reason", "I would rather not have it")];
    let answer = tom.post("/evidence/EV-1/withdraw", &why).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    let mut jo = story.site.signed_in("jo").await;
    let answer = jo.post("/evidence/EV-1/withdraw", &why).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

#[tokio::test]
async fn a_run_sent_while_the_case_closes_does_not_get_into_the_closed_case() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    let case = story.case().await;
    let mut tx = story.site.db.pool.begin().await.unwrap();
    pel::store::cases::lock(&mut tx, case.id).await.unwrap();
    let by = crate::story::actor_of(story.jo, "jo");
    let outcome = pel::ladder::case::Outcome::NoChangeNeeded;
    let note = "nothing had to change after all";
    let ending = pel::store::standing::Ending {
        outcome,
        duplicate_of: None,
        note,
    };
    pel::store::standing::close(
        &mut tx,
        &by,
        case.id,
        case.version,
        &ending,
        story.site.now(),
    )
    .await
    .unwrap();
    let path = format!("/cases/{}/runs", case.label());
    let fields = [("role", "baseline"), ("phase", "warm"), ("profiled", "no")];
    let (answer, ()) = tokio::join!(jo.post(&path, &fields), async {
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        tx.commit().await.unwrap();
    });
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert_eq!(story.case().await.runs.len(), case.runs.len());
}

#[tokio::test]
async fn a_contract_is_not_superseded_while_a_decision_rests_on_it() {
    let story = Story::begin().await;
    let case = story.case().await;
    let mut deciding = story.site.db.pool.begin().await.unwrap();
    pel::store::cases::lock(&mut deciding, case.id)
        .await
        .unwrap();
    let mut publishing = story.site.db.pool.begin().await.unwrap();
    let sql = "update contract_version set state = 'superseded' where id = $1";
    sqlx::query("set local lock_timeout = '300ms'")
        .execute(&mut *publishing)
        .await
        .unwrap();
    let done = sqlx::query(sql)
        .bind(case.contract.unwrap().id)
        .execute(&mut *publishing)
        .await;
    assert!(done.unwrap_err().to_string().contains("lock timeout"));
}
