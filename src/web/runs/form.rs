//! The form that states what a run measured, shared by the new run and its correction.

use crate::ladder::CaseFile;
use crate::ladder::environment::{self, Environment};
use crate::ladder::run::{Phase, Profiled, RunRole, Statement};
use crate::web::conflict::Part;
use crate::web::form::Faults;
use crate::web::{page::Page, say};
use chrono::{DateTime, Datelike as _, NaiveDateTime, Utc};
use serde::Deserialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What was typed, kept as typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    /// Role id.
    pub role: String,
    /// Phase id.
    pub phase: String,
    /// Profiled id.
    pub profiled: String,
    /// Contract version id, or empty.
    pub contract: String,
    /// Task class, or empty for all together.
    pub class: String,
    /// Concurrency band, or empty.
    pub band: String,
    /// Start, `2026-11-30T15:40` in UTC.
    pub start: String,
    /// End, likewise.
    pub end: String,
    /// Environment, one `key = value` a line.
    pub environment: String,
    /// Free words.
    pub note: String,
    /// Why it is corrected.
    pub reason: String,
    /// The statement that was read before correcting.
    pub statement: i32,
    /// What to do next: `upload` or nothing.
    pub then: String,
}

/// Format of `datetime-local` fields.
const MINUTE: &str = "%Y-%m-%dT%H:%M";

impl Typed {
    /// A statement as the form shows it.
    pub fn of(stated: &Statement, number: i32) -> Self {
        let minute = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M:%S").to_string();
        Self {
            role: stated.role.id().to_owned(),
            phase: stated.phase.id().to_owned(),
            profiled: stated.profiled.id().to_owned(),
            contract: stated
                .contract_version_id
                .map(|id| id.to_string())
                .unwrap_or_default(),
            class: stated.class.clone().unwrap_or_default(),
            band: stated.band.clone().unwrap_or_default(),
            start: stated.window.map(|w| minute(w.0)).unwrap_or_default(),
            end: stated.window.map(|w| minute(w.1)).unwrap_or_default(),
            environment: lines(&stated.environment),
            note: stated.note.clone(),
            statement: number,
            ..Self::default()
        }
    }

    /// A new run: what the case knows already is filled in (its contract, the environment of its
    /// last run); what the link asked for comes first.
    pub fn fresh(case: &CaseFile, asked: &Asked) -> Self {
        let last = case.runs.last();
        let contract = case.contract.as_ref();
        let only = |names: Vec<&String>| match names.as_slice() {
            [one] => (*one).clone(),
            _ => String::new(),
        };
        // What files of the last run said is stated for the next: it has none of its own yet.
        let environment = last.map_or_else(
            || lines(&empty_environment()),
            |r| {
                let mut known = environment::of_run(case, r).environment;
                known.facts.retain(|key, value| typeable(key, value));
                lines(&known)
            },
        );
        Self {
            role: asked.role.clone().unwrap_or_else(|| "baseline".to_owned()),
            phase: asked.phase.clone().unwrap_or_else(|| "warm".to_owned()),
            profiled: asked.profiled.clone().unwrap_or_else(|| "no".to_owned()),
            contract: contract.map(|c| c.id.to_string()).unwrap_or_default(),
            class: asked.class.clone().unwrap_or_else(|| {
                only(contract.map_or_else(Vec::new, |c| {
                    c.terms.classes.iter().map(|c| &c.name).collect()
                }))
            }),
            band: asked.band.clone().unwrap_or_else(|| {
                only(contract.map_or_else(Vec::new, |c| {
                    c.terms.bands.iter().map(|b| &b.name).collect()
                }))
            }),
            environment,
            ..Self::default()
        }
    }

    /// The parts of a correction, for the page of two editors.
    pub fn parts(&self, case: &CaseFile, page: &Page) -> Vec<Part> {
        let word = |prefix: &str, id: &str| page.t(&say::key(prefix, id));
        let known = |id: &str| {
            let pinned = case.contract.as_ref().filter(|c| c.id.to_string() == id);
            pinned.map(|c| format!("{} v{}", c.contract_name, c.number))
        };
        let contract = match self.contract.as_str() {
            "" => page.t("run-contract-none"),
            id => known(id).unwrap_or_else(|| id.to_owned()),
        };
        let lines = self
            .environment
            .lines()
            .filter(|l| !l.trim_end().ends_with('='));
        let environment: Vec<&str> = lines.map(str::trim).collect();
        let (role, phase) = (word("role-run", &self.role), word("phase", &self.phase));
        vec![
            Part::choice("role", page.t("run-role"), &self.role, role),
            Part::choice("phase", page.t("run-phase"), &self.phase, phase),
            Part::choice(
                "profiled",
                page.t("run-profiled"),
                &self.profiled,
                word("profiled", &self.profiled),
            ),
            Part::choice("contract", page.t("run-contract"), &self.contract, contract),
            Part::text("class", page.t("run-class"), &self.class, 1),
            Part::text("band", page.t("run-band"), &self.band, 1),
            Part::text("start", page.t("run-start"), &self.start, 1),
            Part::text("end", page.t("run-end"), &self.end, 1),
            Part::text(
                "environment",
                page.t("run-environment"),
                &environment.join("\n"),
                13,
            ),
            Part::text("note", page.t("run-note"), &self.note, 2),
        ]
    }

