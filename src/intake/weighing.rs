//! The job that calculates comparisons from stored observations: each basis once, for ever.
//!
//! It works from a snapshot of the case and keeps what it calculates under the digest of its
//! inputs, so that running it twice, or two at a time, changes nothing.

use super::jobs::{Clock, Held, JobError};
use crate::ladder::run::Phase;
use crate::ladder::weigh::{self, Asked, Calculated, Curve};
use crate::ladder::{CaseFile, compare, gate};
use crate::store::{self, case_file, weighing};
use pel_evidence::Data;
use sqlx::PgPool;
use std::collections::{BTreeMap, HashMap};

pub use weighing::KIND;

/// Does the job.
///
/// # Errors
/// [`JobError::Again`] when the machine stood in the way, [`JobError::Never`] when the job makes
/// no sense.
pub async fn run(db: PgPool, clock: Clock, held: Held) -> Result<(), JobError> {
    let task: weighing::Task = serde_json::from_value(held.job.payload.clone())
        .map_err(|e| JobError::Never(format!("the job names no case: {e}")))?;
    let mut conn = db.acquire().await?;
    let case = match case_file::load(&mut conn, task.case_id).await {
        Ok(case) => case,
        Err(store::Error::NotFound) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for asked in open(&case, task.chosen) {
        let digests: Vec<String> = asked
            .baseline
            .iter()
            .chain(&asked.candidate)
            .cloned()
            .collect();
        let found = weighing::observations(&mut conn, case.id, &digests).await?;
        let Some((baseline, candidate)) = sides(&asked, &found) else {
            // Its extraction was replaced since: the newer one asks for itself.
            continue;
        };
        let (asked, result, curve) = tokio::task::spawn_blocking(move || {
            let result: Calculated = weigh::calculate(&asked, &baseline, &candidate);
            let curve = Curve::of(&baseline, &candidate);
            (asked, result, curve)
        })
        .await
        .map_err(|e| JobError::Again(format!("the calculation broke: {e}")))?;
        let mut tx = db.begin().await?;
        weighing::keep_result(&mut tx, case.id, &asked, &result, &curve, clock()).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// What is asked for and not yet calculated.
fn open(case: &CaseFile, chosen: Option<weighing::Chosen>) -> Vec<Asked> {
    let usual = [Phase::Cold, Phase::Warm, Phase::Canary].map(|phase| {
        let (baseline, candidate) = gate::expected_runs(case, phase);
        weighing::Chosen {
            phase,
            baseline,
            candidate,
        }
    });
    let asked: BTreeMap<String, Asked> = usual
        .into_iter()
        .chain(chosen)
        .flat_map(|c| compare::asked(case, &c.baseline, &c.candidate, c.phase))
        .map(|a| (a.basis(), a))
        .collect();
    let known = |basis: &String| case.calculated.iter().any(|c| c.basis == *basis);
    asked
        .into_iter()
        .filter(|(basis, _)| !known(basis))
        .map(|(_, a)| a)
        .collect()
}

fn sides(asked: &Asked, found: &HashMap<String, Data>) -> Option<(Vec<Data>, Vec<Data>)> {
    let side = |digests: &[String]| -> Option<Vec<Data>> {
        digests.iter().map(|d| found.get(d).cloned()).collect()
    };
    Some((side(&asked.baseline)?, side(&asked.candidate)?))
}
