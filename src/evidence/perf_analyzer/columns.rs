//! The header row of a perf_analyzer CSV.
//!
//! Headings are matched exactly. A heading that is not here is reported and left out.

use crate::{
    Refusal,
    sweep::{Field, Mode},
};

/// The heading of the second column, in every version of the tool.
pub const THROUGHPUT: &str = "Inferences/Second";

/// The header row of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What drove the load.
    pub mode: Mode,
    /// One field per column.
    pub fields: Vec<Field>,
    /// Headings as written, for messages.
    pub headings: Vec<String>,
}

/// Most columns a sweep may have. The tool writes at most about thirty.
const MOST_COLUMNS: usize = 128;

impl Header {
    /// Reads the cells of the header row.
    ///
    /// # Errors
    /// `perf-header` when the first two columns are not those of a sweep, a known column is there
    /// twice, or there are more than 128 columns.
    pub fn from_cells(file: &str, cells: &[String]) -> Result<Self, Refusal> {
        let refuse = |column: &str| {
            Refusal::new(file, "perf-header")
                .arg("column", column)
                .at("line 1")
        };
        let first = cells.first().map_or("", String::as_str);
        let mode = Mode::from_heading(first).ok_or_else(|| refuse(first))?;
        let second = cells.get(1).map_or("", String::as_str);
        if second != THROUGHPUT {
            return Err(refuse(second));
        }
        let mut fields = vec![Field::Load, Field::Throughput];
        for heading in &cells[2..] {
            let field = Field::from_heading(heading);
            let twice = field != Field::Unknown && fields.contains(&field);
            if twice || fields.len() == MOST_COLUMNS {
                return Err(refuse(heading));
            }
            fields.push(field);
        }
        Ok(Self {
            mode,
            fields,
            headings: cells.to_vec(),
        })
    }
}
