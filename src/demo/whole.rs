//! A story told to the end of its canary: what a case looks like when every rung was climbed.

use super::story::{Story, Told};
use super::terms::{self, ACCEPTED, TTFT};
use super::traffic::{CLASS, Side, Turn};
use crate::ladder::case::{DeclarationKind, Symptom};
use crate::ladder::condition::{Citation, Claim, Layer};
use crate::ladder::run::{Phase, RunRole};
use crate::ladder::stage;
use crate::store::case_file;
use crate::store::cases::{self, NewCase};
use anyhow::Context as _;
use chrono::TimeDelta;
use pel_evidence::{Stage, Statistic};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Why the last stage is declared not applicable.
const ONE_GPU: &str = "Every run of this case is one GPU on one node: no link, no collective and no second replica takes part.";

/// What tells one whole story from another.
pub(super) struct Plot {
    /// Minutes before the end of everything at which its canary ends.
    pub canary_ended: i64,
    pub service: (&'static str, &'static str),
    pub contract: &'static str,
    pub title: &'static str,
    pub problem: &'static str,
    pub explanation: &'static str,
    pub turn: Turn,
    /// First seed of its files.
    pub seed: u64,
}

/// The warm runs and the items that matter of a case in the middle.
pub(super) struct Measured {
    pub baseline: [Uuid; 2],
    pub scrapes: Uuid,
}

