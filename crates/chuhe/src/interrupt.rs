//! Ctrl-C for commands that keep what they have done.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::{io, thread};

use tokio::runtime::Builder;

use crate::output;

/// Calls `act` on Ctrl-C, which no longer ends the process once this returns.
pub(crate) fn on_interrupt(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (registered, is_registered) = mpsc::channel();
    thread::spawn(move || {
        let caught = runtime.block_on(async {
            let mut interrupt = pin!(tokio::signal::ctrl_c());
            // The first poll registers the handler.
            let first = poll_fn(|context| Poll::Ready(interrupt.as_mut().poll(context))).await;
            let _ = registered.send(());
            match first {
                Poll::Ready(caught) => caught,
                Poll::Pending => interrupt.await,
            }
        });
        if caught.is_ok() {
            act();
        }
    });
    // An error means that the thread is gone, and with it the handler: Ctrl-C ends the process as usual.
    let _ = is_registered.recv();
    Ok(())
}

/// Whether Ctrl-C was pressed since the flag was made.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes Ctrl-C over from the system, which would end the process.
    pub(crate) fn catch() -> io::Result<Self> {
        let caught = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&caught);
        on_interrupt(move || {
            flag.store(true, Ordering::Relaxed);
            output::note("stopping; what is done is kept");
        })?;
        Ok(Self(caught))
    }

    pub(crate) fn is_caught(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
