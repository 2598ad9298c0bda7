//! An SQLite file from outside, opened so that it can only be read, and read column by column.
//!
//! Nothing in the file is trusted: the schema may not run functions, views and virtual tables are
//! never queried, columns are taken by name (a missing one is NULL), and the work, the length of a
//! value and the number of rows are bounded.

use crate::{Refusal, Source};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, Row, config::DbConfig, limits::Limit, types::ValueRef,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::Read,
    path::Path,
};

/// The first bytes of every SQLite database.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Rows of operations, and of calls, that are held at most; more is refused with a way out.
pub(super) const HELD_ROWS: usize = 4_000_000;

/// Virtual machine steps after which a file is refused; a large export takes a tenth of it.
const STEP_BUDGET: u64 = 8_000_000_000;
const STEPS_PER_CALL: i32 = 1_000_000;

/// Why a value was not taken: its type is not the one the column should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Odd;

/// One row of a scan, its columns in the order asked for.
pub(super) struct Cells<'a>(&'a Row<'a>);

impl<'a> Cells<'a> {
    /// An integer, `None` for NULL.
    pub(super) fn int(&self, i: usize) -> Result<Option<i64>, Odd> {
        match self.0.get_ref(i) {
            Ok(ValueRef::Integer(v)) => Ok(Some(v)),
            Ok(ValueRef::Null) => Ok(None),
            _ => Err(Odd),
        }
    }

    /// An integer that must be there.
    pub(super) fn need(&self, i: usize) -> Result<i64, Odd> {
        self.int(i)?.ok_or(Odd)
    }

    /// A number, `None` for NULL.
    pub(super) fn number(&self, i: usize) -> Result<Option<f64>, Odd> {
        match self.0.get_ref(i) {
            Ok(ValueRef::Integer(v)) => Ok(Some(v as f64)),
            Ok(ValueRef::Real(v)) if v.is_finite() => Ok(Some(v)),
            Ok(ValueRef::Null) => Ok(None),
            _ => Err(Odd),
        }
    }

    /// Text as it lies in the file, `None` for NULL; damaged UTF-8 is replaced.
    pub(super) fn text(&self, i: usize) -> Result<Option<String>, Odd> {
        match self.0.get_ref(i) {
            Ok(ValueRef::Text(t)) => Ok(Some(String::from_utf8_lossy(t).into_owned())),
            Ok(ValueRef::Null) => Ok(None),
            _ => Err(Odd),
        }
    }
}

/// What a scan of one table went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Scanned {
    /// Rows seen.
    pub rows: u64,
    /// Rows left out because a value had the wrong type.
    pub skipped: u64,
}

/// An opened file and what its schema says.
pub(super) struct Export {
    conn: Connection,
    file: String,
    /// Ordinary tables.
    tables: BTreeSet<String>,
    /// Views and virtual tables: never read.
    unreadable: BTreeSet<String>,
    /// Whether the file is in write-ahead mode, so that its newest rows may lie in another file.
    pub(super) write_ahead: bool,
}

impl Export {
    /// Opens the file for reading and lists its tables.
    ///
    /// # Errors
    /// `io`, `sqlite-truncated` when the file is shorter than its own header says,
    /// `sqlite-damaged` when the schema cannot be read.
    pub(super) fn open(source: &Source) -> Result<Self, Refusal> {
        let write_ahead = check_length(source)?;
        let conn = connect(&source.path).map_err(|e| damaged(&source.name, "schema", 0, &e))?;
        let mut export = Self {
            conn,
            file: source.name.clone(),
            tables: BTreeSet::new(),
            unreadable: BTreeSet::new(),
            write_ahead,
        };
        export
            .list_tables()
            .map_err(|e| damaged(&source.name, "schema", 0, &e))?;
        Ok(export)
    }

    fn list_tables(&mut self) -> rusqlite::Result<()> {
        let mut statement = self.conn.prepare(
            "SELECT name, type, rootpage FROM sqlite_master WHERE type IN ('table', 'view')",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            let kind: String = row.get(1)?;
            // A virtual table has no page of its own.
            let root: Option<i64> = row.get(2)?;
            if kind == "table" && root.is_some_and(|r| r > 0) {
                self.tables.insert(name);
            } else {
                self.unreadable.insert(name);
            }
        }
        Ok(())
    }

