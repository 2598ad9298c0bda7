//! What the columns of a log mean: said by a person, known from the format, or guessed from their
//! names; and what is asked where a guess leaves something open.

use super::{
    cells::{Slot, TimeUnit},
    delimited::Cells,
    json,
    known::Known,
    names,
    names::Said,
    number,
};
use crate::{
    Refusal,
    mapping::{
        Field, Layout, MOST_EXAMPLES, MOST_ROWS, Mapping, Meaning, Numbers, Proposal, Proposed,
        Question, Subject, fingerprint,
    },
};
use std::collections::BTreeMap;

/// The beginning of a log: how it is written, its columns, and its first rows.
#[derive(Debug, Clone)]
pub struct Sample {
    /// How it is written.
    pub layout: Layout,
    /// Names of the columns: the header's, or the paths of the first objects.
    pub columns: Vec<String>,
    /// The first rows, a cell per column.
    pub rows: Vec<Vec<String>>,
    /// First rows that have more or fewer cells than the header.
    pub strange: usize,
}

/// Most columns of a log.
const MOST_COLUMNS: usize = 512;

impl Sample {
    /// Looks at the head of a file; `None` when it is neither a table with a header nor lines of
    /// JSON objects.
    pub fn of(head: &[u8], whole: bool) -> Option<Self> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let start = head.iter().position(|b| !b.is_ascii_whitespace())?;
        if head[start] == b'{' {
            return Self::of_json(&head[start..], whole);
        }
        Self::of_table(&head[start..], whole)
    }

    /// Lines that lie whole in the head.
    fn lines(head: &[u8], whole: bool) -> impl Iterator<Item = &[u8]> {
        let end = match memchr::memrchr(b'\n', head) {
            Some(end) if !whole => end,
            _ => head.len(),
        };
        head[..end]
            .split(|b| *b == b'\n')
            .map(|l| l.strip_suffix(b"\r").unwrap_or(l))
            .filter(|l| !l.trim_ascii().is_empty())
    }

    fn of_json(head: &[u8], whole: bool) -> Option<Self> {
        let mut columns: Vec<String> = Vec::new();
        let mut found: Vec<BTreeMap<usize, String>> = Vec::new();
        let mut path = Vec::new();
        for line in Self::lines(head, whole).take(MOST_ROWS) {
            let mut row = BTreeMap::new();
            let scanned = json::scan(line, &mut path, &mut |path, value| {
                let name = String::from_utf8_lossy(path);
                let place = columns.iter().position(|c| *c == name);
                let place = place.unwrap_or_else(|| {
                    columns.push(name.into_owned());
                    columns.len() - 1
                });
                let text = match value {
                    json::Value::List(list) => list,
                    other => other.bytes(),
                };
                let text = String::from_utf8_lossy(&text[..text.len().min(200)]);
                row.insert(place, text.into_owned());
            });
            match scanned {
                Ok(()) => found.push(row),
                // The last line of a head may be cut; any other is for the reader to judge.
                Err(_) if found.is_empty() => return None,
                Err(_) => break,
            }
        }
        columns.truncate(MOST_COLUMNS);
        let row = |r: BTreeMap<usize, String>| {
            (0..columns.len())
                .map(|i| r.get(&i).cloned().unwrap_or_default())
                .collect()
        };
        let rows: Vec<Vec<String>> = found.into_iter().map(row).collect();
        (!columns.is_empty()).then_some(Self {
            layout: Layout::JsonLines,
            columns,
            rows,
            strange: 0,
        })
    }

    fn of_table(head: &[u8], whole: bool) -> Option<Self> {
        let first = Self::lines(head, whole).next()?;
        let mut cells = Cells::default();
        let counted = |delimiter: u8, cells: &mut Cells| {
            if cells.cut(first, delimiter) {
                cells.len()
            } else {
                0
            }
        };
        let layouts = [Layout::Comma, Layout::Semicolon, Layout::Tab, Layout::Bar];
        let (layout, delimiter) = layouts
            .into_iter()
            .filter_map(|l| Some((l, l.delimiter()?)))
            .max_by_key(|(l, d)| (counted(*d, &mut cells), std::cmp::Reverse(*l as u8)))?;
        let mut rows = Vec::new();
        for line in Self::lines(head, whole).take(MOST_ROWS + 1) {
            if !cells.cut(line, delimiter) {
                break;
            }
            let row: Vec<String> = (0..cells.len().min(MOST_COLUMNS))
                .filter_map(|i| cells.get(line, i))
                .map(|c| String::from_utf8_lossy(&c[..c.len().min(200)]).into_owned())
                .collect();
            rows.push(row);
        }
        if rows.is_empty() || rows[0].len() < 2 {
            return None;
        }
        let mut columns = rows.remove(0);
        // A header holds names; a first row of numbers is none.
        if columns
            .iter()
            .any(|c| number::parse(c.as_bytes()).is_some())
        {
            return None;
        }
        for i in 0..columns.len() {
            let same = (0..i).filter(|j| columns[*j] == columns[i]).count();
            if same > 0 {
                columns[i] = format!("{}#{}", columns[i], same + 1);
            }
        }
        // A row of another width says nothing about the columns; the reader counts it.
        let all = rows.len();
        rows.retain(|row| row.len() == columns.len());
        Some(Self {
            layout,
            columns,
            strange: all - rows.len(),
            rows,
        })
    }

    /// The texts of a column that say something.
    fn texts(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows
            .iter()
            .filter_map(move |r| r.get(column))
            .map(String::as_str)
            .filter(|t| !super::words::is_blank(t.as_bytes()))
    }
}