impl Story<'_> {
    /// Tells a plot until its change awaits promotion; gives the case.
    pub async fn to_promotion(&self, plot: &Plot) -> anyhow::Result<Uuid> {
        let end = plot.canary_ended;
        let (melo, nunes) = (&self.cast.responder, &self.cast.second);
        self.at(end + 2900);
        let (name, about) = plot.service;
        let (service, contract) = self.service(name, about, plot.contract).await?;
        let opened = self.at(end + 2800);
        let new = NewCase {
            title: plot.title.to_owned(),
            service_id: service,
            problem: plot.problem.to_owned(),
            symptom: symptom(1.7),
            first_seen: opened - TimeDelta::hours(7),
            classes: vec![CLASS.to_owned()],
            contract_version_id: Some(contract),
            own: true,
        };
        let case = self.open(melo, &new).await?;
        let told = Told {
            role: RunRole::Baseline,
            phase: Phase::Warm,
            side: Side::Before,
            turn: &plot.turn,
            contract,
            began: opened,
        };
        let found = self
            .measure(case, told, plot.seed, [end + 2700, end + 2600])
            .await?;
        self.at(end + 2570);
        self.one_gpu(case).await?;
        self.at(end + 2560);
        self.explain(case, plot.explanation, found.scrapes).await?;
        self.at(end + 2540);
        self.claim_three(case, &found).await?;
        self.at(end + 2500);
        let change = terms::change(name, &plot.turn, (nunes.id, &nunes.name));
        let change = self.draft(melo, case, &change).await?;
        self.candidate(case, told, plot.seed + 3, end + 2400)
            .await?;
        self.at(end + 2380);
        self.claim_way_back(case, change).await?;
        self.at(end + 2370);
        self.submit(melo, case).await?;
        self.at(end + 1500);
        self.approve(&self.cast.reviewer, case).await?;
        self.at(end + 210);
        self.present(nunes, case).await?;
        self.start_canary(melo, case).await?;
        let run = self
            .canary_arms(case, told, plot.seed + 4, end + 20)
            .await?;
        self.at(end);
        self.end_canary(melo, case, run, (0.08, 15_500)).await?;
        Ok(case)
    }

    /// Two warm baseline runs, the first with a sweep beside it, and a profiled one. They are
    /// attached at these minutes before the end of everything.
    pub async fn measure(
        &self,
        case: Uuid,
        told: Told<'_>,
        seed: u64,
        attached: [i64; 2],
    ) -> anyhow::Result<Measured> {
        let (melo, nunes) = (&self.cast.responder, &self.cast.second);
        let mut baseline = [Uuid::nil(); 2];
        let mut items = [Uuid::nil(); 2];
        for (i, minutes) in attached.into_iter().enumerate() {
            let began = self.at(minutes) - TimeDelta::minutes(20);
            let note = [
                "Busy hour, no profiler.",
                "The same load again, no profiler.",
            ][i];
            let told = Told { began, ..told };
            let seed = seed + i as u64;
            (baseline[i], items[i]) = self.scraped(melo, case, told, seed, note).await?;
        }
        self.swept(nunes, (case, baseline[0]), (told.turn, told.side), seed)
            .await?;
        let began = self.at(attached[1] - 5) - TimeDelta::minutes(4);
        self.traced(nunes, case, Told { began, ..told }, seed + 2)
            .await?;
        Ok(Measured {
            baseline,
            scrapes: items[0],
        })
    }

    /// A warm candidate run with a sweep beside it.
    pub async fn candidate(
        &self,
        case: Uuid,
        told: Told<'_>,
        seed: u64,
        attached: i64,
    ) -> anyhow::Result<Uuid> {
        let nunes = &self.cast.second;
        let told = Told {
            role: RunRole::Candidate,
            side: Side::After,
            began: self.at(attached) - TimeDelta::minutes(30),
            ..told
        };
        let note = "One idle replica with the new value, the recorded load replayed.";
        let (run, _) = self.scraped(nunes, case, told, seed, note).await?;
        self.swept(nunes, (case, run), (told.turn, told.side), seed)
            .await?;
        Ok(run)
    }

    /// Both arms of a canary over the same ten minutes; gives the candidate's run.
    async fn canary_arms(
        &self,
        case: Uuid,
        told: Told<'_>,
        seed: u64,
        attached: i64,
    ) -> anyhow::Result<Uuid> {
        let melo = &self.cast.responder;
        let told = Told {
            phase: Phase::Canary,
            began: self.at(attached) - TimeDelta::minutes(20),
            ..told
        };
        let beside = "Canary, the arm with the old value.";
        self.scraped(melo, case, told, seed, beside).await?;
        let told = Told {
            role: RunRole::Candidate,
            side: Side::After,
            ..told
        };
        let note = "Canary, the arm with the new value.";
        let (run, _) = self.scraped(melo, case, told, seed + 1, note).await?;
        Ok(run)
    }

    /// Declares that the last stage does not exist: every run of the examples is one GPU.
    pub async fn one_gpu(&self, case: Uuid) -> anyhow::Result<()> {
        let (stage, kind) = (Stage::DistributedCapacity, DeclarationKind::NotApplicable);
        let actor = self.cast.responder.actor();
        let mut tx = self.db.begin().await?;
        cases::lock(&mut tx, case).await?;
        let stands = case_file::load(&mut tx, case).await?;
        stage::may_declare(&stands, stage, kind, ONE_GPU)
            .map_err(|why| anyhow::anyhow!("the example may not declare stage 5: {why:?}"))?;
        let at = super::clock::now();
        crate::store::said::declare_stage(&mut tx, &actor, case, stage, kind, ONE_GPU, at).await?;
        Ok(tx.commit().await?)
    }

    async fn explain(&self, case: Uuid, text: &str, scrapes: Uuid) -> anyhow::Result<()> {
        let at = super::clock::now();
        let actor = self.cast.responder.actor();
        let mut tx = self.db.begin().await?;
        let stage = Stage::ServingSchedulerCache;
        let id = crate::store::said::propose(&mut tx, &actor, case, stage, text, at).await?;
        let note = "Requests wait to be scheduled; prefill itself is as it was.";
        crate::store::said::argue(&mut tx, &actor, case, id, scrapes, true, note, at).await?;
        Ok(tx.commit().await?)
    }

    /// Records that the bottleneck was reproduced, and what it costs.
    pub async fn claim_breach(&self, case: Uuid, found: &Measured) -> anyhow::Result<()> {
        let melo = &self.cast.responder;
        let reproduced = Claim::ReproducedBottleneck {
            limit_id: TTFT.to_owned(),
            runs: found.baseline.to_vec(),
        };
        self.record(melo, case, &reproduced).await?;
        let impact = Claim::AcceptanceImpactVisible {
            limit_id: ACCEPTED.to_owned(),
            runs: found.baseline.to_vec(),
            note: "Clients give up while they wait for the first token.".to_owned(),
        };
        self.record(melo, case, &impact).await?;
        Ok(())
    }

    async fn claim_three(&self, case: Uuid, found: &Measured) -> anyhow::Result<()> {
        self.claim_breach(case, found).await?;
        let cited = [
            ("queue_time", Statistic::Mean),
            ("waiting_requests", Statistic::Last),
        ];
        let mut citations = Vec::with_capacity(cited.len());
        for (signal, statistic) in cited {
            citations.push(self.cite(case, found.scrapes, signal, statistic).await?);
        }
        let others = [
            (
                1,
                "The requests are as the contract declares them; what is late is the admission.",
            ),
            (
                2,
                "The device waits for the host for about a tenth of the time, as before the symptom.",
            ),
            (
                3,
                "No kernel stands out, and the gap between tokens keeps its limit.",
            ),
            (5, "One GPU on one node: nothing is exchanged with anybody."),
        ];
        let claim = Claim::OwnerLayerIdentified {
            layer: Layer::Stage(Stage::ServingSchedulerCache),
            cited: citations,
            others: others.map(|(n, why)| (n, why.to_owned())).into(),
        };
        self.record(&self.cast.responder, case, &claim).await?;
        Ok(())
    }

    /// A citation of a whole-run signal with the value the reader read.
    async fn cite(
        &self,
        case: Uuid,
        item: Uuid,
        signal: &str,
        statistic: Statistic,
    ) -> anyhow::Result<Citation> {
        let stands = self.case(case).await?;
        let read = stands.item(item).context("the item is of this case")?;
        let value = read
            .signals()
            .iter()
            .find(|s| s.name == signal && s.statistic == statistic && s.labels.is_empty())
            .with_context(|| format!("{} has no {signal} {statistic}", read.label()))?
            .value;
        Ok(Citation {
            evidence_id: item,
            signal: signal.to_owned(),
            statistic,
            labels: BTreeMap::new(),
            value,
        })
    }

    async fn claim_way_back(&self, case: Uuid, change_id: Uuid) -> anyhow::Result<()> {
        let stands = self.case(case).await?;
        let change = stands.change(change_id).context("the change was drafted")?;
        let revision = change.current().context("a change has a revision")?;
        let claim = Claim::RollbackThresholdDefined {
            change_id,
            revision_digest: revision.digest.clone(),
        };
        self.record(&self.cast.responder, case, &claim).await?;
        Ok(())
    }
}

/// First token late, with the value somebody saw on a dashboard.
pub(super) fn symptom(observed: f64) -> Symptom {
    Symptom {
        signal: Some("ttft".to_owned()),
        statistic: Some(Statistic::P99),
        observed: Some(observed),
        text: "The first token of long-context chat comes late.".to_owned(),
    }
}
