//! People, for administrators: who is here, who is invited, which roles they hold, who is out.

use super::{
    App, Page, Reader, Result,
    form::Faults,
    page::{Nav, show, show_with},
    setup::{choices, is_name},
    visit::Visit,
};
use crate::{
    ladder::policy::{Act, Role},
    store::{
        one_time::{self, Open},
        people::{self, Person},
    },
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{Redirect, Response},
};
use axum_extra::extract::Form;
use serde::Deserialize;
use uuid::Uuid;

#[derive(Template)]
#[template(path = "people.html")]
struct People {
    page: Page,
    me: Uuid,
    people: Vec<Person>,
    invitations: Vec<Open>,
    faults: Faults,
    typed: Invite,
    /// Link of the invitation just made; it is shown this once.
    link: Option<String>,
    link_for: String,
}

impl People {
    fn choices(&self) -> Vec<(Role, bool)> {
        choices(&self.typed.roles(), &[])
    }

    fn held(&self, person: &Person) -> Vec<(Role, bool)> {
        choices(&person.roles, &[])
    }

    /// Whether this is the first account of `person`, as chosen in the form.
    fn is_first(&self, person: &Person, other: &Person) -> bool {
        person
            .same_as
            .as_ref()
            .is_some_and(|(id, _)| *id == other.id)
    }

    fn words(&self, roles: &[Role]) -> String {
        let words: Vec<String> = roles.iter().map(|r| self.page.role(r)).collect();
        words.join(", ")
    }

    fn active(&self) -> usize {
        self.people
            .iter()
            .filter(|p| p.deactivated_at.is_none())
            .count()
    }
}

async fn load(app: &App, visit: &Visit, page: Page, reader: &Reader) -> Result<People> {
    let mut conn = app.conn().await?;
    Ok(People {
        page: page.at(Nav::People),
        me: reader.id,
        people: people::list(&mut conn).await?,
        invitations: one_time::open_invitations(&mut conn, visit.now).await?,
        faults: Faults::default(),
        typed: Invite::default(),
        link: None,
        link_for: String::new(),
    })
}

/// `GET /people`
///
/// # Errors
/// When the reader is no administrator.
pub async fn list(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::ManagePeople)?;
    show(&load(&app, &visit, page, &reader).await?)
}

/// What the invitation form sends.
#[derive(Default, Deserialize)]
pub struct Invite {
    name: String,
    #[serde(default)]
    roles: Vec<String>,
}

impl Invite {
    fn roles(&self) -> Vec<Role> {
        self.roles.iter().filter_map(|r| Role::from_id(r)).collect()
    }
}

/// `POST /people/invite`: answers with the page itself, because the link is shown only once.
///
/// # Errors
/// When the reader is no administrator, or gave the password too long ago.
pub async fn invite(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Form(typed): Form<Invite>,
) -> Result<Response> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    let mut faults = Faults::default();
    if !is_name(&typed.name) {
        faults.add("name", page.t("person-name-fault"));
    }
    if typed.roles().is_empty() {
        faults.add("roles", page.t("person-roles-fault"));
    }
    if !faults.is_empty() {
        let mut people = load(&app, &visit, page, &reader).await?;
        (people.faults, people.typed) = (faults, typed);
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &people);
    }
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    let token = one_time::invite(&mut tx, &actor, &typed.name, &typed.roles(), visit.now).await?;
    app.commit(tx).await?;
    let mut people = load(&app, &visit, page, &reader).await?;
    people.link = Some(app.link(&visit, &format!("/invitation/{token}")));
    people.link_for = typed.name.trim().to_owned();
    show(&people)
}

/// `POST /people/invitations/{id}/revoke`
///
/// # Errors
/// When the reader is no administrator, or the invitation is not open.
pub async fn revoke_invitation(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    one_time::revoke_invitation(&mut tx, &actor, id, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/people#invitations"))
}

/// What a form about one person sends.
#[derive(Deserialize)]
pub struct Change {
    version: i32,
    #[serde(default)]
    roles: Vec<String>,
}

/// `POST /people/{id}/roles`
///
/// # Errors
/// When the reader is no administrator, the person changed meanwhile, or no administrator would
/// be left.
pub async fn set_roles(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(change): Form<Change>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    // A role we do not know must not silently take the others away.
    let roles: Option<Vec<Role>> = change.roles.iter().map(|r| Role::from_id(r)).collect();
    let roles = roles.ok_or(super::Error::Status(
        axum::http::StatusCode::UNPROCESSABLE_ENTITY,
    ))?;
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    people::set_roles(&mut tx, &actor, (id, change.version), &roles, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/people#p-{id}")))
}

/// `POST /people/{id}/deactivate`: their sessions end with it.
///
/// # Errors
/// As [`set_roles`].
pub async fn deactivate(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(change): Form<Change>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    people::deactivate(&mut tx, &actor, (id, change.version), visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/people#p-{id}")))
}

/// `POST /people/{id}/reactivate`
///
/// # Errors
/// As [`set_roles`].
pub async fn reactivate(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(change): Form<Change>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    people::reactivate(&mut tx, &actor, (id, change.version), visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/people#p-{id}")))
}

/// What the form about whose account it is sends.
#[derive(Deserialize)]
pub struct Identity {
    version: i32,
    #[serde(default)]
    same_as: String,
    #[serde(default)]
    reason: String,
}

/// `POST /people/{id}/identity`: two accounts of one person count as one wherever duties are
/// separated.
///
/// # Errors
/// As [`set_roles`]; a refusal when one of the two already stands for another.
pub async fn identity(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(id): Path<Uuid>,
    Form(typed): Form<Identity>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    if super::form::visible(&typed.reason) < 5 {
        return Err(super::Error::Invalid(page.t("people-identity-fault")));
    }
    let first: Option<Uuid> = match typed.same_as.trim() {
        "" => None,
        id => Some(id.parse().map_err(|_| super::Error::NotFound)?),
    };
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    let of = (id, typed.version);
    people::set_identity(&mut tx, &actor, of, first, &typed.reason, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/people#p-{id}")))
}

/// What the form that erases a name sends.
#[derive(Deserialize)]
pub struct Erase {
    version: i32,
    #[serde(default)]
    reason: String,
}

/// `POST /people/{id}/pseudonym`: a pseudonym takes the place of the name and login of somebody
/// who is deactivated, for a legal erasure. It cannot be undone.
///
/// # Errors
/// As [`set_roles`]; a conflict when they are active, or were erased before.
pub async fn pseudonym(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(id): Path<Uuid>,
    Form(erase): Form<Erase>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    if super::form::visible(&erase.reason) < 5 {
        return Err(super::Error::Invalid(page.t1(
            "case-fault-reason",
            "least",
            5,
        )));
    }
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    people::erase_name(
        &mut tx,
        &actor,
        (id, erase.version),
        &erase.reason,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/people#p-{id}")))
}
