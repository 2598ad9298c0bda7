//! `pel audit checkpoint`, `export` and `verify`: what was kept elsewhere tells when the tail of
//! the log was cut, with the database and without it.

use crate::archive::{act, on, said};
use crate::common;
use crate::house::House;
use chrono::{DateTime, TimeDelta};
use pel::store::audit::{Act, Actor, append};
use pel::store::checkpoint::Signed;
use sqlx::Connection as _;
use std::os::unix::fs::PermissionsExt as _;

fn text(path: &std::path::Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test]
async fn x12_a_cut_tail_is_found_against_a_checkpoint_kept_elsewhere_online_and_from_an_export() {
    let db = common::database().await;
    let mut owner = db.owner().await;
    act(&mut owner, 5).await;
    let house = House::new();
    let (kept, export, cut) = (
        house.beside("kept.json"),
        house.beside("all.jsonl"),
        house.beside("cut.jsonl"),
    );
    let out = on(
        &house,
        &db,
        &["audit", "checkpoint", "--output", text(&kept)],
    );
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    let signed: Signed = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    assert_eq!(
        (signed.checkpoint.first_seq, signed.checkpoint.last_seq),
        (1, 5)
    );
    let mode = std::fs::metadata(house.data().join("audit.key"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "the key is its owner's alone");
    let out = on(&house, &db, &["audit", "export", "--output", text(&export)]);
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    let verify = |args: &[&str]| {
        let mut all = vec!["audit", "verify"];
        all.extend(args);
        let out = on(&house, &db, &all);
        (out.status.code(), said(&out))
    };
    let with = ["--checkpoint", text(&kept)];
    let (code, words) = verify(&with);
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains(&signed.public_key), "{words}");
    // Nothing happened since: the same checkpoint again.
    let out = on(&house, &db, &["audit", "checkpoint"]);
    assert!(said(&out).contains("\"number\": 1"), "{}", said(&out));

    // An administrator of the database cuts the tail, and the checkpoint that lay beside it.
    let sql = "alter table audit_event disable trigger all; alter table audit_checkpoint disable trigger all; \
        delete from audit_checkpoint; delete from audit_event where seq > 3";
    sqlx::raw_sql(sql).execute(&mut owner).await.unwrap();
    let (code, words) = verify(&[]);
    assert_eq!(code, Some(0), "the chain alone does not show it: {words}");
    let (code, words) = verify(&with);
    assert_eq!(code, Some(2), "{words}");
    assert!(
        words.contains("BROKEN at event 4") && words.contains("cut"),
        "{words}"
    );

    // The same from an export, without any database.
    let offline = |file: &std::path::Path, more: &[&str]| {
        let mut args = vec!["audit", "verify", "--export", text(file)];
        args.extend(more);
        let mut command = house.command(&args);
        command.env("PEL_DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
        let out = command.output().unwrap();
        (out.status.code(), said(&out))
    };
    let (code, words) = offline(&export, &with);
    assert_eq!(code, Some(0), "{words}");
    let all = std::fs::read_to_string(&export).unwrap();
    let first: Vec<&str> = all.lines().take(3).collect();
    std::fs::write(&cut, first.join("\n")).unwrap();
    let (code, words) = offline(&cut, &with);
    assert_eq!(code, Some(2), "{words}");
    let edited = all.replacen("case.open", "case.shut", 2);
    std::fs::write(&cut, edited).unwrap();
    let (code, words) = offline(&cut, &[]);
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("BROKEN at event 1"), "{words}");

    // A checkpoint that somebody wrote on, or that another key signed, is no checkpoint.
    let forged = std::fs::read_to_string(&kept)
        .unwrap()
        .replace("\"last_seq\": 5", "\"last_seq\": 3");
    std::fs::write(&kept, forged).unwrap();
    let (code, words) = verify(&with);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("signature"), "{words}");
    std::fs::write(&kept, serde_json::to_string(&signed).unwrap()).unwrap();
    let (code, words) = verify(&["--checkpoint", text(&kept), "--public-key", "00"]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("another key"), "{words}");
}

#[tokio::test]
async fn x13_a_clock_set_back_changes_no_order_and_the_checkpoint_notes_it() {
    let db = common::database().await;
    let mut owner = db.owner().await;
    let mut tx = owner.begin().await.unwrap();
    for hours in [10, 11, 3] {
        let act = Act {
            act: "case.open",
            object: ("case", "1".to_owned()),
            ..Act::default()
        };
        let at = DateTime::UNIX_EPOCH + TimeDelta::hours(hours);
        append(&mut tx, &Actor::app(), act, at).await.unwrap();
    }
    tx.commit().await.unwrap();
    let house = House::new();
    let kept = house.beside("kept.json");
    let out = on(
        &house,
        &db,
        &["audit", "checkpoint", "--output", text(&kept)],
    );
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    let out = on(
        &house,
        &db,
        &["audit", "verify", "--checkpoint", text(&kept)],
    );
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    assert!(
        said(&out).contains("clock stepped back 1"),
        "{}",
        said(&out)
    );
    let signed: Signed = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    assert_eq!(signed.checkpoint.clock[0].seq, 3);
}

#[tokio::test]
async fn one_checkpoint_a_day_and_none_out_of_order() {
    let db = common::database().await;
    let mut owner = db.owner().await;
    act(&mut owner, 2).await;
    let key = pel::store::checkpoint::Key::fresh().unwrap();
    let key = pel::store::checkpoint::Key::read(&key).unwrap();
    let noon: DateTime<chrono::Utc> = "2026-11-30T12:00:00Z".parse().unwrap();
    let mut numbers = Vec::new();
    for hours in [0, 3, 24, -48, 25, 49] {
        act(&mut owner, 1).await;
        let mut tx = db.pool.begin().await.unwrap();
        let at = noon + TimeDelta::hours(hours);
        let made = pel::store::checkpoints::make_daily(&mut tx, &key, at)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        numbers.push(made.map(|s| (s.checkpoint.number, s.checkpoint.last_seq)));
    }
    assert_eq!(
        numbers,
        [Some((1, 3)), None, Some((2, 5)), None, None, Some((3, 8))]
    );
    let mut conn = db.pool.acquire().await.unwrap();
    let verdict = pel::store::audit::verify(&mut conn).await.unwrap();
    assert!(
        matches!(verdict, pel::store::audit::Verdict::Intact { .. }),
        "{verdict:?}"
    );
    // Past the program: neither out of order nor of events that are not there.
    for (number, first, last) in [(5, 9, 9), (4, 8, 8), (4, 9, 99)] {
        let sql = "insert into audit_checkpoint (number, first_seq, last_seq, signed, at) values ($1, $2, $3, '{}', now())";
        let done = sqlx::query(sql)
            .bind(number)
            .bind(first as i64)
            .bind(last as i64);
        let error = done.execute(&db.pool).await.unwrap_err().to_string();
        assert!(error.contains("does not follow"), "{error}");
    }
    let rewritten = sqlx::query("delete from audit_checkpoint")
        .execute(&db.pool)
        .await;
    assert!(rewritten.is_err());
}
