//! A stream of exposition text cut into scrapes.
//!
//! A new scrape begins at a line that states a time, at an HTTP header, after `# EOF`, or when a
//! series returns although another family's sample stood in between.

use super::{
    line::{self, Tail},
    lines::{Line, each_line},
    points::{self, Extent, Point},
    table::{Full, Id, Table},
    time::{self, Stamp},
};
use crate::Refusal;
use std::io::BufRead;

/// What one scrape said. Values lie by series number; only those of [`Scrape::ids`] are of this
/// scrape.
#[derive(Debug)]
pub struct Scrape<'a> {
    /// All series met so far.
    pub table: &'a Table,
    /// Series of this scrape, in the order of their first sample.
    pub ids: &'a [Id],
    /// Values by series number.
    pub values: &'a [f64],
    /// Families declared or sampled up to the end of this scrape: their numbers are below this.
    pub families: usize,
    /// Time on the separator before it.
    pub before: Option<Stamp>,
    /// Time on the separator after it.
    pub after: Option<Stamp>,
    /// Latest time a sample carries, in unix seconds.
    pub sampled_at: Option<f64>,
    /// Whether the file ended in the middle of a line of this scrape.
    pub cut: bool,
}

/// What was met on the way, over all files read so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Scrapes with at least one sample.
    pub scrapes: u64,
    /// Samples.
    pub samples: u64,
    /// Lines that are not blank.
    pub lines: u64,
    /// Lines passed over because they are neither sample, comment, header nor separator.
    pub skipped: u64,
    /// Number of the first line passed over, and the file it stands in.
    pub first_skipped: Option<(u64, String)>,
    /// Series that came twice within one scrape; the last value was kept.
    pub duplicates: u64,
    /// Of those, samples whose two values differ: two things under one name.
    pub differing: u64,
    /// OpenMetrics bodies: files that declared it or ended with `# EOF`.
    pub open_metrics: u64,
    /// Files that are OpenMetrics but do not end with `# EOF`.
    pub without_eof: u64,
    /// Files that ended in the middle of a line.
    pub cut: u64,
    /// Series of answers that carry no name: computed by an expression that the file does not
    /// tell. Nothing is taken from them.
    pub unnamed: u64,
    /// Between what values and times the samples of answers lie.
    pub extent: Extent,
    /// Native histograms, which are not read.
    pub native: u64,
    /// Files that are answers about stored samples, not exposition.
    pub answers: u64,
}

/// Cuts files into scrapes. One reader serves all files of a reading.
#[derive(Debug, Default)]
pub struct Reader {
    table: Table,
    values: Vec<f64>,
    /// Number of the scrape, counted from 1, in which a series was met last.
    seen: Vec<u32>,
    ids: Vec<Id>,
    current: u32,
    last_family: Option<u32>,
    before: Option<Stamp>,
    sampled_at: Option<f64>,
    in_header: bool,
    is_open_metrics: bool,
    eof: bool,
    tally: Tally,
    /// Samples of answers, kept until [`Reader::finish`] puts them in order.
    pub(super) points: Vec<Point>,
}

/// Receives every scrape when it is complete.
pub type Each<'a> = dyn FnMut(&Scrape<'_>) -> Result<(), Refusal> + 'a;

