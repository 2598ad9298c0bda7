//! What the examples' contracts and changes say.

use super::traffic::{BAND, CLASS, Turn};
use crate::ladder::change::{
    CanaryPlan, Capacity, Expectation, Knob, Route, Terms as ChangeTerms, Threshold,
};
use crate::ladder::contract::{
    Acceptance, Band, ClassTerms, Comparator, DeclaredLoad, Limit, LimitPhase, Terms,
};
use pel_evidence::Statistic;
use uuid::Uuid;

/// Id of the limit the examples break.
pub(super) const TTFT: &str = "ttft-p99";
/// Id of the acceptance floor.
pub(super) const ACCEPTED: &str = "accepted";

/// The contract: what long-context chat promises.
pub(super) fn contract() -> Terms {
    let limit = |id: &str, signal: &str, statistic, comparator, value, unit: &str| Limit {
        id: id.to_owned(),
        signal: signal.to_owned(),
        statistic,
        comparator,
        value,
        typed_unit: unit.to_owned(),
        class: Some(CLASS.to_owned()),
        band: None,
        phase: LimitPhase::Warm,
        min_samples: None,
    };
    use Comparator::{AtLeast, AtMost};
    Terms {
        purpose: "Chat over long documents, one GPU, streamed answers. Short chat is served elsewhere and has its own contract.".to_owned(),
        classes: vec![ClassTerms {
            name: CLASS.to_owned(),
            description: "prompts of about 4,000 to 16,000 tokens, answers of a few sentences".to_owned(),
        }],
        bands: vec![Band {
            name: BAND.to_owned(),
            min: 17,
            max: 32,
        }],
        acceptance: Acceptance {
            definition: "The answer ends by itself or at its length limit; the client did not give up.".to_owned(),
            signal: "acceptance_rate".to_owned(),
        },
        limits: vec![
            limit(TTFT, "ttft", Statistic::P99, AtMost, 0.8, "ms"),
            limit("itl-p99", "itl", Statistic::P99, AtMost, 0.06, "ms"),
            limit(ACCEPTED, "acceptance_rate", Statistic::Ratio, AtLeast, 0.97, "%"),
        ],
        window_seconds: 600,
        min_samples: 1000,
        load: DeclaredLoad {
            arrival_per_second: Some((2.0, 6.0)),
            prompt_tokens_mean: Some((5_000.0, 9_000.0)),
            output_tokens_mean: Some((30.0, 120.0)),
            note: "Counted over ten minutes of the busy hours.".to_owned(),
            ..DeclaredLoad::default()
        },
        cost: None,
        tolerated: std::collections::BTreeMap::new(),
        environment: std::collections::BTreeMap::new(),
    }
}

/// A change that turns one setting of `component`.
pub(super) fn change(component: &str, turn: &Turn, watcher: (Uuid, &str)) -> ChangeTerms {
    let threshold = |signal: &str, statistic, comparator, value, unit: &str| Threshold {
        signal: signal.to_owned(),
        statistic: Some(statistic),
        comparator,
        value: Some(value),
        typed_unit: unit.to_owned(),
        window_seconds: Some(600),
        min_samples: Some(1000),
        consecutive: 1,
        class: Some(CLASS.to_owned()),
        band: None,
    };
    ChangeTerms {
        knob: Knob {
            component: component.to_owned(),
            setting: turn.setting.to_owned(),
            old: turn.old.to_owned(),
            new: turn.new.to_owned(),
            unit: turn.unit.to_owned(),
        },
        consequences: Vec::new(),
        expectation: Expectation {
            signal: "ttft".to_owned(),
            direction: "lower".to_owned(),
            by: "p99 under 800 ms; the wait to be admitted falls by about four fifths".to_owned(),
        },
        risks: "The numbers inside the model do not change, so answers stay the same. More prefill per step may stretch the gap between tokens; the contract limits that gap and the canary watches it.".to_owned(),
        plan: CanaryPlan {
            share_ceiling: Some(0.10),
            scope: format!("{CLASS}, one replica of ten"),
            max_requests: Some(20_000),
            max_seconds: Some(6 * 3600),
            min_seconds: Some(1800),
            min_samples: Some(1000),
            concurrent_baseline: true,
            no_baseline_reason: String::new(),
            watcher: watcher.1.to_owned(),
            watcher_id: Some(watcher.0),
            classes: vec![CLASS.to_owned()],
            margin: Some(0.05),
            interval_seconds: Some(600),
            capacity: Capacity {
                headroom: Some(0.18),
                spare: Some(1),
                warm_up_seconds: Some(150),
            },
            ..CanaryPlan::default()
        },
        thresholds: vec![
            threshold("ttft", Statistic::P99, Comparator::AtMost, 0.8, "ms"),
            threshold("acceptance_rate", Statistic::Ratio, Comparator::AtLeast, 0.97, "%"),
        ],
        action: "Take the candidate out of the load balancer, then restart it with the old value.".to_owned(),
        procedure: "Runbook \"Chat: take a replica back\", steps 1 to 4; tried on the replica before the canary.".to_owned(),
        rollback_seconds: Some(240),
        no_warm_reason: String::new(),
        touches_start_up: false,
        kind: Route::Normal,
        template: None,
        bundle: None,
    }
}
