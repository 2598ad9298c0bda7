//! The canary plan on the form of a change: its start window, scope, margin, limits, watcher and
//! what stands ready. Times are typed and shown in UTC.

use super::form::{self, Typed};
use super::terms::{decimal, seconds, whole};
use super::thresholds::Choice;
use crate::ladder::change::{CanaryPlan, Capacity, Route, Terms};
use crate::ladder::contract::{LimitPhase, Version};
use crate::ladder::template::Template;
use crate::web::{Page, form::Faults, format, say, typed};
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Somebody who may watch: id and name.
pub type Watcher = (Uuid, String);

impl Typed {
    /// Fills the plan's fields of a revision.
    pub fn fill_plan(&mut self, terms: &Terms) {
        let p = &terms.plan;
        let percent = |n: Option<f64>| n.map_or_else(String::new, |n| form::plain(n * 100.0));
        let time = |at: Option<DateTime<Utc>>| at.map_or_else(String::new, typed::time_field);
        self.start_from = time(p.start_from);
        self.start_to = time(p.start_to);
        self.plan_class.clone_from(&p.classes);
        self.regions = p.regions.join(", ");
        self.margin = percent(p.margin);
        self.plan_limit.clone_from(&p.limits);
        self.interval_minutes = form::minutes(p.interval_seconds);
        self.headroom = percent(p.capacity.headroom);
        self.spare = p.capacity.spare.map_or_else(String::new, |n| n.to_string());
        self.warm_up_minutes = form::minutes(p.capacity.warm_up_seconds);
        self.watcher = p
            .watcher_id
            .map_or_else(|| p.watcher.clone(), |id| id.to_string());
        self.kind = terms.kind.id().to_owned();
        self.template = terms.template.map_or_else(String::new, |t| t.to_string());
    }

    /// The watcher as typed: a person's id or, as older forms sent it, their name.
    fn watcher_of(&self, people: &[Watcher]) -> (String, Option<Uuid>) {
        let text = self.watcher.trim();
        let id = Uuid::parse_str(text).ok();
        let mut named = people.iter().filter(|(_, name)| name == text);
        let found = match id {
            Some(id) => people.iter().find(|(p, _)| *p == id),
            // Two of one name are nobody in particular.
            None => named.next().filter(|_| named.next().is_none()),
        };
        match (found, id) {
            (Some((id, name)), _) => (name.clone(), Some(*id)),
            (None, Some(_)) => (String::new(), None),
            (None, None) => (text.to_owned(), None),
        }
    }
}

/// Reads the plan. What is left open stays open; what cannot be read is a fault at its field.
pub fn read(
    t: &Typed,
    version: Option<&Version>,
    people: &[Watcher],
    page: &Page,
    faults: &mut Faults,
) -> CanaryPlan {
    let mut number = |field: &'static str, text: &str| {
        whole(text).unwrap_or_else(|_| {
            faults.add(field, page.t("change-fault-whole"));
            None
        })
    };
    let max_requests = number("max_requests", &t.max_requests);
    let min_samples = number("min_samples", &t.min_samples);
    let spare = number("spare", &t.spare).and_then(|n| u32::try_from(n).ok());
    let (watcher, watcher_id) = t.watcher_of(people);
    CanaryPlan {
        share_ceiling: share("share_ceiling", &t.share_ceiling, page, faults),
        scope: t.scope.trim().to_owned(),
        max_requests,
        max_seconds: seconds(&t.max_minutes, "max_minutes", page, faults),
        min_seconds: seconds(&t.min_minutes, "min_minutes", page, faults),
        min_samples,
        concurrent_baseline: t.concurrent_baseline.is_some(),
        no_baseline_reason: t.no_baseline_reason.trim().to_owned(),
        watcher,
        watcher_id,
        start_from: time("start_from", &t.start_from, page, faults),
        start_to: time("start_to", &t.start_to, page, faults),
        classes: known(&t.plan_class, version, |v, name| {
            v.terms.classes.iter().any(|c| c.name == name)
        }),
        regions: list(&t.regions),
        margin: share("margin", &t.margin, page, faults),
        limits: known(&t.plan_limit, version, |v, id| v.limit(id).is_some()),
        interval_seconds: seconds(&t.interval_minutes, "interval_minutes", page, faults),
        capacity: Capacity {
            headroom: share("headroom", &t.headroom, page, faults),
            spare,
            warm_up_seconds: seconds(&t.warm_up_minutes, "warm_up_minutes", page, faults),
        },
    }
}

