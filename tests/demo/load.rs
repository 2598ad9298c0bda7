//! Loading the demonstration into a real database, with the real reader in its cage.

use crate::common::{self, TestDb, database};
use chrono::{DateTime, TimeDelta, Utc};
use pel::demo::{self, Ready};
use pel::intake::{cage::Cage, reading::Room};
use pel::ladder::CaseFile;
use pel::ladder::canary::{self, Whole};
use pel::ladder::case::CaseState;
use pel::ladder::change::ChangeState;
use pel::ladder::condition::Condition;
use pel::ladder::conditions::{self, Status};
use pel::ladder::contributor;
use pel::ladder::decision::Sealed;
use pel::ladder::evidence::EvidenceState;
use pel::ladder::gate::{self, Gate, LineStatus, Policy, Target};
use pel::ladder::policy::Role;
use pel::store::audit::{self, Actor, Verdict};
use pel::store::{case_file, cases, decisions, one_time, people, secret};
use tempfile::TempDir;

#[allow(clippy::disallowed_methods)] // the test is the edge here
fn now() -> DateTime<Utc> {
    Utc::now()
}

struct House {
    db: TestDb,
    room: Room,
    _copies: TempDir,
}

impl House {
    async fn new() -> Self {
        let db = database().await;
        let copies = tempfile::tempdir().expect("a folder");
        let room = Room {
            db: db.pool.clone(),
            blobs: common::blobs(),
            cage: Cage {
                program: env!("CARGO_BIN_EXE_pel").into(),
                ..Cage::default()
            },
            copies: copies.path().to_owned(),
            clock: now,
        };
        Self {
            db,
            room,
            _copies: copies,
        }
    }

    async fn case(&self, number: i64) -> CaseFile {
        let mut conn = self.db.pool.acquire().await.expect("a connection");
        let id = cases::id_of(&mut conn, number).await.expect("the case");
        case_file::load(&mut conn, id).await.expect("loaded")
    }

    async fn judged(&self, case: &CaseFile, target: Target, now: DateTime<Utc>) -> Gate {
        let mut conn = self.db.pool.acquire().await.expect("a connection");
        let checks = demo::checks(&mut conn, case.id).await.expect("checks");
        gate::judge(case, &Policy::default(), target, &checks, now)
    }

    async fn events(&self) -> Vec<audit::Event> {
        let mut conn = self.db.pool.acquire().await.expect("a connection");
        let mut all = audit::log(&mut conn, uuid::Uuid::nil(), None, None, 10_000)
            .await
            .expect("the log");
        all.reverse();
        all
    }
}

