//! `GET /evidence/{ev}`: the item with every signal, its figures, notes and custody.

use crate::{
    ladder::{
        CaseFile,
        evidence::{Evidence, EvidenceState},
        gate::{self, Gate, InputKind},
        policy::Act,
        run::Run,
    },
    store::{self, case_file, case_page, evidence as items, mappings, readings},
    web::{
        App, Error, Page, Reader, Result,
        case::{
            self,
            cards::{self, Card, Check},
            checks::{self, field_word},
            cut, gate_view,
            show::checks,
        },
        charts::figure::{self, FigureView},
        evidence::{
            attested::{self, AttestedRow},
            beside::{self, OpenRow, VersionRow},
            mapping,
            redact::{self, RepointRow},
            signals::{self, Grid, SignalRow},
            sweep,
        },
        format, knowing,
        page::{self, Nav},
        say,
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    response::Response,
};
use pel_evidence::{Figure, NoteLevel, Unit};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

/// One file of the item.
struct FileRow {
    number: usize,
    name: String,
    sha256: String,
    bytes: String,
}

/// A note of the reader.
struct NoteRow {
    shape: &'static str,
    tone: &'static str,
    words: String,
}

/// A gate line that rests on the item.
struct UseRow {
    name: String,
    words: String,
    shape: &'static str,
    tone: &'static str,
    status: String,
}

#[derive(Template)]
#[template(path = "evidence/show.html")]
struct Show {
    page: Page,
    label: String,
    path: String,
    case_label: String,
    case_path: String,
    stage: Option<(u8, String)>,
    card: Card,
    run_words: String,
    run_path: String,
    class: String,
    files: Vec<FileRow>,
    window: Option<String>,
    /// Where the window's length comes from.
    window_from: String,
    facts: Vec<(String, String)>,
    added_at: chrono::DateTime<chrono::Utc>,
    figures: Vec<FigureView>,
    grid: Option<Grid>,
    signals: Vec<SignalRow>,
    signal_count: usize,
    checks: Vec<Check>,
    notes: Vec<NoteRow>,
    uses: Vec<UseRow>,
    cage: Vec<(&'static str, &'static str, String)>,
    reading: bool,
    can_withdraw: bool,
    can_set_aside: bool,
    can_reread: bool,
    has_reading: bool,
    /// Whether a person may say what its columns mean, for the first time or anew.
    can_map: bool,
    /// The words over an earlier reading than the newest.
    old: Option<String>,
    /// What the numbers of a purged item still carry.
    purged: Option<String>,
    /// What it is a copy of and which copies it has, in words with the label they lead to.
    redaction: Vec<(String, String)>,
    repoint: Vec<RepointRow>,
    can_repoint: bool,
    can_redact: bool,
    readings: Vec<VersionRow>,
    attested: Vec<AttestedRow>,
    is_source: bool,
    open: Vec<OpenRow>,
    twins: Vec<String>,
}

/// What the address may ask for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// Another reading than the newest.
    #[serde(default)]
    reading: Option<Uuid>,
}

/// The number in a label; only the exact label of an item will do.
///
/// # Errors
/// Not found.
pub fn number_of(label: &str) -> Result<i64> {
    let number: i64 = label
        .strip_prefix("EV-")
        .and_then(|digits| digits.parse().ok())
        .ok_or(Error::NotFound)?;
    if format!("EV-{number}") == label && number > 0 {
        Ok(number)
    } else {
        Err(Error::NotFound)
    }
}

