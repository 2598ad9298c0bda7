//! A pull reader for the JSON that load generators write, in bounded memory.
//!
//! Two things keep an ordinary reader away: Python writes `NaN` and `Infinity` where JSON has no
//! such number, and a result with an entry per request holds millions of numbers of which only a
//! few arrays matter. So values are taken one by one from a buffer, numbers are read where they
//! lie, and what nobody asks for is skipped without being looked at.

use super::words::{in_number, number, parsed};
use std::io::Read;

/// Bytes read at a time.
pub(super) const BUFFER: usize = 256 << 10;
/// Most bytes kept of one text; the rest is passed over.
const MOST_TEXT: usize = 4096;
/// Longest number, in bytes.
const MOST_NUMBER: usize = 512;
/// Most numbers taken at a time; what a list has beyond is passed over.
const MOST_NUMBERS: usize = 16_000_000;
/// Deepest nesting that is followed.
pub const DEEPEST: usize = 96;

/// Why reading stopped.
#[derive(Debug)]
pub enum Fault {
    /// The text ends inside a value; the byte is where it ends.
    Cut(u64),
    /// The text is not JSON at this byte.
    Syntax(u64),
    /// Values are nested deeper than [`DEEPEST`].
    Deep(u64),
    /// The bytes could not be read.
    Io(std::io::Error),
}

/// What a value is. Of a text, [`Json::text`] has the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// `{`: its keys come by [`Json::key`].
    Object,
    /// `[`: its items come by [`Json::item`].
    Array,
    /// A text.
    Text,
    /// A number; `NaN` and the infinities as Python writes them.
    Number(f64),
    /// `true` or `false`.
    Truth(bool),
    /// `null`.
    Null,
}

/// A reader over one stream of JSON values.
pub struct Json<'a> {
    input: &'a mut dyn Read,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    before: u64,
    ended: bool,
    text: Vec<u8>,
    depth: usize,
}

