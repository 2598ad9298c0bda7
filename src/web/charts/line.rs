//! Lines over one axis: told apart by their stroke and a label at their end, never by colour alone.

use super::{
    ALT, Chart, Naming, Svg, WIDE,
    decimate::{Point, thin},
    n,
    scale::{self, Axis},
};
use crate::{i18n::Lang, web::format::Markup};
use std::fmt::Write as _;

/// Lines drawn in one chart at most; the table beside it has them all.
pub const LINES: usize = 4;

/// Stroke class, dashes, label class and dot class of each line.
const STYLES: [(&str, Option<&str>, &str, &str); LINES] = [
    ("b", None, "tb", "bf"),
    ("a", Some("6 3"), "ta", "af"),
    ("mark", None, "k", "inkf"),
    ("mark", Some("1 3"), "k", "inkf"),
];

/// A line.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its name, at its end.
    pub name: String,
    /// Its points, in the order of the axis, in shown units.
    pub points: Vec<Point>,
}

/// What is drawn.
#[derive(Debug, Clone)]
pub struct Lines {
    /// Language of the numbers.
    pub lang: Lang,
    /// What the vertical axis shows, with its unit.
    pub y_title: String,
    /// What the horizontal axis shows, with its unit.
    pub x_title: String,
    /// The lines; those past [`LINES`] are left out.
    pub lines: Vec<Line>,
    /// Whether a logarithmic vertical axis is wanted; it needs positive values.
    pub log: bool,
    /// Lines across, in shown units.
    pub across: Vec<Rule>,
    /// Lines upright, in shown units.
    pub upright: Vec<Rule>,
}

/// A straight line at a value, with its label.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Where it stands.
    pub at: f64,
    /// What it says.
    pub words: String,
    /// Whether it is a limit of the contract: then it is drawn as one.
    pub limit: bool,
}

impl Rule {
    /// A limit of the contract.
    pub fn limit(at: f64, words: String) -> Self {
        Self {
            at,
            words,
            limit: true,
        }
    }

    /// Stroke class, dashes and class of the label.
    fn style(&self) -> (&'static str, &'static str, &'static str) {
        if self.limit {
            ("lim", "2 3", "tl halo")
        } else {
            ("mark", "5 3", "k halo")
        }
    }
}

impl Lines {
    /// The chart in both widths; `None` when there is nothing to draw.
    pub fn chart(&self, naming: &Naming) -> Option<Chart> {
        Some(Chart {
            wide: self.draw(naming, WIDE, "wide")?,
            alt: self.draw(naming, ALT, "alt")?,
        })
    }

    /// Whether the vertical axis will be logarithmic.
    pub fn is_log(&self) -> bool {
        self.log && self.range().is_some_and(|r| r.1.0 > 0.0)
    }

    /// Least and greatest place, least and greatest value.
    fn range(&self) -> Option<((f64, f64), (f64, f64))> {
        let mut points = self
            .lines
            .iter()
            .take(LINES)
            .flat_map(|l| &l.points)
            .filter(|(x, y)| x.is_finite() && y.is_finite());
        let first = points.next()?;
        let mut range = ((first.0, first.0), (first.1, first.1));
        for (x, y) in points {
            range.0 = (range.0.0.min(*x), range.0.1.max(*x));
            range.1 = (range.1.0.min(*y), range.1.1.max(*y));
        }
        for rule in &self.across {
            range.1 = (range.1.0.min(rule.at), range.1.1.max(rule.at));
        }
        for rule in &self.upright {
            range.0 = (range.0.0.min(rule.at), range.0.1.max(rule.at));
        }
        Some(range)
    }

    fn draw(&self, naming: &Naming, width: f64, layout: &str) -> Option<Markup> {
        let (x_range, y_range) = self.range()?;
        let labels = self.label_width();
        let (left, right) = (48.0, width - labels);
        let (top, bottom) = (28.0, 200.0);
        let y = self
            .log
            .then(|| Axis::log(y_range.0, y_range.1, (bottom, top)))
            .flatten()
            .unwrap_or_else(|| Axis::linear(y_range.0, y_range.1, (bottom, top), 4));
        let x = Axis::linear(
            x_range.0,
            x_range.1,
            (left, right),
            if width > 400.0 { 6 } else { 4 },
        );
        let mut svg = Svg::new(width, 236.0);
        svg.text("", (0.0, 12.0), "start", &self.y_title);
        for tick in &y.ticks {
            let at = y.at(*tick);
            let class = if (at - bottom).abs() < 0.1 {
                "ax"
            } else {
                "gr"
            };
            svg.segment(class, (left, at), (right, at), None);
            svg.text(
                "",
                (left - 6.0, at + 4.0),
                "end",
                &scale::tick(self.lang, *tick),
            );
        }
        for tick in &x.ticks {
            let at = x.at(*tick);
            svg.segment("ax", (at, bottom), (at, bottom + 4.0), None);
            svg.text(
                "",
                (at, bottom + 16.0),
                "middle",
                &scale::tick(self.lang, *tick),
            );
        }
        svg.text("", (right, bottom + 32.0), "end", &self.x_title);
        for rule in &self.across {
            let at = y.at(rule.at);
            let (class, dash, label) = rule.style();
            svg.segment(class, (left, at), (right, at), Some(dash));
            svg.text(label, (left + 4.0, at - 5.0), "start", &rule.words);
        }
        self.upright(&mut svg, &x, (top, bottom), (left, right));
        self.strokes(&mut svg, &x, &y, right);
        Some(svg.done(naming, layout))
    }

