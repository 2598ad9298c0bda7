//! The contract form as it is typed: every field a text, rows numbered from 0. It is made from
//! terms, or from what a browser sent, and turned into terms by `sheet_read`.

use crate::{
    i18n::Lang,
    ladder::contract::{Band, ClassTerms, Limit, LimitPhase, Terms},
    web::{
        Page,
        conflict::Part,
        typed::{factor, plain},
    },
};
use std::collections::BTreeMap;

/// Empty rows offered after those that are filled.
const BLANK: usize = 3;
/// More rows than this are not taken from one form.
pub const MOST_ROWS: usize = 200;

/// One row of a table in the form: fields by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row(BTreeMap<String, String>);

impl Row {
    fn of<const N: usize>(fields: [(&str, String); N]) -> Self {
        Self(fields.map(|(n, v)| (n.to_owned(), v)).into())
    }

    /// What is typed in a field, without blanks around it.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |v| v.trim())
    }

    /// Whether a field holds exactly this.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == value
    }

    /// Whether these fields are all empty.
    pub fn is_blank(&self, fields: &[&str]) -> bool {
        fields.iter().all(|f| self.get(f).is_empty())
    }
}

/// Fields that make a row of classes, bands or limits count as filled.
pub const CLASS_MARKS: &[&str] = &["name", "description"];
/// The same for bands.
pub const BAND_MARKS: &[&str] = &["name", "min", "max"];
/// The same for limits; the other fields have a value in an empty row too.
pub const LIMIT_MARKS: &[&str] = &["signal", "value", "unit"];

/// The whole form as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    fields: BTreeMap<String, String>,
    /// Task classes.
    pub classes: Vec<Row>,
    /// Concurrency bands.
    pub bands: Vec<Row>,
    /// Limits.
    pub limits: Vec<Row>,
}

impl Sheet {
    /// The form as a browser sent it. Rows that were left empty go; the others move up.
    pub fn sent(pairs: &[(String, String)]) -> Self {
        let mut sheet = Self::default();
        let mut rows: BTreeMap<(&str, usize), Row> = BTreeMap::new();
        for (name, value) in pairs {
            let parts: Vec<&str> = name.splitn(3, '-').collect();
            match parts.as_slice() {
                [table @ ("class" | "band" | "limit"), index, field] => {
                    let Some(index) = index.parse().ok().filter(|i| *i < MOST_ROWS) else {
                        continue;
                    };
                    let row = rows.entry((table, index)).or_default();
                    row.0.insert((*field).to_owned(), value.clone());
                }
                _ => {
                    sheet.fields.insert(name.clone(), value.clone());
                }
            }
        }
        for ((table, _), row) in rows {
            let (rows, marks) = match table {
                "class" => (&mut sheet.classes, CLASS_MARKS),
                "band" => (&mut sheet.bands, BAND_MARKS),
                _ => (&mut sheet.limits, LIMIT_MARKS),
            };
            if !row.is_blank(marks) && !row.is("remove", "yes") {
                rows.push(row);
            }
        }
        sheet
    }

    /// The form for terms, with numbers as written in `lang`.
    pub fn of(terms: &Terms, lang: Lang) -> Self {
        let number = |v: f64| plain(lang, v);
        let mut fields = BTreeMap::new();
        let mut put = |name: &str, value: String| {
            fields.insert(name.to_owned(), value);
        };
        put("purpose", terms.purpose.clone());
        put("acceptance", terms.acceptance.definition.clone());
        put("acceptance_signal", terms.acceptance.signal.clone());
        if terms.window_seconds > 0 {
            put("window", number(f64::from(terms.window_seconds) / 60.0));
        }
        if terms.min_samples > 0 {
            put("min_samples", terms.min_samples.to_string());
        }
        let load = &terms.load;
        for (name, range) in [
            ("arrival", load.arrival_per_second),
            ("prompt", load.prompt_tokens_mean),
            ("output", load.output_tokens_mean),
            ("prompt_p95", load.prompt_tokens_p95),
            ("output_p95", load.output_tokens_p95),
            ("concurrency", load.concurrency),
        ] {
            if let Some((least, most)) = range {
                put(&format!("{name}_least"), number(least));
                put(&format!("{name}_most"), number(most));
            }
        }
        let mix = load.mix.iter();
        let mix: Vec<String> = mix
            .map(|(class, range)| share(class, *range, lang))
            .collect();
        put("mix", mix.join("\n"));
        put("load_note", load.note.clone());
        if let Some(cost) = &terms.cost {
            put("cost_resources", cost.resources.clone());
            put("cost_price", number(cost.price_per_hour));
            put("cost_currency", cost.currency.clone());
            put("cost_period", cost.period.clone());
        }
        let facts = terms.environment.iter();
        let facts: Vec<String> = facts.map(|(k, v)| format!("{k} = {v}")).collect();
        put("environment", facts.join("\n"));
        Self {
            fields,
            classes: terms.classes.iter().map(class_row).collect(),
            bands: terms.bands.iter().map(band_row).collect(),
            limits: terms
                .limits
                .iter()
                .map(|l| limit_row(l, terms.tolerated.get(&l.id), lang))
                .collect(),
        }
    }

    /// What is typed in a field outside the tables, without blanks around it.
    pub fn get(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", |v| v.trim())
    }

