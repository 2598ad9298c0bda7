//! A checker of JSON Schema for the words that our own schema uses. It fails on any other word, so
//! that nothing in a schema is passed over in silence.

use serde_json::Value;

/// Everything in which `value` does not have the shape of `schema`, by place.
pub fn check(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    walk(schema, schema, value, "", &mut faults);
    faults
}

fn walk(root: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let map = schema.as_object().unwrap();
    let properties = map.get("properties").and_then(Value::as_object);
    for (word, rule) in map {
        match word.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                walk(root, &root["$defs"][name], value, at, faults);
            }
            "type" => {
                let fits = match rule.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64() || value.is_u64(),
                    other => panic!("unknown type {other}"),
                };
                if !fits {
                    faults.push(format!("{at}: no {rule}"));
                }
            }
            "const" if value != rule => faults.push(format!("{at}: not {rule}")),
            "const" => {}
            "enum" if !rule.as_array().unwrap().contains(value) => {
                faults.push(format!("{at}: none of {rule}"));
            }
            "enum" => {}
            "minimum" if value.as_f64().is_some_and(|v| v < rule.as_f64().unwrap()) => {
                faults.push(format!("{at}: below {rule}"));
            }
            "maximum" if value.as_f64().is_some_and(|v| v > rule.as_f64().unwrap()) => {
                faults.push(format!("{at}: above {rule}"));
            }
            "minimum" | "maximum" => {}
            "minItems" | "maxItems" => {
                let (n, bound) = (
                    value.as_array().map(Vec::len),
                    rule.as_u64().unwrap() as usize,
                );
                let fits = n.is_none_or(|n| {
                    if word == "minItems" {
                        n >= bound
                    } else {
                        n <= bound
                    }
                });
                if !fits {
                    faults.push(format!("{at}: {word} {rule}"));
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    walk(root, rule, item, &format!("{at}/{i}"), faults);
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(found) = value.get(name) {
                        walk(root, rule, found, &format!("{at}/{name}"), faults);
                    }
                }
            }
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        faults.push(format!("{at}: lacks {name}"));
                    }
                }
            }
            "additionalProperties" => {
                for (name, found) in value.as_object().into_iter().flatten() {
                    if properties.is_some_and(|p| p.contains_key(name)) {
                        continue;
                    }
                    match rule {
                        Value::Bool(false) => faults.push(format!("{at}: unknown {name}")),
                        rule => walk(root, rule, found, &format!("{at}/{name}"), faults),
                    }
                }
            }
            other => panic!("this checker does not know {other}"),
        }
    }
}
