//! Names from the string table: only those asked for, shortened, and with secrets cut out.
//!
//! The table also holds environment variables, command lines and captured output; those are
//! passed over and never kept.

use super::export::Export;
use crate::{Refusal, reading::tame};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Bytes of one name that are looked at; longer ones are cut.
const NAME_BYTES: usize = 8192;
/// Characters of a label before it is cut and marked with a digest of the whole.
const LABEL_CHARS: usize = 180;

/// The names asked for, by id.
pub(super) type Names = HashMap<i64, Arc<str>>;

/// Looks the ids up in `StringIds`.
///
/// # Errors
/// As [`Export::scan`].
pub(super) fn look_up(export: &Export, wanted: &HashSet<i64>) -> Result<Names, Refusal> {
    let mut names = Names::with_capacity(wanted.len());
    export.scan("StringIds", &["id", "value"], &mut |row| {
        let id = row.need(0)?;
        if wanted.contains(&id)
            && let Some(text) = row.text(1)?
        {
            names.entry(id).or_insert_with(|| clean(&text).into());
        }
        Ok(())
    })?;
    Ok(names)
}

/// Cuts a name to length, drops control characters and secrets.
pub(super) fn clean(text: &str) -> String {
    let mut end = text.len().min(NAME_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let plain: String = text[..end].chars().filter(|c| !c.is_control()).collect();
    redact(&plain)
}

/// The label a kernel or range of this name gets in signals and figures: the name itself, or when
/// it is longer than a label may be its beginning and eight hexadecimal digits that tell it from
/// others that begin alike.
pub fn kernel_label(name: &str) -> String {
    let name = clean(name);
    if name.chars().count() <= LABEL_CHARS {
        return tame(&name);
    }
    let start: String = name.chars().take(LABEL_CHARS).collect();
    // FNV-1a, so that the same name has the same label in every reading.
    let digest = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    tame(&format!("{start}… #{:08x}", digest >> 32))
}

/// The name of an API function without the suffix of its version (`_v7000`) and of its
/// per-thread stream variant (`_ptsz`, `_ptds`).
pub(super) fn api_name(name: &str) -> &str {
    let unversioned = match name.rsplit_once("_v") {
        Some((head, tail)) if !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit()) => head,
        _ => name,
    };
    unversioned
        .strip_suffix("_ptsz")
        .or_else(|| unversioned.strip_suffix("_ptds"))
        .unwrap_or(unversioned)
}

/// A range name without the serial number frameworks add (`aten::item, op_id = 317127`).
pub(super) fn range_name(text: &str) -> String {
    let name = match text.find(", op_id = ") {
        Some(at) => {
            let tail =
                text[at + ", op_id = ".len()..].trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{}{tail}", &text[..at])
        }
        None => text.to_owned(),
    };
    clean(&name)
}

/// What stands in the place of a secret.
const REDACTED: &str = "[redacted]";
/// Beginnings that only credentials have, each followed by at least eight letters or digits.
const PREFIXES: [&str; 11] = [
    "sk-",
    "hf_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "eyJ",
];
/// Ends of names that hold credentials, in lower case.
const SECRET_KEYS: [&str; 9] = [
    "token",
    "secret",
    "password",
    "passwd",
    "api_key",
    "apikey",
    "access_key",
    "private_key",
    "credentials",
];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Replaces what looks like a credential: `NAME_TOKEN=…`, `Bearer …`, `sk-…`, `hf_…`.
pub(crate) fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !is_word(first) {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if looks_secret(word) {
            out.push_str(REDACTED);
            rest = after;
        } else if let Some(value) = secret_after(word, after) {
            out.push_str(word);
            out.push_str(&after[..value.0]);
            out.push_str(REDACTED);
            rest = &after[value.1..];
        } else {
            out.push_str(word);
            rest = after;
        }
    }
    out
}

fn looks_secret(word: &str) -> bool {
    PREFIXES.iter().any(|p| {
        word.strip_prefix(p)
            .is_some_and(|tail| tail.len() >= 8 && tail.bytes().any(|b| b.is_ascii_digit()))
            || (word.starts_with(p) && word.len() >= p.len() + 16)
    })
}

