//! What the life of a case and of its contract means for a change under way.

use crate::harness::Browser;
use crate::story::{Story, actor_of, by_hand};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::ladder::case::Outcome;
use pel::ladder::change::CanaryEventKind;
use pel::ladder::contract::Terms;
use pel::ladder::life::{FlagKind, PartKind};
use pel::ladder::policy::Role;
use pel::ladder::{gate, loosening};
use pel::store::{contracts, standing};
use uuid::Uuid;

/// Drafts the next version of the story's contract and publishes it on the page.
async fn publish(
    story: &Story,
    browser: &mut Browser,
    label: &str,
    edit: impl FnOnce(&mut Terms),
) -> StatusCode {
    let version = story.case().await.contract.unwrap();
    let by = actor_of(story.jo, "Name of jo");
    let now = story.site.now();
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let id = version.contract_id;
    let row = match contracts::start_draft(&mut tx, &by, id, now).await {
        Ok(_) => {
            let mut terms = version.terms;
            edit(&mut terms);
            contracts::save_draft(&mut tx, &by, id, 1, &terms, now)
                .await
                .unwrap();
            tx.commit().await.unwrap();
            "2"
        }
        Err(_) => panic!("a draft is in the way"),
    };
    let fields = [("row_version", row), ("compatibility", label)];
    let path = format!("/contracts/{id}/publish");
    browser.post(&path, &fields).await.status
}

async fn pin_newest(story: &Story, browser: &mut Browser) -> Uuid {
    let page = format!("/cases/{}/contract", story.label);
    let shown = browser.get(&page).await.body;
    let version = crate::harness::field(&shown, "version").to_owned();
    let id = crate::harness::field(&shown, "contract_version").to_owned();
    let done = browser
        .post(&page, &[("version", &version), ("contract_version", &id)])
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    id.parse().unwrap()
}

fn approvals_count(case: &pel::ladder::CaseFile, now: chrono::DateTime<chrono::Utc>) -> usize {
    let all = gate::approvals(case, &case.changes[0], &case.policy, now);
    all.iter().filter(|a| a.counts()).count()
}

