//! Every URL of the service on one screen. [`LIST`] is the same table as data: the permission
//! test fails when a route stands here and not there.

use super::{
    App, api, audit, case, cases, changes, compare, conditions, contracts, decision,
    decisions_list, error, evidence, evidence_acts, freezes, help, history, home, live, overrides,
    people, policy, profile, retention, runs, services, setup, signin, static_files, templates,
    tokens,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post, put},
};

/// Method and path of one route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    /// `GET`, `POST` or `PUT`.
    pub method: &'static str,
    /// Path as the router knows it.
    pub path: &'static str,
}

/// Makes the router and the list out of one table. A line may end in `, layer` to put a layer
/// (a larger body limit, say) around that route alone.
macro_rules! routes {
    ($($method:ident $path:literal => $handler:expr $(, $layer:expr)?;)*) => {
        /// Every route.
        pub const LIST: &[Route] = &[$(Route { method: routes!(@name $method), path: $path }),*];

        /// The router, without the layers around it.
        pub fn router() -> Router<App> {
            Router::new()
                $(.route($path, $method($handler)$(.layer($layer))?))*
                .method_not_allowed_fallback(error::method_not_allowed)
                .fallback(error::not_found)
        }
    };
    (@name get) => { "GET" };
    (@name post) => { "POST" };
    (@name put) => { "PUT" };
}

