//! The help: what the product is for, the four conditions, the stages, who may do what, what it
//! reads, and the keyboard. Made from the same tables as the rest, so that it cannot fall behind.

use super::{
    App, Page, Reader, Result,
    contracts::signals,
    page::{Nav, show as render},
    say,
    visit::Visit,
};
use crate::ladder::{
    condition::Condition,
    policy::{Act, Role},
};
use askama::Template;
use axum::{extract::State, response::Response};
use pel_evidence::{Kind, Stage, catalogue};

#[derive(Template)]
#[template(path = "help.html")]
struct Help {
    page: Page,
}

/// One of the four conditions: its id as an anchor, its name, what must be true.
struct Told {
    id: String,
    name: String,
    what: String,
}

/// A signal as the help lists it.
struct Known {
    name: &'static str,
    label: String,
    unit: String,
    definition: String,
    kinds: String,
}

impl Help {
    fn conditions(&self) -> Vec<Told> {
        let told = |c: &Condition| Told {
            id: c.id().replace('_', "-"),
            name: self.page.t(&say::key("help-condition", c.id())),
            what: self
                .page
                .t(&format!("{}-what", say::key("help-condition", c.id()))),
        };
        Condition::ALL.iter().map(told).collect()
    }

    fn stages(&self) -> Vec<Told> {
        let told = |s: Stage| {
            let key = say::key("stage", s.id());
            Told {
                id: format!("stage-{}", s.number()),
                name: signals::stage_name(self.page.lang, s),
                what: self.page.t(&format!("{key}-question")),
            }
        };
        Stage::ALL.into_iter().map(told).collect()
    }

    fn roles(&self) -> Vec<Told> {
        let told = |r: Role| Told {
            id: r.id().to_owned(),
            name: self.page.role(&r),
            what: self.page.t(&format!("role-{}-may", r.id())),
        };
        Role::ALL.into_iter().map(told).collect()
    }

    fn kinds(&self) -> Vec<Told> {
        let told = |k: Kind| Told {
            id: k.id().replace('_', "-"),
            name: self.page.t(&say::key("kind", k.id())),
            what: self.page.t(&say::key("help-kind", k.id())),
        };
        Kind::all().map(told).collect()
    }

    fn signals(&self) -> Vec<(String, Vec<Known>)> {
        Stage::ALL
            .into_iter()
            .map(|stage| {
                let of = catalogue::ALL.iter().filter(|d| d.stage == stage);
                let known = of.map(|d| self.known(d)).collect();
                (signals::stage_name(self.page.lang, stage), known)
            })
            .collect()
    }

    fn known(&self, d: &'static catalogue::SignalDef) -> Known {
        let kinds = d
            .kinds
            .iter()
            .map(|k| self.page.t(&say::key("kind", k.id())));
        Known {
            name: d.name,
            label: say::signal_name(self.page.lang, d.name),
            unit: self.page.t(&say::key("unit", d.unit.id())),
            definition: say::signal_meaning(self.page.lang, d),
            kinds: kinds.collect::<Vec<_>>().join(", "),
        }
    }

    fn can_contract(&self) -> bool {
        self.page.can(Act::DraftContract)
    }
}

/// `GET /help`
///
/// # Errors
/// When nobody is signed in.
pub async fn show(State(app): State<App>, visit: Visit, _: Reader) -> Result<Response> {
    let page = Page::of(&app, &visit).at(Nav::Help);
    render(&Help { page })
}
