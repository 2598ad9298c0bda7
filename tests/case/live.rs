//! Live updates, over a real socket: a stream hears that its case moved, and ends with the service.

use crate::scene::Scene;
use pel::store::cases;
use pel::web::live::MOST_STREAMS;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(10);

async fn serve(scene: &Scene) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = scene.site.router.clone();
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

async fn open(scene: &Scene, address: SocketAddr) -> TcpStream {
    let cookies = scene.responder().await.cookies;
    open_with(scene, address, &cookies).await
}

async fn open_with(
    scene: &Scene,
    address: SocketAddr,
    cookies: &std::collections::BTreeMap<String, String>,
) -> TcpStream {
    let all: Vec<String> = cookies.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let request = format!(
        "GET {}/events HTTP/1.1\r\nhost: pel.test\r\naccept: text/event-stream\r\ncookie: {}\r\n\r\n",
        scene.path(),
        all.join("; ")
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Reads until `mark` came by; gives everything read.
async fn until(stream: &mut TcpStream, mark: &str) -> String {
    let mut all = String::new();
    let reading = async {
        let mut chunk = [0; 4096];
        while !all.contains(mark) {
            let n = stream.read(&mut chunk).await.unwrap();
            assert_ne!(n, 0, "the stream ended before {mark:?}: {all}");
            all.push_str(&String::from_utf8_lossy(&chunk[..n]));
        }
    };
    timeout(PATIENCE, reading)
        .await
        .unwrap_or_else(|_| panic!("no {mark:?} came"));
    all
}

async fn touch(scene: &Scene, case: uuid::Uuid) {
    let mut tx = scene.tx().await;
    cases::touch(&mut tx, case, scene.site.now()).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_stream_hears_that_its_own_case_moved() {
    let scene = Scene::new().await;
    let address = serve(&scene).await;
    let mut stream = open(&scene, address).await;
    let head = until(&mut stream, "event: hello").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    assert!(
        !head.contains("content-encoding"),
        "an event must not wait for a block: {head}"
    );
    // A move of another case is not passed on: what comes next is about ours.
    sqlx::query("select pg_notify('pel_case', '00000000-0000-4000-8000-000000000000')")
        .execute(&scene.site.db.pool)
        .await
        .unwrap();
    touch(&scene, scene.case).await;
    let said = until(&mut stream, "event: moved").await;
    assert_eq!(said.matches("event: moved").count(), 1, "{said}");
}

#[tokio::test]
async fn streams_end_when_the_service_closes_them() {
    let scene = Scene::new().await;
    let address = serve(&scene).await;
    let mut stream = open(&scene, address).await;
    until(&mut stream, "event: hello").await;
    scene.site.app.live.close();
    until(&mut stream, "0\r\n\r\n").await;
}

#[tokio::test]
async fn one_session_holds_a_bounded_number_of_streams() {
    let scene = Scene::new().await;
    let address = serve(&scene).await;
    let cookies = scene.responder().await.cookies;
    let mut open = Vec::new();
    for _ in 0..MOST_STREAMS {
        let mut stream = open_with(&scene, address, &cookies).await;
        until(&mut stream, "event: hello").await;
        open.push(stream);
    }
    let mut one_more = open_with(&scene, address, &cookies).await;
    let head = until(&mut one_more, "\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 429"), "{head}");
}