impl<'a> Json<'a> {
    /// Reads from here.
    pub fn new(input: &'a mut dyn Read) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER],
            at: 0,
            end: 0,
            before: 0,
            ended: false,
            text: Vec::new(),
            depth: 0,
        }
    }

    /// Bytes read so far.
    pub fn place(&self) -> u64 {
        self.before + self.at as u64
    }

    /// The text of the last text value or key, at most [`MOST_TEXT`] bytes of it.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }

    /// The bytes of the last text value or key.
    pub fn bytes(&self) -> &[u8] {
        &self.text
    }

    /// Forgets how deep the reader was: for the next value of a stream after a fault.
    pub fn restart(&mut self) {
        self.depth = 0;
    }

    /// Moves the unread bytes to the front and reads more. `false` at the end.
    fn fill(&mut self) -> Result<bool, Fault> {
        if self.ended {
            return Ok(false);
        }
        self.buffer.copy_within(self.at..self.end, 0);
        self.before += self.at as u64;
        self.end -= self.at;
        self.at = 0;
        if self.end == self.buffer.len() {
            return Ok(true);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(n) => {
                    self.end += n;
                    return Ok(true);
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Fault::Io(e)),
            }
        }
    }

    fn here(&self) -> Fault {
        Fault::Syntax(self.place())
    }

    fn cut(&self) -> Fault {
        Fault::Cut(self.place())
    }

    /// The next byte that is no blank; `None` at the end.
    pub fn peek(&mut self) -> Result<Option<u8>, Fault> {
        loop {
            let rest = &self.buffer[self.at..self.end];
            // A BOM may stand before the first value of a file or of a joined one.
            let blank = |b: u8| matches!(b, b' ' | b'\n' | b'\r' | b'\t');
            if let Some(n) = rest.iter().position(|b| !blank(*b)) {
                self.at += n;
                return Ok(Some(self.buffer[self.at]));
            }
            self.at = self.end;
            if !self.fill()? {
                return Ok(None);
            }
        }
    }

    /// Passes over a byte-order mark, if there is one.
    pub fn pass_bom(&mut self) -> Result<(), Fault> {
        while self.end - self.at < 3 && self.fill()? {}
        if self.buffer[self.at..self.end].starts_with(b"\xef\xbb\xbf") {
            self.at += 3;
        }
        Ok(())
    }

    fn need(&mut self) -> Result<u8, Fault> {
        self.peek()?.ok_or_else(|| self.cut())
    }

    /// The next value. Containers are opened; their parts come by [`Json::key`] and
    /// [`Json::item`].
    pub fn value(&mut self) -> Result<Value, Fault> {
        match self.need()? {
            b'{' => self.open(Value::Object),
            b'[' => self.open(Value::Array),
            b'"' => {
                self.at += 1;
                self.quoted(true)?;
                Ok(Value::Text)
            }
            _ => self.word(),
        }
    }

    fn open(&mut self, what: Value) -> Result<Value, Fault> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Fault::Deep(self.place()));
        }
        Ok(what)
    }

    /// Goes to the next key of the object just opened, or ends it with `false`. The key is in
    /// [`Json::text`]; its value must be taken or skipped before the next key.
    pub fn key(&mut self, first: bool) -> Result<bool, Fault> {
        if !self.part(b'}', first)? {
            return Ok(false);
        }
        if self.need()? != b'"' {
            return Err(self.here());
        }
        self.at += 1;
        self.quoted(true)?;
        if self.need()? != b':' {
            return Err(self.here());
        }
        self.at += 1;
        Ok(true)
    }

    /// Goes to the next item of the array just opened, or ends it with `false`.
    pub fn item(&mut self, first: bool) -> Result<bool, Fault> {
        self.part(b']', first)
    }

    fn part(&mut self, end: u8, first: bool) -> Result<bool, Fault> {
        let next = self.need()?;
        if next == end {
            self.at += 1;
            self.depth = self.depth.saturating_sub(1);
            return Ok(false);
        }
        if first {
            return Ok(true);
        }
        if next != b',' {
            return Err(self.here());
        }
        self.at += 1;
        // A comma before the end is not JSON; a cut copy ends here too.
        if self.need()? == end {
            return Err(self.here());
        }
        Ok(true)
    }

    /// Reads to the closing quote; keeps the beginning if asked to.
    fn quoted(&mut self, keep: bool) -> Result<(), Fault> {
        self.text.clear();
        loop {
            let rest = &self.buffer[self.at..self.end];
            let found = memchr::memchr2(b'"', b'\\', rest);
            let plain = found.unwrap_or(rest.len());
            if keep && self.text.len() < MOST_TEXT {
                let most = plain.min(MOST_TEXT - self.text.len());
                self.text.extend_from_slice(&rest[..most]);
            }
            self.at += plain;
            match found.map(|_| self.buffer[self.at]) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => {
                    self.at += 1;
                    self.escaped(keep)?;
                }
                None => {
                    if !self.fill()? {
                        return Err(self.cut());
                    }
                }
            }
        }
    }

    /// The character behind a backslash.
    fn escaped(&mut self, keep: bool) -> Result<(), Fault> {
        while self.at == self.end {
            if !self.fill()? {
                return Err(self.cut());
            }
        }
        let c = self.buffer[self.at];
        self.at += 1;
        let plain = match c {
            b'n' | b'r' | b't' => b' ',
            // Texts are shown to people and compared with names; neither needs the character
            // behind a `\u`, which stays as its digits.
            b'u' | b'b' | b'f' => b'?',
            other => other,
        };
        if keep && self.text.len() < MOST_TEXT {
            self.text.push(plain);
        }
        Ok(())
    }

    /// A number, `true`, `false`, `null`, or a number that Python writes as a word.
    fn word(&mut self) -> Result<Value, Fault> {
        let mut seen = 0;
        let length = loop {
            let rest = &self.buffer[self.at..self.end];
            let stop = |b: &u8| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
            if let Some(n) = rest[seen..].iter().position(stop) {
                break seen + n;
            }
            seen = rest.len();
            if seen > MOST_NUMBER {
                return Err(self.here());
            }
            if !self.fill()? {
                // A number at the very end may be a piece of a longer one.
                if self.depth > 0 {
                    self.at = self.end;
                    return Err(self.cut());
                }
                break self.end - self.at;
            }
        };
        let word = &self.buffer[self.at..self.at + length];
        let value = parsed(word).ok_or_else(|| self.here())?;
        self.at += length;
        Ok(value)
    }

    /// Passes over the next value, whatever it is.
    pub fn skip(&mut self) -> Result<(), Fault> {
        let mut depth = 0_usize;
        loop {
            match self.need()? {
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b'"' => {
                    self.at += 1;
                    self.quoted(false)?;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => {
                    self.word()?;
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Passes over what is left of an object or array that was opened.
    pub fn skip_rest(&mut self, object: bool, mut first: bool) -> Result<(), Fault> {
        while if object {
            self.key(first)?
        } else {
            self.item(first)?
        } {
            self.skip()?;
            first = false;
        }
        Ok(())
    }

    /// The fast lane: numbers that lie whole in the buffer with a comma and another number behind
    /// them. It stops at the beginning of an item, as it began.
    fn lane(&mut self, into: &mut Vec<f64>) {
        let rest = &self.buffer[self.at..self.end];
        let begins = |at: usize| {
            rest.get(at)
                .is_some_and(|b| *b == b'-' || b.is_ascii_digit())
        };
        let mut from = 0;
        while begins(from) {
            let Some(length) = rest[from..].iter().position(|b| !in_number(*b)) else {
                break;
            };
            let comma = from + length;
            let blank = usize::from(rest.get(comma + 1) == Some(&b' '));
            let next = comma + 1 + blank;
            if rest[comma] != b',' || !begins(next) {
                break;
            }
            let Some(number) = number(&rest[from..comma]) else {
                break;
            };
            into.push(number);
            from = next;
        }
        self.at += from;
    }

    /// Puts every item of an array of numbers behind what is there: `NaN` for what is no number.
    /// Takes the whole value, and says whether it was an array.
    pub fn numbers(&mut self, into: &mut Vec<f64>) -> Result<bool, Fault> {
        if self.need()? != b'[' {
            self.skip()?;
            return Ok(false);
        }
        self.value()?;
        let mut first = true;
        while self.item(first)? {
            first = false;
            self.lane(into);
            into.push(match self.need()? {
                b'{' | b'[' | b'"' => {
                    self.skip()?;
                    f64::NAN
                }
                _ => match self.word()? {
                    Value::Number(n) => n,
                    _ => f64::NAN,
                },
            });
            if into.len() > MOST_NUMBERS {
                into.truncate(MOST_NUMBERS);
                self.skip_rest(false, false)?;
                return Ok(true);
            }
        }
        Ok(true)
    }
}