routes! {
    // What waits, lists, help
    get  "/" => home::show;
    get  "/help" => help::show;
    get  "/cases" => cases::list::show;
    get  "/cases/new" => cases::new::form;
    post "/cases" => cases::new::open;
    get  "/cases/close" => cases::bulk::form;
    post "/cases/close" => cases::bulk::close;
    get  "/decisions" => decisions_list::show;
    get  "/policy" => policy::get;
    post "/policy" => policy::publish;
    get  "/overrides" => overrides::list::show;
    get  "/audit" => audit::show;
    post "/audit/verify" => audit::verify;
    get  "/audit/checkpoints/{number}" => audit::checkpoint;

    // Cases written out, and imported ones to look at
    get  "/cases/{case}/export.json" => history::export;
    get  "/history" => history::list;
    post "/history" => history::import, DefaultBodyLimit::max(history::MOST_BYTES);
    get  "/history/{id}" => history::show;

    // Services and contracts
    get  "/services" => services::show;
    post "/services" => services::define;
    post "/services/{id}/classes" => services::add_class;
    post "/services/{id}/freezes" => freezes::set;
    post "/freezes/{id}/lift" => freezes::lift;
    get  "/templates" => templates::show;
    post "/templates" => templates::create;
    post "/templates/{id}/agree" => templates::agree;
    post "/templates/{id}/take-back" => templates::take_back;
    get  "/contracts" => contracts::list;
    get  "/contracts/new" => contracts::edit::new;
    post "/contracts" => contracts::edit::create;
    get  "/contracts/{id}" => contracts::show::show;
    post "/contracts/{id}/draft" => contracts::show::start_draft;
    get  "/contracts/{id}/edit" => contracts::edit::edit;
    post "/contracts/{id}/edit" => contracts::edit::save;
    post "/contracts/{id}/publish" => contracts::publish::publish;
    post "/contracts/{id}/withdraw" => contracts::publish::withdraw;
    get  "/contracts/{id}/diff" => contracts::diff::show;

    // People and their sessions
    get  "/signin" => signin::form;
    post "/signin" => signin::sign_in;
    get  "/signin/link/{token}" => signin::link;
    post "/signin/link/{token}" => signin::follow_link;
    post "/signout" => signin::sign_out;
    get  "/reauth" => signin::reauth_form;
    post "/reauth" => signin::reauth;
    get  "/setup" => setup::form;
    post "/setup" => setup::set_up;
    get  "/invitation/{token}" => setup::invitation;
    post "/invitation/{token}" => setup::accept;
    get  "/people" => people::list;
    post "/people/invite" => people::invite;
    post "/people/invitations/{id}/revoke" => people::revoke_invitation;
    post "/people/{id}/roles" => people::set_roles;
    post "/people/{id}/identity" => people::identity;
    post "/people/{id}/deactivate" => people::deactivate;
    post "/people/{id}/reactivate" => people::reactivate;
    get  "/tokens" => tokens::list;
    post "/tokens" => tokens::create;
    post "/tokens/{id}/revoke" => tokens::revoke;
    post "/people/{id}/pseudonym" => people::pseudonym;
    get  "/me" => profile::show_me;
    post "/me" => profile::save;
    post "/me/password" => profile::change_password;
    post "/me/sessions/{id}/end" => profile::end_session;
    post "/language" => profile::language;

    // Bytes that go, and what keeps them
    get  "/retention" => retention::get;
    post "/retention/erase" => retention::erase;

    // A case
    get  "/cases/{case}" => case::show::get;
    get  "/cases/{case}/summary.json" => case::summary::get;
    get  "/cases/{case}/events" => live::events;
    post "/cases/{case}/owner" => case::owner::post;
    post "/cases/{case}/owner/accept" => case::owner::accept;
    get  "/cases/{case}/standing" => case::standing::get;
    post "/cases/{case}/people" => case::standing::part;
    post "/cases/{case}/flags" => case::standing::flag;
    get  "/cases/{case}/problem" => case::problem::get;
    post "/cases/{case}/problem" => case::problem::post;
    get  "/cases/{case}/contract" => case::contract::get;
    post "/cases/{case}/contract" => case::contract::post;
    post "/cases/{case}/contract/consent" => case::contract::consent;
    get  "/cases/{case}/stages/{n}" => case::stage::get;
    post "/cases/{case}/stages/{n}" => case::stage::post;
    post "/cases/{case}/hypotheses" => case::hypotheses::propose;
    post "/cases/{case}/hypotheses/{id}/arguments" => case::hypotheses::argue;
    post "/cases/{case}/comments" => case::comments::post;
    get  "/cases/{case}/close" => case::close::get;
    post "/cases/{case}/close" => case::close::post;
    post "/cases/{case}/reopen" => case::close::reopen;

    // Runs and their files
    get  "/cases/{case}/runs/new" => runs::edit::new;
    post "/cases/{case}/runs" => runs::edit::create;
    get  "/cases/{case}/runs/{run}" => runs::show::get;
    post "/cases/{case}/runs/{run}" => runs::edit::correct;
    get  "/cases/{case}/runs/{run}/edit" => runs::edit::edit;
    get  "/cases/{case}/runs/{run}/evidence" => runs::upload::form;
    post "/cases/{case}/runs/{run}/evidence" => runs::upload::post, DefaultBodyLimit::disable();

    get  "/cases/{case}/runs/{run}/attest" => runs::attest::form;
    post "/cases/{case}/runs/{run}/attest" => runs::attest::post, DefaultBodyLimit::disable();
    post "/cases/{case}/attested/{a}" => evidence::vouch::answer;

    // Conditions, comparisons, changes and decisions
    get  "/cases/{c}/conditions/{condition}" => conditions::form;
    post "/cases/{c}/conditions/{condition}" => conditions::record;
    post "/cases/{c}/conditions/{condition}/retract" => conditions::retract;
    get  "/cases/{c}/compare" => compare::show::get;
    get  "/cases/{c}/compare.csv" => compare::export::as_csv;
    get  "/cases/{c}/compare.json" => compare::export::as_json;
    get  "/cases/{c}/changes/new" => changes::edit::new;
    post "/cases/{c}/changes" => changes::edit::create;
    get  "/cases/{c}/changes/{h}" => changes::show::get;
    get  "/cases/{c}/changes/{h}/edit" => changes::edit::edit;
    post "/cases/{c}/changes/{h}/edit" => changes::edit::save;
    post "/cases/{c}/changes/{h}/submit" => changes::submit::submit;
    get  "/cases/{c}/changes/{h}/approve" => changes::approve::page;
    post "/cases/{c}/changes/{h}/approve" => changes::approve::approve;
    post "/cases/{c}/changes/{h}/bundle/consent" => changes::bundle::consent;
    post "/cases/{c}/changes/{h}/request-changes" => changes::requests::ask;
    post "/cases/{c}/changes/{h}/requests/{id}/clear" => changes::requests::clear;
    post "/cases/{c}/changes/{h}/reject" => changes::approve::reject;
    post "/cases/{c}/changes/{h}/withdraw" => changes::submit::withdraw;
    get  "/cases/{c}/changes/{h}/canary/start" => changes::canary::start_page;
    post "/cases/{c}/changes/{h}/canary/start" => changes::canary::start;
    post "/cases/{c}/changes/{h}/canary/pause" => changes::canary::pause;
    post "/cases/{c}/changes/{h}/canary/resume" => changes::canary::resume;
    post "/cases/{c}/changes/{h}/canary/extend" => changes::watch::extend;
    post "/cases/{c}/changes/{h}/presence" => changes::watch::present;
    get  "/cases/{c}/changes/{h}/samples" => changes::samples::form;
    post "/cases/{c}/changes/{h}/samples" => changes::samples::post;
    get  "/cases/{c}/changes/{h}/canary/end" => changes::end::page;
    post "/cases/{c}/changes/{h}/canary/end" => changes::end::end;
    get  "/cases/{c}/changes/{h}/roll-back" => changes::roll_back::page;
    post "/cases/{c}/changes/{h}/roll-back" => changes::roll_back::roll_back;
    get  "/cases/{c}/changes/{h}/accept" => changes::accept::page;
    post "/cases/{c}/changes/{h}/accept" => changes::accept::accept;
    get  "/cases/{c}/changes/{h}/override" => overrides::ask::page;
    post "/cases/{c}/changes/{h}/override" => overrides::ask::ask;
    get  "/cases/{c}/overrides/{id}" => overrides::show::get;
    post "/cases/{c}/overrides/{id}/cosign" => overrides::show::cosign;
    post "/cases/{c}/overrides/{id}/review" => overrides::show::review;
    get  "/decisions/{id}" => decision::get;
    get  "/decisions/{id}/record.json" => decision::json;
    get  "/decisions/{id}/summary.json" => decision::summary;
    get  "/evidence/{ev}" => evidence::show::get;
    post "/evidence/{ev}/withdraw" => evidence_acts::withdraw;
    post "/evidence/{ev}/set-aside" => evidence_acts::set_aside;
    get  "/evidence/{ev}/redact" => evidence::redact::form;
    post "/evidence/{ev}/redact" => evidence::redact::post, DefaultBodyLimit::disable();
    post "/evidence/{ev}/repoint" => evidence::redact::repoint;
    post "/evidence/{ev}/contradictions" => evidence::vouch::accept;
    get  "/evidence/{ev}/mapping" => evidence::mapping::form;
    post "/evidence/{ev}/mapping" => evidence::mapping::post;
    post "/evidence/{ev}/reread" => evidence_acts::reread;
    get  "/evidence/{ev}/files/{n}" => evidence_acts::download;
    get  "/evidence/{ev}/reading.json" => evidence_acts::reading_json;

    // For programs
    get  "/api/v1/openapi.json" => api::openapi::get;
    post "/api/v1/cases" => api::cases::open;
    get  "/api/v1/cases/{case}" => api::cases::get;
    get  "/api/v1/cases/{case}/gate" => api::cases::gate;
    post "/api/v1/cases/{case}/runs" => api::runs::create;
    get  "/api/v1/cases/{case}/runs/{run}" => api::runs::get;
    put  "/api/v1/cases/{case}/runs/{run}" => api::runs::correct;
    post "/api/v1/cases/{case}/runs/{run}/evidence" => api::evidence::attach, DefaultBodyLimit::disable();
    get  "/api/v1/decisions/{id}" => api::cases::decision;
    post "/api/v1/cases/{case}/changes/{change}/samples" => api::samples::post;
    post "/api/v1/cases/{case}/changes/{change}/{act}" => api::never;
    post "/api/v1/cases/{case}/conditions/{condition}" => api::never;
    post "/api/v1/cases/{case}/close" => api::never;

    // The service itself
    get  "/schema/{name}" => case::summary::schema;
    get  "/static/{digest}/{name}" => static_files::get;
    get  "/favicon.ico" => static_files::favicon;
    get  "/healthz" => super::health::live;
    get  "/readyz" => super::health::ready;
}
