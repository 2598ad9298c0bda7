//! Bars made of parts that follow one another: where the time of each load point went, say. Parts
//! are told apart by a number in them and in the line below, not by their shade alone.

use super::{ALT, Chart, Naming, Svg, WIDE, fit};
use crate::web::format::Markup;

/// Parts drawn at most; the table beside it has them all.
pub const PARTS: usize = 6;
/// Bars drawn at most.
pub const ROWS: usize = 12;

/// Shade of each part and class of the number in it.
const STYLES: [(&str, &str); PARTS] = [
    ("bf", "on"),
    ("af", "on"),
    ("bf18", "k"),
    ("af18", "k"),
    ("inkf", "on"),
    ("linef", "k"),
];

/// One bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Lengths of the parts, in their order; `None` was not captured.
    pub parts: Vec<Option<f64>>,
    /// The sum in words.
    pub words: String,
}

/// What is drawn.
#[derive(Debug, Clone)]
pub struct Stacked {
    /// What the lengths show, with their unit.
    pub title: String,
    /// Names of the parts.
    pub parts: Vec<String>,
    /// The bars, from the top.
    pub bars: Vec<Bar>,
}

impl Stacked {
    /// The chart in both widths; `None` when there is nothing with a length.
    pub fn chart(&self, naming: &Naming) -> Option<Chart> {
        Some(Chart {
            wide: self.draw(naming, WIDE, "wide")?,
            alt: self.draw(naming, ALT, "alt")?,
        })
    }

    fn draw(&self, naming: &Naming, width: f64, layout: &str) -> Option<Markup> {
        let sum = |bar: &Bar| lengths(bar).sum::<f64>();
        let most = self.bars.iter().map(sum).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let longest = self.bars.iter().map(|b| b.name.chars().count()).max()? as f64;
        let left = (longest * 6.2 + 10.0).clamp(40.0, width * 0.3);
        let room = width - left - 76.0;
        let below = 32.0 + 26.0 * self.bars.len() as f64;
        let keys = self.keys(width);
        let mut svg = Svg::new(width, below + 18.0 * keys.len() as f64 + 4.0);
        svg.text("", (left, 14.0), "start", &self.title);
        for (i, bar) in self.bars.iter().enumerate() {
            let y = 28.0 + 26.0 * i as f64;
            let name = fit(&bar.name, left - 10.0);
            svg.text("k", (left - 8.0, y + 12.0), "end", &name);
            let mut at = left;
            for (part, length) in lengths(bar).enumerate() {
                let length = room * length / most;
                let (shade, number) = STYLES[part];
                svg.rect(shade, (at, y), (length, 16.0));
                if length >= 14.0 {
                    let middle = (at + length / 2.0, y + 12.0);
                    svg.text(number, middle, "middle", &(part + 1).to_string());
                }
                at += length;
            }
            svg.text("k", (at + 6.0, y + 12.0), "start", &bar.words);
        }
        svg.segment("ax", (left, 22.0), (left, below - 2.0), None);
        for (row, keys) in keys.iter().enumerate() {
            let y = below + 12.0 + 18.0 * row as f64;
            for (x, part) in keys {
                svg.rect(STYLES[*part].0, (*x, y - 10.0), (12.0, 12.0));
                let words = format!("{} {}", part + 1, self.parts[*part]);
                svg.text("", (x + 17.0, y), "start", &words);
            }
        }
        Some(svg.done(naming, layout))
    }

    /// Rows of the legend: place and part.
    fn keys(&self, width: f64) -> Vec<Vec<(f64, usize)>> {
        let mut rows: Vec<Vec<(f64, usize)>> = vec![Vec::new()];
        let mut x = 0.0;
        for (part, name) in self.parts.iter().enumerate().take(PARTS) {
            let wide = 17.0 + (name.chars().count() + 2) as f64 * 6.2 + 14.0;
            if x > 0.0 && x + wide > width {
                rows.push(Vec::new());
                x = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.push((x, part));
            }
            x += wide;
        }
        rows
    }
}

/// What is drawn of each part; what was not captured takes no room.
fn lengths(bar: &Bar) -> impl Iterator<Item = f64> {
    let sound = |v: &Option<f64>| v.filter(|v| v.is_finite() && *v > 0.0).unwrap_or(0.0);
    bar.parts.iter().take(PARTS).map(sound)
}

/// At most [`ROWS`] of `count` rows, the first and the last among them, evenly between.
pub fn spread(count: usize) -> Vec<usize> {
    if count <= ROWS {
        return (0..count).collect();
    }
    (0..ROWS).map(|i| i * (count - 1) / (ROWS - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another_and_what_was_not_captured_takes_no_room() {
        let drawn = Stacked {
            title: "ms".to_owned(),
            parts: ["queue", "compute", "<net>"].map(str::to_owned).to_vec(),
            bars: vec![Bar {
                name: "8".to_owned(),
                parts: vec![Some(300.0), None, Some(100.0)],
                words: "400 ms".to_owned(),
            }],
        };
        let naming = Naming {
            id: "s".to_owned(),
            title: "t".to_owned(),
            desc: "d".to_owned(),
        };
        let svg = drawn.chart(&naming).unwrap().wide.to_string();
        let widths: Vec<f64> = svg
            .split("<rect")
            .skip(1)
            .take(3)
            .filter_map(|r| r.split("width=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert!((widths[0] - 3.0 * widths[2]).abs() < 0.3, "{widths:?}");
        assert_eq!(widths[1], 0.0);
        assert!(svg.contains("3 &lt;net&gt;") && !svg.contains("NaN"));
        let mut none = drawn;
        none.bars[0].parts = vec![None, Some(0.0)];
        assert!(none.chart(&naming).is_none());
    }

    #[test]
    fn both_ends_of_many_rows_are_drawn() {
        assert_eq!(spread(3), [0, 1, 2]);
        let rows = spread(100);
        assert_eq!((rows.len(), rows[0], rows[ROWS - 1]), (ROWS, 0, 99));
        assert!(rows.windows(2).all(|w| w[0] < w[1]));
    }
}
