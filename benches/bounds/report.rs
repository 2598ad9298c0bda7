//! The table that is printed: one line per bound.

use std::fmt::Write as _;

/// One bound and how it stands.
pub struct Line {
    measure: String,
    ours: String,
    reference: String,
    ratio: String,
    bound: String,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Holds,
    Broken,
    NotMeasured,
    NoBound,
}

impl Verdict {
    fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Broken }
    }
}

impl Line {
    /// `ours` may be at most `bound` times `reference`.
    pub fn at_most(measure: &str, ours: f64, reference: f64, bound: f64, unit: Unit) -> Self {
        let ratio = ours / reference;
        Self {
            measure: measure.to_owned(),
            ours: unit.show(ours),
            reference: unit.show(reference),
            ratio: format!("{ratio:.2}"),
            bound: format!("≤ {bound}×"),
            verdict: Verdict::of(ratio <= bound),
        }
    }

    /// `reference` must be at least `bound` times `ours`.
    pub fn less_by(measure: &str, ours: f64, reference: f64, bound: f64, unit: Unit) -> Self {
        let ratio = reference / ours;
        Self {
            measure: measure.to_owned(),
            ours: unit.show(ours),
            reference: unit.show(reference),
            ratio: format!("1/{ratio:.1}"),
            bound: format!("≥ {bound}× less"),
            verdict: Verdict::of(ratio >= bound),
        }
    }

    /// `ours` may be at most `bound`, whatever the machine.
    pub fn limit(measure: &str, ours: f64, bound: f64, unit: Unit) -> Self {
        Self {
            measure: measure.to_owned(),
            ours: unit.show(ours),
            reference: "–".to_owned(),
            ratio: "–".to_owned(),
            bound: format!("≤ {}", unit.show(bound)),
            verdict: Verdict::of(ours <= bound),
        }
    }

    /// A ratio that nothing was promised about, for whoever reads the line beside it.
    pub fn beside(measure: &str, ours: f64, reference: f64, unit: Unit) -> Self {
        Self {
            bound: "–".to_owned(),
            verdict: Verdict::NoBound,
            ..Self::at_most(measure, ours, reference, f64::INFINITY, unit)
        }
    }

    /// A bound that could not be measured here, and why.
    pub fn skipped(measure: &str, why: &str) -> Self {
        Self {
            measure: measure.to_owned(),
            ours: "–".to_owned(),
            reference: "–".to_owned(),
            ratio: "–".to_owned(),
            bound: why.to_owned(),
            verdict: Verdict::NotMeasured,
        }
    }

    /// Whether the bound is not broken.
    pub fn holds(&self) -> bool {
        self.verdict != Verdict::Broken
    }

    fn cells(&self) -> [&str; 6] {
        let verdict = match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Broken => "BROKEN",
            Verdict::NotMeasured => "not measured",
            Verdict::NoBound => "–",
        };
        [
            &self.measure,
            &self.ours,
            &self.reference,
            &self.ratio,
            &self.bound,
            verdict,
        ]
    }
}

/// What a figure counts.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// A number of things.
    Count,
}

impl Unit {
    /// A figure for people.
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Seconds if value < 1.0 => format!("{:.2} ms", value * 1e3),
            Self::Seconds => format!("{value:.2} s"),
            Self::Bytes => format!("{:.1} MB", value / 1e6),
            Self::Count => format!("{value}"),
        }
    }
}

/// The lines as a table.
pub fn table(lines: &[Line]) -> String {
    let head = ["measure", "ours", "reference", "ratio", "bound", "verdict"];
    let rows: Vec<[&str; 6]> = std::iter::once(head)
        .chain(lines.iter().map(Line::cells))
        .collect();
    let mut widths = [0; 6];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
