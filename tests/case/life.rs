//! The life of a case: who may know of it, who is on it, how it is held, handed on, ended and
//! opened again.

use crate::harness::{Browser, field};
use crate::scene::{Scene, reading};
use axum::http::StatusCode;
use pel::ladder::CaseFile;
use pel::ladder::case::{CaseState, Symptom, label};
use pel::ladder::life::{FlagKind, PartKind};
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::cases::NewCase;
use pel::store::{case_file, cases, standing};
use uuid::Uuid;

const WHY: &str = "the customer asked for silence";

async fn case_of(scene: &Scene, id: Uuid) -> CaseFile {
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    case_file::load(&mut conn, id).await.unwrap()
}

/// One more case of the same service, with this title; owned by its opener if `own`.
async fn another(scene: &Scene, title: &str, own: bool) -> (Uuid, String) {
    let service_id = case_of(scene, scene.case).await.service.0;
    let now = scene.site.now();
    let new = NewCase {
        title: title.to_owned(),
        service_id,
        problem: String::new(),
        symptom: Symptom {
            text: "slow".to_owned(),
            ..Symptom::default()
        },
        first_seen: now,
        classes: Vec::new(),
        contract_version_id: None,
        own,
    };
    let mut tx = scene.tx().await;
    let (id, number) = cases::open(&mut tx, &scene.actor(), &new, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    (id, label(number))
}

async fn raise(scene: &Scene, id: Uuid, flag: FlagKind) {
    let mut tx = scene.tx().await;
    let now = scene.site.now();
    standing::set_flag(&mut tx, &scene.actor(), id, flag, true, None, WHY, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

async fn page(browser: &mut Browser, path: &str) -> (StatusCode, String) {
    let answer = browser.get(path).await;
    (answer.status, answer.body)
}

#[tokio::test]
async fn x14_x15_a_confidential_case_is_not_there_for_whoever_is_not_on_it() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "secret.prom").await;
    scene.read(item, &reading(1.5, None)).await;
    scene.site.person("boss", &[Role::Manager]).await;
    scene.site.person("other", &[Role::Responder]).await;
    scene.site.person("aud", &[Role::Auditor]).await;
    let path = scene.path();
    let mut owner = scene.responder().await;
    let flag = [("flag", "confidential"), ("act", "raise"), ("reason", WHY)];
    let done = owner.post(&format!("{path}/flags"), &flag).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);

    let evidence = format!("/evidence/EV-{number}");
    let reads = [
        path.clone(),
        format!("{path}/events"),
        format!("{path}/standing"),
        format!("{path}/contract"),
        format!("{path}/runs/R-1"),
        format!("{path}/compare"),
        format!("{path}/compare.csv"),
        format!("{path}/compare.json"),
        format!("{path}/conditions/reproduced-bottleneck"),
        format!("/decisions?case={}", scene.label),
        evidence.clone(),
        format!("{evidence}/files/1"),
        format!("{evidence}/reading.json"),
    ];
    for who in ["boss", "other", "rev"] {
        let mut browser = scene.site.signed_in(who).await;
        for read in &reads {
            let (status, body) = page(&mut browser, read).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{who} {read}");
            assert!(!body.contains("TTFT p99 doubled"), "{who} {read}");
        }
        for list in ["/", "/cases", "/cases?q=doubled", "/decisions"] {
            let (status, body) = page(&mut browser, list).await;
            assert_eq!(status, StatusCode::OK, "{who} {list}");
            assert!(!body.contains("TTFT p99 doubled"), "{who} {list}");
            assert!(!body.contains(&scene.label), "{who} {list}");
        }
        for search in [scene.label.clone(), format!("EV-{number}")] {
            let (status, _) = page(&mut browser, &format!("/cases?q={search}")).await;
            assert_eq!(status, StatusCode::OK, "{who} is led to {search}");
        }
        let acts = ["comments", "owner", "people", "runs", "reopen", "close"];
        for act in acts.map(|a| format!("{path}/{a}")) {
            let fields = [("text", "hello"), ("part", "excluded"), ("version", "1")];
            let status = browser.post(&act, &fields).await.status;
            let ok = [StatusCode::NOT_FOUND, StatusCode::FORBIDDEN];
            assert!(ok.contains(&status), "{who} {act} {status}");
        }
    }
    let mut boss = scene.site.signed_in("boss").await;
    let (status, log) = page(&mut boss, "/audit").await;
    assert_eq!(status, StatusCode::OK);
    assert!(!log.contains(&scene.label) && !log.contains(WHY));
    let (_, named) = page(&mut boss, &format!("/audit?case={}", scene.label)).await;
    assert!(!named.contains(WHY));

    let mut auditor = scene.site.signed_in("aud").await;
    assert_eq!(page(&mut auditor, &path).await.0, StatusCode::OK);
    assert!(page(&mut auditor, "/audit").await.1.contains(&scene.label));
    assert_eq!(page(&mut owner, &path).await.0, StatusCode::OK);
    let acts = scene.site.acts().await;
    assert_eq!(acts.iter().filter(|a| *a == "case.read").count(), 2);
    // Who looked does not stand in the history that the people on the case read.
    let (_, shown) = page(&mut owner, &path).await;
    assert!(!shown.contains("read the confidential case"));

    let rev = scene.reviewer.to_string();
    let ask = [("person", rev.as_str()), ("part", "reviewer")];
    let done = owner.post(&format!("{path}/people"), &ask).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let mut reviewer = scene.site.signed_in("rev").await;
    assert_eq!(page(&mut reviewer, &path).await.0, StatusCode::OK);
    assert!(page(&mut reviewer, "/cases").await.1.contains(&scene.label));
}