impl Reader {
    /// What was met so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The series met so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    pub(super) fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// Hands over the samples of answers, as rounds in order of time. Several answers about one
    /// stretch of time thus stand beside each other, not one after another.
    ///
    /// # Errors
    /// What `each` refuses.
    pub fn finish(&mut self, each: &mut Each<'_>) -> Result<(), Refusal> {
        let mut points = std::mem::take(&mut self.points);
        points.retain(|p| p.time.is_finite());
        points.sort_by(|a, b| a.time.total_cmp(&b.time));
        let interval = points::interval(&points).unwrap_or(f64::INFINITY);
        let samples = self.tally.samples;
        self.before = None;
        self.eof = false;
        self.current += 1;
        let mut began = f64::NEG_INFINITY;
        for instant in points.chunk_by(|a, b| a.time == b.time) {
            let at = instant[0].time;
            let comes_twice = |p: &Point| self.seen.get(p.id as usize) == Some(&self.current);
            // Targets are asked with a jitter of some milliseconds.
            if at - began > 0.95 * interval || instant.iter().any(comes_twice) {
                self.close(None, false, each)?;
                began = at;
            }
            for point in instant {
                let tail = Tail {
                    value: point.value,
                    time: Some(point.time),
                };
                self.put(point.id, tail);
            }
        }
        let answer = self.close(None, false, each);
        // They were counted when they were read.
        self.tally.samples = samples;
        answer
    }

    /// Reads one file. The end of a file ends its scrape.
    ///
    /// # Errors
    /// `metrics-too-many-series` beyond the cap; what `each` refuses; the outer error comes from
    /// reading, after the scrape read so far was handed over.
    pub fn read(
        &mut self,
        input: &mut dyn BufRead,
        file: &str,
        each: &mut Each<'_>,
    ) -> std::io::Result<Result<(), Refusal>> {
        self.before = None;
        self.in_header = false;
        self.is_open_metrics = false;
        self.eof = false;
        self.current += 1;
        let mut cut = false;
        let read = each_line(input, &mut |line| {
            let good = self.line(line, file, each)?;
            cut = !line.ended && !good;
            Ok(())
        });
        let failed = match read {
            Ok(Err(refusal)) => return Ok(Err(refusal)),
            Ok(Ok(())) => None,
            Err(e) => Some(e),
        };
        self.tally.cut += u64::from(cut);
        self.tally.open_metrics += u64::from(self.is_open_metrics || self.eof);
        self.tally.without_eof += u64::from(self.is_open_metrics && !self.eof);
        let damaged = cut || failed.is_some();
        if let Err(refusal) = self.close(None, damaged, each) {
            return Ok(Err(refusal));
        }
        failed.map_or(Ok(Ok(())), Err)
    }

    /// Takes one line; `false` when it had to be passed over.
    fn line(&mut self, line: Line<'_>, file: &str, each: &mut Each<'_>) -> Result<bool, Refusal> {
        let mut text = line.bytes;
        if line.number == 1 {
            text = text.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(text);
        }
        let text = line::trim(text);
        if text.is_empty() {
            self.in_header = false;
            return Ok(true);
        }
        self.tally.lines += 1;
        if self.in_header && text[0] != b'#' {
            self.header(text);
            return Ok(true);
        }
        if text[0] == b'#' {
            self.in_header = false;
            self.comment(text, each)?;
            return Ok(true);
        }
        let sample = if line.too_long {
            None
        } else {
            self.table
                .sample(text)
                .map_err(|Full| too_many(file, format!("line {}", line.number)))?
        };
        if let Some((id, tail)) = sample {
            self.take(id, tail, each)?;
            return Ok(true);
        }
        self.other(text, line.number, file, each)
    }

    fn take(&mut self, id: Id, tail: Tail, each: &mut Each<'_>) -> Result<(), Refusal> {
        let i = id as usize;
        if i >= self.values.len() {
            self.values.resize(i + 1, 0.0);
            self.seen.resize(i + 1, 0);
        }
        let family = self.table.series()[i].family;
        if self.eof {
            self.close(None, false, each)?;
            self.eof = false;
        }
        if self.seen[i] == self.current {
            if self.last_family == Some(family) {
                self.tally.duplicates += 1;
                self.tally.differing += u64::from(self.values[i] != tail.value);
            } else {
                self.close(None, false, each)?;
            }
        }
        self.put(id, tail);
        self.last_family = Some(family);
        Ok(())
    }

