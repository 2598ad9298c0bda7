//! What a table would be taken for: a mapping that a person looks over, with what it leaves open.

use super::{cells::Table, delimited::notations, synonyms};
use crate::{
    Mapping, Statistic, Unit, catalogue,
    mapping::{
        Column, Layout, Meaning, Measure, Named, Numbers, Proposed, Question, Subject, Unclear,
    },
};

/// The notation of a table's numbers by its cells; true when two notations fit equally well.
pub fn numbers<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> (Numbers, bool) {
    let unclear = |n: Numbers| {
        cells
            .clone()
            .filter(|c| n.parse(c) == Err(Unclear::Separator))
            .count()
    };
    let all: Vec<(Numbers, usize)> = notations().map(|n| (n, unclear(n))).collect();
    let least = all.iter().map(|(_, n)| *n).min().unwrap_or(0);
    let mut fitting = all.iter().filter(|(_, n)| *n == least).map(|(n, _)| *n);
    let first = fitting.next().unwrap_or_default();
    // Numbers without any separator fit all; then the plain notation is no guess.
    let plain = all.first().is_some_and(|(_, n)| *n == least);
    let other = fitting.any(|n| cells.clone().any(|c| value(n, c) != value(first, c)));
    (first, !plain && other)
}

fn value(n: Numbers, cell: &str) -> Option<u64> {
    n.parse(cell).ok().flatten().map(f64::to_bits)
}

/// A mapping for the table, and the questions it leaves open.
pub fn mapping(
    table: &Table,
    columns: &[Proposed],
    numbers: (Numbers, bool),
    measures: &[String],
) -> (Mapping, Vec<Question>) {
    let mut guess = Guess {
        mapping: Mapping::new(Subject::Measurements),
        questions: Vec::new(),
    };
    guess.mapping.header = table.header;
    if !is_json(table.layout) {
        guess.mapping.numbers = numbers.0;
        if numbers.1 {
            guess.questions.push(Question::new("", "decimal"));
        }
    }
    match tall(columns) {
        Some(at) if !measures.is_empty() => guess.tall(columns, at, measures),
        _ => guess.wide(columns),
    }
    let rows_alike = guess
        .mapping
        .columns
        .iter()
        .all(|c| !matches!(c.means, Meaning::Label { .. } | Meaning::Measure));
    if table.rows > 1 && rows_alike {
        guess.questions.push(Question::new("", "rows"));
    }
    if !finds_a_signal(&guess.mapping) {
        guess.questions.push(Question::new("", "meaning"));
    }
    let samples = guess
        .mapping
        .columns
        .iter()
        .any(|c| c.means == Meaning::Samples);
    if !samples {
        guess.questions.push(Question::new("", "samples"));
    }
    (guess.mapping, guess.questions)
}

/// Whether the layout says itself what is a number.
pub fn is_json(layout: Layout) -> bool {
    matches!(
        layout,
        Layout::JsonArray | Layout::JsonObject | Layout::JsonLines
    )
}

/// The column that names measures: text, headed as such or the only text, beside columns of values.
pub fn tall(columns: &[Proposed]) -> Option<usize> {
    let values = columns
        .iter()
        .any(|c| c.numeric && synonyms::value(&c.name).is_some());
    if !values {
        return None;
    }
    let text = |c: &Proposed| !c.numeric && !c.examples.is_empty();
    columns
        .iter()
        .position(|c| text(c) && synonyms::is_measure(&Named::of(&c.name).stem))
        .or_else(|| {
            columns.iter().position(|c| {
                c.examples
                    .iter()
                    .any(|e| synonyms::signal(&Named::of(e).stem).is_some())
                    && text(c)
            })
        })
}

struct Guess {
    mapping: Mapping,
    questions: Vec<Question>,
}

impl Guess {
    fn put(&mut self, column: &str, means: Meaning) {
        self.mapping.columns.push(Column {
            column: column.to_owned(),
            means,
        });
    }

    fn taken(&self, means: &Meaning) -> bool {
        self.mapping.columns.iter().any(|c| c.means == *means)
    }

    fn wide(&mut self, columns: &[Proposed]) {
        for c in columns {
            let named = Named::of(&c.name);
            let leaf = c.name.rsplit('.').next().map(Named::of).unwrap_or_default();
            let stem = [&named.stem, &leaf.stem]
                .into_iter()
                .find_map(|s| synonyms::signal(s));
            if let Some(signal) = stem.filter(|_| c.numeric) {
                let unit = named.unit.or(leaf.unit);
                let statistic = named.statistic.or(leaf.statistic);
                self.signal(&c.name, signal, statistic, unit);
            } else if let Some(label) = synonyms::label(&named.stem) {
                let means = Meaning::Label {
                    label: label.to_owned(),
                };
                let means = if self.taken(&means) {
                    Meaning::Ignored
                } else {
                    means
                };
                self.put(&c.name, means);
            } else if c.numeric
                && synonyms::is_samples(&named.stem)
                && !self.taken(&Meaning::Samples)
            {
                self.put(&c.name, Meaning::Samples);
            } else {
                self.put(&c.name, Meaning::Ignored);
            }
        }
    }

