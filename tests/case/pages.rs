//! What the pages show.

use crate::scene::{HOSTILE, KERNEL, Scene, reading};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::i18n::{Lang, has};
use pel::ladder::evidence::EvidenceState;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::evidence;
use std::cell::RefCell;

/// Words of the page that look like message keys and are none of ours to have.
fn raw_keys(html: &str) -> Vec<String> {
    let text: String = html
        .split('<')
        .filter_map(|part| part.split_once('>'))
        .map(|(_, text)| format!(" {text} "))
        .collect();
    text.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'))
        .filter(|word| {
            [
                "case-",
                "gate-",
                "evidence-",
                "chart-",
                "cage-",
                "measure-",
                "signal-",
                "statistic-",
                "stage-",
                "note-",
                "hint-",
                "column-",
                "figure-",
            ]
            .iter()
            .any(|p| word.starts_with(p))
        })
        // Codes of signals and files are shown as they are; a key exists or should.
        .filter(|word| word.len() > 9 && word.matches('-').count() > 1)
        .map(str::to_owned)
        .collect()
}

async fn in_language(scene: &Scene, lang: &str, path: &str) -> String {
    let mut browser = scene.responder().await;
    browser
        .post("/language", &[("lang", lang), ("next", "/")])
        .await;
    let answer = browser.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let tag = if lang == "en" {
        "lang=\"en\""
    } else {
        "lang=\"pt-BR\""
    };
    assert!(answer.body.contains(tag), "{lang}");
    answer.body
}

#[tokio::test]
async fn an_empty_case_says_what_is_missing_in_both_languages() {
    let scene = Scene::new().await;
    for (lang, verdict, landmark) in [
        ("en", "Cannot submit yet", "What is missing"),
        ("pt-BR", "Ainda não", "O que falta"),
    ] {
        let html = in_language(&scene, lang, &scene.path()).await;
        assert!(html.contains(landmark), "{lang}");
        let line = html.split("class=\"verdict\"").nth(1).unwrap();
        let line = &line[..line.find("</p>").unwrap()];
        if lang == "en" {
            assert!(line.contains(verdict), "{line}");
        }
        assert_eq!(raw_keys(&html), Vec::<String>::new(), "{lang}");
        let order: Vec<usize> = [
            "id=\"ladder\"",
            "id=\"gate\"",
            "id=\"problem\"",
            "id=\"contract\"",
            "id=\"stages\"",
            "id=\"compare\"",
            "id=\"change\"",
            "id=\"decision\"",
            "id=\"timeline\"",
        ]
        .iter()
        .map(|id| html.find(id).unwrap_or_else(|| panic!("no {id}")))
        .collect();
        assert!(order.is_sorted(), "{order:?}");
        assert_eq!(html.matches("<h1>").count(), 1);
        assert_eq!(
            html.matches("class=\"btn first\"").count(),
            1,
            "one filled button"
        );
    }
}

#[tokio::test]
async fn a_case_with_runs_shows_what_they_say_against_the_contract() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "before.prom").await;
    let start = scene.site.now() - TimeDelta::minutes(60);
    let window = Some((start, start + TimeDelta::minutes(9)));
    scene.read(item, &reading(1.588, window)).await;
    for lang in ["en", "pt-BR"] {
        let html = in_language(&scene, lang, &scene.path()).await;
        assert!(html.contains(&format!("id=\"EV-{number}\"")));
        assert!(html.contains("1\u{202f}588"), "the p99 in milliseconds");
        assert!(html.contains("≤ 800\u{202f}ms"), "its limit");
        assert_eq!(raw_keys(&html), Vec::<String>::new(), "{lang}");
        let word = if lang == "en" { "breaks" } else { "viola" };
        assert!(html.contains(word), "{lang}: the verdict in words");
    }
    let html = in_language(&scene, "en", &scene.path()).await;
    for words in [
        "baseline · warm",
        "unprofiled",
        "window inside run",
        "stated warm, content agrees",
        "12\u{202f}403 samples of TTFT",
        "All 8 signals",
    ] {
        assert!(html.contains(words), "{words}");
    }
    let card = html.split(&format!("id=\"EV-{number}\"")).nth(1).unwrap();
    let card = &card[..card.find("</article>").unwrap()];
    let before = card.split("<details>").next().unwrap();
    assert_eq!(
        before.matches("<dt>").count(),
        5,
        "at most five numbers before the fold"
    );
}

