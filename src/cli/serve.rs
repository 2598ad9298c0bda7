//! `pel serve`: opens the database, answers requests, and stops in order.

use super::{stop::Stop, work};
use crate::config::Config;
use crate::demo;
use crate::intake::blobs::Blobs;
use crate::postgres::{Database, Use};
use crate::store::{self, one_time};
use crate::web;
use anyhow::{Context as _, bail};
use chrono::TimeDelta;
use std::io::{ErrorKind, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long requests under way may take after the service was asked to stop. Live pages never end
/// by themselves.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// Arguments of `pel serve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// All settings.
    #[command(flatten)]
    pub config: Config,
}

/// Runs the service until it is asked to stop.
///
/// # Errors
/// When the port is taken, the database does not come up, or serving fails.
pub async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = args.config;
    let stop = Stop::listen()?;
    // First, because it is what fails most often and costs nothing to try.
    let listener = bind(config.web.listen).await?;
    let settings = config.database.settings()?;
    let database = tokio::select! {
        opened = Database::open(&settings, Use::Own) => opened?,
        () = stop.asked() => return Ok(ExitCode::SUCCESS),
    };
    let served = serve(&config, &database, listener, &stop).await;
    database.stop().await;
    served.map(|()| ExitCode::SUCCESS)
}

async fn serve(
    config: &Config,
    database: &Database,
    listener: TcpListener,
    stop: &Stop,
) -> anyhow::Result<()> {
    let address = listener
        .local_addr()
        .context("the listener has no address")?;
    let data_dir = config.database.data_dir()?;
    let blobs = work::blobs(&config.blobs, &data_dir).await?;
    let runner = match config.work.workers {
        0 => None,
        _ => {
            let (db, blobs) = (database.pool().clone(), blobs.clone());
            Some(work::runner(&config.work, &data_dir, db, blobs).await?)
        }
    };
    let key = work::audit_key(&data_dir)?;
    let here = here(config, address);
    let first = match config.web.demo {
        true => tokio::select! {
            lines = demo(config, &data_dir, database, &blobs, &here) => lines?,
            () = stop.asked() => return Ok(()),
        },
        false => setup_line(database, &here).await?,
    };
    let app = app(config, database, blobs);
    let live = app.live.clone();
    let router = web::router(app);
    announce(&here, &first);
    let stopping = CancellationToken::new();
    let working = runner.map(|r| tokio::spawn(r.run(stopping.clone())));
    let marking = (config.work.workers > 0).then(|| {
        let db = database.pool().clone();
        tokio::spawn(work::checkpoints(db, key, stopping.clone()))
    });
    let (asked, late) = (stop.clone(), stop.clone());
    let serving = axum::serve(
        listener,
        router.into_make_service_with_connect_info::<SocketAddr>(),
    )
    .with_graceful_shutdown(async move {
        asked.asked().await;
        live.close();
    });
    let served = tokio::select! {
        result = async { serving.await } => result.context("serving failed"),
        () = async { late.asked().await; tokio::time::sleep(LAST_REQUESTS).await } => Ok(()),
        // Answering errors until somebody looks would be worse than ending with a reason.
        () = database.gone() => Err(anyhow::anyhow!(
            "the private PostgreSQL server ended by itself; its own words are in {}. Start pel again to bring it back",
            data_dir.join("postgres.log").display()
        )),
    };
    stopping.cancel();
    if let Some(marking) = marking {
        marking.await.context("audit checkpoints ended badly")?;
    }
    if let Some(working) = working {
        working.await.context("background work ended badly")?;
    }
    served
}

/// Everything that handlers use.
fn app(config: &Config, database: &Database, blobs: Blobs) -> web::App {
    let public_url = config.web.public_url.as_ref().map(|u| u.as_str());
    let mut app = web::App::new(
        database.pool().clone(),
        blobs,
        web::clock::system(),
        public_url,
    );
    app.rules.file_bytes = config.web.max_upload;
    app.behind_proxy = config.web.behind_proxy;
    app.lives = store::sessions::Lives {
        idle: delta(config.web.session_idle),
        absolute: delta(config.web.session_absolute),
    };
    app
}

/// A duration of the settings; one beyond all calendars never ends.
fn delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::weeks(52 * 100))
}

/// The address people use.
fn here(config: &Config, address: SocketAddr) -> String {
    match &config.web.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => format!("http://{address}"),
    }
}

/// The line with the one-time code for the first administrator; empty once there is anybody.
async fn setup_line(database: &Database, here: &str) -> anyhow::Result<String> {
    let mut tx = database.pool().begin().await?;
    let code = one_time::ensure_setup_code(&mut tx, work::now()).await?;
    tx.commit().await?;
    Ok(code.map_or_else(String::new, |code| format!(
        "Nobody has an account yet. Open {here}/setup within 24 hours and enter this one-time code: {code}\n"
    )))
}

/// Loads the demonstration if need be; the lines with which its people come in.
async fn demo(
    config: &Config,
    data_dir: &Path,
    database: &Database,
    blobs: &Blobs,
    here: &str,
) -> anyhow::Result<String> {
    let db = database.pool().clone();
    let room = work::room(&config.work, data_dir, db, blobs.clone())?;
    let ready = demo::ensure(&room, work::now()).await?;
    let mut tx = database.pool().begin().await?;
    let links = ready.cast.links(&mut tx, work::now()).await?;
    tx.commit().await?;
    let mut lines =
        "Example people and cases. Each link signs in once, within 15 minutes:\n".to_owned();
    for (role, token) in links {
        lines.push_str(&format!("{role}: {here}/signin/link/{token}\n"));
    }
    match ready.password {
        Some(password) => lines.push_str(&format!(
            "password for all three: {password}\nThe administrator, {}, signs in with the same password.\n",
            ready.cast.admin.login
        )),
        None => lines
            .push_str("The password is the one that was shown when the examples were loaded.\n"),
    }
    Ok(lines)
}

/// Says on standard output where to go, and with what to begin.
fn announce(here: &str, first: &str) {
    let lines = format!("pel is ready at {here}\n{first}");
    let mut out = std::io::stdout();
    // A closed standard output is no reason not to serve.
    let _ = out.write_all(lines.as_bytes()).and_then(|()| out.flush());
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(listener),
        Err(e) if e.kind() == ErrorKind::AddrInUse => {
            let next = SocketAddr::new(address.ip(), address.port().checked_add(1).unwrap_or(8080));
            bail!(
                "{address} is in use by another program. Choose another port with --listen {next} (or PEL_LISTEN)"
            )
        }
        Err(e) if e.kind() == ErrorKind::PermissionDenied => bail!(
            "this user may not listen on {address}; ports below 1024 need more rights. Choose another with --listen 127.0.0.1:8080 (or PEL_LISTEN)"
        ),
        Err(e) => Err(e).with_context(|| {
            format!("cannot listen on {address}; choose an address of this machine with --listen (or PEL_LISTEN)")
        }),
    }
}
