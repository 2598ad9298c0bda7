//! A Triton model configuration as a flat map, from its text format or from JSON.

use super::names::{Engine, snake};
use super::value::{Node, Value, scalars};
use std::collections::BTreeMap;

/// Fields that are lists although written once.
const REPEATED: [&str; 28] = [
    "agents",
    "batch_input",
    "batch_output",
    "bool_false_true",
    "control",
    "control_input",
    "cpu_execution_accelerator",
    "dims",
    "fp32_false_true",
    "gpu_execution_accelerator",
    "gpus",
    "initial_state",
    "input",
    "instance_group",
    "int32_false_true",
    "model_warmup",
    "output",
    "preferred_batch_size",
    "profile",
    "resources",
    "secondary_devices",
    "shape",
    "source_input",
    "state",
    "step",
    "target_name",
    "versions",
    "batch_sizes",
];

/// Maps of the format: an empty one is an absent one.
const MAPS: [&str; 6] = [
    "parameters",
    "cc_model_filenames",
    "ccModelFilenames",
    "metric_tags",
    "metricTags",
    "inputs",
];

/// Messages that mean something although empty.
const SWITCHES: [&str; 3] = [
    "dynamic_batching",
    "sequence_batching",
    "ensemble_scheduling",
];

/// Fields by which a text is known to be a model configuration.
pub const KNOWN: [&str; 24] = [
    "name",
    "platform",
    "backend",
    "runtime",
    "version_policy",
    "max_batch_size",
    "input",
    "output",
    "batch_input",
    "batch_output",
    "optimization",
    "dynamic_batching",
    "sequence_batching",
    "ensemble_scheduling",
    "instance_group",
    "default_model_filename",
    "cc_model_filenames",
    "metric_tags",
    "parameters",
    "model_warmup",
    "model_operations",
    "model_transaction_policy",
    "model_repository_agents",
    "response_cache",
];

/// The settings of a configuration.
pub fn flat(fields: &[(String, Node)]) -> BTreeMap<String, Value> {
    let mut out = BTreeMap::new();
    walk("", fields, &mut out);
    out
}

fn walk(prefix: &str, fields: &[(String, Node)], out: &mut BTreeMap<String, Value>) {
    let mut by_name: Vec<(String, Vec<&Node>, bool)> = Vec::new();
    for (name, node) in fields {
        let nothing = match node {
            Node::List(items) => items.is_empty(),
            Node::Map(fields) => fields.is_empty() && MAPS.contains(&name.as_str()),
            Node::Scalar(_) => false,
        };
        if nothing {
            continue;
        }
        let name = snake(name);
        let (nodes, listed): (Vec<&Node>, bool) = match node {
            Node::List(items) => (items.iter().collect(), true),
            other => (vec![other], false),
        };
        match by_name.iter_mut().find(|(n, _, _)| *n == name) {
            Some((_, all, list)) => {
                all.extend(nodes);
                *list = true;
            }
            None => by_name.push((name, nodes, listed)),
        }
    }
    for (name, nodes, listed) in by_name {
        let top = prefix.is_empty();
        let key = if top {
            name.clone()
        } else {
            format!("{prefix}.{name}")
        };
        if top && SWITCHES.contains(&name.as_str()) && nodes.iter().any(|n| !n.is_scalar()) {
            out.insert(key.clone(), Value::Bool(true));
        }
        let list = listed || REPEATED.contains(&name.as_str());
        field(&key, &name, top, &nodes, list, out);
    }
}

fn field(
    key: &str,
    name: &str,
    top: bool,
    nodes: &[&Node],
    list: bool,
    out: &mut BTreeMap<String, Value>,
) {
    if nodes.iter().all(|n| n.is_scalar()) {
        let owned: Vec<Node> = nodes.iter().map(|n| (*n).clone()).collect();
        let mut values = scalars(&owned).unwrap_or_default();
        let value = match values.pop() {
            Some(last) if !list => last,
            Some(last) => {
                values.push(last);
                Value::List(values)
            }
            None => Value::List(values),
        };
        out.insert(key.to_owned(), Engine::Triton.value(key, value));
        return;
    }
    // Maps of the format: `{ key: "k" value: … }`, in JSON an object of its own.
    if let [Node::Map(fields)] = nodes
        && name == "parameters"
        && !fields.iter().any(|(k, _)| k == "key")
    {
        for (k, node) in fields {
            entry(key, k, node, out);
        }
        return;
    }
    for (i, node) in nodes.iter().enumerate() {
        let named = node.get("name").and_then(Node::text);
        match (
            node.get("key").and_then(Node::text),
            node.get("value"),
            named,
        ) {
            (Some(k), Some(value), _) => entry(key, &k, value, out),
            (_, _, Some(named)) if top && matches!(name, "input" | "output") => {
                let others: Vec<(String, Node)> = node
                    .fields()
                    .iter()
                    .filter(|(k, _)| k != "name")
                    .cloned()
                    .collect();
                message(&format!("{key}[{named}]"), &others, out);
            }
            _ if list => message(&format!("{key}[{i}]"), node.fields(), out),
            _ => message(key, node.fields(), out),
        }
    }
}

fn message(key: &str, fields: &[(String, Node)], out: &mut BTreeMap<String, Value>) {
    // An empty list is an absent one.
    let empty = |node: &Node| matches!(node, Node::List(items) if items.is_empty());
    if fields.iter().all(|(_, node)| empty(node)) {
        out.entry(key.to_owned()).or_insert(Value::Empty);
    } else {
        walk(key, fields, out);
    }
}

/// One entry of a map: a scalar, or a message that wraps one.
fn entry(key: &str, name: &str, value: &Node, out: &mut BTreeMap<String, Value>) {
    let key = format!("{key}[{name}]");
    let inner = match value.fields() {
        [(field, scalar)] if snake(field) == "string_value" => scalar,
        _ => value,
    };
    match inner.text() {
        Some(text) => {
            out.insert(key.clone(), Engine::Triton.value(&key, Value::word(&text)));
        }
        None => message(&key, inner.fields(), out),
    }
}

impl Node {
    fn is_scalar(&self) -> bool {
        matches!(self, Self::Scalar(_))
    }
}
