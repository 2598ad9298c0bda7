//! An index over a case, built once per judgement: for every run its usable items, what is wrong
//! with its statements, and the signals that speak for the whole run.
//!
//! Everything that judges asks here which evidence counts, so that no two rules can disagree
//! about it.

use super::attested::{self, Standing};
use super::case::CaseFile;
use super::contract;
use super::environment::Effective;
use super::evidence::{Acceptance, Contradiction, Evidence, EvidenceState};
use super::measure;
use super::place::OTHER_FILE;
use super::run::{Phase, Profiled, Run, RunRole};
use super::weigh::Calculated;
use super::{Arg, Sentence, Stage, drift, stage};
use pel_evidence::catalogue::{self, Role, SignalDef};
use pel_evidence::{Signal, Statistic};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use uuid::Uuid;

/// The definition of a signal with its place in the catalogue. The catalogue is a list; a gate
/// asks for thousands of names.
pub(super) fn definition(name: &str) -> Option<(usize, &'static SignalDef)> {
    static BY_NAME: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
        catalogue::ALL
            .iter()
            .enumerate()
            .map(|(i, d)| (d.name, i))
            .collect()
    });
    BY_NAME.get(name).map(|&i| (i, &catalogue::ALL[i]))
}

/// Label of a signal that is a load point of a sweep.
pub const LOAD: &str = "load";

/// One run with what counts of it.
#[derive(Debug)]
pub struct RunView<'a> {
    /// The run.
    pub run: &'a Run,
    /// Items that count: usable, whole, not marked invalid by their reader.
    pub usable: Vec<&'a Evidence>,
    /// Items still waiting for a reader.
    pub reading: Vec<&'a Evidence>,
    /// Items a reader marked as not to be trusted.
    pub invalid: Vec<&'a Evidence>,
    /// Items whose stored bytes no longer have their digest.
    pub corrupt: Vec<&'a Evidence>,
    /// Whether a profiler was attached, as stated or because one of its files is a profiler export.
    pub profiled: bool,
    /// Statements that the content of a file contradicts.
    pub contradictions: Vec<(&'a Evidence, Contradiction)>,
    /// Contradictions that a reviewer accepted as they stand.
    pub accepted: Vec<(&'a Evidence, &'a Acceptance)>,
    /// Attested numbers that nobody declined, with the countersignature that makes one count.
    pub attested: Vec<Standing<'a>>,
    /// Where it was taken: what was stated, and what its usable files say where nothing was.
    pub taken_in: Effective<'a>,
    whole: HashMap<&'a str, Vec<(&'a Evidence, &'a Signal)>>,
    /// Every value that speaks for the whole run, sorted: what makes two runs the same data. Every
    /// pair of runs is compared, so each is sorted once.
    series: Vec<(&'a str, Statistic, u64)>,
    /// SHA-256 of every file of its usable items.
    pub digests: HashSet<&'a str>,
    /// Usable items that have a signal of each stage which carries something: one that only
    /// gives context (how many engines there are) shows nothing of the stage.
    pub by_stage: [usize; 5],
}

/// The index.
#[derive(Debug)]
pub struct View<'a> {
    /// The case.
    pub case: &'a CaseFile,
    by_id: HashMap<Uuid, usize>,
    runs: Vec<RunView<'a>>,
    calculated: HashMap<&'a str, &'a Calculated>,
    disputes: OnceCell<Vec<(Stage, Sentence)>>,
}

impl<'a> View<'a> {
    /// An index over the whole case.
    pub fn new(case: &'a CaseFile) -> Self {
        Self::without(case, &HashSet::new())
    }

    /// An index in which the items `corrupt` (their stored bytes changed) do not count.
    pub fn without(case: &'a CaseFile, corrupt: &HashSet<Uuid>) -> Self {
        let mut runs: Vec<RunView<'a>> = case.runs.iter().map(RunView::empty).collect();
        let by_id: HashMap<Uuid, usize> = case
            .runs
            .iter()
            .enumerate()
            .map(|(i, r)| (r.id, i))
            .collect();
        for item in &case.evidence {
            if let Some(&i) = by_id.get(&item.run_id) {
                runs[i].take(item, corrupt.contains(&item.id), &case.acceptances);
            }
        }
        for standing in attested::standing(case) {
            if let Some(&i) = by_id.get(&standing.attested.run_id) {
                runs[i].attest(standing);
            }
        }
        for run in &mut runs {
            run.sort();
            run.settle();
        }
        Self {
            case,
            by_id,
            runs,
            calculated: case
                .calculated
                .iter()
                .map(|c| (c.basis.as_str(), c))
                .collect(),
            disputes: OnceCell::new(),
        }
    }

