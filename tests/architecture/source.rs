//! Reads Rust source far enough to know which paths it names: comments and the insides of literals
//! are taken out, modules that exist only for tests are left away, and `use` trees are spread out.

/// A source file as the rules look at it.
pub struct Source {
    /// Paths in the order they stand: `crate::store::cases`, `sqlx::query`; never `super` or `self`.
    pub paths: Vec<Named>,
    /// What stands between quotes.
    pub literals: Vec<Named>,
    /// Lines that are not inside a module of tests.
    pub lines: usize,
}

/// Something found, and on which line.
pub struct Named {
    /// The path or the text.
    pub text: String,
    /// Line, from 1.
    pub line: usize,
}

/// Reads `text`, which lies in `module` (segments from `crate` on).
pub fn read(text: &str, module: &[&str]) -> Source {
    let (code, literals) = split(text);
    let (code, cut) = without_test_modules(&code);
    let tests = |line: usize| cut.iter().any(|(from, to)| (*from..=*to).contains(&line));
    let tokens = tokens(&code);
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let line = tokens[at].line;
        let mut found = Vec::new();
        if is_use(&tokens, at) {
            at = tree(&tokens, at + 1, &[], &mut found);
        } else {
            at = plain(&tokens, at, &mut found);
        }
        for path in found {
            let text = resolve(path, module).join("::");
            paths.push(Named { text, line });
        }
    }
    Source {
        paths,
        literals: literals.into_iter().filter(|l| !tests(l.line)).collect(),
        lines: text.lines().count() - cut.iter().map(|(from, to)| to - from + 1).sum::<usize>(),
    }
}

/// The source with comments and the insides of literals blanked, line for line, and the literals.
fn split(text: &str) -> (String, Vec<Named>) {
    let bytes: Vec<char> = text.chars().collect();
    let (mut code, mut literals) = (String::with_capacity(text.len()), Vec::new());
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let ident_before = at > 0 && is_word(bytes[at - 1]);
        let (length, literal) = match rest {
            ['/', '/', ..] => (rest.iter().take_while(|c| **c != '\n').count(), None),
            ['/', '*', ..] => (block_comment(rest), None),
            ['"', ..] => quoted(rest),
            ['r', '"' | '#', ..] if !ident_before => raw(rest).unwrap_or((0, None)),
            ['\'', ..] => (character(rest), None),
            _ => (0, None),
        };
        if let Some(text) = literal {
            literals.push(Named { text, line });
        }
        if length == 0 {
            line += usize::from(bytes[at] == '\n');
            code.push(bytes[at]);
            at += 1;
            continue;
        }
        // Something stays in its place, so that the words around it do not grow together.
        code.push(' ');
        let breaks = rest[..length].iter().filter(|c| **c == '\n').count();
        code.extend(std::iter::repeat_n('\n', breaks));
        line += breaks;
        at += length;
    }
    (code, literals)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn quoted(rest: &[char]) -> (usize, Option<String>) {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    let end = at.min(rest.len());
    (
        (end + 1).min(rest.len()),
        Some(rest[1..end].iter().collect()),
    )
}

fn raw(rest: &[char]) -> Option<(usize, Option<String>)> {
    let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
    // `r#type` is a word, not a literal.
    if rest.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let start = 2 + hashes;
    let close: Vec<char> = std::iter::once('"')
        .chain(std::iter::repeat_n('#', hashes))
        .collect();
    let end = (start..rest.len()).find(|i| rest[*i..].starts_with(&close))?;
    Some((end + close.len(), Some(rest[start..end].iter().collect())))
}

/// Length of a character literal; 0 for a lifetime.
fn character(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => rest[2..]
            .iter()
            .skip(1)
            .position(|c| *c == '\'')
            .map_or(0, |n| n + 4),
        ['\'', _, '\'', ..] => 3,
        _ => 0,
    }
}

/// The code without `#[cfg(test)] mod … { … }`, and the lines that were left away.
fn without_test_modules(code: &str) -> (String, Vec<(usize, usize)>) {
    const MARK: &str = "#[cfg(test)]";
    let (mut kept, mut rest, mut cut) = (String::new(), code, Vec::new());
    while let Some(at) = rest.find(MARK) {
        let after = &rest[at + MARK.len()..];
        let head = after.split(['{', ';']).next().unwrap_or_default();
        let opens = after[head.len()..].starts_with('{');
        kept.push_str(&rest[..at]);
        if !(opens && head.split_whitespace().any(|w| w == "mod")) {
            kept.push_str(MARK);
            rest = after;
            continue;
        }
        let length = head.len() + body(&after[head.len()..]);
        let whole = &rest[at..at + MARK.len() + length];
        let from = kept.matches('\n').count() + 1;
        let breaks = whole.matches('\n').count();
        cut.push((from, from + breaks));
        kept.extend(std::iter::repeat_n('\n', breaks));
        rest = &after[length..];
    }
    kept.push_str(rest);
    (kept, cut)
}

