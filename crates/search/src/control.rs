//! Stopping a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared between a search and whoever started it.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    stop: AtomicBool,
    /// While this is set, neither time nor depth ends the search: the opponent is still thinking.
    pondering: AtomicBool,
}

impl Control {
    /// A control for a search during the opponent's time.
    pub fn pondering() -> Self {
        let control = Self::default();
        control.0.pondering.store(true, Ordering::Relaxed);
        control
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent played the expected move: from now on the limits count.
    pub fn ponder_hit(&self) {
        self.0.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// Whether the search runs in the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }
}
