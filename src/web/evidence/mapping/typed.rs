//! The fields of the mapping form: from a mapping to fields, and from what was typed back.

use super::{PreviewRow, takes_unit};
use crate::web::{Page, form::Faults, say, typed};
use pel_evidence::{
    Mapping, Proposal, Signal,
    mapping::{Column, Field, Meaning, Measure, Numbers, Only, Subject, Takes, Thousands, Unclear},
};
use std::collections::HashMap;

/// One column of the form.
pub(in crate::web::evidence) struct ColumnRow {
    pub at: usize,
    pub name: String,
    pub examples: String,
    /// Value of the select: `signal:ttft`, `label:class`, `samples`, …
    pub means: String,
    pub statistic: String,
    pub unit: String,
}

/// One name of a tall table.
pub(in crate::web::evidence) struct MeasureRow {
    pub at: usize,
    pub name: String,
    pub signal: String,
    pub statistic: String,
    pub unit: String,
}

/// The columns as the mapping has them.
pub(super) fn columns(asks: &Proposal, mapping: &Mapping) -> Vec<ColumnRow> {
    let open = |column: &str, code: &str| {
        mapping == &asks.guess
            && asks
                .questions
                .iter()
                .any(|q| q.column == column && q.code == code)
    };
    asks.columns
        .iter()
        .enumerate()
        .map(|(at, c)| {
            let (means, statistic, unit) = fields(mapping.meaning(&c.name));
            ColumnRow {
                at,
                name: c.name.clone(),
                examples: c.examples.join(" · "),
                means,
                // What was only assumed is left to be chosen.
                statistic: if open(&c.name, "statistic") {
                    String::new()
                } else {
                    statistic
                },
                unit,
            }
        })
        .collect()
}

fn fields(means: &Meaning) -> (String, String, String) {
    let none = String::new;
    match means {
        Meaning::Ignored => (none(), none(), none()),
        Meaning::Field { field, unit } => (
            format!("field:{}", field.id()),
            none(),
            unit.clone().unwrap_or_default(),
        ),
        Meaning::Signal {
            signal,
            statistic,
            unit,
        } => (
            format!("signal:{signal}"),
            statistic.to_string(),
            unit.clone(),
        ),
        Meaning::Label { label } => (format!("label:{label}"), none(), none()),
        Meaning::Samples => ("samples".to_owned(), none(), none()),
        Meaning::Measure => ("measure".to_owned(), none(), none()),
        Meaning::Value { statistic } => (
            "value".to_owned(),
            statistic.map(|s| s.to_string()).unwrap_or_default(),
            none(),
        ),
        Meaning::Unit => ("unit".to_owned(), none(), none()),
    }
}

/// The names of a tall table as the mapping has them.
pub(super) fn measures(asks: &Proposal, mapping: &Mapping) -> Vec<MeasureRow> {
    asks.measures
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let m = mapping.measures.get(name);
            MeasureRow {
                at,
                name: name.clone(),
                signal: m.map(|m| m.signal.clone()).unwrap_or_default(),
                statistic: m
                    .and_then(|m| m.statistic)
                    .map(|s| s.to_string())
                    .unwrap_or_default(),
                unit: m.and_then(|m| m.unit.clone()).unwrap_or_default(),
            }
        })
        .collect()
}

