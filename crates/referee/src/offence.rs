//! Offences: perpetual check, perpetual chase and what else the rules forbid a side in a cycle.

use std::ops::ControlFlow;

use chuhe_board::{Bitboard, Move, Position, Side};

use crate::chase::{self, Measure};
use crate::cycle;
use crate::history::Ply;
use crate::{RuleSet, threat};

/// What a side does with every move of a cycle, from harmless to worst. If the sides differ, the one
/// with the worse offence loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Offence {
    /// Nothing that is forbidden.
    #[default]
    None,
    /// World and Asian rules: it chases one and the same piece, but with some move only by cutting
    /// off the roots of a piece that was attacked before.
    Baring,
    /// World and Asian rules: it attacks one and the same piece anew with every move.
    Chase,
    /// Chinese rules: it checks, chases or threatens mate with every move.
    Attack,
    /// It gives check with every move.
    Check,
}

/// What Red and Black do in the cycle of `plies` that ends in `position`.
pub(crate) fn offences(position: &Position, plies: &[Ply], rules: RuleSet) -> [Offence; 2] {
    let mut found = Side::ALL.map(|side| {
        let mut own = plies.iter().rev().skip(usize::from(position.side_to_move() == side)).step_by(2);
        if own.all(Ply::gives_check) { Offence::Check } else { Offence::None }
    });
    // Nothing outweighs a check with every move.
    if found.contains(&Offence::Check) {
        return found;
    }
    match rules {
        RuleSet::Computer => {}
        RuleSet::Wxf | RuleSet::Axf => {
            found = Side::ALL.map(|side| perpetual_chase(position, plies, side));
        }
        RuleSet::Cxa => found = perpetual_attacks(position, plies),
    }
    found
}

/// Whether `side` chases one and the same piece with every move.
///
/// Where a move makes fresh attacks, those are what it does; only a move without any counts for the
/// pieces it bares (a standing attack whose target it robs of its roots).
fn perpetual_chase(position: &Position, plies: &[Ply], side: Side) -> Offence {
    let mut victims = position.pieces(!side);
    let mut offence = Offence::Chase;
    cycle::each_step_back(position, plies, |step| {
        if step.side() == side {
            let (fresh, bared) = chase::chased(step, victims, Measure::Roots);
            victims = fresh;
            if fresh.is_empty() && !bared.is_empty() {
                let (elsewhere, _) = chase::chased(step, Bitboard::ALL, Measure::Roots);
                victims = if elsewhere.is_empty() { bared } else { Bitboard::EMPTY };
                offence = Offence::Baring;
            }
        }
        victims = moved_back(victims, step.mv);
        if victims.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if victims.is_empty() { Offence::None } else { offence }
}

/// The Chinese rules: whether the sides attack without pause. Soldiers' attacks count only where the
/// other side attacks without pause as well (27.2).
fn perpetual_attacks(position: &Position, plies: &[Ply]) -> [Offence; 2] {
    let attacks = |side, soldiers| {
        if attacks_throughout(position, plies, side, Measure::Exchange { soldiers }) {
            Offence::Attack
        } else {
            Offence::None
        }
    };
    let found = Side::ALL.map(|side| attacks(side, false));
    if found[0] == found[1] {
        return found;
    }
    Side::ALL.map(|side| attacks(side, found[side.index()] == Offence::None))
}

/// Whether every move of `side` in the cycle is a check, a chase of any piece or, by the Chinese
/// measure, a threat of mate.
pub(crate) fn attacks_throughout(position: &Position, plies: &[Ply], side: Side, measure: Measure) -> bool {
    let mut throughout = true;
    cycle::each_step_back(position, plies, |step| {
        if step.side() == side && !plies[step.index].gives_check() {
            let (fresh, bared) = chase::chased(step, Bitboard::ALL, measure);
            let chases = !(fresh | bared).is_empty();
            let threatens = || measure != Measure::Roots && threat::threatens_mate(step.after);
            throughout = chases || threatens();
        }
        if throughout { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    throughout
}

/// The set with the piece that `mv` moved back on its point.
fn moved_back(set: Bitboard, mv: Move) -> Bitboard {
    if set.contains(mv.to()) { (set - mv.to()) | mv.from() } else { set }
}
