//! The `Reading`: everything one parser got out of the files of one run.
//!
//! It serialises to the JSON that `pel inspect --json` prints. Values are in base units (seconds,
//! bytes, ratio 0–1, counts, per second); what was not captured is absent and noted, never zero.

use crate::{Distribution, Figure, Kind, Unit, catalogue, refusal::Refusal, statistic::Statistic};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the JSON layout of [`Reading`].
pub const SCHEMA: &str = "pel.reading/1";

/// What a parser read out of the files of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Layout version, [`SCHEMA`].
    pub schema: String,
    /// What the files are.
    pub kind: Kind,
    /// Version of the parser that read them.
    pub parser: String,
    /// The tool that wrote them.
    pub tool: Tool,
    /// The files, in the order given.
    pub files: Vec<FileRead>,
    /// Time window as the files claim it.
    pub window: Option<Window>,
    /// Facts about where the run was taken, by fingerprint key (`gpu_model`, `engine_version`, …).
    pub environment: BTreeMap<String, String>,
    /// What the content says about statements people make (profiled? cold?).
    pub hints: Vec<Hint>,
    /// Signals, named by the catalogue.
    pub signals: Vec<Signal>,
    /// The observations behind signals, where the files have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<Distribution>,
    /// Tables and series for charts and close reading.
    pub figures: Vec<Figure>,
    /// What a reader must know before trusting the numbers.
    pub notes: Vec<Note>,
}

impl Reading {
    /// An empty reading of `kind`; `parser` is the version of the parser of that kind.
    pub fn new(kind: Kind, parser: &str, tool: Tool) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            kind,
            parser: parser.to_owned(),
            tool,
            files: Vec::new(),
            window: None,
            environment: BTreeMap::new(),
            hints: Vec::new(),
            signals: Vec::new(),
            distributions: Vec::new(),
            figures: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Records a signal if it was captured. The unit comes from the catalogue.
    pub fn push(&mut self, signal: Signal) {
        debug_assert!(
            catalogue::find(&signal.name).is_some(),
            "signal {} is not in the catalogue",
            signal.name
        );
        debug_assert!(
            catalogue::find(&signal.name).is_none_or(|d| d.kinds.contains(&self.kind)),
            "signal {} is not in the list of what {} yields",
            signal.name,
            self.kind.id()
        );
        if signal.value.is_finite() {
            self.signals.push(signal);
        }
    }

    /// Adds a note unless the very same one is there.
    pub fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The value of a signal without labels, if it was captured.
    pub fn value(&self, name: &str, statistic: Statistic) -> Option<f64> {
        self.signals
            .iter()
            .find(|s| s.name == name && s.statistic == statistic && s.labels.is_empty())
            .map(|s| s.value)
    }

    /// Refuses readings that say nothing: no signal and no figure.
    ///
    /// # Errors
    /// `no-signal` when nothing was read.
    pub fn or_empty(self, file: &str) -> Result<Self, Refusal> {
        if self.signals.is_empty() && self.figures.is_empty() {
            return Err(Refusal::new(file, "no-signal"));
        }
        Ok(self)
    }
}

/// The program that wrote a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its usual name, e.g. `vLLM`, `Nsight Systems`.
    pub name: String,
    /// Version as stated in the file.
    pub version: Option<String>,
    /// Version or generation of the format, e.g. an export schema `3.25.0`.
    pub format: Option<String>,
}

/// One file that took part in a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRead {
    /// Name as its owner gave it.
    pub name: String,
    /// Length in bytes as stored.
    pub bytes: u64,
}

/// A stretch of time claimed by a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Start, when the file knows wall-clock time.
    pub start: Option<DateTime<Utc>>,
    /// End, when the file knows wall-clock time.
    pub end: Option<DateTime<Utc>>,
    /// Length in seconds, when known.
    pub seconds: Option<f64>,
}

