//! The people of the examples, and how they come in.

use crate::ladder::policy::Role;
use crate::store::audit::Actor;
use crate::store::{one_time, people, secret};
use anyhow::Context as _;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Login, name and role of everybody. The logins mark a database as the demonstration's: a
/// domain that cannot exist is nobody's by accident.
const CAST: [(&str, &str, Role); 5] = [
    ("j.melo@demo.invalid", "J. Melo", Role::Responder),
    ("t.nunes@demo.invalid", "T. Nunes", Role::Responder),
    ("r.costa@demo.invalid", "R. Costa", Role::Reviewer),
    ("a.lima@demo.invalid", "A. Lima", Role::Manager),
    ("e.prado@demo.invalid", "E. Prado", Role::Admin),
];

/// Somebody of the examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Id.
    pub id: Uuid,
    /// Login.
    pub login: String,
    /// Name.
    pub name: String,
    /// The one role held.
    pub role: Role,
}

impl Member {
    /// Them, acting in their role.
    pub(super) fn actor(&self) -> Actor {
        Actor {
            person_id: Some(self.id),
            name: self.name.clone(),
            role: Some(self.role.id().to_owned()),
            ..Actor::default()
        }
    }
}

/// Everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// Owns the cases.
    pub responder: Member,
    /// Attaches evidence beside them.
    pub second: Member,
    /// Approves and accepts.
    pub reviewer: Member,
    /// Reads, reports, closes.
    pub manager: Member,
    /// Keeps accounts.
    pub admin: Member,
}

impl Cast {
    fn of(ids: [Uuid; 5]) -> Self {
        let [responder, second, reviewer, manager, admin] = std::array::from_fn(|i| {
            let (login, name, role) = CAST[i];
            Member {
                id: ids[i],
                login: login.to_owned(),
                name: name.to_owned(),
                role,
            }
        });
        Self {
            responder,
            second,
            reviewer,
            manager,
            admin,
        }
    }

    /// The cast of a database that holds the demonstration, `None` when nobody has an account.
    ///
    /// # Errors
    /// When people have accounts who are not the demonstration's.
    pub(super) async fn find(conn: &mut PgConnection) -> anyhow::Result<Option<Self>> {
        let all = people::list(conn).await?;
        if all.is_empty() {
            return Ok(None);
        }
        let mut ids = [Uuid::nil(); 5];
        for (id, (login, ..)) in ids.iter_mut().zip(CAST) {
            *id = all.iter().find(|p| p.login == login).map(|p| p.id).context(
                "--demo fills an empty database only, and this one holds people and cases of its own. \
                 Start without --demo, or give the demonstration a place of its own: \
                 --data-dir with an empty folder, or PEL_DATABASE_URL with an empty database",
            )?;
        }
        Ok(Some(Self::of(ids)))
    }

    /// Makes the accounts, all with this password, of which only the argon2id string is stored.
    ///
    /// # Errors
    /// When the database refuses or the machine gives no random bytes.
    pub(super) async fn create(
        conn: &mut PgConnection,
        password: &str,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Self> {
        let mut ids = [Uuid::nil(); 5];
        for (id, (login, name, role)) in ids.iter_mut().zip(CAST) {
            let phc = hash(password.to_owned()).await?;
            let new = people::New {
                login,
                name,
                roles: &[role],
                phc: Some(&phc),
            };
            *id = people::create(conn, &Actor::app(), &new, now).await?;
        }
        Ok(Self::of(ids))
    }

    /// Fresh one-time links for responder, reviewer and manager, in that order: the role's id and
    /// the secret part of the link.
    ///
    /// # Errors
    /// When the database refuses or the machine gives no random bytes.
    pub async fn links(
        &self,
        conn: &mut PgConnection,
        now: DateTime<Utc>,
    ) -> anyhow::Result<[(&'static str, String); 3]> {
        let mut links = [&self.responder, &self.reviewer, &self.manager]
            .map(|member| (member.role.id(), member.id, String::new()));
        for (_, id, token) in &mut links {
            *token = one_time::signin_link(conn, &Actor::app(), *id, now).await?;
        }
        Ok(links.map(|(role, _, token)| (role, token)))
    }
}

async fn hash(password: String) -> anyhow::Result<String> {
    tokio::task::spawn_blocking(move || secret::hash_password(&password))
        .await?
        .context("the password cannot be hashed")
}
