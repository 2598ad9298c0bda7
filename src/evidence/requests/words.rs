//! Words by which logs say how a request ended and whether its answer was accepted.

use super::table::Outcome;

/// How a request ended by its status: an HTTP or gRPC code, a finish reason, or a word.
/// `None` for a blank, [`Outcome::Unclear`] for a word that is not known.
pub fn status(text: &[u8]) -> Option<Outcome> {
    let text = text.trim_ascii();
    if is_blank(text) {
        return None;
    }
    if let [a, b, c] = text
        && text.iter().all(u8::is_ascii_digit)
    {
        let code = u32::from(a - b'0') * 100 + u32::from(b - b'0') * 10 + u32::from(c - b'0');
        return Some(http(code));
    }
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits > 0 {
        // `200 OK`, `503: overloaded`, `200.0`
        let code: u32 = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
        let alone = text[digits..]
            .iter()
            .next()
            .is_none_or(|b| b" .:-".contains(b));
        return Some(match code {
            _ if !alone => Outcome::Unclear,
            100..=599 => http(code),
            0..=16 => grpc(code),
            _ => Outcome::Unclear,
        });
    }
    Some(word(text))
}

fn http(code: u32) -> Outcome {
    match code {
        408 | 504 => Outcome::TimedOut,
        499 => Outcome::Aborted,
        400.. => Outcome::Error,
        _ => Outcome::Done,
    }
}

/// Codes of gRPC: 1 cancelled, 4 deadline exceeded.
fn grpc(code: u32) -> Outcome {
    match code {
        0 => Outcome::Done,
        1 => Outcome::Aborted,
        4 => Outcome::TimedOut,
        _ => Outcome::Error,
    }
}

fn word(text: &[u8]) -> Outcome {
    let lower: String = String::from_utf8_lossy(&text[..text.len().min(60)]).to_lowercase();
    let is = |words: &[&str]| words.contains(&lower.as_str());
    let has = |parts: &[&str]| parts.iter().any(|p| lower.contains(p));
    if is(&[
        "ok",
        "success",
        "successful",
        "succeeded",
        "complete",
        "completed",
        "done",
        "finished",
        "stop",
        "eos",
        "eos_token",
        "stop_sequence",
        "end_turn",
        "tool_calls",
        "tool_use",
        "function_call",
        "content_filter",
        "true",
        "yes",
        "passed",
        "sucesso",
        "concluido",
        "concluído",
        "answered",
        "normal",
    ]) {
        return Outcome::Done;
    }
    if is(&[
        "length",
        "max_tokens",
        "max_length",
        "max_new_tokens",
        "truncated",
    ]) {
        return Outcome::Length;
    }
    if has(&["timeout", "timed out", "timed_out", "deadline"]) {
        return Outcome::TimedOut;
    }
    if has(&["cancel", "abort", "disconnect", "interrupted"]) {
        return Outcome::Aborted;
    }
    if has(&[
        "err",
        "fail",
        "exception",
        "reject",
        "refused",
        "overload",
        "unavailable",
        "oom",
    ]) || is(&["false", "no", "dropped", "5xx", "4xx", "falha"])
    {
        return Outcome::Error;
    }
    Outcome::Unclear
}

/// How a request ended by its error text; `None` when there was no error.
pub fn error(text: &[u8]) -> Option<Outcome> {
    let text = text.trim_ascii();
    let none: [&[u8]; 6] = [b"false", b"False", b"0", b"[]", b"{}", b"no"];
    if is_blank(text) || none.contains(&text) {
        return None;
    }
    Some(match word(text) {
        kind @ (Outcome::TimedOut | Outcome::Aborted) => kind,
        _ => Outcome::Error,
    })
}

/// Whether the answer was accepted: `Ok(None)` for a blank, `Err` for a word that is not known.
pub fn accepted(text: &[u8]) -> Result<Option<bool>, ()> {
    let text = text.trim_ascii();
    if is_blank(text) {
        return Ok(None);
    }
    let lower = String::from_utf8_lossy(&text[..text.len().min(40)]).to_lowercase();
    match lower.as_str() {
        "true" | "t" | "1" | "1.0" | "yes" | "y" | "accepted" | "accept" | "pass" | "passed"
        | "ok" | "good" | "sim" | "aceito" | "aceita" | "verdadeiro" => Ok(Some(true)),
        "false" | "f" | "0" | "0.0" | "no" | "n" | "rejected" | "reject" | "fail" | "failed"
        | "bad" | "não" | "nao" | "recusado" | "recusada" | "falso" => Ok(Some(false)),
        _ => Err(()),
    }
}

/// Whether a cell says that there is nothing.
pub fn is_blank(text: &[u8]) -> bool {
    text.is_empty()
        || (text.len() <= 16 && std::str::from_utf8(text).is_ok_and(crate::mapping::not_captured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome as O;

    #[test]
    fn statuses_of_many_hands() {
        for (text, expected) in [
            ("200", Some(O::Done)),
            ("200.0", Some(O::Done)),
            ("503 Service Unavailable", Some(O::Error)),
            ("504", Some(O::TimedOut)),
            ("499", Some(O::Aborted)),
            ("0", Some(O::Done)),
            ("4", Some(O::TimedOut)),
            ("77", Some(O::Unclear)),
            ("2xx", Some(O::Unclear)),
            ("stop", Some(O::Done)),
            ("Length", Some(O::Length)),
            ("client_disconnected", Some(O::Aborted)),
            ("ReadTimeout", Some(O::TimedOut)),
            ("internal error", Some(O::Error)),
            ("purple", Some(O::Unclear)),
            ("", None),
            ("null", None),
        ] {
            assert_eq!(status(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(error(b"None"), None);
        assert_eq!(error(b"queue full"), Some(O::Error));
        assert_eq!(error(b"deadline exceeded"), Some(O::TimedOut));
    }

    #[test]
    fn acceptance_is_never_guessed() {
        assert_eq!(accepted(b"TRUE"), Ok(Some(true)));
        assert_eq!(accepted(b"n"), Ok(Some(false)));
        assert_eq!(accepted(b""), Ok(None));
        assert_eq!(accepted(b"perhaps"), Err(()));
    }
}
