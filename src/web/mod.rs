//! The web: every URL in [`routes`], one file per page family, page structs that derive their
//! template. A handler takes typed input, loads, asks the ladder, stores and answers; what goes
//! wrong is an [`Error`], turned into a page or a problem document in one place.

pub mod api;
pub mod audit;
pub mod case;
pub mod cases;
pub mod changes;
pub mod charts;
pub mod clock;
pub mod compare;
pub mod conditions;
pub mod conflict;
pub mod contracts;
pub mod decision;
pub mod decisions_list;
pub mod error;
pub mod evidence;
pub mod evidence_acts;
pub mod form;
pub mod format;
pub mod freezes;
pub mod health;
pub mod help;
pub mod history;
pub mod home;
pub mod i18n;
mod knowing;
pub mod live;
pub mod overrides;
pub mod page;
pub mod paging;
pub mod password;
pub mod people;
pub mod policy;
pub mod profile;
pub mod retention;
pub mod routes;
pub mod runs;
pub mod say;
pub mod security;
pub mod services;
pub mod session;
pub mod setup;
pub mod signin;
pub mod static_files;
pub mod templates;
pub mod tokens;
pub mod typed;
pub mod visit;

pub use error::{Error, Result};
pub use page::Page;
pub use session::{MaybeReader, Reader};

use crate::intake::{blobs::Blobs, receive};
use crate::store;
use axum::Router;
use chrono::{DateTime, Utc};
use sqlx::{PgPool, Postgres, Transaction, pool::PoolConnection};
use std::sync::Arc;

/// What every handler may use. Cheap to clone.
#[derive(Clone)]
pub struct App {
    /// The database.
    pub db: PgPool,
    /// Stored files.
    pub blobs: Blobs,
    /// What may be uploaded.
    pub rules: receive::Rules,
    /// Where the time comes from; read it once per request.
    pub clock: clock::Clock,
    /// Address people reach the service at, without a slash at the end, when it is configured.
    pub public_url: Option<Arc<str>>,
    /// Whether people reach it over https: decides the cookie's name and HSTS.
    pub secure: bool,
    /// How long sessions live.
    pub lives: store::sessions::Lives,
    /// Whether a proxy in front states the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Version shown at the foot of every page.
    pub version: &'static str,
    /// How many passwords are hashed at a time: each takes 19 MiB and a core.
    pub hashing: Arc<tokio::sync::Semaphore>,
    /// Who hears that a case moved; close it to let the server stop.
    pub live: live::Hub,
}

impl App {
    /// The application over a database. `public_url` that starts with `https:` turns on the
    /// cookie prefix and HSTS.
    pub fn new(db: PgPool, blobs: Blobs, clock: clock::Clock, public_url: Option<&str>) -> Self {
        let public_url: Option<Arc<str>> = public_url.map(|u| u.trim_end_matches('/').into());
        Self {
            live: live::Hub::new(db.clone()),
            db,
            blobs,
            rules: receive::Rules::default(),
            clock,
            secure: public_url
                .as_deref()
                .is_some_and(|u| u.starts_with("https:")),
            public_url,
            lives: store::sessions::Lives::default(),
            behind_proxy: false,
            version: env!("CARGO_PKG_VERSION"),
            hashing: Arc::new(tokio::sync::Semaphore::new(2)),
        }
    }

    /// A connection, for reading.
    ///
    /// # Errors
    /// When the database gives none.
    pub async fn conn(&self) -> Result<PoolConnection<Postgres>> {
        Ok(self.db.acquire().await.map_err(store::Error::from)?)
    }

    /// A transaction: one per request that writes, committed with [`App::commit`].
    ///
    /// # Errors
    /// When the database gives none.
    pub async fn begin(&self) -> Result<Transaction<'static, Postgres>> {
        Ok(self.db.begin().await.map_err(store::Error::from)?)
    }

    /// Commits what the request wrote.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn commit(&self, tx: Transaction<'static, Postgres>) -> Result<()> {
        Ok(tx.commit().await.map_err(store::Error::from)?)
    }

    /// Does what follows by itself from what the request wrote on a case (a canary pauses, an
    /// approval is void), then commits both.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn commit_settled(
        &self,
        mut tx: Transaction<'static, Postgres>,
        case_id: uuid::Uuid,
        now: DateTime<Utc>,
    ) -> Result<()> {
        store::upkeep::settle(&mut tx, case_id, now).await?;
        self.commit(tx).await
    }

    /// A link to `path` that works from elsewhere: under the configured address, else under the
    /// one the reader's own browser asked.
    pub fn link(&self, visit: &visit::Visit, path: &str) -> String {
        match self.public_url.as_deref() {
            Some(base) => format!("{base}{path}"),
            None => format!("http://{}{path}", visit.host),
        }
    }

    /// The time now; a handler uses its visit's.
    pub fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }
}

/// The whole service: routes and the layers around them. Serve it with connect info
/// (`into_make_service_with_connect_info::<SocketAddr>()`), so that networks can be told apart.
pub fn router(app: App) -> Router {
    security::around(routes::router(), &app).with_state(app)
}
