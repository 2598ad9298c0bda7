//! The stages section: per stage its standing, its question, its signals against the contract,
//! its cards, and where to add evidence or declare that there is none to gather.

use super::{
    cards::{self, Card},
    ladder_view::{drawing, standing_word, tone},
    open_to, run_words, stage_name,
};
use crate::{
    ladder::{
        CaseFile, Stage,
        case::DeclarationKind,
        contract::{Limit, LimitPhase, Terms},
        evidence::{Evidence, EvidenceState},
        gate::Gate,
        measure::{self, Verdict},
        policy::Act,
        run::{Phase, Run, RunRole},
        stage::{Standing, StandingWord},
    },
    store::case_page::Beside,
    web::{
        Page,
        format::{self, Markup},
        say,
    },
};
use chrono::{DateTime, Utc};
use pel_evidence::{Scope, Signal, catalogue};

/// Rows of a stage's table.
const ROWS: usize = 8;
/// Cards of a stage before the older ones are only named.
const CARDS: usize = 20;

/// A stage as shown.
pub struct StageView {
    /// 1 to 5.
    pub number: u8,
    /// Name.
    pub name: String,
    /// The question it answers.
    pub question: String,
    /// Drawing of the rung.
    pub drawing: &'static str,
    /// Tone of the standing: `own`, `bad` or nothing.
    pub tone: &'static str,
    /// Standing in words.
    pub word: String,
    /// Usable files, in words; empty when there are none.
    pub files: String,
    /// Its signals against the contract.
    pub table: Option<Table>,
    /// Cards of items whose home it is.
    pub cards: Vec<Card>,
    /// Items named only, because there are too many.
    pub older: Vec<String>,
    /// Items that speak to it from another stage: label, kind.
    pub elsewhere: Vec<(String, String)>,
    /// Items out of play, in place.
    pub folded: Vec<Card>,
    /// What was declared: words, reason, who, when.
    pub declared: Option<Declared>,
    /// Whether evidence may be added by this reader.
    pub can_add: bool,
    /// Whether this reader may declare it.
    pub can_declare: bool,
}

