//! As much of a shell as start scripts need: words, quotes, joined lines, variables, and files
//! written with `<<`. Nothing is run; what only a running shell knows is unknown.

use super::pbtxt::Broken;
use std::collections::BTreeMap;

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Its text, without quotes.
    pub text: String,
    /// Whether a part of it is only known while the script runs.
    pub unknown: bool,
}

/// A simple command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// Variables set for it, in order.
    pub variables: Vec<(String, Word)>,
    /// Its words.
    pub words: Vec<Word>,
}

/// What a script says.
#[derive(Debug, Default)]
pub struct Script {
    /// Commands in order.
    pub commands: Vec<Command>,
    /// Files the script writes, by name.
    pub files: BTreeMap<String, String>,
}

impl Word {
    /// A word that is known.
    pub fn known(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            unknown: false,
        }
    }
}

/// Reads a script, or a single command line.
///
/// # Errors
/// A quote or a file that is not closed, with the line it opened on.
pub fn read(text: &str) -> Result<Script, Broken> {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        known: BTreeMap::new(),
        exported: Vec::new(),
        script: Script::default(),
        command: Command::default(),
        word: None,
        redirect: None,
        pending: Vec::new(),
        targets: Vec::new(),
    };
    reader.run()?;
    Ok(reader.script)
}

