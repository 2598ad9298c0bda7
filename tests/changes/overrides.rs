//! Break-glass over HTTP: a manager overrides, a second person co-signs, a reviewer accepts, and
//! somebody who was not involved looks back. What may never be overridden is refused by the page
//! and by the database.
#![allow(clippy::unwrap_used)]

use crate::harness::{Answer, Browser, field};
use crate::story::{Story, actor_of, post_shown};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::ladder::break_glass::{Category, Overridable};
use pel::ladder::decision::Sealed;
use pel::ladder::gate::{LineStatus, Target, judge};
use pel::ladder::policy::Role;
use pel::ladder::{basis, gate};
use pel::store::Error;
use pel::store::overrides::{self, NewOverride};
use uuid::Uuid;

const REASON: &str = "The service does not serve chat at all and each minute costs orders.";

/// The story with a manager, and another one.
async fn begin() -> (Story, Uuid, Uuid) {
    let story = Story::begin().await;
    let max = story.site.person("max", &[Role::Manager]).await;
    let tia = story.site.person("tia", &[Role::Manager]).await;
    (story, max, tia)
}

/// All conditions but the layer, and a draft.
async fn without_layer(story: &Story) -> Browser {
    let mut jo = story.site.signed_in("jo").await;
    let typed = [("limit", "ttft"), ("run", "ttft/R-1"), ("run", "ttft/R-2")];
    story.record(&mut jo, "reproduced-bottleneck", &typed).await;
    let typed = [
        ("limit", "accepted"),
        ("run", "accepted/R-1"),
        ("run", "accepted/R-2"),
        ("note", "5 % lost"),
    ];
    story
        .record(&mut jo, "acceptance-impact-visible", &typed)
        .await;
    story.draft(&mut jo).await;
    story
        .record(&mut jo, "rollback-threshold-defined", &[])
        .await;
    jo
}

/// Posts the form of an override as its page showed it.
async fn ask(story: &Story, by: &mut Browser, gate: &str, typed: &[(&str, &str)]) -> Answer {
    let page = format!("{}?gate={gate}", story.change("/override"));
    let shown = by.get(&page).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.body);
    let names = ["form_key", "version", "revision", "basis", "gate"];
    let mut fields: Vec<(&str, &str)> = names
        .iter()
        .filter(|n| shown.body.contains(&format!("name=\"{n}\"")))
        .map(|n| (*n, field(&shown.body, n)))
        .collect();
    let key = Uuid::new_v4().to_string();
    if fields.is_empty() {
        // The page offers no form; somebody who posts anyway makes one up.
        fields = vec![("form_key", key.as_str()), ("gate", gate)];
    }
    fields.extend(typed);
    by.post(&story.change("/override"), &fields).await
}

const LAYER: &[(&str, &str)] = &[
    ("what", "owner_layer_identified"),
    ("category", "outage"),
    ("reason", REASON),
    ("minutes", "240"),
];

