//! Threads that score leaves side by side.

use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{LeafGiver, Scorer};
use crate::Entries;

/// What the threads share.
struct Desk<'a, T> {
    giver: &'a mut LeafGiver,
    tell: T,
    is_over: bool,
}

/// Lets a book grow, one thread for each scorer, until `tell` breaks off or there are no leaves. `tell` hears after
/// each round what is new or changed.
pub fn grow<S, T>(giver: &mut LeafGiver, scorers: &mut [S], tell: T)
where
    S: Scorer + Send,
    T: FnMut(&LeafGiver, Entries) -> ControlFlow<()> + Send,
{
    let desk = Mutex::new(Desk { giver, tell, is_over: false });
    let news = Condvar::new();
    std::thread::scope(|scope| {
        for scorer in scorers {
            scope.spawn(|| {
                // Others must not wait for somebody who is gone.
                let _last_word = LastWord(&desk, &news);
                work(scorer, &desk, &news);
            });
        }
    });
}

fn work<S, T>(scorer: &mut S, desk: &Mutex<Desk<'_, T>>, news: &Condvar)
where
    S: Scorer,
    T: FnMut(&LeafGiver, Entries) -> ControlFlow<()>,
{
    let mut here = locked(desk);
    while !here.is_over && !here.giver.is_exhausted() {
        let Some(leaf) = here.giver.give() else {
            here = news.wait(here).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(here);
        let scored = scorer.score(&leaf.game());
        here = locked(desk);
        if here.is_over {
            break;
        }
        if let Some(changed) = here.giver.take(&leaf, scored) {
            let Desk { giver, tell, .. } = &mut *here;
            here.is_over = tell(giver, changed).is_break();
            news.notify_all();
        }
    }
}

fn locked<'a, 'b, T>(desk: &'a Mutex<Desk<'b, T>>) -> MutexGuard<'a, Desk<'b, T>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the work of all when one has ended, by its own will or by a panic.
struct LastWord<'a, 'b, T>(&'a Mutex<Desk<'b, T>>, &'a Condvar);

impl<T> Drop for LastWord<'_, '_, T> {
    fn drop(&mut self) {
        locked(self.0).is_over = true;
        self.1.notify_all();
    }
}
