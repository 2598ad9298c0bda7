//! From the contract form to terms. What is left empty is absent and stops only the publishing;
//! what does not read is a fault at its field.

use super::sheet::{Row, Sheet};
use crate::{
    ladder::contract::{
        Acceptance, Band, ClassTerms, Comparator, CostAttribution, DeclaredLoad, Limit, LimitPhase,
        Terms,
    },
    web::{
        Page,
        form::Faults,
        say,
        typed::{self, ValueFault},
    },
};
use pel_evidence::{
    Statistic,
    catalogue::{self, Better, SignalDef},
};
use std::collections::{BTreeMap, BTreeSet};

/// The terms typed into a form; with faults noted they are not to be stored.
pub fn terms(page: &Page, sheet: &Sheet, faults: &mut Faults) -> Terms {
    let mut form = Form {
        page,
        sheet,
        faults,
        tolerated: BTreeMap::new(),
    };
    let classes = form.classes();
    let bands = form.bands();
    Terms {
        purpose: form.text("purpose", 2000),
        acceptance: Acceptance {
            definition: form.text("acceptance", 2000),
            signal: form.acceptance_signal(),
        },
        window_seconds: form.window(),
        min_samples: form.whole("min_samples").unwrap_or_default(),
        limits: form.limits(),
        load: DeclaredLoad {
            arrival_per_second: form.range("arrival"),
            prompt_tokens_mean: form.range("prompt"),
            output_tokens_mean: form.range("output"),
            prompt_tokens_p95: form.range("prompt_p95"),
            output_tokens_p95: form.range("output_p95"),
            concurrency: form.range("concurrency"),
            mix: form.mix(),
            note: form.text("load_note", 2000),
        },
        cost: form.cost(),
        environment: form.environment(),
        tolerated: form.tolerated,
        classes,
        bands,
    }
}

pub(super) struct Form<'a> {
    pub(super) page: &'a Page,
    pub(super) sheet: &'a Sheet,
    pub(super) faults: &'a mut Faults,
    /// By limit id, filled as the limits are read.
    tolerated: BTreeMap<String, f64>,
}

