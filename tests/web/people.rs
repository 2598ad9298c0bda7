//! Roles and accounts in an administrator's hands.

use crate::harness::{PASSWORD, Site};
use axum::http::StatusCode;
use pel::{
    ladder::policy::Role,
    store::{
        Error,
        audit::{self, Actor},
        people,
    },
};

#[tokio::test]
async fn deactivation_ends_sessions_at_once_and_can_be_undone() {
    let site = Site::new().await;
    site.person("admin", &[Role::Admin]).await;
    let bruno = site.person("bruno", &[Role::Reviewer]).await;
    let mut admin = site.signed_in("admin").await;
    let mut his = site.signed_in("bruno").await;
    let version = site.load(bruno).await.version.to_string();
    let path = format!("/people/{bruno}/deactivate");
    let answer = admin.post(&path, &[("version", &version)]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(his.get("/me").await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        his.sign_in("bruno", PASSWORD).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let answer = admin.post(&path, &[("version", &version)]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "an old version");

    let version = site.load(bruno).await.version.to_string();
    let path = format!("/people/{bruno}/reactivate");
    assert_eq!(
        admin.post(&path, &[("version", &version)]).await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        his.get("/me").await.status,
        StatusCode::SEE_OTHER,
        "the old session stays ended"
    );
    assert_eq!(
        his.sign_in("bruno", PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
    let verdict = audit::verify(&mut site.db.pool.acquire().await.unwrap())
        .await
        .unwrap();
    assert!(
        matches!(verdict, audit::Verdict::Intact { .. }),
        "{verdict:?}"
    );
}

#[tokio::test]
async fn roles_count_from_the_next_request_on() {
    let site = Site::new().await;
    let admin_id = site.person("admin", &[Role::Admin]).await;
    let bruno = site.person("bruno", &[Role::Viewer]).await;
    let mut admin = site.signed_in("admin").await;
    let mut his = site.signed_in("bruno").await;
    let refused = his.get("/people").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(
        refused.body.contains("one of these roles: administrator"),
        "{}",
        refused.body
    );
    assert!(
        refused.body.contains("Name of admin"),
        "says whom to ask: {}",
        refused.body
    );
    let version = site.load(bruno).await.version.to_string();
    let fields = [
        ("version", version.as_str()),
        ("roles", "admin"),
        ("roles", "auditor"),
    ];
    admin.post(&format!("/people/{bruno}/roles"), &fields).await;
    assert_eq!(site.load(bruno).await.roles, [Role::Auditor, Role::Admin]);
    assert_eq!(his.get("/people").await.status, StatusCode::OK);

    let version = site.load(admin_id).await.version.to_string();
    let fields = [("version", version.as_str())];
    his.post(&format!("/people/{admin_id}/roles"), &fields)
        .await;
    assert_eq!(admin.get("/people").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_last_administrator_can_neither_leave_nor_give_up_the_role() {
    let site = Site::new().await;
    let id = site.person("admin", &[Role::Admin, Role::Reviewer]).await;
    let mut admin = site.signed_in("admin").await;
    let version = site.load(id).await.version.to_string();
    for (path, fields) in [
        ("deactivate", vec![("version", version.as_str())]),
        (
            "roles",
            vec![("version", version.as_str()), ("roles", "reviewer")],
        ),
    ] {
        let answer = admin.post(&format!("/people/{id}/{path}"), &fields).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{path}");
        assert!(
            answer.body.contains("last active administrator"),
            "{}",
            answer.body
        );
    }
    assert_eq!(site.load(id).await.roles, [Role::Reviewer, Role::Admin]);
    assert_eq!(
        site.load(id).await.version.to_string(),
        version,
        "nothing halfway"
    );
    let acts = site.acts().await;
    assert_eq!(acts, ["person.create", "session.start"]);
}

#[tokio::test]
async fn two_administrators_cannot_send_each_other_away_at_once() {
    let site = Site::new().await;
    let ana = site.person("ana", &[Role::Admin]).await;
    let eve = site.person("eve", &[Role::Admin]).await;
    let now = site.now();
    let away = async |id| {
        let mut tx = site.db.pool.begin().await.unwrap();
        people::deactivate(&mut tx, &Actor::app(), (id, 1), now).await?;
        tx.commit().await.map_err(Error::from)
    };
    let (one, other) = tokio::join!(away(ana), away(eve));
    assert_eq!(
        [one.is_ok(), other.is_ok()]
            .into_iter()
            .filter(|ok| *ok)
            .count(),
        1
    );
    let refused = one.err().or(other.err()).unwrap();
    assert!(
        matches!(&refused, Error::Refused { constraint, .. } if constraint == "last_admin"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_invitation_without_a_role_comes_back() {
    let site = Site::new().await;
    site.person("admin", &[Role::Admin]).await;
    let mut admin = site.signed_in("admin").await;
    let answer = admin.post("/people/invite", &[("name", "Bruno")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("Choose at least one role."));
    assert!(answer.body.contains("value=\"Bruno\""));
    assert!(
        answer.body.contains("One thing to put right:"),
        "{}",
        answer.body
    );
}
