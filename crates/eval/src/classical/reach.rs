//! What the pieces of a side attack: walked once, used by all terms.

use chuhe_board::{Bitboard, PieceKind, Position, Side, Square, attacks};

/// A chariot, cannon or horse with what it attacks and where it can go.
#[derive(Clone, Copy)]
pub(super) struct Attacker {
    pub(super) kind: PieceKind,
    pub(super) square: Square,
    /// Points where it could take.
    pub(super) attacked: Bitboard,
    /// Points where it could go, own pieces and pins aside.
    pub(super) steps: Bitboard,
}

/// What a side's pieces attack.
pub(super) struct Reach {
    attackers: [Option<Attacker>; 6],
    /// By kind, in the order of [`PieceKind::index`].
    pub(super) by_kind: [Bitboard; 7],
    pub(super) all: Bitboard,
    /// By two pieces or more.
    pub(super) several: Bitboard,
    /// By three pieces or more.
    pub(super) three: Bitboard,
    /// By all but the general, who cannot take what is protected.
    pub(super) by_subjects: Bitboard,
}

impl Reach {
    #[inline]
    pub(super) fn of(position: &Position, side: Side) -> Self {
        let occupied = position.occupied();
        let own = position.pieces(side);
        let mut reach = Self {
            attackers: [None; 6],
            by_kind: [Bitboard::EMPTY; 7],
            all: Bitboard::EMPTY,
            several: Bitboard::EMPTY,
            three: Bitboard::EMPTY,
            by_subjects: Bitboard::EMPTY,
        };
        let mut count = 0;
        for kind in [PieceKind::Chariot, PieceKind::Cannon, PieceKind::Horse] {
            for square in own & position.kind(kind) {
                let (attacked, steps) = match kind {
                    PieceKind::Cannon => {
                        let (slide, jump) = attacks::chariot_and_cannon(square, occupied);
                        (jump, (slide - occupied) | (jump & position.pieces(!side)))
                    }
                    PieceKind::Chariot => both(attacks::chariot(square, occupied), own),
                    _ => both(attacks::horse(square, occupied), own),
                };
                reach.attackers[count] = Some(Attacker { kind, square, attacked, steps });
                count += 1;
                reach.add(kind, attacked);
            }
        }
        for square in own & position.kind(PieceKind::Soldier) {
            reach.add(PieceKind::Soldier, attacks::soldier(side, square));
        }
        for square in own & position.kind(PieceKind::Advisor) {
            reach.add(PieceKind::Advisor, attacks::advisor(square));
        }
        for square in own & position.kind(PieceKind::Elephant) {
            reach.add(PieceKind::Elephant, attacks::elephant(square, occupied));
        }
        reach.by_subjects = reach.all;
        reach.add(PieceKind::General, attacks::general(position.general(side)));
        reach
    }

    #[inline]
    fn add(&mut self, kind: PieceKind, attacked: Bitboard) {
        self.by_kind[kind.index()] |= attacked;
        self.three |= self.several & attacked;
        self.several |= self.all & attacked;
        self.all |= attacked;
    }

    /// Points that more of these pieces attack than of the enemy's, three counting as the most.
    #[inline]
    pub(super) fn outnumbers(&self, enemy: &Self) -> Bitboard {
        (self.all - enemy.all) | (self.several - enemy.several) | (self.three - enemy.three)
    }

    /// The chariots, cannons and horses.
    #[inline]
    pub(super) fn attackers(&self) -> impl Iterator<Item = &Attacker> {
        self.attackers.iter().flatten()
    }

    /// What pieces of this kind attack.
    #[inline]
    pub(super) const fn by(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }
}

#[inline]
fn both(attacked: Bitboard, own: Bitboard) -> (Bitboard, Bitboard) {
    (attacked, attacked - own)
}
