//! The case page and the small acts on a case, one file per part and per act.
//!
//! Every part is a view struct made of the snapshot, so that templates only place words. A person
//! reads, adds and decides here; what may happen is the ladder's business.

pub mod banners;
pub mod cards;
pub mod checks;
pub mod close;
pub mod closing;
pub mod comments;
pub mod contract;
pub mod ending;
pub mod gate_view;
pub mod header;
pub mod hypotheses;
pub mod ladder_view;
pub mod live_change;
pub mod notices;
pub mod owner;
pub mod problem;
pub mod sections;
pub mod show;
pub mod stage;
pub mod stages;
pub mod standing;
pub mod summary;
pub mod timeline;

use super::{Error, Page, Reader, Result, knowing, say};
use crate::{
    ladder::{
        CaseFile, CaseState, Stage, case,
        environment::Environment,
        policy::Act,
        run::{Phase, Profiled, Run, RunRole},
    },
    store::{case_file, cases},
};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// The number in a label; only the exact label of a case will do.
///
/// # Errors
/// Not found.
pub fn number_of(label: &str) -> Result<i64> {
    let number = label
        .strip_prefix("PEL-")
        .and_then(|digits| digits.parse().ok())
        .filter(|number: &i64| *number >= 0)
        .ok_or(Error::NotFound)?;
    if case::label(number) == label {
        Ok(number)
    } else {
        Err(Error::NotFound)
    }
}

/// Loads the case with this label.
///
/// # Errors
/// Not found, or not for this reader.
pub async fn load(conn: &mut PgConnection, reader: &Reader, label: &str) -> Result<CaseFile> {
    let case = case_file::load_numbered(conn, number_of(label)?).await?;
    knowing::read(conn, reader, case).await
}

/// Locks the case with this label for an act, and loads it as it then is. A closed case takes no
/// acts: its content is frozen.
///
/// # Errors
/// Not found, or a conflict when the case is closed.
pub async fn lock(conn: &mut PgConnection, reader: &Reader, label: &str) -> Result<CaseFile> {
    let id = cases::id_of(conn, number_of(label)?).await?;
    cases::lock(conn, id).await?;
    let case = knowing::known(reader, case_file::load(conn, id).await?)?;
    if case.state == CaseState::Closed {
        return Err(Error::Conflict);
    }
    Ok(case)
}

/// Address of a case.
pub fn path(case: &CaseFile) -> String {
    format!("/cases/{}", case.label())
}

/// Where a page below a case stands: the list, then the case.
pub fn crumbs(page: &Page, case: &CaseFile) -> Vec<(String, String)> {
    vec![
        (page.t("nav-cases"), "/cases".to_owned()),
        (case.label(), path(case)),
    ]
}

/// Whether the reader may do `act` on this case now.
pub fn open_to(page: &Page, case: &CaseFile, act: Act) -> bool {
    case.state != CaseState::Closed && page.can(act)
}

/// Whether the reader owns the case, or handles cases for everybody.
pub fn leads(reader: &Reader, case: &CaseFile) -> bool {
    case.owner == Some(reader.id) || reader.roles.contains(&crate::ladder::policy::Role::Manager)
}

/// The word for a stage.
pub fn stage_name(page: &Page, stage: Stage) -> String {
    page.t(&say::key("stage", stage.id()))
}

/// The word for a run's role.
pub fn role_word(page: &Page, role: RunRole) -> String {
    page.t(&say::key("role-run", role.id()))
}

/// The word for a phase.
pub fn phase_word(page: &Page, phase: Phase) -> String {
    page.t(&say::key("phase", phase.id()))
}

/// The word for whether a profiler was attached.
pub fn profiled_word(page: &Page, profiled: Profiled) -> String {
    page.t(&say::key("profiled", profiled.id()))
}

/// An environment by its short name, or the word for unknown.
pub fn environment_word(page: &Page, environment: &Environment) -> String {
    environment
        .short_name()
        .map_or_else(|| page.t("case-environment-unknown"), |name| cut(&name, 60))
}

/// Text of people or files, cut to `most` characters.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A stretch of time, the second date only when it is another day.
pub fn window(page: &Page, (from, to): (DateTime<Utc>, DateTime<Utc>)) -> String {
    let start = super::format::date_time(page.lang, from);
    if from.date_naive() == to.date_naive() {
        format!("{start}–{} UTC", to.format("%H:%M"))
    } else {
        format!("{start} – {} UTC", super::format::date_time(page.lang, to))
    }
}

/// What a run was taken under: role and phase always, as words.
pub fn run_words(page: &Page, run: &Run) -> String {
    format!(
        "{} · {} · {}",
        role_word(page, run.stated.role),
        phase_word(page, run.stated.phase),
        profiled_word(page, run.stated.profiled)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_label_is_a_case() {
        assert_eq!(number_of("PEL-0042").ok(), Some(42));
        assert_eq!(number_of("PEL-12345").ok(), Some(12345));
        for wrong in [
            "42",
            "PEL-42",
            "pel-0042",
            "PEL-00042",
            "PEL--042",
            "PEL-+042",
            "",
        ] {
            assert!(number_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(cut("éàü", 2), "éà…");
        assert_eq!(cut("éà", 2), "éà");
    }
}
