//! Evidence cards: what a file says first, where it comes from second, custody third.

use super::checks::{RefusalWords, checks, refusal};
use super::{cut, environment_word, phase_word, profiled_word, role_word, window};
use crate::{
    ladder::{
        CaseFile, Stage,
        evidence::{Evidence, EvidenceState},
        gate::{Gate, InputKind},
        run::{Profiled, Run},
    },
    store::case_page::Beside,
    web::{
        Page,
        format::{self, Shown},
        say,
    },
};
use pel_evidence::{Scope, Signal, Statistic, catalogue};

/// Signals shown on a card before the rest is folded.
const SHOWN: usize = 5;
/// Signals listed on the case page at all; the evidence page has every one.
const LISTED: usize = 40;

/// One number of a card.
pub struct Num {
    /// Signal and statistic.
    pub name: String,
    /// The value.
    pub value: Shown,
    /// What it is for, or how many samples stand behind it.
    pub note: String,
}

/// One line of what was checked.
pub struct Check {
    /// Shape of the mark.
    pub shape: &'static str,
    /// Tone of the mark.
    pub tone: &'static str,
    /// Words.
    pub text: String,
}

/// One card.
pub struct Card {
    /// `EV-31`.
    pub label: String,
    /// What kind of file it is; the file's name while nobody knows.
    pub kind: String,
    /// Shape, tone and word of its state.
    pub state: (&'static str, &'static str, String),
    /// How many open or held gate lines rest on it.
    pub used: usize,
    /// Role and phase.
    pub stated: String,
    /// Profiled or not, in words.
    pub profiled: String,
    /// Whether a profiler was attached, or nobody knows.
    pub profiled_matters: bool,
    /// Label of its run.
    pub run: String,
    /// Where the run was taken.
    pub environment: String,
    /// When.
    pub window: Option<String>,
    /// The numbers that matter.
    pub nums: Vec<Num>,
    /// The others.
    pub more: Vec<Num>,
    /// How many signals there are in all.
    pub total: usize,
    /// What was checked.
    pub checks: Vec<Check>,
    /// Why it could not be read, and what to do.
    pub refusal: Option<RefusalWords>,
    /// Digest of each file, shortened, with its length.
    pub files: Vec<(String, String)>,
    /// Name of its first file.
    pub file_name: String,
    /// Tool and parser.
    pub read_by: Option<String>,
    /// Who attached it.
    pub by: String,
    /// Who took it out of play, when, and why.
    pub taken_out: Option<TakenOut>,
}

/// Why an item does not count any more.
pub struct TakenOut {
    /// Who did it.
    pub by: String,
    /// When.
    pub at: chrono::DateTime<chrono::Utc>,
    /// Their words.
    pub reason: String,
}

/// Where the card of an item stands: the stage its kind of file is made for, or that of the number
/// attested out of it.
pub fn home(case: &CaseFile, item: &Evidence) -> Option<Stage> {
    let mapped = item
        .extraction
        .as_ref()
        .is_some_and(|x| x.kind.is_attested());
    if item.attested || (mapped && case.attested.iter().any(|a| a.is_said_by(item))) {
        let first = case.attested.iter().find(|a| a.is_said_by(item))?;
        return catalogue::find(&first.signal.name).map(|d| d.stage);
    }
    Some(item.extraction.as_ref()?.kind.format().home)
}

/// Whether somebody took the item out of play.
pub fn is_out(item: &Evidence) -> bool {
    matches!(
        item.state,
        EvidenceState::Withdrawn | EvidenceState::SetAside | EvidenceState::Purged
    )
}

/// Shape, tone and word of an item's state.
pub fn state(page: &Page, item: &Evidence) -> (&'static str, &'static str, String) {
    let (shape, tone) = match item.state {
        EvidenceState::Received | EvidenceState::Parsing => ("dots", "quiet"),
        EvidenceState::Usable if item.is_invalid() => ("contra", "bad"),
        EvidenceState::Usable => ("holds", "good"),
        EvidenceState::Unreadable => ("breaks", "bad"),
        EvidenceState::Rejected => ("breaks", "quiet"),
        EvidenceState::SetAside | EvidenceState::Withdrawn | EvidenceState::Purged => {
            ("na", "quiet")
        }
    };
    let word = page.t(&say::key("evidence-state", item.state.id()));
    (shape, tone, word)
}

