//! Stopping a search from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// What a host without threads wants of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostPoll {
    /// Go on.
    Continue,
    /// Return to the host, which resumes the search later ([`Pool::resume`](crate::Pool::resume)).
    Pause,
    /// End the search.
    Stop,
}

/// The host's poll, if there is one.
static HOST_POLL: OnceLock<fn() -> HostPoll> = OnceLock::new();

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
    /// The search returns to its host and will be resumed.
    pause: AtomicBool,
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

    /// Lets resumable searches ask `poll` whenever they look at their limits. For hosts without threads, where nothing
    /// else can reach a running search. Only the first call counts.
    pub fn set_host_poll(poll: fn() -> HostPoll) {
        let _ = HOST_POLL.set(poll);
    }

    /// Asks the host, if it wants to be asked.
    pub(crate) fn poll_host(&self) {
        match HOST_POLL.get().map_or(HostPoll::Continue, |poll| poll()) {
            HostPoll::Continue => {}
            HostPoll::Pause => self.pause(),
            HostPoll::Stop => {
                self.ponder_hit();
                self.stop();
            }
        }
    }

    /// Makes a resumable search return as soon as possible.
    pub fn pause(&self) {
        self.own.pause.store(true, Ordering::Relaxed);
    }

    /// Whether the search was paused; it is not any more after this.
    pub fn take_pause(&self) -> bool {
        self.own.pause.swap(false, Ordering::Relaxed)
    }

    /// Whether the search is paused.
    pub(crate) fn is_paused(&self) -> bool {
        self.own.pause.load(Ordering::Relaxed)
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
