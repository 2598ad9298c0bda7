//! How a case may end, judged for one case with its lock held: by whom, with which outcome, on
//! which note. The page of one case and the bulk close of many ask here.

use super::{gate_view::likely_outcome, number_of, show::checks};
use crate::{
    ladder::{
        CaseFile,
        case::Outcome,
        gate::{self, Gate, Target},
    },
    store::{
        self, case_page, cases,
        standing::{self, Ending},
    },
    web::{Error, Page, Reader, Result, form::Faults, say},
};
use serde::Deserialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Fewest characters of a closing note.
pub const NOTE_LEAST: usize = 20;

/// What somebody wants a case to end as.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// Id of the outcome.
    pub outcome: String,
    /// Label of the case it is a duplicate of.
    pub duplicate_of: String,
    /// Closing note.
    pub note: String,
}

/// The wish as judged.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The outcome judged: the one chosen, else the likely one.
    pub outcome: Outcome,
    /// The case it is a duplicate of.
    pub duplicate_of: Option<Uuid>,
    /// The gate of the outcome.
    pub gate: Gate,
    /// What stands in the way; empty: the case may be closed.
    pub faults: Faults,
}

impl Judged {
    /// What the store writes.
    pub fn ending<'w>(&self, wish: &'w Wish) -> Ending<'w> {
        Ending {
            outcome: self.outcome,
            duplicate_of: self.duplicate_of,
            note: &wish.note,
        }
    }
}

/// The gate of an outcome.
///
/// # Errors
/// When the database cannot be read.
pub async fn gate(
    conn: &mut PgConnection,
    page: &Page,
    case: &CaseFile,
    outcome: Outcome,
) -> Result<Gate> {
    let beside = case_page::beside(conn, case.id).await?;
    let target = Target::Close(outcome);
    let checks = checks(&beside);
    Ok(gate::judge(case, &case.policy, target, &checks, page.now))
}

/// Judges a wish on the case as it is.
///
/// # Errors
/// When the database cannot be read.
pub async fn judge(
    conn: &mut PgConnection,
    page: &Page,
    reader: &Reader,
    case: &CaseFile,
    wish: &Wish,
) -> Result<Judged> {
    let chosen = Outcome::from_id(&wish.outcome);
    let outcome = chosen.unwrap_or_else(|| likely_outcome(case));
    let gate = gate(conn, page, case, outcome).await?;
    let mut faults = Faults::default();
    if !super::leads(reader, case) {
        faults.add("outcome", page.t("case-fault-close-who"));
    }
    if chosen.is_none() {
        faults.add("outcome", page.t("case-fault-outcome-choose"));
    } else if !gate.ready {
        let open = gate.open().flat_map(|l| &l.sentences);
        let why: Vec<String> = open.map(|s| say::sentence(page.lang, s)).collect();
        let headline = say::sentence(page.lang, &gate.headline());
        faults.add("outcome", format!("{headline} {}", why.join(" ")));
    }
    let mut duplicate_of = None;
    if outcome == Outcome::DuplicateOf {
        match duplicate(conn, reader, case, &wish.duplicate_of).await? {
            Ok(id) => duplicate_of = Some(id),
            Err(key) => faults.add("duplicate_of", page.t(key)),
        }
    }
    if crate::web::form::visible(&wish.note) < NOTE_LEAST {
        faults.add("note", page.t1("case-fault-note", "least", NOTE_LEAST));
    }
    Ok(Judged {
        outcome,
        duplicate_of,
        gate,
        faults,
    })
}

/// The case that `case` is a duplicate of: one that the closer may see, and that is not itself, by
/// whatever way round, a duplicate of this one. One they may not see is said to be none.
async fn duplicate(
    conn: &mut PgConnection,
    reader: &Reader,
    case: &CaseFile,
    label: &str,
) -> Result<std::result::Result<Uuid, &'static str>> {
    const NONE: &str = "case-fault-duplicate-none";
    let number = match number_of(label.trim()) {
        Ok(number) => number,
        Err(Error::NotFound) => return Ok(Err(NONE)),
        Err(other) => return Err(other),
    };
    let other = match cases::id_known(conn, number, reader.id).await {
        Ok(id) => id,
        Err(store::Error::NotFound) => return Ok(Err(NONE)),
        Err(error) => return Err(error.into()),
    };
    if standing::makes_circle(conn, case.id, other).await? {
        return Ok(Err("case-fault-duplicate-circle"));
    }
    Ok(Ok(other))
}
