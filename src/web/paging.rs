//! Paging by key: the address of the next page holds the place of the last row, not a row number,
//! so that a row is neither shown twice nor lost when something moves meanwhile. Also the query
//! strings of links that keep a list's other filters.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Rows on one page of a list.
pub const ROWS: usize = 50;

/// The place of a row in a list ordered by time: `1764518250123456.0191…`, microseconds and id.
pub type Place = (DateTime<Utc>, Uuid);

/// A place as it stands in an address. PostgreSQL keeps microseconds, so none is lost.
pub fn key((at, id): Place) -> String {
    format!("{}.{id}", at.timestamp_micros())
}

/// The place an address names. One that does not read is none: the list then starts at the top.
pub fn place(key: Option<&str>) -> Option<Place> {
    let (at, id) = key?.split_once('.')?;
    Some((
        DateTime::from_timestamp_micros(at.parse().ok()?)?,
        id.parse().ok()?,
    ))
}

/// Cuts what was read beyond one page and gives the place after which the next page starts.
/// The caller reads `ROWS + 1` rows.
pub fn cut<T>(rows: &mut Vec<T>, place: impl Fn(&T) -> String) -> Option<String> {
    if rows.len() <= ROWS {
        return None;
    }
    rows.truncate(ROWS);
    rows.last().map(place)
}

/// `path?name=value&…` of the pairs that have a value.
pub fn link(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = path.to_owned();
    let mut sign = '?';
    for (name, value) in pairs.iter().filter(|(_, v)| !v.is_empty()) {
        out.push(sign);
        out.push_str(name);
        out.push('=');
        escape(value, &mut out);
        sign = '&';
    }
    out
}

fn escape(value: &str, out: &mut String) {
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_its_address_to_the_microsecond() {
        let at = DateTime::from_timestamp_micros(1_764_518_250_123_456).unwrap();
        let here = (at, Uuid::from_u128(7));
        assert_eq!(place(Some(&key(here))), Some(here));
        for bad in ["", "x", "1.2", "99999999999999999999.0"] {
            assert_eq!(place(Some(bad)), None, "{bad:?}");
        }
    }

    #[test]
    fn links_keep_what_has_a_value_and_escape_it() {
        assert_eq!(
            link("/cases", &[("q", "a & b"), ("state", ""), ("owner", "me")]),
            "/cases?q=a%20%26%20b&owner=me"
        );
        assert_eq!(link("/cases", &[("q", "")]), "/cases");
    }

    #[test]
    fn a_full_page_without_a_row_after_it_has_no_next() {
        let mut rows: Vec<usize> = (0..ROWS).collect();
        assert_eq!(cut(&mut rows, ToString::to_string), None);
        rows.push(ROWS);
        assert_eq!(cut(&mut rows, ToString::to_string), Some("49".to_owned()));
        assert_eq!(rows.len(), ROWS);
    }
}
