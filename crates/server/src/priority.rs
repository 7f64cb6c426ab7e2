//! Priorities of threads: those that answer visitors go before those that compute, so that a busy machine delays results, not
//! answers.

use std::cell::Cell;

thread_local! {
    static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
}

/// Steps of priority that threads give up; a step is a tenth of the processor beside a thread that wants it, too.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Somebody waits for it.
    Awaited = 5,
    /// It has all the time of the world.
    Idle = 19,
}

/// Lowers the priority of the current thread, the first time it is called there.
pub(crate) fn lower(work: Work) {
    if !IS_LOWERED.replace(true) {
        // On Linux this is the thread's own; elsewhere all threads compete alike.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(work as i32);
        #[cfg(not(target_os = "linux"))]
        let _ = work;
    }
}
