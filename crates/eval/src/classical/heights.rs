//! Heights of soldiers in what can be won: 高兵 up to the palace's top rank, 低兵 on the rank before the last, 底兵 on the
//! last, where a soldier only moves sideways (Liu 2014, §3.3.4: 高低兵勝雙士, 孤兵擒王 but not with a 底兵).

use chuhe_board::{Bitboard, PieceKind, Position, Side};

use super::endings::{Attackers, Hope};
use super::material::Prospects;
use super::{Material, MaterialCode};

/// What decides an ending: the material without soldiers that came too far, and what those that remain leave to win.
#[derive(Clone, Copy)]
pub(super) struct Deciding {
    pub(super) material: Material,
    /// The most that is left of an advantage of each side, in 64ths.
    most: [i32; 2],
}

/// Two low soldiers against one advisor, in 64ths: 75 of 100 positions are won.
const LOW_AGAINST_AN_ADVISOR: i32 = 48;
/// Two low soldiers against two advisors or an elephant: about one position in four is won.
const LOW_AGAINST_MORE: i32 = 12;
/// A soldier on the last rank beside a high one, against advisors: about two positions in three are won.
const LAST_BESIDE_A_HIGH_ONE: i32 = 44;

/// The last two ranks of both sides.
const FAR: Bitboard = Bitboard::rank(0).or(Bitboard::rank(1)).or(Bitboard::rank(8)).or(Bitboard::rank(9));

impl Deciding {
    #[inline]
    pub(super) fn of(position: &Position, material: Material) -> Self {
        let mut deciding = Self { material, most: [Hope::FULL; 2] };
        if position.kind(PieceKind::Soldier).meets(FAR) {
            Side::ALL.into_iter().for_each(|side| deciding.weigh(position, side));
        }
        deciding
    }

    /// What follows from the material that decides.
    #[inline]
    pub(super) fn prospects(self) -> Prospects {
        self.material.prospects()
    }

    /// Red's score with what neither side can hope to use taken away.
    #[inline]
    pub(super) fn scaled(self, red: i32) -> i32 {
        let most = self.most[usize::from(red <= 0)];
        self.prospects().scaled(red, most)
    }

    #[cold]
    fn weigh(&mut self, position: &Position, side: Side) {
        let (last, low) = match side {
            Side::Red => (Bitboard::rank(9), Bitboard::rank(8)),
            Side::Black => (Bitboard::rank(0), Bitboard::rank(1)),
        };
        let soldiers = position.pieces_of(side, PieceKind::Soldier);
        let (own, enemy) = (self.material.side(side), self.material.side(!side));
        if soldiers.is_empty() {
            return;
        }
        let others = Attackers::of(own).count() - soldiers.len();
        let guards_only = Attackers::of(enemy).count() == 0;
        let (last, low) = ((soldiers & last).len(), (soldiers & low).len());
        let high = soldiers.len() - last - low;
        let lone_cannon = others == 1 && own.count(PieceKind::Cannon) == 1;
        if high + low == 0 && (others == 0 || lone_cannon && guards_only) {
            // A cannon finds no screen in them: 炮底兵 won 1 of 80 positions against advisors, 炮低兵 72.
            self.leave_out(side, last);
        } else if others == 0 && guards_only && enemy != MaterialCode::default() {
            self.weigh_against_guards(side, [high, low, last], enemy);
        }
    }

    fn weigh_against_guards(&mut self, side: Side, [high, low, last]: [u32; 3], enemy: MaterialCode) {
        let most = &mut self.most[side.index()];
        let has_elephants = enemy.count(PieceKind::Elephant) > 0;
        match (high, low) {
            (0, 2) if enemy.count(PieceKind::Advisor) == 1 && !has_elephants => {
                *most = LOW_AGAINST_AN_ADVISOR
            }
            (0, 2) => *most = LOW_AGAINST_MORE,
            (0, 1) | (1, 0) if last > 0 && (has_elephants || high == 0) => self.leave_out(side, last),
            (1, 0) if last > 0 => *most = LAST_BESIDE_A_HIGH_ONE,
            _ => {}
        }
    }

    fn leave_out(&mut self, side: Side, soldiers: u32) {
        (0..soldiers).for_each(|_| self.material.0[side.index()].remove(PieceKind::Soldier));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of Red's advantage is left, in 64ths.
    fn scale(fen: &str) -> i32 {
        let position: Position = fen.parse().unwrap();
        Deciding::of(&position, Material::of(&position)).scaled(64)
    }

    #[test]
    fn heights_decide_what_two_soldiers_win() {
        // 雙高兵 and 高低兵 win against two advisors, 雙低兵 do not.
        let against_advisors = |soldiers: &str| scale(&format!("3k1a3/{soldiers}/9/9/9/9/9/9/4K4 w"));
        let high = against_advisors("4a4/2P1P4");
        let mixed = against_advisors("2P1a4/4P4");
        let low = against_advisors("2P1a1P2/9");
        assert!(high > 2 * low && mixed > 2 * low && low > 0, "{high} {mixed} {low}");
        // Against one advisor low ones win more, against an elephant less.
        assert!(scale("3k1a3/2P3P2/9/9/9/9/9/9/9/4K4 w") > low);
        assert!(scale("3k2b2/2P3P2/9/9/9/9/9/9/9/4K4 w") <= low);
    }

    #[test]
    fn a_soldier_on_the_last_rank_is_left_out_unless_a_high_one_is_beside_it() {
        assert_eq!(scale("P4k3/9/9/9/9/9/9/9/9/4K4 w"), 0);
        let alone = scale("5kb2/9/2P6/9/9/9/9/9/9/4K4 w");
        assert_eq!(scale("P4kb2/9/2P6/9/9/9/9/9/9/4K4 w"), alone);
        assert!(scale("P4k3/4a4/2P6/9/9/9/9/9/9/4K4 w") > scale("5k3/4a4/2P6/9/9/9/9/9/9/4K4 w"));
        // A cannon wins with a low soldier, not with one on the last rank.
        let cannon = |soldier: &str| scale(&format!("{soldier}/9/9/9/9/9/9/4KC3 w"));
        assert!(cannon("3k5/2P1a4/9") > 4 * cannon("P2k5/4a4/9"));
        // Beside a chariot, and while the enemy has attackers, nothing changes.
        assert_eq!(scale("P4k3/9/9/9/9/9/9/9/9/R3K4 w"), 64);
        let [far, near] = ["5kn2/9/9/2P1P4/9/9/9/9/9/4K4 w", "5kn2/2P1P4/9/9/9/9/9/9/9/4K4 w"].map(scale);
        assert_eq!(far, near);
    }

    #[test]
    fn both_sides_are_weighed_alike() {
        let fen = "3k1a3/2P1a1P2/9/9/9/9/9/9/9/4K4 w";
        let position: Position = fen.parse().unwrap();
        let across = position.across();
        let red = Deciding::of(&position, Material::of(&position)).scaled(200);
        assert_eq!(Deciding::of(&across, Material::of(&across)).scaled(-200), -red);
    }
}
