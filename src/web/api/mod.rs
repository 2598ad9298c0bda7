//! The API for programs, below `/api/v1`: tokens of services open cases from alerts, state runs,
//! attach evidence, and read gates and decisions. A token never decides.
//!
//! Answers are JSON; what is refused is a problem document that names the field and the way out.
//! [`openapi`] describes it, and a test compares the description with the routes.

pub mod cases;
pub mod evidence;
pub mod openapi;
pub mod runs;
pub mod samples;

use super::{App, Error, Result, visit::Visit};
use crate::ladder::CaseFile;
use crate::ladder::scope::Scope;
use crate::store::tokens::{self as store, Keyed, Live};
use crate::store::{self as rooms, audit::Actor};
use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::{HeaderMap, StatusCode, request::Parts},
    response::{IntoResponse as _, Response},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;

/// A token that works now, with its request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The token.
    pub token: Live,
    /// The token as the log names it.
    pub actor: Actor,
    /// The request.
    pub visit: Visit,
    /// `Idempotency-Key`, when one was sent.
    key: Option<String>,
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let visit = Visit::from_request_parts(parts, app).await?;
        let told = bearer(&parts.headers).ok_or(Error::SignIn)?;
        let mut conn = app.conn().await?;
        let token = store::find(&mut conn, told, visit.now).await?;
        let token = token.ok_or(Error::SignIn)?;
        let key = match parts.headers.get("idempotency-key") {
            None => None,
            Some(sent) => Some(key(sent.to_str().unwrap_or_default())?),
        };
        let actor = Actor {
            person_id: Some(token.id),
            name: token.name.clone(),
            role: Some("token".to_owned()),
            request_id: Some(visit.request_id.clone()),
            network: Some(visit.network.to_owned()),
        };
        Ok(Self {
            token,
            actor,
            visit,
            key,
        })
    }
}

fn key(sent: &str) -> Result<String> {
    let plain = sent.chars().all(|c| c.is_ascii_graphic());
    if (1..=200).contains(&sent.len()) && plain {
        return Ok(sent.to_owned());
    }
    let words = "1 to 200 printable characters, a fresh one for every act";
    Err(Error::Field("Idempotency-Key", words.to_owned()))
}

/// The token a request carries.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get("authorization")?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Caller {
    /// Lets the request go on when the token has this scope.
    ///
    /// # Errors
    /// `Scope`, which names it.
    pub fn may(&self, scope: Scope) -> Result<()> {
        if self.token.scopes.contains(&scope) {
            Ok(())
        } else {
            Err(Error::Scope(scope))
        }
    }

    /// Lets the request go on when the token reaches this case.
    ///
    /// # Errors
    /// `NotFound`: a token bound to one service or case does not learn of others.
    pub fn reaches(&self, case: &CaseFile) -> Result<()> {
        let service = self.token.service_id.is_none_or(|id| id == case.service.0);
        let own = self.token.case_id.is_none_or(|id| id == case.id);
        // A confidential case is known to the people on it, and to a token made for it alone.
        let secret = case
            .life
            .flag(crate::ladder::life::FlagKind::Confidential)
            .is_some();
        let known = !secret || self.token.case_id == Some(case.id);
        (service && own && known)
            .then_some(())
            .ok_or(Error::NotFound)
    }

    /// The case with this label, when the token reaches it.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn case_of(&self, conn: &mut PgConnection, label: &str) -> Result<CaseFile> {
        let number = crate::web::case::number_of(label)?;
        let case = rooms::case_file::load_numbered(conn, number).await?;
        self.reaches(&case)?;
        Ok(case)
    }

    /// The same of an open case, held until the transaction ends.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` when it is closed.
    pub async fn locked(&self, conn: &mut PgConnection, label: &str) -> Result<CaseFile> {
        let id = rooms::cases::id_of(conn, crate::web::case::number_of(label)?).await?;
        rooms::cases::lock(conn, id).await?;
        let case = rooms::case_file::load(conn, id).await?;
        self.reaches(&case)?;
        crate::web::runs::open(&case)?;
        Ok(case)
    }

    /// Claims the request's key, if it has one: `Some` is the answer that was given before.
    ///
    /// # Errors
    /// `FormKey` when the key was used for something else.
    pub async fn claim(
        &self,
        conn: &mut PgConnection,
        act: &str,
        body: &[u8],
    ) -> Result<Option<Response>> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        // The whole address is part of what the key stands for.
        let mut digest = Sha256::new();
        digest.update(self.visit.path.as_bytes());
        digest.update([0]);
        digest.update(body);
        let digest = digest.finalize();
        let now = self.visit.now;
        match store::claim_key(conn, (self.token.id, key), act, &digest, now).await? {
            Keyed::Fresh => Ok(None),
            Keyed::Done(status, answer) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
                Ok(Some((status, Json(answer)).into_response()))
            }
            Keyed::Other => Err(Error::FormKey),
        }
    }

    /// Keeps the answer with the request's key and gives it.
    ///
    /// # Errors
    /// When the key was not claimed.
    pub async fn answer(
        &self,
        conn: &mut PgConnection,
        status: StatusCode,
        answer: Value,
    ) -> Result<Response> {
        if let Some(key) = &self.key {
            store::keep_answer(conn, (self.token.id, key), status.as_u16(), &answer).await?;
        }
        Ok((status, Json(answer)).into_response())
    }
}

/// Reads a JSON body; the refusal names the field.
///
/// # Errors
/// `Field` with what was expected there.
pub fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|e| Error::Field("body", e.to_string()))
}

/// `POST` on any deciding act: a token is heard, written down and refused.
///
/// # Errors
/// `Forbidden`, always.
pub async fn never(State(app): State<App>, caller: Caller) -> Result<Response> {
    let mut tx = app.begin().await?;
    rooms::tokens::refused(&mut tx, &caller.actor, &caller.visit.path, caller.visit.now).await?;
    app.commit(tx).await?;
    Err(Error::TokenDecides)
}
