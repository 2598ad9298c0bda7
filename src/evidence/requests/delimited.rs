//! Rows of cells with a sign between them: CSV, TSV and what spreadsheets make of them (RFC 4180).
//!
//! A line without a quotation mark is cut where its signs stand, without a copy. Quoted cells may
//! hold the sign, doubled quotation marks and line feeds.

use crate::prometheus::lines::{Line, each_line};
use std::io::{self, BufRead};

/// Longest row over several lines, in bytes.
const LONGEST_ROW: usize = 1 << 20;

/// The cells of a row.
#[derive(Debug, Default)]
pub struct Cells {
    ends: Vec<(u32, u32)>,
    unquoted: Vec<u8>,
    is_quoted: bool,
}

impl Cells {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The cell at a place, blanks around it aside; `line` is the row it was cut from.
    pub fn get<'a>(&'a self, line: &'a [u8], at: usize) -> Option<&'a [u8]> {
        let (from, to) = *self.ends.get(at)?;
        let bytes = if self.is_quoted { &self.unquoted } else { line };
        Some(trim(&bytes[from as usize..to as usize]))
    }

    /// Cuts a row. `false` when a quotation mark stays open.
    pub fn cut(&mut self, line: &[u8], delimiter: u8) -> bool {
        self.ends.clear();
        self.is_quoted = memchr::memchr(b'"', line).is_some();
        if self.is_quoted {
            return self.unquote(line, delimiter);
        }
        let mut from = 0;
        for (at, byte) in line.iter().enumerate() {
            if *byte == delimiter {
                self.ends.push((from, at as u32));
                from = at as u32 + 1;
            }
        }
        self.ends.push((from, line.len() as u32));
        true
    }

    fn unquote(&mut self, line: &[u8], delimiter: u8) -> bool {
        self.unquoted.clear();
        let mut at = 0;
        loop {
            let from = self.unquoted.len() as u32;
            while line.get(at) == Some(&b' ') {
                at += 1;
            }
            if line.get(at) == Some(&b'"') {
                at += 1;
                loop {
                    let rest = line.get(at..).unwrap_or_default();
                    let Some(quote) = memchr::memchr(b'"', rest) else {
                        return false;
                    };
                    self.unquoted.extend_from_slice(&rest[..quote]);
                    at += quote + 1;
                    if line.get(at) != Some(&b'"') {
                        break;
                    }
                    self.unquoted.push(b'"');
                    at += 1;
                }
            }
            let rest = line.get(at..).unwrap_or_default();
            let end = memchr::memchr(delimiter, rest).unwrap_or(rest.len());
            self.unquoted.extend_from_slice(&rest[..end]);
            self.ends.push((from, self.unquoted.len() as u32));
            at += end + 1;
            if at > line.len() {
                return true;
            }
        }
    }
}

fn trim(cell: &[u8]) -> &[u8] {
    match (cell.first(), cell.last()) {
        (Some(a), Some(b)) if a.is_ascii_whitespace() || b.is_ascii_whitespace() => {
            cell.trim_ascii()
        }
        _ => cell,
    }
}

/// A row with its cells.
#[derive(Debug)]
pub struct Row<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its cells.
    pub cells: &'a Cells,
    /// The line it begins on.
    pub line: u64,
    /// Whether a line feed ended it.
    pub ended: bool,
    /// Whether it could not be cut: a quotation mark that stays open, or a row without end.
    pub broken: bool,
}

/// Hands every row that is not empty to `each`, until it fails.
///
/// # Errors
/// The outer error comes from reading, the inner one from `each`.
pub fn each_row<E>(
    input: &mut dyn BufRead,
    delimiter: u8,
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), E>,
) -> io::Result<Result<(), E>> {
    let mut cells = Cells::default();
    // A row whose quotation marks are still open, and the line it began on.
    let mut open: Vec<u8> = Vec::new();
    let mut began = 0;
    let done = each_line(input, &mut |line: Line<'_>| {
        let bytes = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
        if open.is_empty() {
            let text = if line.number == 1 {
                bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
            } else {
                bytes
            };
            if text.iter().all(u8::is_ascii_whitespace) {
                return Ok(());
            }
            if !line.too_long && cells.cut(text, delimiter) {
                return each(&Row {
                    bytes: text,
                    cells: &cells,
                    line: line.number,
                    ended: line.ended,
                    broken: false,
                });
            }
            if line.too_long || !line.ended {
                return each(&Row {
                    bytes: text,
                    cells: &cells,
                    line: line.number,
                    ended: line.ended,
                    broken: true,
                });
            }
            began = line.number;
            open.extend_from_slice(text);
            return Ok(());
        }
        open.push(b'\n');
        open.extend_from_slice(bytes);
        let whole = cells.cut(&open, delimiter);
        if whole || open.len() > LONGEST_ROW || !line.ended {
            let row = std::mem::take(&mut open);
            return each(&Row {
                bytes: &row,
                cells: &cells,
                line: began,
                ended: line.ended,
                broken: !whole,
            });
        }
        Ok(())
    })?;
    if done.is_ok() && !open.is_empty() {
        return Ok(each(&Row {
            bytes: &open,
            cells: &cells,
            line: began,
            ended: false,
            broken: true,
        }));
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, delimiter: u8) -> Vec<(u64, bool, Vec<String>)> {
        let mut out = Vec::new();
        each_row::<()>(&mut text.as_bytes(), delimiter, &mut |row| {
            let cells = (0..row.cells.len())
                .filter_map(|i| row.cells.get(row.bytes, i))
                .map(|c| String::from_utf8_lossy(c).into_owned())
                .collect();
            out.push((row.line, row.broken, cells));
            Ok(())
        })
        .expect("memory can be read")
        .expect("nothing fails");
        out
    }

    #[test]
    fn cells_are_cut_where_the_sign_stands() {
        let found = rows(
            "\u{feff}a, b ,c\r\n\r\n1,,3\n\"x,\"\"y\"\"\",\"two\nlines\",z",
            b',',
        );
        let texts: Vec<Vec<&str>> = found
            .iter()
            .map(|(_, _, cells)| cells.iter().map(String::as_str).collect())
            .collect();
        assert_eq!(
            texts,
            [
                vec!["a", "b", "c"],
                vec!["1", "", "3"],
                vec!["x,\"y\"", "two\nlines", "z"],
            ]
        );
        assert_eq!(found[2].0, 4);
        assert_eq!(rows("a\tb\n", b'\t')[0].2.len(), 2);
        assert_eq!(rows("a;\n", b';')[0].2, ["a", ""]);
    }

    #[test]
    fn an_open_quotation_mark_is_a_broken_row() {
        let found = rows("a,b\n\"open,1\n2,3\n", b',');
        assert_eq!(found.len(), 2);
        assert!(found[1].1 && found[1].0 == 2);
        assert!(rows("a,\"open", b',')[0].1);
    }
}
