//! What the clients need before they can hand anything in: people with sessions, a service, and
//! for every round a case with a run of its own.

use chrono::{DateTime, Utc};
use pel::ladder::case::Symptom;
use pel::ladder::environment::Environment;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, Profiled, RunRole, Statement};
use pel::store::{audit::Actor, cases, people, runs, secret, services, sessions};
use sqlx::PgConnection;
use std::collections::BTreeMap;
use uuid::Uuid;

#[allow(clippy::disallowed_methods)] // the test is the edge here
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

/// A person who is signed in.
pub struct Person {
    pub actor: Actor,
    /// What their session cookie holds.
    pub token: String,
}

/// A case with a run.
pub struct Case {
    pub id: Uuid,
    pub run_id: Uuid,
    /// Where files of the run are handed in.
    pub path: String,
}

/// The people and the service.
pub struct Place {
    pub people: Vec<Person>,
    service: Uuid,
}

impl Place {
    /// Makes `count` responders and a service.
    pub async fn make(conn: &mut PgConnection, count: usize) -> Self {
        let mut made = Vec::new();
        for n in 0..count {
            let login = format!("responder{n}");
            made.push(person(conn, &login, &[Role::Responder]).await);
        }
        let classes = ["chat".to_owned()];
        let actor = &made[0].actor;
        let service = services::create(conn, actor, "Assistant", "", &classes, now())
            .await
            .unwrap();
        Self {
            people: made,
            service,
        }
    }

    /// A case with a run.
    pub async fn case(&self, conn: &mut PgConnection) -> Case {
        let actor = &self.people[0].actor;
        let new = cases::NewCase {
            title: "First tokens come late".to_owned(),
            service_id: self.service,
            problem: String::new(),
            symptom: Symptom {
                signal: None,
                statistic: None,
                observed: None,
                text: "Slow".to_owned(),
            },
            first_seen: now(),
            classes: vec!["chat".to_owned()],
            contract_version_id: None,
            own: true,
        };
        let (id, number) = cases::open(conn, actor, &new, now()).await.unwrap();
        let stated = Statement {
            role: RunRole::Baseline,
            phase: Phase::Warm,
            profiled: Profiled::No,
            contract_version_id: None,
            environment: Environment {
                facts: BTreeMap::new(),
            },
            class: None,
            band: None,
            window: None,
            note: String::new(),
        };
        let (run_id, run) = runs::create(conn, actor, id, &stated, now()).await.unwrap();
        Case {
            id,
            run_id,
            path: format!("/cases/PEL-{number}/runs/R-{run}/evidence"),
        }
    }
}

/// A person with these roles and a session.
pub async fn person(conn: &mut PgConnection, login: &str, roles: &[Role]) -> Person {
    let new = people::New {
        login,
        name: login,
        roles,
        phc: None,
    };
    let id = people::create(conn, &Actor::app(), &new, now())
        .await
        .unwrap();
    let actor = Actor {
        person_id: Some(id),
        name: login.to_owned(),
        role: Some(roles[0].id().to_owned()),
        ..Actor::default()
    };
    let token = secret::token().unwrap();
    let session = sessions::New {
        person_id: id,
        token_hash: &secret::digest(&token),
        device: "test",
        network: "loopback",
        by: "password",
        lives: sessions::Lives::default(),
        replaces: None,
    };
    sessions::start(conn, &actor, &session, now())
        .await
        .unwrap();
    Person { actor, token }
}
