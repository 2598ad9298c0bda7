//! What must hold however often anything was killed, asked of the database and of the folder.

use crate::client::Ledger;
use crate::house::{House, files_below};
use pel::store::audit::{self, Verdict};
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long the queue may take to run empty.
const DRAIN: Duration = Duration::from_secs(300);

/// What a check found, for the record.
#[derive(Default)]
pub struct Seen {
    /// Blobs whose bytes were read and found whole.
    blobs: HashSet<PathBuf>,
    /// Items in total.
    pub items: i64,
    /// Blobs that no item names: their form was never finished.
    pub spare: usize,
    /// Items whose reading was cut short too often, and that were read at a person's word.
    pub reread: usize,
}

/// Lets a minute pass for whoever was killed: leases of workers that are gone end now instead of
/// later, and waits before another attempt are over.
pub async fn a_minute_passes(house: &mut House) {
    let worker = format!("{}-%", house.pid());
    let mut conn = house.database().await;
    let ended = "update job set lease_until = now() - interval '1 second'
                 where leased_by is not null and leased_by not like $1";
    let done = sqlx::query(ended).bind(&worker).execute(&mut conn).await;
    done.unwrap();
    for sql in [
        "update job set run_after = now() where leased_by is null and done_at is null",
        "select pg_notify('pel_job', '')",
    ] {
        sqlx::query(sql).execute(&mut conn).await.unwrap();
    }
}

/// Waits until nothing is left to do but the rounds of the clock, which put themselves back.
pub async fn drain(house: &mut House) {
    let since = Instant::now();
    let sql = "select count(*) from job
               where done_at is null and dead_at is null and kind not in ('upkeep', 'retention')";
    loop {
        a_minute_passes(house).await;
        let mut conn = house.database().await;
        let open: i64 = sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap();
        if open == 0 {
            return;
        }
        assert!(since.elapsed() < DRAIN, "{open} jobs never end");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Items that are unreadable only because something was killed while they were read, each time.
pub async fn cut_short(conn: &mut PgConnection) -> Vec<String> {
    let sql = "
      select 'EV-' || e.number from evidence e
      cross join lateral (select state, reason from evidence_event v where v.evidence_id = e.id
                          order by seq desc limit 1) v
      where v.state = 'unreadable'
        and v.reason::jsonb #>> '{failure,code}' in ('reader-failed-interrupted', 'reader-failed-killed')";
    sqlx::query_scalar(sql).fetch_all(conn).await.unwrap()
}

/// A round of the clock that is lost, or there twice.
const ROUNDS: &str = "
  select wanted from unnest(array['upkeep', 'retention']) wanted
  where (select count(*) from job where kind = wanted and done_at is null and dead_at is null) <> 1";

/// Checks everything; nothing is left to do but the rounds of the clock.
pub async fn all(house: &mut House, ledger: &Ledger, seen: &mut Seen) {
    let mut conn = house.database().await;
    nothing(
        &mut conn,
        "a job was given up",
        "select id::text || ' ' || last_error from job where dead_at is not null",
    )
    .await;
    nothing(&mut conn, "a round of the clock", ROUNDS).await;
    nothing(&mut conn, "an item is not settled", UNSETTLED).await;
    nothing(&mut conn, "an item is half made", HALF_MADE).await;
    nothing(&mut conn, "an item was read twice or never", READ_TWICE).await;
    foreign_keys(&mut conn).await;
    let items = states(&mut conn).await;
    acknowledged(&items, ledger);
    seen.items = sqlx::query_scalar("select count(*) from evidence")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    blobs(house, &mut conn, seen).await;
    let verdict = audit::verify(&mut conn).await.unwrap();
    assert!(matches!(verdict, Verdict::Intact { .. }), "{verdict:?}");
    let out = house.run(&["audit", "verify"]);
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stdout)
    );
    let readers = house.readers();
    assert!(
        readers.is_empty(),
        "readers that nobody waits for: {readers:?}"
    );
}

/// Fails when the query has an answer.
async fn nothing(conn: &mut PgConnection, what: &str, sql: &'static str) {
    let rows: Vec<String> = sqlx::query_scalar(sql).fetch_all(conn).await.unwrap();
    assert!(rows.is_empty(), "{what}: {rows:#?}");
}

const UNSETTLED: &str = "
  select 'EV-' || e.number || ' is ' || coalesce(v.state, 'nowhere') from evidence e
  left join lateral (select state, reason from evidence_event v where v.evidence_id = e.id
                     order by seq desc limit 1) v on true
  where v.state is null or v.state not in ('usable', 'unreadable')
     or (v.state = 'unreadable' and coalesce(v.reason, '') not like '{%}')";

