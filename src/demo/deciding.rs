//! The deciding acts of a story. Each judges its gate as the page does and stops the story when a
//! line is open, so that the examples can never show what the product would not allow.

use super::cast::Member;
use super::clock;
use super::story::Story;
use crate::ladder::canary::{self, Whole};
use crate::ladder::change::{CanaryEventKind, Change, ChangeState, Purpose, Terms};
use crate::ladder::condition::Condition;
use crate::ladder::decision::{self, Kind};
use crate::ladder::evidence::EvidenceState;
use crate::ladder::gate::{self, Check, Checks, Gate, Target};
use crate::ladder::seen::Seen;
use crate::ladder::{CaseFile, contributor};
use crate::store::changes::{self, CanaryFact, GivenOn};
use crate::store::decisions::{self, NewDecision};
use crate::store::{case_file, cases, evidence};
use anyhow::{Context as _, bail};
use sqlx::{PgConnection, Postgres, Transaction};
use uuid::Uuid;

/// Integrity checks of a case as the gate takes them.
///
/// # Errors
/// When the database cannot be read.
pub async fn checks(conn: &mut PgConnection, case: Uuid) -> anyhow::Result<Checks> {
    let rows = evidence::checks(conn, case).await?;
    let checked = |(id, sound, at)| match sound {
        true => (id, Check::Verified(at)),
        false => (id, Check::Failed(at)),
    };
    Ok(Checks(rows.into_iter().map(checked).collect()))
}

/// The case under its lock, its change, and the gate as just judged.
struct Scene {
    tx: Transaction<'static, Postgres>,
    case: CaseFile,
    change: Change,
    gate: Gate,
}

impl Scene {
    fn given_on(&self) -> anyhow::Result<GivenOn> {
        let contract = self
            .case
            .contract
            .as_ref()
            .context("a contract is pinned")?;
        Ok(GivenOn {
            revision_digest: self.revision_digest()?,
            basis_digest: self.gate.basis.digest(),
            contract_version_id: contract.id,
            seen: Seen::of(&self.case, &self.change),
        })
    }

    fn revision_digest(&self) -> anyhow::Result<String> {
        let revision = self.change.current().context("a change has a revision")?;
        Ok(revision.digest.clone())
    }
}

