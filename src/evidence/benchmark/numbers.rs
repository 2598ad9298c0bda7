//! Numbers as people's settings print them: `1,146.31`, `1.146,31`, `12,34`.
//!
//! One number alone may be read either way (`1,234`), so the habit is told from all numbers of a
//! text before any of them is read. What stays undecided is no number.

/// Which character stands before the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// `1,146.31`
    Point,
    /// `1.146,31`
    Comma,
}

/// What one number says of the habit, if anything.
fn sign(text: &str) -> Option<Habit> {
    let (comma, point) = (text.rfind(','), text.rfind('.'));
    let behind = |at: usize| text.len() - at - 1;
    match (comma, point) {
        (Some(c), Some(p)) => Some(if p > c { Habit::Point } else { Habit::Comma }),
        (Some(c), None) if text.matches(',').count() == 1 && behind(c) != 3 => Some(Habit::Comma),
        (None, Some(p)) if text.matches('.').count() == 1 && behind(p) != 3 => Some(Habit::Point),
        _ => None,
    }
}

/// The habit of a text, from all its numbers; `None` when they contradict each other, or when a
/// number could be read either way and no other decides.
pub fn habit<'t>(numbers: impl Iterator<Item = &'t str>) -> Option<Habit> {
    let (mut found, mut open): (Option<Habit>, bool) = (None, false);
    for text in numbers.map(str::trim) {
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            continue;
        }
        match (sign(text), found) {
            (Some(a), Some(b)) if a != b => return None,
            (Some(a), _) => found = Some(a),
            // `1,234` may be either; `1.234` is what every program prints without being asked.
            (None, _) => open |= text.contains(','),
        }
    }
    match found {
        Some(habit) => Some(habit),
        None => (!open).then_some(Habit::Point),
    }
}

/// A number in the habit.
pub fn number(text: &str, habit: Habit) -> Option<f64> {
    let text = text.trim();
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match (c, habit) {
            (',', Habit::Point) | ('.', Habit::Comma) => {}
            (',', Habit::Comma) => plain.push('.'),
            (c, _) => plain.push(c),
        }
    }
    let digits = plain.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
    plain.parse().ok().filter(|n: &f64| digits && n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_habit_is_told_from_all_numbers() {
        let of = |texts: &[&str]| habit(texts.iter().copied());
        assert_eq!(of(&["1,146.31", "1,234"]), Some(Habit::Point));
        assert_eq!(of(&["12,34", "1.234"]), Some(Habit::Comma));
        assert_eq!(of(&["80", "4.53"]), Some(Habit::Point));
        assert_eq!(of(&["1,234"]), None);
        assert_eq!(of(&["12,34", "4.53"]), None);
        assert_eq!(of(&["N/A", "7"]), Some(Habit::Point));
    }

    #[test]
    fn numbers_are_read_by_the_habit() {
        assert_eq!(number("1,146.31", Habit::Point), Some(1146.31));
        assert_eq!(number("1.146,31", Habit::Comma), Some(1146.31));
        assert_eq!(number("N/A", Habit::Point), None);
        assert_eq!(number("inf", Habit::Point), None);
    }
}