/// Whether `name` may name a variable.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    known: BTreeMap<String, Word>,
    exported: Vec<String>,
    script: Script,
    command: Command,
    word: Option<Word>,
    /// The operator whose target is the next word.
    redirect: Option<&'static str>,
    /// Ends of files that begin after this line.
    pending: Vec<(String, bool)>,
    targets: Vec<String>,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().text.push(c);
    }

    fn run(&mut self) -> Result<(), Broken> {
        while let Some(c) = self.peek() {
            match c {
                '\\' => {
                    self.bump();
                    match self.bump() {
                        Some('\n') | None => {}
                        Some(c) => self.push(c),
                    }
                }
                '\n' => {
                    self.bump();
                    self.end_command();
                    self.files()?;
                }
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.bump();
                    }
                }
                c if c.is_whitespace() => {
                    self.bump();
                    self.end_word();
                }
                ';' | '&' | '|' | '(' | ')' => {
                    self.bump();
                    self.end_command();
                }
                '>' | '<' => self.operator(),
                '\'' | '"' => self.quoted(c)?,
                '$' => {
                    self.bump();
                    self.expand(false);
                }
                '`' => {
                    self.bump();
                    self.skip_to('`');
                    self.word.get_or_insert_default().unknown = true;
                }
                c => {
                    self.bump();
                    self.push(c);
                }
            }
        }
        self.end_command();
        self.files()
    }

    fn quoted(&mut self, quote: char) -> Result<(), Broken> {
        let line = self.line;
        self.bump();
        self.word.get_or_insert_default();
        loop {
            match self.bump() {
                None => {
                    return Err(Broken {
                        line,
                        column: 1,
                        what: "quote-not-closed",
                    });
                }
                Some(c) if c == quote => return Ok(()),
                Some('\\') if quote == '"' => match self.bump() {
                    Some('\n') | None => {}
                    Some(c @ ('"' | '\\' | '$' | '`')) => self.push(c),
                    Some(c) => {
                        self.push('\\');
                        self.push(c);
                    }
                },
                Some('$') if quote == '"' => self.expand(true),
                Some(c) => self.push(c),
            }
        }
    }

    fn skip_to(&mut self, close: char) {
        let mut depth = 1;
        while let Some(c) = self.bump() {
            if c == close {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            } else if c == '(' && close == ')' {
                depth += 1;
            }
        }
    }

    /// What stands behind a `$`.
    fn expand(&mut self, quoted: bool) {
        let value = match self.peek() {
            Some('{') => {
                self.bump();
                let start = self.at;
                while self.peek().is_some_and(|c| c != '}' && c != '\n') {
                    self.bump();
                }
                let inside: String = self.chars[start..self.at].iter().collect();
                self.bump();
                self.braced(&inside)
            }
            Some('(') => {
                self.bump();
                let start = self.at;
                self.skip_to(')');
                let inside: String = self.chars[start..self.at.saturating_sub(1).max(start)]
                    .iter()
                    .collect();
                // Container arguments name their variables like this.
                self.known.get(inside.trim()).cloned()
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let start = self.at;
                while self
                    .peek()
                    .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
                {
                    self.bump();
                }
                let name: String = self.chars[start..self.at].iter().collect();
                self.known.get(&name).cloned()
            }
            Some('@' | '*' | '#' | '?' | '0'..='9') => {
                self.bump();
                None
            }
            _ => {
                self.push('$');
                return;
            }
        };
        let Some(value) = value else {
            self.word.get_or_insert_default().unknown = true;
            return;
        };
        if value.unknown {
            self.word.get_or_insert_default().unknown = true;
        }
        for c in value.text.chars() {
            if c.is_whitespace() && !quoted {
                self.end_word();
            } else {
                self.push(c);
            }
        }
    }

    fn braced(&self, inside: &str) -> Option<Word> {
        for mark in [":-", "-", ":="] {
            if let Some((name, default)) = inside.split_once(mark)
                && is_name(name)
            {
                // Whether the variable is set outside the script cannot be seen.
                let known = self.known.get(name).cloned();
                return Some(known.unwrap_or(Word {
                    text: default.to_owned(),
                    unknown: true,
                }));
            }
        }
        self.known.get(inside).cloned()
    }

    fn operator(&mut self) {
        if let Some(word) = &self.word
            && word.text.chars().all(|c| c.is_ascii_digit())
        {
            self.word = None;
        }
        self.end_word();
        let mut text = String::new();
        while let Some(c @ ('>' | '<')) = self.peek() {
            self.bump();
            text.push(c);
        }
        if self.peek() == Some('&') {
            self.bump();
        }
        self.redirect = Some(match text.as_str() {
            "<<" => {
                if self.peek() == Some('-') {
                    self.bump();
                    "<<-"
                } else {
                    "<<"
                }
            }
            ">" | ">>" => ">",
            _ => "<",
        });
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.redirect.take() {
            Some(op @ ("<<" | "<<-")) => self.pending.push((word.text, op == "<<-")),
            Some(">") => self.targets.push(word.text),
            Some(_) => {}
            None => self.command.words.push(word),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.redirect = None;
        let mut command = std::mem::take(&mut self.command);
        let exporting = matches!(
            command.words.first().map(|w| w.text.as_str()),
            Some("export" | "declare" | "local" | "readonly")
        );
        if exporting {
            command.words.remove(0);
        }
        while let Some((name, value)) = command.words.first().and_then(assignment) {
            command.words.remove(0);
            command.variables.push((name, value));
        }
        if command.words.is_empty() || exporting {
            for (name, value) in &command.variables {
                self.known.insert(name.clone(), value.clone());
                if exporting && !self.exported.contains(name) {
                    self.exported.push(name.clone());
                }
            }
            for word in &command.words {
                if exporting && is_name(&word.text) {
                    self.exported.push(word.text.clone());
                }
            }
            return;
        }
        let mut variables: Vec<(String, Word)> = self
            .exported
            .iter()
            .filter_map(|n| Some((n.clone(), self.known.get(n)?.clone())))
            .collect();
        variables.extend(command.variables);
        command.variables = variables;
        self.script.commands.push(command);
    }

    /// Files that begin after the line just ended.
    fn files(&mut self) -> Result<(), Broken> {
        let targets = std::mem::take(&mut self.targets);
        for (end, tabs) in std::mem::take(&mut self.pending) {
            let (opened, mut body) = (self.line, String::new());
            loop {
                let mut line = String::new();
                let more = loop {
                    match self.bump() {
                        Some('\n') => break true,
                        Some(c) => line.push(c),
                        None => break false,
                    }
                };
                let shown = if tabs {
                    line.trim_start_matches('\t')
                } else {
                    &line
                };
                if shown == end {
                    break;
                }
                if !more {
                    return Err(Broken {
                        line: opened,
                        column: 1,
                        what: "file-not-closed",
                    });
                }
                body.push_str(shown);
                body.push('\n');
            }
            if let Some(name) = targets.first() {
                self.script.files.insert(name.clone(), body);
            }
        }
        Ok(())
    }
}

fn assignment(word: &Word) -> Option<(String, Word)> {
    let (name, value) = word.text.split_once('=')?;
    is_name(name).then(|| {
        (
            name.to_owned(),
            Word {
                text: value.to_owned(),
                unknown: word.unknown,
            },
        )
    })
}
