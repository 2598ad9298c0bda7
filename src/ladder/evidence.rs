//! Evidence as the ladder sees it: an item of one or more files, where it stands, and the signals
//! read out of it.

use super::environment;
use super::run::{Phase, Profiled, Run, ids};
use chrono::{DateTime, Utc};
use pel_evidence::catalogue::Role;
use pel_evidence::{Hint, HintAbout, Kind, Note, NoteLevel, Signal, Stage, Window};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Where an item stands (lifecycle §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceState {
    /// Stored and waiting for a reader.
    Received,
    /// Being read.
    Parsing,
    /// Read; counts where its statements are complete and not contradicted.
    Usable,
    /// No parser accepted it, or it broke half-way.
    Unreadable,
    /// Refused at intake.
    Rejected,
    /// A reviewer says it does not show what it claims.
    SetAside,
    /// Taken back.
    Withdrawn,
    /// Bytes removed; the tombstone stays.
    Purged,
}

ids!(EvidenceState {
    Received => "received",
    Parsing => "parsing",
    Usable => "usable",
    Unreadable => "unreadable",
    Rejected => "rejected",
    SetAside => "set_aside",
    Withdrawn => "withdrawn",
    Purged => "purged",
});

/// One received file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceFile {
    /// Name its owner gave it; data, never a path.
    pub name: String,
    /// SHA-256 in hex, computed while receiving.
    pub sha256: String,
    /// Length in bytes.
    pub bytes: u64,
}

/// What one parser version read out of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// Id.
    pub id: Uuid,
    /// What the files are.
    pub kind: Kind,
    /// Tool and version, for people.
    pub tool: String,
    /// Parser version.
    pub parser: String,
    /// Window as the files claim it.
    pub window: Option<Window>,
    /// Facts about the environment read from the files.
    pub environment: std::collections::BTreeMap<String, String>,
    /// What the content says about statements.
    pub hints: Vec<Hint>,
    /// Signals.
    pub signals: Vec<Signal>,
    /// Notes.
    pub notes: Vec<Note>,
    /// Digest of the numbers of the earlier reading it agrees with, when it does.
    #[serde(default)]
    pub anchor: Option<String>,
    /// The observations behind signals that are stored beside it.
    #[serde(default)]
    pub held: Vec<Held>,
}

/// Observations of a signal as they are stored: what they are, not what they say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Signal.
    pub signal: String,
    /// What they are for, as with the signal.
    pub labels: std::collections::BTreeMap<String, String>,
    /// `values` or `histogram`.
    pub form: String,
    /// How many.
    pub n: u64,
    /// SHA-256 of form and numbers.
    pub digest: String,
}

impl Extraction {
    /// The stored observations of a signal whose labels fit.
    pub fn held(
        &self,
        signal: &str,
        fits: impl Fn(&std::collections::BTreeMap<String, String>) -> bool,
    ) -> Option<&Held> {
        self.held
            .iter()
            .find(|h| h.signal == signal && fits(&h.labels))
    }
}

/// The same bytes came first in another case: here they are only a link to that item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Number of the first item: `EV-3`.
    pub number: i64,
    /// Its case.
    pub case_id: Uuid,
    /// Number of its case: `PEL-0002`.
    pub case_number: i64,
}

impl Link {
    /// `EV-3`.
    pub fn label(&self) -> String {
        format!("EV-{}", self.number)
    }

    /// `PEL-0002`.
    pub fn case_label(&self) -> String {
        super::case::label(self.case_number)
    }
}

/// That an item is a copy of another without what must not be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redaction {
    /// The original.
    pub original_id: Uuid,
    /// What was taken out.
    pub removed: Vec<String>,
}

/// What was sealed of an item when its bytes went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Digest of the summary.
    pub digest: String,
    /// Whether its numbers still carry a decision: the bytes had their digest just before.
    pub counts: bool,
}

/// An evidence item with its state and its newest extraction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Id.
    pub id: Uuid,
    /// Number over all cases: `EV-31`.
    pub number: i64,
    /// The run it belongs to.
    pub run_id: Uuid,
    /// Files in the order given.
    pub files: Vec<EvidenceFile>,
    /// Where it stands.
    pub state: EvidenceState,
    /// Reason of the state, when it has one (person's words or a reader's refusal as JSON).
    pub state_reason: Option<String>,
    /// Since when.
    pub state_since: DateTime<Utc>,
    /// Who attached it.
    pub added_by: Uuid,
    /// When.
    pub added_at: DateTime<Utc>,
    /// What was read.
    pub extraction: Option<Extraction>,
    /// Where the same bytes came first, when that was in another case.
    #[serde(default)]
    pub link: Option<Link>,
    /// Whether it is the file an attested number was read from: kept, and never read by a parser.
    #[serde(default)]
    pub attested: bool,
    /// What was sealed of it when its bytes went.
    #[serde(default)]
    pub sealed: Option<Sealed>,
    /// What it is a redacted copy of.
    #[serde(default)]
    pub redaction: Option<Redaction>,
}

