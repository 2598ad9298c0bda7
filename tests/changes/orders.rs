//! Two acts at once, in both orders, again and again: whatever comes first, no acceptance rests on
//! ground that had moved when it was written.
//!
//! Every try is a copy of one database in which a change awaits promotion. A few tries run with
//! the other tests; `PEL_TEST_TRIES=200` runs as many of each act and order.

use crate::common::Mould;
use crate::harness::Site;
use crate::story::{Story, actor_of, hidden};
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use pel::intake::blobs::Blobs;
use pel::ladder::contract::Compatibility;
use pel::ladder::evidence::EvidenceState;
use pel::store::{contracts, evidence, people};
use std::time::Duration;
use uuid::Uuid;

/// What happens to the ground of an acceptance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Other {
    Withdraw,
    NewContract,
    Deactivate,
    LoseRole,
    RollBack,
    Retract,
}

/// The audit act that says that it happened.
fn said(other: Other) -> &'static str {
    match other {
        Other::Withdraw => "evidence.withdraw",
        Other::NewContract => "contract.publish",
        Other::Deactivate => "person.deactivate",
        Other::LoseRole => "person.roles",
        Other::RollBack => "canary.roll_back",
        Other::Retract => "condition.retract",
    }
}

/// A case that awaits promotion, to be copied.
struct Ground {
    mould: Mould,
    blobs: Blobs,
    now: DateTime<Utc>,
    label: String,
    case_id: Uuid,
    jo: Uuid,
    rita: Uuid,
    contract: Uuid,
}

async fn ground() -> Ground {
    let story = Story::begin().await;
    story.awaiting().await;
    let contract = "select contract_id from contract_version";
    let contract = sqlx::query_scalar(contract)
        .fetch_one(&story.site.db.pool)
        .await
        .unwrap();
    let (now, blobs) = (story.site.now(), story.site.app.blobs.clone());
    Ground {
        now,
        blobs,
        label: story.label,
        case_id: story.case_id,
        jo: story.jo,
        rita: story.rita,
        contract,
        mould: story.site.db.into_mould().await,
    }
}

impl Ground {
    /// Moves the ground, in a transaction of its own, as the program does.
    async fn act(&self, site: &Site, other: Other) -> Result<(), String> {
        let (jo, now) = (actor_of(self.jo, "Name of jo"), self.now);
        let mut tx = site.db.pool.begin().await.unwrap();
        let done = match other {
            Other::Withdraw => {
                let item = "select id from evidence where number = 1";
                let item: Uuid = sqlx::query_scalar(item).fetch_one(&mut *tx).await.unwrap();
                let state = EvidenceState::Withdrawn;
                evidence::take_out(&mut tx, &jo, self.case_id, item, state, "taken back", now).await
            }
            Other::NewContract => {
                contracts::start_draft(&mut tx, &jo, self.contract, now)
                    .await
                    .unwrap();
                let label = Compatibility::Material;
                contracts::publish(&mut tx, &jo, self.contract, 1, label, now)
                    .await
                    .map(|_| ())
            }
            Other::Deactivate => {
                let version = people::get(&mut tx, self.rita).await.unwrap().version;
                people::deactivate(&mut tx, &jo, (self.rita, version), now).await
            }
            Other::LoseRole => {
                let version = people::get(&mut tx, self.rita).await.unwrap().version;
                people::set_roles(&mut tx, &jo, (self.rita, version), &[], now).await
            }
            Other::RollBack | Other::Retract => unreachable!("sent as forms"),
        };
        done.map_err(|e| e.to_string())?;
        tx.commit().await.map_err(|e| e.to_string())
    }

