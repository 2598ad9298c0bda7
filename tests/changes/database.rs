//! The database's own guard, as the role the program works with: whatever the code thinks, no
//! decision without its four conditions and a reviewer who did not contribute, and no rewriting.

use crate::harness::{Browser, Site};
use crate::story::Story;
use pel::ladder::condition::Condition;
use pel::store::decisions::{self, NewDecision};
use pel::store::{Error, audit};
use uuid::Uuid;

/// An acceptance of the story's change by somebody, with some of its conditions.
async fn accept(story: &Story, by: Uuid, conditions: &[Condition]) -> Result<(), Error> {
    let case = story.case().await;
    let change = &case.changes[0];
    let new = NewDecision {
        case_id: case.id,
        change_id: change.id,
        revision_id: change.current().unwrap().id,
        kind: "accepted",
        role: "reviewer".to_owned(),
        note: "written past the program".to_owned(),
        record: serde_json::json!({}),
        digest: format!("{:064x}", Uuid::new_v4().as_u128()),
        conditions: conditions
            .iter()
            .map(|c| (*c, case.record(*c).unwrap().id))
            .collect(),
        overrides: Vec::new(),
    };
    let actor = crate::story::actor_of(by, "somebody");
    let mut tx = story.site.db.pool.begin().await.unwrap();
    decisions::seal(&mut tx, &actor, &new, story.site.now()).await?;
    tx.commit().await.map_err(Error::from)
}

