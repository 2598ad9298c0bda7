//! Bars: one per row, its name before it and its value after it. Too many rows for one chart are
//! joined, never cut: neighbours where the rows have an order, the shortest ones where they have not.

use super::{ALT, Chart, Naming, Svg, WIDE, fit};
use crate::web::format::Markup;

/// Bars drawn at most; [`fit_ordered`] and [`fit_free`] make that many of any number of rows.
pub const BARS: usize = 12;

/// One bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Its name; may come from a file.
    pub name: String,
    /// Its length.
    pub value: f64,
    /// The value in words.
    pub words: String,
}

/// What is drawn.
#[derive(Debug, Clone)]
pub struct Bars {
    /// What the lengths show.
    pub title: String,
    /// The bars, from the top.
    pub bars: Vec<Bar>,
}

impl Bars {
    /// The chart in both widths; `None` when there is no bar with a length.
    pub fn chart(&self, naming: &Naming) -> Option<Chart> {
        Some(Chart {
            wide: self.draw(naming, WIDE, "wide")?,
            alt: self.draw(naming, ALT, "alt")?,
        })
    }

    fn draw(&self, naming: &Naming, width: f64, layout: &str) -> Option<Markup> {
        let bars: Vec<&Bar> = self
            .bars
            .iter()
            .filter(|b| b.value.is_finite() && b.value >= 0.0)
            .collect();
        let most = bars.iter().map(|b| b.value).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let longest = bars.iter().map(|b| b.name.chars().count()).max()? as f64;
        let left = (longest * 6.2 + 10.0).clamp(40.0, width * 0.42);
        let room = width - left - 76.0;
        let height = 32.0 + 26.0 * bars.len() as f64;
        let mut svg = Svg::new(width, height);
        svg.text("", (left, 14.0), "start", &self.title);
        for (i, bar) in bars.iter().enumerate() {
            let y = 28.0 + 26.0 * i as f64;
            let length = room * bar.value / most;
            svg.text(
                "k",
                (left - 8.0, y + 12.0),
                "end",
                &fit(&bar.name, left - 10.0),
            );
            svg.rect("af", (left, y), (length, 16.0));
            svg.text("k", (left + length + 6.0, y + 12.0), "start", &bar.words);
        }
        svg.segment("ax", (left, 22.0), (left, height - 2.0), None);
        Some(svg.done(naming, layout))
    }
}

/// Rows made into at most [`BARS`] bars: names with values, and what was done to get there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fitted {
    /// Names and values, from the top.
    pub rows: Vec<(String, f64)>,
    /// Rows without a length that were left out at both ends.
    pub trimmed: usize,
    /// Neighbouring rows in one bar at most; 0 when none were joined.
    pub joined: usize,
    /// Rows whose sum is the last bar; 0 when there is no such bar.
    pub summed: usize,
}

/// Rows with a length to draw; those of one name (of several devices, say) as one.
fn together(rows: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let mut out: Vec<(String, f64)> = Vec::new();
    let sound = rows.into_iter().filter(|(_, v)| v.is_finite() && *v >= 0.0);
    for (name, value) in sound {
        match out.iter_mut().find(|(n, _)| *n == name) {
            Some(same) => same.1 += value,
            None => out.push((name, value)),
        }
    }
    out
}

/// Fits rows whose order means something, such as buckets of a histogram: empty ones at both ends
/// go, then neighbours are joined.
pub fn fit_ordered(rows: Vec<(String, f64)>) -> Fitted {
    let mut rows = together(rows);
    if rows.len() <= BARS {
        return Fitted {
            rows,
            ..Fitted::default()
        };
    }
    let all = rows.len();
    let end = rows.iter().rposition(|r| r.1 > 0.0).map_or(0, |at| at + 1);
    rows.truncate(end);
    let start = rows.iter().position(|r| r.1 > 0.0).unwrap_or(0);
    rows.drain(..start);
    let trimmed = all - rows.len();
    if rows.len() <= BARS {
        return Fitted {
            rows,
            trimmed,
            ..Fitted::default()
        };
    }
    let joined = rows.len().div_ceil(BARS);
    let rows = rows
        .chunks(joined)
        .map(|part| {
            let sum = part.iter().map(|r| r.1).sum();
            (span(&part[0].0, &part[part.len() - 1].0), sum)
        })
        .collect();
    Fitted {
        rows,
        trimmed,
        joined,
        summed: 0,
    }
}

