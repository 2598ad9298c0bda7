//! The distinct series of a reading, each known by a small number.
//!
//! Memory grows with the number of series and no further: the table has a cap, and the same
//! bytes `name{labels}` are parsed once.

use super::line::{self, Key, Tail};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Most distinct series of one reading.
pub const MOST_SERIES: usize = 200_000;
/// Most bytes of distinct keys kept.
pub const MOST_KEY_BYTES: usize = 128 << 20;
/// Label sets longer than this are passed over as damaged.
pub const LONGEST_KEY: usize = 16 << 10;

/// Number of a series in its [`Table`].
pub type Id = u32;

/// One series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Name and labels.
    pub key: Key,
    /// Number of its family in the table.
    pub family: u32,
}

impl Series {
    /// The value of a label, if the series has it.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.key
            .labels
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }
}

/// Too many series for the cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// All series met so far.
#[derive(Debug, Default)]
pub struct Table {
    series: Vec<Series>,
    by_raw: HashMap<Arc<[u8]>, Id>,
    by_key: HashMap<Box<[u8]>, Id>,
    families: HashMap<String, u32>,
    declared: HashSet<String>,
    declared_families: HashSet<u32>,
    /// Raw bytes by which a series was met first.
    raw_of: Vec<Arc<[u8]>>,
    /// The series that followed this one last time: expositions keep their order.
    follows: Vec<Id>,
    last: Option<Id>,
    key_bytes: usize,
}

impl Table {
    /// All series; the position is the [`Id`].
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// Number of distinct families, a family being all that shares a stem (see [`Self::family`]).
    pub fn families(&self) -> usize {
        self.families.len()
    }

    /// Number of names declared, and of families that came without a declaration. Exporters
    /// declare `_created` series under a name of their own.
    pub fn declared(&self) -> usize {
        self.declared.len() + self.families.len() - self.declared_families.len()
    }

    /// Takes a `# TYPE` or `# HELP` line's name: its family is known although it may have no
    /// series yet. Beyond the cap on series, and for absurd lengths, nothing is kept.
    pub fn declare(&mut self, name: &str) {
        if name.len() > 512 || self.declared.len() >= MOST_SERIES || self.declared.contains(name) {
            return;
        }
        self.declared.insert(name.to_owned());
        let family = self.family(name);
        self.declared_families.insert(family);
    }

    /// Number of the family a sample or declaration of this name belongs to: its suffixes are
    /// dropped, so that a histogram, its `_created` series and a counter stand in one family.
    pub fn family(&mut self, name: &str) -> u32 {
        let stem = stem(name);
        if let Some(id) = self.families.get(stem) {
            return *id;
        }
        let id = self.families.len() as u32;
        self.families.insert(stem.to_owned(), id);
        id
    }

    /// Reads one trimmed line as a sample. `Ok(None)` when it is none.
    ///
    /// # Errors
    /// [`Full`] when a new series would pass the cap.
    pub fn sample(&mut self, line: &[u8]) -> Result<Option<(Id, Tail)>, Full> {
        let found = match self.expected(line) {
            Some(found) => Some(found),
            None => match self.looked_up(line) {
                Some(found) => Some(found),
                None => self.parsed(line)?,
            },
        };
        if let Some((id, _)) = found {
            if let Some(last) = self.last {
                self.follows[last as usize] = id;
            }
            self.last = Some(id);
        }
        Ok(found)
    }

    /// Number of a series that was not read from a line of exposition. `None` when its labels are
    /// longer than any real ones.
    ///
    /// # Errors
    /// [`Full`] when a new series would pass the cap.
    pub fn intern(&mut self, mut key: Key) -> Result<Option<Id>, Full> {
        key.labels.sort();
        let canonical = canonical(&key);
        if canonical.len() > LONGEST_KEY {
            return Ok(None);
        }
        if let Some(&id) = self.by_key.get(&canonical[..]) {
            return Ok(Some(id));
        }
        // Its raw bytes are the canonical ones: no line of exposition equals them.
        let raw: Arc<[u8]> = Arc::from(&canonical[..]);
        self.add(key, canonical, raw).map(Some)
    }

    fn add(&mut self, key: Key, canonical: Vec<u8>, raw: Arc<[u8]>) -> Result<Id, Full> {
        self.key_bytes += 3 * raw.len();
        if self.series.len() >= MOST_SERIES || self.key_bytes > MOST_KEY_BYTES {
            return Err(Full);
        }
        let id = self.series.len() as Id;
        let family = self.family(&key.name);
        self.by_key.insert(canonical.into_boxed_slice(), id);
        self.by_raw.insert(Arc::clone(&raw), id);
        self.raw_of.push(raw);
        self.follows.push(id);
        self.series.push(Series { key, family });
        Ok(id)
    }