/// `GET /evidence/{ev}`.
///
/// # Errors
/// Not found; forbidden without a role that reads.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let (id, case_id) = items::by_number(&mut conn, number_of(&label)?).await?;
    let case = case_file::load(&mut conn, case_id).await?;
    let case = knowing::read(&mut conn, &reader, case).await?;
    let around = case_page::beside(&mut conn, case_id).await?;
    let (figures, cage) = match items::figures(&mut conn, id, asked.reading).await {
        Ok(found) => found,
        Err(store::Error::NotFound) if asked.reading.is_none() => (Vec::new(), Value::Null),
        Err(other) => return Err(other.into()),
    };
    let readings = readings::versions(&mut conn, id).await?;
    let twins = items::twins(&mut conn, id).await?;
    let mut item = case.item(id).ok_or(Error::NotFound)?.clone();
    let old = match asked.reading {
        Some(other) if item.extraction.as_ref().is_none_or(|x| x.id != other) => {
            item.extraction = Some(readings::version(&mut conn, id, other).await?);
            readings.iter().find(|v| v.id == other).map(|v| {
                let at = format::date_time(page.lang, v.at);
                page.t2("reading-old", "parser", &v.parser, "at", at)
            })
        }
        _ => None,
    };
    let asked_before = mappings::asked(&mut conn, id).await?.is_some();
    let item = &item;
    let run = case.run(item.run_id).ok_or(Error::NotFound)?;
    let page = page.at(Nav::Cases);
    let target = gate_view::target_now(&case);
    let gate = gate::judge(&case, &case.policy, target, &checks(&around), page.now);
    let stage = cards::home(&case, item);
    let card = Card::of(&page, &case, item, stage, &around, Some(&gate));
    let out = cards::is_out(item) || item.state == EvidenceState::Rejected;
    let found = item.extraction.as_ref().map_or(&[][..], |x| &x.signals);
    let (grid, signals) = signals::tables(&page, found);
    let template = Show {
        label: item.label(),
        path: format!("/evidence/{}", item.label()),
        case_label: case.label(),
        case_path: case::path(&case),
        stage: stage.map(|s| (s.number(), case::stage_name(&page, s))),
        run_words: case::run_words(&page, run),
        run_path: format!("{}/runs/{}", case::path(&case), run.label()),
        class: run
            .stated
            .class
            .clone()
            .unwrap_or_else(|| page.t("case-all-classes")),
        files: files(&page, item),
        window: claimed(&page, item),
        window_from: page.t(window_from(item)),
        facts: environment(&page, item),
        added_at: item.added_at,
        figures: drawn(&page, &case, item, run, &figures),
        signal_count: found.len(),
        grid,
        signals,
        checks: checks::checks(&page, &case, item, run, &around),
        notes: notes(&page, item),
        uses: uses(&page, &case, &gate, item),
        cage: caged(&page, &cage),
        reading: case::stages::is_reading(item),
        can_withdraw: !out && case::open_to(&page, &case, Act::WithdrawEvidence),
        can_set_aside: !out && case::open_to(&page, &case, Act::SetAsideEvidence),
        can_reread: !out && !item.attested && case::open_to(&page, &case, Act::AttachEvidence),
        has_reading: item.extraction.is_some(),
        can_map: mapping::offered(item)
            && asked_before
            && case::open_to(&page, &case, Act::AttachEvidence),
        readings: beside::versions(
            &page,
            &format!("/evidence/{}", item.label()),
            &readings,
            asked.reading,
        ),
        old,
        purged: (item.state == EvidenceState::Purged).then(|| match &item.sealed {
            Some(sealed) if sealed.counts => {
                let digest = format::short_digest(&sealed.digest);
                page.t1("evidence-purged-counts", "digest", digest)
            }
            _ => page.t("evidence-purged-counts-not"),
        }),
        redaction: beside::redaction(&page, &case, item),
        repoint: redact::rows(&page, &case, item),
        can_repoint: item.redaction.is_some() && case::open_to(&page, &case, Act::Investigate),
        can_redact: !item.attested && case::open_to(&page, &case, Act::AttachEvidence),
        attested: attested::rows(&page, &case, |a| a.evidence_id == item.id),
        is_source: item.attested,
        open: beside::acceptable(&page, &case, item, run),
        twins: beside::twins(&page, &case, item, &twins),
        card,
        page,
    };
    page::show(&template)
}

/// The sweep against the contract's limits first, then what the reader drew.
fn drawn(
    page: &Page,
    case: &CaseFile,
    item: &Evidence,
    run: &Run,
    figures: &[Figure],
) -> Vec<FigureView> {
    let references = figure::references(page, case, run);
    let signals = item.extraction.as_ref().map_or(&[][..], |x| &x.signals);
    let mut drawn = sweep::figures(page, case, signals);
    drawn.extend(
        figures
            .iter()
            .enumerate()
            .map(|(i, f)| figure::view(page, f, i, &references)),
    );
    drawn
}

fn files(page: &Page, item: &Evidence) -> Vec<FileRow> {
    item.files
        .iter()
        .enumerate()
        .map(|(i, f)| FileRow {
            number: i + 1,
            name: cut(&f.name, 120),
            sha256: f.sha256.clone(),
            bytes: format::value(page.lang, f.bytes as f64, Unit::Bytes).to_string(),
        })
        .collect()
}