/// Where the value of a secret lies in `after`, the text that follows `word`.
fn secret_after(word: &str, after: &str) -> Option<(usize, usize)> {
    let lower = word.to_ascii_lowercase().replace('-', "_");
    let mut at = if lower == "bearer" {
        after.len() - after.strip_prefix(' ')?.trim_start().len()
    } else if SECRET_KEYS.iter().any(|k| lower.ends_with(k)) {
        // Between name and value: a closing quote, one `=` or `:` (not the `::` of C++), blanks.
        let unquoted = after.trim_start_matches(['"', '\'']);
        let tail = unquoted.trim_start();
        let value = tail
            .strip_prefix('=')
            .or_else(|| tail.strip_prefix(':').filter(|t| !t.starts_with(':')))?
            .trim_start();
        after.len() - value.len()
    } else {
        return None;
    };
    let close =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')' | ']' | '}' | '"' | '\'');
    let value = &after[at..];
    let end = match value.chars().next() {
        Some(q @ ('"' | '\'')) => {
            at += 1;
            value[1..].find(q).map_or(after.len(), |n| at + n)
        }
        _ => value.find(close).map_or(after.len(), |n| at + n),
    };
    let secret = &after[at..end];
    if after[at..].starts_with(REDACTED) {
        return None;
    }
    // `max_token=128` is a number, not a credential.
    let number = secret.len() <= 6 && secret.bytes().all(|b| b.is_ascii_digit());
    (!secret.is_empty() && !number).then_some((at, end))
}

/// Replaces paths by `[path]`.
pub(super) fn cut_paths(text: &str) -> String {
    let words: Vec<&str> = text
        .split(' ')
        .map(|word| {
            let rooted = word
                .find('/')
                .is_some_and(|at| !word[..at].ends_with(|c: char| c.is_alphanumeric()));
            if rooted || word.matches('/').count() > 1 || word.contains('\\') {
                "[path]"
            } else {
                word
            }
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn api_names_lose_one_version_and_the_stream_variant() {
        assert_eq!(api_name("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
        assert_eq!(api_name("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
        assert_eq!(
            api_name("cudaStreamGetCaptureInfo_v2_v11030"),
            "cudaStreamGetCaptureInfo_v2"
        );
        assert_eq!(api_name("cu_vx"), "cu_vx");
    }

    #[test]
    fn serial_numbers_leave_range_names() {
        assert_eq!(range_name("aten::item, op_id = 317127"), "aten::item");
        assert_eq!(range_name("Step 190 to 200"), "Step 190 to 200");
    }

    #[test]
    fn credentials_are_cut_out_and_ordinary_names_stay() {
        for (text, shown) in [
            ("HF_TOKEN=\"abc def\" rest", "HF_TOKEN=\"[redacted]\" rest"),
            ("HF_TOKEN=abc,x", "HF_TOKEN=[redacted],x"),
            ("{\"api_key\": \"zz9\"}", "{\"api_key\": \"[redacted]\"}"),
            (
                "Authorization: Bearer a.b-c=",
                "Authorization: Bearer [redacted]",
            ),
            ("use sk-proj-0123456789abcdef now", "use [redacted] now"),
            ("hf_abcdefghijk1mnop", "[redacted]"),
            ("num_tokens=128 max_token=7", "num_tokens=128 max_token=7"),
            ("vllm::token::run<int>(T1 *)", "vllm::token::run<int>(T1 *)"),
            ("sk-learn", "sk-learn"),
        ] {
            assert_eq!(redact(text), shown);
        }
    }

    #[test]
    fn long_names_that_begin_alike_get_different_labels() {
        let (a, b) = ("k".repeat(300) + "a", "k".repeat(300) + "b");
        assert_ne!(kernel_label(&a), kernel_label(&b));
        assert!(kernel_label(&a).chars().count() <= 200);
        assert_eq!(kernel_label("nvjet_x"), "nvjet_x");
    }

    #[test]
    fn paths_leave_messages() {
        assert_eq!(
            cut_paths("see /tmp/x/y.log and C:\\Users\\me (SLI/NVLink) --f=/etc/p"),
            "see [path] and [path] (SLI/NVLink) [path]"
        );
    }
}
