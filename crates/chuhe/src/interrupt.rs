//! Ctrl-C for commands that keep what they have done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, thread};

use tokio::runtime::Builder;

/// Calls `act` on Ctrl-C, which no longer ends the process.
pub(crate) fn on_interrupt(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    thread::spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            act();
        }
    });
    Ok(())
}

/// Whether Ctrl-C was pressed since the flag was made.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes Ctrl-C over from the system, which would end the process.
    pub(crate) fn catch() -> io::Result<Self> {
        let caught = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&caught);
        on_interrupt(move || flag.store(true, Ordering::Relaxed))?;
        Ok(Self(caught))
    }

    pub(crate) fn is_caught(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
