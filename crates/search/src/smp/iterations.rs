//! The iterations that the threads of a pool have completed: the first to complete one does so for all of them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::root::RootMove;

/// The deepest iteration that a thread has completed, with its root moves.
#[derive(Default)]
pub(crate) struct Iterations {
    /// Its depth; looked at without the lock.
    depth: AtomicU32,
    root_moves: Mutex<Vec<RootMove>>,
}

impl Iterations {
    /// The depth of the deepest one; 0 before the first.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Acquire)
    }

    /// Records a completed iteration, unless another thread has completed one as deep.
    pub(crate) fn complete(&self, depth: u32, root_moves: &[RootMove]) {
        let mut latest = self.root_moves.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > self.depth() {
            root_moves.clone_into(&mut latest);
            self.depth.store(depth, Ordering::Release);
        }
    }

    /// Takes the results of the deepest iteration over into a thread's root moves, which keep the nodes that the thread
    /// itself spent on them. Returns its depth.
    pub(crate) fn adopt(&self, own: &mut Vec<RootMove>) -> u32 {
        let latest = self.root_moves.lock().unwrap_or_else(PoisonError::into_inner);
        let mut adopted = latest.clone();
        for root in &mut adopted {
            root.nodes = own.iter().find(|known| known.mv == root.mv).map_or(0, |known| known.nodes);
        }
        *own = adopted;
        self.depth()
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;
    use chuhe_referee::{Game, Referee};

    use super::*;
    use crate::time::Limits;

    #[test]
    fn the_deepest_iteration_is_adopted_and_own_nodes_are_kept() {
        let game = Game::new(Position::start());
        let mut own = RootMove::all(&game, &Limits::default(), Referee::default());
        own[3].nodes = 70;
        let fourth = own[3].mv;
        let mut theirs = own.clone();
        theirs.swap(0, 3);
        theirs[0].score = Score::from_number(25);
        theirs[0].nodes = 9000;
        let iterations = Iterations::default();
        iterations.complete(8, &theirs);
        iterations.complete(7, &own);
        iterations.complete(8, &own);
        assert_eq!(iterations.adopt(&mut own), 8);
        assert_eq!((own[0].mv, own[0].score, own[0].nodes), (fourth, Score::from_number(25), 70));
    }
}
