//! Numbers as tables write them: with a point or a comma, grouped or not, and the many ways of
//! saying that there is none. What a separator means is never guessed from one number.

use serde::{Deserialize, Serialize};

/// What groups the digits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thousands {
    /// `1,234.5`
    Comma,
    /// `1.234,5`
    Point,
    /// `1 234.5`, also with the narrow and the unbreakable blank.
    Blank,
    /// `1'234.5`
    Apostrophe,
    /// `1_234.5`
    Underscore,
}

impl Thousands {
    fn is(self, c: char) -> bool {
        match self {
            Self::Comma => c == ',',
            Self::Point => c == '.',
            Self::Blank => matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'),
            Self::Apostrophe => matches!(c, '\'' | '\u{2019}'),
            Self::Underscore => c == '_',
        }
    }
}

/// How a table writes numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    /// The comma, not the point, stands before the decimals.
    #[serde(default)]
    pub decimal_comma: bool,
    /// What groups the digits before it; `None` = nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thousands: Option<Thousands>,
}

/// Why a text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unclear {
    /// It is one only if a separator means what the mapping does not say: `1,234`.
    Separator,
    /// It is none.
    NotANumber,
}

/// Whether a cell says that nothing was captured.
pub fn not_captured(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || matches!(
            text,
            "-" | "--" | "---" | "–" | "—" | "?" | "*" | "n.a." | "N.A."
        )
        || [
            "nan", "n/a", "na", "null", "none", "nil", "#n/a", "<na>", "inf", "+inf", "-inf",
            "missing",
        ]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

impl Numbers {
    /// Whether one sign does not mean two things.
    pub fn is_sound(self) -> bool {
        match self.thousands {
            Some(Thousands::Comma) => !self.decimal_comma,
            Some(Thousands::Point) => self.decimal_comma,
            _ => true,
        }
    }

    /// The number in a cell. `Ok(None)` means not captured.
    ///
    /// # Errors
    /// When it is no number, or one only by a separator that nothing was said of.
    pub fn parse(self, text: &str) -> Result<Option<f64>, Unclear> {
        let text = text.trim();
        if not_captured(text) {
            return Ok(None);
        }
        if text.len() > 64 || !text.bytes().any(|b| b.is_ascii_digit()) {
            return Err(Unclear::NotANumber);
        }
        let Some(plain) = self.plain(text) else {
            let other = [',', '.', ' ', '\'', '_', '\u{a0}', '\u{202f}', '\u{2019}'];
            let bare: String = text.chars().filter(|c| !other.contains(c)).collect();
            return Err(match well_formed(&bare) {
                true => Unclear::Separator,
                false => Unclear::NotANumber,
            });
        };
        match plain.parse::<f64>() {
            Ok(n) if n.is_finite() => Ok(Some(n)),
            _ => Err(Unclear::NotANumber),
        }
    }

    /// The number as Rust writes it; `None` when the separators do not stand where they may.
    fn plain(self, text: &str) -> Option<String> {
        let decimal = if self.decimal_comma { ',' } else { '.' };
        let (whole, rest) = match text.find(decimal) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let whole = match self.thousands {
            Some(sign) if whole.chars().any(|c| sign.is(c)) => ungroup(whole, sign)?,
            _ => whole.to_owned(),
        };
        // What is left holds no separator: a point here would be read as Rust's own.
        let bare = |t: &str| !t.contains(['.', ',']);
        if !bare(&whole) || !rest.is_none_or(bare) {
            return None;
        }
        let plain = match rest {
            Some(rest) => format!("{whole}.{rest}"),
            None => whole,
        };
        well_formed(&plain).then_some(plain)
    }
}

/// Digits in groups of three behind the first, joined.
fn ungroup(whole: &str, sign: Thousands) -> Option<String> {
    let mut groups = whole.split(|c| sign.is(c));
    let first = groups.next()?;
    let digits = first.trim_start_matches(['+', '-', '\u{2212}']);
    if digits.is_empty() || digits.len() > 3 {
        return None;
    }
    let mut joined = first.to_owned();
    for group in groups {
        if group.len() != 3 || !group.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        joined.push_str(group);
    }
    Some(joined.replace('\u{2212}', "-"))
}

/// An optional sign, digits with at most one point, an optional exponent: nothing that Rust would
/// take besides (`inf`, `nan`).
fn well_formed(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa_ok = (digits(whole) || whole.is_empty())
        && (digits(part) || part.is_empty())
        && !(whole.is_empty() && part.is_empty());
    mantissa_ok
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)) && e.len() <= 5)
}
