//! Small exports made for tests, with the tables and columns a test needs and no others.

use crate::{Options, Reading, Refusal, Source, read};
use rusqlite::Connection;
use std::path::PathBuf;
use tempfile::TempDir;

/// Process 7, thread 9 of it.
pub const PROCESS: i64 = 7 << 24;
pub const THREAD: i64 = PROCESS | 9;

/// An export under construction; the file lives as long as this does.
pub struct Fixture {
    _folder: TempDir,
    path: PathBuf,
    conn: Connection,
}

impl Fixture {
    /// A file that only states its version.
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        // Characters that a URI or an SQL text could trip over.
        let path = folder.path().join("a b?c%20#d&mode='x.sqlite");
        let conn = Connection::open(&path).expect("a database");
        let fixture = Self {
            _folder: folder,
            path,
            conn,
        };
        fixture.sql(
            "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
             INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');
             CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);",
        );
        fixture
    }

    /// With the kernel and the runtime table.
    pub fn with_tables() -> Self {
        let fixture = Self::new();
        fixture.sql(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, \"end\" INTEGER,
               deviceId INTEGER, globalPid INTEGER, correlationId INTEGER,
               demangledName INTEGER, shortName INTEGER, graphNodeId INTEGER);
             CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, \"end\" INTEGER,
               globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);",
        );
        fixture
    }

    pub fn sql(&self, sql: &str) {
        self.conn.execute_batch(sql).expect("the fixture's SQL");
    }

    pub fn name(&self, id: i64, text: &str) {
        self.conn
            .execute("INSERT INTO StringIds VALUES (?1, ?2)", (id, text))
            .expect("a name");
    }

    pub fn kernel(&self, start: i64, end: i64, correlation: i64, name: i64) {
        self.kernel_of(PROCESS, 0, start, end, correlation, name);
    }

    pub fn kernel_of(&self, pid: i64, device: i64, start: i64, end: i64, corr: i64, name: i64) {
        self.conn
            .execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, NULL)",
                (start, end, device, pid, corr, name),
            )
            .expect("a kernel");
    }

    pub fn call(&self, start: i64, end: i64, correlation: i64, name: i64, status: i64) {
        self.conn
            .execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                (start, end, THREAD, correlation, name, status),
            )
            .expect("a call");
    }

    /// Many rows at once are only quick inside one transaction.
    pub fn together(&self, work: impl FnOnce(&Self)) {
        self.sql("BEGIN");
        work(self);
        self.sql("COMMIT");
    }

    pub fn source(&self) -> Source {
        Source::at(&self.path)
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).expect("the fixture's bytes")
    }

    pub fn read(&self) -> Result<Reading, Refusal> {
        read(&[self.source()], &Options::default())
    }
}