/// A statement that the content of a file contradicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contradiction {
    /// The statement: `phase`, `profiled`, `window`, or an environment key.
    pub field: String,
    /// What was stated.
    pub stated: String,
    /// What the file says.
    pub found: String,
    /// The hint's code, when a hint said so.
    pub code: Option<String>,
}

/// A contradiction that a reviewer accepted as it stands. It speaks of exactly this one: another
/// statement, or another finding, is another contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Id.
    pub id: Uuid,
    /// The item whose content contradicts.
    pub evidence_id: Uuid,
    /// What is contradicted.
    #[serde(flatten)]
    pub of: Contradiction,
    /// Why it is accepted.
    pub reason: String,
    /// The reviewer.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// Seconds a file's window may end after it was received before its clock is not believed.
const CLOCK_TOLERANCE_SECONDS: i64 = 300;

impl Evidence {
    /// `EV-31`.
    pub fn label(&self) -> String {
        format!("EV-{}", self.number)
    }

    /// Whether it may carry a judgement: it is usable, or its bytes went and its sealed summary
    /// stands for them.
    pub fn counts(&self) -> bool {
        self.state == EvidenceState::Usable || self.is_sealed()
    }

    /// Whether its bytes went and its sealed summary stands for them.
    pub fn is_sealed(&self) -> bool {
        self.state == EvidenceState::Purged && self.sealed.as_ref().is_some_and(|s| s.counts)
    }

    /// Signals that were extracted, if it counts. The numbers of a table are its mapper's word:
    /// they count as attested, and are not among them.
    pub fn signals(&self) -> &[Signal] {
        match &self.extraction {
            Some(x) if self.counts() && !x.kind.is_attested() => &x.signals,
            _ => &[],
        }
    }

    /// Whether a parser marked the numbers as not to be trusted.
    pub fn is_invalid(&self) -> bool {
        self.extraction
            .as_ref()
            .is_some_and(|x| x.notes.iter().any(|n| n.level == NoteLevel::Invalid))
    }

    /// The stages it speaks to: a signal that only gives context speaks to none.
    pub fn stages(&self) -> Vec<Stage> {
        let mut stages: Vec<Stage> = self
            .signals()
            .iter()
            .filter_map(|s| pel_evidence::catalogue::find(&s.name))
            .filter(|d| d.role != Role::Context)
            .map(|d| d.stage)
            .collect();
        stages.sort_unstable();
        stages.dedup();
        stages
    }

    /// Whether the file is a profiler's own: then its run counts as profiled, whatever is stated.
    pub fn is_profiler_export(&self) -> bool {
        self.extraction.as_ref().is_some_and(|x| {
            x.hints
                .iter()
                .any(|h| h.about == HintAbout::Profiled && h.says == "yes")
        })
    }

    /// Statements about `run` that this file contradicts (lifecycle §5).
    pub fn contradictions(&self, run: &Run) -> Vec<Contradiction> {
        let Some(x) = &self.extraction else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for hint in &x.hints {
            let stated = match hint.about {
                HintAbout::Profiled if run.stated.profiled != Profiled::Unknown => {
                    run.stated.profiled.id()
                }
                // A canary may well be cold-started; only warm and cold exclude each other.
                HintAbout::Phase if matches!(run.stated.phase, Phase::Cold | Phase::Warm) => {
                    run.stated.phase.id()
                }
                _ => continue,
            };
            if stated != hint.says {
                found.push(Contradiction {
                    field: match hint.about {
                        HintAbout::Profiled => "profiled".to_owned(),
                        HintAbout::Phase => "phase".to_owned(),
                    },
                    stated: stated.to_owned(),
                    found: hint.says.clone(),
                    code: Some(hint.code.clone()),
                });
            }
        }
        let environment = &run.stated.environment;
        let engine = environment.engine();
        for (key, value) in &x.environment {
            let key = environment::setting_key(key);
            if let Some(stated) = environment.get(&key)
                && !environment::same_value(engine, &key, stated, value)
            {
                found.push(Contradiction {
                    field: key.clone(),
                    stated: stated.to_owned(),
                    found: value.clone(),
                    code: None,
                });
            }
        }
        found.extend(self.window_contradiction(run));
        found
    }

    /// The stretch of time its content speaks for, when the file knows it.
    pub fn content_window(&self) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
        let window = self.extraction.as_ref()?.window.as_ref()?;
        window.start.zip(window.end)
    }

    fn window_contradiction(&self, run: &Run) -> Option<Contradiction> {
        let window = self.extraction.as_ref()?.window.as_ref()?;
        // One end alone still says when.
        let start = window.start.or(window.end)?;
        let end = window.end.or(window.start)?;
        let late = (end - self.added_at).num_seconds() > CLOCK_TOLERANCE_SECONDS;
        let outside = run.stated.window.is_some_and(|(a, b)| end < a || start > b);
        (late || outside).then(|| Contradiction {
            field: "window".to_owned(),
            stated: run.stated.window.map_or_else(String::new, |(a, b)| {
                format!("{} – {}", a.to_rfc3339(), b.to_rfc3339())
            }),
            found: format!("{} – {}", start.to_rfc3339(), end.to_rfc3339()),
            code: None,
        })
    }
}
