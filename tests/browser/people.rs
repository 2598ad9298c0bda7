//! The first administrator, and the people they invite.

use crate::harness::{Browser, Driver, Service};

pub const PASSWORD: &str = "correct horse battery";

/// Sets the service up: an administrator in this browser.
pub async fn set_up(service: &Service, browser: &Browser) {
    browser.open("/setup").await;
    browser.fill("#code", &service.setup_code()).await;
    account(browser, "Ada Admin", "ada").await;
    browser.click("form button.first").await;
    browser.find("header.top").await;
}

async fn account(browser: &Browser, name: &str, login: &str) {
    browser.fill("#name", name).await;
    browser.fill("#login", login).await;
    browser.fill("#password", PASSWORD).await;
}

/// Invites somebody with these roles and signs them in, in a browser of their own.
pub async fn invite(
    service: &Service,
    driver: &Driver,
    admin: &Browser,
    name: &str,
    login: &str,
    roles: &[&str],
) -> Browser {
    admin.open("/people").await;
    admin.fill("#invite #name", name).await;
    for role in roles {
        admin.tick(&format!("#invite input[value={role}]")).await;
    }
    admin.click("#invite button.first").await;
    let link = admin
        .find("#link")
        .await
        .prop("value")
        .await
        .unwrap()
        .unwrap();
    let browser = driver.browser(service).await;
    browser.open(&link).await;
    account(&browser, name, login).await;
    browser.click("form button.first").await;
    browser.find("header.top").await;
    browser
}

#[tokio::test]
async fn the_first_administrator_sets_up_and_invites_somebody_who_signs_in_again() {
    let service = Service::start(&[]);
    let driver = Driver::start().await;
    let admin = driver.browser(&service).await;
    set_up(&service, &admin).await;
    let other = invite(
        &service,
        &driver,
        &admin,
        "Rita Responder",
        "rita",
        &["responder"],
    )
    .await;
    other.press("Sign out").await;
    other.find("#login").await;
    other.sign_in("rita", PASSWORD).await;
    other.open("/me").await;
    other.wait_for("Rita Responder").await;
    other.close().await;
    admin.close().await;
}