/// The override's own page.
async fn asked(story: &Story, max: &mut Browser) -> String {
    let answer = ask(story, max, "submit", LAYER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    answer.location().to_owned()
}

async fn count(story: &Story) -> i64 {
    sqlx::query_scalar("select count(*) from override_record")
        .fetch_one(&story.site.db.pool)
        .await
        .unwrap()
}

/// Up to an acceptance by override; gives the override's address and the decision's.
async fn accepted(story: &Story) -> (String, String) {
    let mut jo = without_layer(story).await;
    let mut max = story.site.signed_in("max").await;
    let used = asked(story, &mut max).await;
    let mut tia = story.site.signed_in("tia").await;
    let answer = tia
        .post(&format!("{used}/cosign"), &[("note", "seen")])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    for (who, page, act, typed) in [
        ("jo", "", "/submit", Vec::<(&str, &str)>::new()),
        ("rita", "", "/approve", vec![]),
        ("jo", "/canary/start", "/canary/start", vec![]),
    ] {
        let mut browser = story.site.signed_in(who).await;
        if act == "/canary/start" {
            story.present(&mut browser).await;
        }
        let answer = story
            .send(
                &mut browser,
                &story.change(page),
                &story.change(act),
                &typed,
            )
            .await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "{act}: {}",
            answer.body
        );
    }
    let answer = story.end(&mut jo, "4,8", (0.62, 0.984)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await;
    assert!(shown.body.contains("#m-over"), "{}", shown.body);
    let answer = post_shown(&mut rita, &shown.body, &page, &[("note", "by override")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    (used, answer.location().to_owned())
}

#[tokio::test]
async fn an_acceptance_by_override_is_loud_for_good_and_is_reviewed() {
    let (story, max, _) = begin().await;
    let (used, decision) = accepted(&story).await;
    assert!(decision.starts_with("/decisions/"));
    let mut ana = story.site.signed_in("ana").await;
    let record = ana.get(&format!("{decision}/record.json")).await;
    let sealed: Sealed = serde_json::from_str(&record.body).unwrap();
    assert_eq!(sealed.overrides.len(), 1);
    assert_eq!(sealed.overrides[0].by, max);
    assert_eq!(sealed.overrides[0].cosigned.as_deref(), Some("Name of tia"));
    let page = ana.get(&decision).await;
    assert!(page.body.contains("Name of max"), "{}", page.body);
    assert!(page.body.contains(REASON));
    // The banner stays, before the review and after it.
    let case = format!("/cases/{}", story.label);
    assert!(ana.get(&case).await.body.contains(&used));
    // In the other language nothing is left unsaid.
    ana.post("/language", &[("lang", "pt-BR"), ("next", "/")])
        .await;
    for path in [&used, &decision, &case, &"/".to_owned()] {
        let page = ana.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        let bare = page.body.split('>').filter_map(|p| p.split('<').next());
        let bare: Vec<&str> = bare
            .flat_map(str::split_whitespace)
            .filter(|w| {
                ["override-", "policy-", "decision-", "gate-"]
                    .iter()
                    .any(|f| w.starts_with(f))
            })
            .collect();
        assert_eq!(bare, Vec::<&str>::new(), "{path}");
    }
    ana.post("/language", &[("lang", "en"), ("next", "/")])
        .await;
    // While it counts nobody looks back; whoever approved was involved.
    let typed = [
        ("verdict", "not_justified"),
        ("note", "the layer could have been named in minutes"),
    ];
    let early = ana.post(&format!("{used}/review"), &typed).await;
    assert_eq!(early.status, StatusCode::UNPROCESSABLE_ENTITY);
    story.site.pass(TimeDelta::hours(5));
    let mut rita = story.site.signed_in("rita").await;
    let involved = rita.post(&format!("{used}/review"), &typed).await;
    assert_eq!(involved.status, StatusCode::FORBIDDEN, "{}", involved.body);
    let mut ana = story.site.signed_in("ana").await;
    assert!(ana.get("/").await.body.contains(&used), "it waits for her");
    let done = ana.post(&format!("{used}/review"), &typed).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert!(!ana.get("/").await.body.contains(&used));
    assert!(ana.get(&case).await.body.contains(&used));
    let later = ana.get(&decision).await.body;
    assert!(
        later.contains("Its override was reviewed: Not justified"),
        "{later}"
    );
    let mut max = story.site.signed_in("max").await;
    let all = max.get("/overrides").await;
    assert_eq!(all.status, StatusCode::OK);
    for said in ["Name of max", "vllm-chat", "2026-11", "Not justified"] {
        assert!(all.body.contains(said), "{said}: {}", all.body);
    }
    let acts = story.site.acts().await;
    for act in [
        "override.ask",
        "override.cosign",
        "override.review",
        "override.review.refused",
    ] {
        assert!(acts.iter().any(|a| a == act), "{act}");
    }
}

#[tokio::test]
async fn x22_the_database_closes_no_case_whose_override_waits_for_review() {
    let (story, ..) = begin().await;
    without_layer(&story).await;
    asked(&story, &mut story.site.signed_in("max").await).await;
    let done = sqlx::query("update case_file set state = 'closed', outcome = 'no_change_needed', closing_note = 'closed past the program'")
        .execute(&story.site.db.pool)
        .await
        .map(|_| ())
        .map_err(Error::from);
    assert_eq!(rule(done), "case_override_reviewed");
}

fn rule(result: Result<(), Error>) -> String {
    match result {
        Err(Error::Refused { constraint, .. }) => constraint,
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn x23_what_may_never_be_overridden_is_refused_and_nothing_is_written() {
    let (story, max, _) = begin().await;
    let mut jo = without_layer(&story).await;
    let mut browser = story.site.signed_in("max").await;
    for (what, status) in [
        (
            "rollback_threshold_defined",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("way_back", StatusCode::UNPROCESSABLE_ENTITY),
        ("integrity", StatusCode::UNPROCESSABLE_ENTITY),
        // It holds: there is nothing to override.
        (
            "acceptance_impact_visible",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
    ] {
        let mut typed = LAYER.to_vec();
        typed[0] = ("what", what);
        let answer = ask(&story, &mut browser, "submit", &typed).await;
        assert_eq!(answer.status, status, "{what}: {}", answer.body);
    }
    for (at, typed) in [(2, ("reason", "too short")), (3, ("minutes", "241"))] {
        let mut fields = LAYER.to_vec();
        fields[at] = typed;
        let answer = ask(&story, &mut browser, "submit", &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{typed:?}");
    }
    // The author, though a manager too.
    sqlx::query("insert into person_role (person_id, role, granted_by, granted_at) values ($1, 'manager', $1, now())")
        .bind(story.jo)
        .execute(&story.site.db.pool)
        .await
        .unwrap();
    let answer = ask(&story, &mut jo, "submit", LAYER).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    assert_eq!(count(&story).await, 0);
    let refused = story.site.acts().await;
    assert_eq!(
        refused.iter().filter(|a| *a == "override.refused").count(),
        7
    );
    // The database refuses each of them too.
    assert_eq!(
        past(&story, story.jo, &["approvals"], 60).await,
        "override_not_by_author"
    );
    assert_eq!(
        past(&story, story.rita, &["approvals"], 60).await,
        "override_by_manager"
    );
    assert_eq!(
        past(&story, max, &["way_back"], 60).await,
        "override_what_may_be"
    );
    assert_eq!(
        past(&story, max, &["approvals"], 241).await,
        "override_lasts"
    );
    assert_eq!(count(&story).await, 0);
}

/// An override written past the program; the rule that refuses it.
async fn past(story: &Story, by: Uuid, what: &[&str], minutes: i64) -> String {
    let now = story.site.now();
    let case = story.case().await;
    let what: Vec<String> = what.iter().map(|w| (*w).to_owned()).collect();
    let done = sqlx::query(
        "insert into override_record (id, case_id, change_id, target, what, category, reason, revision_digest,
           basis_digest, gate, by_person, at, until, alone_from, review_due)
         values ($1, $2, $3, 'submit', $4, 'outage', $5, $6, $6, '{}', $7, $8, $9, $8 + interval '30 minutes', $8 + interval '2 days')",
    )
    .bind(Uuid::new_v4())
    .bind(case.id)
    .bind(case.changes[0].id)
    .bind(what)
    .bind(REASON)
    .bind("0".repeat(64))
    .bind(by)
    .bind(now)
    .bind(now + TimeDelta::minutes(minutes))
    .execute(&story.site.db.pool)
    .await
    .map(|_| ())
    .map_err(Error::from);
    rule(done)
}

#[tokio::test]
async fn x23_a_canary_that_failed_a_limit_is_only_taken_back() {
    let (story, ..) = begin().await;
    let mut jo = story.running().await;
    let answer = story.end(&mut jo, "4,8", (1.2, 0.93)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    // Both arms break the limit in the story's canary: inconclusive, which is no minimum either.
    let mut max = story.site.signed_in("max").await;
    let mut typed = LAYER.to_vec();
    typed[0] = ("what", "canary_minimum");
    let answer = ask(&story, &mut max, "accept", &typed).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    assert_eq!(count(&story).await, 0);
}

#[tokio::test]
async fn x24_an_override_is_over_after_its_time_and_with_another_revision() {
    let (story, ..) = begin().await;
    let mut jo = without_layer(&story).await;
    let mut max = story.site.signed_in("max").await;
    let used = asked(&story, &mut max).await;
    let mut tia = story.site.signed_in("tia").await;
    tia.post(&format!("{used}/cosign"), &[]).await;
    let line = async |story: &Story| {
        let case = story.case().await;
        let checks = gate::Checks::default();
        let gate = judge(
            &case,
            &case.policy,
            Target::Submit,
            &checks,
            story.site.now(),
        );
        gate.line("owner_layer_identified").unwrap().status
    };
    assert_eq!(line(&story).await, LineStatus::Overridden);
    story.site.pass(TimeDelta::minutes(239));
    assert_eq!(line(&story).await, LineStatus::Overridden);
    story.site.pass(TimeDelta::minutes(1));
    assert_eq!(line(&story).await, LineStatus::Missing);
    jo = {
        drop(jo);
        story.site.signed_in("jo").await
    };
    let answer = story
        .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
        .await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    // Another one, and then another revision: it counts no more.
    let mut max = story.site.signed_in("max").await;
    let again = asked(&story, &mut max).await;
    let mut tia = story.site.signed_in("tia").await;
    tia.post(&format!("{again}/cosign"), &[]).await;
    assert_eq!(line(&story).await, LineStatus::Overridden);
    let case = story.case().await;
    let change = &case.changes[0];
    let mut terms = change.current().unwrap().terms.clone();
    terms.procedure.push('.');
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let actor = actor_of(story.jo, "Name of jo");
    pel::store::changes::revise(
        &mut tx,
        &actor,
        case.id,
        change.id,
        change.version,
        &terms,
        story.site.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(line(&story).await, LineStatus::Missing);
}

#[tokio::test]
async fn x24_the_database_takes_no_decision_on_an_override_that_is_over() {
    let (story, max, tia) = begin().await;
    story.awaiting().await;
    let case = story.case().await;
    let change = &case.changes[0];
    let now = story.site.now();
    let new = NewOverride {
        change_id: change.id,
        target: Target::Accept,
        what: vec![Overridable::OwnerLayerIdentified],
        category: Category::Outage,
        reason: REASON.to_owned(),
        revision_digest: change.current().unwrap().digest.clone(),
        basis_digest: basis::whole(&case, change).digest(),
        gate: judge(
            &case,
            &case.policy,
            Target::Accept,
            &gate::Checks::default(),
            now,
        ),
        until: now + TimeDelta::hours(1),
        alone_from: now + TimeDelta::minutes(30),
        review_due: now + TimeDelta::days(2),
    };
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let actor = actor_of(max, "Name of max");
    let id = overrides::ask(&mut tx, &actor, case.id, &new, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let decide = async |at, change_it: &str| {
        let new = pel::store::decisions::NewDecision {
            case_id: case.id,
            change_id: change.id,
            revision_id: change.current().unwrap().id,
            kind: "accepted",
            role: "reviewer".to_owned(),
            note: format!("written past the program {change_it}"),
            record: serde_json::json!({}),
            digest: format!("{:064x}", Uuid::new_v4().as_u128()),
            conditions: pel::ladder::condition::Condition::ALL
                .iter()
                .filter(|c| c.id() != "owner_layer_identified")
                .map(|c| (*c, case.record(*c).unwrap().id))
                .collect(),
            overrides: vec![(id, Overridable::OwnerLayerIdentified)],
        };
        let mut tx = story.site.db.pool.begin().await.unwrap();
        let rita = actor_of(story.rita, "Name of rita");
        let done = pel::store::decisions::seal(&mut tx, &rita, &new, at).await;
        match done {
            Ok(_) => rule(tx.commit().await.map_err(Error::from)),
            Err(error) => rule(Err(error)),
        }
    };
    let refused = "decision_override_in_force";
    assert_eq!(
        decide(now + TimeDelta::minutes(29), "unsigned").await,
        refused
    );
    let mut tx = story.site.db.pool.begin().await.unwrap();
    overrides::cosign(
        &mut tx,
        &actor_of(tia, "Name of tia"),
        (case.id, id),
        "",
        now,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(decide(now + TimeDelta::hours(1), "late").await, refused);
    assert_eq!(
        decide(now + TimeDelta::minutes(29), "signed").await,
        "Ok(())"
    );
}

#[tokio::test]
async fn x25_the_manager_who_asked_does_not_co_sign() {
    let (story, max, _) = begin().await;
    without_layer(&story).await;
    let mut browser = story.site.signed_in("max").await;
    let used = asked(&story, &mut browser).await;
    let answer = browser.post(&format!("{used}/cosign"), &[]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    let case = story.case().await;
    let id = case.overrides[0].id;
    let write = async |by: Uuid| {
        let mut tx = story.site.db.pool.begin().await.unwrap();
        let on = (case.id, id);
        rule(overrides::cosign(&mut tx, &actor_of(by, "x"), on, "", story.site.now()).await)
    };
    assert_eq!(write(max).await, "override_second_person");
    assert_eq!(write(story.jo).await, "override_cosigner");
    assert_eq!(write(story.rita).await, "Ok(())");
    assert!(case.overrides[0].cosigned.is_none());
    // Nobody answers: after the wait it counts, and the signature is overdue.
    story.site.pass(TimeDelta::minutes(31));
    let mut browser = story.site.signed_in("max").await;
    let page = browser.get(&used).await;
    assert!(
        page.body.contains("co-signature is overdue"),
        "{}",
        page.body
    );
}

#[tokio::test]
async fn x26_the_policy_of_now_judges_what_is_under_review_and_the_decision_names_it() {
    let (story, ..) = begin().await;
    story.site.person("root", &[Role::Admin]).await;
    story.awaiting().await;
    let publish = async |approvals: &str, reason: &str| {
        let mut root = story.site.signed_in("root").await;
        let page = root.get("/policy").await;
        assert_eq!(page.status, StatusCode::OK);
        let mut fields: Vec<(String, String)> = pel::ladder::bounds::NUMBERS
            .iter()
            .filter(|n| n.kind != pel::ladder::bounds::Kind::Switch)
            .map(|n| {
                let shown = page
                    .body
                    .split(&format!("id=\"{}\" name", n.id))
                    .nth(1)
                    .unwrap();
                let value = shown
                    .split("value=\"")
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap();
                (n.id.to_owned(), value.to_owned())
            })
            .collect();
        fields.push(("thresholds_on_both".to_owned(), "on".to_owned()));
        fields.push((
            "version".to_owned(),
            field(&page.body, "version").to_owned(),
        ));
        fields.push(("reason".to_owned(), reason.to_owned()));
        for (name, value) in &mut fields {
            if name == "canary_approvals" {
                approvals.clone_into(value);
            }
        }
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        root.post("/policy", &fields).await
    };
    let wrong = publish("0", "would switch the review off").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let same = publish("1", "nothing changed at all").await;
    assert_eq!(same.status, StatusCode::UNPROCESSABLE_ENTITY);
    let wordless = publish("2", "short").await;
    assert_eq!(wordless.status, StatusCode::UNPROCESSABLE_ENTITY);
    let done = publish("2", "two pairs of eyes from now on").await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let page = story.change("/accept");
    let mut rita = story.site.signed_in("rita").await;
    let answer = crate::story::by_hand(&story, &mut rita, "/accept", &[("note", "all hold")]).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        answer.body
    );
    let done = publish("1", "one pair of eyes is enough again").await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let answer = story
        .send(&mut rita, &page, &page, &[("note", "all hold")])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let record = rita
        .get(&format!("{}/record.json", answer.location()))
        .await;
    let sealed: Sealed = serde_json::from_str(&record.body).unwrap();
    assert_eq!((sealed.policy.version, sealed.gate.policy), (3, 3));
    let history = rita.get("/policy").await;
    assert!(history.body.contains("two pairs of eyes from now on"));
    let acts = story.site.acts().await;
    assert_eq!(acts.iter().filter(|a| *a == "policy.publish").count(), 2);
    // Past the program: no number switches a rule off.
    let root: Uuid = sqlx::query_scalar("select id from person where login = 'root'")
        .fetch_one(&story.site.db.pool)
        .await
        .unwrap();
    let done = sqlx::query("insert into policy_version values (4, '{\"repro_runs\": 0}', 'past the program', $1, now())")
        .bind(root)
        .execute(&story.site.db.pool)
        .await
        .map(|_| ())
        .map_err(Error::from);
    assert_eq!(rule(done), "policy_bounds");
}
