//! What every deciding act begins and ends with: one transaction, the form's one-time key, the
//! locked case judged again, and a way out that says why nothing happened.

use super::judging::{Posted, Scene};
use super::refusal::{self, Stop};
use super::to;
use crate::ladder::gate::Target;
use crate::store;
use crate::web::{App, Error, Page, Reader, Result, form, visit::Visit};
use axum::response::Response;
use sqlx::{Postgres, Transaction};

/// One deciding act on its way.
pub struct Deed<'a> {
    /// The application.
    pub app: &'a App,
    /// Who acts.
    pub reader: &'a Reader,
    /// The request.
    pub visit: &'a Visit,
    /// The frame of an answer.
    pub page: Page,
    /// Labels of case and change.
    pub labels: (&'a str, &'a str),
    /// What was posted.
    pub posted: &'a Posted,
    /// Name of the act in the log and of its key.
    pub act: &'static str,
    /// Name of a refused attempt in the log.
    pub refused: &'static str,
    /// Who acts, as the log names them.
    pub actor: store::audit::Actor,
}

/// How an act begins.
pub enum Begun {
    /// It was done before with the same form: this is its answer.
    Before(Response),
    /// The transaction that holds the case, and what was found.
    Now(Box<(Transaction<'static, Postgres>, Scene)>),
}

impl Deed<'_> {
    /// Claims the form's key, locks the case and judges it as it is now.
    ///
    /// # Errors
    /// `NotFound`; `FormKey` when the key was used for something else; `Conflict` when the case
    /// is closed.
    pub async fn begin(&self, target: Target) -> Result<Begun> {
        let mut tx = self.app.begin().await?;
        if let Some(done) = self.claim(&mut tx).await? {
            return Ok(Begun::Before(done));
        }
        let scene =
            Scene::locked(&mut tx, self.reader, self.labels, target, self.visit.now).await?;
        Ok(Begun::Now(Box::new((tx, scene))))
    }

    /// Claims the form's key; the answer when it was done before.
    ///
    /// # Errors
    /// `FormKey` when the key was used for something else, or is missing.
    pub async fn claim(&self, tx: &mut Transaction<'static, Postgres>) -> Result<Option<Response>> {
        if self.posted.form_key.is_nil() {
            return Err(Error::FormKey);
        }
        let key = (self.posted.form_key, self.reader);
        let fields = self.posted.fields(self.labels.1);
        let done = form::claim(tx, key, self.act, &fields, self.visit).await?;
        Ok(done.map(|path| to(&path)))
    }

    /// Keeps the answer with the key and commits.
    ///
    /// # Errors
    /// `Refused` names the database's rule that is checked at commit.
    pub async fn finish(
        &self,
        mut tx: Transaction<'static, Postgres>,
        path: &str,
    ) -> Result<Response> {
        form::finish(
            &mut tx,
            (self.posted.form_key, self.reader),
            path,
            self.visit,
        )
        .await?;
        self.app.commit(tx).await?;
        Ok(to(path))
    }

    /// Gives the case free and shows why nothing happened.
    ///
    /// # Errors
    /// When the log or the page fails.
    pub async fn stop(
        self,
        tx: Transaction<'static, Postgres>,
        scene: Scene,
        stop: Stop,
    ) -> Result<Response> {
        tx.rollback().await.map_err(store::Error::from)?;
        self.refuse(scene, stop).await
    }

    /// Shows why nothing happened, once the transaction is over.
    ///
    /// # Errors
    /// When the log or the page fails.
    pub async fn refuse(self, scene: Scene, stop: Stop) -> Result<Response> {
        refusal::refuse(
            self.app,
            self.page,
            self.visit,
            &self.actor,
            scene,
            self.posted,
            stop,
            self.refused,
        )
        .await
    }

    /// The database's own refusal as a page; any other error goes on.
    ///
    /// # Errors
    /// Whatever is not a rule of the database.
    pub async fn ruled(self, scene: Scene, error: Error) -> Result<Response> {
        match error {
            Error::Refused { constraint } => self.refuse(scene, Stop::Rule(constraint)).await,
            other => Err(other),
        }
    }
}

/// Builds a [`Deed`] of a handler's arguments; `$role` is the role that allows the act.
macro_rules! deed {
    ($app:ident, $reader:ident, $visit:ident, $page:ident, $c:ident, $h:ident, $posted:ident, $role:ident, $act:literal, $refused:literal) => {
        $crate::web::changes::deed::Deed {
            app: &$app,
            reader: &$reader,
            visit: &$visit,
            page: $page,
            labels: (&$c, &$h),
            posted: &$posted,
            act: $act,
            refused: $refused,
            actor: $reader.actor(&$visit, Some($role)),
        }
    };
}
pub(super) use deed;
