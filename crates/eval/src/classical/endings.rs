//! What endgame books say about material alone: wins, draws, and sides that have nothing to win
//! with. Where the books say "it depends", nothing is said here.

use chuhe_board::PieceKind;

use super::MaterialCode;

/// What the material says about one side's hopes to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hope {
    /// Nothing with which to mate.
    None,
    /// A book draw: the defence holds if it knows how.
    BookDraw,
    /// Even pieces that rarely win.
    Slim,
    /// Nothing is known.
    Open,
    /// A book win.
    BookWin,
}

impl Hope {
    /// How much of an advantage is left, in 64ths.
    pub(super) const fn scale(self) -> i32 {
        match self {
            Self::None => 0,
            Self::BookDraw => 6,
            Self::Slim => 24,
            Self::Open | Self::BookWin => Self::FULL,
        }
    }

    /// The scale that changes nothing.
    pub(super) const FULL: i32 = 64;

    /// What `own` may hope for against `enemy`.
    pub(super) fn of(own: MaterialCode, enemy: MaterialCode) -> Self {
        if Attackers::of(own).count() == 0 {
            return Self::None;
        }
        match Attackers::of(enemy).count() {
            0 => against_guards(own, enemy),
            _ => against_attackers(own, enemy),
        }
    }
}

/// Chariots, horses, cannons and soldiers of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Attackers {
    chariots: u32,
    horses: u32,
    cannons: u32,
    soldiers: u32,
}

impl Attackers {
    const fn of(code: MaterialCode) -> Self {
        Self {
            chariots: code.count(PieceKind::Chariot),
            horses: code.count(PieceKind::Horse),
            cannons: code.count(PieceKind::Cannon),
            soldiers: code.count(PieceKind::Soldier),
        }
    }

    const fn count(self) -> u32 {
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
    let (none, all) = (advisors + elephants == 0, advisors + elephants == 4);
    let decided = |wins: bool| if wins { Hope::BookWin } else { Hope::BookDraw };
    match Attackers::of(own).all() {
        // 孤兵擒王; any guard holds.
        [0, 0, 0, 1] => decided(none),
        // 單馬勝單士; an elephant or two advisors hold.
        [0, 1, 0, 0] => decided(elephants == 0 && advisors < 2),
        // 炮仕勝雙士: it takes an own advisor as screen, and an elephant holds.
        [0, 0, 1, 0] if own.count(PieceKind::Advisor) > 0 => decided(elephants == 0),
        [0, 0, 1, 0] if own.count(PieceKind::Elephant) == 0 => Hope::BookDraw,
        // 單車例和士象全, and wins against less.
        [1, 0, 0, 0] => decided(!all),
        // 車兵, 馬炮 and 雙馬 break a full guard; two chariots or a chariot with more all the more.
        [1, 0, 0, 1..=5] | [0, 1, 1, _] | [0, 2, _, _] | [1, 1..=2, _, _] | [1, _, 1..=2, _] | [2, ..] => {
            Hope::BookWin
        }
        // 雙兵勝單將 and 單士.
        [0, 0, 0, 2] if elephants == 0 && advisors < 2 => Hope::BookWin,
        // 馬兵勝雙士, and draws with a full guard.
        [0, 1, 0, 1] if elephants == 0 => Hope::BookWin,
        [0, 1, 0, 1] if all => Hope::BookDraw,
        _ => Hope::Open,
    }
}

/// The enemy has attackers too.
fn against_attackers(own: MaterialCode, enemy: MaterialCode) -> Hope {
    let guards = enemy.count(PieceKind::Advisor);
    match (Attackers::of(own).all(), Attackers::of(enemy).all()) {
        // A chariot against a horse or cannon whose general has both advisors.
        ([1, 0, 0, 0], [0, 1, 0, 0] | [0, 0, 1, 0]) if guards == 2 => Hope::BookDraw,
        // One against one of about the same strength.
        ([1, 0, 0, 0], [1, 0, 0, _]) => Hope::Slim,
        ([0, 1, 0, 0] | [0, 0, 1, 0], [0, 1, 0, _] | [0, 0, 1, _] | [1, ..]) => Hope::Slim,
        ([0, 0, 0, 1], _) => Hope::Slim,
        _ => Hope::Open,
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::{Position, Side};

    use super::*;

    fn hope(red: &str, black: &str) -> Hope {
        let code = |pieces: &str| {
            let mut code = MaterialCode::default();
            for letter in pieces.chars() {
                code.add(PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter).unwrap());
            }
            code
        };
        Hope::of(code(red), code(black))
    }

    #[test]
    fn the_books_agree() {
        for (red, black) in [
            ("R", "ABB"),
            ("R", "AAB"),
            ("RP", "AABB"),
            ("NC", "AABB"),
            ("NN", "AABB"),
            ("P", ""),
            ("N", "A"),
            ("PP", "A"),
            ("NP", "AA"),
            ("CA", "AA"),
        ] {
            assert_eq!(hope(red, black), Hope::BookWin, "{red} against {black}");
        }
        for (red, black) in [
            ("R", "AABB"),
            ("P", "A"),
            ("N", "AA"),
            ("N", "B"),
            ("CA", "B"),
            ("C", ""),
            ("R", "NAA"),
            ("R", "CAA"),
        ] {
            assert_eq!(hope(red, black), Hope::BookDraw, "{red} against {black}");
        }
        for (red, black) in [("", "R"), ("AABB", "")] {
            assert_eq!(hope(red, black), Hope::None, "{red} against {black}");
        }
        for (red, black) in [("RNC", "RNC"), ("NP", "N"), ("PPP", "AABB")] {
            assert_eq!(hope(red, black), Hope::Open, "{red} against {black}");
        }
    }

    #[test]
    fn the_start_is_open_for_both() {
        let start = Position::start();
        for side in Side::ALL {
            let hope = Hope::of(MaterialCode::of(&start, side), MaterialCode::of(&start, !side));
            assert_eq!(hope, Hope::Open);
        }
    }
}