/// The kind of the change, and the template of a standard one.
pub fn route(t: &Typed) -> (Route, Option<Uuid>) {
    let kind = Route::from_id(&t.kind).unwrap_or_default();
    let template = Uuid::parse_str(t.template.trim()).ok();
    (kind, template.filter(|_| kind == Route::Standard))
}

fn share(field: &'static str, text: &str, page: &Page, faults: &mut Faults) -> Option<f64> {
    match decimal(text) {
        Ok(share) if share.is_none_or(|s| s <= 100.0) => share.map(|s| s / 100.0),
        _ => {
            faults.add(field, page.t("change-fault-share"));
            None
        }
    }
}

fn time(
    field: &'static str,
    text: &str,
    page: &Page,
    faults: &mut Faults,
) -> Option<DateTime<Utc>> {
    if text.trim().is_empty() {
        return None;
    }
    let at = typed::time(text);
    if at.is_none() {
        faults.add(field, page.t("change-fault-time"));
    }
    at
}

/// Names with commas or line ends between them.
fn list(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in text.split([',', '\n']).map(str::trim) {
        if !name.is_empty() && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// What was ticked of what the contract has; everything ticked is the same as nothing.
fn known(
    ticked: &[String],
    version: Option<&Version>,
    is: impl Fn(&Version, &str) -> bool,
) -> Vec<String> {
    let mut found: Vec<String> = ticked
        .iter()
        .map(|t| t.trim().to_owned())
        .filter(|t| version.is_some_and(|v| is(v, t)))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// What the plan part of the form offers.
#[derive(Default)]
pub struct Offered {
    /// Classes of the contract.
    pub classes: Vec<Choice>,
    /// Limits of the contract that a canary is judged by.
    pub limits: Vec<Choice>,
    /// People who may watch.
    pub watchers: Vec<Choice>,
    /// Kinds of changes.
    pub kinds: Vec<Choice>,
    /// Agreed templates of the service.
    pub templates: Vec<Choice>,
}

impl Offered {
    /// The choices of a form as typed.
    pub fn of(
        page: &Page,
        t: &Typed,
        version: Option<&Version>,
        people: &[Watcher],
        templates: &[Template],
    ) -> Self {
        let (name, id) = t.watcher_of(people);
        let mut watchers = vec![(String::new(), page.t("change-nobody"), name.is_empty())];
        for (person, name) in people {
            watchers.push((person.to_string(), name.clone(), Some(*person) == id));
        }
        if id.is_none() && !name.is_empty() {
            // A plan of before names somebody who is nobody's account.
            watchers.push((name.clone(), name, true));
        }
        let (kind, chosen) = route(t);
        let no_template = (
            String::new(),
            page.t("change-no-template"),
            chosen.is_none(),
        );
        let agreed = templates.iter().filter(|x| x.is_agreed()).map(|x| {
            let words = format!("{} · {}", x.label(), x.setting);
            (x.id.to_string(), words, Some(x.id) == chosen)
        });
        Self {
            classes: version.map_or_else(Vec::new, |v| classes(v, t)),
            limits: version.map_or_else(Vec::new, |v| limits(page, v, t)),
            watchers,
            kinds: Route::ALL
                .iter()
                .map(|k| {
                    let words = page.t(&say::key("change-kind", k.id()));
                    (k.id().to_owned(), words, *k == kind)
                })
                .collect(),
            templates: std::iter::once(no_template).chain(agreed).collect(),
        }
    }
}

fn classes(version: &Version, t: &Typed) -> Vec<Choice> {
    let ticked = |name: &String| t.plan_class.contains(name);
    let of =
        |c: &crate::ladder::contract::ClassTerms| (c.name.clone(), c.name.clone(), ticked(&c.name));
    version.terms.classes.iter().map(of).collect()
}

fn limits(page: &Page, version: &Version, t: &Typed) -> Vec<Choice> {
    let all = version.terms.limits.iter();
    all.filter(|l| l.phase == LimitPhase::Warm)
        .map(|l| {
            let about: Vec<&str> = [l.class.as_deref(), l.band.as_deref()]
                .into_iter()
                .flatten()
                .collect();
            let words = page.text(
                "change-limit-choice",
                &[
                    ("measure", &say::measure(page.lang, &l.signal, l.statistic)),
                    ("sign", l.comparator.sign()),
                    (
                        "limit",
                        &format::value(page.lang, l.value, l.unit()).to_string(),
                    ),
                    ("about", &about.join(", ")),
                ],
            );
            (l.id.clone(), words, t.plan_limit.contains(&l.id))
        })
        .collect()
}
