//! A table as rows of cells, whatever it was written in.

use crate::{
    Refusal,
    mapping::{Layout, MOST_COLUMNS},
    reading::tame,
};
use std::collections::{HashMap, HashSet};

/// What stands in one column of one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// The number, where the file itself says that it is one (JSON).
    pub number: Option<f64>,
}

impl Cell {
    /// Text.
    pub fn text(text: &str) -> Self {
        Self {
            text: tame(text.trim()),
            number: None,
        }
    }

    /// A number of a file that knows numbers.
    pub fn number(value: f64) -> Self {
        Self {
            text: value.to_string(),
            number: Some(value),
        }
    }
}

/// One row: cells by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Line of the file, or number of the object in JSON, from 1.
    pub line: u64,
    /// Cells by column index; a column that the row lacks is `None`.
    pub cells: Vec<Option<Cell>>,
}

impl Row {
    /// The text in a column; empty where there is none.
    pub fn text(&self, column: usize) -> &str {
        match self.cells.get(column) {
            Some(Some(cell)) => &cell.text,
            _ => "",
        }
    }
}

/// The columns of a table and what was seen of its shape.
#[derive(Debug)]
pub struct Table {
    /// The file's name.
    pub file: String,
    /// How it is written.
    pub layout: Layout,
    /// The line of the names among lines that are not empty; 0 = none.
    pub header: u32,
    /// Names of the columns, each once.
    pub columns: Vec<String>,
    places: HashMap<String, usize>,
    /// Rows given so far.
    pub rows: u64,
    /// Whether the file ends without an end of line.
    pub ends_open: bool,
    /// Tables besides the one that is read.
    pub others: u64,
}

impl Table {
    /// A table without columns yet.
    pub fn new(file: &str, layout: Layout) -> Self {
        Self {
            file: file.to_owned(),
            layout,
            header: 0,
            columns: Vec::new(),
            places: HashMap::new(),
            rows: 0,
            ends_open: false,
            others: 0,
        }
    }

    /// Takes the names of a header row; a name that is empty is its number, one that comes again
    /// gets `#2`.
    pub fn name_columns<'a>(
        &mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Refusal> {
        let mut seen = HashSet::new();
        for (at, name) in names.into_iter().enumerate() {
            let name = match tame(name.trim()) {
                empty if empty.is_empty() => (at + 1).to_string(),
                name => name,
            };
            let name = unique(name, |n| seen.contains(n));
            seen.insert(name.clone());
            self.column(&name)?;
        }
        Ok(())
    }

    /// The place of a column, made when it is new.
    pub fn column(&mut self, name: &str) -> Result<usize, Refusal> {
        if let Some(at) = self.places.get(name) {
            return Ok(*at);
        }
        if self.columns.len() == MOST_COLUMNS {
            return Err(
                Refusal::new(&self.file, "table-too-many-columns").arg("limit", MOST_COLUMNS)
            );
        }
        self.columns.push(name.to_owned());
        self.places.insert(name.to_owned(), self.columns.len() - 1);
        Ok(self.columns.len() - 1)
    }

    /// A row of named cells, with columns made as they come.
    pub fn row_of(&mut self, line: u64, named: Vec<(String, Cell)>) -> Result<Row, Refusal> {
        let mut cells: Vec<Option<Cell>> = Vec::new();
        let mut taken = HashSet::new();
        for (name, cell) in named {
            let name = unique(tame(&name), |n| taken.contains(n));
            taken.insert(name.clone());
            let at = self.column(&name)?;
            if cells.len() <= at {
                cells.resize(at + 1, None);
            }
            cells[at] = Some(cell);
        }
        Ok(Row { line, cells })
    }
}

/// The name, or `name#2`, `name#3`, … when it is taken.
fn unique(name: String, taken: impl Fn(&str) -> bool) -> String {
    if !taken(&name) {
        return name;
    }
    (2..)
        .map(|n| format!("{name}#{n}"))
        .find(|n| !taken(n))
        .unwrap_or(name)
}
