//! The batch lines of SGLang: one per prefill batch, one per so many decode steps. Fields came and
//! went between releases, so each is read by its name and none by its place.

use super::sample::{Gauge, Sample, number};

/// A line of SGLang's scheduler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line {
    /// A prefill batch.
    Prefill(Sample),
    /// Decode steps.
    Decode(Sample),
    /// Requests thrown out of the batch because the KV cache was full.
    Retracted(f64),
    /// It begins like one and cannot be read.
    Broken,
}

/// Reads a message as a line of SGLang's scheduler; `None` when it is none.
pub fn read(message: &[u8]) -> Option<Line> {
    if let Some(body) = message.strip_prefix(b"Decode batch") {
        return batch(body, true);
    }
    if let Some(body) = message.strip_prefix(b"Prefill batch") {
        return batch(body, false);
    }
    let full = message.starts_with(b"KV cache pool is full")
        || message.starts_with(b"Decode out of memory");
    if full && memchr::memmem::find(message, b"Retract").is_some() {
        let name = b"#retracted_reqs: ";
        let at = memchr::memmem::find(message, name)?;
        return Some(number(&message[at + name.len()..]).map_or(Line::Broken, Line::Retracted));
    }
    None
}

fn batch(body: &[u8], decode: bool) -> Option<Line> {
    // `Decode batch.`, `Decode batch,`, `Decode batch [17],`; anything else is prose.
    let start = match body.first()? {
        b'.' | b',' => 1,
        b' ' if body.get(1) == Some(&b'[') => memchr::memchr(b']', body)? + 1,
        _ => return None,
    };
    let mut sample = Sample::default();
    let mut fine = true;
    let (mut fresh, mut cached) = (None, None);
    let mut usage: Option<f64> = None;
    for field in body[start..].split(|b| *b == b',') {
        let field = field.trim_ascii();
        let Some(colon) = memchr::memchr(b':', field) else {
            continue;
        };
        let value = field[colon + 1..].trim_ascii_start();
        match &field[..colon] {
            // The sequences of a prefill batch are not among those it calls running.
            b"#running-req" if decode => fine &= sample.set(Gauge::Running, number(value)),
            b"#queue-req" => fine &= sample.set(Gauge::Waiting, number(value)),
            b"token usage" | b"full token usage" | b"swa token usage" => {
                let value = number(value).filter(|v| *v <= 1.0005);
                fine &= value.is_some();
                usage = usage.into_iter().chain(value).reduce(f64::max);
            }
            b"gen throughput (token/s)" if decode => {
                fine &= sample.set(Gauge::Generation, number(value));
            }
            b"input throughput (token/s)" if !decode => {
                fine &= sample.set(Gauge::Prompt, number(value));
            }
            b"#new-token" => fresh = number(value),
            b"#cached-token" => cached = number(value),
            b"#prealloc-req" | b"#bootstrap-req" | b"#transfer-req" => {}
            b"accept len" => fine &= sample.set(Gauge::AcceptedLength, number(value)),
            b"cuda graph" | b"npu graph" | b"cpu graph" if decode => {
                sample.graph = Some(value.starts_with(b"True"));
            }
            _ => {}
        }
    }
    if usage.is_some() {
        sample.set(Gauge::Kv, usage);
    }
    sample.prefill = if decode { None } else { fresh.zip(cached) };
    let whole = if decode {
        sample.get(Gauge::Running).is_some()
    } else {
        sample.prefill.is_some()
    };
    Some(match (fine && whole, decode) {
        (false, _) => Line::Broken,
        (true, true) => Line::Decode(sample),
        (true, false) => Line::Prefill(sample),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_of_three_generations() {
        let old = "Decode batch. #running-req: 233, #token: 370959, token usage: 0.82, gen throughput (token/s): 4594.01, #queue-req: 317";
        let Some(Line::Decode(s)) = read(old.as_bytes()) else {
            panic!("no decode line")
        };
        assert_eq!(s.get(Gauge::Running), Some(233.0));
        assert_eq!(s.get(Gauge::Waiting), Some(317.0));
        assert_eq!(s.get(Gauge::Kv), Some(0.82));
        assert_eq!(s.get(Gauge::Generation), Some(4594.01));
        let new = "Decode batch, #running-req: 56, #full token: 20224, full token usage: 0.01, #swa token: 14976, swa token usage: 0.05, accept len: 2.69, accept rate: 0.24, cuda graph: True, gen throughput (token/s): 22.47, #queue-req: 0";
        let Some(Line::Decode(s)) = read(new.as_bytes()) else {
            panic!("no decode line")
        };
        assert_eq!(s.get(Gauge::Kv), Some(0.05));
        assert_eq!(s.get(Gauge::AcceptedLength), Some(2.69));
        assert_eq!(s.graph, Some(true));
        let prefill = "Prefill batch. #new-seq: 5, #new-token: 1234, #cached-token: 4096, cache hit rate: 33.30%, token usage: 0.31, #running-req: 12, #queue-req: 40, ";
        let Some(Line::Prefill(s)) = read(prefill.as_bytes()) else {
            panic!("no prefill line")
        };
        assert_eq!(s.prefill, Some((1234.0, 4096.0)));
        assert_eq!(s.get(Gauge::Running), None);
        let numbered = "Prefill batch [17], #new-seq: 1, #new-token: 2, #cached-token: 0, token usage: 0.00, #running-req: 0, #queue-req: 0, input throughput (token/s): 9.43, cuda graph: False";
        let Some(Line::Prefill(s)) = read(numbered.as_bytes()) else {
            panic!("no prefill line")
        };
        assert_eq!(s.get(Gauge::Prompt), Some(9.43));
    }

    #[test]
    fn retractions_and_what_is_none_of_these() {
        let text = "KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.9998 -> 1.0000";
        assert_eq!(read(text.as_bytes()), Some(Line::Retracted(3.0)));
        assert_eq!(read(b"Decode batching is on"), None);
        assert_eq!(
            read(b"Decode batch. #running-req: many, #queue-req: 0"),
            Some(Line::Broken)
        );
        assert_eq!(read(b"Decode batch, #token: 100"), Some(Line::Broken));
    }
}