#[tokio::test]
async fn x16_x21_duplicates_are_linked_by_id_alone_and_make_no_circle() {
    let scene = Scene::new().await;
    let (secret, secret_label) = another(&scene, "Whispered incident", true).await;
    raise(&scene, secret, FlagKind::Confidential).await;
    let mut browser = scene.responder().await;
    let note = "the same incident, seen by another team";
    let close = |other: &str| {
        [
            ("version", "1".to_owned()),
            ("outcome", "duplicate_of".to_owned()),
            ("duplicate_of", other.to_owned()),
            ("note", note.to_owned()),
        ]
    };
    let send = async |browser: &mut Browser, own: &str, other: &str| {
        let shown = browser.get(&format!("/cases/{own}/close")).await.body;
        let mut fields = close(other);
        fields[0].1 = field(&shown, "version").to_owned();
        let fields = fields.each_ref().map(|(n, v)| (*n, v.as_str()));
        browser.post(&format!("/cases/{own}/close"), &fields).await
    };
    let itself = send(&mut browser, &secret_label, &secret_label).await;
    assert_eq!(itself.status, StatusCode::UNPROCESSABLE_ENTITY);
    let done = send(&mut browser, &secret_label, &scene.label).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    // The other way round would be a circle: refused on the page, and by the database.
    let circle = send(&mut browser, &scene.label, &secret_label).await;
    assert_eq!(circle.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(circle.body.contains("duplicate of this one"));
    let case = case_of(&scene, scene.case).await;
    let mut tx = scene.tx().await;
    let ending = standing::Ending {
        outcome: pel::ladder::case::Outcome::DuplicateOf,
        duplicate_of: Some(secret),
        note,
    };
    let now = scene.site.now();
    let refused = standing::close(&mut tx, &scene.actor(), case.id, case.version, &ending, now)
        .await
        .unwrap_err();
    assert!(
        refused.to_string().contains("case_duplicate_cycle"),
        "{refused}"
    );
    drop(tx);
    // Whoever may not know of the duplicate reads its id, and finds nothing behind it.
    scene.site.person("other", &[Role::Responder]).await;
    let mut other = scene.site.signed_in("other").await;
    let (_, shown) = page(&mut other, &scene.path()).await;
    assert!(shown.contains(&secret_label) && !shown.contains("Whispered"));
    let link = format!("/cases/{secret_label}");
    assert_eq!(page(&mut other, &link).await.0, StatusCode::NOT_FOUND);
    // Nor can they name it as the case that theirs is a duplicate of.
    let (mine, mine_label) = another(&scene, "Another report", false).await;
    let id = scene.site.person("lead", &[Role::Manager]).await;
    assert!(id != mine);
    let mut lead = scene.site.signed_in("lead").await;
    let hidden = send(&mut lead, &mine_label, &secret_label).await;
    assert_eq!(hidden.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(hidden.body.contains("Write the id of a case you can see"));
}

#[tokio::test]
async fn x28_of_many_cases_the_blocked_ones_stay_and_are_named() {
    let scene = Scene::new().await;
    scene.site.person("boss", &[Role::Manager]).await;
    let mut labels = Vec::new();
    for n in 0..5 {
        labels.push(another(&scene, &format!("Alert {n}"), false).await);
    }
    let (hidden, hidden_label) = another(&scene, "Whispered", true).await;
    raise(&scene, hidden, FlagKind::Confidential).await;
    let (shut, shut_label) = another(&scene, "Closed before", true).await;
    let note = "noise of one evening, nothing to follow";
    let mut tx = scene.tx().await;
    let ending = standing::Ending {
        outcome: pel::ladder::case::Outcome::NoChangeNeeded,
        duplicate_of: None,
        note,
    };
    let now = scene.site.now();
    standing::close(&mut tx, &scene.actor(), shut, 1, &ending, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let mut boss = scene.site.signed_in("boss").await;
    let listed = page(&mut boss, "/cases").await.1;
    assert!(
        listed.contains("name=\"case\""),
        "the list offers to choose"
    );
    let mut fields: Vec<(&str, &str)> = labels.iter().map(|l| ("case", l.1.as_str())).collect();
    fields.extend([
        ("case", hidden_label.as_str()),
        ("case", shut_label.as_str()),
    ]);
    fields.extend([("outcome", "no_change_needed"), ("note", "short")]);
    let short = boss.post("/cases/close", &fields).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    let last = fields.len() - 1;
    fields[last].1 = note;
    let done = boss.post("/cases/close", &fields).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    assert!(done.body.contains("5 closed, 2 blocked"), "{}", done.body);
    assert!(done.body.contains("closed already"));
    for (id, _) in &labels {
        assert_eq!(case_of(&scene, *id).await.state, CaseState::Closed);
    }
    assert_eq!(
        case_of(&scene, hidden).await.state,
        CaseState::Investigating
    );
    // A responder closes only what they lead.
    scene.site.person("other", &[Role::Responder]).await;
    let mut other = scene.site.signed_in("other").await;
    let own = [
        ("case", scene.label.as_str()),
        ("outcome", "no_change_needed"),
        ("note", note),
    ];
    let blocked = other.post("/cases/close", &own).await;
    assert!(
        blocked.body.contains("0 closed, 1 blocked"),
        "{}",
        blocked.body
    );
}

#[tokio::test]
async fn a_case_that_was_handed_over_is_investigated_once_its_owner_accepts() {
    let scene = Scene::new().await;
    scene.site.person("boss", &[Role::Manager]).await;
    let other = scene
        .site
        .person("other", &[Role::Responder])
        .await
        .to_string();
    let (id, label) = another(&scene, "Nobody's yet", false).await;
    let mut boss = scene.site.signed_in("boss").await;
    let path = format!("/cases/{label}/owner");
    let give = [("version", "1"), ("owner", other.as_str())];
    assert_eq!(boss.post(&path, &give).await.status, StatusCode::SEE_OTHER);
    assert_eq!(case_of(&scene, id).await.state, CaseState::New);
    // The database holds the same rule.
    let forced = sqlx::query("update case_file set state = 'investigating' where id = $1")
        .bind(id)
        .execute(&scene.site.db.pool)
        .await
        .unwrap_err();
    assert!(
        forced.to_string().contains("owner has accepted"),
        "{forced}"
    );
    // Nobody accepts for them, and nobody but the owner and a manager hands it on.
    let mut resp = scene.responder().await;
    let accept = format!("{path}/accept");
    assert_eq!(resp.post(&accept, &[]).await.status, StatusCode::CONFLICT);
    let grab = resp.post(&path, &[("version", "2")]).await;
    assert_eq!(grab.status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut owner = scene.site.signed_in("other").await;
    let shown = page(&mut owner, &format!("/cases/{label}")).await.1;
    assert!(shown.contains("Accept it"), "{shown}");
    assert_eq!(owner.post(&accept, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(case_of(&scene, id).await.state, CaseState::Investigating);
}

#[tokio::test]
async fn a_hold_ends_within_the_policy_and_by_itself() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    let path = format!("{}/flags", scene.path());
    let hold = |days: i64| {
        let until = scene.site.now() + chrono::TimeDelta::days(days);
        until.format("%Y-%m-%d").to_string()
    };
    for wrong in [hold(-1), hold(31), "soon".to_owned()] {
        let fields = [
            ("flag", "on_hold"),
            ("act", "raise"),
            ("until", wrong.as_str()),
            ("reason", "waiting for the vendor"),
        ];
        let answer = browser.post(&path, &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let far = scene.site.now() + chrono::TimeDelta::days(31);
    let mut tx = scene.tx().await;
    let kind = FlagKind::OnHold;
    let now = scene.site.now();
    let refused = standing::set_flag(
        &mut tx,
        &scene.actor(),
        scene.case,
        kind,
        true,
        Some(far),
        "longer than allowed",
        now,
    )
    .await
    .unwrap_err();
    assert!(
        refused.to_string().contains("hold_within_policy"),
        "{refused}"
    );
    drop(tx);
    let until = hold(3);
    let fields = [
        ("flag", "on_hold"),
        ("act", "raise"),
        ("until", until.as_str()),
        ("reason", "waiting for the vendor"),
    ];
    let done = browser.post(&path, &fields).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let shown = page(&mut browser, &scene.path()).await.1;
    assert!(shown.contains("waiting for the vendor") && shown.contains("On hold"));
    let case = case_of(&scene, scene.case).await;
    assert!(case.held(now).is_some());
    assert!(case.held(now + chrono::TimeDelta::days(5)).is_none());
    let lower = [
        ("flag", "on_hold"),
        ("act", "lower"),
        ("reason", "vendor answered"),
    ];
    assert_eq!(
        browser.post(&path, &lower).await.status,
        StatusCode::SEE_OTHER
    );
    assert!(case_of(&scene, scene.case).await.held(now).is_none());
}

#[tokio::test]
async fn x20_a_reopened_case_is_counted_and_its_end_is_kept() {
    let scene = Scene::new().await;
    let note = "nothing had to change after all";
    let mut tx = scene.tx().await;
    let ending = standing::Ending {
        outcome: pel::ladder::case::Outcome::NoChangeNeeded,
        duplicate_of: None,
        note,
    };
    let now = scene.site.now();
    standing::close(&mut tx, &scene.actor(), scene.case, 1, &ending, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    // A closed case is frozen, in the database too.
    let frozen = sqlx::query("update case_file set title = 'Another title' where id = $1")
        .bind(scene.case)
        .execute(&scene.site.db.pool)
        .await
        .unwrap_err();
    assert!(frozen.to_string().contains("frozen"), "{frozen}");
    let mut rev = scene.site.signed_in("rev").await;
    let shown = page(&mut rev, &scene.path()).await.1;
    let version = field(&shown[shown.find("id=\"reopen\"").unwrap()..], "version").to_owned();
    let path = format!("{}/reopen", scene.path());
    let short = [("version", version.as_str()), ("reason", "again")];
    let answer = rev.post(&path, &short).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let whole = [
        ("version", version.as_str()),
        ("reason", "it came back on Monday"),
    ];
    let answer = rev.post(&path, &whole).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let case = case_of(&scene, scene.case).await;
    assert_eq!(case.state, CaseState::Investigating);
    assert_eq!(case.life.reopenings.len(), 1);
    assert!(case.outcome.is_none());
    let kept: i64 = sqlx::query_scalar("select count(*) from case_ending where case_id = $1")
        .bind(scene.case)
        .fetch_one(&scene.site.db.pool)
        .await
        .unwrap();
    assert_eq!(kept, 2);
    let shown = page(&mut rev, &scene.path()).await.1;
    assert!(shown.contains("reopened once") && shown.contains("it came back on Monday"));
    // The same form again finds that the case moved.
    assert_eq!(rev.post(&path, &whole).await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn anybody_states_a_conflict_of_interest_and_a_manager_takes_it_back() {
    let scene = Scene::new().await;
    scene.site.person("boss", &[Role::Manager]).await;
    scene.site.person("view", &[Role::Viewer]).await;
    let rev = scene.reviewer.to_string();
    let path = format!("{}/people", scene.path());
    let mut viewer = scene.site.signed_in("view").await;
    let without = [("person", rev.as_str()), ("part", "excluded")];
    let answer = viewer.post(&path, &without).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let why = ("reason", "wrote the engine's scheduler");
    let stated = [("person", rev.as_str()), ("part", "excluded"), why];
    let answer = viewer.post(&path, &stated).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let case = case_of(&scene, scene.case).await;
    assert!(case.life.has_part(scene.reviewer, PartKind::Excluded));
    let end = [
        ("person", rev.as_str()),
        ("part", "excluded"),
        ("act", "end"),
        why,
    ];
    for who in ["view", "resp"] {
        let mut browser = scene.site.signed_in(who).await;
        let answer = browser.post(&path, &end).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{who}");
    }
    let mut boss = scene.site.signed_in("boss").await;
    assert_eq!(boss.post(&path, &end).await.status, StatusCode::SEE_OTHER);
    let case = case_of(&scene, scene.case).await;
    assert!(!case.life.has_part(scene.reviewer, PartKind::Excluded));
}

#[tokio::test]
async fn x27_an_erased_name_is_a_pseudonym_everywhere_and_the_identity_stays() {
    let scene = Scene::new().await;
    scene.site.person("root", &[Role::Admin]).await;
    let mut resp = scene.responder().await;
    let comment = format!("{}/comments", scene.path());
    resp.post(&comment, &[("text", "a word of mine")]).await;
    let mut root = scene.site.signed_in("root").await;
    let version = async || scene.site.load(scene.responder).await.version.to_string();
    let erase = format!("/people/{}/pseudonym", scene.responder);
    let reason = ("reason", "request of 3 May");
    let early = version().await;
    let active = root.post(&erase, &[("version", &early), reason]).await;
    assert_eq!(
        active.status,
        StatusCode::CONFLICT,
        "an active account is not erased"
    );
    let off = format!("/people/{}/deactivate", scene.responder);
    root.post(&off, &[("version", &version().await)]).await;
    let done = root
        .post(&erase, &[("version", &version().await), reason])
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let person = scene.site.load(scene.responder).await;
    let pseudonym = pel::store::people::pseudonym(scene.responder);
    assert_eq!(person.name, pseudonym);
    assert!(!person.login.contains("resp"));
    let mut rev = scene.site.signed_in("rev").await;
    let shown = page(&mut rev, &scene.path()).await.1;
    assert!(
        shown.contains(&pseudonym) && !shown.contains("Name of resp"),
        "{shown}"
    );
    // Separation of duties looks at the identity.
    let case = case_of(&scene, scene.case).await;
    assert_eq!(case.owner, Some(scene.responder));
    assert!(pel::ladder::contributor::may_consent(&case, scene.responder).is_err());
    // It is for good.
    let back = sqlx::query("update person set name = 'Name of resp' where id = $1")
        .bind(scene.responder)
        .execute(&scene.site.db.pool)
        .await
        .unwrap_err();
    assert!(back.to_string().contains("stays erased"), "{back}");
}
