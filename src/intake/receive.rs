//! Receiving: one upload after the other into the blob store, each with its own result.
//!
//! A file that is refused does not take the others with it. Names are data: shown, never used as a
//! path. Nothing is held in memory but a few buffers; progress is told as bytes arrive.

use super::blobs::{self, Blobs, Digest, Stored};
use axum::extract::{Multipart, multipart::Field};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use pel_evidence::reading::tame;
use std::{collections::BTreeMap, fmt, pin::pin};

/// Longest name that is kept, characters.
const NAME_CHARS: usize = 200;
/// What is read past the limit of a refused file so that the form's other parts are still heard.
const DRAIN_BYTES: u64 = 32 << 20;

/// What may arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Longest file, bytes.
    pub file_bytes: u64,
    /// Most files in one form.
    pub files: usize,
    /// Longest text of one other field, bytes.
    pub text_bytes: usize,
    /// Most other fields.
    pub texts: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            files: 16,
            text_bytes: 64 << 10,
            texts: 200,
        }
    }
}

/// Why an upload was refused: message `code` of the catalogues, way out `code`-remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Message key, `upload-…`.
    pub code: &'static str,
    /// Named arguments of the message.
    pub args: BTreeMap<String, String>,
    /// The sender is not at fault (disk full, store away): worth a 5xx and a word to the operator.
    pub ours: bool,
}

impl Refused {
    fn new(code: &'static str) -> Self {
        Self {
            code,
            args: BTreeMap::new(),
            ours: false,
        }
    }

    fn arg(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), tame(&value.to_string()));
        self
    }

    fn ours(mut self) -> Self {
        self.ours = true;
        self
    }
}

impl From<blobs::Error> for Refused {
    fn from(error: blobs::Error) -> Self {
        use blobs::Error;
        match error {
            Error::TooLarge { limit } => Self::new("upload-too-large").arg("limit", size(limit)),
            Error::WrongDigest { expected, actual } => Self::new("upload-digest")
                .arg("expected", expected)
                .arg("actual", actual),
            Error::Interrupted(_) => Self::new("upload-interrupted"),
            Error::NoSpace => Self::new("upload-no-space").ours(),
            // The reason is the operator's; it may name folders and addresses.
            error => {
                tracing::error!(%error, "an upload could not be kept");
                Self::new("upload-not-kept").ours()
            }
        }
    }
}

/// One file of an upload and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Its name, tamed.
    pub name: String,
    /// Where its bytes are, or why they are not.
    pub result: Result<Stored, Refused>,
}

/// Progress of an upload: the file's place in the form, and its bytes so far.
pub type Progress<'a> = dyn FnMut(usize, u64) + Send + 'a;

/// Receives one file from any stream; `expected` is its digest when the sender told it.
pub async fn file<S, E>(
    blobs: &Blobs,
    name: &str,
    stream: S,
    limit: u64,
    expected: Option<Digest>,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Received
where
    S: Stream<Item = Result<Bytes, E>> + Send,
    E: fmt::Display + Send,
{
    let mut so_far = 0u64;
    let counted = stream.inspect(|chunk| {
        if let Ok(chunk) = chunk {
            so_far += chunk.len() as u64;
            progress(so_far);
        }
    });
    // Looked at first: an empty file is refused, not kept.
    let mut counted = pin!(counted.skip_while(|chunk| {
        let empty = chunk.as_ref().is_ok_and(Bytes::is_empty);
        std::future::ready(empty)
    }));
    let result = match counted.next().await {
        None => Err(Refused::new("upload-empty")),
        Some(first) => {
            let all = stream::iter([first]).chain(counted);
            blobs.put(all, limit, expected).await.map_err(Refused::from)
        }
    };
    let name = name_of(name);
    Received { name, result }
}

/// A form with files, as it came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form {
    /// The other fields, in order.
    pub texts: Vec<(String, String)>,
    /// The files, in order.
    pub files: Vec<Received>,
}

impl Form {
    /// The first text of this name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.texts.iter().find(|(n, _)| n == name);
        found.map(|(_, text)| text.as_str())
    }
}

/// Receives a whole form. A field with a file name is a file; one that was left empty in a browser
/// (no name, no bytes) is not counted.
///
/// # Errors
/// When the form as a whole cannot be taken: broken, too many or too long fields, or a file so far
/// beyond its limit that the rest of the form was not waited for.
pub async fn form(
    blobs: &Blobs,
    multipart: &mut Multipart,
    rules: Rules,
    progress: &mut Progress<'_>,
) -> Result<Form, Refused> {
    let mut form = Form::default();
    loop {
        let field = match multipart.next_field().await {
            Ok(Some(field)) => field,
            Ok(None) => return Ok(form),
            Err(error) => return Err(broken(&error)),
        };
        match field.file_name().map(str::to_owned) {
            Some(name) => {
                if form.files.len() == rules.files {
                    return Err(Refused::new("upload-too-many-files").arg("limit", rules.files));
                }
                let place = form.files.len();
                let tell = &mut |bytes| progress(place, bytes);
                if let Some(file) = file_of_form(blobs, &name, field, rules, tell).await? {
                    form.files.push(file);
                }
            }
            None => {
                if form.texts.len() == rules.texts {
                    return Err(Refused::new("upload-too-many-fields").arg("limit", rules.texts));
                }
                let name = tame(field.name().unwrap_or_default());
                form.texts
                    .push((name, text(field, rules.text_bytes).await?));
            }
        }
    }
}

async fn file_of_form(
    blobs: &Blobs,
    name: &str,
    mut field: Field<'_>,
    rules: Rules,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Option<Received>, Refused> {
    let received = file(blobs, name, &mut field, rules.file_bytes, None, progress).await;
    match &received.result {
        Err(refused) if refused.code == "upload-empty" && name.is_empty() => return Ok(None),
        Err(refused) if refused.code == "upload-interrupted" => return Err(refused.clone()),
        Err(refused) => drain(&mut field).await.map_err(|()| refused.clone())?,
        Ok(_) => {}
    }
    Ok(Some(received))
}

/// Reads the rest of a refused file away; an error when it is too long to be worth it.
async fn drain(field: &mut Field<'_>) -> Result<(), ()> {
    let mut drained = 0u64;
    while let Some(chunk) = field.next().await {
        drained += chunk.map_err(|_| ())?.len() as u64;
        if drained > DRAIN_BYTES {
            return Err(());
        }
    }
    Ok(())
}

async fn text(mut field: Field<'_>, limit: usize) -> Result<String, Refused> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|e| broken(&e))? {
        if bytes.len() + chunk.len() > limit {
            let name = field.name().unwrap_or_default();
            return Err(Refused::new("upload-text-too-long")
                .arg("field", name)
                .arg("limit", size(limit as u64)));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Refused::new("upload-not-text"))
}

fn broken(error: &axum::extract::multipart::MultipartError) -> Refused {
    tracing::debug!(%error, "a form broke off");
    match error.status().as_u16() {
        413 => Refused::new("upload-form-too-large"),
        _ => Refused::new("upload-interrupted"),
    }
}

/// The last part of a name as sent, tamed to what can be shown.
pub fn name_of(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let tamed: String = tame(last.trim()).chars().take(NAME_CHARS).collect();
    match tamed.trim() {
        "" | "." | ".." => "unnamed".to_owned(),
        name => name.to_owned(),
    }
}

/// A size as people say it; exact when it is a whole number of units.
fn size(bytes: u64) -> String {
    for (unit, name) in [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{} {name}", bytes / unit);
        }
    }
    format!("{bytes} B")
}
