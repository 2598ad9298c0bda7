//! The gate as shown: the verdict in words, a tally, open lines with the form that closes each or
//! who may do it, held lines folded, and the one next act.
//!
//! `parts/gate.html` draws it, folded on the case page and unfolded where somebody decides.

use super::{closing::closing, cut};
use crate::{
    ladder::{
        CaseFile, CaseState, Sentence,
        break_glass::Overridable,
        case::Outcome,
        change::{Change, ChangeState},
        gate::{Gate, Input, InputKind, Line, LineStatus, Target},
        policy::Act,
    },
    web::{Page, format, say},
};

/// The gates a reader can choose on the case page.
pub const CHOICES: [&str; 5] = ["submit", "approve", "canary", "accept", "close"];

/// A gate ready to be shown.
pub struct GateView {
    /// Page whose query chooses another gate.
    pub path: String,
    /// Choices: id, word, whether chosen.
    pub choices: Vec<(&'static str, String, bool)>,
    /// The verdict in words.
    pub verdict: String,
    /// Whether it is open.
    pub ready: bool,
    /// Open lines.
    pub open: Vec<LineView>,
    /// Lines that hold or are not asked for.
    pub held: Vec<LineView>,
    /// How many of those hold, and how many are not asked for.
    pub satisfied: (usize, usize),
    /// When it was judged.
    pub at: String,
    /// The primary act: address and words.
    pub next: Option<(String, String)>,
    /// A sentence about who decides, with an address and its words.
    pub decide: Option<(String, String)>,
    /// Address of roll back, while the candidate may take traffic.
    pub roll_back: Option<String>,
    /// Where a manager asks for an override, while lines are open.
    pub break_glass: Option<String>,
    /// How many lines are open.
    pub count: usize,
}

/// One line as shown.
pub struct LineView {
    /// Anchor.
    pub anchor: String,
    /// Name of the requirement.
    pub name: String,
    /// Shape.
    pub shape: &'static str,
    /// Tone.
    pub tone: &'static str,
    /// Status in words.
    pub status: String,
    /// What is missing or what carries it.
    pub sentences: Vec<String>,
    /// The form that closes it: address and words.
    pub act: Option<(String, String)>,
    /// Who may close it, when the reader may not.
    pub who: Option<String>,
    /// The rule in one sentence.
    pub rule: Option<String>,
    /// What was looked at: address, label, words.
    pub inputs: Vec<InputView>,
}

/// An input of a line.
pub struct InputView {
    /// Address, when there is a page.
    pub href: Option<String>,
    /// Label.
    pub label: String,
    /// What was read from it.
    pub text: String,
}

/// The gate that applies now.
pub fn target_now(case: &CaseFile) -> Target {
    use ChangeState as S;
    if case.state == CaseState::Closed {
        return Target::Close(case.outcome.unwrap_or(Outcome::NoChangeNeeded));
    }
    match case.live_change().map(|c| c.state) {
        None | Some(S::Draft | S::Withdrawn | S::Rejected) => Target::Submit,
        Some(S::Submitted) => Target::Approve,
        Some(S::ApprovedForCanary) => Target::StartCanary,
        Some(S::CanaryRunning | S::CanaryPaused | S::CanaryEnded | S::AwaitingPromotion) => {
            Target::Accept
        }
        Some(S::Accepted | S::Confirmed | S::RolledBack | S::Expired) => {
            Target::Close(likely_outcome(case))
        }
    }
}

/// The gate a query asks for, or the one that applies now.
pub fn target_of(case: &CaseFile, asked: Option<&str>) -> Target {
    match asked {
        Some("submit") => Target::Submit,
        Some("approve") => Target::Approve,
        Some("canary") => Target::StartCanary,
        Some("accept") => Target::Accept,
        Some("close") => Target::Close(likely_outcome(case)),
        _ => target_now(case),
    }
}

/// How the case would end as it stands.
pub fn likely_outcome(case: &CaseFile) -> Outcome {
    let any = |state| case.changes.iter().any(|c| c.state == state);
    if any(ChangeState::Confirmed) {
        Outcome::ChangeConfirmed
    } else if any(ChangeState::RolledBack) {
        Outcome::ChangeRolledBack
    } else {
        Outcome::NoChangeNeeded
    }
}

fn choice(target: Target) -> &'static str {
    match target {
        Target::Submit => "submit",
        Target::Approve => "approve",
        Target::StartCanary => "canary",
        Target::Accept => "accept",
        Target::Close(_) => "close",
    }
}

impl GateView {
    /// The gate of a case as this reader sees it.
    pub fn of(page: &Page, case: &CaseFile, gate: &Gate) -> Self {
        // An overridden line lets the gate open and is never shown among those that hold.
        let (held, open): (Vec<&Line>, Vec<&Line>) = gate
            .lines
            .iter()
            .partition(|l| l.status.is_satisfied() && l.status != LineStatus::Overridden);
        let view = |l: &&Line| LineView::of(page, case, l);
        let open: Vec<LineView> = open.iter().map(view).collect();
        let closed = case.state == CaseState::Closed;
        // Going back is always offered beside it, and never as the first thing to press.
        let first = open.iter().find_map(|l| {
            l.act
                .clone()
                .filter(|(url, _)| !url.ends_with("/roll-back"))
        });
        let change = case.live_change();
        Self {
            path: super::path(case),
            choices: CHOICES
                .into_iter()
                .map(|id| {
                    let word = page.t(&format!("case-gate-choice-{id}"));
                    (id, word, id == choice(gate.target))
                })
                .collect(),
            verdict: say::sentence(page.lang, &gate.headline()),
            ready: gate.ready,
            satisfied: gate.satisfied(),
            held: held.iter().map(view).collect(),
            at: format::date_time(page.lang, gate.at),
            next: if closed {
                None
            } else if gate.ready {
                deciding(page, case, gate.target)
            } else {
                first
            },
            decide: (!closed && !gate.ready)
                .then(|| deciding(page, case, gate.target))
                .flatten(),
            roll_back: change
                .filter(|c| c.state.can_roll_back())
                .filter(|_| page.can(Act::RollBack))
                .map(|c| format!("{}/roll-back", change_path(case, c))),
            break_glass: change
                .filter(|c| !closed && !gate.ready && !c.state.is_terminal())
                .filter(|_| page.can(Act::Override) && !matches!(gate.target, Target::Close(_)))
                .map(|c| {
                    format!(
                        "{}/override?gate={}",
                        change_path(case, c),
                        gate.target.id()
                    )
                }),
            count: gate.open().count(),
            open,
        }
    }