fn rule(result: Result<(), Error>) -> String {
    match result {
        Err(Error::Refused { constraint, .. }) => constraint,
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn r1_an_acceptance_needs_four_conditions_a_reviewer_and_no_contributor() {
    let story = Story::begin().await;
    story.awaiting().await;
    let three = &Condition::ALL[..3];
    assert_eq!(
        rule(accept(&story, story.rita, three).await),
        "decision_four_conditions"
    );
    assert_eq!(
        rule(accept(&story, story.jo, Condition::ALL).await),
        "decision_by_reviewer"
    );
    sqlx::query("insert into person_role (person_id, role, granted_by, granted_at) values ($1, 'reviewer', $1, now())")
        .bind(story.jo)
        .execute(&story.site.db.pool)
        .await
        .unwrap();
    assert_eq!(
        rule(accept(&story, story.jo, Condition::ALL).await),
        "decision_not_by_contributor"
    );
    // Another account of the author is the author.
    let second = story
        .site
        .person("jo2", &[pel::ladder::policy::Role::Reviewer])
        .await;
    sqlx::query("update person set identity_id = $2 where id = $1")
        .bind(second)
        .bind(story.jo)
        .execute(&story.site.db.pool)
        .await
        .unwrap();
    assert_eq!(
        rule(accept(&story, second, Condition::ALL).await),
        "decision_not_by_contributor"
    );
    assert!(accept(&story, story.rita, Condition::ALL).await.is_ok());
    assert_eq!(
        rule(accept(&story, story.rita, Condition::ALL).await),
        "decision_accepted_once"
    );
}

#[tokio::test]
async fn a_retracted_condition_does_not_carry_an_acceptance() {
    let story = Story::begin().await;
    story.awaiting().await;
    let record = story.case().await.records[0].id;
    sqlx::query("insert into condition_retraction (record_id, reason, by_person, at) values ($1, 'was wrong', $2, now())")
        .bind(record)
        .bind(story.jo)
        .execute(&story.site.db.pool)
        .await
        .unwrap();
    // The row is there, only no longer in force.
    let case = story.case().await;
    let mut records: Vec<_> = case
        .records
        .iter()
        .filter(|r| r.retracted.is_none())
        .collect();
    records.push(case.records.iter().find(|r| r.id == record).unwrap());
    let change = &case.changes[0];
    let new = NewDecision {
        case_id: case.id,
        change_id: change.id,
        revision_id: change.current().unwrap().id,
        kind: "accepted",
        role: "reviewer".to_owned(),
        note: "written past the program".to_owned(),
        record: serde_json::json!({}),
        digest: "0".repeat(64),
        conditions: records
            .iter()
            .map(|r| (r.claim.condition(), r.id))
            .collect(),
        overrides: Vec::new(),
    };
    let actor = crate::story::actor_of(story.rita, "Name of rita");
    let mut tx = story.site.db.pool.begin().await.unwrap();
    decisions::seal(&mut tx, &actor, &new, story.site.now())
        .await
        .unwrap();
    let refused = tx.commit().await.map_err(Error::from);
    assert_eq!(rule(refused), "decision_four_conditions");
}

#[tokio::test]
async fn a_change_is_not_accepted_by_a_state() {
    let story = Story::begin().await;
    story.awaiting().await;
    let done = sqlx::query("update change set state = 'accepted'")
        .execute(&story.site.db.pool)
        .await
        .map(|_| ())
        .map_err(Error::from);
    assert_eq!(rule(done), "change_accepted_by_decision");
}

#[tokio::test]
async fn history_is_neither_edited_nor_removed() {
    let story = Story::begin().await;
    let _: Browser = story.submitted().await;
    for sql in [
        "update audit_event set body = '{}' where seq = 1",
        "delete from audit_event where seq = 1",
        "delete from condition_record",
        "update condition_record set claim = '{}'",
        "delete from evidence",
        "update change_revision set terms = '{}'",
        "delete from change_revision",
        "truncate audit_event",
    ] {
        let done = sqlx::query(sql).execute(&story.site.db.pool).await;
        assert!(done.is_err(), "{sql}");
    }
    let mut conn = story.site.db.pool.acquire().await.unwrap();
    let verdict = audit::verify(&mut conn).await.unwrap();
    assert!(
        matches!(verdict, audit::Verdict::Intact { .. }),
        "{verdict:?}"
    );
}

#[tokio::test]
async fn an_empty_site_has_no_decision() {
    let site = Site::new().await;
    let mut conn = site.db.pool.acquire().await.unwrap();
    assert!(
        decisions::list(&mut conn, uuid::Uuid::nil(), None, None, 10)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_temporary_table_cannot_stand_before_a_real_one_in_the_eyes_of_a_guard() {
    let story = Story::begin().await;
    let mut conn = story.site.db.pool.acquire().await.unwrap();
    for sql in [
        "create temp table audit_event (seq bigint, hash bytea)",
        "insert into pg_temp.audit_event values (99999, decode(repeat('ab', 32), 'hex'))",
    ] {
        sqlx::query(sql).execute(&mut *conn).await.unwrap();
    }
    let forged = sqlx::query(
        "insert into public.audit_event (seq, body, prev_hash, hash)
         select 100000, b, p, sha256(p || convert_to(b, 'UTF8'))
         from (select '{\"seq\":100000,\"at_us\":1,\"act\":\"x\"}' as b, decode(repeat('ab', 32), 'hex') as p) x",
    )
    .execute(&mut *conn)
    .await;
    let refused = forged.unwrap_err().to_string();
    assert!(refused.contains("does not continue the chain"), "{refused}");
    // The same of every guard: the real table is looked up first.
    let unpinned: Vec<String> = sqlx::query_scalar(
        "select proname::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'public' and p.prokind = 'f'
           and not coalesce(p.proconfig::text like '%search_path=pg_catalog, public, pg_temp%', false)",
    )
    .fetch_all(&mut *conn)
    .await
    .unwrap();
    assert_eq!(unpinned, Vec::<String>::new());
}

#[tokio::test]
async fn the_author_of_a_change_cannot_be_rewritten() {
    let story = Story::begin().await;
    story.awaiting().await;
    for sql in [
        "update change set author_id = author_id",
        "update case_file set opened_by = opened_by",
    ] {
        let done = sqlx::query(sqlx::AssertSqlSafe(sql))
            .execute(&story.site.db.pool)
            .await;
        assert!(
            done.unwrap_err().to_string().contains("permission denied"),
            "{sql}"
        );
    }
}

/// An approval of the story's change as raw SQL, past the program.
async fn approve(story: &Story, by: Uuid) -> String {
    let case = story.case().await;
    let change = &case.changes[0];
    let done = sqlx::query(
        "insert into approval (id, change_id, purpose, revision_digest, basis_digest, contract_version_id, by_person, at)
         values (gen_random_uuid(), $1, 'canary', $2, $3, $4, $5, now())",
    )
    .bind(change.id)
    .bind(&change.current().unwrap().digest)
    .bind("0".repeat(64))
    .bind(case.contract.as_ref().unwrap().id)
    .bind(by)
    .execute(&story.site.db.pool)
    .await;
    rule(done.map(|_| ()).map_err(Error::from))
}

async fn is_same(story: &Story, account: Uuid, first: Option<Uuid>) {
    sqlx::query("update person set identity_id = $2 where id = $1")
        .bind(account)
        .bind(first)
        .execute(&story.site.db.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn r1_no_account_of_a_contributor_or_of_an_excluded_person_approves() {
    use pel::ladder::policy::Role;
    let story = Story::begin().await;
    story.submitted().await;
    assert_eq!(
        approve(&story, story.jo).await,
        "approval_not_by_contributor"
    );
    let second = story.site.person("jo2", &[Role::Reviewer]).await;
    assert_eq!(approve(&story, second).await, "Ok(())");
    is_same(&story, second, Some(story.jo)).await;
    assert_eq!(approve(&story, second).await, "approval_not_by_contributor");
    // Excluded under the first account, they come with the second.
    is_same(&story, second, Some(story.rita)).await;
    assert_eq!(approve(&story, second).await, "Ok(())");
    sqlx::query(
        "insert into case_person (case_id, person_id, part, present, reason, by_person, at)
         values ($1, $2, 'excluded', true, 'sold it to us', $3, now())",
    )
    .bind(story.case_id)
    .bind(story.rita)
    .bind(story.jo)
    .execute(&story.site.db.pool)
    .await
    .unwrap();
    for account in [story.rita, second] {
        assert_eq!(approve(&story, account).await, "approval_not_by_excluded");
    }
}

#[tokio::test]
async fn r1_no_account_of_an_excluded_person_accepts() {
    use pel::ladder::policy::Role;
    let story = Story::begin().await;
    story.awaiting().await;
    let second = story.site.person("other", &[Role::Reviewer]).await;
    let first = story.site.person("first", &[]).await;
    is_same(&story, second, Some(first)).await;
    sqlx::query(
        "insert into case_person (case_id, person_id, part, present, reason, by_person, at)
         values ($1, $2, 'excluded', true, 'sold it to us', $3, now())",
    )
    .bind(story.case_id)
    .bind(first)
    .bind(story.jo)
    .execute(&story.site.db.pool)
    .await
    .unwrap();
    assert_eq!(
        rule(accept(&story, second, Condition::ALL).await),
        "decision_not_by_excluded"
    );
}
