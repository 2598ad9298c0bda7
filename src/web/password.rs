//! Passwords at the edge: hashing on blocking threads with a bound on how many at a time, delayed
//! attempts, and what is said about a chosen password.

use super::{App, Error, Page, Result, form::Faults, visit::Visit};
use crate::store::{
    people,
    secret::{self, PASSWORD_LEAST, PasswordFault},
    signin_delay::{self, Attempt},
};

/// The argon2id string of a password.
///
/// # Errors
/// When the machine gives no random bytes.
pub async fn hash(app: &App, password: String) -> Result<String> {
    let _turn = app.hashing.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || secret::hash_password(&password))
        .await
        .map_err(Error::internal)?
        .map_err(Error::internal)
}

async fn verify(app: &App, password: String, phc: Option<String>) -> Result<bool> {
    let _turn = app.hashing.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || secret::verify_password(&password, phc.as_deref()))
        .await
        .map_err(Error::internal)
}

/// What came of an attempt to prove who one is.
pub enum Proof {
    /// The account whose password it is.
    Right(people::Account),
    /// Wrong login or password, or an account that is not active; the account if there is one,
    /// and how many attempts failed in a row.
    Wrong(Option<people::Account>, i32),
    /// Not now: wait this many seconds.
    Wait(i64),
}

/// Checks login and password, after the delay that earlier failures earned. An unknown login
/// takes as long as a known one.
///
/// # Errors
/// When the database cannot be read or written.
pub async fn prove(app: &App, visit: &Visit, login: &str, password: String) -> Result<Proof> {
    let login = people::normal_login(login);
    let key = signin_delay::key(&login, &visit.client);
    let failures = match book(app, visit, &key).await? {
        Attempt::Go(failures) => failures,
        Attempt::Wait(seconds) => return Ok(Proof::Wait(seconds)),
    };
    let account = people::account(&mut *app.conn().await?, &login).await?;
    let phc = account.as_ref().and_then(|a| a.phc.clone());
    let right = verify(app, password, phc).await?;
    match account {
        Some(account) if right && account.active => {
            signin_delay::clear(&mut *app.conn().await?, &key, visit.now).await?;
            Ok(Proof::Right(account))
        }
        account => Ok(Proof::Wrong(account, failures)),
    }
}

/// Books an attempt at `key` from this visit's network.
///
/// # Errors
/// When the database cannot be written.
pub async fn book(app: &App, visit: &Visit, key: &[u8]) -> Result<Attempt> {
    Ok(signin_delay::attempt(&mut *app.conn().await?, key, visit.now).await?)
}

/// Notes at `field` what is wrong with a chosen password.
pub fn judge(page: &Page, faults: &mut Faults, field: &'static str, password: &str, login: &str) {
    let key = match secret::check_password(password, login) {
        Ok(()) => return,
        Err(PasswordFault::Short) => "password-short",
        Err(PasswordFault::Long) => "password-long",
        Err(PasswordFault::Login) => "password-is-login",
        Err(PasswordFault::Common) => "password-common",
    };
    faults.add(field, page.t1(key, "least", PASSWORD_LEAST));
}
