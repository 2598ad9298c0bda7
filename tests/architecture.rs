//! The house rules that a compiler does not know: which room may see which, how long a file may
//! be, that every template is used, and that the documents say what is so.
#![allow(clippy::unwrap_used)]

#[path = "architecture/source.rs"]
mod source;

use source::Source;
use std::fs;
use std::path::{Path, PathBuf};

/// A room of `src/`: a folder, or a file on its own.
struct Room {
    name: &'static str,
    /// Beginnings of paths it must not name.
    never: &'static [&'static str],
    /// May hold SQL.
    sql: bool,
    /// May read the clock.
    clock: bool,
}

const fn room(name: &'static str, never: &'static [&'static str]) -> Room {
    Room {
        name,
        never,
        sql: false,
        clock: false,
    }
}

/// The table of `ARCHITECTURE.md`. A room that is not listed fails, too.
const ROOMS: &[Room] = &[
    room(
        "evidence",
        &[
            "pel",
            "sqlx",
            "axum",
            "askama",
            "tokio",
            "futures_util",
            "object_store",
            "std::env",
            "std::net",
            "std::process",
            "std::time::Instant",
        ],
    ),
    room(
        "ladder",
        &[
            "crate::store",
            "crate::intake",
            "crate::connect",
            "crate::web",
            "crate::i18n",
            "crate::postgres",
            "crate::config",
            "crate::cli",
            "sqlx",
            "axum",
            "askama",
            "tokio",
            "futures_util",
            "object_store",
            "std::env",
            "std::fs",
            "std::net",
            "std::process",
            "std::time::Instant",
        ],
    ),
    Room {
        sql: true,
        ..room(
            "store",
            &[
                "crate::intake",
                "crate::connect",
                "crate::web",
                "crate::postgres",
                "crate::config",
                "crate::cli",
                "axum",
                "askama",
                "std::env",
            ],
        )
    },
    room(
        "intake",
        &[
            "crate::connect",
            "crate::web",
            "crate::config",
            "crate::cli",
            "axum",
            "askama",
        ],
    ),
    room(
        "web",
        &["crate::config", "crate::cli", "crate::postgres", "std::env"],
    ),
    // The example case goes through the same doors as people do: it writes no SQL of its own.
    room("demo", &["crate::config", "crate::cli", "axum", "askama"]),
    room(
        "i18n.rs",
        &[
            "crate::ladder",
            "crate::store",
            "crate::intake",
            "crate::web",
            "sqlx",
            "axum",
        ],
    ),
    Room {
        sql: true,
        ..room(
            "postgres",
            &["crate::store", "crate::intake", "crate::web", "crate::cli"],
        )
    },
    room("config", &["crate::store", "crate::web", "crate::cli"]),
    Room {
        sql: true,
        clock: true,
        ..room("cli", &[])
    },
    room("lib.rs", &[]),
    room("main.rs", &[]),
];

/// Arrows that a rule forbids and that stand all the same: file, beginning of the path, reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    (
        "src/intake/receive.rs",
        "axum::extract::Multipart",
        "the form is read as it arrives; a copy of it under another type would add nothing",
    ),
    (
        "src/intake/receive.rs",
        "axum::extract::multipart",
        "the parts of that form and what goes wrong with them",
    ),
    (
        "src/web/clock.rs",
        "Utc::now",
        "the one place where the web reads the clock",
    ),
];

/// Reads of the clock, wherever the type came from.
const CLOCK: &[&str] = &["Utc::now", "Local::now", "SystemTime::now", "Instant::now"];

/// Rooms whose work is waiting use the steady clock, which says how long and never when.
const STEADY: &[&str] = &["intake", "postgres", "web"];

/// Most lines of a source file without its tests.
const MOST_LINES: usize = 450;