/// What the columns mean, and what is not sure about it.
#[derive(Debug, Clone)]
pub struct Guess {
    /// The meaning.
    pub mapping: Mapping,
    /// What it leaves open.
    pub questions: Vec<Question>,
    /// The format, when it is a known one.
    pub known: Option<Known>,
}

/// Guesses what the columns of a log mean. `None` when they are not those of a request log.
pub fn guess(sample: &Sample) -> Option<Guess> {
    if let Some(known) = Known::of(&sample.columns) {
        return Some(of_known(sample, known));
    }
    let mut taken: BTreeMap<Field, Vec<(usize, Said)>> = BTreeMap::new();
    for (i, column) in sample.columns.iter().enumerate() {
        if let Some(said) = names::said(column) {
            let said = settle(said, sample, i);
            taken.entry(said.field).or_default().push((i, said));
        }
    }
    let mut guess = Guess {
        mapping: Mapping::new(Subject::Requests),
        questions: Vec::new(),
        known: None,
    };
    if let Some(delimiter) = sample.layout.delimiter() {
        let cells: Vec<String> = sample.rows.iter().flatten().cloned().collect();
        guess.mapping.numbers = names::numbers(delimiter, &cells);
    }
    let mut fields = Vec::new();
    for (field, mut columns) in taken {
        // A looser name gives way to a sure one.
        if columns.iter().any(|(_, s)| !s.loose) {
            columns.retain(|(_, s)| !s.loose);
        }
        if columns.len() > 1 && field != Field::Itl {
            for (i, _) in &columns {
                let question = Question::new(&sample.columns[*i], "meaning");
                guess.questions.push(question);
            }
        }
        let (i, _) = columns[0];
        let column = &sample.columns[i];
        let unit = unit(sample, i, &columns[0].1);
        if takes_unit(field) && unit.is_none() {
            guess.questions.push(Question::new(column, "unit"));
        }
        fields.push(field);
        guess.mapping = guess.mapping.with(column, Meaning::Field { field, unit });
    }
    is_log(&fields).then_some(guess)
}

/// `first_token_time` and `last_token_time` are moments when they look like moments.
fn settle(mut said: Said, sample: &Sample, column: usize) -> Said {
    let moment = |t: &str| {
        number::date(t.as_bytes()).is_some() || number::epoch_exponent(t.as_bytes()).is_some()
    };
    let moments = sample.texts(column).count() > 0 && sample.texts(column).all(moment);
    let as_moment = match said.field {
        Field::Ttft if said.loose => Some(Field::FirstTokenTime),
        Field::QueueTime if said.loose => Some(Field::QueuedTime),
        _ => None,
    };
    if let Some(field) = as_moment.filter(|_| moments) {
        said.field = field;
    }
    said
}

fn of_known(sample: &Sample, known: Known) -> Guess {
    let mut mapping = Mapping::new(Subject::Requests);
    let mut fields = Vec::new();
    for (column, field, unit) in known.columns() {
        let here = sample.columns.iter().any(|c| c == column);
        if here && !fields.contains(field) {
            fields.push(*field);
            let unit = unit.map(str::to_owned);
            mapping = mapping.with(
                column,
                Meaning::Field {
                    field: *field,
                    unit,
                },
            );
        }
    }
    Guess {
        mapping,
        questions: Vec::new(),
        known: Some(known),
    }
}

/// Whether columns of these facts make a log of requests: something was measured per request, and
/// something tells one request from another.
fn is_log(fields: &[Field]) -> bool {
    use Field as F;
    let count = |some: &[F]| some.iter().filter(|f| fields.contains(f)).count();
    let spans = count(&[
        F::Ttft,
        F::E2e,
        F::Tpot,
        F::Itl,
        F::QueueTime,
        F::PrefillTime,
    ]);
    let tokens = count(&[F::PromptTokens, F::OutputTokens]);
    let later = count(&[F::FirstTokenTime, F::FinishTime]);
    let who = count(&[
        F::RequestId,
        F::Session,
        F::Status,
        F::Accepted,
        F::Retries,
        F::Attempt,
    ]);
    let when = count(&[F::StartTime, F::IntendedTime, F::QueuedTime]);
    let values = spans + tokens + later;
    values > 0 && (who > 0 || (when > 0 && (tokens == 2 || later > 0 || spans > 1)))
}

