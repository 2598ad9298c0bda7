//! Lines out of a byte stream, without copying those that lie whole in the buffer.

use std::io::{self, BufRead};

/// Longest line kept, in bytes. A longer one is reported as damaged and passed over.
pub const LONGEST_LINE: usize = 1 << 20;

/// One line as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its bytes, without the line feed.
    pub bytes: &'a [u8],
    /// Counted from 1.
    pub number: u64,
    /// Whether a line feed ended it; the last line of a cut file has none.
    pub ended: bool,
    /// Whether it was longer than [`LONGEST_LINE`]; then `bytes` is its beginning.
    pub too_long: bool,
}

/// Hands every line to `each` until it fails or the input ends.
///
/// # Errors
/// The outer error comes from reading, the inner one from `each`.
pub fn each_line<E>(
    input: &mut dyn BufRead,
    each: &mut dyn FnMut(Line<'_>) -> Result<(), E>,
) -> io::Result<Result<(), E>> {
    let mut carry: Vec<u8> = Vec::new();
    let mut too_long = false;
    let mut number = 0;
    loop {
        let buffer = match input.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            break;
        }
        let mut from = 0;
        for feed in memchr::memchr_iter(b'\n', buffer) {
            number += 1;
            let piece = &buffer[from..feed];
            from = feed + 1;
            let bytes = if carry.is_empty() {
                piece
            } else {
                carry.extend_from_slice(piece);
                &carry
            };
            let line = Line {
                bytes,
                number,
                ended: true,
                too_long: too_long || bytes.len() > LONGEST_LINE,
            };
            if let Err(e) = each(line) {
                return Ok(Err(e));
            }
            carry.clear();
            too_long = false;
        }
        let rest = &buffer[from..];
        let room = LONGEST_LINE.saturating_sub(carry.len());
        too_long |= rest.len() > room;
        carry.extend_from_slice(&rest[..rest.len().min(room)]);
        let used = buffer.len();
        input.consume(used);
    }
    if carry.is_empty() {
        return Ok(Ok(()));
    }
    Ok(each(Line {
        bytes: &carry,
        number: number + 1,
        ended: false,
        too_long,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(text: &[u8], buffer: usize) -> Vec<(Vec<u8>, u64, bool, bool)> {
        let mut out = Vec::new();
        each_line::<()>(&mut BufReader::with_capacity(buffer, text), &mut |line| {
            out.push((line.bytes.to_vec(), line.number, line.ended, line.too_long));
            Ok(())
        })
        .expect("memory can be read")
        .expect("nothing fails");
        out
    }

    #[test]
    fn lines_do_not_depend_on_the_buffer() {
        let text = b"a\n\nlonger line here\nlast";
        let whole = lines(text, 1000);
        assert_eq!(whole.len(), 4);
        assert_eq!(whole[3], (b"last".to_vec(), 4, false, false));
        for buffer in 1..20 {
            assert_eq!(lines(text, buffer), whole, "buffer of {buffer}");
        }
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut text = vec![b'x'; 3 * LONGEST_LINE];
        text.extend_from_slice(b"\nm 1\n");
        let found = lines(&text, 4096);
        assert_eq!(found.len(), 2);
        assert!(found[0].3 && found[0].0.len() <= LONGEST_LINE + 4096);
        assert_eq!(found[1], (b"m 1".to_vec(), 2, true, false));
    }
}
