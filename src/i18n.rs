//! Messages in the reader's language.
//!
//! Every sentence is a Fluent message under `locales/<language>/`, compiled into the program. A
//! key that is missing in a language shows itself, so that a gap is seen and not papered over
//! with another language; a test keeps the two catalogues at the same keys.

use fluent_templates::{LanguageIdentifier, fluent_bundle::FluentValue, static_loader};
use std::{borrow::Cow, cell::RefCell, collections::HashMap, rc::Rc, sync::LazyLock};

static_loader! {
    static CATALOGUES = {
        locales: "./locales",
        fallback_language: "en",
        // Marks around arguments would end up in attributes, terminals and copied text.
        customise: |bundle| bundle.set_use_isolating(false),
    };
}

/// A language of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Brazilian Portuguese.
    PtBr,
}

impl Lang {
    /// Both languages, the default first.
    pub const ALL: [Self; 2] = [Self::En, Self::PtBr];

    /// BCP 47 tag, as in the `lang` attribute and the folder of the catalogue.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::PtBr => "pt-BR",
        }
    }

    /// The language of a tag: any English is English, any Portuguese is Brazilian.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        match primary.to_ascii_lowercase().as_str() {
            "en" => Some(Self::En),
            "pt" => Some(Self::PtBr),
            _ => None,
        }
    }

    fn id(self) -> &'static LanguageIdentifier {
        static IDS: LazyLock<[LanguageIdentifier; 2]> = LazyLock::new(|| {
            Lang::ALL.map(|lang| {
                lang.tag()
                    .parse()
                    .expect("the tags above are language identifiers")
            })
        });
        &IDS[self as usize]
    }
}

/// The message `key` in `lang` with named arguments; `key.attribute` reaches an attribute. The
/// argument `count` also chooses a plural form when it is a number. A missing key gives itself, an
/// argument that the message names and the caller lacks shows as `…`.
pub fn text(lang: Lang, key: &str, args: &[(&str, &str)]) -> String {
    let said = match args {
        [] => plain(lang, key).map(|said| said.to_string()),
        _ => look_up(lang, key, args),
    };
    said.unwrap_or_else(|| key.to_owned())
}

/// Whether `lang` has the message `key`.
pub fn has(lang: Lang, key: &str) -> bool {
    plain(lang, key).is_some()
}

thread_local! {
    /// Messages as they stand without arguments, by language. A page of a large case says the same
    /// few hundred of them ten thousand times, and Fluent works each one out anew. Keys that are
    /// not in the catalogues are not kept, so this is never larger than they are.
    static SAID: RefCell<[HashMap<String, Rc<str>>; 2]> = RefCell::default();
}

fn plain(lang: Lang, key: &str) -> Option<Rc<str>> {
    SAID.with_borrow_mut(|said| {
        let said = &mut said[lang as usize];
        if let Some(known) = said.get(key) {
            return Some(Rc::clone(known));
        }
        let found: Rc<str> = look_up(lang, key, &[])?.into();
        said.insert(key.to_owned(), Rc::clone(&found));
        Some(found)
    })
}

/// `None` when `lang` lacks the key.
fn look_up(lang: Lang, key: &str, args: &[(&str, &str)]) -> Option<String> {
    let mut values: Arguments<'_> = args
        .iter()
        .map(|(name, value)| (Cow::Owned((*name).to_owned()), argument(name, value)))
        .collect();
    loop {
        let error = match CATALOGUES.lookup_single_language(lang.id(), key, Some(&values)) {
            Ok(said) => return Some(said),
            Err(error) => error.to_string(),
        };
        let before = values.len();
        values.extend(missing(&error).map(|id| (Cow::Owned(id), FluentValue::from("…"))));
        if values.len() == before {
            return None;
        }
    }
}

type Arguments<'a> = HashMap<Cow<'static, str>, FluentValue<'a>>;

fn argument<'a>(name: &str, value: &'a str) -> FluentValue<'a> {
    match name {
        "count" => FluentValue::try_number(value),
        _ => FluentValue::from(value),
    }
}

/// The arguments that a lookup missed. The error's type is private to the loader, so its text is
/// all there is to read.
fn missing(error: &str) -> impl Iterator<Item = String> {
    error
        .split("Variable { id: \"")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Keys of one language's folder with the arguments each message names, by file.
    fn keys(lang: Lang) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
        let folder = format!("{}/locales/{}", env!("CARGO_MANIFEST_DIR"), lang.tag());
        std::fs::read_dir(folder)
            .expect("a folder per language")
            .map(|entry| entry.expect("readable").path())
            .filter(|path| path.extension().is_some_and(|e| e == "ftl"))
            .map(|path| {
                let text = std::fs::read_to_string(&path).expect("UTF-8");
                let name = path.file_name().expect("a name").to_string_lossy();
                let found = messages(&text, &format!("{}/{name}", lang.tag()));
                (name.into_owned(), found)
            })
            .collect()
    }

    fn messages(text: &str, file: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut found = BTreeMap::<String, BTreeSet<String>>::new();
        let mut current = String::new();
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            if line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-') {
                let (key, _) = line
                    .split_once('=')
                    .unwrap_or_else(|| panic!("{file}: no message in {line:?}"));
                current = key.trim().to_owned();
                let twice = found.insert(current.clone(), BTreeSet::new()).is_some();
                assert!(!twice, "{file}: {current} is there twice");
            }
            for part in line.split('$').skip(1) {
                let name = part
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
                    .collect();
                found.entry(current.clone()).or_default().insert(name);
            }
        }
        found
    }

    #[test]
    fn both_languages_have_the_same_messages_with_the_same_arguments() {
        let (english, portuguese) = (keys(Lang::En), keys(Lang::PtBr));
        assert!(!english.is_empty());
        assert_eq!(
            english.keys().collect::<Vec<_>>(),
            portuguese.keys().collect::<Vec<_>>()
        );
        for (file, messages) in &english {
            assert_eq!(messages, &portuguese[file], "{file}");
        }
    }

    #[test]
    fn every_message_is_reachable_and_in_one_file_only() {
        for lang in Lang::ALL {
            let mut seen = BTreeSet::new();
            for (file, messages) in keys(lang) {
                for key in messages.into_keys() {
                    if !key.starts_with('-') {
                        assert!(has(lang, &key), "{}/{file}: {key}", lang.tag());
                    }
                    assert!(seen.insert(key.clone()), "{key} stands in two files");
                }
            }
        }
    }

    #[test]
    fn arguments_are_put_in_without_marks() {
        let said = text(Lang::En, "reader-failed-time", &[("seconds", "60")]);
        assert!(said.contains("than 60 s"), "{said:?}");
        assert_ne!(
            said,
            text(Lang::PtBr, "reader-failed-time", &[("seconds", "60")])
        );
    }

    #[test]
    fn a_missing_key_shows_itself() {
        assert_eq!(text(Lang::PtBr, "no-such-key", &[]), "no-such-key");
        assert!(!has(Lang::En, "no-such-key"));
    }

    #[test]
    fn a_missing_argument_leaves_a_gap_and_not_a_key() {
        let said = text(Lang::En, "reader-failed-time", &[]);
        assert!(said.contains("than … s"), "{said:?}");
    }

    #[test]
    fn tags_are_recognised_by_their_language() {
        assert_eq!(Lang::from_tag("pt_BR.UTF-8"), Some(Lang::PtBr));
        assert_eq!(Lang::from_tag("en-GB"), Some(Lang::En));
        assert_eq!(Lang::from_tag("C"), None);
    }
}
