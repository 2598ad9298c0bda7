//! For whoever keeps the service running: is the process alive, can it reach its database.

use super::App;
use crate::store;
use axum::{Json, extract::State, http::StatusCode};
use serde_json::json;
use std::time::Duration;

/// `GET /healthz`: the process answers.
pub async fn live() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the database answers within two seconds.
pub async fn ready(State(app): State<App>) -> (StatusCode, Json<serde_json::Value>) {
    let ask = async {
        let mut conn = app.conn().await.ok()?;
        store::answers(&mut conn).await.ok()
    };
    match tokio::time::timeout(Duration::from_secs(2), ask).await {
        Ok(Some(())) => (StatusCode::OK, Json(json!({ "ready": true }))),
        _ => (
            StatusCode::SERVICE_UNAVAILABLE,
            Json(json!({ "ready": false, "why": "the database does not answer" })),
        ),
    }
}
