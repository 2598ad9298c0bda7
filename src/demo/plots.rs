//! The five examples, oldest first: one accepted, one waiting for its reviewer, one in the middle,
//! one whose evidence is in trouble, one nobody owns yet.

use super::story::{Story, Told, pair};
use super::terms;
use super::traffic::{self, BATCHED_TOKENS, CLASS, Side, Turn};
use super::whole::{Plot, symptom};
use crate::ladder::case::Symptom;
use crate::ladder::evidence::EvidenceState;
use crate::ladder::run::{Phase, Profiled, RunRole};
use crate::store::cases::NewCase;
use anyhow::bail;
use chrono::TimeDelta;
use pel_evidence::samples::Load;
use uuid::Uuid;

const ACCEPTED: Plot = Plot {
    canary_ended: 11_000,
    service: (
        "vllm-summaries",
        "Summaries of long reports, streamed to the reader.",
    ),
    contract: "summaries",
    title: "First token late since the summaries moved to longer reports",
    problem: "Since the reports grew, readers of the summaries wait more than a second and a half for the first token at p99, and about one in twenty gives up. The GPU reads busy throughout, which says nothing about the wait.",
    explanation: "The batch admits too few sequences: requests queue although the KV cache has room.",
    turn: Turn {
        setting: "max_num_seqs",
        old: "24",
        new: "48",
        unit: "sequences",
    },
    seed: 301,
};

const WAITING: Plot = Plot {
    canary_ended: 190,
    service: (
        "vllm-documents",
        "Questions about long documents, streamed answers.",
    ),
    contract: "documents",
    title: "TTFT p99 doubled for questions about long documents",
    problem: "Since the deploy two days ago the first token of questions about long documents comes twice as late at p99. Short questions are unchanged. Retries rose in the same hours: clients give up and ask again, which adds prefill work.",
    explanation: "The token budget of a step is spent on decoding: long prompts wait several steps to be admitted.",
    turn: BATCHED_TOKENS,
    seed: 201,
};

/// Tells all five.
///
/// # Errors
/// When the database, the blob store or the reader stands in the way.
pub(super) async fn tell(story: &Story<'_>) -> anyhow::Result<()> {
    let case = story.to_promotion(&ACCEPTED).await?;
    story.at(ACCEPTED.canary_ended - 40);
    story.verify(case).await?;
    story.at(ACCEPTED.canary_ended - 60);
    let note = "The canary kept every limit beside a baseline that did not; the way back was tried. Watched until tomorrow noon.";
    story.accept(&story.cast.reviewer, case, note).await?;
    tracing::info!("the accepted example is told");

    let case = story.to_promotion(&WAITING).await?;
    story.at(WAITING.canary_ended - 10);
    story.verify(case).await?;
    tracing::info!("the example that waits for its reviewer is told");

    let (service, contract) = middle(story).await?;
    troubled(story, service, contract).await?;
    fresh(story, service).await?;
    tracing::info!("all examples are told");
    Ok(())
}

/// A case in the middle: reproduced, its cost known, a change drafted; the layer is not named and
/// the way back not recorded.
async fn middle(story: &Story<'_>) -> anyhow::Result<(Uuid, Uuid)> {
    let (melo, nunes) = (&story.cast.responder, &story.cast.second);
    story.at(170);
    let about = "Chat with streamed answers, short and long context.";
    let (service, contract) = story.service("vllm-chat", about, "chat").await?;
    let opened = story.at(165);
    let new = NewCase {
        title: "TTFT p99 doubled for long-context chat".to_owned(),
        service_id: service,
        problem: "Since the configuration deploy long-context chat waits twice as long for its first token at p99. Short chat is unchanged. GPU utilisation reads 97 % throughout and says nothing about it.".to_owned(),
        symptom: symptom(1.64),
        first_seen: opened - TimeDelta::minutes(22),
        classes: vec![CLASS.to_owned()],
        contract_version_id: Some(contract),
        own: true,
    };
    let case = story.open(melo, &new).await?;
    let told = told(story, contract);
    let found = story.measure(case, told, 101, [140, 110]).await?;
    story.at(104);
    story.one_gpu(case).await?;
    story.at(100);
    story.claim_breach(case, &found).await?;
    story.at(90);
    let terms = terms::change("vllm-chat", &BATCHED_TOKENS, (nunes.id, &nunes.name));
    story.draft(melo, case, &terms).await?;
    story.candidate(case, told, 104, 50).await?;
    Ok((service, contract))
}

/// A warm baseline run under this contract, its window still to be told.
fn told<'t>(story: &Story<'_>, contract: Uuid) -> Told<'t> {
    Told {
        role: RunRole::Baseline,
        phase: Phase::Warm,
        side: Side::Before,
        turn: &BATCHED_TOKENS,
        contract,
        began: story.now,
    }
}

/// A case whose evidence is in trouble: a binary report that is answered with the command that
/// exports it, and a run stated warm whose process was two minutes old.
async fn troubled(story: &Story<'_>, service: Uuid, contract: Uuid) -> anyhow::Result<()> {
    let nunes = &story.cast.second;
    let opened = story.at(40);
    let new = NewCase {
        title: "Gaps between tokens after the driver update".to_owned(),
        service_id: service,
        problem:
            "Readers report that answers stall for a moment. Seen once by hand; not reproduced yet."
                .to_owned(),
        symptom: Symptom {
            signal: Some("itl".to_owned()),
            statistic: Some(pel_evidence::Statistic::P99),
            observed: None,
            text: "Answers stall for a moment in the middle.".to_owned(),
        },
        first_seen: opened - TimeDelta::minutes(30),
        classes: vec![CLASS.to_owned()],
        contract_version_id: Some(contract),
        own: true,
    };
    let case = story.open(nunes, &new).await?;
    let told = Told {
        began: story.at(35) - TimeDelta::minutes(5),
        ..told(story, contract)
    };
    let stated = told.stated(
        Profiled::Yes,
        TimeDelta::minutes(2),
        "Two minutes of decoding.",
    );
    let run = story.run(nunes, case, &stated).await?;
    let report = b"NVIDIA Tegra Profiler Report 2025.3.1.90\0".to_vec();
    let named = vec![("decode.nsys-rep".to_owned(), report)];
    let (_, state) = story.attach(nunes, (case, run), named).await?;
    if state != EvidenceState::Unreadable {
        bail!("a binary report was read: {}", state.id());
    }
    let told = Told {
        began: story.at(30) - TimeDelta::minutes(20),
        ..told
    };
    let stated = told.stated(
        Profiled::No,
        TimeDelta::minutes(10),
        "Right after the restart.",
    );
    let run = story.run(nunes, case, &stated).await?;
    let young = Load {
        uptime_s: 120,
        before: 40,
        ..traffic::load(Side::Before, 105, told.began)
    };
    story.usable(nunes, (case, run), pair(&young)).await?;
    Ok(())
}

/// A case nobody owns, without contract and evidence.
async fn fresh(story: &Story<'_>, service: Uuid) -> anyhow::Result<()> {
    let opened = story.at(12);
    let new = NewCase {
        title: "Retries from the mobile client are up".to_owned(),
        service_id: service,
        problem:
            "The gateway counts three times as many retries as yesterday. Nobody has looked yet."
                .to_owned(),
        symptom: Symptom {
            text: "Retries at the gateway, about 2.4 % instead of 0.8 %.".to_owned(),
            ..Symptom::default()
        },
        first_seen: opened - TimeDelta::minutes(25),
        classes: Vec::new(),
        contract_version_id: None,
        own: false,
    };
    story.open(&story.cast.responder, &new).await?;
    Ok(())
}
