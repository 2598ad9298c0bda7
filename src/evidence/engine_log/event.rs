//! Lines about requests answered over HTTP, and about things that went wrong.
//!
//! Of a request its endpoint and status are kept, of an error its class; addresses, arguments and
//! messages are not, because they may hold prompts or secrets.

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// An HTTP request was answered.
    Answer {
        /// A known endpoint, or `other`.
        endpoint: &'static str,
        /// HTTP status.
        status: u16,
    },
    /// An error was printed: its class.
    Error(&'a str),
    /// A stack trace begins.
    Trace,
    /// The engine says that it, or a process of it, is gone.
    Dead,
}

/// Endpoints that answer with tokens, embeddings or scores.
const WORK: [&str; 13] = [
    "/v1/completions",
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/messages",
    "/v1/embeddings",
    "/v1/audio/transcriptions",
    "/v1/rerank",
    "/v1/score",
    "/generate",
    "/invocations",
    "/classify",
    "/encode",
    "/pooling",
];

/// Endpoints that only look at the server.
const LOOKS: [&str; 9] = [
    "/health",
    "/health_generate",
    "/metrics",
    "/ping",
    "/version",
    "/v1/models",
    "/get_model_info",
    "/get_server_info",
    "/load",
];

/// Whether an endpoint does a model's work.
pub fn is_work(endpoint: &str) -> bool {
    WORK.contains(&endpoint)
}

/// Reads a message as an event; `None` when it is none.
pub fn read(message: &[u8], error: bool) -> Option<Event<'_>> {
    if let Some(answer) = answer(message) {
        return Some(answer);
    }
    if message.starts_with(b"Traceback (most recent call last)") {
        return Some(Event::Trace);
    }
    // Whole starts only: a prompt or a help text may say the same words.
    let dead: [&[u8]; 8] = [
        b"AsyncLLM output_handler failed",
        b"EngineCore encountered a",
        b"EngineCore hit an exception",
        b"EngineCore failed to start",
        b"Engine core proc",
        b"Engine loop has died",
        b"Received sigquit from a child process",
        b"Scheduler hit an exception",
    ];
    if dead.iter().any(|d| message.starts_with(d)) {
        let died = !message.starts_with(b"Engine core proc") || error && has(message, b" died");
        return died.then_some(Event::Dead);
    }
    class(message).map(Event::Error)
}

/// `127.0.0.1:50000 - "POST /v1/completions HTTP/1.1" 200 OK`
fn answer(message: &[u8]) -> Option<Event<'static>> {
    let open = memchr::memmem::find(&message[..message.len().min(80)], b" - \"")?;
    let request = &message[open + 4..];
    let blank = request.iter().take(10).position(|b| *b == b' ')?;
    let methods: [&[u8]; 7] = [
        b"GET", b"POST", b"PUT", b"DELETE", b"HEAD", b"OPTIONS", b"PATCH",
    ];
    if !methods.contains(&&request[..blank]) {
        return None;
    }
    let target = &request[blank + 1..];
    let end = memchr::memmem::find(target, b" HTTP/")?;
    let close = memchr::memchr(b'"', &target[end..])?;
    let status = target[end + close + 1..].trim_ascii_start();
    let digits = status.get(..3)?;
    let whole = status.get(3).is_none_or(|b| !b.is_ascii_digit());
    let status: u16 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    if !whole || !(100..600).contains(&status) {
        return None;
    }
    let path = target[..end]
        .split(|b| *b == b'?')
        .next()
        .unwrap_or_default();
    let endpoint = WORK
        .iter()
        .chain(&LOOKS)
        .find(|known| known.as_bytes() == path)
        .copied()
        .unwrap_or("other");
    Some(Event::Answer { endpoint, status })
}

/// `torch.OutOfMemoryError: CUDA out of memory. …` is an error of that class.
fn class(message: &[u8]) -> Option<&str> {
    let near = &message[..message.len().min(100)];
    let end = memchr::memchr(b':', near).unwrap_or(near.len());
    let name = &near[..end];
    let known = [&b"Error"[..], b"Exception", b"KeyboardInterrupt"]
        .iter()
        .any(|suffix| name.ends_with(suffix));
    let plain = name
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || b"_.".contains(b));
    // `Error: …` alone names nothing.
    if !known || !plain || name == b"Error" {
        return None;
    }
    let name = std::str::from_utf8(name).ok()?;
    name.rsplit('.').next()
}

/// Whether an error is one of memory running out.
pub fn is_out_of_memory(class: &str, message: &[u8]) -> bool {
    class == "OutOfMemoryError" || has(&message[..message.len().min(200)], b"out of memory")
}

fn has(text: &[u8], what: &[u8]) -> bool {
    memchr::memmem::find(text, what).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_keep_endpoint_and_status_only() {
        for (line, endpoint, status) in [
            (
                "127.0.0.1:50000 - \"POST /v1/completions HTTP/1.1\" 200 OK",
                "/v1/completions",
                200,
            ),
            (
                "[::1]:5 - \"POST /generate?key=secret HTTP/1.1\" 503 Service Unavailable",
                "/generate",
                503,
            ),
            (
                "10.0.0.1:0 - \"GET /users/alice HTTP/1.0\" 404 Not Found",
                "other",
                404,
            ),
        ] {
            assert_eq!(
                read(line.as_bytes(), false),
                Some(Event::Answer { endpoint, status }),
                "{line}"
            );
        }
        for line in [
            "127.0.0.1:5 - \"POST /v1/completions HTTP/1.1\" 20",
            "127.0.0.1:5 - \"POST /v1/completions HTTP/1.1\" 2000",
            "127.0.0.1:5 - \"STEAL /v1/completions HTTP/1.1\" 200",
        ] {
            assert_eq!(read(line.as_bytes(), false), None, "{line}");
        }
    }

    #[test]
    fn errors_are_known_by_their_class() {
        let oom = b"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB";
        assert_eq!(read(oom, true), Some(Event::Error("OutOfMemoryError")));
        assert!(is_out_of_memory("OutOfMemoryError", oom));
        assert_eq!(read(b"Error: it failed", true), None);
        assert_eq!(read(b"An Error: it failed", true), None);
        let text = b"vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.";
        assert_eq!(read(text, true), Some(Event::Error("EngineDeadError")));
        assert_eq!(
            read(b"AsyncLLM output_handler failed.", true),
            Some(Event::Dead)
        );
    }
}