    /// Parses what was typed. Faults name the field.
    pub fn parse(&self, case: &CaseFile, page: &Page, correcting: bool) -> (Statement, Faults) {
        let mut faults = Faults::default();
        let role = RunRole::from_id(&self.role).unwrap_or_else(|| {
            faults.add("role", page.t("run-fault-choice"));
            RunRole::Unknown
        });
        let phase = Phase::from_id(&self.phase).unwrap_or_else(|| {
            faults.add("phase", page.t("run-fault-choice"));
            Phase::Unknown
        });
        let profiled = Profiled::from_id(&self.profiled).unwrap_or_else(|| {
            faults.add("profiled", page.t("run-fault-choice"));
            Profiled::Unknown
        });
        let contract_version_id = self.contract(case, page, &mut faults);
        let window = self.window(page, &mut faults);
        let environment = self.environment(page, &mut faults);
        if correcting && crate::web::form::visible(&self.reason) < 5 {
            faults.add("reason", page.t("run-fault-reason"));
        }
        for (field, typed) in [("class", &self.class), ("band", &self.band)] {
            if typed.chars().count() > 80 || typed.chars().any(char::is_control) {
                faults.add(field, page.t("run-fault-choice"));
            }
        }
        if self.note.chars().count() > 2000 {
            faults.add("note", page.t("run-fault-note"));
        }
        let stated = Statement {
            role,
            phase,
            profiled,
            contract_version_id,
            environment,
            class: some(&self.class),
            band: some(&self.band),
            window,
            note: self.note.trim().to_owned(),
        };
        (stated, faults)
    }

    fn contract(&self, case: &CaseFile, page: &Page, faults: &mut Faults) -> Option<Uuid> {
        let typed = self.contract.trim();
        if typed.is_empty() {
            return None;
        }
        let id = typed.parse().ok();
        let known = |id: Uuid| {
            case.contract.as_ref().is_some_and(|c| c.id == id)
                || case
                    .runs
                    .iter()
                    .any(|r| r.stated.contract_version_id == Some(id))
        };
        if !id.is_some_and(known) {
            faults.add("contract", page.t("run-fault-contract"));
            return None;
        }
        id
    }

    fn window(&self, page: &Page, faults: &mut Faults) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
        match (self.start.trim(), self.end.trim()) {
            ("", "") => None,
            (start, end) => match (instant(start), instant(end)) {
                (None, _) => {
                    faults.add("start", page.t("run-fault-time"));
                    None
                }
                (_, None) => {
                    faults.add("end", page.t("run-fault-time"));
                    None
                }
                (Some(a), Some(b)) if a >= b => {
                    faults.add("end", page.t("run-fault-order"));
                    None
                }
                (Some(_), Some(b)) if b > page.now + chrono::TimeDelta::minutes(5) => {
                    faults.add("end", page.t("run-fault-future"));
                    None
                }
                (Some(a), Some(b)) => Some((a, b)),
            },
        }
    }

    fn environment(&self, page: &Page, faults: &mut Faults) -> Environment {
        let mut facts = BTreeMap::new();
        for (i, line) in self.environment.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let Some((key, value)) = line.split_once('=') else {
                faults.add(
                    "environment",
                    page.t1("run-fault-environment", "line", i + 1),
                );
                continue;
            };
            let (key, value) = (key.trim(), value.trim());
            if !typeable(key, value) {
                faults.add(
                    "environment",
                    page.t1("run-fault-environment", "line", i + 1),
                );
                continue;
            }
            // A key left open is not stated; it must not count as the empty value.
            if !value.is_empty() && facts.insert(key.to_owned(), value.to_owned()).is_some() {
                faults.add(
                    "environment",
                    page.t1("run-fault-environment-twice", "key", key),
                );
            }
        }
        Environment { facts }
    }
}

/// Whether a fact can stand on a line of the form.
fn typeable(key: &str, value: &str) -> bool {
    let plain = key
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-[]/:".contains(c));
    !key.is_empty() && key.len() <= 120 && plain && value.len() <= 700
}

/// What a link to the form may ask for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// Role id.
    pub role: Option<String>,
    /// Phase id.
    pub phase: Option<String>,
    /// Profiled id.
    pub profiled: Option<String>,
    /// Task class.
    pub class: Option<String>,
    /// Band.
    pub band: Option<String>,
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn instant(text: &str) -> Option<DateTime<Utc>> {
    [
        "%Y-%m-%dT%H:%M:%S",
        MINUTE,
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%d %H:%M",
    ]
    .iter()
    .find_map(|f| NaiveDateTime::parse_from_str(text, f).ok())
    .map(|t| t.and_utc())
    .filter(|t| (1970..=9999).contains(&t.year()))
}

/// The asked-for keys first, each on a line of its own even when it is open, then the others.
fn lines(environment: &Environment) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: &str| {
        out.push_str(key);
        out.push_str(" = ");
        out.push_str(value);
        out.push('\n');
    };
    for key in environment::KEYS {
        line(key, environment.facts.get(*key).map_or("", String::as_str));
    }
    for (key, value) in &environment.facts {
        if !environment::KEYS.contains(&key.as_str()) {
            line(key, value);
        }
    }
    out
}

fn empty_environment() -> Environment {
    Environment::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_environment_line_states_nothing() {
        let shown = lines(&Environment::default());
        assert_eq!(shown.lines().count(), environment::KEYS.len());
        assert!(shown.lines().all(|l| l.ends_with(" = ")));
    }

    #[test]
    fn times_are_read_with_and_without_seconds() {
        assert!(instant("2026-11-30T15:40").is_some());
        assert!(instant("2026-11-30T15:40:09").is_some());
        assert!(instant("30.11.2026").is_none());
    }
}