    /// What was calculated for a basis, if it was.
    pub fn calculated(&self, basis: &str) -> Option<&'a Calculated> {
        self.calculated.get(basis).copied()
    }

    /// What usable items disagree on, by stage; looked for once.
    pub fn disputes(&self) -> &[(Stage, Sentence)] {
        self.disputes.get_or_init(|| stage::find_disputes(self))
    }

    /// The run with this id.
    pub fn run(&self, id: Uuid) -> Option<&RunView<'a>> {
        self.by_id.get(&id).map(|&i| &self.runs[i])
    }

    /// All runs, oldest first.
    pub fn runs(&self) -> impl Iterator<Item = &RunView<'a>> {
        self.runs.iter()
    }

    /// The terms of the pinned contract.
    pub fn terms(&self) -> Option<&'a contract::Terms> {
        self.case.contract.as_ref().map(|v| &v.terms)
    }

    /// Runs of this role and phase under the pinned contract with at least one usable item.
    pub fn runs_for(&self, role: RunRole, phase: Phase) -> impl Iterator<Item = &RunView<'a>> {
        self.runs.iter().filter(move |r| {
            let s = &r.run.stated;
            s.role == role
                && s.phase == phase
                && self.case.under_contract(s.contract_version_id)
                && !r.usable.is_empty()
        })
    }

    /// What keeps a run out of a gate: unknown statements, contradicted statements, another
    /// contract, load outside the declared one. Empty = it may be judged.
    pub fn troubles(&self, run: &RunView<'a>) -> Vec<Sentence> {
        let mut found = run.unknown_statements();
        found.extend(run.contradiction_sentences());
        if let Some(version) = &self.case.contract {
            let s = &run.run.stated;
            if s.contract_version_id.is_some() && !self.case.under_contract(s.contract_version_id) {
                found.push(
                    Sentence::new("gate-run-other-contract")
                        .text("run", run.run.label())
                        .text("contract", contract_label(version)),
                );
            }
            found.extend(run.off_contract(&version.terms));
        } else {
            found.push(Sentence::new("gate-no-contract"));
        }
        found
    }
}

/// `chat v3`.
pub fn contract_label(version: &contract::Version) -> String {
    format!("{} v{}", version.contract_name, version.number)
}

impl<'a> RunView<'a> {
    fn empty(run: &'a Run) -> Self {
        Self {
            run,
            usable: Vec::new(),
            reading: Vec::new(),
            invalid: Vec::new(),
            corrupt: Vec::new(),
            profiled: run.stated.profiled == Profiled::Yes,
            contradictions: Vec::new(),
            accepted: Vec::new(),
            attested: Vec::new(),
            taken_in: Effective::default(),
            whole: HashMap::new(),
            series: Vec::new(),
            digests: HashSet::new(),
            by_stage: [0; 5],
        }
    }

    fn take(&mut self, item: &'a Evidence, corrupt: bool, accepted: &'a [Acceptance]) {
        match item.state {
            EvidenceState::Received | EvidenceState::Parsing => self.reading.push(item),
            _ if !item.counts() => {}
            _ if corrupt && !item.is_sealed() => self.corrupt.push(item),
            _ if item.is_invalid() => self.invalid.push(item),
            _ => self.count(item, accepted),
        }
    }

    /// An attested number stands while its file counts.
    fn attest(&mut self, standing: Standing<'a>) {
        if !self.usable.iter().any(|e| e.id == standing.item.id) {
            return;
        }
        if standing.countersigned.is_some()
            && let Some((_, def)) = definition(&standing.attested.signal.name)
            && def.role != Role::Context
        {
            self.by_stage[def.stage as usize] += 1;
        }
        self.attested.push(standing);
    }

    fn count(&mut self, item: &'a Evidence, accepted: &'a [Acceptance]) {
        self.usable.push(item);
        self.profiled |= item.is_profiler_export();
        self.digests
            .extend(item.files.iter().map(|f| f.sha256.as_str()));
        for found in item.contradictions(self.run) {
            let by = |a: &&Acceptance| a.evidence_id == item.id && a.of == found;
            match accepted.iter().rev().find(by) {
                Some(acceptance) => self.accepted.push((item, acceptance)),
                None => self.contradictions.push((item, found)),
            }
        }
        let mut stages = [false; 5];
        for signal in item.signals() {
            if let Some((_, def)) = definition(&signal.name)
                && def.role != Role::Context
            {
                stages[def.stage as usize] = true;
            }
            if signal.value.is_finite() && signal.labels.keys().all(|k| k == LOAD) {
                self.whole
                    .entry(signal.name.as_str())
                    .or_default()
                    .push((item, signal));
            }
        }
        for (count, has) in self.by_stage.iter_mut().zip(stages) {
            *count += usize::from(has);
        }
    }

