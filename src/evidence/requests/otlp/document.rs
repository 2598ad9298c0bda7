//! The tree of an export request, walked down to its spans; a span is built, handed on and
//! forgotten, so that memory does not grow with the file.

use super::Span;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use std::{fmt, io::BufRead};

/// What takes the spans.
pub struct Sink<F> {
    take: F,
    scope: String,
    open: bool,
    full: bool,
    services: Vec<String>,
}

impl<F: FnMut(&str, Span) -> bool> Sink<F> {
    /// A sink that hands spans to `take`, until that answers `false`.
    pub fn new(take: F) -> Self {
        Self {
            take,
            scope: String::new(),
            open: false,
            full: false,
            services: Vec::new(),
        }
    }

    /// Whether it took all it can, names of services, and whether a document is unfinished.
    pub fn end(self) -> (bool, Vec<String>, bool) {
        (self.full, self.services, self.open)
    }
}

/// Reads documents, one after the other, to the end of the input.
///
/// # Errors
/// Where it stops being JSON; also when the sink is full.
pub fn each<F: FnMut(&str, Span) -> bool>(
    input: &mut dyn BufRead,
    sink: &mut Sink<F>,
) -> Result<(), serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_reader(input);
    loop {
        let node = Node {
            sink: &mut *sink,
            level: Level::Document,
        };
        match node.deserialize(&mut reader) {
            Ok(()) => {}
            Err(e) if e.is_eof() && !sink.open => return Ok(()),
            Err(e) => return Err(e),
        }
    }
}

/// How deep in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Document,
    Resource,
    Scope,
    Span,
}

impl Level {
    /// The keys that lead one level down (also as protobuf and older versions spell them).
    fn down(self) -> (&'static [&'static str], Self) {
        match self {
            Self::Document => (&["resourceSpans", "resource_spans"], Self::Resource),
            Self::Resource => (
                &[
                    "scopeSpans",
                    "scope_spans",
                    "instrumentationLibrarySpans",
                    "instrumentation_library_spans",
                ],
                Self::Scope,
            ),
            Self::Scope | Self::Span => (&["spans"], Self::Span),
        }
    }
}

struct Node<'a, F> {
    sink: &'a mut Sink<F>,
    level: Level,
}

impl<'de, F: FnMut(&str, Span) -> bool> DeserializeSeed<'de> for Node<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.level == Level::Span {
            let span = Span::deserialize(deserializer)?;
            if !(self.sink.take)(&self.sink.scope, span) {
                self.sink.full = true;
                return Err(serde::de::Error::custom("full"));
            }
            return Ok(());
        }
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(&str, Span) -> bool> Visitor<'de> for Node<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of an OTLP export")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.level == Level::Document {
            self.sink.open = true;
        }
        if self.level == Level::Scope {
            self.sink.scope.clear();
        }
        let (down, next) = self.level.down();
        while let Some(key) = map.next_key::<String>()? {
            if down.contains(&key.as_str()) {
                map.next_value_seed(List {
                    sink: &mut *self.sink,
                    level: next,
                })?;
            } else if self.level == Level::Scope
                && matches!(key.as_str(), "scope" | "instrumentationLibrary")
            {
                let scope: Scope = map.next_value()?;
                self.sink.scope = scope.name.unwrap_or_default();
            } else if self.level == Level::Resource && key == "resource" {
                let resource: Resource = map.next_value()?;
                let name = resource.attributes.iter().find(|a| a.key == "service.name");
                if let Some(text) = name.and_then(|a| a.value.text())
                    && self.sink.services.len() < 8
                {
                    let text = crate::reading::tame(text);
                    if !self.sink.services.contains(&text) {
                        self.sink.services.push(text);
                    }
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if self.level == Level::Document {
            self.sink.open = false;
        }
        Ok(())
    }
}

struct List<'a, F> {
    sink: &'a mut Sink<F>,
    level: Level,
}

impl<'de, F: FnMut(&str, Span) -> bool> DeserializeSeed<'de> for List<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(&str, Span) -> bool> Visitor<'de> for List<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of an OTLP export")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq
            .next_element_seed(Node {
                sink: &mut *self.sink,
                level: self.level,
            })?
            .is_some()
        {}
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct Scope {
    #[serde(default)]
    name: Option<String>,
}

#[derive(serde::Deserialize)]
struct Resource {
    #[serde(default)]
    attributes: Vec<super::span::Attribute>,
}