#[tokio::test]
async fn a_contradicted_statement_is_said_in_words() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Cold, 60).await;
    let (item, _) = scene.item(run, "before.prom").await;
    scene.read(item, &reading(1.588, None)).await;
    let html = in_language(&scene, "en", &scene.path()).await;
    assert!(html.contains("stated cold; file shows"), "{html}");
}

#[tokio::test]
async fn e18_e19_what_files_say_never_becomes_markup() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, HOSTILE).await;
    let mut hostile = reading(1.588, None);
    hostile
        .environment
        .insert("engine".to_owned(), KERNEL.to_owned());
    let label = pel_evidence::Signal::new("ttft", pel_evidence::Statistic::P90, 1.0);
    hostile.push(label.label("engine", KERNEL));
    scene.read(item, &hostile).await;
    let (refused, other) = scene.item(run, "other<b>.bin").await;
    let mut tx = scene.tx().await;
    let refusal = pel_evidence::Refusal::new("other<b>.bin", "unknown-format").at("<i>byte 0");
    let reason = serde_json::json!({ "refusal": refusal });
    evidence::keep_refusal(&mut tx, refused, &reason, scene.site.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let evidence_path = format!("/evidence/EV-{number}");
    let other_path = format!("/evidence/EV-{other}");
    for path in [scene.path(), evidence_path.clone(), other_path.clone()] {
        for lang in ["en", "pt-BR"] {
            let html = in_language(&scene, lang, &path).await;
            for bad in ["<img", "<script>", "<i>byte", "other<b>", "</text><s"] {
                assert!(!html.contains(bad), "{path} {lang}: {bad}");
            }
            assert_eq!(raw_keys(&html), Vec::<String>::new(), "{path} {lang}");
        }
    }
    let html = in_language(&scene, "en", &evidence_path).await;
    assert!(
        html.contains("&#60;img") || html.contains("&lt;img"),
        "the name is shown"
    );
    let html = in_language(&scene, "en", &other_path).await;
    assert!(html.contains("not that of any format"), "why");
    assert!(
        html.contains("The help page lists every kind"),
        "the way out"
    );
}

#[tokio::test]
async fn the_evidence_page_draws_its_figures_with_words_and_values() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "before.prom").await;
    scene.read(item, &reading(1.588, None)).await;
    let html = in_language(&scene, "en", &format!("/evidence/EV-{number}")).await;
    assert_eq!(html.matches("class=\"ch wide\"").count(), 2);
    assert_eq!(html.matches("class=\"ch alt\"").count(), 2);
    assert!(html.contains("role=\"img\"") && html.contains("<desc id=\"f0-0-wide-d\">"));
    assert!(html.contains("(log)"), "a logarithmic axis says so");
    let path = html
        .split("class=\"b\" d=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(path.matches('L').count() < 400, "at most 400 points");
    assert!(html.contains("not captured") && html.contains("rows are left out"));
    assert!(
        html.contains("Not in force: System calls were filtered"),
        "a missing measure is said"
    );
    assert!(html.contains("aria-label=\"Signals\""));
}

#[tokio::test]
async fn an_item_out_of_play_stays_in_its_place_with_who_and_why() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "before.prom").await;
    scene.read(item, &reading(1.588, None)).await;
    let mut tx = scene.tx().await;
    let why = "scraped from the wrong replica";
    evidence::take_out(
        &mut tx,
        &scene.actor(),
        scene.case,
        item,
        EvidenceState::Withdrawn,
        why,
        scene.site.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let html = in_language(&scene, "en", &scene.path()).await;
    let folded = html
        .split(&format!("<details class=\"folded\" id=\"EV-{number}\""))
        .nth(1)
        .unwrap();
    let folded = &folded[..folded.find("</details>").unwrap()];
    assert!(
        folded.contains("withdrawn") && folded.contains(why) && folded.contains("Name of resp")
    );
    assert!(folded.contains("1\u{202f}588"), "its numbers stay");
}

