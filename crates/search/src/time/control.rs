//! Stopping a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stop and ponder flags, shared between a search and its caller.
#[derive(Clone, Debug, Default)]
pub struct Control {
    own: Arc<Flags>,
    /// The flags of the control that this one obeys as well.
    followed: Option<Arc<Flags>>,
}

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
        control.own.pondering.store(true, Ordering::Relaxed);
        control
    }

    /// A control that obeys this one and can also be stopped on its own.
    pub fn follower(&self) -> Self {
        Self { own: Arc::default(), followed: Some(Arc::clone(&self.own)) }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.own.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent played the expected move: from now on the limits apply.
    pub fn ponder_hit(&self) {
        self.own.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search was asked to stop.
    pub fn is_stopped(&self) -> bool {
        let stopped = |flags: &Arc<Flags>| flags.stop.load(Ordering::Relaxed);
        stopped(&self.own) || self.followed.as_ref().is_some_and(stopped)
    }

    /// Whether the search runs in the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.followed.as_ref().unwrap_or(&self.own).pondering.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_follower_obeys_its_control_and_can_be_stopped_alone() {
        let control = Control::pondering();
        let (first, second) = (control.follower(), control.follower());
        assert!(first.is_pondering());
        control.ponder_hit();
        assert!(!first.is_pondering());
        first.stop();
        assert!(first.is_stopped() && !second.is_stopped() && !control.is_stopped());
        control.stop();
        assert!(second.is_stopped());
    }
}
