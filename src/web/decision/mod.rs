//! A decision record: drawn from what was sealed at that moment and from nothing else. What came
//! later stands beside it, apart.

use super::changes::words::{self, LineView};
use super::compare::table::Table;
use super::page::{Nav, show};
use super::{App, Page, Reader, Result, format, format::Markup, knowing, say};
use crate::ladder::canary::CanaryVerdict;
use crate::ladder::decision::{Kind, Sealed, Soundness, soundness};
use crate::ladder::policy::Act;
use crate::ladder::run::Phase;
use crate::ladder::summary;
use crate::store::decisions::{self, Decision, Since, Taken};
use crate::store::overrides::{self, Reviewed};
use askama::Template;
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use uuid::Uuid;

/// One fact that came later.
struct Later {
    tone: &'static str,
    shape: &'static str,
    said: String,
    at: Markup,
    href: Option<String>,
}

/// One item the decision rested on.
struct Item {
    label: String,
    kind: String,
    run: String,
    parser: String,
    digests: Vec<String>,
}

#[derive(Template)]
#[template(path = "decision/show.html")]
struct RecordPage {
    page: Page,
    decision: Decision,
    sealed: Sealed,
    /// Whether the stored content still has the digest it was sealed with.
    sound: Soundness,
    /// Overrides it rests on, each in a sentence.
    overrides: Vec<String>,
    mark: words::Mark,
    role: String,
    at: Markup,
    lines: Vec<LineView>,
    held: String,
    tables: Vec<Table>,
    canary: Option<(words::Mark, Vec<String>)>,
    thresholds: Vec<String>,
    plan: String,
    expectation: Option<String>,
    items: Vec<Item>,
    counted: Vec<String>,
    outdated: Vec<String>,
    later: Vec<Later>,
}

impl RecordPage {
    fn changed(&self) -> bool {
        self.sound == Soundness::Changed
    }

    /// What is known of the content, in words.
    fn soundness(&self) -> String {
        self.page.t(match self.sound {
            Soundness::Sound => "decision-sound",
            Soundness::Changed => "decision-unsound",
            Soundness::CannotTell => "decision-earlier-format",
        })
    }

    fn short(&self, digest: &str) -> String {
        format::short_digest(digest).to_owned()
    }

    fn environments(&self) -> String {
        let names = self.sealed.environments.iter().map(|e| {
            let name = e.facts.short_name();
            name.unwrap_or_else(|| self.page.t("decision-environment-unknown"))
        });
        names.collect::<Vec<_>>().join(", ")
    }

    fn audit(&self) -> String {
        self.page.t1(
            "decision-audit",
            "n",
            self.page.count(self.decision.audit_seq),
        )
    }

    fn reads_audit(&self) -> bool {
        self.page.can(Act::ReadAudit)
    }

    fn path(&self) -> String {
        format!("/decisions/{}", self.decision.id)
    }
}

/// The id in an address; whatever is none leads nowhere.
fn id_of(text: &str) -> Result<Uuid> {
    text.parse().map_err(|_| super::Error::NotFound)
}

/// `GET /decisions/{id}`
pub async fn get(
    State(app): State<App>,
    Path(id): Path<String>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let id = id_of(&id)?;
    let mut conn = app.conn().await?;
    let decision = decisions::get(&mut conn, id, reader.id).await?;
    knowing::looked(&mut conn, &reader, decision.case_id).await?;
    let sealed: Sealed = serde_json::from_value(decision.record.clone())
        .map_err(|e| super::Error::internal(format!("record {id} cannot be read: {e}")))?;
    let contract = sealed.contract.as_ref().map(|c| c.id);
    let since = decisions::since(&mut conn, id, contract).await?;
    let others = decisions::of_change(&mut conn, decision.change_id).await?;
    let reviews = overrides::reviews_of(&mut conn, id).await?;
    drop(conn);
    let after = (&since, others.as_slice(), reviews.as_slice());
    show(&record_page(page, decision, sealed, after))
}

/// `GET /decisions/{id}/record.json`: exactly what was sealed.
pub async fn json(
    State(app): State<App>,
    Path(id): Path<String>,
    reader: Reader,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let id = id_of(&id)?;
    let mut conn = app.conn().await?;
    let decision = decisions::get(&mut conn, id, reader.id).await?;
    knowing::looked(&mut conn, &reader, decision.case_id).await?;
    Ok(Json(decision.record).into_response())
}

/// `GET /decisions/{id}/summary.json`: what was sealed, in a few lines for a machine.
pub async fn summary(
    State(app): State<App>,
    Path(id): Path<String>,
    reader: Reader,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let id = id_of(&id)?;
    let mut conn = app.conn().await?;
    let decision = decisions::get(&mut conn, id, reader.id).await?;
    knowing::looked(&mut conn, &reader, decision.case_id).await?;
    let sealed: Sealed = serde_json::from_value(decision.record)
        .map_err(|e| super::Error::internal(format!("record {id} cannot be read: {e}")))?;
    Ok(Json(summary::of_record(&sealed, &decision.digest)).into_response())
}

