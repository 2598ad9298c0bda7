//! Throwaway databases for tests: one server for all test processes, one migrated template, one
//! copy of it per test.
//!
//! The server lives in `/tmp/pel-test-…`, named after this checkout, so that it is short, and open
//! to the account it runs as when tests run as root. It stays up between runs, which makes the next
//! one fast; `scripts/test` stops it, and so does any run that finds its checkout gone.
//! It does not sync to disk: what it holds may be lost.
#![allow(dead_code, clippy::unwrap_used)]

use pel::postgres::{self, Durability, Private, Use};
use sha2::{Digest as _, Sha256};
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, Row as _};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::OnceCell;

/// A database of one test; it is dropped with this value.
pub struct TestDb {
    /// Connections that work as `pel_app`, as the program does.
    pub pool: PgPool,
    /// Address of the database as its owner, for `PEL_DATABASE_URL` and for programs.
    pub owner_url: String,
    owner: PgConnectOptions,
    server: PgConnectOptions,
    name: String,
}

impl TestDb {
    /// A connection as the owner: for what the app must not be able to do.
    pub async fn owner(&self) -> PgConnection {
        self.owner.connect().await.unwrap()
    }

    /// Name of the database.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// What one test left, as the beginning of many: nobody is connected to it.
pub struct Mould {
    db: TestDb,
}

impl TestDb {
    /// Ends all connections, so that the database can be copied.
    pub async fn into_mould(self) -> Mould {
        self.pool.close().await;
        Mould { db: self }
    }
}

impl Mould {
    /// A database of its own with all that the mould holds.
    pub async fn copy(&self) -> TestDb {
        let db = &self.db;
        let from = format!("template {}", db.name);
        let url = db
            .owner_url
            .replace(&format!("localhost/{}?", db.name), "localhost/pel?");
        create(db.server.clone(), &url, &from).await
    }
}

impl Drop for TestDb {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // A thread of its own: the test's runtime may be of one thread, and is busy dropping us.
        let dropped = std::thread::spawn(move || {
            runtime().block_on(async {
                let mut conn = server.connect().await?;
                // `with (force)` alone would wait a tenth of a second for the pool's connections.
                let sql = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = $1";
                for _ in 0..100 {
                    let count = sqlx::query_scalar::<_, i64>(sql).bind(&name);
                    if count.fetch_one(&mut conn).await? == 0 {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                let sql = format!("drop database if exists {name} with (force)");
                sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut conn).await
            })
        });
        if let Ok(Err(error)) = dropped.join() {
            eprintln!("the test database {} stays behind: {error}", self.name);
        }
    }
}

/// A migrated, empty database for this test.
pub async fn database() -> TestDb {
    let (server, template, url) = server().await;
    create(server, &url, &format!("template {template}")).await
}

/// A database without any table, owned like a fresh one.
pub async fn empty_database() -> TestDb {
    let (server, _, url) = server().await;
    create(server, &url, "").await
}

async fn create(server: PgConnectOptions, url: &str, from: &str) -> TestDb {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("t_{}_{number}", std::process::id());
    let mut conn = server.connect().await.unwrap();
    execute(
        &mut conn,
        &format!("drop database if exists {name} with (force)"),
    )
    .await;
    execute(&mut conn, &format!("create database {name} {from}")).await;
    conn.close().await.unwrap();
    let owner = server.clone().database(&name);
    TestDb {
        pool: postgres::app_pool(&owner, 5),
        owner_url: url.replace("localhost/pel?", &format!("localhost/{name}?")),
        owner,
        server,
        name,
    }
}

/// The shared server, brought up if need be, with the template of today's migrations.
/// Returns its address as a whole, the template's name, and the address as a URL.
async fn server() -> (PgConnectOptions, String, String) {
    static SERVER: OnceCell<(PgConnectOptions, String, String)> = OnceCell::const_new();
    SERVER.get_or_init(prepare).await.clone()
}

async fn prepare() -> (PgConnectOptions, String, String) {
    let folder = folder();
    fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.with_extension("lock")).unwrap();
    lock.lock().unwrap(); // one test process at a time prepares; dropped at the end
    let server = match open(&folder).await {
        Ok(server) => server,
        Err(_) => {
            // Whatever state it was left in, nothing in it is worth keeping.
            let _ = postgres::remove_private(&folder).await;
            open(&folder).await.expect("the test server starts")
        }
    };
    let url = server.url().unwrap();
    let options = server.options().clone().database("postgres");
    server.leave_running();
    fs::write(folder.join("checkout"), env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut conn = options.connect().await.unwrap();
    let template = format!("pel_template_{}", digest());
    let names: Vec<String> = sqlx::query("select datname from pg_database")
        .fetch_all(&mut conn)
        .await
        .unwrap()
        .iter()
        .map(|row| row.get(0))
        .collect();
    for name in names.iter().filter(|name| is_abandoned(name, &template)) {
        execute(
            &mut conn,
            &format!("drop database if exists {name} with (force)"),
        )
        .await;
    }
    if !names.contains(&template) {
        make_template(&mut conn, &options, &template).await;
        sweep().await;
    }
    (options, template, url)
}

async fn open(folder: &Path) -> postgres::Result<Private> {
    let server = Private::open(folder, None, Use::Own, Durability::Thrown).await?;
    let answer = server.options().connect().await;
    match answer {
        Ok(conn) => conn.close().await?,
        Err(error) => {
            server.stop().await;
            return Err(error.into());
        }
    }
    Ok(server)
}

/// Made under another name and renamed: a template that was cut short is never copied.
async fn make_template(conn: &mut PgConnection, options: &PgConnectOptions, template: &str) {
    let making = format!("{template}_making");
    execute(conn, &format!("create database {making}")).await;
    let owner = options.clone().database(&making);
    let mut inside = owner.connect().await.unwrap();
    postgres::migrate(&mut inside, &owner).await.unwrap();
    inside.close().await.unwrap();
    execute(
        conn,
        &format!("alter database {making} rename to {template}"),
    )
    .await;
}

/// Databases of processes that ended without dropping them, and templates of other migrations.
fn is_abandoned(name: &str, template: &str) -> bool {
    if name.starts_with("pel_template_") {
        return name != template;
    }
    let process = name
        .strip_prefix("t_")
        .and_then(|rest| rest.split_once('_'));
    process
        .is_some_and(|(pid, _)| !Path::new("/proc").join(pid).exists() && cfg!(target_os = "linux"))
}

/// Stops and removes the servers of checkouts that are gone.
async fn sweep() {
    for entry in fs::read_dir("/tmp").unwrap().flatten() {
        let folder = entry.path();
        let checkout = fs::read_to_string(folder.join("checkout")).unwrap_or_default();
        let ours = entry.file_name().to_string_lossy().starts_with("pel-test-");
        if ours && !checkout.is_empty() && !Path::new(&checkout).exists() {
            let _ = postgres::remove_private(&folder).await;
            let _ = fs::remove_dir_all(&folder);
            let _ = fs::remove_file(folder.with_extension("lock"));
        }
    }
}

/// Folder of the shared server: one per user and checkout.
pub fn folder() -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    let digest = hex::encode(Sha256::digest(env!("CARGO_MANIFEST_DIR")));
    PathBuf::from(format!("/tmp/pel-test-{user}-{}", &digest[..8]))
}

fn digest() -> String {
    let mut hasher = Sha256::new();
    for migration in postgres::MIGRATIONS.iter() {
        hasher.update(migration.version.to_be_bytes());
        hasher.update(&migration.checksum);
    }
    hex::encode(hasher.finalize())[..12].to_owned()
}

async fn execute(conn: &mut PgConnection, sql: &str) {
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(conn)
        .await;
    done.unwrap_or_else(|e| panic!("{sql}: {e}"));
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// An empty blob store of its own, in a folder that goes with the process's temporary files.
#[allow(dead_code, reason = "not every test binary stores files")]
pub fn blobs() -> pel::intake::blobs::Blobs {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    // The folder outlives the test on purpose: a store may be asked until the very end.
    pel::intake::blobs::Blobs::folder(folder.keep()).expect("the store can be opened")
}
