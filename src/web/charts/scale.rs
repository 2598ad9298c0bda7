//! Axes: which unit numbers are shown in, where the ticks stand, and where a value falls.

use crate::{i18n::Lang, web::format};
use pel_evidence::Unit;

/// The unit an axis is shown in: a factor from the base unit, and its sign.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// What a value in the base unit is multiplied by.
    pub factor: f64,
    /// The sign; empty when there is none.
    pub sign: &'static str,
}

/// The unit in which values up to `greatest` are shown.
pub fn shown(unit: Unit, greatest: f64) -> Shown {
    let (factor, sign) = match unit {
        Unit::Seconds if greatest < 1e-3 => (1e6, "µs"),
        Unit::Seconds if greatest < 10.0 => (1e3, "ms"),
        Unit::Seconds => (1.0, "s"),
        Unit::Ratio => (100.0, "%"),
        Unit::Bytes => return bytes(greatest, ["B", "kB", "MB", "GB", "TB"]),
        Unit::BytesPerSecond => return bytes(greatest, ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"]),
        Unit::Count => (1.0, ""),
        Unit::Tokens => (1.0, "tok"),
        Unit::PerSecond => (1.0, "/s"),
        Unit::TokensPerSecond => (1.0, "tok/s"),
        Unit::Watts => (1.0, "W"),
        Unit::Hertz => (1e-6, "MHz"),
        Unit::Celsius => (1.0, "°C"),
    };
    Shown { factor, sign }
}

fn bytes(greatest: f64, signs: [&'static str; 5]) -> Shown {
    let mut factor = 1.0;
    for sign in &signs[..4] {
        if greatest * factor < 999.5 {
            return Shown { factor, sign };
        }
        factor /= 1000.0;
    }
    Shown {
        factor,
        sign: signs[4],
    }
}

/// One axis: values from `low` to `high` fall between two coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
    /// Where ticks stand, in values.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// An axis that begins at zero, unless a value lies below.
    pub fn linear(least: f64, greatest: f64, (from, to): (f64, f64), ticks: usize) -> Self {
        let (least, greatest) = (least.min(0.0), greatest.max(0.0));
        let greatest = if greatest > least {
            greatest
        } else {
            least + 1.0
        };
        let step = step((greatest - least) / ticks.max(1) as f64);
        let low = (least / step).floor() * step;
        let high = (greatest / step).ceil() * step;
        let count = ((high - low) / step).round() as usize;
        Self {
            low,
            high,
            from,
            to,
            log: false,
            ticks: (0..=count).map(|i| low + step * i as f64).collect(),
        }
    }

    /// A logarithmic axis around positive values. `None` when one is not positive.
    pub fn log(least: f64, greatest: f64, (from, to): (f64, f64)) -> Option<Self> {
        if !(least > 0.0 && greatest >= least && greatest.is_finite()) {
            return None;
        }
        let (first, last) = (least.log10().floor() as i32, greatest.log10().ceil() as i32);
        let mantissas: &[f64] = if last - first <= 2 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let all: Vec<f64> = (first..=last)
            .flat_map(|e| mantissas.iter().map(move |m| m * 10f64.powi(e)))
            .collect();
        let low = all.iter().copied().rfind(|t| *t <= least).unwrap_or(least);
        let high = all
            .iter()
            .copied()
            .find(|t| *t >= greatest && *t > low)
            .unwrap_or(low * 10.0);
        Some(Self {
            low,
            high,
            from,
            to,
            log: true,
            ticks: all
                .into_iter()
                .filter(|t| *t >= low && *t <= high)
                .collect(),
        })
    }

    /// The coordinate of a value; one beyond the axis falls on its end.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high, value) = if self.log {
            (
                self.low.log10(),
                self.high.log10(),
                value.max(self.low).log10(),
            )
        } else {
            (self.low, self.high, value)
        };
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Whether the axis is logarithmic.
    pub fn is_log(&self) -> bool {
        self.log
    }
}

/// 1, 2 or 5 times a power of ten, not below `rough`.
fn step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= rough * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A tick's words.
pub fn tick(lang: Lang, value: f64) -> String {
    format::number(lang, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_axis_begins_at_zero_and_has_round_ticks() {
        let axis = Axis::linear(320.0, 870.0, (100.0, 0.0), 4);
        assert_eq!(axis.ticks, [0.0, 500.0, 1000.0]);
        assert_eq!(axis.at(0.0), 100.0);
        assert_eq!(axis.at(1000.0), 0.0);
        assert_eq!(axis.at(5000.0), 0.0);
    }

    #[test]
    fn a_log_axis_needs_positive_values() {
        assert_eq!(Axis::log(0.0, 10.0, (0.0, 1.0)), None);
        assert_eq!(Axis::log(f64::NAN, 10.0, (0.0, 1.0)), None);
        let axis = Axis::log(150.0, 1500.0, (0.0, 100.0)).unwrap();
        assert_eq!(axis.ticks, [100.0, 200.0, 500.0, 1000.0, 2000.0]);
        assert!((axis.at(100.0) - 0.0).abs() < 1e-9);
    }

    #[test]
    fn one_value_still_makes_an_axis() {
        assert!(Axis::linear(0.0, 0.0, (0.0, 1.0), 4).at(0.0).is_finite());
        assert!(Axis::log(5.0, 5.0, (0.0, 1.0)).unwrap().at(5.0).is_finite());
    }

    #[test]
    fn units_follow_the_greatest_value() {
        assert_eq!(shown(Unit::Seconds, 0.4).sign, "ms");
        assert_eq!(shown(Unit::Seconds, 40.0).sign, "s");
        assert_eq!(shown(Unit::Bytes, 3.2e9).sign, "GB");
        assert_eq!(shown(Unit::Ratio, 0.5).factor, 100.0);
    }
}
