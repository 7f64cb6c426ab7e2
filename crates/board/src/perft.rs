//! Counting the positions a number of plies away: the measure of a move generator.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::{Move, Position};

/// The number of lines of `depth` plies; the last ply is counted without being played.
///
/// ```
/// use chuhe_board::{Position, perft};
///
/// assert_eq!(perft::count(&Position::start(), 2), 1920);
/// ```
pub fn count(position: &Position, depth: u32) -> u64 {
    lines(&mut position.clone(), depth, Position::count_moves)
}

/// As [`count`], with every move listed and the moves of the last ply counted from the list.
pub fn count_listed(position: &Position, depth: u32) -> u64 {
    lines(&mut position.clone(), depth, |position| position.moves().len() as u64)
}

/// The count below each legal move, on `threads` threads, in the order of the moves.
pub fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    divide_unless(position, depth, threads, || false).expect("nobody stops it")
}

/// As [`divide`], but `None` soon after `is_stopped` says so, which it must not take back.
pub fn divide_unless(
    position: &Position,
    depth: u32,
    threads: usize,
    is_stopped: impl Fn() -> bool + Sync,
) -> Option<Vec<(Move, u64)>> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    // Positions two plies away make pieces of work small enough to share out evenly.
    let two_plies = below > 2;
    let mut work = Vec::new();
    for (index, mv) in position.moves().into_iter().enumerate() {
        let after = played(position, mv);
        if two_plies {
            work.extend(after.moves().into_iter().map(|reply| (index, played(&after, reply))));
        } else {
            work.push((index, after));
        }
    }
    let depth_left = below - u32::from(two_plies);
    let counts = shared_out(&work, threads, |(index, position)| {
        (*index, lines_unless(&mut position.clone(), depth_left, &is_stopped))
    });

    let mut totals: Vec<(Move, u64)> = position.moves().into_iter().map(|mv| (mv, 0)).collect();
    for (index, nodes) in counts {
        totals[index].1 += nodes?;
    }
    Some(totals)
}

/// Applies `work` to every item, each of the threads taking the next one that is left.
fn shared_out<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut results = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            results.push(work(item));
        }
        results
    };
    if threads <= 1 {
        return worker();
    }
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("counting does not panic")).collect()
    })
}

fn played(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    let _ = after.play(mv, &mut ());
    after
}

/// The stop flag is polled above this remaining depth: every few thousand lines, in less than a millisecond.
const UNWATCHED: u32 = 2;

/// The number of lines of `depth` plies, unless it is stopped.
fn lines_unless(position: &mut Position, depth: u32, is_stopped: &impl Fn() -> bool) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= UNWATCHED {
        return Some(lines(position, depth, Position::count_moves));
    }
    let mut total = 0;
    for mv in position.moves() {
        let undo = position.play(mv, &mut ());
        let below = lines_unless(position, depth - 1, is_stopped);
        position.take_back(undo, &mut ());
        total += below?;
    }
    Some(total)
}

/// The number of lines of `depth` plies, with the moves of the last ply counted by `last_ply`.
fn lines(position: &mut Position, depth: u32, last_ply: impl Fn(&Position) -> u64 + Copy) -> u64 {
    match depth {
        0 => 1,
        1 => last_ply(position),
        _ => {
            let mut total = 0;
            for mv in position.moves() {
                let undo = position.play(mv, &mut ());
                total += lines(position, depth - 1, last_ply);
                position.take_back(undo, &mut ());
            }
            total
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_is_stopped_gives_up_at_any_depth() {
        for depth in 1..=9 {
            assert_eq!(divide_unless(&Position::start(), depth, 2, || true), None);
        }
        let looks = AtomicUsize::new(0);
        let tenth = || looks.fetch_add(1, Ordering::Relaxed) >= 10;
        assert_eq!(divide_unless(&Position::start(), 9, 1, tenth), None);
    }
}