impl Card {
    /// The card of an item; `stage` puts its own signals first.
    pub fn of(
        page: &Page,
        case: &CaseFile,
        item: &Evidence,
        stage: Option<Stage>,
        beside: &Beside,
        gate: Option<&Gate>,
    ) -> Self {
        let run = case.run(item.run_id);
        let signals = ranked(item, stage);
        let mut nums: Vec<Num> = signals.iter().take(LISTED).map(|s| num(page, s)).collect();
        let more = nums.split_off(nums.len().min(SHOWN));
        let file_name = item
            .files
            .first()
            .map_or_else(String::new, |f| cut(&f.name, 80));
        let kind = item.extraction.as_ref().map_or_else(
            || {
                if item.attested {
                    page.t("attested-kind")
                } else {
                    file_name.clone()
                }
            },
            |x| page.t(&say::key("kind", x.kind.id())),
        );
        Self {
            label: item.label(),
            kind,
            state: state(page, item),
            used: gate.map_or(0, |g| lines_on(g, item)),
            stated: run.map_or_else(String::new, |r| {
                format!(
                    "{} · {}",
                    role_word(page, r.stated.role),
                    phase_word(page, r.stated.phase)
                )
            }),
            profiled: run.map_or_else(String::new, |r| profiled_word(page, r.stated.profiled)),
            profiled_matters: run.is_none_or(|r| r.stated.profiled != Profiled::No),
            run: run.map(Run::label).unwrap_or_default(),
            environment: run.map_or_else(String::new, |r| {
                environment_word(page, &r.stated.environment)
            }),
            window: run.and_then(|r| r.stated.window).map(|w| window(page, w)),
            total: signals.len(),
            nums,
            more,
            checks: run.map_or_else(Vec::new, |r| checks(page, case, item, r, beside)),
            refusal: refusal(page, item),
            files: item
                .files
                .iter()
                .map(|f| {
                    let bytes = format::value(page.lang, f.bytes as f64, pel_evidence::Unit::Bytes);
                    (
                        format::short_digest(&f.sha256).to_owned(),
                        bytes.to_string(),
                    )
                })
                .collect(),
            file_name,
            read_by: item.extraction.as_ref().map(|x| {
                format!(
                    "{} · {}",
                    cut(&x.tool, 60),
                    page.t1("case-card-parser", "version", &x.parser)
                )
            }),
            by: case.name_of(item.added_by),
            taken_out: is_out(item).then(|| TakenOut {
                by: beside
                    .taken_out
                    .iter()
                    .find(|t| t.evidence_id == item.id)
                    .and_then(|t| t.by.clone())
                    .unwrap_or_else(|| page.t("case-timeline-app")),
                at: item.state_since,
                reason: match (item.state, item.state_reason.as_deref()) {
                    (EvidenceState::Purged, Some(why @ ("retention" | "erasure"))) => {
                        page.t(&format!("purge-reason-{why}"))
                    }
                    (_, why) => cut(why.unwrap_or_default(), 300),
                },
            }),
        }
    }
}

/// Signals that may be shown, the ones of `stage` and of the gravest role first.
fn ranked(item: &Evidence, stage: Option<Stage>) -> Vec<&Signal> {
    let Some(x) = &item.extraction else {
        return Vec::new();
    };
    let mut known: Vec<_> = x
        .signals
        .iter()
        .filter_map(|s| {
            let at = catalogue::position(&s.name)?;
            Some((rank(s, at, stage), s))
        })
        .collect();
    known.sort_by_key(|k| k.0);
    known.into_iter().map(|(_, s)| s).collect()
}

type Rank = (bool, bool, u8, bool, usize, u16);

fn rank(signal: &Signal, at: usize, stage: Option<Stage>) -> Rank {
    use catalogue::Role as R;
    let def = &catalogue::ALL[at];
    let role = match def.role {
        R::Latency | R::Layer => 0,
        R::Acceptance => 1,
        R::Errors => 2,
        R::Context => 3,
    };
    let tail = signal
        .statistic
        .quantile()
        .map_or(1001, |q| 1000 - (q * 1000.0) as u16);
    (
        stage.is_some_and(|s| def.stage != s),
        signal.scope == Scope::SinceStart,
        role,
        !signal.labels.is_empty(),
        at,
        tail,
    )
}

/// The name of a signal with its statistic, the way it stands over a number.
pub fn signal_words(page: &Page, signal: &Signal) -> String {
    named(page, &signal.name, signal.statistic)
}

/// A signal by its catalogued name, with its statistic where the name does not say it.
pub fn named(page: &Page, signal: &str, statistic: Statistic) -> String {
    say::listed(page.lang, signal, statistic)
}

/// What stands under a number: what it is for, since when, how exact, on how many samples.
pub fn signal_note(page: &Page, signal: &Signal) -> String {
    let mut parts = Vec::new();
    if !signal.labels.is_empty() {
        parts.push(cut(&say::labels(page.lang, &signal.labels), 80));
    }
    match signal.scope {
        Scope::SinceStart => parts.push(page.t("case-signal-since-start")),
        Scope::Instant => parts.push(page.t("case-signal-instant")),
        Scope::Window => {}
    }
    match signal.bound {
        pel_evidence::Bound::Exact => {}
        pel_evidence::Bound::Bucket { low, high } => parts.push(page.t2(
            "case-signal-bucket",
            "low",
            format::value(page.lang, low, signal.unit),
            "high",
            format::value(page.lang, high, signal.unit),
        )),
        pel_evidence::Bound::AtLeast => parts.push(page.t("case-signal-at-least")),
        pel_evidence::Bound::Estimate => parts.push(page.t("case-signal-estimate")),
    }
    if let Some(n) = signal.samples {
        parts.push(page.t1(
            "case-signal-samples",
            "n",
            page.count(i64::try_from(n).unwrap_or(i64::MAX)),
        ));
    }
    parts.join(" · ")
}

fn num(page: &Page, signal: &Signal) -> Num {
    let mut value = format::value(page.lang, signal.value, signal.unit);
    if signal.bound == pel_evidence::Bound::AtLeast {
        value.number.insert_str(0, ">\u{202f}");
    }
    Num {
        name: signal_words(page, signal),
        value,
        note: signal_note(page, signal),
    }
}

fn lines_on(gate: &Gate, item: &Evidence) -> usize {
    gate.lines
        .iter()
        .filter(|l| {
            l.inputs
                .iter()
                .any(|i| i.kind == InputKind::Evidence && i.id == item.id)
        })
        .count()
}
