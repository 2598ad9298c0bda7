//! Two people revise the same change: both texts, part by part.

use crate::harness::{as_fields, form, set};
use crate::story::Story;
use axum::http::StatusCode;
use pel::ladder::policy::Role;

#[tokio::test]
async fn x4_a_change_revised_by_two_is_merged_part_by_part() {
    let story = Story::begin().await;
    story.site.person("kim", &[Role::Responder]).await;
    let mut jo = story.site.signed_in("jo").await;
    let mut kim = story.site.signed_in("kim").await;
    story.draft(&mut jo).await;
    let path = story.change("/edit");
    let mut mine = form(&jo.get(&path).await.body, &path);
    let mut theirs = mine.clone();
    set(&mut theirs, "procedure", "runbook 8, their way");
    set(&mut theirs, "new", "2048");
    // A way back that is stricter, and one row less than theirs knows.
    let values: Vec<usize> = (0..mine.len())
        .filter(|i| mine[*i].0 == "t_value")
        .collect();
    mine[values[0]].1 = "700".to_owned();
    set(&mut mine, "procedure", "runbook 9, my way");
    let done = kim.post(&path, &as_fields(&theirs)).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let answer = jo.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    for said in [
        "runbook 7",
        "runbook 8, their way",
        "runbook 9, my way",
        "Name of kim",
    ] {
        assert!(answer.body.contains(said), "{said}: {}", answer.body);
    }
    let mut back = form(&answer.body, &path);
    let get = |name: &str| back.iter().find(|(n, _)| n == name).map(|p| p.1.as_str());
    assert_eq!(get("pick:new"), Some("theirs"));
    assert_eq!(get("pick:thresholds"), Some("yours"));
    assert_eq!(get("pick:procedure"), None);
    assert_eq!(get("pick:old"), None, "what both say alike is not asked");
    set(&mut back, "pick:procedure", "yours");
    let saved = jo.post(&path, &as_fields(&back)).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let case = story.case().await;
    let terms = &case.changes[0].current().unwrap().terms;
    assert_eq!(terms.knob.new, "2048");
    assert_eq!(terms.procedure, "runbook 9, my way");
    assert_eq!(terms.thresholds[0].value, Some(0.7));
    assert_eq!(terms.thresholds[1].value, Some(0.97));
    assert_eq!(terms.plan.min_samples, Some(1000));
}

#[tokio::test]
async fn x4_a_change_submitted_meanwhile_is_not_revised_unseen() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    story.conditions(&mut jo).await;
    story.draft(&mut jo).await;
    story
        .record(&mut jo, "rollback-threshold-defined", &[])
        .await;
    let path = story.change("/edit");
    let mut mine = form(&jo.get(&path).await.body, &path);
    let done = story
        .send(&mut jo, &story.change(""), &story.change("/submit"), &[])
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    set(&mut mine, "procedure", "runbook 9");
    let answer = jo.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_eq!(story.state().await, "submitted");
    let saved = jo.post(&path, &as_fields(&form(&answer.body, &path))).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(story.state().await, "draft");
}