#[tokio::test]
async fn x14_a_case_on_hold_is_not_accepted_by_page_or_database() {
    let story = Story::begin().await;
    story.awaiting().await;
    let now = story.site.now();
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let by = actor_of(story.jo, "Name of jo");
    let until = Some(now + TimeDelta::days(2));
    let why = "the vendor looks at it first";
    standing::set_flag(
        &mut tx,
        &by,
        story.case_id,
        FlagKind::OnHold,
        true,
        until,
        why,
        now,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let mut rita = story.site.signed_in("rita").await;
    let note = [("note", "all is well by the numbers")];
    let answer = by_hand(&story, &mut rita, "/accept", &note).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains(why), "{}", answer.body);
    assert!(story.decisions().await.is_empty());
    // Taking the hold off lets the same act through.
    let mut tx = story.site.db.pool.begin().await.unwrap();
    standing::set_flag(
        &mut tx,
        &by,
        story.case_id,
        FlagKind::OnHold,
        false,
        None,
        why,
        now,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let answer = by_hand(&story, &mut rita, "/accept", &note).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

#[tokio::test]
async fn an_excluded_reviewer_neither_approves_nor_accepts() {
    let story = Story::begin().await;
    story.awaiting().await;
    let now = story.site.now();
    assert_eq!(approvals_count(&story.case().await, now), 1);
    let by = actor_of(story.jo, "Name of jo");
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let part = PartKind::Excluded;
    let why = "married to the author";
    standing::set_part(
        &mut tx,
        &by,
        story.case_id,
        story.rita,
        part,
        true,
        why,
        now,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(approvals_count(&story.case().await, now), 0);
    let mut rita = story.site.signed_in("rita").await;
    let answer = by_hand(&story, &mut rita, "/accept", &[("note", "all is well")]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    let forced = sqlx::query(
        "insert into approval (id, change_id, purpose, revision_digest, basis_digest, contract_version_id, by_person, at)
         select gen_random_uuid(), change_id, purpose, revision_digest, basis_digest, contract_version_id, by_person, at
         from approval limit 1",
    )
    .execute(&story.site.db.pool)
    .await
    .unwrap_err();
    assert!(forced.to_string().contains("excluded"), "{forced}");
}

#[tokio::test]
async fn x20_approvals_given_before_a_reopening_do_not_count() {
    let story = Story::begin().await;
    let mut jo = story.awaiting().await;
    let back = story.change("/roll-back");
    let done = story
        .send(&mut jo, &back, &back, &[("note", "p99 again")])
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let now = story.site.now();
    let by = actor_of(story.jo, "Name of jo");
    let case = story.case().await;
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let ending = standing::Ending {
        outcome: Outcome::ChangeRolledBack,
        duplicate_of: None,
        note: "taken back, the old value serves",
    };
    standing::close(&mut tx, &by, case.id, case.version, &ending, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    story.site.pass(TimeDelta::minutes(5));
    let now = story.site.now();
    let case = story.case().await;
    let mut tx = story.site.db.pool.begin().await.unwrap();
    standing::reopen(&mut tx, &by, case.id, case.version, "it came back", now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let case = story.case().await;
    let all = gate::approvals(&case, &case.changes[0], &case.policy, now);
    assert!(!all.is_empty());
    for approval in &all {
        let why = approval.outdated.iter().map(|s| s.key.as_str());
        assert!(why.clone().any(|k| k == "approval-before-reopening"));
    }
    let mut rita = story.site.signed_in("rita").await;
    let answer = by_hand(&story, &mut rita, "/accept", &[("note", "as before")]).await;
    assert_ne!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(story.decisions().await.get("accepted"), None);
}

#[tokio::test]
async fn x22_the_database_closes_no_case_with_a_live_change_or_an_untrue_outcome() {
    let story = Story::begin().await;
    story.running().await;
    let by = actor_of(story.jo, "Name of jo");
    let close = async |outcome| {
        let case = story.case().await;
        let mut tx = story.site.db.pool.begin().await.unwrap();
        let ending = standing::Ending {
            outcome,
            duplicate_of: None,
            note: "a note of more than twenty characters",
        };
        let now = story.site.now();
        standing::close(&mut tx, &by, case.id, case.version, &ending, now)
            .await
            .unwrap_err()
            .to_string()
    };
    let live = close(Outcome::NoChangeNeeded).await;
    assert!(live.contains("case_nothing_live"), "{live}");
    let mut jo = story.site.signed_in("jo").await;
    let back = story.change("/roll-back");
    story
        .send(&mut jo, &back, &back, &[("note", "p99 again")])
        .await;
    for untrue in [Outcome::ChangeConfirmed, Outcome::OpenedInError] {
        let refused = close(untrue).await;
        assert!(refused.contains("case_outcome_true"), "{refused}");
    }
}

#[tokio::test]
async fn r6_a_reviewer_who_left_leaves_the_approval_behind_even_when_they_come_back() {
    let story = Story::begin().await;
    story.approved().await;
    story.site.person("root", &[Role::Admin]).await;
    let mut root = story.site.signed_in("root").await;
    story.site.pass(TimeDelta::minutes(1));
    let version = async || story.site.load(story.rita).await.version.to_string();
    let path = format!("/people/{}", story.rita);
    let off = format!("{path}/deactivate");
    let done = root.post(&off, &[("version", &version().await)]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    // In the same act the change goes back to be approved by somebody else.
    assert_eq!(story.state().await, "submitted");
    let on = format!("{path}/reactivate");
    root.post(&on, &[("version", &version().await)]).await;
    let case = story.case().await;
    assert_eq!(approvals_count(&case, story.site.now()), 0);
    let mut ana = story.site.signed_in("ana").await;
    let home = ana.get("/").await.body;
    assert!(
        home.contains(&story.label),
        "another reviewer is asked: {home}"
    );
    // The owner's account goes: the case asks for a new one, and may be taken.
    let off = format!("/people/{}/deactivate", story.jo);
    let version = story.site.load(story.jo).await.version.to_string();
    root.post(&off, &[("version", &version)]).await;
    story.site.person("other", &[Role::Responder]).await;
    let mut other = story.site.signed_in("other").await;
    let page = format!("/cases/{}", story.label);
    let shown = other.get(&page).await.body;
    assert!(shown.contains("needs a new owner"), "{shown}");
    let row = story.case().await.version.to_string();
    let take = other
        .post(&format!("{page}/owner"), &[("version", &row)])
        .await;
    assert_eq!(take.status, StatusCode::SEE_OTHER, "{}", take.body);
}

#[tokio::test]
async fn c2_an_editorial_version_keeps_everything_and_the_label_is_refused_for_more() {
    let story = Story::begin().await;
    let mut jo = story.approved().await;
    let before = story.case().await;
    let status = publish(&story, &mut jo, "editorial", |t| {
        t.purpose = "Chat, as before, said better.".to_owned();
    })
    .await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let case = story.case().await;
    let now = story.site.now();
    assert_eq!(case.contract.as_ref().unwrap().number, 2);
    assert_eq!(case.life.editorial.len(), 1);
    assert_eq!(approvals_count(&case, now), 1);
    assert_eq!(story.state().await, "approved_for_canary");
    for condition in pel::ladder::condition::Condition::ALL {
        let judged = pel::ladder::conditions::status(&case, *condition, &case.policy);
        let then = pel::ladder::conditions::status(&before, *condition, &before.policy);
        assert_eq!(judged.status, then.status, "{judged:?}");
        let said = judged.inputs.iter().filter_map(|i| i.text.as_ref());
        let mut keys = said.map(|s| s.key.as_str());
        assert!(keys.any(|k| k == "gate-contract-repointed"));
    }
    // More than words: refused by the page, and by the database.
    let status = publish(&story, &mut jo, "editorial", |t| t.limits[0].value = 0.7).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let contract = case.contract.unwrap().contract_id;
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let by = actor_of(story.jo, "Name of jo");
    let editorial = pel::ladder::contract::Compatibility::Editorial;
    let forced = contracts::publish(&mut tx, &by, contract, 2, editorial, now)
        .await
        .unwrap_err();
    assert!(
        forced.to_string().contains("contract_editorial"),
        "{forced}"
    );
}

#[tokio::test]
async fn c3_a_loosened_limit_counts_once_an_outside_reviewer_lets_it() {
    let story = Story::begin().await;
    let mut jo = story.submitted().await;
    let status = publish(&story, &mut jo, "material", |t| t.limits[0].value = 2.0).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let version = pin_newest(&story, &mut jo).await.to_string();
    let case = story.case().await;
    let found = loosening::of(&case);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].was.id,
        case.contract.as_ref().unwrap().terms.limits[0].id
    );
    let line = |case: &pel::ladder::CaseFile| {
        let checks = gate::Checks::default();
        let now = story.site.now();
        let judged = gate::judge(case, &case.policy, gate::Target::Accept, &checks, now);
        let line = judged.line("contract_loosened").cloned();
        line.map(|l| l.status.id())
    };
    assert_eq!(line(&case), Some("not_supported"));
    let page = format!("/cases/{}", story.label);
    let shown = jo.get(&page).await.body;
    assert!(shown.contains("Limits were loosened."), "{shown}");
    let consent = format!("{page}/contract/consent");
    let fields = [
        ("contract_version", version.as_str()),
        ("reason", "the team agreed on two seconds in writing"),
    ];
    assert_eq!(
        jo.post(&consent, &fields).await.status,
        StatusCode::FORBIDDEN
    );
    let mut rita = story.site.signed_in("rita").await;
    let short = [fields[0], ("reason", "fine")];
    let answer = rita.post(&consent, &short).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    // One who worked on the case does not let it count, whatever the page thinks.
    let forced = sqlx::query(
        "insert into contract_consent (case_id, contract_version_id, reason, by_person, at)
         values ($1, $2, 'a reason of more than twenty characters', $3, now())",
    )
    .bind(story.case_id)
    .bind(version.parse::<Uuid>().unwrap())
    .bind(story.jo)
    .execute(&story.site.db.pool)
    .await
    .unwrap_err();
    assert!(
        forced.to_string().contains("did not contribute"),
        "{forced}"
    );
    let answer = rita.post(&consent, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let case = story.case().await;
    assert!(loosening::of(&case).is_empty());
    assert_eq!(line(&case), Some("holds"));
    assert_eq!(
        rita.post(&consent, &fields).await.status,
        StatusCode::CONFLICT
    );
}

#[tokio::test]
async fn c12_a_contract_withdrawn_or_moved_pauses_the_canary_in_the_same_act() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    let version = story.case().await.contract.unwrap();
    let path = format!("/contracts/{}/withdraw", version.contract_id);
    let id = version.id.to_string();
    let short = [("version", id.as_str()), ("reason", "no")];
    let answer = jo.post(&path, &short).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(story.state().await, "canary_running");
    let whole = [
        ("version", id.as_str()),
        ("reason", "the limit was a mistake"),
    ];
    let answer = jo.post(&path, &whole).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let case = story.case().await;
    assert_eq!(case.changes[0].state.id(), "canary_paused");
    let paused = case.changes[0].last(CanaryEventKind::Paused).unwrap();
    assert_eq!(paused.by, None);
    let mut rita = story.site.signed_in("rita").await;
    let answer = by_hand(&story, &mut rita, "/accept", &[("note", "all is well")]).await;
    assert_ne!(answer.status, StatusCode::SEE_OTHER);

    let story = Story::begin().await;
    let mut jo = story.running().await;
    let status = publish(&story, &mut jo, "material", |t| t.limits[0].value = 0.7).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(story.state().await, "canary_paused");
}
