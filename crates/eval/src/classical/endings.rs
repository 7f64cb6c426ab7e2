//! Theoretical endings 勝和定式 by material alone: book wins, book draws, and sides without winning material
//! (Liu 2014, §3.3.4). Facts from tables and games take precedence (`known.rs`).

use chuhe_board::PieceKind;

use super::{MaterialCode, known};

/// What the material says about one side's hopes to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hope {
    /// The scale of an advantage, in 64ths.
    Part(i32),
    /// A win.
    Win,
}

impl Hope {
    /// The scale that changes nothing.
    pub(super) const FULL: i32 = 64;

    /// Nothing with which to mate.
    const NONE: Self = Self::Part(0);
    /// A book draw: the defence holds if it knows how.
    const BOOK_DRAW: Self = Self::Part(6);
    /// Even pieces that rarely win.
    const SLIM: Self = Self::Part(24);
    /// Nothing is known.
    const OPEN: Self = Self::Part(Self::FULL);

    /// How much of an advantage is left, in 64ths.
    pub(super) const fn scale(self) -> i32 {
        match self {
            Self::Part(part) => part,
            Self::Win => Self::FULL,
        }
    }

    /// What `own` may hope for against `enemy`: by what is known, and else by the books.
    pub(super) fn of(own: MaterialCode, enemy: MaterialCode) -> Self {
        if Attackers::of(own).count() == 0 {
            return Self::NONE;
        }
        known::hope(own, enemy).unwrap_or_else(|| Self::by_the_books(own, enemy))
    }

    fn by_the_books(own: MaterialCode, enemy: MaterialCode) -> Self {
        match Attackers::of(enemy).count() {
            0 => against_guards(own, enemy),
            _ => against_attackers(own, enemy),
        }
    }
}

/// Chariots, horses, cannons and soldiers of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Attackers {
    chariots: u32,
    horses: u32,
    cannons: u32,
    soldiers: u32,
}

impl Attackers {
    pub(super) const fn of(code: MaterialCode) -> Self {
        Self {
            chariots: code.count(PieceKind::Chariot),
            horses: code.count(PieceKind::Horse),
            cannons: code.count(PieceKind::Cannon),
            soldiers: code.count(PieceKind::Soldier),
        }
    }

    pub(super) const fn count(self) -> u32 {
        self.chariots + self.horses + self.cannons + self.soldiers
    }

    const fn all(self) -> [u32; 4] {
        [self.chariots, self.horses, self.cannons, self.soldiers]
    }
}

/// The enemy has only advisors and elephants left.
fn against_guards(own: MaterialCode, enemy: MaterialCode) -> Hope {
    let advisors = enemy.count(PieceKind::Advisor);
    let elephants = enemy.count(PieceKind::Elephant);
    let guards = advisors + elephants;
    let (none, all) = (guards == 0, guards == 4);
    let decided = |wins: bool| if wins { Hope::Win } else { Hope::BOOK_DRAW };
    match Attackers::of(own).all() {
        // 孤兵擒王; any guard holds.
        [0, 0, 0, 1] => decided(none),
        // 單馬勝單士; an elephant or two advisors hold.
        [0, 1, 0, 0] => decided(elephants == 0 && advisors < 2),
        // 炮仕勝雙士 and 單象: it takes an own advisor as screen, and an elephant with any other guard holds.
        [0, 0, 1, 0] if own.count(PieceKind::Advisor) > 0 => decided(elephants == 0 || guards == 1),
        [0, 0, 1, 0] if own.count(PieceKind::Elephant) == 0 => Hope::BOOK_DRAW,
        // 單車例和士象全, and wins against less.
        [1, 0, 0, 0] => decided(!all),
        // 車兵, 馬炮 and 雙馬 break a full guard; two chariots or a chariot with more all the more.
        [1, 0, 0, 1..=5] | [0, 1, 1, _] | [0, 2, _, _] | [1, 1..=2, _, _] | [1, _, 1..=2, _] | [2, ..] => {
            Hope::Win
        }
        // 雙兵勝單將 and 單士.
        [0, 0, 0, 2] if elephants == 0 && advisors < 2 => Hope::Win,
        // 馬兵勝雙士, and draws with a full guard.
        [0, 1, 0, 1] if elephants == 0 => Hope::Win,
        [0, 1, 0, 1] if all => Hope::BOOK_DRAW,
        _ => Hope::OPEN,
    }
}

