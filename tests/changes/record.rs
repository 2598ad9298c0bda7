//! The decision record: the page says what the record holds, number by number; and the summaries
//! for machines have the shape that is published.
#![allow(clippy::unwrap_used)]

use crate::schema::check;
use crate::story::Story;
use axum::http::StatusCode;
use pel::i18n::Lang;
use pel::ladder::Sentence;
use pel::ladder::decision::Sealed;
use pel::ladder::summary::{SCHEMA, SCHEMA_TEXT};
use pel::web::{format, say};
use serde_json::Value;
use std::collections::BTreeSet;

/// Text as a page shows it: no tags, entities read, blanks as one.
fn shown(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            _ if !inside => text.push(c),
            _ => {}
        }
    }
    plain(&text)
}

fn plain(text: &str) -> String {
    let text = text
        .replace("&#38;", "&")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Blanks do not count when text is looked for: a value and its unit stand in elements of their own.
fn tight(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Text as a page shows it, with the thin gaps inside of numbers closed and no others.
fn joined(html: &str) -> String {
    let closed: String = html
        .chars()
        .filter(|c| !matches!(c, '\u{2009}' | '\u{202f}' | '\u{a0}'))
        .collect();
    shown(&closed)
}

/// Every sentence anywhere in a record.
fn sentences(value: &Value, found: &mut Vec<Sentence>) {
    match value {
        Value::Object(map) => {
            let sentence = serde_json::from_value::<Sentence>(value.clone());
            if let Some(sentence) = sentence.ok().filter(|_| map.contains_key("key")) {
                found.push(sentence);
                return;
            }
            map.values().for_each(|v| sentences(v, found));
        }
        Value::Array(items) => items.iter().for_each(|v| sentences(v, found)),
        _ => {}
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .map(|t| t.trim_matches(['.', ',']).to_owned())
        .filter(|t| t.chars().any(|c| c.is_ascii_digit()))
        .collect()
}

/// An accepted decision of the story: its address, its record, and its page.
async fn accepted() -> (Story, String, Value, String) {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let answer = story
        .send(&mut rita, &page, &page, &[("note", "all limits hold")])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let path = answer.location().to_owned();
    let record = rita.get(&format!("{path}/record.json")).await;
    let page = rita.get(&path).await;
    assert_eq!(page.status, StatusCode::OK);
    let record = serde_json::from_str(&record.body).unwrap();
    (story, path, record, page.body)
}

#[tokio::test]
async fn every_number_and_sentence_of_the_page_is_the_records() {
    let (_, _, record, html) = accepted().await;
    let sealed: Sealed = serde_json::from_value(record.clone()).unwrap();
    let article = html
        .split("<article")
        .nth(1)
        .unwrap()
        .split("</article>")
        .next()
        .unwrap();
    let page = tight(&shown(article));
    // What the record holds stands on the page.
    let mut said = Vec::new();
    for part in ["gate"] {
        for line in record[part]["lines"].as_array().unwrap() {
            sentences(&line["sentences"], &mut said);
        }
    }
    sentences(&record["canary"]["reasons"], &mut said);
    assert!(said.len() > 10, "{}", said.len());
    let mut wanted: Vec<String> = said.iter().map(|s| say::sentence(Lang::En, s)).collect();
    for row in sealed.comparisons.iter().flat_map(|c| &c.rows) {
        let value = |v: f64| format::value(Lang::En, v, row.unit).to_string();
        wanted.push(value(row.limit));
        for side in [&row.baseline, &row.candidate] {
            wanted.extend(side.value.map(value));
            wanted.extend(side.samples.map(|n| format::count(Lang::En, n as i64)));
        }
    }
    for item in &sealed.evidence {
        wanted.extend([item.label.clone(), item.run.clone(), item.parser.clone()]);
        wanted.extend(item.sha256.iter().cloned());
    }
    wanted.extend([
        sealed.case.clone(),
        sealed.title.clone(),
        sealed.act.name.clone(),
        sealed.act.note.clone(),
        sealed.terms.knob.old.clone(),
        sealed.terms.knob.new.clone(),
        sealed.terms.procedure.clone(),
        sealed.terms.plan.watcher.clone(),
    ]);
    for text in &wanted {
        assert!(
            page.contains(&tight(&plain(text))),
            "the page lacks {text:?}"
        );
    }
    // And every number in the tables of the page is one of the record's.
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut all = Vec::new();
    sentences(&record, &mut all);
    for text in all.iter().map(|s| say::sentence(Lang::En, s)).chain(wanted) {
        known.extend(numbers(&joined(&text)));
    }
    for row in sealed.comparisons.iter().flat_map(|c| &c.rows) {
        let value = |v: f64| format::value(Lang::En, v, row.unit).to_string();
        known.extend(numbers(&joined(row.statistic.to_string().as_str())));
        for side in [&row.baseline, &row.candidate] {
            for run in &side.runs {
                known.extend(numbers(&run.run));
            }
            if let Some((a, b)) = side.spread() {
                known.extend(numbers(&joined(&value(a))));
                known.extend(numbers(&joined(&value(b))));
            }
            known.extend(numbers(&side.measured().to_string()));
        }
        if let Some(v) = row.difference_abs {
            known.extend(numbers(&joined(&value(v.abs()))));
            known.extend(numbers(&format::number(Lang::En, v.abs() * 100.0)));
        }
        if let Some(v) = row.difference_rel {
            let share = format::value(Lang::En, v.abs(), pel::ladder::Unit::Ratio);
            known.extend(numbers(&joined(&share.to_string())));
        }
    }
    // What was weighed stands in the record as numbers: as counts, in the unit, or as shares.
    for row in sealed.comparisons.iter().flat_map(|c| &c.rows) {
        for n in leaves(&serde_json::to_value(&row.weighed).unwrap()) {
            known.extend(numbers(&joined(&format::count(Lang::En, n.abs() as i64))));
            for unit in [row.unit, pel::ladder::Unit::Ratio] {
                let shown = format::value(Lang::En, n.abs(), unit).to_string();
                known.extend(numbers(&joined(&shown)));
            }
        }
    }
    let mut strange = BTreeSet::new();
    for table in article.split("<table").skip(1) {
        let table = table.split("</table>").next().unwrap();
        for cell in table.split("<td").skip(1) {
            let cell = cell
                .split_once('>')
                .unwrap()
                .1
                .split("</td>")
                .next()
                .unwrap();
            // A drawing says nothing in words.
            if cell.contains("<svg class=\"strip") || cell.contains("viewBox") {
                continue;
            }
            for number in numbers(&joined(cell)) {
                // A p below the least that is shown reads “< 0.0001”.
                let least = number == "0.0001" && joined(cell).replace(' ', "").contains("<0.0001");
                if !least && !known.contains(&number) {
                    strange.insert((number, shown(cell)));
                }
            }
        }
    }
    assert!(strange.is_empty(), "not in the record: {strange:#?}");
}

/// Every number of a JSON value.
fn leaves(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(n) => n.as_f64().into_iter().collect(),
        Value::Array(all) => all.iter().flat_map(leaves).collect(),
        Value::Object(all) => all.values().flat_map(leaves).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn summaries_of_a_case_and_a_decision_have_the_published_shape() {
    let (story, path, record, _) = accepted().await;
    let schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    let served = story.site.browser().get(SCHEMA).await;
    assert_eq!(
        (served.status, served.body.as_str()),
        (StatusCode::OK, SCHEMA_TEXT)
    );
    let mut rita = story.site.signed_in("rita").await;
    let of_case = rita
        .get(&format!("/cases/{}/summary.json", story.label))
        .await;
    let of_decision = rita.get(&format!("{path}/summary.json")).await;
    let mut read = Vec::new();
    for answer in [&of_case, &of_decision] {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let value: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(check(&schema, &value), Vec::<String>::new());
        read.push(value);
    }
    let [case, decision] = read.as_slice() else {
        panic!()
    };
    let names: Vec<&str> = case["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    let expected = [
        "request_trace",
        "gpu_execution_memory",
        "kernel_operator",
        "serving_scheduler_cache",
        "distributed_capacity",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        case["acceptance_unit"],
        "accepted_task_under_workload_contract"
    );
    assert!(
        case["stages"][0]["signals"]
            .as_array()
            .unwrap()
            .iter()
            .any(|s| s["name"] == "ttft"
                && s["value"] == 1.6
                && s["unit"] == "seconds"
                && s["run"] == "R-1")
    );
    for condition in decision["stop_conditions"].as_array().unwrap() {
        assert_eq!(condition["status"], "held", "{condition}");
    }
    assert_eq!(decision["decision"]["kind"], "accepted");
    assert_eq!(decision["stages"], record["summary"]["stages"]);
    assert!(case.get("decision").is_none());
    // What comes later does not change what the decision says.
    story.site.pass(chrono::TimeDelta::minutes(5));
    let now = story.site.now();
    story.site.pass(chrono::TimeDelta::minutes(20));
    story
        .run(
            story.jo,
            pel::ladder::run::RunRole::Baseline,
            pel::ladder::run::Phase::Warm,
            now,
            20,
            (0.4, 0.99),
        )
        .await;
    let again = rita.get(&format!("{path}/summary.json")).await;
    assert_eq!(again.body, of_decision.body);
    let moved = rita
        .get(&format!("/cases/{}/summary.json", story.label))
        .await;
    assert_ne!(moved.body, of_case.body);
}

#[test]
fn the_check_refuses_what_the_schema_does_not_allow() {
    let schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    let wrong = serde_json::json!({
        "$schema": SCHEMA, "framework": "another", "case": "PEL-1", "service": "s", "at": "now",
        "stages": [], "acceptance_unit": "tokens_per_second", "stop_conditions": [], "override_used": "no",
        "extra": 1,
    });
    let faults = check(&schema, &wrong).join("\n");
    for said in [
        "framework",
        "stages",
        "acceptance_unit",
        "stop_conditions",
        "override_used",
        "extra",
    ] {
        assert!(faults.contains(said), "{said}: {faults}");
    }
}
