//! Many cases at once: the list with its filters, closing several, and the form that opens one. A single
//! case has its pages in `web::case`.

pub mod bulk;
pub mod list;
pub mod new;

use super::runs;
use crate::ladder::change::Knob;

/// The number in a label such as `PEL-0042` as people type it, in any case of letters; `None` for
/// anything else.
pub fn number_of(label: &str) -> Option<i64> {
    runs::number_of(&label.trim().to_ascii_uppercase(), "PEL")
}

/// The number in an evidence label such as `EV-31`, typed likewise.
pub fn evidence_number_of(label: &str) -> Option<i64> {
    runs::number_of(&label.trim().to_ascii_uppercase(), "EV")
}

/// The knob of a change as lists get it from the store; `None` when it does not read.
pub fn knob(stored: &serde_json::Value) -> Option<Knob> {
    serde_json::from_value(stored.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_nothing_else() {
        assert_eq!(number_of("PEL-0042"), Some(42));
        assert_eq!(number_of(" pel-7 "), Some(7));
        assert_eq!(evidence_number_of("EV-31"), Some(31));
        for other in [
            "PEL-",
            "PEL-4x",
            "PEL--4",
            "EV-31",
            "42",
            "é",
            "PEL-99999999999999999999",
        ] {
            assert_eq!(number_of(other), None, "{other:?}");
        }
    }
}