    /// One try: the acceptance begins `lead` before the other act, or after it when negative.
    async fn attempt(&self, other: Other, lead: i64) {
        let site = Site::over(self.mould.copy().await, self.blobs.clone(), self.now);
        let mut rita = site.signed_in("rita").await;
        let mut jo = site.signed_in("jo").await;
        let change = format!("/cases/{}/changes/CH-1", self.label);
        let page = format!("{change}/accept");
        let shown = rita.get(&page).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.body);
        let keys = hidden(&shown.body);
        let mut fields: Vec<(&str, &str)> = keys.iter().map(|(n, v)| (*n, v.as_str())).collect();
        fields.push(("note", "looks right to me"));
        let wait = |us: i64| tokio::time::sleep(Duration::from_micros(us.max(0) as u64));
        let accept = async {
            wait(-lead).await;
            rita.post(&page, &fields).await
        };
        let disturb = async {
            wait(lead).await;
            match other {
                Other::RollBack => {
                    let back = format!("{change}/roll-back");
                    let shown = jo.get(&back).await;
                    let keys = hidden(&shown.body);
                    let mut fields: Vec<_> = keys.iter().map(|(n, v)| (*n, v.as_str())).collect();
                    fields.push(("note", "threshold triggered"));
                    let answer = jo.post(&back, &fields).await;
                    (answer.status == StatusCode::SEE_OTHER)
                        .then_some(())
                        .ok_or(answer.body)
                }
                Other::Retract => {
                    let path = format!(
                        "/cases/{}/conditions/acceptance-impact-visible/retract",
                        self.label
                    );
                    let shown = jo.get(path.trim_end_matches("/retract")).await;
                    let record = crate::harness::field(&shown.body, "record").to_owned();
                    let typed = [("record", record.as_str()), ("reason", "it does not hold")];
                    let answer = jo.post(&path, &typed).await;
                    (answer.status == StatusCode::SEE_OTHER)
                        .then_some(())
                        .ok_or(answer.body)
                }
                other => self.act(&site, other).await,
            }
        };
        let (answer, disturbed) = tokio::join!(accept, disturb);
        self.check(&site, other, lead, &answer.status, disturbed)
            .await;
    }

    async fn check(
        &self,
        site: &Site,
        other: Other,
        lead: i64,
        answer: &StatusCode,
        disturbed: Result<(), String>,
    ) {
        let what = format!("{other:?} {lead} µs: {answer} {disturbed:?}");
        let place = async |act: &str| -> Option<i64> {
            sqlx::query_scalar("select max(seq) from audit_event where act = $1 and at_us >= $2")
                .bind(act)
                .bind(self.now.timestamp_micros())
                .fetch_one(&site.db.pool)
                .await
                .unwrap()
        };
        let decisions = "select count(*) from decision where kind = 'accepted'";
        let decisions: i64 = sqlx::query_scalar(decisions)
            .fetch_one(&site.db.pool)
            .await
            .unwrap();
        let sealed = "select audit_seq from decision where kind = 'accepted'";
        let sealed: Option<i64> = sqlx::query_scalar(sealed)
            .fetch_optional(&site.db.pool)
            .await
            .unwrap();
        let moved = disturbed.is_ok().then_some(()).map(|()| place(said(other)));
        let moved = match moved {
            Some(place) => place.await,
            None => None,
        };
        assert!(disturbed.is_err() || moved.is_some(), "{what}");
        assert_eq!(decisions, i64::from(sealed.is_some()), "{what}");
        // Whoever was told that it is accepted finds the decision, and nobody else does.
        assert_eq!(answer == &StatusCode::SEE_OTHER, sealed.is_some(), "{what}");
        if let (Some(sealed), Some(moved)) = (sealed, moved) {
            assert!(sealed < moved, "accepted on ground that had moved: {what}");
        }
        assert!(
            sealed.is_some() || disturbed.is_ok(),
            "neither happened: {what}"
        );
        let state: String = sqlx::query_scalar("select state from change where case_id = $1")
            .bind(self.case_id)
            .fetch_one(&site.db.pool)
            .await
            .unwrap();
        let expected: &[&str] = match (sealed.is_some(), other, disturbed.is_ok()) {
            (_, Other::RollBack, true) => &["rolled_back"],
            (true, _, _) => &["accepted"],
            (false, _, _) => &["awaiting_promotion"],
        };
        assert!(expected.contains(&state.as_str()), "{state}: {what}");
        assert_eq!(count_broken_chain(site).await, 0, "{what}");
    }
}

/// Rows of the log that do not continue it.
async fn count_broken_chain(site: &Site) -> usize {
    let mut conn = site.db.pool.acquire().await.unwrap();
    match pel::store::audit::verify(&mut conn).await.unwrap() {
        pel::store::audit::Verdict::Intact { .. } => 0,
        pel::store::audit::Verdict::Broken { .. } => 1,
    }
}

fn tries() -> i64 {
    let asked = std::env::var("PEL_TEST_TRIES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(4)
}

/// Both orders, each with leads that let the two meet anywhere on their way.
async fn both_orders(other: Other) {
    let ground = ground().await;
    let tries = tries();
    for i in 0..tries {
        let lead = i * 40_000 / tries;
        ground.attempt(other, lead).await;
        ground.attempt(other, -lead).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_accepting_and_withdrawing_evidence() {
    both_orders(Other::Withdraw).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_accepting_and_publishing_a_new_contract_version() {
    both_orders(Other::NewContract).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_accepting_and_retracting_a_condition() {
    both_orders(Other::Retract).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_r6_accepting_and_deactivating_the_reviewer() {
    both_orders(Other::Deactivate).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_r5_accepting_and_taking_the_reviewers_role() {
    both_orders(Other::LoseRole).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_k14_accepting_and_rolling_back() {
    both_orders(Other::RollBack).await;
}