/// A declaration in force.
pub struct Declared {
    /// Not applicable, or not examined.
    pub word: String,
    /// Why.
    pub reason: String,
    /// Who.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// The signals of one run at one stage.
pub struct Table {
    /// The run they are of.
    pub run: String,
    /// What it was taken under, in words.
    pub words: String,
    /// Rows.
    pub rows: Vec<Row>,
}

/// One signal against its limit.
pub struct Row {
    /// Signal.
    pub name: String,
    /// Statistic, and what it is for.
    pub statistic: String,
    /// Value with its unit.
    pub value: Markup,
    /// Limit with its sign.
    pub limit: Option<String>,
    /// Shape, tone, word of the verdict, and why when nothing can be told.
    pub verdict: Option<Said>,
    /// The item it was read from.
    pub from: String,
}

/// A verdict as shown.
pub struct Said {
    /// Shape.
    pub shape: &'static str,
    /// Tone.
    pub tone: &'static str,
    /// Word.
    pub word: String,
    /// Reason, when nothing can be told.
    pub why: Option<String>,
}

/// The shape, tone and word of a verdict.
pub fn verdict(page: &Page, verdict: &Verdict) -> Said {
    let (shape, tone) = match verdict {
        Verdict::Holds => ("holds", "good"),
        Verdict::Breaks => ("breaks", "bad"),
        Verdict::CannotTell(_) => ("unknown", "quiet"),
    };
    Said {
        shape,
        tone,
        word: page.t(&say::key("verdict", verdict.id())),
        why: verdict.reason().map(|s| say::sentence(page.lang, s)),
    }
}

/// Every stage as shown.
pub fn views(
    page: &Page,
    case: &CaseFile,
    standings: &[(Stage, Standing)],
    beside: &Beside,
    gate: &Gate,
) -> Vec<StageView> {
    standings
        .iter()
        .map(|(stage, standing)| view(page, case, *stage, standing, beside, gate))
        .collect()
}

fn view(
    page: &Page,
    case: &CaseFile,
    stage: Stage,
    standing: &Standing,
    beside: &Beside,
    gate: &Gate,
) -> StageView {
    let at_home: Vec<&Evidence> = case
        .evidence
        .iter()
        .rev()
        .filter(|e| cards::home(case, e) == Some(stage))
        .collect();
    let card = |e: &&Evidence| Card::of(page, case, e, Some(stage), beside, Some(gate));
    let in_play = || at_home.iter().filter(|e| !cards::is_out(e));
    StageView {
        number: stage.number(),
        name: stage_name(page, stage),
        question: page.t(&format!("{}-question", say::key("stage", stage.id()))),
        drawing: drawing(standing.word),
        tone: tone(standing.word),
        word: standing_word(page, standing),
        files: match standing.usable {
            0 => String::new(),
            n => page.t1("case-files", "count", n),
        },
        table: table(page, case, stage),
        cards: in_play().take(CARDS).map(card).collect(),
        older: in_play().skip(CARDS).map(|e| e.label()).collect(),
        elsewhere: case
            .evidence
            .iter()
            .filter(|e| cards::home(case, e) != Some(stage) && e.stages().contains(&stage))
            .map(|e| {
                let kind = e.extraction.as_ref().map(|x| say::key("kind", x.kind.id()));
                (e.label(), kind.map(|k| page.t(&k)).unwrap_or_default())
            })
            .collect(),
        folded: at_home
            .iter()
            .filter(|e| cards::is_out(e))
            .map(card)
            .collect(),
        declared: matches!(
            standing.word,
            StandingWord::NotApplicable | StandingWord::NotExamined
        )
        .then(|| declared(page, case, stage))
        .flatten(),
        can_add: open_to(page, case, Act::AttachEvidence),
        can_declare: open_to(page, case, Act::Investigate)
            && (stage != Stage::RequestTrace)
            && matches!(
                standing.word,
                StandingWord::Empty
                    | StandingWord::Collecting
                    | StandingWord::NotApplicable
                    | StandingWord::NotExamined
            ),
    }
}

fn declared(page: &Page, case: &CaseFile, stage: Stage) -> Option<Declared> {
    let d = case.declaration(stage)?;
    Some(Declared {
        word: page.t(match d.kind {
            DeclarationKind::NotApplicable => "standing-not-applicable",
            _ => "standing-not-examined",
        }),
        reason: d.reason.clone(),
        by: case.name_of(d.by),
        at: d.at,
    })
}

/// Cards of items that no stage is home to: being read, unreadable, refused.
pub fn homeless(page: &Page, case: &CaseFile, beside: &Beside, gate: &Gate) -> Vec<Card> {
    case.evidence
        .iter()
        .rev()
        .filter(|e| cards::home(case, e).is_none())
        .map(|e| Card::of(page, case, e, None, beside, Some(gate)))
        .collect()
}

/// The signals of the newest run that speaks to a stage, a baseline before a candidate.
fn table(page: &Page, case: &CaseFile, stage: Stage) -> Option<Table> {
    let speaks = |run: &&Run| {
        case.usable_of(run.id)
            .any(|e| !e.is_invalid() && e.stages().contains(&stage))
    };
    let run = case.runs.iter().filter(speaks).max_by_key(|r| {
        let warm = r.stated.phase == Phase::Warm;
        (r.stated.role == RunRole::Baseline, warm, r.number)
    })?;
    let mut found: Vec<_> = case
        .usable_of(run.id)
        .filter(|e| !e.is_invalid())
        .flat_map(|e| e.signals().iter().map(move |s| (e, s)))
        .filter_map(|(e, s)| Some((rank(case, run, stage, s)?, e, s)))
        .collect();
    found.sort_by_key(|f| f.0);
    let rows = found
        .into_iter()
        .take(ROWS)
        .map(|(_, e, s)| row(page, case, run, e, s))
        .collect();
    Some(Table {
        run: run.label(),
        words: match &run.stated.class {
            Some(class) => format!("{} · {}", run_words(page, run), super::cut(class, 80)),
            None => run_words(page, run),
        },
        rows,
    })
}

type Rank = (bool, bool, u8, usize, u16);

/// What a limit speaks of comes first, then by role; `None` for what belongs elsewhere.
fn rank(case: &CaseFile, run: &Run, stage: Stage, signal: &Signal) -> Option<Rank> {
    let at = catalogue::position(&signal.name)?;
    let def = &catalogue::ALL[at];
    if def.stage != stage || !signal.value.is_finite() || signal.scope == Scope::SinceStart {
        return None;
    }
    let role = match def.role {
        catalogue::Role::Latency | catalogue::Role::Layer => 0,
        catalogue::Role::Acceptance => 1,
        catalogue::Role::Errors => 2,
        catalogue::Role::Context => 3,
    };
    let tail = signal
        .statistic
        .quantile()
        .map_or(1001, |q| 1000 - (q * 1000.0) as u16);
    let limited = limit_of(case, run, signal).is_some();
    Some((!limited, !signal.labels.is_empty(), role, at, tail))
}

fn row(page: &Page, case: &CaseFile, run: &Run, item: &Evidence, signal: &Signal) -> Row {
    let mut statistic = say::statistic(page.lang, signal.statistic);
    if !signal.labels.is_empty() {
        statistic = format!(
            "{statistic}, {}",
            super::cut(&say::labels(page.lang, &signal.labels), 60)
        );
    }
    let limit = limit_of(case, run, signal);
    Row {
        name: say::signal_name(page.lang, &signal.name),
        statistic,
        value: format::value(page.lang, signal.value, signal.unit).html(),
        limit: limit.map(|l| limit_words(page, l)),
        verdict: limit
            .filter(|_| signal.labels.is_empty())
            .map(|l| verdict(page, &measure::judgement(case, run, l).verdict)),
        from: item.label(),
    }
}

/// `≤ 800 ms`.
pub fn limit_words(page: &Page, limit: &Limit) -> String {
    format!(
        "{} {}",
        limit.comparator.sign(),
        format::value(page.lang, limit.value, limit.unit())
    )
}

/// The limit of the pinned contract that a signal of a run is held against.
fn limit_of<'a>(case: &'a CaseFile, run: &Run, signal: &Signal) -> Option<&'a Limit> {
    let terms: &Terms = &case.contract.as_ref()?.terms;
    let phase = if run.stated.phase == Phase::Cold {
        LimitPhase::Cold
    } else {
        LimitPhase::Warm
    };
    terms.limits.iter().find(|l| {
        l.signal == signal.name
            && l.statistic == signal.statistic
            && l.phase == phase
            && measure::serves(terms, run, l)
    })
}

/// Whether an item is still on its way.
pub fn is_reading(item: &Evidence) -> bool {
    matches!(item.state, EvidenceState::Received | EvidenceState::Parsing)
}