/// Length of a block from its opening brace to the closing one.
fn body(text: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

struct Token {
    text: String,
    line: usize,
}

fn tokens(code: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    for (number, text) in code.lines().enumerate() {
        let line = number + 1;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                let text = rest[..length].to_owned();
                found.push(Token { text, line });
            }
            rest = &rest[length..];
        }
    }
    found
}

fn text(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |t| t.text.as_str())
}

/// Whether an import begins here, and not `impl Trait + use<'a>`.
fn is_use(tokens: &[Token], at: usize) -> bool {
    text(tokens, at) == "use" && text(tokens, at + 1) != "<"
}

/// Spreads out the tree that begins at `at`; where it ends.
fn tree(tokens: &[Token], mut at: usize, above: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = above.to_vec();
    loop {
        match text(tokens, at) {
            "" | ";" => {
                found.push(path);
                return at + 1;
            }
            "," | "}" => {
                found.push(path);
                return at;
            }
            "{" => {
                at += 1;
                while !matches!(text(tokens, at), "}" | "") {
                    at = tree(tokens, at, &path, found);
                    at += usize::from(text(tokens, at) == ",");
                }
                let end = at + 1;
                return end + usize::from(above.is_empty() && text(tokens, end) == ";");
            }
            "as" => at += 2,
            "::" | "*" => at += 1,
            word => {
                path.push(word.to_owned());
                at += 1;
            }
        }
    }
}

/// A path of at least two words that stands in code; where it ends.
fn plain(tokens: &[Token], mut at: usize, found: &mut Vec<Vec<String>>) -> usize {
    let mut path = Vec::new();
    while text(tokens, at).starts_with(is_word) {
        path.push(text(tokens, at).to_owned());
        at += 1;
        if text(tokens, at) != "::" || !text(tokens, at + 1).starts_with(is_word) {
            break;
        }
        at += 1;
    }
    match path.len() {
        0 => at + 1,
        1 => at,
        _ => {
            found.push(path);
            at
        }
    }
}

/// The path from the root of its crate.
fn resolve(path: Vec<String>, module: &[&str]) -> Vec<String> {
    let up = path.iter().take_while(|w| *w == "super").count();
    let own = up > 0 || path.first().is_some_and(|w| w == "self");
    if !own {
        return path;
    }
    let kept = module.len().saturating_sub(up).max(1);
    let words = path
        .into_iter()
        .skip_while(|w| w == "super" || w == "self")
        .collect::<Vec<_>>();
    let above = module.iter().take(kept).map(|w| (*w).to_owned());
    above.chain(words).collect()
}

#[cfg(test)]
mod tests {
    use super::read;

    fn paths(text: &str) -> Vec<String> {
        let source = read(text, &["crate", "ladder", "gate"]);
        source.paths.into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn trees_are_spread_out_and_relative_paths_resolved() {
        assert_eq!(
            paths("use super::{case::CaseFile, view::{self, View as V}};\nuse a;"),
            [
                "crate::ladder::case::CaseFile",
                "crate::ladder::view::self",
                "crate::ladder::view::View",
                "a"
            ]
        );
        assert_eq!(paths("use super::super::store;"), ["crate::store"]);
        assert_eq!(
            paths("fn f() { crate::web::show(sqlx::query!(1)) }"),
            ["crate::web::show", "sqlx::query"]
        );
    }

    #[test]
    fn comments_and_literals_name_nothing() {
        let text = "// crate::web::a\n/* crate::web /* b */ crate::web::c */\n\
                    const A: &str = \"crate::web::d \\\" {\";\nconst B: &str = r#\"select 1 \"from\" x\"#;\n\
                    fn f<'a>(c: char) -> bool { c == '\"' || c == '\\'' || c == '{' }\nuse z::y;";
        assert_eq!(paths(text), ["z::y"]);
        let source = read(text, &["crate"]);
        assert_eq!(source.literals[1].text, "select 1 \"from\" x");
        assert_eq!(source.literals[1].line, 4);
    }

    #[test]
    fn modules_of_tests_are_left_away_with_their_lines() {
        let text = "use a::b;\n#[cfg(test)]\nmod tests {\n    use crate::web;\n    const S: &str = \"s\";\n}\nuse c::d;\n";
        assert_eq!(paths(text), ["a::b", "c::d"]);
        let source = read(text, &["crate"]);
        assert_eq!(source.lines, 2);
        assert!(source.literals.is_empty());
        assert_eq!(
            read("#[cfg(test)]\nmod tests;\nuse a::b;", &["crate"]).lines,
            3
        );
    }
}