/// Files beyond that: no longer than this many lines, because of this.
const LONG: &[(&str, usize, &str)] = &[(
    "src/store/case_file.rs",
    560,
    "five statements that load a case whole; one split in two is six",
)];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `folder` whose name ends in `.ending`, as paths from the root, sorted.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                let inside = path.strip_prefix(root()).unwrap();
                found.push(inside.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// A file that exists for tests only; the modules above it say so with `#[cfg(test)]`.
fn is_test(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap();
    file.contains("/tests/")
        || matches!(name, "tests.rs" | "fixture.rs")
        || name.ends_with("_tests.rs")
}

/// The source files of the product, without tests, each with its room.
fn sources() -> Vec<(String, &'static Room, Source)> {
    files("src", "rs")
        .into_iter()
        .filter(|file| !is_test(file))
        .map(|file| {
            let parts: Vec<&str> = file
                .trim_end_matches(".rs")
                .split('/')
                .skip(1)
                .filter(|part| !matches!(*part, "mod" | "lib"))
                .collect();
            let module: Vec<&str> = std::iter::once("crate").chain(parts).collect();
            let first = file.split('/').nth(1).unwrap();
            let room = ROOMS.iter().find(|r| r.name == first);
            let room = room.unwrap_or_else(|| {
                panic!("{file}: the room `{first}` has no line in ROOMS; say what it may see")
            });
            let source = source::read(&text(&file), &module);
            (file, room, source)
        })
        .collect()
}

/// Whether `path` is `beginning` or lies below it.
fn below(path: &str, beginning: &str) -> bool {
    path.strip_prefix(beginning)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// What is wrong with naming `path` in `room`.
fn fault(room: &Room, path: &str) -> Option<String> {
    if let Some(never) = room.never.iter().find(|n| below(path, n)) {
        return Some(format!("{} must never see {never}", room.name));
    }
    if !room.sql && (below(path, "sqlx::raw_sql") || path.starts_with("sqlx::query")) {
        return Some(format!("{} holds no SQL; it belongs to store", room.name));
    }
    let steady = STEADY.contains(&room.name) && path.ends_with("Instant::now");
    let reads = CLOCK
        .iter()
        .any(|c| path == *c || path.ends_with(&format!("::{c}")));
    if reads && !room.clock && !steady {
        return Some(format!(
            "{} is given the time; it never reads it",
            room.name
        ));
    }
    None
}

#[test]
fn no_arrow_points_the_wrong_way() {
    let mut wrong = Vec::new();
    let mut used = vec![false; ALLOWED.len()];
    for (file, room, source) in sources() {
        for path in &source.paths {
            let Some(fault) = fault(room, &path.text) else {
                continue;
            };
            let allowed = ALLOWED
                .iter()
                .position(|(f, beginning, _)| *f == file && below(&path.text, beginning));
            match allowed {
                Some(at) => used[at] = true,
                None => wrong.push(format!("{file}:{}: {}: {fault}", path.line, path.text)),
            }
        }
    }
    for ((file, path, _), used) in ALLOWED.iter().zip(used) {
        if !used {
            wrong.push(format!(
                "{file} no longer names {path}: remove it from ALLOWED"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rules_catch_what_they_are_for() {
    let caught = |name: &str, code: &str| {
        let room = ROOMS.iter().find(|r| r.name == name).unwrap();
        let read = source::read(code, &["crate", name, "x"]);
        read.paths.iter().any(|p| fault(room, &p.text).is_some())
    };
    assert!(caught("ladder", "use super::super::store::cases;"));
    assert!(caught("ladder", "fn f() { chrono::Utc::now() }"));
    assert!(caught("evidence", "use pel::ladder;"));
    assert!(caught("evidence", "fn f() { std::env::var(\"A\") }"));
    assert!(caught("store", "use axum::http::{HeaderMap, StatusCode};"));
    assert!(caught("intake", "use crate::{store, web::App};"));
    assert!(caught(
        "web",
        "fn f() { sqlx::query_scalar!(\"select 1\") }"
    ));
    assert!(caught("web", "use crate::{config::Config, store};"));
    assert!(!caught("web", "use sqlx::{PgConnection, PgPool};"));
    assert!(!caught("store", "use crate::ladder::{CaseFile, Stage};"));
    assert!(!caught("evidence", "use crate::Scope::Instant;"));
}

/// Whether a literal is a statement, by how statements begin and go on.
fn is_sql(literal: &str) -> bool {
    let words: Vec<String> = literal
        .split_whitespace()
        .map(str::to_ascii_lowercase)
        .collect();
    let has = |word: &str| words.iter().any(|w| w == word);
    let second = words.get(1).map_or("", String::as_str);
    match words.first().map_or("", String::as_str) {
        "select" => has("from"),
        "insert" => second == "into",
        "update" => has("set"),
        "delete" => second == "from",
        "with" => has("as") && (has("select") || has("(select")),
        "create" | "alter" | "drop" | "truncate" => {
            matches!(second, "table" | "index" | "role" | "function" | "trigger")
        }
        _ => false,
    }
}

#[test]
fn sql_stands_in_the_store_alone() {
    assert!(is_sql("select id\n from person where id = $1"));
    assert!(is_sql("update job set done_at = $1"));
    assert!(!is_sql("select one of them"));
    // Reading evidence that is an SQLite file takes SQL of another kind.
    let wrong: Vec<String> = sources()
        .iter()
        .filter(|(_, room, _)| !room.sql && room.name != "evidence")
        .flat_map(|(file, _, source)| {
            let sql = source.literals.iter().filter(|l| is_sql(&l.text));
            sql.map(move |l| format!("{file}:{}: {}", l.line, l.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_stay_short() {
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for (file, _, source) in sources() {
        let long = LONG.iter().find(|(name, ..)| *name == file);
        seen.extend(long.map(|(name, ..)| *name));
        match long {
            Some((_, most, _)) if source.lines > *most => {
                wrong.push(format!("{file}: {} lines, {most} at most", source.lines));
            }
            Some(_) if source.lines <= MOST_LINES => {
                wrong.push(format!("{file} is short now: remove it from LONG"));
            }
            None if source.lines > MOST_LINES => wrong.push(format!(
                "{file}: {} lines without tests, {MOST_LINES} at most; split it by meaning",
                source.lines
            )),
            _ => {}
        }
    }
    for (file, ..) in LONG {
        if !seen.contains(file) {
            wrong.push(format!("{file} is gone: remove it from LONG"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn templates_mirror_the_web_and_every_one_is_used() {
    let pages: String = sources()
        .into_iter()
        .filter(|(_, room, _)| room.name == "web")
        .flat_map(|(_, _, source)| source.literals)
        .map(|literal| format!("\"{}\"\n", literal.text))
        .collect();
    let templates = files("templates", "html");
    let others: String = templates.iter().map(|t| text(t)).collect();
    let mut wrong = Vec::new();
    for file in &templates {
        let name = file.trim_start_matches("templates/");
        let quoted = format!("\"{name}\"");
        if !pages.contains(&quoted) && !others.contains(&quoted) {
            wrong.push(format!("{file}: no page and no other template names it"));
        }
        let folder = name.split_once('/').map(|(folder, _)| folder);
        let Some(folder) = folder.filter(|f| *f != "parts") else {
            continue;
        };
        let web = root().join("src/web");
        if !web.join(folder).is_dir() && !web.join(format!("{folder}.rs")).is_file() {
            wrong.push(format!("{file}: there is no src/web/{folder} beside it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Documents of the repository: those at its top, and those in its own folders.
fn documents() -> Vec<String> {
    let mut found: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .collect();
    for folder in ["docs", "secrets"] {
        found.extend(files(folder, "md"));
    }
    found
}

#[test]
fn links_between_documents_lead_somewhere() {
    let documents = documents();
    assert!(documents.iter().any(|d| d == "README.md"));
    let mut wrong = Vec::new();
    for file in &documents {
        let text = text(file);
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', ' ']).next().unwrap_or_default();
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(file).parent().unwrap();
            let inside = match path {
                "" => PathBuf::from(file),
                path => folder.join(path),
            };
            if !root().join(&inside).exists() {
                wrong.push(format!("{file}: {target} is not there"));
            } else if !anchor.is_empty() && !headings(&inside).iter().any(|h| h == anchor) {
                wrong.push(format!("{file}: {target} has no such heading"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Anchors of a document's headings, as repository pages make them.
fn headings(file: &Path) -> Vec<String> {
    let text = text(&file.to_string_lossy());
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

#[test]
fn the_readme_names_every_kind_of_file_that_is_read() {
    let readme = text("README.md");
    for kind in pel_evidence::Kind::all() {
        let key = format!("kind-{}", kind.id().replace('_', "-"));
        let name = pel::i18n::text(pel::i18n::Lang::En, &key, &[]);
        let row = readme
            .lines()
            .find(|line| line.starts_with(&format!("| {name} |")));
        assert!(
            row.is_some(),
            "README.md: the table of files lacks a row for “{name}”"
        );
    }
}

#[test]
fn the_readme_lists_the_settings_that_the_program_has() {
    let checked = std::process::Command::new(root().join("scripts/readme-config"))
        .arg("--check")
        .env("PEL_PROGRAM", env!("CARGO_BIN_EXE_pel"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{said}");
}