fn open(gate: &Gate) -> Vec<(&str, LineStatus)> {
    gate.open().map(|l| (l.id.as_str(), l.status)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_examples_stand_where_they_say() {
    let house = House::new().await;
    let now = now();
    let ready = demo::ensure(&house.room, now).await.expect("loaded");
    accepted(&house, &ready).await;
    waiting(&house, &ready, now).await;
    middle(&house, now).await;
    troubled(&house).await;
    fresh(&house).await;
    log_is_in_order(&house, now).await;
    people_come_in(&house, &ready, now).await;
    again_changes_nothing(&house, &ready, now).await;
}

async fn accepted(house: &House, ready: &Ready) {
    let case = house.case(1).await;
    let change = case.live_change().expect("a change");
    assert_eq!(case.state, CaseState::RollingOut);
    assert_eq!(change.state, ChangeState::Accepted);
    let mut conn = house.db.pool.acquire().await.expect("a connection");
    let all = decisions::list(&mut conn, uuid::Uuid::nil(), None, None, 10)
        .await
        .expect("listed");
    assert_eq!(all.len(), 1);
    let decision = decisions::get(&mut conn, all[0].id, uuid::Uuid::nil())
        .await
        .expect("sealed");
    assert_eq!(
        (decision.case_id, decision.kind.as_str()),
        (case.id, "accepted")
    );
    let sealed: Sealed = serde_json::from_value(decision.record).expect("a record");
    assert_eq!(sealed.digest(), decision.digest);
    assert!(sealed.gate.ready && sealed.gate.target == Target::Accept);
    assert_eq!(sealed.act.by, ready.cast.reviewer.id);
    assert_eq!(sealed.comparisons.len(), 2, "warm and canary");
    assert!(sealed.comparisons.iter().all(|c| c.counts.holds == 3));
    assert_eq!(sealed.terms.knob.setting, "max_num_seqs");
}

async fn waiting(house: &House, ready: &Ready, now: DateTime<Utc>) {
    let case = house.case(2).await;
    let change = case.live_change().expect("a change");
    assert_eq!(change.state, ChangeState::AwaitingPromotion);
    let gate = house.judged(&case, Target::Accept, now).await;
    assert!(gate.ready, "{:?}", gate.open().collect::<Vec<_>>());
    assert!(gate.lines.len() >= 12);
    assert_eq!(canary::verdict(&case, change).whole, Whole::Pass);
    for condition in Condition::ALL {
        let judged = conditions::status(&case, *condition, &Policy::default());
        assert_eq!(judged.status, Status::Held, "{condition:?}");
    }
    let cast = &ready.cast;
    assert!(contributor::may_decide(&case, change, cast.reviewer.id).is_ok());
    for other in [&cast.responder, &cast.second, &cast.manager, &cast.admin] {
        assert!(contributor::may_decide(&case, change, other.id).is_err());
    }
    // A day later the canary is too old to promote: nothing about it is fixed in stone.
    let late = house
        .judged(&case, Target::Accept, now + TimeDelta::hours(24))
        .await;
    assert!(open(&late).contains(&("canary_verdict", LineStatus::OutOfDate)));
}

async fn middle(house: &House, now: DateTime<Utc>) {
    let case = house.case(3).await;
    assert_eq!(case.state, CaseState::Investigating);
    let change = case.live_change().expect("a change");
    assert_eq!(change.state, ChangeState::Draft);
    let gate = house.judged(&case, Target::Submit, now).await;
    assert!(!gate.ready);
    assert_eq!(
        open(&gate),
        [
            ("owner_layer_identified", LineStatus::Missing),
            ("rollback_threshold_defined", LineStatus::Missing),
        ]
    );
    let warm = gate.line("comparison_warm").expect("the line");
    assert_eq!(warm.status, LineStatus::Holds);
    let kinds: Vec<&str> = case
        .evidence
        .iter()
        .filter_map(|e| Some(e.extraction.as_ref()?.kind.id()))
        .collect();
    for kind in ["vllm_metrics", "perf_analyzer_csv", "nsight_systems"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}

async fn troubled(house: &House) {
    let case = house.case(4).await;
    let states: Vec<EvidenceState> = case.evidence.iter().map(|e| e.state).collect();
    assert_eq!(states, [EvidenceState::Unreadable, EvidenceState::Usable]);
    let reason = case.evidence[0].state_reason.as_deref().expect("a reason");
    assert!(reason.contains("nsight-binary-report"), "{reason}");
    assert!(reason.contains("nsys export --type sqlite"), "{reason}");
    let run = case.run(case.evidence[1].run_id).expect("its run");
    let found = case.evidence[1].contradictions(run);
    let said: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|c| (c.field.as_str(), c.stated.as_str(), c.found.as_str()))
        .collect();
    assert_eq!(said, [("phase", "warm", "cold")]);
}

async fn fresh(house: &House) {
    let case = house.case(5).await;
    assert_eq!(case.state, CaseState::New);
    assert!(case.owner.is_none() && case.contract.is_none() && case.evidence.is_empty());
}

async fn log_is_in_order(house: &House, now: DateTime<Utc>) {
    let events = house.events().await;
    let times: Vec<i64> = events.iter().map(|e| e.body.at_us).collect();
    let back = events
        .windows(2)
        .find(|w| w[1].body.at_us < w[0].body.at_us);
    assert!(back.is_none(), "{back:?}");
    assert!(times.last() <= Some(&now.timestamp_micros()));
    let mut conn = house.db.pool.acquire().await.expect("a connection");
    let verdict = audit::verify(&mut conn).await.expect("walked");
    assert!(matches!(verdict, Verdict::Intact { .. }), "{verdict:?}");
    let read = events
        .iter()
        .filter(|e| e.body.act == "evidence.read")
        .count();
    let attached = events
        .iter()
        .filter(|e| e.body.act == "evidence.attach")
        .count();
    assert_eq!(read + 1, attached, "every file but one was read");
}

async fn people_come_in(house: &House, ready: &Ready, now: DateTime<Utc>) {
    let mut conn = house.db.pool.acquire().await.expect("a connection");
    let password = ready.password.as_deref().expect("shown once");
    let links = ready.cast.links(&mut conn, now).await.expect("links");
    let roles: Vec<&str> = links.iter().map(|(role, _)| *role).collect();
    assert_eq!(roles, ["responder", "reviewer", "manager"]);
    let members = [
        &ready.cast.responder,
        &ready.cast.reviewer,
        &ready.cast.manager,
    ];
    for ((role, token), member) in links.iter().zip(members) {
        let kind = one_time::Kind::SignIn;
        let link = one_time::peek(&mut conn, kind, token, now)
            .await
            .expect("asked");
        assert_eq!(link.expect("it works").person_id, Some(member.id), "{role}");
        let account = people::account(&mut conn, &member.login)
            .await
            .expect("asked");
        let account = account.expect("an account");
        assert!(secret::verify_password(password, account.phc.as_deref()));
    }
    let log = serde_json::to_string(
        &house
            .events()
            .await
            .iter()
            .map(|e| &e.body)
            .collect::<Vec<_>>(),
    )
    .expect("text");
    assert!(!log.contains(password), "the log holds no secret");
    assert!(links.iter().all(|(_, token)| !log.contains(token.as_str())));
}

async fn again_changes_nothing(house: &House, ready: &Ready, now: DateTime<Utc>) {
    let before = house.events().await.len();
    let again = demo::ensure(&house.room, now).await.expect("found");
    assert_eq!((&again.cast, again.password), (&ready.cast, None));
    assert_eq!(house.events().await.len(), before);
}

#[tokio::test]
async fn a_database_with_people_of_its_own_is_left_alone() {
    let house = House::new().await;
    let mut tx = house.db.pool.begin().await.expect("a transaction");
    let new = people::New {
        login: "ana@example.org",
        name: "Ana",
        roles: &[Role::Admin],
        phc: None,
    };
    let actor = Actor::app();
    people::create(&mut tx, &actor, &new, now())
        .await
        .expect("made");
    tx.commit().await.expect("committed");
    let error = demo::ensure(&house.room, now()).await.expect_err("refused");
    let said = error.to_string();
    assert!(said.contains("empty database only"), "{said}");
    assert!(
        said.contains("--data-dir") && said.contains("PEL_DATABASE_URL"),
        "{said}"
    );
    assert_eq!(house.events().await.len(), 1, "only Ana's account");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demonstration_that_was_cut_short_says_so() {
    let mut house = House::new().await;
    let reader = house.room.cage.clone();
    house.room.cage.program = "/bin/false".into();
    let error = demo::ensure(&house.room, now())
        .await
        .expect_err("no reader");
    assert!(error.to_string().contains("the reader refused"), "{error}");
    house.room.cage = reader;
    let error = demo::ensure(&house.room, now()).await.expect_err("half");
    assert!(error.to_string().contains("cut short"), "{error}");
}