/// Fits rows that stand in no order of their own: the longest, then the sum of the others under
/// the name that `others` gives to their number.
pub fn fit_free(rows: Vec<(String, f64)>, others: impl Fn(usize) -> String) -> Fitted {
    let mut rows = together(rows);
    if rows.len() <= BARS {
        return Fitted {
            rows,
            ..Fitted::default()
        };
    }
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let rest = rows.split_off(BARS - 1);
    let sum = rest.iter().map(|r| r.1).sum();
    rows.push((others(rest.len()), sum));
    Fitted {
        rows,
        summed: rest.len(),
        ..Fitted::default()
    }
}

/// The name of neighbours: from the lower edge of the first to the upper edge of the last.
fn span(first: &str, last: &str) -> String {
    if first == last {
        return first.to_owned();
    }
    match (first.split_once('–'), last.split_once('–')) {
        (Some((low, _)), Some((_, high))) => format!("{low}–{high}"),
        (Some((low, _)), None) if last.starts_with("> ") => format!("> {low}"),
        _ => format!("{first} … {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(values: &[f64]) -> Vec<(String, f64)> {
        let last = values.len() - 1;
        let name = |i| match i {
            i if i == last => format!("> {i}"),
            i => format!("{i}–{}", i + 1),
        };
        values
            .iter()
            .enumerate()
            .map(|(i, v)| (name(i), *v))
            .collect()
    }

    #[test]
    fn no_end_of_ordered_bars_is_cut() {
        let mut values = [0.0; 22];
        values[3] = 5.0;
        values[14] = 1.0;
        let fitted = fit_ordered(buckets(&values));
        assert_eq!((fitted.trimmed, fitted.joined), (10, 0));
        assert_eq!(fitted.rows.len(), BARS);
        assert_eq!(fitted.rows[0], ("3–4".to_owned(), 5.0));
        assert_eq!(fitted.rows[11], ("14–15".to_owned(), 1.0));

        values[21] = 2.0;
        let fitted = fit_ordered(buckets(&values));
        assert_eq!((fitted.trimmed, fitted.joined), (3, 2));
        assert_eq!(fitted.rows[0], ("3–5".to_owned(), 5.0));
        assert_eq!(fitted.rows[9], ("> 21".to_owned(), 2.0));
        let sum: f64 = fitted.rows.iter().map(|r| r.1).sum();
        assert_eq!(sum, 8.0);
        assert_eq!(span("20–21", "> 21"), "> 20");
        // Few rows stand as they are: that the last is empty says something.
        assert_eq!(fit_ordered(buckets(&[1.0, 0.0])).rows.len(), 2);
        assert!(fit_ordered(buckets(&[0.0; 20])).rows.is_empty());
    }

    #[test]
    fn the_shortest_bars_are_summed_and_one_name_is_one_bar() {
        let rows = (0..20).map(|i| (format!("k{i}"), f64::from(i))).collect();
        let fitted = fit_free(rows, |n| format!("others ({n})"));
        assert_eq!(fitted.rows.len(), BARS);
        assert_eq!(fitted.rows[0], ("k19".to_owned(), 19.0));
        assert_eq!(fitted.rows[11], ("others (9)".to_owned(), 36.0));
        let two = vec![("a".to_owned(), 1.0), ("a".to_owned(), 2.0)];
        let fitted = fit_free(two, |n| n.to_string());
        assert_eq!(fitted.rows, [("a".to_owned(), 3.0)]);
    }

    fn bar(name: &str, value: f64) -> Bar {
        Bar {
            name: name.to_owned(),
            value,
            words: value.to_string(),
        }
    }

    #[test]
    fn names_are_escaped_and_cut_and_no_bar_is_negative() {
        let bars = Bars {
            title: "time".to_owned(),
            bars: vec![
                bar(&"<i>".repeat(100), 3.0),
                bar("b", -1.0),
                bar("c", f64::NAN),
            ],
        };
        let naming = Naming {
            id: "c".to_owned(),
            title: "t".to_owned(),
            desc: "d".to_owned(),
        };
        let svg = bars.chart(&naming).unwrap().alt.to_string();
        assert!(!svg.contains("<i>"));
        assert_eq!(svg.matches("<rect").count(), 1);
        let none = Bars {
            title: String::new(),
            bars: vec![bar("a", 0.0)],
        };
        assert!(none.chart(&naming).is_none());
    }
}
