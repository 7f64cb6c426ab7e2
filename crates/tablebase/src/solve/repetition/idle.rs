//! Plainly idle moves: a quick look that spares most undecided entries the question what the rules make of their moves.
//!
//! A move is plainly idle if after it no piece of the mover attacks anything, so that it neither checks nor chases, and if the
//! mover could not mate soon were it to move again, so that it threatens nothing.

//!
//! So it is the entry after the move that says whether it is plainly idle, not the move. These entries are found once, row by row;
//! from then on a bit tells.

use chuhe_board::{Side, attacks};

use super::states::EntryStates;
use crate::Index;
use crate::index::entry_board::EntryBoard;
use crate::index::row::{Entry, Row};
use crate::index::unmoves::Placed;
use crate::index::{Codes, GROUPS};
use crate::marks::Marks;
use crate::material::ATTACKERS;
use crate::parallel::map_parts;
use crate::repetition::MoveRules;

/// What plainly idle moves of a side lead to, and where they come from.
pub(super) struct IdleMoves {
    /// The undecided entries, with the other side to move, in which all moves that lead there are plainly idle.
    pub(super) after: Marks,
    /// The entries from which a move leads to one of those.
    pub(super) before: Marks,
}

impl IdleMoves {
    pub(super) fn find(states: &dyn EntryStates, rules: &dyn MoveRules, side: Side) -> Self {
        let index = states.index();
        let found = Self { after: Marks::none(index), before: Marks::none(index) };
        map_parts(0..index.rows(), |rows| rows.for_each(|row| found.look_at_row(states, rules, side, row)));
        found
    }

    fn look_at_row(&self, states: &dyn EntryStates, rules: &dyn MoveRules, side: Side, number: u64) {
        let index = states.index();
        let start = number * index.row_len() as u64;
        let mut places =
            (0..index.row_len()).filter(|place| states.is_open(!side, start + *place as u64)).peekable();
        if places.peek().is_none() {
            return;
        }
        let Some(row) = Row::new(index, number) else { return };
        let mut idle = Vec::new();
        // Files hold any value where there is no legal position.
        for entry in places.filter_map(|place| row.entry(place)) {
            if is_plainly_idle(states, rules, &entry, side) && !entry.board.is_in_check(side) {
                self.after.insert(entry.number);
                idle.push(Placed::new(index, (entry.number - start) as usize));
            }
        }
        row.each_unmove(side, &idle, true, |number| {
            if !self.before.contains(number) {
                self.before.insert(number);
            }
        });
    }
}

/// Whether moves of `side` without capture that lead to this entry are plainly idle.
fn is_plainly_idle(states: &dyn EntryStates, rules: &dyn MoveRules, entry: &Entry<'_>, side: Side) -> bool {
    if !rules.knows_chase() {
        return !entry.board.is_in_check(!side);
    }
    !attacks_anything(states.index(), &entry.codes, &entry.board, side)
        && !rules.longest_threat().is_some_and(|plies| states.wins_within(side, entry.number, plies))
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