fn record_page(
    page: Page,
    decision: Decision,
    sealed: Sealed,
    after: (&Since, &[Taken], &[Reviewed]),
) -> RecordPage {
    let (shape, tone) = match sealed.act.kind {
        Kind::Accepted => ("holds", "good"),
        Kind::Rejected => ("breaks", "quiet"),
        Kind::RolledBack => ("back", "bad"),
    };
    let key = say::key("decision-kind", sealed.act.kind.id());
    let name = |a: &crate::ladder::gate::Counted| {
        format!("{} {}", a.name, format::date_time(page.lang, a.approval.at))
    };
    let (counted, outdated): (Vec<_>, Vec<_>) = sealed.approvals.iter().partition(|a| a.counts());
    let (held, na) = sealed.gate.satisfied();
    let over = sealed.gate.overridden();
    RecordPage {
        sound: soundness(&decision.record, &decision.digest),
        overrides: overridden(&page, &sealed),
        mark: (shape, tone, page.t(&key)),
        role: page.role(&sealed.act.role),
        at: page.time(&sealed.act.at),
        lines: words::lines(&page, &sealed.gate),
        held: page.text(
            match (over, na) {
                (1.., _) => "decision-held-overridden",
                (0, 0) => "decision-held",
                (0, _) => "decision-held-but",
            },
            &[
                ("over", &over.to_string()),
                ("held", &held.to_string()),
                ("na", &na.to_string()),
                ("lines", &sealed.gate.lines.len().to_string()),
                ("at", &format::date_time(page.lang, sealed.gate.at)),
            ],
        ),
        tables: tables(&page, &sealed),
        canary: sealed.canary.as_ref().map(|v| canary(&page, v)),
        thresholds: words::thresholds(&page, &sealed.terms),
        plan: words::plan(&page, &sealed.terms),
        expectation: words::expectation(&page, &sealed.terms),
        items: items(&page, &sealed),
        counted: counted.into_iter().map(name).collect(),
        outdated: outdated.into_iter().map(name).collect(),
        later: later(&page, &decision, after),
        page: page.at(Nav::Decisions),
        decision,
        sealed,
    }
}

fn tables(page: &Page, sealed: &Sealed) -> Vec<Table> {
    sealed
        .comparisons
        .iter()
        .map(|c| match &sealed.canary {
            Some(verdict) if c.phase == Phase::Canary => Table::canary(page, c, verdict),
            _ => Table::of(page, c),
        })
        .collect()
}

fn canary(page: &Page, v: &CanaryVerdict) -> (words::Mark, Vec<String>) {
    let reasons = v
        .reasons
        .iter()
        .map(|s| say::sentence(page.lang, s))
        .collect();
    (words::whole_mark(page, v.whole), reasons)
}

fn items(page: &Page, sealed: &Sealed) -> Vec<Item> {
    sealed
        .evidence
        .iter()
        .map(|e| Item {
            label: e.label.clone(),
            kind: page.t(&say::key("kind", e.kind.id())),
            run: e.run.clone(),
            parser: e.parser.clone(),
            digests: e.sha256.clone(),
        })
        .collect()
}

fn overridden(page: &Page, sealed: &Sealed) -> Vec<String> {
    sealed
        .overrides
        .iter()
        .map(|o| {
            let what = o.what.map_or_else(|| o.line.clone(), |w| page.t(&w.key()));
            let said = page.text(
                "decision-override-said",
                &[
                    ("what", &what),
                    ("person", &o.name),
                    ("until", &format::date_time(page.lang, o.until)),
                    ("reason", &o.reason),
                ],
            );
            let signed = match &o.cosigned {
                Some(name) => page.t1("decision-override-cosigned", "name", name),
                None => page.t("decision-override-alone"),
            };
            format!("{said} {signed}")
        })
        .collect()
}

fn later(
    page: &Page,
    decision: &Decision,
    (since, others, reviews): (&Since, &[Taken], &[Reviewed]),
) -> Vec<Later> {
    let mut found = Vec::new();
    let case = crate::ladder::case::label(decision.case_number);
    for review in reviews {
        let verdict = page.t(&say::key("override-verdict", &review.verdict));
        found.push(Later {
            tone: if review.verdict == "justified" {
                "quiet"
            } else {
                "bad"
            },
            shape: "over",
            said: page.t2(
                "decision-override-reviewed",
                "verdict",
                verdict,
                "name",
                &review.by,
            ),
            at: page.time(&review.at),
            href: Some(super::overrides::path(&case, review.id)),
        });
    }
    for other in others.iter().filter(|o| o.audit_seq > decision.audit_seq) {
        let key = say::key("decision-kind", &other.kind);
        found.push(Later {
            tone: if other.kind == "rolled_back" {
                "bad"
            } else {
                "quiet"
            },
            shape: if other.kind == "rolled_back" {
                "back"
            } else {
                "na"
            },
            said: page.t2("decision-later", "what", page.t(&key), "name", &other.by),
            at: page.time(&other.at),
            href: Some(format!("/decisions/{}", other.id)),
        });
    }
    if since.change_state == "confirmed" && decision.kind == "accepted" {
        found.push(Later {
            tone: "good",
            shape: "holds",
            said: page.t("decision-confirmed"),
            at: page.time(&since.change_since),
            href: None,
        });
    }
    if let (Some(number), Some(at)) = (since.newer_contract, since.newer_at)
        && at > decision.at
    {
        found.push(Later {
            tone: "quiet",
            shape: "na",
            said: page.t1("decision-contract-superseded", "n", number),
            at: page.time(&at),
            href: None,
        });
    }
    if since.outcome.is_some() && since.case_since > decision.at {
        found.push(Later {
            tone: "quiet",
            shape: "na",
            said: page.t("decision-case-closed"),
            at: page.time(&since.case_since),
            href: Some(format!(
                "/cases/{}",
                crate::ladder::case::label(decision.case_number)
            )),
        });
    }
    found
}
