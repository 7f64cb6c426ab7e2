//! The seven kinds of pieces and the fourteen pieces.

use std::fmt;

use crate::Side;

/// What a piece is, whoever owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// 帥 / 將: one step inside the palace.
    General,
    /// 仕 / 士: one diagonal step inside the palace.
    Advisor,
    /// 相 / 象: two diagonal steps on its own bank, unless its eye is blocked.
    Elephant,
    /// 傌 / 馬: one step straight and one diagonal, unless its leg is blocked.
    Horse,
    /// 俥 / 車: any distance along a line.
    Chariot,
    /// 炮 / 包: moves as a chariot, takes over exactly one screen.
    Cannon,
    /// 兵 / 卒: one step forward, after crossing the river also sideways.
    Soldier,
}

impl PieceKind {
    /// All kinds, in the order of [`Self::index`].
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// 0 to 6: for tables with an entry for each kind.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many pieces of this kind each side starts with.
    pub const fn full_count(self) -> u32 {
        match self {
            Self::General => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// The upper-case FEN letter: `K A B N R C P`.
    pub const fn letter(self) -> char {
        match self {
            Self::General => 'K',
            Self::Advisor => 'A',
            Self::Elephant => 'B',
            Self::Horse => 'N',
            Self::Chariot => 'R',
            Self::Cannon => 'C',
            Self::Soldier => 'P',
        }
    }

    /// The kind for a FEN letter of either case, in either convention: `N` and `H` are horses, `B`
    /// and `E` elephants.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Self::General,
            'A' => Self::Advisor,
            'B' | 'E' => Self::Elephant,
            'N' | 'H' => Self::Horse,
            'R' => Self::Chariot,
            'C' => Self::Cannon,
            'P' => Self::Soldier,
            _ => return None,
        })
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::General => "general",
            Self::Advisor => "advisor",
            Self::Elephant => "elephant",
            Self::Horse => "horse",
            Self::Chariot => "chariot",
            Self::Cannon => "cannon",
            Self::Soldier => "soldier",
        })
    }
}

/// A kind of piece with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Piece {
    RedGeneral,
    RedAdvisor,
    RedElephant,
    RedHorse,
    RedChariot,
    RedCannon,
    RedSoldier,
    BlackGeneral,
    BlackAdvisor,
    BlackElephant,
    BlackHorse,
    BlackChariot,
    BlackCannon,
    BlackSoldier,
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// All fourteen pieces, in the order of [`Self::index`].
    pub const ALL: [Self; 14] = [
        Self::RedGeneral,
        Self::RedAdvisor,
        Self::RedElephant,
        Self::RedHorse,
        Self::RedChariot,
        Self::RedCannon,
        Self::RedSoldier,
        Self::BlackGeneral,
        Self::BlackAdvisor,
        Self::BlackElephant,
        Self::BlackHorse,
        Self::BlackChariot,
        Self::BlackCannon,
        Self::BlackSoldier,
    ];

    /// The piece of this kind that `side` owns.
    pub const fn new(side: Side, kind: PieceKind) -> Self {
        Self::ALL[side.index() * 7 + kind.index()]
    }

    /// 0 to 13, Red's pieces first: for tables with an entry for each piece.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Who owns the piece.
    pub const fn side(self) -> Side {
        if (self as u8) < 7 { Side::Red } else { Side::Black }
    }

    /// What the piece is.
    pub const fn kind(self) -> PieceKind {
        const KINDS: [PieceKind; 14] = {
            let mut kinds = [PieceKind::General; 14];
            let mut index = 0;
            while index < 14 {
                kinds[index] = PieceKind::ALL[index % 7];
                index += 1;
            }
            kinds
        };
        KINDS[self as usize]
    }

    /// The FEN letter: upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::Red => self.kind().letter(),
            Side::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece for a FEN letter, in either convention (see [`PieceKind::from_letter`]).
    pub const fn from_letter(letter: char) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() { Side::Red } else { Side::Black };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Self::new(side, kind)),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side() {
            Side::Red => "red",
            Side::Black => "black",
        };
        write!(f, "{side} {}", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_and_kind_make_the_piece_again() {
        for piece in Piece::ALL {
            assert_eq!(Piece::new(piece.side(), piece.kind()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
    }

    #[test]
    fn both_letter_conventions_are_read() {
        assert_eq!(Piece::from_letter('h'), Some(Piece::BlackHorse));
        assert_eq!(Piece::from_letter('E'), Some(Piece::RedElephant));
        assert_eq!(Piece::from_letter('Q'), None);
    }
}
