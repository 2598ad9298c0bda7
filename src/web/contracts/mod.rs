//! Workload contracts: the list, one contract with its versions, the form for a draft, and what
//! differs between two versions.

pub mod diff;
pub mod edit;
pub mod publish;
pub mod sheet;
mod sheet_mix;
pub mod sheet_read;
pub mod show;
pub mod signals;
pub mod words;

use super::{
    App, Page, Reader, Result,
    page::{Nav, show as render},
    visit::Visit,
};
use crate::{
    ladder::policy::Act,
    store::contracts::{self, Listed},
};
use askama::Template;
use axum::{extract::State, response::Response};

#[derive(Template)]
#[template(path = "contracts/list.html")]
struct Contracts {
    page: Page,
    contracts: Vec<Listed>,
}

impl Contracts {
    fn may_draft(&self) -> bool {
        self.page.can(Act::DraftContract)
    }
}

/// `GET /contracts`
///
/// # Errors
/// When the reader may not read contracts.
pub async fn list(State(app): State<App>, visit: Visit, reader: Reader) -> Result<Response> {
    reader.may(Act::Read)?;
    let contracts = contracts::list(&mut *app.conn().await?).await?;
    render(&Contracts {
        page: Page::of(&app, &visit).at(Nav::Contracts),
        contracts,
    })
}
