//! Protobuf text format, as a model's `config.pbtxt` is written in it.
//!
//! What is not balanced is refused with its line and column; a file is never half read.

use super::value::{DEEPEST, Node, Value, number};

/// Where and why reading stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Stable kebab-case reason.
    pub what: &'static str,
}

/// Reads a message: its fields in order, each as often as it stands.
///
/// # Errors
/// The first place that is not of the format.
pub fn read(text: &str) -> Result<Vec<(String, Node)>, Broken> {
    let mut parser = Parser {
        rest: text,
        line: 1,
        column: 1,
    };
    parser.message(None, 0)
}

struct Parser<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Parser<'a> {
    fn broken<T>(&self, what: &'static str) -> Result<T, Broken> {
        Err(Broken {
            line: self.line,
            column: self.column,
            what,
        })
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn blanks(&mut self) {
        while let Some(c) = self.peek() {
            if c == '#' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.bump();
                }
            } else if c.is_whitespace() {
                self.bump();
            } else {
                return;
            }
        }
    }

    /// Fields up to `close`, or to the end of the text.
    fn message(
        &mut self,
        close: Option<char>,
        depth: usize,
    ) -> Result<Vec<(String, Node)>, Broken> {
        if depth > DEEPEST {
            return self.broken("too-deep");
        }
        let mut fields = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None if close.is_none() => return Ok(fields),
                None => return self.broken("not-closed"),
                c if c == close => {
                    self.bump();
                    return Ok(fields);
                }
                Some('}' | '>' | ']') => return self.broken("closed-too-often"),
                Some(',' | ';') if !fields.is_empty() => {
                    self.bump();
                }
                Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                    let name = self.word().to_owned();
                    let node = self.field(depth)?;
                    fields.push((name, node));
                }
                Some(_) => return self.broken("no-field"),
            }
        }
    }

    fn word(&mut self) -> &'a str {
        let start = self.rest;
        while self
            .peek()
            .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            self.bump();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn field(&mut self, depth: usize) -> Result<Node, Broken> {
        self.blanks();
        let colon = self.peek() == Some(':');
        if colon {
            self.bump();
            self.blanks();
        }
        match self.peek() {
            Some('{' | '<' | '[') => self.value(depth),
            Some(_) if colon => self.value(depth),
            Some(_) => self.broken("no-colon"),
            None => self.broken("not-closed"),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Broken> {
        match self.peek() {
            Some('{') => {
                self.bump();
                Ok(Node::Map(self.message(Some('}'), depth + 1)?))
            }
            Some('<') => {
                self.bump();
                Ok(Node::Map(self.message(Some('>'), depth + 1)?))
            }
            Some('[') => {
                self.bump();
                self.list(depth + 1)
            }
            Some('"' | '\'') => self.strings().map(|t| Node::Scalar(Value::Text(t))),
            Some(c) if c == '-' || c == '.' || c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => Ok(Node::Scalar(match self.word() {
                "true" | "True" | "t" => Value::Bool(true),
                "false" | "False" | "f" => Value::Bool(false),
                word => Value::Text(word.to_owned()),
            })),
            Some(_) => self.broken("no-value"),
            None => self.broken("not-closed"),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Node, Broken> {
        if depth > DEEPEST {
            return self.broken("too-deep");
        }
        let mut items = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                Some(']') => {
                    self.bump();
                    return Ok(Node::List(items));
                }
                Some('[') => return self.broken("no-value"),
                _ => items.push(self.value(depth)?),
            }
            self.blanks();
            match self.peek() {
                Some(',') => {
                    self.bump();
                }
                Some(']') => {}
                None => return self.broken("not-closed"),
                Some(_) => return self.broken("no-comma"),
            }
        }
    }

    fn number(&mut self) -> Result<Node, Broken> {
        let (line, column) = (self.line, self.column);
        let mut text = String::new();
        if self.peek() == Some('-') {
            self.bump();
            self.blanks();
            text.push('-');
        }
        while let Some(c) = self.peek() {
            let sign = matches!(c, '+' | '-') && text.ends_with(['e', 'E']);
            if !(c.is_ascii_alphanumeric() || c == '.' || sign) {
                break;
            }
            text.push(c);
            self.bump();
        }
        let hex = text
            .strip_prefix("0x")
            .and_then(|h| i64::from_str_radix(h, 16).ok())
            .map(Value::Int);
        let octal = (text.len() > 1 && text.bytes().all(|b| b.is_ascii_digit()))
            .then(|| text.strip_prefix('0'))
            .flatten()
            .and_then(|o| i64::from_str_radix(o, 8).ok())
            .map(Value::Int);
        let digits = text.trim_end_matches(['f', 'F']);
        let long = digits
            .trim_start_matches('-')
            .bytes()
            .all(|b| b.is_ascii_digit());
        let endless = matches!(text.trim_start_matches('-'), "inf" | "infinity" | "nan");
        hex.or(octal)
            .or_else(|| number(digits))
            .or_else(|| (endless || (long && digits.len() > 1)).then(|| Value::Text(text.clone())))
            .map(Node::Scalar)
            .ok_or(Broken {
                line,
                column,
                what: "no-number",
            })
    }

    /// Adjacent strings are one.
    fn strings(&mut self) -> Result<String, Broken> {
        let mut bytes = Vec::new();
        while let Some(quote) = self.peek().filter(|c| matches!(c, '"' | '\'')) {
            self.bump();
            self.string(quote, &mut bytes)?;
            self.blanks();
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn string(&mut self, quote: char, out: &mut Vec<u8>) -> Result<(), Broken> {
        let mut utf8 = [0; 4];
        loop {
            match self.bump() {
                None | Some('\n') => return self.broken("string-not-closed"),
                Some(c) if c == quote => return Ok(()),
                Some('\\') => self.escape(out)?,
                Some(c) => out.extend(c.encode_utf8(&mut utf8).as_bytes()),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Broken> {
        let digits = |parser: &mut Self, radix: u32, most: usize, first: Option<char>| {
            let mut value = first.and_then(|c| c.to_digit(radix)).unwrap_or(0);
            let mut taken = usize::from(first.is_some());
            while taken < most
                && let Some(d) = parser.peek().and_then(|c| c.to_digit(radix))
            {
                value = value * radix + d;
                parser.bump();
                taken += 1;
            }
            (value, taken)
        };
        let mut utf8 = [0; 4];
        match self.bump() {
            Some('n') => out.push(b'\n'),
            Some('r') => out.push(b'\r'),
            Some('t') => out.push(b'\t'),
            Some(c @ ('"' | '\'' | '\\' | '?')) => {
                out.extend(c.encode_utf8(&mut utf8).as_bytes());
            }
            Some('x' | 'X') => match digits(self, 16, 2, None) {
                (_, 0) => return self.broken("no-escape"),
                (value, _) => out.push(u8::try_from(value).unwrap_or(b'?')),
            },
            Some(c @ '0'..='7') => {
                let (value, _) = digits(self, 8, 3, Some(c));
                out.push(u8::try_from(value).unwrap_or(b'?'));
            }
            Some(c @ ('u' | 'U')) => {
                let (value, _) = digits(self, 16, if c == 'u' { 4 } else { 8 }, None);
                let c = char::from_u32(value).unwrap_or('\u{fffd}');
                out.extend(c.encode_utf8(&mut utf8).as_bytes());
            }
            _ => return self.broken("no-escape"),
        }
        Ok(())
    }
}
