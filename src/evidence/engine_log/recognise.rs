//! Which text is the log of an engine. One periodic line is proof, and so is a line of its start;
//! other output of the same program is looked through for one.

use super::{front, sglang, start, vllm};
use crate::{Kind, Refusal, Source, detect::Head, input, prometheus::lines::each_line};

/// Lines of an engine's making that make a log of a head without a sure sign.
const ENOUGH: u64 = 5;

/// Recognises a log of vLLM or SGLang; `None` for anything else.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let start = &head.text[..head.text.len().min(4096)];
    if start.contains(&0) {
        return None;
    }
    let mut look = Look::default();
    for line in head.text.split(|b| *b == b'\n') {
        look.line(line);
        if look.sure {
            return Some(Ok(Kind::EngineLog));
        }
    }
    if look.foreign > look.known + look.answers {
        return None;
    }
    if look.known >= ENOUGH || (look.known > 0 && look.known * 2 >= look.lines) {
        return Some(Ok(Kind::EngineLog));
    }
    // A head of access lines or progress bars: the rest of the file decides.
    let likely = look.answers >= ENOUGH || look.known > 0;
    (likely && look.through(source)).then_some(Ok(Kind::EngineLog))
}

#[derive(Default)]
struct Look {
    lines: u64,
    known: u64,
    answers: u64,
    foreign: u64,
    sure: bool,
}

impl Look {
    fn line(&mut self, bytes: &[u8]) {
        let plain = front::plain(bytes);
        let line = plain.trim_ascii();
        if line.is_empty() {
            return;
        }
        self.lines += 1;
        if line.starts_with(b"{\"") {
            if let Some(inner) = super::json::unwrap(line) {
                for text in inner.text.as_bytes().split(|b| *b == b'\n') {
                    self.message(&front::split(text));
                }
            }
            return;
        }
        // Text of Prometheus, and the log of a communication library that prints among these.
        if line.starts_with(b"# HELP ") || line.starts_with(b"# TYPE ") {
            self.foreign += 10;
        }
        if memchr::memmem::find(&line[..line.len().min(160)], b" NCCL ").is_some() {
            self.foreign += 1;
        }
        self.message(&front::split(line));
    }

    fn message(&mut self, front: &front::Front<'_>) {
        let stats = matches!(
            vllm::read(front.message),
            Some(vllm::Line::Stats(..) | vllm::Line::Speculation(_))
        );
        let batch = matches!(
            sglang::read(front.message),
            Some(sglang::Line::Decode(_) | sglang::Line::Prefill(_))
        );
        let begins = matches!(
            start::read(front.message),
            Some(
                start::Fact::Release(_)
                    | start::Fact::Arguments(_)
                    | start::Fact::Engine(_)
                    | start::Fact::ServerArguments(_)
            )
        );
        // What somebody wrote about such a line has no time or level in front of it.
        let placed = !front.stamps.is_empty() || front.has_source;
        self.sure |= stats || batch || begins && placed;
        self.known += u64::from(front.has_source);
        let answer = super::event::read(front.message, false);
        self.answers += u64::from(matches!(answer, Some(super::event::Event::Answer { .. })));
    }

    /// Looks for a sure sign behind the head.
    fn through(&mut self, source: &Source) -> bool {
        let Ok(mut opened) = input::open(source) else {
            return false;
        };
        // A damaged end does not matter here; the reader reports it.
        let _ = each_line(&mut *opened.input, &mut |line| {
            self.line(line.bytes);
            if self.sure { Err(()) } else { Ok(()) }
        });
        self.sure
    }
}