    /// How many lines are open.
    pub fn open_count(&self) -> usize {
        self.count
    }

    /// How many lines hold and how many are not asked for, in words.
    pub fn held_words(&self, page: &Page) -> String {
        let (holds, na) = self.satisfied;
        let key = match na {
            0 => "case-gate-held",
            _ => "case-gate-held-but",
        };
        page.text(
            key,
            &[
                ("count", &holds.to_string()),
                ("na", &na.to_string()),
                ("at", &self.at),
            ],
        )
    }
}

/// The deciding act itself. Its page repeats what is missing, so it is offered in any case.
fn deciding(page: &Page, case: &CaseFile, target: Target) -> Option<(String, String)> {
    let change = case.live_change();
    let at = |tail: &str| change.map(|c| format!("{}{tail}", change_path(case, c)));
    let (act, href, key) = match target {
        Target::Submit => (Act::Change, at(""), "case-act-open-submit"),
        Target::Approve => (Act::Review, at(""), "case-act-open-approve"),
        Target::StartCanary => (Act::Change, at("/canary/start"), "case-act-open-canary"),
        Target::Accept => (Act::Review, at("/accept"), "case-act-open-accept"),
        Target::Close(_) => (
            Act::Close,
            Some(format!("{}/close", super::path(case))),
            "case-act-open-close",
        ),
    };
    page.can(act).then(|| Some((href?, page.t(key)))).flatten()
}

impl LineView {
    fn of(page: &Page, case: &CaseFile, line: &Line) -> Self {
        let (shape, tone) = mark(line.status);
        let (act, who) = line
            .closes
            .as_ref()
            .map_or((None, None), |c| closing(page, case, c));
        let sentences: Vec<String> = line
            .sentences
            .iter()
            .map(|s: &Sentence| say::sentence(page.lang, s))
            .collect();
        // Some sentences name the people already.
        let who = who.filter(|w| !sentences.contains(w));
        let rule = line.requirement.replace("gate-line-", "case-rule-");
        Self {
            anchor: format!("g-{}", line.id.replace('_', "-")),
            name: page.t(&line.requirement),
            shape,
            tone,
            status: page.t(&say::key("gate-status", line.status.id())),
            sentences,
            act,
            who,
            rule: crate::i18n::has(page.lang, &rule).then(|| page.t(&rule)),
            inputs: line.inputs.iter().map(|i| input(page, case, i)).collect(),
        }
    }

    /// The sentences after the first, for the folded list's own fold.
    pub fn rest(&self) -> &[String] {
        self.sentences.get(1..).unwrap_or_default()
    }

    /// No sentence, where all are shown already.
    pub fn none(&self) -> &[String] {
        &[]
    }

    /// The first sentence, for the folded list.
    pub fn short(&self) -> &str {
        self.sentences.first().map_or("", String::as_str)
    }
}

/// Shape and tone of a status.
pub fn mark(status: LineStatus) -> (&'static str, &'static str) {
    match status {
        LineStatus::Holds => ("holds", "good"),
        LineStatus::Missing => ("missing", "warn"),
        LineStatus::NotSupported => ("half", "warn"),
        LineStatus::OutOfDate => ("stale", "stale"),
        LineStatus::Contradicted => ("contra", "bad"),
        LineStatus::NotApplicable => ("na", "quiet"),
        LineStatus::CannotTell | LineStatus::Error => ("unknown", "quiet"),
        LineStatus::Overridden => ("over", "warn"),
    }
}

fn input(page: &Page, case: &CaseFile, input: &Input) -> InputView {
    let base = super::path(case);
    let href = match input.kind {
        InputKind::Run => Some(format!("{base}/runs/{}", input.label)),
        InputKind::Evidence => Some(format!("/evidence/{}", input.label)),
        InputKind::Contract => Some(format!("{base}#contract")),
        InputKind::Change => Some(format!("{base}/changes/{}", input.label)),
        InputKind::Person => None,
        InputKind::Override => Some(format!("{base}/overrides/{}", input.id)),
    };
    InputView {
        href,
        label: match (input.kind, Overridable::from_id(&input.label)) {
            (InputKind::Override, Some(what)) => page.t(&what.key()),
            _ => cut(&input.label, 80),
        },
        text: input
            .text
            .as_ref()
            .map(|s| say::sentence(page.lang, s))
            .unwrap_or_default(),
    }
}

pub(super) fn change_path(case: &CaseFile, change: &Change) -> String {
    format!("{}/changes/{}", super::path(case), change.label())
}
