//! Sides and pieces.

/// One of the two colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Written in upper case.
    Red,
    /// Written in lower case.
    Black,
}

impl Side {
    /// Both sides, Red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Black];

    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }

    /// 0 for Red, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `red` or `black`, as the protocols write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Black => "black",
        }
    }
}

/// What a piece is, in Taiwanese order of rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// 帥 or 將, `K`.
    General,
    /// 仕 or 士, `G`.
    Advisor,
    /// 相 or 象, `M`.
    Elephant,
    /// 俥 or 車, `R`.
    Chariot,
    /// 傌 or 馬, `N`.
    Horse,
    /// 炮 or 包, `C`.
    Cannon,
    /// 兵 or 卒, `P`.
    Soldier,
}

impl Kind {
    /// Every kind, the highest rank first.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Chariot,
        Self::Horse,
        Self::Cannon,
        Self::Soldier,
    ];

    /// How many of them a side starts with.
    pub const fn count(self) -> u8 {
        match self {
            Self::General => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// 0 for the general … 6 for the soldier.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A side's piece of one kind: one of 14, counted Red's general to soldier, then Black's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

/// The tournament letters in order of rank, Red's first.
const LETTERS: &[u8; Piece::COUNT] = b"KGMRNCPkgmrncp";
/// The characters on the pieces, in the same order.
const CHARACTERS: [char; Piece::COUNT] =
    ['帥', '仕', '相', '俥', '傌', '炮', '兵', '將', '士', '象', '車', '馬', '包', '卒'];

/// What each piece is: looking it up is quicker than dividing.
const KINDS: [Kind; Piece::COUNT] = {
    let mut kinds = [Kind::General; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        kinds[index] = Kind::ALL[index % 7];
        index += 1;
    }
    kinds
};

impl Piece {
    /// How many different pieces there are.
    pub const COUNT: usize = 14;

    /// The piece of this side and kind.
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self(side as u8 * 7 + kind as u8)
    }

    /// All fourteen.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    pub(crate) const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// 0 for Red's general … 13 for Black's soldier.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whose it is.
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::Red } else { Side::Black }
    }

    /// What it is.
    pub const fn kind(self) -> Kind {
        KINDS[self.0 as usize]
    }

    /// The tournament letter: `KGMRNCP`, in lower case for Black.
    pub const fn letter(self) -> char {
        LETTERS[self.0 as usize] as char
    }

    /// The piece of a tournament letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        LETTERS.iter().position(|&known| known as char == letter).map(Self::from_index)
    }

    /// The Chinese character on it.
    pub const fn character(self) -> char {
        CHARACTERS[self.0 as usize]
    }
}

/// How many of each piece: the face-down ones, or those alive.
pub type Counts = [u8; Piece::COUNT];

/// A full set of 32 pieces.
pub const FULL_SET: Counts = {
    let mut counts = [0; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        counts[index] = Kind::ALL[index % 7].count();
        index += 1;
    }
    counts
};

#[test]
fn a_full_set_has_sixteen_pieces_a_side() {
    assert_eq!(FULL_SET.iter().sum::<u8>(), 32);
    for piece in Piece::all() {
        assert_eq!(Piece::new(piece.side(), piece.kind()), piece);
        assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
    }
}