/// Which statement a [`Hint`] bears on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HintAbout {
    /// Whether a profiler was attached.
    Profiled,
    /// Cold, warm or canary.
    Phase,
}

/// Something the content says about a statement people make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// The statement it bears on.
    pub about: HintAbout,
    /// The value the content suggests: `yes`/`no` for profiled, `cold`/`warm` for phase.
    pub says: String,
    /// Message code of the reason (`hint-<code>` in the catalogues).
    pub code: String,
    /// Named arguments of the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
}

/// What stretch of time a value speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The window of the reading.
    Window,
    /// Everything since the observed process started: hides a recent incident.
    SinceStart,
    /// One instant.
    Instant,
}

/// How exact a value is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Read or summed exactly.
    Exact,
    /// Interpolated inside a histogram bucket with these edges (base unit).
    Bucket {
        /// Lower edge.
        low: f64,
        /// Upper edge.
        high: f64,
    },
    /// The true value is at least this (rank in the +Inf bucket, or a saturated load point).
    AtLeast,
    /// Derived by a formula that may be off by truncation, or from a lower bound of events.
    Estimate,
}

/// One named number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// Name from the catalogue.
    pub name: String,
    /// Which statistic of the signal.
    pub statistic: Statistic,
    /// Value in `unit`.
    pub value: f64,
    /// Base unit, as the catalogue gives it.
    pub unit: Unit,
    /// What the value is for: `engine`, `device`, `load`, …; empty = the whole run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Number of observations behind it, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Stretch of time it speaks for.
    pub scope: Scope,
    /// How exact it is.
    pub bound: Bound,
}

impl Signal {
    /// A value of a catalogued signal over the window, exact. The unit comes from the catalogue;
    /// an unknown name gets the unit `Count` and fails a debug assertion when pushed.
    pub fn new(name: &str, statistic: Statistic, value: f64) -> Self {
        Self {
            name: name.to_owned(),
            statistic,
            value,
            unit: catalogue::find(name).map_or(Unit::Count, |d| d.unit),
            labels: BTreeMap::new(),
            samples: None,
            scope: Scope::Window,
            bound: Bound::Exact,
        }
    }

    /// Says what the value is for.
    #[must_use]
    pub fn label(mut self, name: &str, value: impl ToString) -> Self {
        self.labels
            .insert(name.to_owned(), tame(&value.to_string()));
        self
    }

    /// States the number of observations behind the value.
    #[must_use]
    pub fn samples(mut self, n: u64) -> Self {
        self.samples = Some(n);
        self
    }

    /// States the stretch of time the value speaks for.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// States how exact the value is.
    #[must_use]
    pub fn bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }
}

/// How grave a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteLevel {
    /// Good to know.
    Info,
    /// Numbers hold with a restriction (partial, lower bound, reset).
    Warning,
    /// What was asked for is not in the file; never to be read as zero.
    NotCaptured,
    /// The evidence must not carry a judgement as it stands.
    Invalid,
}

/// A sentence about the reading: message `note-<code>` of the catalogues with named arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// How grave it is.
    pub level: NoteLevel,
    /// Stable kebab-case code.
    pub code: String,
    /// Named arguments.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
}

impl Note {
    /// A note with a code of the catalogues.
    pub fn new(level: NoteLevel, code: &str) -> Self {
        Self {
            level,
            code: code.to_owned(),
            args: BTreeMap::new(),
        }
    }

    /// Adds a named argument; text from files is tamed.
    #[must_use]
    pub fn arg(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), tame(&value.to_string()));
        self
    }
}

/// Makes text from outside safe to carry: no control characters, no direction overrides, at most
/// 200 characters. It is still data: the page escapes it.
pub fn tame(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(256));
    for (i, c) in text
        .chars()
        .filter(|c| !c.is_control() && !matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        .enumerate()
    {
        if i == 200 {
            out.push('…');
            break;
        }
        out.push(c);
    }
    out
}