    /// Names of the ordinary tables, in order.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(String::as_str)
    }

    /// Whether the file has this ordinary table.
    ///
    /// # Errors
    /// `nsight-table-not-plain` when the name is taken by a view or a virtual table.
    pub(super) fn has(&self, table: &str) -> Result<bool, Refusal> {
        if self.unreadable.contains(table) {
            return Err(Refusal::new(&self.file, "nsight-table-not-plain")
                .arg("table", table)
                .at(format!("table {table}")));
        }
        Ok(self.tables.contains(table))
    }

    /// Hands every row of a table to `each`, with the columns asked for; a column the table does
    /// not have is NULL. Rows for which `each` answers [`Odd`] are counted as skipped. A table
    /// that is not there yields nothing.
    ///
    /// # Errors
    /// `sqlite-damaged` with the row reached, `sqlite-too-much-work`, `nsight-table-not-plain`.
    pub(super) fn scan(
        &self,
        table: &str,
        columns: &[&str],
        each: &mut dyn FnMut(&Cells<'_>) -> Result<(), Odd>,
    ) -> Result<Scanned, Refusal> {
        self.scan_where(table, columns, "", each)
    }

    /// As [`Export::scan`], with a condition written in this program (never from the file).
    ///
    /// # Errors
    /// As [`Export::scan`].
    pub(super) fn scan_where(
        &self,
        table: &str,
        columns: &[&str],
        condition: &'static str,
        each: &mut dyn FnMut(&Cells<'_>) -> Result<(), Odd>,
    ) -> Result<Scanned, Refusal> {
        let mut done = Scanned::default();
        if !self.has(table)? {
            return Ok(done);
        }
        let fail = |rows: u64, e: &rusqlite::Error| damaged(&self.file, table, rows, e);
        let known = self.columns(table).map_err(|e| fail(0, &e))?;
        let list: Vec<String> = columns
            .iter()
            .map(|c| match known.get(&c.to_ascii_lowercase()) {
                Some(real) => quote(real),
                None => "NULL".to_owned(),
            })
            .collect();
        let sql = format!(
            "SELECT {} FROM {} NOT INDEXED {condition}",
            list.join(", "),
            quote(table)
        );
        let mut statement = self.conn.prepare(&sql).map_err(|e| fail(0, &e))?;
        let mut rows = statement.query([]).map_err(|e| fail(0, &e))?;
        while let Some(row) = rows.next().map_err(|e| fail(done.rows + 1, &e))? {
            done.rows += 1;
            if each(&Cells(row)).is_err() {
                done.skipped += 1;
            }
        }
        Ok(done)
    }

    /// The refusal of a table with more rows than are held.
    pub(super) fn too_many_rows(&self, table: &str) -> Refusal {
        Refusal::new(&self.file, "nsight-too-many-rows")
            .arg("table", table)
            .arg("limit", HELD_ROWS)
            .at(format!("table {table}"))
    }

    /// Stored columns of a table, by lower-case name. Generated columns are left out: their
    /// values would be computed by expressions of the file.
    fn columns(&self, table: &str) -> rusqlite::Result<BTreeMap<String, String>> {
        let mut statement = self
            .conn
            .prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0")?;
        let mut rows = statement.query([table])?;
        let mut columns = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            columns.insert(name.to_ascii_lowercase(), name);
        }
        Ok(columns)
    }
}

fn quote(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(uri(path), flags)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, 64 << 20)?;
    conn.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20)?;
    conn.set_limit(Limit::SQLITE_LIMIT_EXPR_DEPTH, 100)?;
    conn.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    conn.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
    conn.execute_batch(
        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -8192; \
         PRAGMA query_only = ON;",
    )?;
    let mut left = STEP_BUDGET;
    conn.progress_handler(
        STEPS_PER_CALL,
        Some(move || {
            left = left.saturating_sub(STEPS_PER_CALL as u64);
            left == 0
        }),
    )?;
    Ok(conn)
}

/// `file:` URI of a path. `immutable` keeps SQLite from looking for journals and taking locks.
fn uri(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut uri = String::from("file:");
    for &b in path.as_os_str().as_encoded_bytes() {
        if b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_') {
            uri.push(b as char);
        } else {
            let _ = write!(uri, "%{b:02X}");
        }
    }
    uri + "?immutable=1&mode=ro"
}

/// Compares the length of the file with what its header claims; answers whether it is in
/// write-ahead mode.
fn check_length(source: &Source) -> Result<bool, Refusal> {
    let io = |e: std::io::Error| Refusal::io(&source.name, &e);
    let mut file = File::open(&source.path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    let cut = |expected: u64| {
        Refusal::new(&source.name, "sqlite-truncated")
            .arg("bytes", bytes)
            .arg("expected", expected)
            .at(format!("byte {bytes}"))
    };
    let mut header = [0u8; 100];
    if bytes < 100 {
        return Err(cut(100));
    }
    file.read_exact(&mut header).map_err(io)?;
    let word = |at: usize| {
        u64::from(u32::from_be_bytes([
            header[at],
            header[at + 1],
            header[at + 2],
            header[at + 3],
        ]))
    };
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65536,
        n => u64::from(n),
    };
    let pages = word(28);
    // The page count holds only when the two change counters agree (file format, 1.3.8).
    if pages > 0 && word(24) == word(92) && bytes < pages * page {
        return Err(cut(pages * page));
    }
    if page > 0 && bytes % page != 0 {
        return Err(cut((bytes / page + 1) * page));
    }
    Ok(header[18] == 2)
}

fn damaged(file: &str, table: &str, row: u64, error: &rusqlite::Error) -> Refusal {
    let place = match row {
        0 => format!("table {table}"),
        n => format!("table {table}, row {n}"),
    };
    if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) {
        return Refusal::new(file, "sqlite-too-much-work")
            .arg("table", table)
            .at(place);
    }
    // Only SQLite's own description of the code: its longer messages quote the file's schema.
    let reason = match error {
        rusqlite::Error::SqliteFailure(code, _) => code.to_string(),
        _ => "the schema is malformed".to_owned(),
    };
    Refusal::new(file, "sqlite-damaged")
        .arg("table", table)
        .arg("reason", reason)
        .at(place)
}