    /// Whether such a field holds exactly this.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == value
    }

    /// Sets a field outside the tables.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// The sheet in parts, for the page of two editors; a table is one part.
    pub fn parts(&self, page: &Page) -> Vec<Part> {
        let text =
            |name: &str, key: &str, rows: u8| Part::text(name, page.t(key), self.get(name), rows);
        let range = |name: &str, key: &str| {
            let fields = ["least", "most"].map(|side| format!("{name}_{side}"));
            let [least, most] = fields.map(|f| (f.clone(), self.get(&f).to_owned()));
            let shown = format!("{} – {}", least.1, most.1);
            Part::group(name, page.t(key), vec![least, most], shown)
        };
        let table = |name: &str, key: &str, rows: &[Row]| {
            let fields = |(i, row): (usize, &Row)| {
                let named = |(f, v): (&String, &String)| (format!("{name}-{i}-{f}"), v.clone());
                row.0.iter().map(named).collect::<Vec<_>>()
            };
            let words = |row: &Row| {
                let order = [
                    "signal",
                    "statistic",
                    "comparator",
                    "value",
                    "unit",
                    "name",
                    "description",
                    "min",
                    "max",
                    "class",
                    "band",
                    "phase",
                    "min_samples",
                ];
                let said = order.iter().map(|f| row.get(f)).filter(|v| !v.is_empty());
                said.collect::<Vec<_>>().join(" ")
            };
            let shown: Vec<String> = rows.iter().map(words).collect();
            let pairs = rows.iter().enumerate().flat_map(fields).collect();
            Part::group(
                &format!("{name}-table"),
                page.t(key),
                pairs,
                shown.join("; "),
            )
        };
        vec![
            text("purpose", "contracts-purpose", 2),
            table("class", "contracts-part-classes", &self.classes),
            table("band", "contracts-part-bands", &self.bands),
            text("acceptance", "contracts-acceptance", 2),
            text("acceptance_signal", "contracts-acceptance-signal", 1),
            text("window", "contracts-window", 1),
            text("min_samples", "contracts-min-samples", 1),
            table("limit", "contracts-part-limits", &self.limits),
            range("arrival", "contracts-arrival"),
            range("prompt", "contracts-prompt"),
            range("output", "contracts-output"),
            text("mix", "contracts-mix", 3),
            text("load_note", "contracts-load-note", 2),
            text("cost_resources", "contracts-cost-resources", 1),
            text("cost_price", "contracts-cost-price", 1),
            text("cost_currency", "contracts-cost-currency", 1),
            text("cost_period", "contracts-cost-period", 1),
            text("environment", "contracts-environment", 4),
        ]
    }

    /// Adds rows for task classes of the service, to be kept or emptied.
    pub fn add_classes(&mut self, names: &[String]) {
        let row = |name: &String| Row::of([("name", name.clone())]);
        self.classes.extend(names.iter().map(row));
    }

    /// Adds the empty rows that the page offers, `more` of them in addition.
    #[must_use]
    pub fn with_blank_rows(mut self, more: usize) -> Self {
        let limit = Row::of([
            ("statistic", "p99".to_owned()),
            ("phase", "warm".to_owned()),
        ]);
        for (rows, blank) in [
            (&mut self.classes, Row::default()),
            (&mut self.bands, Row::default()),
            (&mut self.limits, limit),
        ] {
            let count = (rows.len() + BLANK + more).min(MOST_ROWS);
            rows.resize(count.max(rows.len()), blank);
        }
        self
    }
}

/// `chat = 60 - 80`, in per cent, as the form takes it.
pub fn share(class: &str, (least, most): (f64, f64), lang: Lang) -> String {
    // Per cent with the digits that were typed: 0.29 is 29, not 28.999999999999996.
    let percent = |v: f64| {
        let typed = v * 100.0;
        plain(lang, format!("{typed:.12}").parse().unwrap_or(typed))
    };
    format!("{class} = {} - {}", percent(least), percent(most))
}

fn class_row(class: &ClassTerms) -> Row {
    Row::of([
        ("name", class.name.clone()),
        ("description", class.description.clone()),
    ])
}

fn band_row(band: &Band) -> Row {
    Row::of([
        ("name", band.name.clone()),
        ("min", band.min.to_string()),
        ("max", band.max.to_string()),
    ])
}

fn limit_row(limit: &Limit, tolerated: Option<&f64>, lang: Lang) -> Row {
    let shown = limit.value / factor(limit.unit(), &limit.typed_unit);
    let phase = match limit.phase {
        LimitPhase::Warm => "warm",
        LimitPhase::Cold => "cold",
    };
    Row::of([
        ("id", limit.id.clone()),
        ("signal", limit.signal.clone()),
        ("statistic", limit.statistic.to_string()),
        ("comparator", limit.comparator.id().to_owned()),
        ("value", plain(lang, shown)),
        ("unit", limit.typed_unit.clone()),
        ("class", limit.class.clone().unwrap_or_default()),
        ("band", limit.band.clone().unwrap_or_default()),
        ("phase", phase.to_owned()),
        (
            "min_samples",
            limit
                .min_samples
                .map_or_else(String::new, |n| n.to_string()),
        ),
        (
            "tolerated",
            tolerated.map_or_else(String::new, |t| plain(lang, t * 100.0)),
        ),
    ])
}
