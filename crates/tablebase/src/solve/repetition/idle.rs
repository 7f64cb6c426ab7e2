//! Plainly idle moves: a quick look that spares most undecided entries the question what the rules make of their moves.
//!
//! A move is plainly idle if after it no piece of the mover attacks anything, so that it neither checks nor chases, and if the
//! mover could not mate soon were it to move again, so that it threatens nothing.

use std::ops::ControlFlow;

use chuhe_board::{Side, attacks};

use super::states::EntryStates;
use crate::index::entry_board::EntryBoard;
use crate::index::group::Code;
use crate::index::row::Entry;
use crate::index::row_moves::RowMoves;
use crate::index::{Codes, GROUPS, Index};
use crate::material::ATTACKERS;
use crate::repetition::MoveRules;
use crate::solve::successor::QuietMove;

/// Whether a plainly idle move leads from an undecided entry to a good one. If not, there may still be an idle move.
pub(crate) fn has_plainly_idle_move(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    entry: &Entry<'_>,
    moves: &RowMoves,
    is_good: &(dyn Fn(u64) -> bool + Sync),
) -> bool {
    let side = moves.side;
    let found = entry.try_each_quiet_move(moves, |QuietMove { slot, code, number, .. }| {
        let is_one = states.is_open(!side, number)
            && is_good(number)
            && is_plainly_idle(states, rules, entry, side, (slot, code), number);
        if is_one { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// Whether the move of `side` that gives one group another placement, and leads to entry `number`, is plainly idle.
fn is_plainly_idle(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    entry: &Entry<'_>,
    side: Side,
    (slot, code): (usize, Code),
    number: u64,
) -> bool {
    let index = states.index();
    let after = entry.board.with(slot, &index.groups[slot], code);
    if !rules.knows_chase() {
        return !after.is_in_check(!side);
    }
    let mut codes = entry.codes;
    codes[slot] = code;
    !attacks_anything(index, &codes, &after, side)
        && !rules.longest_threat().is_some_and(|plies| states.wins_within(side, number, plies))
}

/// Whether a piece of `side` other than the general attacks a piece.
fn attacks_anything(index: &Index, codes: &Codes, board: &EntryBoard, side: Side) -> bool {
    let (occupied, enemies) = (board.occupied(), board.sides[(!side).index()]);
    let guards = side.index() * GROUPS;
    let attackers = (1..)
        .zip(ATTACKERS)
        .flat_map(|(within, kind)| board.sets[guards + within].into_iter().map(move |from| (kind, from)));
    let group = &index.groups[guards];
    let defenders = group.squares(codes[guards]).iter().enumerate().skip(1);
    attackers
        .chain(defenders.map(|(member, from)| (group.kind(member), *from)))
        .any(|(kind, from)| attacks::of(kind, side, from, occupied).meets(enemies))
}