    /// The upright lines, each label on a height of its own and on the side with more room.
    fn upright(&self, svg: &mut Svg, x: &Axis, (top, bottom): (f64, f64), ends: (f64, f64)) {
        for (i, rule) in self.upright.iter().enumerate() {
            let at = x.at(rule.at);
            let (class, dash, label) = rule.style();
            svg.segment(class, (at, top), (at, bottom), Some(dash));
            let (place, anchor) = if at > (ends.0 + ends.1) / 2.0 {
                (at - 5.0, "end")
            } else {
                (at + 5.0, "start")
            };
            let height = top + 10.0 + 14.0 * (i % 5) as f64;
            svg.text(label, (place, height), anchor, &rule.words);
        }
    }

    fn label_width(&self) -> f64 {
        let longest = self
            .lines
            .iter()
            .take(LINES)
            .map(|l| l.name.chars().count())
            .max()
            .unwrap_or(0);
        if self.lines.len() < 2 {
            return 14.0;
        }
        (longest as f64 * 6.2 + 12.0).clamp(24.0, 130.0)
    }

    fn strokes(&self, svg: &mut Svg, x: &Axis, y: &Axis, right: f64) {
        let mut ends = Vec::new();
        for (line, (class, dash, label, dot)) in self.lines.iter().zip(STYLES) {
            let points = thin(&line.points);
            let Some(last) = points.last() else { continue };
            let mut d = String::with_capacity(points.len() * 12);
            for (i, (px, py)) in points.iter().enumerate() {
                let pen = if i == 0 { 'M' } else { 'L' };
                let _ = write!(d, "{pen}{} {}", n(x.at(*px)), n(y.at(*py)));
            }
            svg.path(class, &d, dash);
            if points.len() <= 40 {
                for (px, py) in &points {
                    svg.dot(dot, (x.at(*px), y.at(*py)), 2.25);
                }
            }
            ends.push((y.at(last.1), label, &line.name));
        }
        if self.lines.len() < 2 {
            return;
        }
        // Labels keep a line's height apart, from the top down.
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = 16.0;
        for (at, class, name) in ends {
            let at = f64::max(at + 4.0, free);
            svg.text(
                &format!("{class} halo"),
                (right + 6.0, at),
                "start",
                &super::fit(name, 120.0),
            );
            free = at + 13.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(points: Vec<Point>, log: bool) -> Lines {
        Lines {
            lang: Lang::En,
            y_title: "TTFT, ms".to_owned(),
            x_title: "concurrent".to_owned(),
            lines: vec![
                Line {
                    name: "p50".to_owned(),
                    points: points.clone(),
                },
                Line {
                    name: "p99".to_owned(),
                    points,
                },
            ],
            log,
            across: vec![Rule::limit(800.0, "≤ 800 ms".to_owned())],
            upright: Vec::new(),
        }
    }

    fn naming() -> Naming {
        Naming {
            id: "c1".to_owned(),
            title: "t".to_owned(),
            desc: "d".to_owned(),
        }
    }

    #[test]
    fn lines_differ_by_stroke_and_carry_their_names() {
        let chart = lines(vec![(1.0, 200.0), (2.0, 900.0)], true);
        assert!(chart.is_log());
        let svg = chart.chart(&naming()).unwrap().wide.to_string();
        assert!(svg.contains("role=\"img\""));
        assert!(svg.contains("stroke-dasharray=\"6 3\""));
        assert!(svg.contains(">p50</text>") && svg.contains(">p99</text>"));
        assert!(svg.contains(">≤ 800 ms</text>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn upright_lines_lie_inside_and_their_labels_do_not_meet() {
        let mut drawn = lines(vec![(1.0, 200.0), (2.0, 900.0)], false);
        for (at, words) in [(1.5, "knee"), (9.0, "best <within> budget")] {
            drawn.upright.push(Rule {
                at,
                words: words.to_owned(),
                limit: false,
            });
        }
        let svg = drawn.chart(&naming()).unwrap().wide.to_string();
        let heights: Vec<&str> = svg
            .split("<text")
            .filter(|t| t.contains("knee") || t.contains("budget"))
            .filter_map(|t| t.split("y=\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(heights.len(), 2);
        assert_ne!(heights[0], heights[1]);
        // The axis reaches as far as the line that lies beyond the points.
        assert!(svg.contains(">10</text>"), "{svg}");
        assert!(svg.contains("best &lt;within&gt; budget"));
    }

    #[test]
    fn a_zero_makes_the_axis_linear_and_nothing_makes_no_chart() {
        assert!(!lines(vec![(1.0, 0.0), (2.0, 9.0)], true).is_log());
        let mut none = lines(vec![(f64::NAN, 1.0)], false);
        assert!(none.chart(&naming()).is_none());
        none.lines.clear();
        assert!(none.chart(&naming()).is_none());
    }
}
