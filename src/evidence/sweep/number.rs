//! Numbers as tools print them, and how to tell those that a spreadsheet or a locale rewrote.
//!
//! A decimal comma read as a thousands separator is a wrong number by a factor of a thousand, so
//! neither is guessed: the text is refused and the reason is said.

/// Why a text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It has digits with commas, blanks or apostrophes between them: another way of writing.
    Locale,
    /// It is something else.
    Other,
}

/// Reads a number with a decimal point, as C++ and Python print it; `nan` and `inf` too.
///
/// # Errors
/// The [`Fault`] of the text.
pub fn number(text: &str) -> Result<f64, Fault> {
    let text = text.trim();
    if let Ok(value) = text.parse::<f64>() {
        // Rust also reads "infinity" and "+1"; neither is a different number.
        return Ok(value);
    }
    let separator = |c: char| matches!(c, ',' | '\'' | '’' | '_' | '\u{a0}' | '\u{202f}' | ' ');
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let rewritten = digits >= 2
        && text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || separator(c) || matches!(c, '.' | '-'));
    Err(if rewritten {
        Fault::Locale
    } else {
        Fault::Other
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_another_locale_are_told_from_words() {
        assert_eq!(number("69.2"), Ok(69.2));
        assert_eq!(number("1e+06"), Ok(1e6));
        for text in ["1,234.5", "1.234,5", "12,5", "1 234", "1.234.567"] {
            assert_eq!(number(text), Err(Fault::Locale), "{text}");
        }
        for text in ["", "n/a", "9O", "1,a", ","] {
            assert_eq!(number(text), Err(Fault::Other), "{text}");
        }
    }
}
