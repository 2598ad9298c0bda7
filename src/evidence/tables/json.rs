//! Tables in JSON: an array of objects, one object a line, one object. Whatever is nested becomes
//! a column named by its path.

use super::{
    Each,
    cells::{Cell, Table},
    refused,
};
use crate::Refusal;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::{collections::BTreeMap, fmt, io::BufRead};

/// Most values of one object.
const MOST_VALUES: usize = 20_000;
/// Longest line of JSON lines, in bytes.
const MOST_LINE: u64 = 1 << 20;

type Named = Vec<(String, Cell)>;

/// Goes through the elements of an array.
pub fn array(table: &mut Table, input: &mut dyn BufRead, each: Each<'_>) -> Result<(), Refusal> {
    let file = table.file.clone();
    let mut refusal = None;
    let mut json = serde_json::Deserializer::from_reader(input);
    let seed = Elements {
        table,
        each,
        refusal: &mut refusal,
    };
    let done = seed.deserialize(&mut json).and_then(|()| json.end());
    match (refusal, done) {
        (Some(refusal), _) => Err(refusal),
        (None, Err(error)) => Err(broken(&file, error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Takes one object: a row of its own, or columns of equally many values.
pub fn object(table: &mut Table, input: &mut dyn BufRead, each: Each<'_>) -> Result<(), Refusal> {
    let file = table.file.clone();
    let mut named = Vec::new();
    let mut json = serde_json::Deserializer::from_reader(input);
    flatten(&mut named, &mut json)
        .and_then(|()| json.end())
        .map_err(|e| broken(&file, e))?;
    for (at, named) in columnar(named).into_iter().enumerate() {
        let row = table.row_of(at as u64 + 1, named)?;
        table.rows += 1;
        each(table, row)?;
    }
    Ok(())
}

/// Goes through the lines, an object each.
pub fn lines(table: &mut Table, input: &mut dyn BufRead, each: Each<'_>) -> Result<(), Refusal> {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let read = std::io::Read::take(&mut *input, MOST_LINE + 1)
            .read_until(b'\n', &mut line)
            .map_err(|e| refused(&table.file, &e))?;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        if line.len() as u64 > MOST_LINE {
            return Err(
                Refusal::new(&table.file, "table-line-too-long").at(format!("line {number}"))
            );
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut named = Vec::new();
        let mut json = serde_json::Deserializer::from_slice(&line);
        flatten(&mut named, &mut json)
            .and_then(|()| json.end())
            .map_err(|e| broken(&table.file, e).at(format!("line {number}")))?;
        let row = table.row_of(number, named)?;
        table.rows += 1;
        each(table, row)?;
    }
}

fn broken(file: &str, error: serde_json::Error) -> Refusal {
    if error.is_io() {
        return refused(file, &error.into());
    }
    Refusal::new(file, "table-json-broken").at(format!(
        "line {}, column {}",
        error.line(),
        error.column()
    ))
}

fn flatten<'de, D: Deserializer<'de>>(named: &mut Named, json: D) -> Result<(), D::Error> {
    let path = String::new();
    Flat { named, path }.deserialize(json)
}

/// Columns of equally many values, as data frames are written (`{"load": [1, 2], "p99": [3, 4]}`),
/// become rows; anything else is one row.
fn columnar(named: Named) -> Vec<Named> {
    let mut columns: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut order = Vec::new();
    for (path, _) in &named {
        let Some((name, at)) = path.rsplit_once('.') else {
            return vec![named];
        };
        let (Ok(at), false) = (at.parse::<usize>(), name.contains('.')) else {
            return vec![named];
        };
        if !columns.contains_key(name) {
            order.push(name.to_owned());
        }
        columns.entry(name).or_default().push(at);
    }
    let rows = columns.values().next().map_or(0, Vec::len);
    let even = columns
        .values()
        .all(|at| at.len() == rows && at.iter().enumerate().all(|(i, at)| i == *at));
    if rows < 2 || !even {
        return vec![named];
    }
    let mut all: Vec<Named> = vec![Vec::new(); rows];
    for (path, cell) in named {
        if let Some((name, at)) = path.rsplit_once('.')
            && let Ok(at) = at.parse::<usize>()
        {
            all[at].push((name.to_owned(), cell));
        }
    }
    all
}

/// The elements of an array, one row each.
struct Elements<'a, 'e> {
    table: &'a mut Table,
    each: Each<'e>,
    refusal: &'a mut Option<Refusal>,
}

impl<'de> DeserializeSeed<'de> for Elements<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_, '_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        loop {
            let mut named = Vec::new();
            let path = String::new();
            let seed = Flat {
                named: &mut named,
                path,
            };
            if seq.next_element_seed(seed)?.is_none() {
                return Ok(());
            }
            self.table.rows += 1;
            let taken = self
                .table
                .row_of(self.table.rows, named)
                .and_then(|row| (self.each)(self.table, row));
            if let Err(refusal) = taken {
                *self.refusal = Some(refusal);
                return Err(A::Error::custom("refused"));
            }
        }
    }
}

/// Whatever is below a path, as named cells.
struct Flat<'a> {
    named: &'a mut Named,
    path: String,
}

impl Flat<'_> {
    fn put<E: serde::de::Error>(self, cell: Cell) -> Result<(), E> {
        if self.named.len() == MOST_VALUES {
            return Err(E::custom("too many values"));
        }
        if self.path.is_empty() {
            return Err(E::custom("no object"));
        }
        self.named.push((self.path, cell));
        Ok(())
    }

    fn below(path: &str, name: impl fmt::Display) -> String {
        match path {
            "" => name.to_string(),
            path => format!("{path}.{name}"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Flat<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Flat<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_bool<E: serde::de::Error>(self, v: bool) -> Result<(), E> {
        self.put(Cell::text(if v { "true" } else { "false" }))
    }
    fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<(), E> {
        self.put(Cell {
            text: v.to_string(),
            number: Some(v as f64),
        })
    }
    fn visit_u64<E: serde::de::Error>(self, v: u64) -> Result<(), E> {
        self.put(Cell {
            text: v.to_string(),
            number: Some(v as f64),
        })
    }
    fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<(), E> {
        self.put(Cell::number(v))
    }
    fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<(), E> {
        self.put(Cell::text(v))
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.put(Cell::text(""))
    }
    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let key = crate::reading::tame(&key);
            let path = Self::below(&self.path, key);
            map.next_value_seed(Flat {
                named: &mut *self.named,
                path,
            })?;
        }
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        for at in 0.. {
            let path = Self::below(&self.path, at);
            let seed = Flat {
                named: &mut *self.named,
                path,
            };
            if seq.next_element_seed(seed)?.is_none() {
                break;
            }
        }
        Ok(())
    }
}