impl Form<'_> {
    fn fault(&mut self, field: impl Into<String>, key: &str) {
        self.faults.add(field.into(), self.page.t(key));
    }

    fn text(&mut self, name: &str, most: usize) -> String {
        let text = self.sheet.get(name);
        if text.chars().count() > most {
            let fault = self.page.t1("typed-long-fault", "most", most);
            self.faults.add(name.to_owned(), fault);
        }
        text.to_owned()
    }

    /// A number that is not negative; empty is none.
    fn number(&mut self, name: &str) -> Option<f64> {
        let text = self.sheet.get(name);
        if text.is_empty() {
            return None;
        }
        let number = typed::number(self.page.lang, text).filter(|n| *n >= 0.0);
        if number.is_none() {
            self.fault(name, "typed-number-fault");
        }
        number
    }

    fn whole(&mut self, name: &str) -> Option<u64> {
        let text = self.sheet.get(name);
        if text.is_empty() {
            return None;
        }
        let number = count(text);
        if number.is_none() {
            self.fault(name, "typed-whole-fault");
        }
        number
    }

    fn window(&mut self) -> u32 {
        let Some(minutes) = self.number("window") else {
            return 0;
        };
        let seconds = (minutes * 60.0).round();
        // A week is longer than any window anybody judges; the bound also keeps the cast exact.
        if (1.0..=604_800.0).contains(&seconds) {
            seconds as u32
        } else {
            self.fault("window", "contracts-window-fault");
            0
        }
    }

    fn range(&mut self, name: &str) -> Option<(f64, f64)> {
        let (first, second) = (format!("{name}_least"), format!("{name}_most"));
        match (self.number(&first), self.number(&second)) {
            (Some(least), Some(most)) if least <= most => Some((least, most)),
            (Some(_), Some(_)) => {
                self.fault(first, "contracts-range-order-fault");
                None
            }
            (None, None) => None,
            _ => {
                if self.faults.of(&first).is_none() && self.faults.of(&second).is_none() {
                    self.fault(first, "contracts-range-half-fault");
                }
                None
            }
        }
    }

    fn acceptance_signal(&mut self) -> String {
        let name = self.sheet.get("acceptance_signal");
        let known = catalogue::find(name).is_some_and(|d| d.role == catalogue::Role::Acceptance);
        if !name.is_empty() && !known {
            self.fault("acceptance_signal", "contracts-acceptance-signal-fault");
        }
        name.to_owned()
    }

    fn classes(&mut self) -> Vec<ClassTerms> {
        let mut seen = BTreeSet::new();
        let mut classes = Vec::new();
        for (i, row) in self.sheet.classes.iter().enumerate() {
            let name = self.name(("class", i), row, &mut seen);
            if row.get("description").chars().count() > 2000 {
                self.fault(format!("class-{i}-description"), "contracts-long-fault");
            }
            classes.push(ClassTerms {
                name,
                description: row.get("description").to_owned(),
            });
        }
        classes
    }

    fn bands(&mut self) -> Vec<Band> {
        let mut seen = BTreeSet::new();
        let mut bands = Vec::new();
        for (i, row) in self.sheet.bands.iter().enumerate() {
            let name = self.name(("band", i), row, &mut seen);
            let min = self.concurrency(i, row, "min");
            let max = self.concurrency(i, row, "max");
            if let (Some(min), Some(max)) = (min, max) {
                if min > max {
                    self.fault(format!("band-{i}-min"), "contracts-band-order-fault");
                }
                bands.push(Band { name, min, max });
            }
        }
        bands
    }

    fn concurrency(&mut self, i: usize, row: &Row, side: &str) -> Option<u32> {
        let read = count(row.get(side)).and_then(|n| u32::try_from(n).ok());
        let read = read.filter(|n| *n > 0);
        if read.is_none() {
            self.fault(format!("band-{i}-{side}"), "contracts-concurrency-fault");
        }
        read
    }

    /// The name of a class or band: there, short enough, and only once.
    fn name(
        &mut self,
        (table, i): (&str, usize),
        row: &Row,
        seen: &mut BTreeSet<String>,
    ) -> String {
        let name = row.get("name");
        let field = format!("{table}-{i}-name");
        if !crate::web::services::is_name(name) {
            self.fault(field, "services-name-fault");
        } else if !seen.insert(name.to_lowercase()) {
            self.fault(field, "contracts-name-twice-fault");
        }
        name.to_owned()
    }

    fn limits(&mut self) -> Vec<Limit> {
        let mut ids = BTreeSet::new();
        let sheet = self.sheet;
        // Ids of rows that have one come first, so that a new row never takes one of theirs.
        for row in &sheet.limits {
            ids.extend(kept_id(row));
        }
        let mut limits = Vec::new();
        for (i, row) in sheet.limits.iter().enumerate() {
            if let Some(mut limit) = self.limit(i, row) {
                limit.id = kept_id(row).unwrap_or_else(|| fresh_id(&limit, &mut ids));
                if let Some(share) = self.tolerated(i, row) {
                    self.tolerated.insert(limit.id.clone(), share);
                }
                limits.push(limit);
            }
        }
        limits
    }

    /// One limit without its id; `None` when a fault was noted.
    fn limit(&mut self, i: usize, row: &Row) -> Option<Limit> {
        let Some(signal) = catalogue::find(row.get("signal")) else {
            self.fault(format!("limit-{i}-signal"), "contracts-limit-signal-fault");
            return None;
        };
        let statistic: Option<Statistic> = row.get("statistic").parse().ok();
        if statistic.is_none() {
            self.fault(format!("limit-{i}-statistic"), "cases-new-statistic-fault");
        }
        let comparator = self.comparator(i, row, signal);
        let value = self.limit_value(i, row, signal);
        let min_samples = match row.get("min_samples") {
            "" => Some(None),
            text => count(text).map(Some),
        };
        if min_samples.is_none() {
            self.fault(format!("limit-{i}-min_samples"), "typed-whole-fault");
        }
        let named = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
        Some(Limit {
            id: String::new(),
            signal: signal.name.to_owned(),
            statistic: statistic?,
            comparator: comparator?,
            value: value?,
            typed_unit: row.get("unit").to_owned(),
            class: named(row.get("class")),
            band: named(row.get("band")),
            phase: match row.get("phase") {
                "cold" => LimitPhase::Cold,
                _ => LimitPhase::Warm,
            },
            min_samples: min_samples?,
        })
    }

    /// The change to the worse a limit tolerates, typed in percent; empty is none.
    fn tolerated(&mut self, i: usize, row: &Row) -> Option<f64> {
        let text = row.get("tolerated");
        if text.is_empty() {
            return None;
        }
        let percent = typed::number(self.page.lang, text).filter(|n| (0.0..=1000.0).contains(n));
        if percent.is_none() {
            self.fault(format!("limit-{i}-tolerated"), "contracts-tolerated-fault");
        }
        percent.map(|p| p / 100.0)
    }

    /// As chosen, or else the side on which the signal is better.
    fn comparator(&mut self, i: usize, row: &Row, signal: &SignalDef) -> Option<Comparator> {
        let chosen = Comparator::from_id(row.get("comparator"));
        let found = chosen.or(match signal.better {
            Better::Lower => Some(Comparator::AtMost),
            Better::Higher => Some(Comparator::AtLeast),
            Better::Neither => None,
        });
        if found.is_none() {
            self.fault(
                format!("limit-{i}-comparator"),
                "contracts-limit-side-fault",
            );
        }
        found
    }

    fn limit_value(&mut self, i: usize, row: &Row, signal: &SignalDef) -> Option<f64> {
        let lang = self.page.lang;
        match typed::value(lang, signal.unit, row.get("value"), row.get("unit")) {
            Ok(value) if value >= 0.0 => Some(value),
            Ok(_) | Err(ValueFault::Number) => {
                self.fault(format!("limit-{i}-value"), "typed-number-fault");
                None
            }
            Err(ValueFault::Unit) => {
                let name = say::signal_name(lang, signal.name);
                let units = typed::spellings(signal);
                let fault = self
                    .page
                    .t2("typed-unit-fault", "signal", name, "units", units);
                self.faults.add(format!("limit-{i}-unit"), fault);
                None
            }
        }
    }

    /// All of it or nothing of it.
    fn cost(&mut self) -> Option<CostAttribution> {
        let [resources, price, currency, period] = ["resources", "price", "currency", "period"]
            .map(|part| self.sheet.get(&format!("cost_{part}")));
        if [resources, price, currency, period]
            .iter()
            .all(|t| t.is_empty())
        {
            return None;
        }
        for (name, text) in [("cost_resources", resources), ("cost_period", period)] {
            if text.is_empty() {
                self.fault(name, "contracts-cost-fault");
            }
            self.text(name, 500);
        }
        let amount = self.number("cost_price");
        if price.is_empty() {
            self.fault("cost_price", "contracts-cost-fault");
        }
        let code = currency.to_ascii_uppercase();
        if code.len() != 3 || !code.bytes().all(|b| b.is_ascii_uppercase()) {
            self.fault("cost_currency", "contracts-currency-fault");
        }
        Some(CostAttribution {
            resources: resources.to_owned(),
            price_per_hour: amount?,
            currency: code,
            period: period.to_owned(),
        })
    }

    /// Lines `key = value`.
    fn environment(&mut self) -> BTreeMap<String, String> {
        let mut facts = BTreeMap::new();
        for line in self.sheet.get("environment").lines().map(str::trim) {
            if line.is_empty() {
                continue;
            }
            let pair = line.split_once('=').map(|(k, v)| (k.trim(), v.trim()));
            match pair {
                Some((key, value)) if is_key(key) && !value.is_empty() => {
                    if facts.insert(key.to_owned(), value.to_owned()).is_some() {
                        self.environment_fault("contracts-environment-twice-fault", key);
                    }
                }
                _ => self.environment_fault("contracts-environment-fault", line),
            }
        }
        facts
    }

    fn environment_fault(&mut self, key: &str, line: &str) {
        let fault = self.page.t1(key, "line", line);
        self.faults.add("environment", fault);
    }
}

