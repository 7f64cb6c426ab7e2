//! Worker threads: one for each scorer, fed from the queue of leaves.

use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{LeafQueue, Scorer};
use crate::Entries;

/// What the threads share.
struct Shared<'a, T> {
    queue: &'a mut LeafQueue,
    on_round: T,
    is_over: bool,
}

/// Expands a book, one thread for each scorer, until `on_round` breaks or no leaf is left. `on_round` gets the new
/// and changed positions of each round.
pub fn grow<S, T>(queue: &mut LeafQueue, scorers: &mut [S], on_round: T)
where
    S: Scorer + Send,
    T: FnMut(&LeafQueue, Entries) -> ControlFlow<()> + Send,
{
    let shared = Mutex::new(Shared { queue, on_round, is_over: false });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for scorer in scorers {
            scope.spawn(|| {
                // A worker that panics must not leave the others waiting.
                let _guard = StopOnDrop(&shared, &changed);
                work(scorer, &shared, &changed);
            });
        }
    });
}

fn work<S, T>(scorer: &mut S, shared: &Mutex<Shared<'_, T>>, changed: &Condvar)
where
    S: Scorer,
    T: FnMut(&LeafQueue, Entries) -> ControlFlow<()>,
{
    let mut here = locked(shared);
    while !here.is_over && !here.queue.is_exhausted() {
        let Some(leaf) = here.queue.pop() else {
            here = changed.wait(here).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(here);
        let scored = scorer.score(&leaf.game());
        here = locked(shared);
        if here.is_over {
            break;
        }
        if let Some(entries) = here.queue.complete(&leaf, scored) {
            let Shared { queue, on_round, .. } = &mut *here;
            here.is_over = on_round(queue, entries).is_break();
            changed.notify_all();
        }
    }
}

fn locked<'a, 'b, T>(shared: &'a Mutex<Shared<'b, T>>) -> MutexGuard<'a, Shared<'b, T>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops all workers when one returns or panics.
struct StopOnDrop<'a, 'b, T>(&'a Mutex<Shared<'b, T>>, &'a Condvar);

impl<T> Drop for StopOnDrop<'_, '_, T> {
    fn drop(&mut self) {
        locked(self.0).is_over = true;
        self.1.notify_all();
    }
}