/// The enemy has attackers too.
fn against_attackers(own: MaterialCode, enemy: MaterialCode) -> Hope {
    let guards = enemy.count(PieceKind::Advisor);
    match (Attackers::of(own).all(), Attackers::of(enemy).all()) {
        // A chariot against a horse or cannon whose general has both advisors.
        ([1, 0, 0, 0], [0, 1, 0, 0] | [0, 0, 1, 0]) if guards == 2 => Hope::BOOK_DRAW,
        // One against one of about the same strength.
        ([1, 0, 0, 0], [1, 0, 0, _]) => Hope::SLIM,
        ([0, 1, 0, 0] | [0, 0, 1, 0], [0, 1, 0, _] | [0, 0, 1, _] | [1, ..]) => Hope::SLIM,
        ([0, 0, 0, 1], _) => Hope::SLIM,
        _ => Hope::OPEN,
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::{Position, Side};

    use super::*;

    const WINS: &[(&str, &str)] = &[
        ("R", "ABB"),
        ("R", "AAB"),
        ("RP", "AABB"),
        ("NC", "AABB"),
        ("NN", "AABB"),
        ("P", "-"),
        ("N", "A"),
        ("PP", "A"),
        ("NP", "AA"),
        ("CA", "AA"),
        ("CA", "B"),
    ];
    const DRAWS: &[(&str, &str)] = &[
        ("R", "AABB"),
        ("P", "A"),
        ("N", "AA"),
        ("N", "B"),
        ("CA", "AB"),
        ("CA", "BB"),
        ("C", "-"),
        ("R", "NAA"),
        ("R", "CAA"),
    ];

    fn codes((own, enemy): &(&str, &str)) -> (MaterialCode, MaterialCode) {
        (own.parse().unwrap(), enemy.parse().unwrap())
    }

    #[test]
    fn the_books_know_wins_and_draws() {
        let by_the_books = |pair| {
            let (own, enemy) = codes(pair);
            Hope::by_the_books(own, enemy)
        };
        for pair in WINS {
            assert_eq!(by_the_books(pair), Hope::Win, "{pair:?}");
        }
        for pair in DRAWS {
            assert_eq!(by_the_books(pair), Hope::BOOK_DRAW, "{pair:?}");
        }
        for pair in &[("RNC", "RNC"), ("NP", "N"), ("PPP", "AABB")] {
            assert_eq!(by_the_books(pair), Hope::OPEN, "{pair:?}");
        }
    }

    #[test]
    fn what_was_counted_agrees_with_the_books() {
        let hope = |pair| {
            let (own, enemy) = codes(pair);
            Hope::of(own, enemy)
        };
        for pair in WINS {
            assert_eq!(hope(pair), Hope::Win, "{pair:?}");
        }
        for pair in DRAWS {
            assert!(hope(pair).scale() <= Hope::SLIM.scale(), "{pair:?}: {:?}", hope(pair));
        }
        for pair in &[("-", "R"), ("AABB", "-")] {
            assert_eq!(hope(pair), Hope::NONE, "{pair:?}");
        }
    }

    #[test]
    fn the_start_is_open_for_both() {
        let start = Position::start();
        for side in Side::ALL {
            let hope = Hope::of(MaterialCode::of(&start, side), MaterialCode::of(&start, !side));
            assert_eq!(hope, Hope::OPEN);
        }
    }
}
