//! Two reviewers accept the same change while the service, sometimes with its database, is killed:
//! either it is accepted, once and with everything that belongs to it, or it is not at all; and who
//! was told that it is accepted was told the truth.

use crate::chance::Chance;
use crate::client::Client;
use crate::house::{House, kill};
use crate::setting;
use crate::waiting::Waiting;
use axum::{body::Body, http::StatusCode};
use pel::intake::blobs::Blobs;
use pel::ladder::decision::Sealed;
use pel::store::audit::{self, Verdict};
use sqlx::{PgConnection, Row as _};
use std::time::{Duration, Instant};

/// What a reviewer came to know of their acceptance.
#[derive(Debug, PartialEq)]
enum Known {
    /// It was written: the path of the decision.
    Accepted(String),
    /// The other's was written.
    Told,
    /// No answer came, and they asked no further.
    Nothing,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x7_a_kill_during_an_acceptance_leaves_all_of_it_or_nothing() {
    let kills = (setting("PEL_KILLS", 12) / 4).max(3);
    let seed = setting(
        "PEL_SEED",
        crate::place::now().timestamp_micros().unsigned_abs(),
    );
    println!("PEL_SEED={seed}, {kills} kills during acceptances");
    let (began, mut chance) = (Instant::now(), Chance::new(seed));
    let mut house = House::new();
    house.start();
    let blobs = Blobs::folder(house.data().join("blobs")).unwrap();
    let mut conn = house.database().await;
    let waiting = Waiting::make(&mut conn, blobs).await;
    let mut paths = Vec::new();
    for _ in 0..kills {
        paths.push(waiting.change(&mut conn).await);
    }
    drop(conn);
    let (mut accepted, mut told, mut in_the_dark) = (0, 0, 0);
    for path in &paths {
        let known = both(&mut house, &waiting, path, &mut chance).await;
        let decisions = whole(&mut house.database().await, path).await;
        for one in &known {
            match one {
                Known::Accepted(place) => assert_eq!(decisions, [place.as_str()], "{path}"),
                Known::Told => assert_eq!(decisions.len(), 1, "{path}"),
                Known::Nothing => in_the_dark += 1,
            }
            told += usize::from(matches!(one, Known::Accepted(_)));
        }
        accepted += decisions.len();
    }
    let mut conn = house.database().await;
    let verdict = audit::verify(&mut conn).await.unwrap();
    assert!(matches!(verdict, Verdict::Intact { .. }), "{verdict:?}");
    drop(conn);
    println!(
        "{} s: {kills} kills; of {} changes {accepted} accepted; acknowledged {told}, never answered {in_the_dark}",
        began.elapsed().as_secs(),
        paths.len()
    );
    assert!(accepted > 0, "nothing was accepted");
    assert!(house.stop(), "the last stop is in order");
}

/// Both reviewers accept; meanwhile the service is killed and started again.
async fn both(house: &mut House, waiting: &Waiting, path: &str, chance: &mut Chance) -> Vec<Known> {
    let tasks = waiting.reviewers.each_ref().map(|reviewer| {
        let client = Client::new(house.address(), &reviewer.token);
        tokio::spawn(accept(client, path.to_owned(), chance.split()))
    });
    tokio::time::sleep(chance.millis(0, 700)).await;
    let postmaster = house.postmaster();
    house.kill();
    if chance.percent(20) {
        kill(postmaster.expect("the database runs"));
    }
    house.start();
    let mut known = Vec::new();
    for task in tasks {
        known.push(task.await.unwrap());
    }
    known
}

/// Opens the page and sends its form; sends the same form again when no answer came.
async fn accept(client: Client, path: String, mut chance: Chance) -> Known {
    let path = format!("{path}/accept");
    let content = "application/x-www-form-urlencoded";
    let mut shown = None;
    let patient = chance.percent(70);
    for _ in 0..10 {
        if shown.is_none() {
            match client.get(&path).await {
                Some(page) if page.status == StatusCode::OK => shown = filled_in(&page.body),
                Some(page) if page.status.is_server_error() => {}
                Some(page) => return told(page.status, &page.body),
                None => {}
            }
            continue;
        }
        let form = shown.clone().expect("looked at above");
        match client.post(&path, content, Body::from(form)).await {
            Some(answer) if answer.status == StatusCode::SEE_OTHER => {
                return Known::Accepted(answer.location);
            }
            Some(answer) if answer.status.is_server_error() => {}
            Some(answer) => return told(answer.status, &answer.body),
            None if !patient => return Known::Nothing,
            None => {}
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Known::Nothing
}

fn told(status: StatusCode, body: &str) -> Known {
    assert_eq!(status, StatusCode::CONFLICT, "{body}");
    assert!(body.contains("Already accepted by"), "{body}");
    Known::Told
}

/// The form of the page with its hidden fields; `None` when the page has none, because the change
/// was accepted before it was shown.
fn filled_in(page: &str) -> Option<String> {
    let mut form = "note=looks+right+to+me".to_owned();
    for name in ["form_key", "version", "revision", "basis", "seq"] {
        let mark = format!("name=\"{name}\" value=\"");
        let (_, rest) = page.split_once(&mark)?;
        let value = rest.split('"').next()?;
        form.push_str(&format!("&{name}={value}"));
    }
    Some(form)
}

/// The decisions on a change, after everything that belongs to one, or to none, was found.
async fn whole(conn: &mut PgConnection, path: &str) -> Vec<String> {
    let number: i64 = path.rsplit("CH-").next().unwrap().parse().unwrap();
    let sql = "
      select h.state, c.state as case_state,
        (select count(*) from approval a where a.change_id = h.id and a.purpose = 'promotion') as approvals,
        (select count(*) from audit_event a where a.case_id = c.id and a.act = 'decision.accept') as sealed,
        (select count(*) from audit_event a where a.case_id = c.id and a.act = 'change.accept') as moved,
        (select count(*) from decision d join decision_condition k on k.decision_id = d.id
         where d.change_id = h.id) as conditions,
        (select count(*) from decision d join audit_event a on a.seq = d.audit_seq and a.act = 'decision.accept'
         and a.body::jsonb ->> 'object_id' = d.id::text and a.body::jsonb ->> 'after' = d.digest
         where d.change_id = h.id) as logged
      from change h join case_file c on c.id = h.case_id where h.number = $1";
    let row = sqlx::query(sql)
        .bind(number)
        .fetch_one(&mut *conn)
        .await
        .unwrap();
    let sql = "select d.id::text, d.kind, d.record, d.digest from decision d
               join change h on h.id = d.change_id where h.number = $1";
    let decisions = sqlx::query(sql)
        .bind(number)
        .fetch_all(&mut *conn)
        .await
        .unwrap();
    let counts = ["approvals", "sealed", "moved", "conditions", "logged"]
        .map(|column| row.get::<i64, _>(column));
    let state: String = row.get("state");
    match decisions.len() {
        0 => {
            assert_eq!(state, "awaiting_promotion", "{path}");
            assert_eq!(counts, [0; 5], "{path}");
        }
        1 => {
            assert_eq!(state, "accepted", "{path}");
            assert_eq!(counts, [1, 1, 1, 4, 1], "{path}");
        }
        more => panic!("{path}: {more} decisions"),
    }
    let expected = ["deciding", "rolling_out"][decisions.len()];
    assert_eq!(row.get::<String, _>("case_state"), expected, "{path}");
    for decision in &decisions {
        assert_eq!(decision.get::<String, _>("kind"), "accepted");
        let sealed: Sealed = serde_json::from_value(decision.get("record")).unwrap();
        assert_eq!(
            sealed.digest(),
            decision.get::<String, _>("digest"),
            "{path}"
        );
    }
    let place = |decision: &sqlx::postgres::PgRow| {
        format!("/decisions/{}", decision.get::<String, _>("id"))
    };
    decisions.iter().map(place).collect()
}
