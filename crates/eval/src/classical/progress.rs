//! Progress in won endings: a bonus such that no capture and no trade that keeps the win lowers the score
//! (Liu 2014, §3.3.4).
//!
//! Giving the soldier for an advisor turns 車兵 against a full guard into 單車 against three guards. Both are won, but
//! by material alone the second is worth less, and the engine would never make progress.

use std::collections::HashMap;
use std::sync::LazyLock;

use chuhe_board::{PieceKind, Side};

use super::endings::{Attackers, Hope};
use super::ledger::Sum;
use super::{Feature, Ledger, Material, MaterialCode, Phase, imbalance};

/// The least bonus of a won ending.
const LEAST: i32 = 100;
/// With more attackers the bonus is constant.
const MOST_ATTACKERS: u32 = 3;

/// The bonus of a won ending, in centisoldiers.
pub(super) fn of(own: MaterialCode, enemy: MaterialCode) -> i32 {
    LEAST + EXTRA.get(&[own, enemy]).copied().unwrap_or(0)
}

/// For won endings against guards alone, what is needed to follow on the endings that lead to them.
static EXTRA: LazyLock<HashMap<[MaterialCode; 2], i32>> = LazyLock::new(|| {
    let attacks = |code: &MaterialCode| (1..=MOST_ATTACKERS).contains(&Attackers::of(*code).count());
    let defends = |code: &MaterialCode| Attackers::of(*code).count() == 0;
    let mut endings: Vec<[MaterialCode; 2]> = MaterialCode::all()
        .filter(attacks)
        .flat_map(|own| MaterialCode::all().filter(defends).map(move |enemy| [own, enemy]))
        .filter(|[own, enemy]| Hope::of(*own, *enemy) == Hope::Win)
        .collect();
    endings.sort_by_key(|[own, enemy]| std::cmp::Reverse(own.pieces() + enemy.pieces()));
    let mut extras: HashMap<_, i32> = endings.iter().map(|ending| (*ending, 0)).collect();
    for ending in &endings {
        let total = worth(*ending) + extras[ending];
        for next in after_trades(*ending) {
            if let Some(extra) = extras.get_mut(&next) {
                *extra = (*extra).max(total - worth(next));
            }
        }
    }
    extras
});

/// What a capture or a trade leads to: the enemy loses a piece and we none or any but a chariot.
fn after_trades([own, enemy]: [MaterialCode; 2]) -> Vec<[MaterialCode; 2]> {
    let given = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::Chariot);
    let owns: Vec<_> = std::iter::once(own).chain(given.filter_map(|kind| own.without(kind))).collect();
    let enemies: Vec<_> = PieceKind::ALL.into_iter().filter_map(|kind| enemy.without(kind)).collect();
    enemies.iter().flat_map(|enemy| owns.iter().map(|own| [*own, *enemy])).collect()
}

/// The material of an ending without what it adds for being won.
fn worth([own, enemy]: [MaterialCode; 2]) -> i32 {
    let material = Material([own, enemy]);
    let mut sum = Sum::default();
    for side in Side::ALL {
        for kind in PieceKind::ALL {
            let times = material.side(side).count(kind) as i32;
            sum.note(side, Feature::material(kind), times, chuhe_board::Bitboard::EMPTY);
        }
    }
    imbalance::note_kinds(material, &mut sum);
    sum.total().at(Phase::ending(Phase::attackers(material)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(own: &str, enemy: &str) -> i32 {
        let ending = [own.parse().unwrap(), enemy.parse().unwrap()];
        worth(ending) + of(ending[0], ending[1])
    }

    #[test]
    fn a_soldier_for_an_advisor_is_progress() {
        assert!(total("R", "ABB") >= total("RP", "AABB"));
        assert!(total("R", "AAB") >= total("RP", "AABB"));
    }

    #[test]
    fn no_trade_that_keeps_the_win_lowers_the_score() {
        for ending in EXTRA.keys() {
            let now = worth(*ending) + of(ending[0], ending[1]);
            for next in after_trades(*ending).into_iter().filter(|next| EXTRA.contains_key(next)) {
                let then = worth(next) + of(next[0], next[1]);
                assert!(then >= now, "{} {} {now}, {} {} {then}", ending[0], ending[1], next[0], next[1]);
            }
        }
    }
}