    /// A guessed signal. What the name does not say is asked: an empty unit belongs to nothing.
    fn signal(
        &mut self,
        column: &str,
        signal: &str,
        statistic: Option<Statistic>,
        unit: Option<&'static str>,
    ) {
        let base = catalogue::find(signal).map_or(Unit::Count, |d| d.unit);
        let unit = unit_for(base, unit);
        if unit.is_empty() {
            self.questions.push(Question::new(column, "unit"));
        }
        let statistic = statistic.or_else(|| usual(base)).unwrap_or_else(|| {
            self.questions.push(Question::new(column, "statistic"));
            Statistic::Mean
        });
        let means = Meaning::Signal {
            signal: signal.to_owned(),
            statistic,
            unit: unit.to_owned(),
        };
        self.put(column, means);
    }

    fn tall(&mut self, columns: &[Proposed], measure: usize, measures: &[String]) {
        let unit_column = columns
            .iter()
            .position(|c| synonyms::is_unit(&Named::of(&c.name).stem));
        let mut every_value_says = true;
        for (at, c) in columns.iter().enumerate() {
            let named = Named::of(&c.name);
            let means = if at == measure {
                Meaning::Measure
            } else if Some(at) == unit_column {
                Meaning::Unit
            } else if c.numeric
                && synonyms::is_samples(&named.stem)
                && !self.taken(&Meaning::Samples)
            {
                Meaning::Samples
            } else if let (true, Some(statistic)) = (c.numeric, synonyms::value(&c.name)) {
                every_value_says &= statistic.is_some();
                Meaning::Value { statistic }
            } else if let Some(label) = synonyms::label(&named.stem) {
                Meaning::Label {
                    label: label.to_owned(),
                }
            } else {
                Meaning::Ignored
            };
            self.put(&c.name, means);
        }
        for name in measures {
            let named = Named::of(name);
            let Some(signal) = synonyms::signal(&named.stem) else {
                continue;
            };
            let base = catalogue::find(signal).map_or(Unit::Count, |d| d.unit);
            let unit = unit_for(base, named.unit);
            if unit.is_empty() && unit_column.is_none() {
                self.questions.push(Question::new(name, "unit"));
            }
            let statistic = named.statistic.or_else(|| usual(base));
            if statistic.is_none() && !every_value_says {
                self.questions.push(Question::new(name, "statistic"));
            }
            let measure = Measure {
                signal: signal.to_owned(),
                statistic,
                unit: (!unit.is_empty()).then(|| unit.to_owned()),
            };
            self.mapping.measures.insert(name.clone(), measure);
        }
    }
}

/// The unit as the signal spells it; empty when the name says none that belongs to it. A plain
/// count has only one.
fn unit_for(base: Unit, said: Option<&'static str>) -> &'static str {
    if let Some(unit) = said.filter(|u| base.to_base(1.0, u).is_some()) {
        return unit;
    }
    match base {
        Unit::Count | Unit::Tokens if said.is_none() => base.spellings()[0].0,
        _ => "",
    }
}

/// The statistic that a number of this unit is when its name says none.
fn usual(base: Unit) -> Option<Statistic> {
    match base {
        Unit::PerSecond | Unit::TokensPerSecond => Some(Statistic::Rate),
        Unit::Ratio => Some(Statistic::Ratio),
        _ => None,
    }
}

/// Whether most captured texts of a column read as numbers: an `OOM` among them is no reason not
/// to ask about the column.
pub fn numeric<'a>(numbers: Numbers, cells: impl Iterator<Item = &'a str>) -> bool {
    let (mut found, mut other) = (0_u32, 0_u32);
    for cell in cells {
        match numbers.parse(cell) {
            Ok(Some(_)) | Err(Unclear::Separator) => found += 1,
            Ok(None) => {}
            Err(Unclear::NotANumber) => other += 1,
        }
    }
    found > 0 && found >= other
}

/// Whether a guess found a signal or values.
pub fn finds_a_signal(mapping: &Mapping) -> bool {
    let read = |m: &Meaning| matches!(m, Meaning::Signal { .. } | Meaning::Value { .. });
    mapping.columns.iter().any(|c| read(&c.means))
}
