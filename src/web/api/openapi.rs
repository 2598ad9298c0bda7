//! The description of the API, as it is served. It is kept by hand beside the routes; a test
//! compares the two.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};

/// OpenAPI 3.1.
pub const DOCUMENT: &str = include_str!("openapi.json");

/// `GET /api/v1/openapi.json`
pub async fn get() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}

#[cfg(test)]
mod tests {
    use super::DOCUMENT;
    use crate::ladder::scope::Scope;
    use crate::web::routes;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn document() -> Value {
        serde_json::from_str(DOCUMENT).expect("the document is JSON")
    }

    #[test]
    fn every_route_of_the_api_is_described_and_nothing_else() {
        let routes: BTreeSet<(String, String)> = routes::LIST
            .iter()
            .filter(|r| r.path.starts_with("/api/"))
            .map(|r| (r.path.to_owned(), r.method.to_lowercase()))
            .collect();
        let document = document();
        let paths = document["paths"].as_object().expect("paths");
        let described: BTreeSet<(String, String)> = paths
            .iter()
            .flat_map(|(path, of)| {
                let methods = of.as_object().expect("methods").keys();
                methods.map(|m| (path.clone(), m.clone()))
            })
            .collect();
        assert_eq!(routes, described);
    }

    #[test]
    fn every_reference_leads_somewhere_and_every_scope_is_named() {
        let document = document();
        let mut open = vec![&document];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(of) => {
                    if let Some(Value::String(to)) = of.get("$ref") {
                        let pointer = to.strip_prefix('#').expect("a reference inside");
                        assert!(document.pointer(pointer).is_some(), "{to}");
                    }
                    open.extend(of.values());
                }
                Value::Array(of) => open.extend(of),
                _ => {}
            }
        }
        for scope in Scope::ALL {
            assert!(DOCUMENT.contains(&format!("`{}`", scope.id())), "{scope:?}");
        }
    }
}
