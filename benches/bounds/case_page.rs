//! The case page of a case with 100 evidence items, among 1 000 cases: its SQL statements, and its
//! time against the bare page of `bare.rs` over the same rows. Both are served from this process
//! over TCP and asked by one client that keeps its connections.

use crate::measure::quantile;
use crate::report::{Line, Unit};
use crate::{bare, seed};
use anyhow::{Context as _, ensure};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use pel::intake::blobs::Blobs;
use pel::postgres::{self, Database, Use};
use pel::web::{self, App};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use tokio::net::TcpListener;
use tracing::{Event, Metadata, Subscriber, span, subscriber::Interest};

/// Requests under way at once, in the second round.
const AT_ONCE: usize = 4;

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    tracing::subscriber::set_global_default(Statements)?;
    let folder = seed::folder()?;
    seed::runtime()?.block_on(async {
        let database = seed::database(&folder.path().join("data"), Use::Own).await?;
        let measured = measure(&database, folder.path(), quick).await;
        database.stop().await;
        measured
    })
}

async fn measure(
    database: &Database,
    folder: &std::path::Path,
    quick: bool,
) -> anyhow::Result<Vec<Line>> {
    let begun = Instant::now();
    let (cases, rounds) = if quick { (50, 40) } else { (1000, 400) };
    let token = seed::cases(database, cases, 100).await?;
    eprintln!("{cases} cases after {:.1} s", begun.elapsed().as_secs_f64());
    let blobs = Blobs::folder(folder.join("blobs"))?;
    let app = App::new(database.pool().clone(), blobs, web::clock::system(), None);
    let ours = Target {
        address: serve(web::router(app)).await?,
        path: "/cases/PEL-0001".to_owned(),
        cookie: format!("pel={token}"),
    };
    let client = Client::builder(TokioExecutor::new()).build_http();
    let cards = cards(&ours.get(&client).await?.1)?;
    let pool = postgres::app_pool(database.owner_options(), 20);
    let theirs = Target {
        address: serve(bare::router(pool.clone())).await?,
        path: format!("/1/{cards}"),
        cookie: String::new(),
    };
    warm_up(&client, &ours, &theirs, cards).await?;
    // The connection is warm now, so that what it is told when new does not count.
    COUNT.store(0, Ordering::SeqCst);
    COUNTING.store(true, Ordering::SeqCst);
    ours.get(&client).await?;
    COUNTING.store(false, Ordering::SeqCst);
    let statements = COUNT.load(Ordering::SeqCst);
    ensure!(
        statements > 0,
        "the count of statements is broken: a page without one"
    );
    let alone = by_turns(&client, &ours, &theirs, rounds).await?;
    let together = at_once(&client, &ours, &theirs, rounds).await?;
    pool.close().await;
    let half = |name: &str, (a, b): &(Vec<f64>, Vec<f64>)| {
        Line::beside(name, quantile(a, 0.5), quantile(b, 0.5), Unit::Seconds)
    };
    let tail = |name: &str, (a, b): &(Vec<f64>, Vec<f64>)| {
        Line::at_most(
            name,
            quantile(a, 0.99),
            quantile(b, 0.99),
            3.0,
            Unit::Seconds,
        )
    };
    Ok(vec![
        Line::limit(
            "case page, SQL statements",
            statements as f64,
            8.0,
            Unit::Count,
        ),
        half("case page, p50 one by one", &alone),
        tail("case page, p99 one by one", &alone),
        half("case page, p50 four at once", &together),
        tail("case page, p99 four at once", &together),
    ])
}

/// One page of one of the two services.
struct Target {
    address: SocketAddr,
    path: String,
    cookie: String,
}

type Http = Client<HttpConnector, Body>;

impl Target {
    /// Gets the page whole; seconds, and the page.
    async fn get(&self, client: &Http) -> anyhow::Result<(f64, String)> {
        let request = Request::get(format!("http://{}{}", self.address, self.path))
            .header(header::COOKIE, &self.cookie)
            .body(Body::empty())?;
        let begun = Instant::now();
        let answer = client.request(request).await?;
        let status = answer.status();
        let body = axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await?;
        let taken = begun.elapsed().as_secs_f64();
        let page = String::from_utf8(body.to_vec())?;
        ensure!(status == StatusCode::OK, "{}: {status}", self.path);
        Ok((taken, page))
    }
}

/// Items that the case page shows in cards; the others it counts and links to.
fn cards(page: &str) -> anyhow::Result<usize> {
    let cards = page.matches("<article class=\"card\" id=\"EV-").count();
    ensure!(cards >= 50, "the case page shows only {cards} of 100 items");
    Ok(cards)
}

/// Both pages must show the same number of items, or the comparison says nothing.
async fn warm_up(
    client: &Http,
    ours: &Target,
    theirs: &Target,
    shown: usize,
) -> anyhow::Result<()> {
    for _ in 0..20 {
        let (a, b) = (ours.get(client).await?.1, theirs.get(client).await?.1);
        ensure!(cards(&a)? == shown, "the case page changed");
        ensure!(
            b.matches("<h2>").count() == shown,
            "the reference page lacks items"
        );
        ensure!(
            b.matches("<tr>").count() > 20 * shown,
            "the reference page lacks signals"
        );
    }
    Ok(())
}

async fn by_turns(
    client: &Http,
    ours: &Target,
    theirs: &Target,
    rounds: usize,
) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        a.push(ours.get(client).await?.0);
        b.push(theirs.get(client).await?.0);
    }
    Ok((a, b))
}

/// Blocks of [`AT_ONCE`] clients, one service after the other.
async fn at_once(
    client: &Http,
    ours: &Target,
    theirs: &Target,
    rounds: usize,
) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        a.extend(block(client, ours, rounds / 10).await?);
        b.extend(block(client, theirs, rounds / 10).await?);
    }
    Ok((a, b))
}

async fn block(client: &Http, target: &Target, requests: usize) -> anyhow::Result<Vec<f64>> {
    let clients = (0..AT_ONCE).map(|_| async {
        let mut taken = Vec::new();
        for _ in 0..requests / AT_ONCE {
            taken.push(target.get(client).await?.0);
        }
        anyhow::Ok(taken)
    });
    let all = futures_util::future::try_join_all(clients).await?;
    Ok(all.concat())
}

async fn serve(router: axum::Router) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr().context("no address")?;
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    Ok(address)
}

static COUNTING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Counts what sqlx logs: one event per statement.
struct Statements;

impl Subscriber for Statements {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if metadata.target() == "sqlx::query" {
            Interest::sometimes()
        } else {
            Interest::never()
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query" && COUNTING.load(Ordering::SeqCst)
    }

    fn event(&self, _: &Event<'_>) {
        COUNT.fetch_add(1, Ordering::SeqCst);
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}