/// Everything that one attaching writes is there once: files from 1 without a gap, the first
/// event, the line of the log, the job.
const HALF_MADE: &str = "
  select 'EV-' || e.number from evidence e where
    (select count(*) = 0 or count(*) <> max(ordinal) from evidence_file f where f.evidence_id = e.id)
    or 'received' is distinct from (select state from evidence_event v where v.evidence_id = e.id order by seq limit 1)
    or 1 <> (select count(*) from audit_event a where a.act = 'evidence.attach' and a.case_id = e.case_id
             and a.body::jsonb ->> 'object_id' = e.id::text)
    or not exists (select from job j where j.kind = 'read_evidence' and j.payload ->> 'evidence_id' = e.id::text)";

/// A usable item has one extraction for every time it was asked to be read, and the log says so.
const READ_TWICE: &str = "
  select 'EV-' || e.number || ': ' || x.extractions || ' extractions, ' || l.lines || ' lines' from evidence e
  cross join lateral (select count(*) extractions from extraction x where x.evidence_id = e.id) x
  cross join lateral (select count(*) lines from audit_event a where a.act = 'evidence.read'
                      and a.case_id = e.case_id and a.body::jsonb ->> 'object_id' = e.id::text) l
  cross join lateral (select state from evidence_event v where v.evidence_id = e.id order by seq desc limit 1) v
  where x.extractions <> l.lines or x.extractions <> (v.state = 'usable')::int";

/// Every reference of every table points at a row.
async fn foreign_keys(conn: &mut PgConnection) {
    let sql = "
      select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
        string_agg(format('c.%I = p.%I', a.attname, b.attname), ' and ' order by k.place) as same,
        string_agg(format('c.%I is not null', a.attname), ' and ') as stated
      from pg_constraint c
      cross join lateral unnest(c.conkey, c.confkey) with ordinality k (here, there, place)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.here
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.there
      where c.contype = 'f' group by c.oid, c.conrelid, c.confrelid";
    let keys = sqlx::query(sql).fetch_all(&mut *conn).await.unwrap();
    assert!(keys.len() > 20, "{} foreign keys", keys.len());
    for key in keys {
        let [child, parent, same, stated] =
            ["child", "parent", "same", "stated"].map(|column| key.get::<String, _>(column));
        let sql = format!(
            "select count(*) from {child} c where {stated} and not exists (select from {parent} p where {same})"
        );
        let lost: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_one(&mut *conn)
            .await
            .unwrap();
        assert_eq!(lost, 0, "rows of {child} point at no {parent}");
    }
}

/// State and reason of the items that hold each digest.
type Items = HashMap<String, Vec<(String, String)>>;

async fn states(conn: &mut PgConnection) -> Items {
    let sql = "
      select f.sha256, v.state, coalesce(v.reason, '') as reason from evidence_file f
      cross join lateral (select state, reason from evidence_event v where v.evidence_id = f.evidence_id
                          order by seq desc limit 1) v";
    let mut items = Items::new();
    for row in sqlx::query(sql).fetch_all(conn).await.unwrap() {
        let state = (row.get("state"), row.get("reason"));
        items.entry(row.get("sha256")).or_default().push(state);
    }
    items
}

/// What was acknowledged is there and read; what was not may be there, and is then read as well.
fn acknowledged(items: &Items, ledger: &Ledger) {
    for file in &ledger.acknowledged {
        assert!(items.contains_key(&file.sha256), "{} was lost", file.name);
    }
    for file in ledger.acknowledged.iter().chain(&ledger.unanswered) {
        for (state, reason) in items.get(&file.sha256).into_iter().flatten() {
            let expected = if file.good { "usable" } else { "unreadable" };
            assert_eq!(state, expected, "{}: {reason}", file.name);
            assert!(
                file.good || reason.contains("\"refusal\""),
                "{}: {reason}",
                file.name
            );
        }
    }
}

/// Every file row has its blob, and every blob is what its name says.
async fn blobs(house: &House, conn: &mut PgConnection, seen: &mut Seen) {
    let root = house.data().join("blobs");
    let sql = "select distinct sha256, bytes from evidence_file";
    let rows: HashMap<String, i64> = sqlx::query_as(sql)
        .fetch_all(conn)
        .await
        .unwrap()
        .into_iter()
        .collect();
    for (sha256, bytes) in &rows {
        let blob = root.join(&sha256[..2]).join(&sha256[2..]);
        let length = fs::metadata(&blob).map(|m| m.len());
        assert_eq!(length.ok(), u64::try_from(*bytes).ok(), "blob {sha256}");
    }
    seen.spare = 0;
    for blob in files_below(&root) {
        if blob.starts_with(root.join("tmp")) {
            continue;
        }
        let shelf = blob.parent().and_then(|p| p.file_name()).unwrap();
        let name = blob.file_name().unwrap();
        let sha256 = format!("{}{}", shelf.display(), name.display());
        seen.spare += usize::from(!rows.contains_key(&sha256));
        if !seen.blobs.contains(&blob) {
            let bytes = fs::read(&blob).unwrap();
            assert_eq!(
                hex::encode(Sha256::digest(&bytes)),
                sha256,
                "{}",
                blob.display()
            );
            seen.blobs.insert(blob);
        }
    }
}
