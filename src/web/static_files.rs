//! Our own stylesheet, marks and scripts, compiled in. The address of a file holds its digest, so
//! that a browser may keep it for good and still gets the next version at once.

use super::{Error, Result};
use axum::{
    extract::Path,
    http::{HeaderName, header},
    response::{IntoResponse, Redirect, Response},
};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, sync::LazyLock};

struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! file {
    ($name:literal, $kind:literal) => {
        File {
            name: $name,
            kind: $kind,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/static/", $name)),
        }
    };
}

/// Every file we serve.
static FILES: &[File] = &[
    file!("pel.css", "text/css; charset=utf-8"),
    file!("pel.js", "text/javascript; charset=utf-8"),
    file!("favicon.svg", "image/svg+xml"),
    file!("logo.svg", "image/svg+xml"),
    file!("upload.js", "text/javascript; charset=utf-8"),
];

static DIGESTS: LazyLock<BTreeMap<&'static str, String>> = LazyLock::new(|| {
    FILES
        .iter()
        .map(|f| (f.name, hex::encode(&Sha256::digest(f.bytes)[..8])))
        .collect()
});

/// Address of a file; one that does not exist gets an address that answers 404.
pub fn url(name: &str) -> String {
    let digest = DIGESTS.get(name).map_or("none", String::as_str);
    format!("/static/{digest}/{name}")
}

/// `GET /static/{digest}/{name}`. An old digest gets today's file, to be asked for again.
///
/// # Errors
/// Not found, for a name we do not have.
pub async fn get(Path((digest, name)): Path<(String, String)>) -> Result<Response> {
    let file = FILES
        .iter()
        .find(|f| f.name == name)
        .ok_or(Error::NotFound)?;
    let keep = if DIGESTS.get(file.name) == Some(&digest) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers: [(HeaderName, &str); 2] = [
        (header::CONTENT_TYPE, file.kind),
        (header::CACHE_CONTROL, keep),
    ];
    Ok((headers, file.bytes).into_response())
}

/// `GET /favicon.ico`, which browsers ask for by themselves.
pub async fn favicon() -> Redirect {
    Redirect::to(&url("favicon.svg"))
}