impl Story<'_> {
    async fn scene(&self, case: Uuid, target: Target) -> anyhow::Result<Scene> {
        self.calculated(case).await?;
        let mut tx = self.db.begin().await?;
        cases::lock(&mut tx, case).await?;
        let case = case_file::load(&mut tx, case).await?;
        let change = case.live_change().context("a change was drafted")?.clone();
        let known = checks(&mut tx, case.id).await?;
        let gate = gate::judge(&case, &case.policy, target, &known, clock::now());
        if !gate.ready {
            let open: Vec<_> = gate.open().map(|l| (&l.id, &l.sentences)).collect();
            bail!(
                "{}: the example is not ready to {}: {open:?}",
                case.label(),
                target.id()
            );
        }
        Ok(Scene {
            tx,
            case,
            change,
            gate,
        })
    }

    /// Drafts a change.
    pub async fn draft(&self, by: &Member, case: Uuid, terms: &Terms) -> anyhow::Result<Uuid> {
        let mut tx = self.db.begin().await?;
        let (id, _) = changes::draft(&mut tx, &by.actor(), case, terms, clock::now()).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Submits the draft.
    pub async fn submit(&self, by: &Member, case: Uuid) -> anyhow::Result<()> {
        let mut s = self.scene(case, Target::Submit).await?;
        let (id, version) = (s.change.id, s.change.version);
        changes::submit(&mut s.tx, &by.actor(), case, id, version, clock::now()).await?;
        Ok(s.tx.commit().await?)
    }

    /// Approves the canary.
    pub async fn approve(&self, by: &Member, case: Uuid) -> anyhow::Result<()> {
        let mut s = self.scene(case, Target::Approve).await?;
        may_decide(&s, by)?;
        let (on, at, actor) = (s.given_on()?, clock::now(), by.actor());
        let (id, version) = (s.change.id, s.change.version);
        changes::approve(&mut s.tx, &actor, case, id, Purpose::Canary, &on, at).await?;
        let next = ChangeState::ApprovedForCanary;
        let act = "change.approved";
        changes::advance(&mut s.tx, &actor, case, id, version, next, act, None, at).await?;
        Ok(s.tx.commit().await?)
    }

    /// The watcher's own word that they are present.
    pub async fn present(&self, watcher: &Member, case: Uuid) -> anyhow::Result<()> {
        let mut tx = self.db.begin().await?;
        cases::lock(&mut tx, case).await?;
        let stands = case_file::load(&mut tx, case).await?;
        let change = stands.live_change().context("a change was drafted")?.id;
        let (actor, at) = (watcher.actor(), clock::now());
        crate::store::canary::present(&mut tx, &actor, case, change, at).await?;
        Ok(tx.commit().await?)
    }

    /// Starts the canary.
    pub async fn start_canary(&self, by: &Member, case: Uuid) -> anyhow::Result<()> {
        let s = self.scene(case, Target::StartCanary).await?;
        let fact = CanaryFact {
            revision_digest: s.revision_digest()?,
            note: "The watcher is present; one replica of ten takes the new value.".to_owned(),
            ..CanaryFact::default()
        };
        let (kind, next) = (CanaryEventKind::Started, ChangeState::CanaryRunning);
        self.canary(s.tx, by, (case, &s.change), kind, &fact, next)
            .await
    }

    /// Ends the canary with its run; it must have passed.
    pub async fn end_canary(
        &self,
        by: &Member,
        case: Uuid,
        run: Uuid,
        (share, requests): (f64, u64),
    ) -> anyhow::Result<()> {
        self.calculated(case).await?;
        let mut tx = self.db.begin().await?;
        cases::lock(&mut tx, case).await?;
        let stands = case_file::load(&mut tx, case).await?;
        let change = stands.live_change().context("a canary runs")?;
        let revision = change.current().context("a change has a revision")?;
        let fact = CanaryFact {
            run_id: Some(run),
            share: Some(share),
            requests: Some(requests),
            revision_digest: revision.digest.clone(),
            note: "Both arms were scraped over the same ten minutes; nothing triggered.".to_owned(),
            verdict: Some(Whole::Pass),
            ..CanaryFact::default()
        };
        let (kind, next) = (CanaryEventKind::Ended, ChangeState::AwaitingPromotion);
        self.canary(tx, by, (case, change), kind, &fact, next)
            .await?;
        let stands = self.case(case).await?;
        let change = stands.live_change().context("a canary ended")?;
        let verdict = canary::verdict(&stands, change);
        if verdict.whole != Whole::Pass {
            bail!(
                "{}: the example's canary did not pass: {verdict:?}",
                stands.label()
            );
        }
        Ok(())
    }

    async fn canary(
        &self,
        mut tx: Transaction<'static, Postgres>,
        by: &Member,
        (case, change): (Uuid, &Change),
        kind: CanaryEventKind,
        fact: &CanaryFact,
        next: ChangeState,
    ) -> anyhow::Result<()> {
        let (id, version) = (change.id, change.version);
        let (actor, at) = (by.actor(), clock::now());
        changes::canary(&mut tx, &actor, case, id, version, kind, fact, next, at).await?;
        Ok(tx.commit().await?)
    }

    /// Compares the stored bytes of every usable item with their digests, as is done before an
    /// acceptance.
    pub async fn verify(&self, case: Uuid) -> anyhow::Result<()> {
        let stands = self.case(case).await?;
        let usable = |e: &&crate::ladder::evidence::Evidence| e.state == EvidenceState::Usable;
        for item in stands.evidence.iter().filter(usable) {
            let mut sound = true;
            for file in &item.files {
                let digest = file.sha256.parse().map_err(|e| anyhow::anyhow!("{e:?}"))?;
                sound &= self.blobs.verify(digest).await?;
            }
            let mut conn = self.db.acquire().await?;
            evidence::checked(&mut conn, item.id, sound, clock::now()).await?;
        }
        Ok(())
    }

    /// Accepts the change: the promotion's approval, the sealed decision and the new state, in
    /// one transaction.
    pub async fn accept(&self, by: &Member, case: Uuid, note: &str) -> anyhow::Result<Uuid> {
        let mut s = self.scene(case, Target::Accept).await?;
        may_decide(&s, by)?;
        let (on, at, actor) = (s.given_on()?, clock::now(), by.actor());
        let (id, version) = (s.change.id, s.change.version);
        changes::approve(&mut s.tx, &actor, case, id, Purpose::Promotion, &on, at).await?;
        let act = decision::Act {
            kind: Kind::Accepted,
            by: by.id,
            name: by.name.clone(),
            role: by.role,
            at,
            note: note.to_owned(),
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let sealed = decision::seal(&s.case, &s.change, s.gate, act, &s.case.policy)
            .context("a change has a revision")?;
        let conditions = Condition::ALL
            .iter()
            .filter_map(|c| Some((*c, s.case.record(*c)?.id)))
            .collect();
        let new = NewDecision {
            case_id: case,
            change_id: id,
            revision_id: s.change.current().context("a change has a revision")?.id,
            kind: Kind::Accepted.id(),
            role: by.role.id().to_owned(),
            note: note.to_owned(),
            record: serde_json::to_value(&sealed)?,
            digest: sealed.digest(),
            conditions,
            overrides: Vec::new(),
        };
        let decision = decisions::seal(&mut s.tx, &actor, &new, at).await?;
        let next = ChangeState::Accepted;
        let (act, words) = ("change.accept", Some(note));
        changes::advance(&mut s.tx, &actor, case, id, version, next, act, words, at).await?;
        s.tx.commit().await?;
        Ok(decision)
    }
}

fn may_decide(scene: &Scene, by: &Member) -> anyhow::Result<()> {
    contributor::may_decide(&scene.case, &scene.change, by.id)
        .map_err(|why| anyhow::anyhow!("{} may not decide on the example: {why:?}", by.name))
}
