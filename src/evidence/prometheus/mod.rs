//! Prometheus text exposition and OpenMetrics, answers of its HTTP API and of promtool: lines to
//! samples, samples to scrapes, buckets to quantiles.
//!
//! Files are read as a stream. What is kept grows with the number of distinct series, which has a
//! cap, never with the length of a file. Lines that do not parse are passed over and counted.

mod answer;
mod form;
pub mod histogram;
pub mod line;
pub mod lines;
pub mod points;
mod promtool;
mod recognise;
pub mod scrapes;
pub mod table;
pub mod time;

#[cfg(test)]
mod tests;

pub use form::{Form, form};
pub use histogram::{Bucket, Histogram, Quantile};
pub use recognise::{recognise, vllm_tail};
pub use scrapes::{Each, Reader, Scrape, Tally};
pub use time::Stamp;

use crate::{
    Refusal, Source,
    input::{MOST_UNPACKED, is_damage, open},
};
use std::io::{self, BufRead};

/// Reads one source through `reader`. The answer says whether a gzip stream was damaged; then
/// what was read up to the damage was handed over. After the last source [`Reader::finish`] hands
/// over what answers of a Prometheus server held.
///
/// # Errors
/// `io`, `metrics-too-many-series`, `metrics-unpacks-too-large`, and what `each` refuses.
pub fn read_source(
    reader: &mut Reader,
    source: &Source,
    each: &mut Each<'_>,
) -> Result<bool, Refusal> {
    let mut opened = open(source)?;
    let input = &mut *opened.input;
    let form = form_of(input).map_err(|e| Refusal::io(&source.name, &e))?;
    let read = match form {
        Form::Exposition => {
            // Answers given before a scrape lie before it in time.
            reader.finish(each)?;
            reader.read(input, &source.name, each)
        }
        Form::Api => answer::api(reader, input, &source.name),
        Form::Query | Form::Dump => promtool::promtool(reader, input, &source.name),
    };
    reader.tally_mut().answers += u64::from(form != Form::Exposition);
    match read {
        Ok(answer) => answer.map(|()| false),
        Err(e) if opened.packed && is_damage(&e) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
            Err(Refusal::new(&source.name, "metrics-unpacks-too-large")
                .arg("gigabytes", MOST_UNPACKED >> 30))
        }
        Err(e) => Err(Refusal::io(&source.name, &e)),
    }
}

/// The form of what is to be read; a JSON body is moved up to.
fn form_of(input: &mut dyn BufRead) -> io::Result<Form> {
    let head = match input.fill_buf() {
        // The reader meets the damage itself and says what it read before.
        Err(e) if is_damage(&e) => return Ok(Form::Exposition),
        other => other?,
    };
    let found = form(head);
    if found == Form::Api {
        let at = form::body_at(head);
        input.consume(at);
    }
    Ok(found)
}

/// What a source holds, whatever engine wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Counts of lines, samples and scrapes.
    pub tally: Tally,
    /// Distinct series.
    pub series: usize,
    /// Distinct families: names declared, and families sampled without a declaration.
    pub families: usize,
}

/// Counts what a source holds, without interpreting it.
///
/// # Errors
/// As [`read_source`].
pub fn scan(source: &Source) -> Result<Summary, Refusal> {
    let mut reader = Reader::default();
    read_source(&mut reader, source, &mut |_| Ok(()))?;
    reader.finish(&mut |_| Ok(()))?;
    Ok(Summary {
        tally: reader.tally().clone(),
        series: reader.table().series().len(),
        families: reader.table().declared(),
    })
}
