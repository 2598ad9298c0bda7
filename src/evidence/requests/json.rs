//! One JSON object on a line, taken apart without building it: every scalar comes out with its
//! path, as the bytes that the file has.
//!
//! Paths are keys joined by dots. An array comes out whole, as bytes. What is not looked at is
//! passed over, so long as its quotes and brackets close.

/// Deepest nesting that is entered.
const DEEPEST: usize = 32;

/// A value as the file writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// A string between its quotes, escapes as they stand.
    Text(&'a [u8]),
    /// A number, or what stands in its place (`NaN`, `Infinity`).
    Number(&'a [u8]),
    /// `true` or `false`.
    Flag(bool),
    /// `null`.
    Null,
    /// An array with its brackets.
    List(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The bytes of a scalar; empty for `null` and arrays.
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Text(text) | Self::Number(text) => text,
            Self::Flag(true) => b"true",
            Self::Flag(false) => b"false",
            Self::Null | Self::List(_) => b"",
        }
    }
}

/// Hands every value of the object in `line` to `each`, with its path.
///
/// # Errors
/// The place, in bytes from the start of the line, where it stops being JSON.
pub fn scan<'a>(
    line: &'a [u8],
    path: &mut Vec<u8>,
    each: &mut dyn FnMut(&[u8], Value<'a>),
) -> Result<(), usize> {
    path.clear();
    let mut scanner = Scanner { line, at: 0 };
    scanner.blank();
    scanner.object(path, each, 0)?;
    scanner.blank();
    if scanner.at == line.len() {
        Ok(())
    } else {
        Err(scanner.at)
    }
}

/// The numbers of an array of numbers; others in it are passed over and counted.
pub fn numbers(list: &[u8], into: &mut Vec<f64>) -> u64 {
    let mut strange = 0;
    let inside = list
        .strip_prefix(b"[")
        .and_then(|l| l.strip_suffix(b"]"))
        .unwrap_or_default();
    if inside.trim_ascii().is_empty() {
        return 0;
    }
    for part in inside.split(|b| *b == b',') {
        match super::number::parse(part.trim_ascii()) {
            Some(value) => into.push(value),
            None => strange += 1,
        }
    }
    strange
}

struct Scanner<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> Result<(), usize> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.at)
        }
    }

    fn object(
        &mut self,
        path: &mut Vec<u8>,
        each: &mut dyn FnMut(&[u8], Value<'a>),
        depth: usize,
    ) -> Result<(), usize> {
        self.eat(b'{')?;
        self.blank();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        let outer = path.len();
        loop {
            self.blank();
            let key = self.string()?;
            if outer > 0 {
                path.push(b'.');
            }
            path.extend_from_slice(key);
            self.blank();
            self.eat(b':')?;
            self.blank();
            if self.peek() == Some(b'{') {
                if depth == DEEPEST {
                    return Err(self.at);
                }
                self.object(path, each, depth + 1)?;
            } else {
                let value = self.value()?;
                each(path, value);
            }
            path.truncate(outer);
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.at),
            }
        }
    }

    fn string(&mut self) -> Result<&'a [u8], usize> {
        self.eat(b'"')?;
        let from = self.at;
        loop {
            let rest = self.line.get(self.at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                return Err(self.line.len());
            };
            self.at += found;
            if self.line[self.at] == b'"' {
                self.at += 1;
                return Ok(&self.line[from..self.at - 1]);
            }
            self.at += 2;
        }
    }

    fn value(&mut self) -> Result<Value<'a>, usize> {
        match self.peek() {
            Some(b'"') => Ok(Value::Text(self.string()?)),
            Some(b'[') => self.list(),
            Some(_) => {
                let from = self.at;
                while self.peek().is_some_and(|b| !b",}] \t\r\n".contains(&b)) {
                    self.at += 1;
                }
                match &self.line[from..self.at] {
                    b"true" => Ok(Value::Flag(true)),
                    b"false" => Ok(Value::Flag(false)),
                    b"null" => Ok(Value::Null),
                    word @ (b"NaN" | b"Infinity" | b"-Infinity") => Ok(Value::Number(word)),
                    number if super::number::parse(number).is_some() => Ok(Value::Number(number)),
                    _ => Err(from),
                }
            }
            None => Err(self.at),
        }
    }

    fn list(&mut self) -> Result<Value<'a>, usize> {
        let from = self.at;
        let mut open = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(b'[' | b'{') => open += 1,
                Some(b']' | b'}') => open -= 1,
                Some(_) => {}
                None => return Err(self.at),
            }
            self.at += 1;
            if open == 0 {
                return Ok(Value::List(&self.line[from..self.at]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Result<Vec<(String, String)>, usize> {
        let mut out = Vec::new();
        scan(line.as_bytes(), &mut Vec::new(), &mut |path, value| {
            let text = match value {
                Value::List(list) => list,
                Value::Null => b"null",
                other => other.bytes(),
            };
            out.push((
                String::from_utf8_lossy(path).into_owned(),
                String::from_utf8_lossy(text).into_owned(),
            ));
        })?;
        Ok(out)
    }

    #[test]
    fn every_scalar_comes_with_its_path() {
        let found = all(
            r#" {"a": 1, "b": {"c": "x\"}", "d": {}}, "e": [1, {"f": "]"}], "g": null, "h": true} "#,
        );
        let expected = [
            ("a", "1"),
            ("b.c", "x\\\"}"),
            ("e", r#"[1, {"f": "]"}]"#),
            ("g", "null"),
            ("h", "true"),
        ];
        let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(found.expect("it is JSON"), expected);
    }

    #[test]
    fn what_is_no_object_says_where() {
        for (line, at) in [
            ("", 0),
            ("[1]", 0),
            (r#"{"a" 1}"#, 5),
            (r#"{"a": 1"#, 7),
            (r#"{"a": tru}"#, 6),
            (r#"{"a": "x}"#, 9),
            (r#"{"a": 1} x"#, 9),
            (r#"{"a": [1, 2}"#, 12),
        ] {
            assert_eq!(all(line), Err(at), "{line}");
        }
        let deep = "{\"a\":".repeat(5000) + "1" + &"}".repeat(5000);
        assert!(all(&deep).is_err());
    }

    #[test]
    fn lists_give_their_numbers() {
        let mut out = Vec::new();
        assert_eq!(numbers(b"[0.1, 2e-3,3]", &mut out), 0);
        assert_eq!(out, [0.1, 0.002, 3.0]);
        assert_eq!(numbers(b"[]", &mut out), 0);
        assert_eq!(numbers(b"[\"a\", null]", &mut out), 2);
    }
}