fn is_time(field: Field) -> bool {
    use Field as F;
    matches!(
        field,
        F::IntendedTime
            | F::StartTime
            | F::QueuedTime
            | F::ScheduledTime
            | F::FirstTokenTime
            | F::FinishTime
    )
}

fn is_tokens(field: Field) -> bool {
    matches!(
        field,
        Field::PromptTokens | Field::CachedTokens | Field::OutputTokens
    )
}

fn takes_unit(field: Field) -> bool {
    use Field as F;
    let span = matches!(
        field,
        F::Ttft | F::Itl | F::Tpot | F::E2e | F::QueueTime | F::PrefillTime | F::DecodeTime
    );
    span || is_time(field) || is_tokens(field)
}

/// The unit of a column; `None` where neither its name nor its values leave no doubt.
fn unit(sample: &Sample, column: usize, said: &Said) -> Option<String> {
    if is_tokens(said.field) {
        return Some("tokens".to_owned());
    }
    if !takes_unit(said.field) {
        return None;
    }
    let named = said.unit.filter(|u| TimeUnit::of(u).is_some());
    if !is_time(said.field) {
        return named.map(str::to_owned);
    }
    let mut texts = sample.texts(column).peekable();
    texts.peek()?;
    let texts: Vec<&[u8]> = texts.map(str::as_bytes).collect();
    if texts.iter().all(|t| number::date(t).is_some()) {
        return Some("date".to_owned());
    }
    let powers: Vec<Option<i32>> = texts.iter().map(|t| number::epoch_exponent(t)).collect();
    match powers.first().copied().flatten() {
        Some(power) if powers.iter().all(|p| *p == Some(power)) => {
            let spelling = match power {
                0 => "s",
                -3 => "ms",
                -6 => "us",
                _ => "ns",
            };
            // A name that contradicts the size of the numbers leaves the question open.
            let agrees = named.is_none_or(|n| TimeUnit::of(n) == TimeUnit::of(spelling));
            agrees.then(|| spelling.to_owned())
        }
        // Moments since some start: their unit can only stand in the name.
        None if powers.iter().all(Option::is_none) => named.map(str::to_owned),
        _ => None,
    }
}

/// What a person is asked about a log.
pub fn proposal(sample: &Sample, guess: Guess) -> Proposal {
    let columns: Vec<Proposed> = sample
        .columns
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let mut examples: Vec<String> = Vec::new();
            for text in sample.texts(i) {
                let text = crate::reading::tame(text);
                if examples.len() < MOST_EXAMPLES && !examples.contains(&text) {
                    examples.push(text);
                }
            }
            Proposed {
                name: crate::reading::tame(name),
                numeric: sample
                    .texts(i)
                    .all(|t| number::parse(t.as_bytes()).is_some()),
                examples,
            }
        })
        .collect();
    let rows = sample
        .rows
        .iter()
        .take(MOST_ROWS)
        .map(|r| r.iter().map(|c| crate::reading::tame(c)).collect())
        .collect();
    Proposal {
        layout: sample.layout,
        columns,
        rows,
        rows_seen: None,
        measures: Vec::new(),
        guess: guess.mapping,
        questions: guess.questions,
        fingerprint: fingerprint(sample.layout, sample.columns.iter().map(String::as_str)),
    }
}

/// The columns that a mapping takes, as slots, with how numbers are written.
///
/// # Errors
/// What [`Mapping::check`] says; `mapping-column-missing` when a column is not in the file.
pub fn slots(
    mapping: &Mapping,
    sample: &Sample,
    file: &str,
) -> Result<(Vec<Slot>, Numbers), Refusal> {
    mapping.check(file)?;
    if mapping.subject != Subject::Requests {
        return Err(Refusal::new(file, "requests-mapping-subject"));
    }
    let missing = |column: &str| {
        let known = sample.columns.iter().any(|c| c == column);
        // Paths that only some objects have may come later in a file of JSON.
        (!known && sample.layout != Layout::JsonLines)
            .then(|| Refusal::new(file, "requests-column-missing").arg("column", column))
    };
    let mut out = Vec::new();
    for column in &mapping.columns {
        let (field, unit) = match &column.means {
            Meaning::Field { field, unit } => (*field, unit.as_deref()),
            // Of labels a request knows its class; others have no meaning yet.
            Meaning::Label { label } if label == "class" => (Field::Class, None),
            _ => continue,
        };
        if let Some(refusal) = missing(&column.column) {
            return Err(refusal);
        }
        out.push(Slot {
            name: column.column.clone(),
            field,
            unit: unit.and_then(TimeUnit::of).unwrap_or(TimeUnit::Power(0)),
        });
    }
    if let Some(refusal) = mapping.only.as_ref().and_then(|o| missing(&o.column)) {
        return Err(refusal);
    }
    Ok((out, mapping.numbers))
}
