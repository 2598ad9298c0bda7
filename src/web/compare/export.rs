//! Exactly the comparison that the page shows, as CSV and as JSON.

use super::show::{Asked, Chosen};
use crate::ladder::compare::{self, Comparison, Row, Side};
use crate::ladder::policy::Act;
use crate::web::{App, Reader, Result, changes, visit::Visit};
use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use axum_extra::extract::Form;
use chrono::{DateTime, SecondsFormat, Utc};

/// A text cell: formulas of spreadsheets are made harmless, quotes doubled.
pub fn text_cell(text: &str) -> String {
    let risky = text
        .trim_start()
        .starts_with(['=', '+', '-', '@', '\t', '\r']);
    let safe = if risky {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if safe.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

fn number(value: Option<f64>) -> String {
    value
        .filter(|v| v.is_finite())
        .map_or_else(String::new, |v| v.to_string())
}

fn whole(n: Option<u64>) -> String {
    n.map_or_else(String::new, |n| n.to_string())
}

const HEAD: &str = "case,made_at,contract,phase,limit_id,signal,statistic,class,band,unit,comparator,limit,\
baseline_runs,baseline,baseline_samples,candidate_runs,candidate,candidate_samples,difference,difference_ratio,\
spread_least,spread_most,verdict,reason,\
baseline_run,candidate_run,baseline_spread_least,baseline_spread_most,\
n_baseline,n_candidate,candidate_low,candidate_high,change,change_low,change_high,method,p,p_holm,tolerated,outcome,\
seed,replicates,windows\r\n";

/// The table as CSV: a point for decimals, base units, times in ISO 8601.
pub fn csv(case: &str, c: &Comparison, now: DateTime<Utc>) -> String {
    let mut out = HEAD.to_owned();
    for row in &c.rows {
        out.push_str(&line(case, c, row, now).join(","));
        out.push_str("\r\n");
    }
    out
}

fn line(case: &str, c: &Comparison, r: &Row, now: DateTime<Utc>) -> Vec<String> {
    let text = |t: &str| text_cell(t);
    let of = |side: &Side| {
        side.worst(r.comparator)
            .map_or_else(String::new, |m| m.run.clone())
    };
    let reason = r.verdict.reason().or(r.why.as_ref());
    let reason = reason.map_or("", |s| s.key.as_str());
    vec![
        text(case),
        now.to_rfc3339_opts(SecondsFormat::Secs, true),
        text(&c.contract),
        c.phase.id().to_owned(),
        text(&r.limit_id),
        text(&r.signal),
        text(&r.statistic.to_string()),
        text(r.class.as_deref().unwrap_or_default()),
        text(r.band.as_deref().unwrap_or_default()),
        r.unit.id().to_owned(),
        r.comparator.id().to_owned(),
        number(Some(r.limit)),
        text(&c.baseline.join(" ")),
        number(r.baseline.value),
        whole(r.baseline.samples),
        text(&c.candidate.join(" ")),
        number(r.candidate.value),
        whole(r.candidate.samples),
        number(r.difference_abs),
        number(r.difference_rel),
        number(r.spread.map(|s| s.0)),
        number(r.spread.map(|s| s.1)),
        r.verdict.id().to_owned(),
        text(reason),
        text(&of(&r.baseline)),
        text(&of(&r.candidate)),
        number(r.baseline.spread().map(|s| s.0)),
        number(r.baseline.spread().map(|s| s.1)),
        whole(r.weighed.n[0]),
        whole(r.weighed.n[1]),
        number(r.weighed.candidate.and_then(|i| i.low)),
        number(r.weighed.candidate.and_then(|i| i.high)),
        number(r.weighed.change.and_then(|i| i.point)),
        number(r.weighed.change.and_then(|i| i.low)),
        number(r.weighed.change.and_then(|i| i.high)),
        r.weighed.method.id().to_owned(),
        number(r.weighed.p),
        number(r.weighed.p_adjusted),
        number(r.weighed.tolerated),
        r.weighed.outcome.id().to_owned(),
        whole(r.weighed.seed),
        whole(r.weighed.replicates.map(|n| n as u64)),
        whole(r.weighed.windows.map(|n| n as u64)),
    ]
}

async fn compared(
    app: &App,
    reader: &Reader,
    label: &str,
    asked: &Asked,
) -> Result<(Comparison, String)> {
    let case = changes::load(app, reader, label).await?;
    let chosen = Chosen::of(&case, asked)?;
    let compared = compare::compare(&case, &chosen.baseline, &chosen.candidate, chosen.phase);
    Ok((compared, format!("{label}-{}", chosen.phase.id())))
}

/// `GET /cases/{c}/compare.csv`
pub async fn as_csv(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    visit: Visit,
    Form(asked): Form<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let (compared, name) = compared(&app, &reader, &label, &asked).await?;
    let body = csv(&label, &compared, visit.now);
    let head = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}.csv\""),
        ),
    ];
    Ok((head, body).into_response())
}

/// `GET /cases/{c}/compare.json`
pub async fn as_json(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    visit: Visit,
    Form(asked): Form<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let (compared, _) = compared(&app, &reader, &label, &asked).await?;
    let body = serde_json::json!({
        "case": label,
        "made_at": visit.now.to_rfc3339_opts(SecondsFormat::Secs, true),
        "comparison": compared,
    });
    Ok(Json(body).into_response())
}

#[cfg(test)]
mod tests {
    use super::text_cell;

    #[test]
    fn e19_no_cell_starts_a_formula() {
        for risky in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1"] {
            assert!(
                text_cell(risky).trim_start_matches('"').starts_with('\''),
                "{risky:?}"
            );
        }
        assert_eq!(text_cell("long, \"odd\""), "\"long, \"\"odd\"\"\"");
        assert_eq!(text_cell("chat"), "chat");
    }
}