    /// Puts a sample into the scrape that is being read.
    fn put(&mut self, id: Id, tail: Tail) {
        let i = id as usize;
        if i >= self.values.len() {
            self.values.resize(i + 1, 0.0);
            self.seen.resize(i + 1, 0);
        }
        if self.seen[i] != self.current {
            self.seen[i] = self.current;
            self.ids.push(id);
        } else if self.last_family.is_none() {
            self.tally.duplicates += 1;
        }
        self.values[i] = tail.value;
        self.tally.samples += 1;
        if let Some(t) = tail.time.filter(|t| t.is_finite()) {
            self.sampled_at = Some(self.sampled_at.map_or(t, |known| known.max(t)));
        }
    }

    fn comment(&mut self, text: &[u8], each: &mut Each<'_>) -> Result<(), Refusal> {
        let Ok(text) = std::str::from_utf8(text) else {
            return Ok(());
        };
        let mut words = text[1..].split_ascii_whitespace();
        match words.next() {
            Some(word @ ("TYPE" | "HELP")) => {
                if let Some(name) = words.next() {
                    self.table.declare(name);
                }
                let only_open = ["info", "stateset", "unknown", "gaugehistogram"];
                let kind = words.next().filter(|_| word == "TYPE");
                self.is_open_metrics |= kind.is_some_and(|k| only_open.contains(&k));
            }
            Some("UNIT") => self.is_open_metrics = true,
            Some("EOF") if words.next().is_none() => self.eof = true,
            _ => {
                if let Some(stamp) = time::of_line(text.as_bytes()) {
                    self.close(Some(stamp), false, each)?;
                    self.before = Some(stamp);
                }
            }
        }
        Ok(())
    }

    /// A line of `curl -i`'s header.
    fn header(&mut self, text: &[u8]) {
        let lower = text.to_ascii_lowercase();
        if lower.starts_with(b"date:") {
            self.before = time::of_line(&text[5..]).or(self.before);
        } else if lower.starts_with(b"content-type:") {
            let mark = b"openmetrics-text";
            self.is_open_metrics |= lower.windows(mark.len()).any(|w| w == mark);
        }
    }

    /// A line that is neither comment nor sample: header, separator, or damage.
    fn other(
        &mut self,
        text: &[u8],
        number: u64,
        file: &str,
        each: &mut Each<'_>,
    ) -> Result<bool, Refusal> {
        if text.starts_with(b"HTTP/") {
            self.close(None, false, each)?;
            self.before = None;
            self.in_header = true;
            return Ok(true);
        }
        if let Some(stamp) = time::of_line(text) {
            self.close(Some(stamp), false, each)?;
            self.before = Some(stamp);
            return Ok(true);
        }
        if !text.iter().any(|b| b.is_ascii_alphanumeric()) {
            return Ok(true);
        }
        self.skip(number, file);
        Ok(false)
    }

    /// Counts a line passed over.
    pub(super) fn skip(&mut self, number: u64, file: &str) {
        self.tally.skipped += 1;
        if self.tally.first_skipped.is_none() {
            self.tally.first_skipped = Some((number, file.to_owned()));
        }
    }

    /// Hands over the scrape read so far, if it has a sample, and begins the next.
    fn close(
        &mut self,
        after: Option<Stamp>,
        cut: bool,
        each: &mut Each<'_>,
    ) -> Result<(), Refusal> {
        if self.ids.is_empty() {
            return Ok(());
        }
        self.tally.scrapes += 1;
        let answer = each(&Scrape {
            table: &self.table,
            ids: &self.ids,
            values: &self.values,
            families: self.table.families(),
            before: self.before,
            after,
            sampled_at: self.sampled_at,
            cut,
        });
        self.ids.clear();
        self.current += 1;
        self.last_family = None;
        self.before = None;
        self.sampled_at = None;
        answer
    }
}

pub(super) fn too_many(file: &str, place: String) -> Refusal {
    Refusal::new(file, "metrics-too-many-series")
        .arg("most", super::table::MOST_SERIES)
        .at(place)
}
