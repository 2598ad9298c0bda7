//! Commands inside manifests: containers of Kubernetes objects and services of Compose files.

use super::command::{Launch, image_of, launch, start};
use super::pbtxt::Broken;
use super::shell::{self, Command, Word};
use super::value::Node;
use std::collections::BTreeMap;

/// Every start of an engine in a manifest.
///
/// # Errors
/// A script inside that is not closed.
pub fn launches(document: &Node) -> Result<Vec<Launch>, Broken> {
    let mut found = Vec::new();
    search(document, &mut found)?;
    Ok(found)
}

fn search(node: &Node, found: &mut Vec<Launch>) -> Result<(), Broken> {
    match node {
        Node::Scalar(_) => Ok(()),
        Node::List(items) => items.iter().try_for_each(|i| search(i, found)),
        Node::Map(fields) => {
            if let Some(launch) = container(node)? {
                found.push(launch);
                return Ok(());
            }
            fields.iter().try_for_each(|(_, n)| search(n, found))
        }
    }
}

fn container(node: &Node) -> Result<Option<Launch>, Broken> {
    let image = node.get("image").and_then(Node::text);
    let (command, arguments) = (node.get("command"), node.get("args"));
    if command.is_none() && arguments.is_none() && image.is_none() {
        return Ok(None);
    }
    let variables = variables(node);
    let known: BTreeMap<&str, &Word> = variables.iter().map(|(n, w)| (n.as_str(), w)).collect();
    let mut words = Vec::new();
    for part in [command, arguments].into_iter().flatten() {
        match part {
            Node::Scalar(_) => {
                let script = shell::read(&part.text().unwrap_or_default())?;
                words.extend(script.commands.into_iter().flat_map(|c| c.words));
            }
            _ => words.extend(
                part.items()
                    .iter()
                    .filter_map(Node::text)
                    .map(|t| fill(&t, &known)),
            ),
        }
    }
    let release = image.as_deref().and_then(image_of);
    // `sh -c "…"`: the script decides.
    let script = words.iter().position(|w| {
        w.text.starts_with('-') && w.text.ends_with('c') && !w.text.starts_with("--")
    });
    let shell = words.first().is_some_and(|w| w.text.ends_with("sh"));
    let mut launched = match script {
        Some(at) if shell && at + 1 < words.len() => {
            let script = shell::read(&words[at + 1].text)?;
            script.commands.iter().find_map(launch)
        }
        _ => launch(&Command {
            variables: Vec::new(),
            words: words.clone(),
        }),
    };
    if launched.is_none()
        && command.is_none()
        && let Some((super::Engine::Vllm, version)) = &release
    {
        launched = Some(start(
            super::Engine::Vllm,
            version.clone(),
            &words,
            Vec::new(),
        ));
    }
    if let Some(found) = &mut launched {
        let inner = std::mem::take(&mut found.variables);
        found.variables = variables;
        found.variables.extend(inner);
        if found.version.is_none() {
            found.version = release
                .filter(|(e, _)| *e == found.engine)
                .and_then(|(_, v)| v);
        }
    }
    Ok(launched)
}

/// `$(NAME)` in a container's arguments is a variable of the container.
fn fill(text: &str, known: &BTreeMap<&str, &Word>) -> Word {
    let mut word = Word::known(String::new());
    let mut rest = text;
    while let Some(at) = rest.find("$(") {
        let Some(end) = rest[at..].find(')') else {
            break;
        };
        word.text.push_str(&rest[..at]);
        match known.get(&rest[at + 2..at + end]) {
            Some(value) if !value.unknown => word.text.push_str(&value.text),
            _ => word.unknown = true,
        }
        rest = &rest[at + end + 1..];
    }
    word.text.push_str(rest);
    word
}

fn variables(node: &Node) -> Vec<(String, Word)> {
    let mut found = Vec::new();
    for item in node.get("env").map(Node::items).unwrap_or_default() {
        if let Some(name) = item.get("name").and_then(Node::text) {
            let word = match item.get("value").and_then(Node::text) {
                Some(value) => Word::known(value),
                // From a secret, a config map or the pod: not in this file.
                None => Word {
                    text: String::new(),
                    unknown: true,
                },
            };
            found.push((name, word));
        }
    }
    let Some(environment) = node.get("environment") else {
        return found;
    };
    for (name, value) in environment.fields() {
        let word = match value.text() {
            Some(v) if !v.contains("${") => Word::known(v),
            _ => Word {
                text: String::new(),
                unknown: true,
            },
        };
        found.push((name.clone(), word));
    }
    for item in environment.items() {
        if let Some(text) = item.text()
            && let Some((name, value)) = text.split_once('=')
        {
            found.push((name.to_owned(), Word::known(value)));
        }
    }
    found
}