/// A whole number as typed that also fits what JSON and the database keep exactly.
fn count(text: &str) -> Option<u64> {
    typed::whole(text).filter(|n| *n <= 1_000_000_000_000)
}

fn is_key(key: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    !key.is_empty() && key.len() <= 80 && key.bytes().all(plain)
}

/// The id a row brought with it, if it can be one.
fn kept_id(row: &Row) -> Option<String> {
    let id = row.get("id");
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
    (!id.is_empty() && id.len() <= 120 && id.bytes().all(plain)).then(|| id.to_owned())
}

/// `ttft-p99-chat-high-cold`, and with a number behind it when there is one already.
fn fresh_id(limit: &Limit, taken: &mut BTreeSet<String>) -> String {
    let statistic = limit.statistic.to_string();
    let mut parts = vec![slug(&limit.signal), slug(&statistic)];
    parts.extend(limit.class.as_deref().map(slug));
    parts.extend(limit.band.as_deref().map(slug));
    if limit.phase == LimitPhase::Cold {
        parts.push("cold".to_owned());
    }
    parts.retain(|p| !p.is_empty());
    let base = parts.join("-");
    let mut id = base.clone();
    let mut number = 2;
    while !taken.insert(id.clone()) {
        id = format!("{base}-{number}");
        number += 1;
    }
    id
}

/// Letters and digits of ASCII in lower case, everything else as single dashes; at most 24 long.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' | '.' => out.push(c),
            _ if out.ends_with('-') => {}
            _ => out.push('-'),
        }
        if out.len() >= 24 {
            break;
        }
    }
    out.trim_matches('-').to_owned()
}
