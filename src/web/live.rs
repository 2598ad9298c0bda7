//! Live updates: pages of a case learn that it moved, by server-sent events.
//!
//! The store notifies a PostgreSQL channel; one connection per process listens and passes the id
//! on to the streams. What moved is not said: the page asks for itself again, under its reader's
//! own rights. A stream lives a few minutes and is then opened anew, so that a session that has
//! ended hears no more.

use super::{App, Error, Reader, Result, case, knowing};
use crate::ladder::policy::Act;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt as _, stream};
use sqlx::{PgPool, postgres::PgListener};
use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::{OnceCell, broadcast, watch};
use tokio::time::Instant;
use uuid::Uuid;

/// Channel of the database that `store::cases::touch` notifies.
const CHANNEL: &str = "pel_case";
/// Moves kept for a stream that is slow; one that missed some is told that everything may have moved.
const KEPT: usize = 256;
/// Streams one session may hold open: one per tab, within reason.
pub const MOST_STREAMS: usize = 8;
const HEARTBEAT: Duration = Duration::from_secs(15);
const LIFE: Duration = Duration::from_secs(600);
const PAUSE_LEAST: Duration = Duration::from_millis(500);
const PAUSE_MOST: Duration = Duration::from_secs(30);

/// What the listener passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// This case moved.
    Case(Uuid),
    /// The connection was lost for a while: any case may have moved.
    Any,
}

/// The one listener of the process and everybody who hears it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Hub(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    db: PgPool,
    moves: broadcast::Sender<Moved>,
    closing: watch::Sender<bool>,
    listening: OnceCell<()>,
    streams: Mutex<HashMap<Uuid, usize>>,
}

impl Hub {
    /// A hub over a database. It takes a connection when the first stream opens.
    pub fn new(db: PgPool) -> Self {
        Self(Arc::new(Inner {
            db,
            moves: broadcast::channel(KEPT).0,
            closing: watch::channel(false).0,
            listening: OnceCell::new(),
            streams: Mutex::new(HashMap::new()),
        }))
    }

    /// Ends every stream and the listener, so that a server can stop.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Begins to hear moves; returns once the database is listened to.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn subscribe(&self) -> Result<broadcast::Receiver<Moved>> {
        let moves = self.0.moves.subscribe();
        self.0
            .listening
            .get_or_try_init(|| async {
                let listener = listen(&self.0.db).await?;
                tokio::spawn(pass_on(self.0.clone(), listener));
                Ok::<(), sqlx::Error>(())
            })
            .await
            .map_err(Error::internal)?;
        Ok(moves)
    }

    /// A place for one more stream of a session; given back when dropped.
    fn place(&self, session: Uuid) -> Option<Place> {
        let mut streams = self
            .0
            .streams
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let open = streams.entry(session).or_default();
        if *open >= MOST_STREAMS {
            return None;
        }
        *open += 1;
        Some(Place {
            hub: self.clone(),
            session,
        })
    }
}

struct Place {
    hub: Hub,
    session: Uuid,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut streams = self
            .hub
            .0
            .streams
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = streams.get_mut(&self.session) {
            *open -= 1;
            if *open == 0 {
                streams.remove(&self.session);
            }
        }
    }
}

async fn listen(db: &PgPool) -> sqlx::Result<PgListener> {
    let mut listener = PgListener::connect_with(db).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Passes notifications on until the hub closes. A lost connection is opened again, with growing
/// pauses while the database is away.
async fn pass_on(hub: Arc<Inner>, mut listener: PgListener) {
    let mut closing = hub.closing.subscribe();
    let mut pause = PAUSE_LEAST;
    loop {
        let got = tokio::select! {
            got = listener.try_recv() => got,
            _ = closing.wait_for(|c| *c) => return,
        };
        let moved = match got {
            Ok(Some(note)) => note.payload().parse().ok().map(Moved::Case),
            Ok(None) => Some(Moved::Any),
            Err(error) => {
                tracing::warn!("live updates wait for the database: {error}");
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    _ = closing.wait_for(|c| *c) => return,
                }
                pause = (pause * 2).min(PAUSE_MOST);
                continue;
            }
        };
        pause = PAUSE_LEAST;
        if let Some(moved) = moved {
            // Nobody listening is no fault.
            let _ = hub.moves.send(moved);
        }
    }
}

/// `GET /cases/{c}/events`.
///
/// # Errors
/// Not found; 429 when the session holds too many streams already.
pub async fn events(
    State(app): State<App>,
    reader: Reader,
    Path(label): Path<String>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let number = case::number_of(&label)?;
    let case_id = {
        let mut conn = app.conn().await?;
        knowing::id_of(&mut conn, &reader, number).await?
    };
    let Some(place) = app.live.place(reader.session) else {
        return Ok(StatusCode::TOO_MANY_REQUESTS.into_response());
    };
    let moves = app.live.subscribe().await?;
    let closing = app.live.0.closing.subscribe();
    let stream = moves_of(case_id, moves, closing).map(move |event| {
        // The place lives as long as the stream does.
        let _ = &place;
        Ok::<_, Infallible>(event)
    });
    Ok(Sse::new(stream)
        .keep_alive(KeepAlive::new().interval(HEARTBEAT))
        .into_response())
}

fn moves_of(
    case_id: Uuid,
    moves: broadcast::Receiver<Moved>,
    closing: watch::Receiver<bool>,
) -> impl Stream<Item = Event> {
    let end = Instant::now() + LIFE;
    // The first event makes the browser know that the stream works.
    let hello = stream::iter([Event::default().event("hello").data("1")]);
    let rest = stream::unfold(
        (moves, closing),
        move |(mut moves, mut closing)| async move {
            loop {
                let got = tokio::select! {
                    got = moves.recv() => got,
                    _ = closing.wait_for(|c| *c) => return None,
                    () = tokio::time::sleep_until(end) => return None,
                };
                let moved = match got {
                    Ok(Moved::Case(id)) => id == case_id,
                    Ok(Moved::Any) | Err(broadcast::error::RecvError::Lagged(_)) => true,
                    Err(broadcast::error::RecvError::Closed) => return None,
                };
                if moved {
                    let event = Event::default().event("moved").data("1");
                    return Some((event, (moves, closing)));
                }
            }
        },
    );
    hello.chain(rest)
}