#[tokio::test]
async fn every_gate_can_be_looked_at_and_every_open_line_leads_on() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    for gate in ["submit", "approve", "canary", "accept", "close", "nonsense"] {
        let answer = browser.get(&format!("{}?gate={gate}", scene.path())).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(raw_keys(&answer.body), Vec::<String>::new(), "{gate}");
    }
    let html = browser.get(&scene.path()).await.body;
    assert!(
        html.contains(&format!(
            "href=\"{}/runs/new?role=baseline&#38;phase=warm",
            scene.path()
        )) || html.contains(&format!(
            "href=\"{}/runs/new?role=baseline&amp;phase=warm",
            scene.path()
        )),
        "prefilled"
    );
    scene.site.person("man", &[Role::Manager]).await;
    let html = scene
        .site
        .signed_in("man")
        .await
        .get(&scene.path())
        .await
        .body;
    assert!(
        html.contains("Needs one of these roles: responder"),
        "who may do it"
    );
}

#[tokio::test]
async fn foreign_and_crooked_ids_lead_nowhere() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    for path in [
        "/cases/PEL-9999",
        "/cases/PEL-1",
        "/cases/1",
        "/evidence/EV-999",
        "/evidence/1",
        "/evidence/EV-01",
    ] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let stage = format!("{}/stages/6", scene.path());
    assert_eq!(browser.get(&stage).await.status, StatusCode::NOT_FOUND);
}

thread_local! {
    /// Statements that sqlx logged on this thread: a test runs on one thread of its own.
    static STATEMENTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The start of a statement, of all that an event about it says.
struct Summary(String);

impl tracing::field::Visit for Summary {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        if field.name() == "summary" {
            self.0 = format!("{value:?}");
        }
    }
}

/// Counts by thread, for the whole process: a subscriber of one thread alone may be passed over
/// where others run without one.
struct Counter;

impl tracing::Subscriber for Counter {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let mut summary = Summary(String::new());
        event.record(&mut summary);
        STATEMENTS.with(|all| all.borrow_mut().push(summary.0));
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn a_warm_case_page_costs_at_most_eight_statements() {
    let scene = Scene::new().await;
    for minutes in [60, 90] {
        let run = scene.run(RunRole::Baseline, Phase::Warm, minutes).await;
        let (item, _) = scene.item(run, &format!("{minutes}.prom")).await;
        scene.read(item, &reading(1.588, None)).await;
    }
    let mut browser = scene.responder().await;
    browser.get(&scene.path()).await;
    tracing::subscriber::set_global_default(Counter).expect("no other test sets one");
    STATEMENTS.with(|all| all.borrow_mut().clear());
    let answer = browser.get(&scene.path()).await;
    let mut statements = STATEMENTS.with(RefCell::take);
    // A connection goes back to the pool in a task of its own: the page may find none and open
    // another, which costs a statement that is not the page's.
    statements.retain(|summary| !summary.contains("set role pel_app"));
    assert_eq!(answer.status, StatusCode::OK);
    assert!((5..=8).contains(&statements.len()), "{statements:#?}");
}

#[test]
fn the_words_of_the_ladder_that_pages_build_exist() {
    let mut keys: Vec<String> = Vec::new();
    for state in EvidenceState::ALL {
        keys.push(format!("evidence-state-{}", state.id().replace('_', "-")));
    }
    for role in RunRole::ALL {
        keys.push(format!("role-run-{}", role.id()));
    }
    for outcome in pel::ladder::case::Outcome::ALL {
        let id = outcome.id().replace('_', "-");
        keys.extend([format!("outcome-{id}"), format!("case-outcome-{id}-hint")]);
    }
    for choice in pel::web::case::gate_view::CHOICES {
        keys.push(format!("case-gate-choice-{choice}"));
    }
    for key in keys {
        for lang in Lang::ALL {
            assert!(has(lang, &key), "{key} in {}", lang.tag());
        }
    }
}