    /// The series that followed the last one before, when the line begins with its bytes.
    fn expected(&self, line: &[u8]) -> Option<(Id, Tail)> {
        let id = *self.follows.get(self.last? as usize)?;
        let raw = self.raw_of.get(id as usize)?;
        let rest = line.strip_prefix(&raw[..])?;
        // `name` must not match the beginning of `name_longer`.
        if raw.last() != Some(&b'}') && !rest.first().is_some_and(|b| line::is_blank(*b)) {
            return None;
        }
        Some((id, line::tail(rest)?))
    }

    /// A key met before, up to the last brace or the first blank.
    fn looked_up(&self, line: &[u8]) -> Option<(Id, Tail)> {
        let end = match memchr::memrchr(b'}', line) {
            Some(brace) => brace + 1,
            None => line.iter().position(|b| line::is_blank(*b))?,
        };
        let id = *self.by_raw.get(&line[..end])?;
        Some((id, line::tail(&line[end..])?))
    }

    fn parsed(&mut self, line: &[u8]) -> Result<Option<(Id, Tail)>, Full> {
        let Some((key, end)) = line::key(line) else {
            return Ok(None);
        };
        if end > LONGEST_KEY {
            return Ok(None);
        }
        let rest = &line[end..];
        let opens_value =
            line[..end].ends_with(b"}") || rest.first().is_some_and(|b| line::is_blank(*b));
        let Some(tail) = line::tail(rest).filter(|_| opens_value) else {
            return Ok(None);
        };
        let canonical = canonical(&key);
        if let Some(&id) = self.by_key.get(&canonical[..]) {
            // Another spelling of a known series (label order, blanks). Only so many are kept.
            if self.by_raw.len() < 2 * MOST_SERIES && self.key_bytes + end <= MOST_KEY_BYTES {
                self.key_bytes += end;
                self.by_raw.insert(Arc::from(&line[..end]), id);
            }
            return Ok(Some((id, tail)));
        }
        let id = self.add(key, canonical, Arc::from(&line[..end]))?;
        Ok(Some((id, tail)))
    }
}

/// Name and labels in one run of bytes, the same for every spelling.
fn canonical(key: &Key) -> Vec<u8> {
    let mut out = key.name.as_bytes().to_vec();
    for (name, value) in &key.labels {
        // 0xff never occurs in UTF-8.
        out.push(0xff);
        out.extend_from_slice(name.as_bytes());
        out.push(0xff);
        out.extend_from_slice(value.as_bytes());
    }
    out
}

/// A name without the suffixes that the samples of one family differ by.
fn stem(name: &str) -> &str {
    let short = ["_bucket", "_sum", "_count", "_created"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name);
    short.strip_suffix("_total").unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(table: &mut Table, line: &str) -> Option<(Id, f64)> {
        table
            .sample(line.as_bytes())
            .expect("the cap is far")
            .map(|(id, tail)| (id, tail.value))
    }

    #[test]
    fn spellings_of_one_series_are_one_series() {
        let mut t = Table::default();
        assert_eq!(id(&mut t, r#"a{x="1",y="2"} 1"#), Some((0, 1.0)));
        assert_eq!(id(&mut t, r#"a{ y="2", x="1", z="" } 2"#), Some((0, 2.0)));
        assert_eq!(
            id(&mut t, r#"a{x="1",y="2"} 3 # {t="}"} 1"#),
            Some((0, 3.0))
        );
        assert_eq!(id(&mut t, r#"a{x="1",y="2"}4"#), Some((0, 4.0)));
        assert_eq!(t.series().len(), 1);
    }

    #[test]
    fn a_longer_name_is_another_series() {
        let mut t = Table::default();
        for line in ["a 1", "ab 2", "a 3", "ab 4", "abc 5", "a 6", "abc 7"] {
            let (id, value) = id(&mut t, line).expect("a sample");
            let name = line.split(' ').next().expect("a name");
            assert_eq!(t.series()[id as usize].key.name, name, "{line}");
            assert_eq!(line.split(' ').nth(1), Some(value.to_string().as_str()));
        }
        assert_eq!(t.series().len(), 3);
    }

    #[test]
    fn a_family_holds_its_suffixes() {
        let mut t = Table::default();
        let family = t.family("vllm:iteration_tokens_total");
        for name in [
            "vllm:iteration_tokens_total_bucket",
            "vllm:iteration_tokens_total_sum",
            "vllm:iteration_tokens_total_created",
        ] {
            assert_eq!(t.family(name), family);
        }
    }
}
