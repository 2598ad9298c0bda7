//! The facts in the head of a case.

use super::{cut, environment_word};
use crate::{
    ladder::{
        CaseFile,
        condition::{Claim, Condition, Layer},
        conditions::{self, Status},
        contract::{LimitPhase, VersionState},
        measure::{self, Measured},
        policy::Act,
        run::{Phase, RunRole},
        view::View,
    },
    web::{Page, format, say},
};
use pel_evidence::{
    Unit,
    catalogue::{self, Role},
};

/// One fact.
#[derive(Default)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value; empty is never shown.
    pub value: String,
    /// Where there is more.
    pub href: Option<String>,
    /// Whether the value is a setting's name.
    pub code: bool,
    /// A word or two more.
    pub small: String,
    /// Tone of the words below: `warn` or nothing.
    pub tone: &'static str,
    /// Whether the reader may take the case here.
    pub take: bool,
}

fn fact(page: &Page, key: &str, value: String) -> Fact {
    Fact {
        name: page.t(key),
        value,
        ..Fact::default()
    }
}

/// The facts, in their order.
pub fn facts(page: &Page, case: &CaseFile) -> Vec<Fact> {
    vec![
        service(page, case),
        symptom(page, case),
        contract(page, case),
        environment(page, case),
        layer(page, case),
        acceptance(page, case),
        change(page, case),
        owner(page, case),
        Fact {
            small: page.t1("case-fact-opened-by", "name", case.name_of(case.opened_by)),
            ..fact(
                page,
                "case-fact-opened",
                format::date_time(page.lang, case.opened_at),
            )
        },
        Fact {
            small: page.t1(
                "case-fact-age-state",
                "age",
                format::duration(page.lang, (page.now - case.state_since).num_seconds()),
            ),
            ..fact(
                page,
                "case-fact-age",
                format::duration(page.lang, (page.now - case.opened_at).num_seconds()),
            )
        },
    ]
}

fn service(page: &Page, case: &CaseFile) -> Fact {
    Fact {
        small: if case.classes.is_empty() {
            page.t("case-fact-classes-none")
        } else {
            case.classes.join(" · ")
        },
        ..fact(page, "case-fact-service", case.service.1.clone())
    }
}

fn symptom(page: &Page, case: &CaseFile) -> Fact {
    let s = &case.symptom;
    let named = s.signal.as_ref().map(|name| observed(page, case, name));
    let words = cut(s.text.trim(), 120);
    Fact {
        small: page.t1(
            "case-fact-first-seen",
            "at",
            format::date_time(page.lang, case.first_seen),
        ),
        ..fact(
            page,
            "case-fact-symptom",
            named
                .or_else(|| (!words.is_empty()).then_some(words))
                .unwrap_or_else(|| page.t("case-fact-symptom-none")),
        )
    }
}

/// The symptom's signal with what was seen and what the contract allows.
fn observed(page: &Page, case: &CaseFile, name: &str) -> String {
    let s = &case.symptom;
    let mut words = match s.statistic {
        Some(statistic) => super::cards::named(page, name, statistic),
        None => say::signal_name(page.lang, name),
    };
    if let Some(value) = s.observed {
        let unit = catalogue::find(name).map_or(Unit::Count, |d| d.unit);
        words = format!("{words} {}", format::value(page.lang, value, unit));
    }
    let limit = case
        .contract
        .iter()
        .flat_map(|v| &v.terms.limits)
        .find(|l| l.signal == name && Some(l.statistic) == s.statistic);
    if let Some(limit) = limit {
        let limit = format::value(page.lang, limit.value, limit.unit());
        words = page.t2("case-fact-symptom-limit", "seen", words, "limit", limit);
    }
    words
}

fn contract(page: &Page, case: &CaseFile) -> Fact {
    let Some(v) = &case.contract else {
        return Fact {
            href: Some("#contract".to_owned()),
            ..fact(
                page,
                "case-fact-contract",
                page.t("case-fact-contract-none"),
            )
        };
    };
    let (small, tone) = match (case.newer_contract, v.state) {
        (Some(n), _) => (page.t1("case-fact-contract-newer", "number", n), "warn"),
        (None, VersionState::Published) => (page.t("case-fact-contract-newest"), ""),
        (None, state) => (page.t(&say::key("case-contract-state", state.id())), "warn"),
    };
    Fact {
        href: Some("#contract".to_owned()),
        small,
        tone,
        ..fact(
            page,
            "case-fact-contract",
            format!("{} v{}", v.contract_name, v.number),
        )
    }
}

