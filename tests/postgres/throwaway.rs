//! The databases that tests work on.

use crate::common;
use sqlx::Connection as _;
use std::time::{Duration, Instant};

#[tokio::test]
async fn two_tests_never_see_each_other() {
    let (one, two) = (common::database().await, common::database().await);
    assert_ne!(one.name(), two.name());
    let mut owner = one.owner().await;
    sqlx::raw_sql("create table only_here ()")
        .execute(&mut owner)
        .await
        .unwrap();
    let found = sqlx::query("select from pg_tables where tablename = 'only_here'")
        .fetch_all(&two.pool)
        .await
        .unwrap();
    assert!(found.is_empty());
}

#[tokio::test]
async fn the_pool_works_as_the_app_and_cannot_rewrite_history() {
    let db = common::database().await;
    let role: String = sqlx::query_scalar("select current_user::text")
        .fetch_one(&db.pool)
        .await
        .unwrap();
    assert_eq!(role, "pel_app");
    for sql in ["delete from audit_event", "drop table audit_event"] {
        let error = sqlx::raw_sql(sql).execute(&db.pool).await.unwrap_err();
        let code = error.as_database_error().and_then(|e| e.code());
        assert_eq!(code.as_deref(), Some("42501"), "{sql}: {error}");
    }
}

#[tokio::test]
async fn a_database_is_made_quickly_and_dropped_with_its_test() {
    let first = common::database().await; // the server may have to start for this one
    let since = Instant::now();
    let second = common::database().await;
    let took = since.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    let name = second.name().to_owned();
    drop(second);
    let left = sqlx::query("select from pg_database where datname = $1")
        .bind(&name)
        .fetch_all(&first.pool)
        .await
        .unwrap();
    assert!(left.is_empty());
}

#[tokio::test]
async fn the_owner_url_reaches_the_same_database() {
    let db = common::database().await;
    let mut conn = sqlx::PgConnection::connect(&db.owner_url).await.unwrap();
    let name: String = sqlx::query_scalar("select current_database()::text")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    assert_eq!(name, db.name());
}

#[tokio::test]
async fn an_empty_database_has_no_tables() {
    let db = common::empty_database().await;
    let tables: i64 =
        sqlx::query_scalar("select count(*) from pg_tables where schemaname = 'public'")
            .fetch_one(&mut db.owner().await)
            .await
            .unwrap();
    assert_eq!(tables, 0);
}
