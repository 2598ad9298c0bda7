//! Forms that come back: what was typed, what is wrong with it, where.
//!
//! A handler collects [`Faults`]; if there are any it renders the same page again with status
//! 422. `parts/form.html` shows the summary at the top with links to the fields, and each message
//! at its field.

use super::{Error, Result, session::Reader, visit::Visit};
use crate::store::form_key::{self, Claim};
use sqlx::PgConnection;
use std::borrow::Cow;
use uuid::Uuid;

/// One thing that is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Id of the field on the page.
    pub field: Cow<'static, str>,
    /// The message, in the reader's language.
    pub message: String,
}

/// Everything that is wrong with a form, in the order of its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Notes a fault at a field.
    pub fn add(&mut self, field: impl Into<Cow<'static, str>>, message: impl Into<String>) {
        self.0.push(Fault {
            field: field.into(),
            message: message.into(),
        });
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn all(&self) -> &[Fault] {
        &self.0
    }

    /// The first message at a field.
    pub fn of(&self, field: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|f| f.field == field)
            .map(|f| f.message.as_str())
    }
}

/// Whether a character shows nothing, or turns the text around it: a reason made of such is none,
/// and a name with one could pass for another's.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// How many characters of a text can be seen, blanks at its ends left out.
pub fn visible(text: &str) -> usize {
    text.chars()
        .filter(|c| !is_invisible(*c))
        .collect::<String>()
        .trim()
        .chars()
        .count()
}

/// A fresh key for a deciding form; put it into a hidden field `form_key`.
pub fn new_key() -> Uuid {
    Uuid::new_v4()
}

/// The key a form sent, or a fresh one when it sent none: then nothing protects it from being sent
/// twice, and nothing else is lost.
pub fn key(sent: Option<Uuid>) -> Uuid {
    sent.unwrap_or_else(new_key)
}

/// Claims the key of a deciding form inside the act's transaction. `Some(path)` means that it was
/// done before: redirect there and write nothing. After the act call [`finish`].
///
/// # Errors
/// [`Error::FormKey`] when the key was used for something else.
pub async fn claim(
    conn: &mut PgConnection,
    (key, reader): (Uuid, &Reader),
    act: &str,
    fields: &[(&str, &str)],
    visit: &Visit,
) -> Result<Option<String>> {
    let digest = form_key::body_digest(fields.iter().copied());
    match form_key::claim(conn, (key, reader.id), act, &digest, visit.now).await? {
        Claim::Fresh => Ok(None),
        Claim::Done(path) => Ok(Some(path)),
        Claim::Other => Err(Error::FormKey),
    }
}

/// Keeps where the act's answer goes.
///
/// # Errors
/// When the key was not claimed in this transaction.
pub async fn finish(
    conn: &mut PgConnection,
    (key, reader): (Uuid, &Reader),
    path: &str,
    visit: &Visit,
) -> Result<()> {
    Ok(form_key::finish(conn, (key, reader.id), path, visit.now).await?)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_reason_of_invisible_characters_is_no_reason() {
        assert_eq!(
            visible("\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}"),
            0
        );
        assert_eq!(visible("  porquê \u{202e}"), 6);
    }
}