fn environment(page: &Page, case: &CaseFile) -> Fact {
    let all = crate::ladder::environment::of_runs(case);
    let Some(now) = all.last() else {
        return fact(
            page,
            "case-fact-environment",
            page.t("case-environment-unknown"),
        );
    };
    let digest = now.environment.digest();
    let mut others: Vec<String> = all.iter().map(|e| e.environment.digest()).collect();
    others.retain(|d| *d != digest);
    others.sort();
    others.dedup();
    let against = |e: &crate::ladder::environment::Effective<'_>| {
        e.facts.values().any(|f| !f.against.is_empty())
    };
    let conflicts = all.iter().filter(|e| against(e)).count();
    let small = if conflicts == 0 {
        page.t1("case-fact-environment-others", "count", others.len())
    } else {
        page.t1("case-fact-environment-conflicts", "count", conflicts)
    };
    Fact {
        href: Some("#runs".to_owned()),
        small,
        ..fact(
            page,
            "case-fact-environment",
            environment_word(page, &now.environment),
        )
    }
}

fn layer(page: &Page, case: &CaseFile) -> Fact {
    let none = || fact(page, "case-fact-layer", page.t("case-fact-layer-none"));
    let condition = Condition::OwnerLayerIdentified;
    let Some(record) = case.record(condition) else {
        return none();
    };
    let status = conditions::status(case, condition, &case.policy).status;
    let Claim::OwnerLayerIdentified { layer, .. } = &record.claim else {
        return none();
    };
    if status != Status::Held {
        return Fact {
            small: page.t(&say::key("condition-status", status.id())),
            tone: "warn",
            ..none()
        };
    }
    let (word, href) = match layer {
        Layer::Stage(s) => (
            format!("{} {}", s.number(), super::stage_name(page, *s)),
            Some(format!("#s{}", s.number())),
        ),
        Layer::Outside => (page.t("layer-outside"), None),
    };
    Fact {
        href,
        small: page.t1(
            "case-fact-layer-since",
            "at",
            format::date_time(page.lang, record.at),
        ),
        ..fact(page, "case-fact-layer", word)
    }
}

/// The newest baseline run that measures an acceptance limit of the contract.
fn acceptance(page: &Page, case: &CaseFile) -> Fact {
    let view = View::new(case);
    let found = case.contract.iter().find_map(|v| {
        let limits: Vec<_> = v
            .terms
            .limits
            .iter()
            .filter(|l| l.role() == Some(Role::Acceptance) && l.phase == LimitPhase::Warm)
            .collect();
        let baseline = |r: &&crate::ladder::run::Run| {
            r.stated.role == RunRole::Baseline && r.stated.phase == Phase::Warm
        };
        case.runs.iter().rev().filter(baseline).find_map(|run| {
            limits
                .iter()
                .find_map(|l| match measure::within(&view, run, l) {
                    Measured::Value(value) => Some((run, *l, value)),
                    _ => None,
                })
        })
    });
    let Some((run, limit, value)) = found else {
        return fact(
            page,
            "case-fact-acceptance",
            page.t("case-fact-acceptance-none"),
        );
    };
    let said = page.t2(
        "case-fact-acceptance-value",
        "value",
        format::value(page.lang, value.value, limit.unit()),
        "floor",
        format::value(page.lang, limit.value, limit.unit()),
    );
    Fact {
        small: format!(
            "{} · {}",
            limit
                .class
                .clone()
                .unwrap_or_else(|| page.t("case-all-classes")),
            run.label()
        ),
        href: Some(format!("#{}", value.evidence)),
        ..fact(page, "case-fact-acceptance", said)
    }
}

fn change(page: &Page, case: &CaseFile) -> Fact {
    let Some((change, revision)) = case.live_change().and_then(|c| Some((c, c.current()?))) else {
        return fact(page, "case-fact-change", page.t("case-fact-change-none"));
    };
    let knob = &revision.terms.knob;
    Fact {
        href: Some("#change".to_owned()),
        code: true,
        small: format!(
            "{} → {}, {}",
            cut(&knob.old, 40),
            cut(&knob.new, 40),
            page.t(&say::key("change-state", change.state.id()))
        ),
        ..fact(page, "case-fact-change", cut(&knob.setting, 60))
    }
}

fn owner(page: &Page, case: &CaseFile) -> Fact {
    let Some(owner) = case.owner else {
        return Fact {
            take: super::open_to(page, case, Act::AssignOwner),
            ..fact(page, "case-fact-owner", page.t("case-fact-owner-none"))
        };
    };
    let mine = page.reader.as_ref().is_some_and(|r| r.id == owner);
    Fact {
        href: Some("#people".to_owned()),
        small: match (case.person(owner), case.life.accepted_at) {
            (Some(left), _) if !left.active => page.t("case-owner-left"),
            (_, None) => page.t("case-owner-not-accepted"),
            _ if mine => page.t("case-fact-owner-you"),
            _ => String::new(),
        },
        ..fact(page, "case-fact-owner", case.name_of(owner))
    }
}