/// The mapping that was typed. What cannot be one is a fault at its field.
pub(super) fn read(
    page: &Page,
    asks: &Proposal,
    form: &HashMap<String, String>,
    faults: &mut Faults,
) -> Mapping {
    let text = |name: &str| form.get(name).map_or("", |t| t.trim());
    let mut mapping = Mapping::new(match text("subject") {
        "requests" => Subject::Requests,
        _ => Subject::Measurements,
    });
    // Which line has the names is the reader's finding: another one would make other columns.
    mapping.header = asks.guess.header;
    mapping.numbers = Numbers {
        decimal_comma: text("decimal") == "comma",
        thousands: thousands(text("thousands")),
    };
    for (at, c) in asks.columns.iter().enumerate() {
        let statistic = text(&format!("stat-{at}")).parse().ok();
        let unit = text(&format!("unit-{at}")).to_owned();
        let chosen = text(&format!("as-{at}"));
        let (kind, name) = chosen.split_once(':').unwrap_or((chosen, ""));
        let means = match kind {
            "signal" => match statistic {
                Some(statistic) => Meaning::Signal {
                    signal: name.to_owned(),
                    statistic,
                    unit,
                },
                None => {
                    faults.add(format!("stat-{at}"), page.t("attest-fault-statistic"));
                    continue;
                }
            },
            "field" => match Field::from_id(name) {
                Some(field) => Meaning::Field {
                    field,
                    unit: (takes_unit(field) && !unit.is_empty()).then_some(unit),
                },
                None => continue,
            },
            "label" => Meaning::Label {
                label: name.to_owned(),
            },
            "samples" => Meaning::Samples,
            "measure" => Meaning::Measure,
            "value" => Meaning::Value { statistic },
            "unit" => Meaning::Unit,
            _ => continue,
        };
        mapping.columns.push(Column {
            column: c.name.clone(),
            means,
        });
    }
    for (at, name) in asks.measures.iter().enumerate() {
        let signal = text(&format!("msignal-{at}"));
        let unit = text(&format!("munit-{at}"));
        if !signal.is_empty() {
            let measure = Measure {
                signal: signal.to_owned(),
                statistic: text(&format!("mstat-{at}")).parse().ok(),
                unit: (!unit.is_empty()).then(|| unit.to_owned()),
            };
            mapping.measures.insert(name.clone(), measure);
        }
    }
    // Names without the column that holds them mean nothing.
    if !mapping.columns.iter().any(|c| c.means == Meaning::Measure) {
        mapping.measures.clear();
    }
    let only = text("only-column");
    if asks.columns.iter().any(|c| c.name == only) {
        mapping.only = Some(Only {
            column: only.to_owned(),
            text: text("only-text").to_owned(),
        });
    }
    if !text("samples").is_empty() {
        mapping.samples = typed::whole(text("samples")).filter(|n| *n > 0);
        if mapping.samples.is_none() {
            faults.add("samples", page.t("attest-fault-samples"));
        }
    }
    mapping
}

/// Whether a column says on how many observations the values stand.
pub(super) fn counts_samples(mapping: &Mapping) -> bool {
    mapping.columns.iter().any(|c| c.means == Meaning::Samples)
}

fn thousands(id: &str) -> Option<Thousands> {
    [
        Thousands::Comma,
        Thousands::Point,
        Thousands::Blank,
        Thousands::Apostrophe,
        Thousands::Underscore,
    ]
    .into_iter()
    .find(|t| thousands_id(Some(*t)) == id)
}

/// The value of the select.
pub(super) fn thousands_id(of: Option<Thousands>) -> &'static str {
    match of {
        None => "",
        Some(Thousands::Comma) => "comma",
        Some(Thousands::Point) => "point",
        Some(Thousands::Blank) => "blank",
        Some(Thousands::Apostrophe) => "apostrophe",
        Some(Thousands::Underscore) => "underscore",
    }
}

/// What the mapping of a request log makes of the rows shown: the numbers with their units.
pub(super) fn requests(
    page: &Page,
    mapping: &Mapping,
    names: &[String],
    rows: &[Vec<String>],
) -> Vec<PreviewRow> {
    rows.iter()
        .enumerate()
        .map(|(at, cells)| {
            let mut row = PreviewRow {
                number: at as u64 + 1,
                words: Vec::new(),
                wrong: false,
            };
            for (name, cell) in names.iter().zip(cells) {
                let Meaning::Field { field, unit } = mapping.meaning(name) else {
                    continue;
                };
                let word = page.t(&say::key("field", field.id()));
                let shown = value(page, mapping.numbers, *field, unit.as_deref(), cell);
                row.wrong |= shown.is_err();
                row.words.push(match shown {
                    Ok(shown) => format!("{word} {shown}"),
                    Err(code) => page.t2(code, "text", cell, "column", name),
                });
            }
            row
        })
        .collect()
}

fn value(
    page: &Page,
    numbers: Numbers,
    field: Field,
    unit: Option<&str>,
    cell: &str,
) -> Result<String, &'static str> {
    // Lists of gaps and written dates are the reader's to take apart.
    let plain = field.takes() == Takes::Text || unit == Some("date") || field == Field::Itl;
    if plain {
        return Ok(cell.to_owned());
    }
    match numbers.parse(cell) {
        Ok(None) => Ok("–".to_owned()),
        Ok(Some(n)) => {
            let base = field.takes().unit();
            let n = unit.and_then(|u| base.to_base(n, u)).unwrap_or(n);
            let mut signal = Signal::new("ttft", pel_evidence::Statistic::Last, n);
            signal.unit = base;
            Ok(say::value(page.lang, &signal))
        }
        Err(Unclear::Separator) => Err("refusal-table-separator"),
        Err(Unclear::NotANumber) => Err("refusal-table-not-a-number"),
    }
}
