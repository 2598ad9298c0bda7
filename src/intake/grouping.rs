//! Which of several files handed in together form one item.
//!
//! Only the shape of the first bytes is looked at, with no parser: what the files are is decided
//! by the caged reader.

/// How the files of one form belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Scrapes form one item, every other file is its own.
    #[default]
    Auto,
    /// All form one item.
    Together,
    /// Every file is its own.
    Apart,
}

impl Grouping {
    /// The grouping with this id; anything else is automatic.
    pub fn from_id(id: &str) -> Self {
        match id {
            "together" => Self::Together,
            "apart" => Self::Apart,
            _ => Self::Auto,
        }
    }
}

/// Whether a file's first bytes look like a scrape of metrics: text exposition with `# HELP` or
/// `# TYPE` lines, or gzip (in which people keep scrapes).
pub fn looks_like_scrape(head: &[u8]) -> bool {
    if head.starts_with(&[0x1f, 0x8b]) {
        return true;
    }
    head.split(|b| *b == b'\n')
        .take(400)
        .any(|line| line.starts_with(b"# TYPE ") || line.starts_with(b"# HELP "))
}

/// Puts files, given as (name, is a scrape), into groups of indexes. Inside a group they are in
/// the order of their names, with runs of digits compared as numbers, so that `t9` comes before
/// `t10`.
pub fn groups(files: &[(String, bool)], how: Grouping) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|&i| natural(&files[i].0));
    let joined = |i: &usize| match how {
        Grouping::Together => true,
        Grouping::Apart => false,
        Grouping::Auto => files[*i].1,
    };
    let (together, apart): (Vec<usize>, Vec<usize>) = order.into_iter().partition(joined);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    if !together.is_empty() {
        groups.push(together);
    }
    groups.extend(apart.into_iter().map(|i| vec![i]));
    groups
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Number(u128),
    Text(String),
}

/// The order of names with runs of digits compared as numbers.
pub fn by_name(a: &str, b: &str) -> std::cmp::Ordering {
    natural(a).cmp(&natural(b))
}

fn natural(name: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != digits)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(match piece.parse() {
            Ok(n) if digits => Piece::Number(n),
            _ => Piece::Text(piece.to_lowercase()),
        });
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[(&str, bool)]) -> Vec<(String, bool)> {
        names.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect()
    }

    #[test]
    fn scrapes_form_one_item_and_everything_else_its_own() {
        let given = files(&[
            ("b.t10.prom", true),
            ("trace.sqlite", false),
            ("b.t9.prom", true),
            ("sweep.csv", false),
        ]);
        assert_eq!(
            groups(&given, Grouping::Auto),
            [vec![2, 0], vec![3], vec![1]]
        );
        assert_eq!(groups(&given, Grouping::Apart).len(), 4);
        assert_eq!(groups(&given, Grouping::Together).len(), 1);
        assert!(groups(&[], Grouping::Together).is_empty());
    }

    #[test]
    fn a_scrape_is_known_by_its_comments() {
        assert!(looks_like_scrape(b"# HELP vllm:x y\n# TYPE vllm:x gauge\n"));
        assert!(looks_like_scrape(b"Mon Nov 30\n# TYPE a counter\n"));
        assert!(!looks_like_scrape(b"Concurrency,Inferences/Second\n"));
        assert!(!looks_like_scrape(b"SQLite format 3\0"));
    }
}