/// The window as the files claim it.
fn claimed(page: &Page, item: &Evidence) -> Option<String> {
    let w = item.extraction.as_ref()?.window.as_ref()?;
    match (w.start.zip(w.end), w.seconds) {
        (Some(ends), _) => Some(case::window(page, ends)),
        (None, Some(s)) => Some(page.t1(
            "evidence-window-length",
            "length",
            format::seconds(page.lang, s),
        )),
        (None, None) => None,
    }
}

/// The words for where the window comes from: the file, or what was stated for the run.
fn window_from(item: &Evidence) -> &'static str {
    let notes = item.extraction.iter().flat_map(|x| &x.notes);
    if notes
        .into_iter()
        .any(|n| n.code == "metrics-time-from-interval")
    {
        "evidence-window-stated"
    } else {
        "evidence-window-claim"
    }
}

fn environment(page: &Page, item: &Evidence) -> Vec<(String, String)> {
    item.extraction
        .iter()
        .flat_map(|x| &x.environment)
        .take(60)
        .map(|(k, v)| (field_word(page, k), cut(v, 120)))
        .collect()
}

fn notes(page: &Page, item: &Evidence) -> Vec<NoteRow> {
    let Some(x) = &item.extraction else {
        return Vec::new();
    };
    let mut notes: Vec<_> = x.notes.iter().collect();
    notes.sort_by_key(|n| std::cmp::Reverse(n.level));
    let said = notes.into_iter().map(|note| {
        let (shape, tone) = match note.level {
            NoteLevel::Info => ("na", "quiet"),
            NoteLevel::Warning => ("half", "warn"),
            NoteLevel::NotCaptured => ("unknown", "quiet"),
            NoteLevel::Invalid => ("contra", "bad"),
        };
        NoteRow {
            shape,
            tone,
            words: say::note(page.lang, note),
        }
    });
    let hints = x.hints.iter().map(|hint| NoteRow {
        shape: "na",
        tone: "quiet",
        words: say::hint(page.lang, hint),
    });
    said.chain(hints).collect()
}

fn uses(page: &Page, case: &CaseFile, gate: &Gate, item: &Evidence) -> Vec<UseRow> {
    let mut rows: Vec<UseRow> = gate
        .lines
        .iter()
        .filter_map(|l| {
            let used = l
                .inputs
                .iter()
                .find(|i| i.kind == InputKind::Evidence && i.id == item.id)?;
            let (shape, tone) = gate_view::mark(l.status);
            Some(UseRow {
                name: page.t(&l.requirement),
                words: used
                    .text
                    .as_ref()
                    .map(|s| say::sentence(page.lang, s))
                    .unwrap_or_default(),
                shape,
                tone,
                status: page.t(&say::key("gate-status", l.status.id())),
            })
        })
        .collect();
    for h in &case.hypotheses {
        for a in h.arguments.iter().filter(|a| a.evidence_id == item.id) {
            rows.push(UseRow {
                name: format!("H-{}", h.number),
                words: cut(&a.note, 200),
                shape: if a.supports { "holds" } else { "breaks" },
                tone: "quiet",
                status: page.t(if a.supports {
                    "case-argument-for"
                } else {
                    "case-argument-against"
                }),
            });
        }
    }
    rows
}

/// The measures the reader worked under: shape, tone, words. A measure that is not said to hold
/// counts as missing.
fn caged(page: &Page, cage: &Value) -> Vec<(&'static str, &'static str, String)> {
    let Some(report) = cage.as_object() else {
        return Vec::new();
    };
    ["limits", "landlock", "user", "seccomp"]
        .into_iter()
        .map(|measure| {
            let held = report.get(measure).and_then(Value::as_bool) == Some(true);
            let key = format!("cage-{measure}");
            if held {
                ("holds", "good", page.t(&key))
            } else {
                (
                    "missing",
                    "warn",
                    page.t1("cage-missing", "measure", page.t(&key)),
                )
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_label_is_an_item() {
        assert_eq!(number_of("EV-31").ok(), Some(31));
        for wrong in ["31", "EV-031", "EV--1", "EV-0", "ev-31", "EV-"] {
            assert!(number_of(wrong).is_err(), "{wrong}");
        }
    }
}
