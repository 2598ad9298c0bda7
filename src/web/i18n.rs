//! Which language a request gets: the profile's, else the one chosen on this browser, else the
//! first one of `Accept-Language` that we speak.

use super::visit::accept_language;
use crate::i18n::Lang;
use axum::http::HeaderMap;
use axum_extra::extract::cookie::CookieJar;

/// Cookie that keeps the language of a browser that is not signed in.
pub const COOKIE: &str = "pel-lang";

/// The language a browser asks for.
pub fn asked(headers: &HeaderMap) -> Lang {
    let jar = CookieJar::from_headers(headers);
    jar.get(COOKIE)
        .and_then(|c| Lang::from_tag(c.value()))
        .or_else(|| accept_language(headers).and_then(first_spoken))
        .unwrap_or_default()
}

/// The best of `Accept-Language` that we speak: by weight, then by order.
fn first_spoken(header: &str) -> Option<Lang> {
    let mut best: Option<(f32, Lang)> = None;
    for part in header.split(',') {
        let (tag, weight) = part.split_once(";q=").unwrap_or((part, "1"));
        let weight: f32 = weight.trim().parse().unwrap_or(0.0);
        if let Some(lang) = Lang::from_tag(tag.trim())
            && weight > best.map_or(0.0, |(w, _)| w)
        {
            best = Some((weight, lang));
        }
    }
    best.map(|(_, lang)| lang)
}

/// A language in its own words.
pub fn own_name(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "English",
        Lang::PtBr => "Português",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_language_that_is_spoken_wins() {
        assert_eq!(first_spoken("pt-BR,pt;q=0.9,en;q=0.8"), Some(Lang::PtBr));
        assert_eq!(first_spoken("de,en;q=0.5,pt;q=0.7"), Some(Lang::PtBr));
        assert_eq!(first_spoken("en-GB"), Some(Lang::En));
        assert_eq!(first_spoken("pt;q=0, en;q=0.1"), Some(Lang::En));
        assert_eq!(first_spoken("de, fr;q=0.2"), None);
    }
}