    fn sort(&mut self) {
        for (name, found) in &self.whole {
            let bits = |(_, s): &(_, &Signal)| (*name, s.statistic, s.value.to_bits());
            self.series.extend(found.iter().map(bits));
        }
        self.series.sort_unstable();
    }

    /// Values of a signal that speak for the whole run or for a load point of it, finite ones only.
    pub fn values(
        &self,
        name: &str,
        statistic: Statistic,
    ) -> impl Iterator<Item = (&'a Evidence, &'a Signal)> {
        self.whole
            .get(name)
            .into_iter()
            .flatten()
            .copied()
            .filter(move |(_, s)| s.statistic == statistic)
    }

    /// Whether a statement about it is contradicted in a way that keeps it out of a gate. A
    /// profiler export under "not profiled" is not among them: the run then counts as profiled.
    fn blocking(&self) -> impl Iterator<Item = &(&'a Evidence, Contradiction)> {
        self.contradictions
            .iter()
            .filter(|(_, c)| !(c.field == "profiled" && c.found == "yes"))
    }

    /// The statements that are unknown, as one sentence naming them all.
    pub fn unknown_statements(&self) -> Vec<Sentence> {
        let s = &self.run.stated;
        let fields: Vec<Arg> = [
            (s.role == RunRole::Unknown, "statement-role"),
            (s.phase == Phase::Unknown, "statement-phase"),
            (s.profiled == Profiled::Unknown, "statement-profiled"),
            (s.contract_version_id.is_none(), "statement-contract"),
            (self.environment().is_unknown(), "statement-environment"),
            (s.window.is_none(), "statement-window"),
        ]
        .into_iter()
        .filter(|(unknown, _)| *unknown)
        .map(|(_, key)| Arg::Key(key.to_owned()))
        .collect();
        if fields.is_empty() {
            return Vec::new();
        }
        vec![
            Sentence::new("gate-statement-unknown")
                .text("run", self.run.label())
                .with("fields", Arg::List(fields)),
        ]
    }

    /// Contradictions that keep it out of a gate, said.
    pub fn contradiction_sentences(&self) -> Vec<Sentence> {
        self.blocking()
            .map(|(item, c)| contradiction_sentence(self.run, item, c))
            .collect()
    }

    /// All contradictions, said.
    pub fn all_contradictions(&self) -> Vec<Sentence> {
        self.contradictions
            .iter()
            .map(|(item, c)| contradiction_sentence(self.run, item, c))
            .collect()
    }

    /// What puts its load outside the one the contract was declared for.
    pub fn off_contract(&self, terms: &contract::Terms) -> Vec<Sentence> {
        drift::off_contract(self, terms)
    }

    /// Start of its stated window, or when it was stated.
    pub fn began(&self) -> chrono::DateTime<chrono::Utc> {
        self.run
            .stated
            .window
            .map_or(self.run.at, |(start, _)| start)
    }

    /// Whether both carry the same files, or the same numbers throughout.
    pub fn same_data(&self, other: &Self) -> bool {
        if self.digests.iter().any(|d| other.digests.contains(d)) {
            return true;
        }
        !self.series.is_empty() && self.series == other.series
    }

    /// Whether it may speak for `limit`'s class and band.
    pub fn serves(&self, terms: &contract::Terms, limit: &contract::Limit) -> bool {
        measure::serves(terms, self.run, limit)
            || self
                .attested
                .iter()
                .any(|s| s.attested.speaks_for(terms, self.run, limit))
    }
}

pub(super) fn field_arg(field: &str) -> Arg {
    match field {
        "phase" | "profiled" | "window" => Arg::Key(format!("statement-{field}")),
        other => Arg::Text(other.to_owned()),
    }
}

fn contradiction_sentence(run: &Run, item: &Evidence, c: &Contradiction) -> Sentence {
    let field = field_arg(&c.field);
    let other = c.code.as_deref() == Some(OTHER_FILE);
    let sentence = Sentence::new(if other {
        "environment-conflict"
    } else if c.code.is_some() {
        "gate-statement-contradicted-because"
    } else {
        "gate-statement-contradicted"
    })
    .text("run", run.label())
    .text("evidence", item.label())
    .with("field", field)
    .text("stated", &c.stated)
    .text("found", &c.found);
    let Some(code) = c.code.as_ref().filter(|_| !other) else {
        return sentence;
    };
    // The reason's own arguments travel with the sentence: what was seen, and when.
    let hint = item
        .extraction
        .iter()
        .flat_map(|x| &x.hints)
        .find(|h| h.code == *code);
    hint.into_iter().flat_map(|h| &h.args).fold(
        sentence.with("reason", Arg::Key(format!("hint-{code}"))),
        |s, (name, value)| s.text(name, value),
    )
}
