//! When to stop: Ctrl-C, SIGTERM, or the terminal going away.

use anyhow::Context as _;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Says when the process is asked to stop; clones hear the same.
#[derive(Debug, Clone)]
pub struct Stop(watch::Receiver<bool>);

impl Stop {
    /// Listens from now on. A second request ends the process at once, leaving a private server
    /// to be adopted.
    ///
    /// # Errors
    /// When the system refuses to deliver signals.
    pub fn listen() -> anyhow::Result<Self> {
        let (tell, hear) = watch::channel(false);
        let of = |kind| signal(kind).context("cannot listen for signals");
        let mut interrupt = of(SignalKind::interrupt())?;
        let mut terminate = of(SignalKind::terminate())?;
        let mut hangup = of(SignalKind::hangup())?;
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                    _ = hangup.recv() => {}
                }
                if tell.send_replace(true) {
                    tracing::warn!("asked to stop a second time; ending at once");
                    std::process::exit(1);
                }
                tracing::info!("stopping");
            }
        });
        Ok(Self(hear))
    }

    /// Waits until the process is asked to stop.
    pub async fn asked(&self) {
        let mut hear = self.0.clone();
        // An error means that the listener is gone, which only happens when the runtime ends.
        let _ = hear.wait_for(|asked| *asked).await;
    }
}
