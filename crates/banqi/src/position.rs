//! A position: revealed pieces, the pool of hidden ones, and the side to move.

use crate::moves::{Move, MoveList};
use crate::piece::{Counts, FULL_SET, Piece, Side};
use crate::random::Random;
use crate::rules::{Captures, PieceMask};
use crate::square::{Square, SquareSet, jumps};

/// What a square shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The back of a piece.
    FaceDown,
    /// A piece.
    Shown(Piece),
}

/// The code of a face-down piece in `cells`; smaller ones are pieces.
const FACE_DOWN: u8 = 14;
const EMPTY: u8 = 15;

/// Why a position cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// A set has fewer of them.
    #[error("there are {found} of '{letter}', a set has {set}")]
    TooMany {
        /// The piece's letter.
        letter: char,
        /// How many there are, shown and face down.
        found: u8,
        /// How many a full set has.
        set: u8,
    },
    /// Backs and pool must match.
    #[error("{down} pieces lie face down, but the pool holds {pool}")]
    PoolMismatch {
        /// Face-down pieces on the board.
        down: u32,
        /// Pieces in the pool.
        pool: u32,
    },
    /// Before the first flip nothing is known, afterwards colours are.
    #[error("no side has a colour yet, but pieces have been turned over or taken")]
    ColoursUnknown,
}

/// A position. Copied rather than taken back: it is small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    cells: [u8; Square::COUNT],
    by_piece: [SquareSet; Piece::COUNT],
    by_side: [SquareSet; 2],
    face_down: SquareSet,
    pool: Counts,
    /// Shown or face down, by piece, by side, and packed as [`packed_counts`] does.
    alive: Counts,
    alive_by_side: [u8; 2],
    alive_packed: u64,
    side: Side,
    /// Nobody has flipped yet; the first flip decides the colours.
    undecided: bool,
    quiet: u16,
    key: u64,
}

impl Position {
    /// All 32 pieces face down, no side has a colour.
    pub fn start() -> Self {
        Self::new(&[Cell::FaceDown; Square::COUNT], FULL_SET, None, 0)
            .expect("the start position is possible")
    }

    /// A position from what the squares show, the pool of what lies face down, the side to move (`None`
    /// before the first flip) and the plies since the last flip or capture.
    pub fn new(
        cells: &[Cell; Square::COUNT],
        pool: Counts,
        side: Option<Side>,
        quiet: u16,
    ) -> Result<Self, Impossible> {
        let mut position = Self {
            cells: [EMPTY; Square::COUNT],
            by_piece: [SquareSet::EMPTY; Piece::COUNT],
            by_side: [SquareSet::EMPTY; 2],
            face_down: SquareSet::EMPTY,
            pool,
            alive: pool,
            alive_by_side: [0; 2],
            alive_packed: 0,
            side: side.unwrap_or(Side::Red),
            undecided: side.is_none(),
            quiet,
            key: 0,
        };
        for (square, &cell) in Square::all().zip(cells) {
            match cell {
                Cell::Empty => {}
                Cell::FaceDown => {
                    position.cells[square.index()] = FACE_DOWN;
                    position.face_down.insert(square);
                }
                Cell::Shown(piece) => {
                    position.put(piece, square);
                    position.alive[piece.index()] = position.alive[piece.index()].saturating_add(1);
                }
            }
        }
        position.validate()?;
        position.alive_by_side = [0, 7].map(|first| position.alive[first..][..7].iter().sum());
        position.alive_packed = packed_counts(&position.alive);
        position.key = position.key_from_scratch();
        Ok(position)
    }

    fn validate(&self) -> Result<(), Impossible> {
        for piece in Piece::all() {
            let (found, set) = (self.alive[piece.index()], FULL_SET[piece.index()]);
            if found > set {
                return Err(Impossible::TooMany { letter: piece.letter(), found, set });
            }
        }
        let pool = self.pool.iter().map(|&count| u32::from(count)).sum();
        let down = self.face_down.len();
        if pool != down {
            return Err(Impossible::PoolMismatch { down, pool });
        }
        if self.undecided && down < Square::COUNT as u32 {
            return Err(Impossible::ColoursUnknown);
        }
        Ok(())
    }

    fn put(&mut self, piece: Piece, square: Square) {
        self.cells[square.index()] = piece.index() as u8;
        self.by_piece[piece.index()].insert(square);
        self.by_side[piece.side().index()].insert(square);
    }

    /// What a square shows.
    pub fn cell(&self, square: Square) -> Cell {
        match self.cells[square.index()] {
            EMPTY => Cell::Empty,
            FACE_DOWN => Cell::FaceDown,
            piece => Cell::Shown(Piece::from_index(piece.into())),
        }
    }

    /// The piece shown on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let code = self.cells[square.index()];
        (code < FACE_DOWN).then(|| Piece::from_index(code.into()))
    }

    /// Where this piece is shown.
    #[inline]
    pub fn squares_of(&self, piece: Piece) -> SquareSet {
        self.by_piece[piece.index()]
    }

    /// Where a side's pieces are shown.
    #[inline]
    pub fn shown(&self, side: Side) -> SquareSet {
        self.by_side[side.index()]
    }

    /// Where pieces lie face down.
    #[inline]
    pub fn face_down(&self) -> SquareSet {
        self.face_down
    }

    /// Where anything lies.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.by_side[0] | self.by_side[1] | self.face_down
    }

    /// How many of each piece lie face down.
    pub fn pool(&self) -> &Counts {
        &self.pool
    }

    /// How many of each piece have not been taken.
    pub fn alive(&self) -> &Counts {
        &self.alive
    }

    /// How many pieces of a side have not been taken.
    #[inline]
    pub fn count_alive(&self, side: Side) -> u8 {
        self.alive_by_side[side.index()]
    }

    /// The pieces alive as one number.
    #[inline]
    pub(crate) fn alive_packed(&self) -> u64 {
        self.alive_packed
    }

    /// Whose turn it is; unknown before the first flip.
    pub fn side_to_move(&self) -> Option<Side> {
        (!self.undecided).then_some(self.side)
    }

    /// Whose turn it is, and Red before the first flip.
    #[inline]
    pub(crate) fn mover(&self) -> Side {
        self.side
    }

    /// Plies since the last flip or capture.
    #[inline]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// The position's key: squares, pool and side to move, but not the quiet plies.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whether what is kept up from move to move is what it should be: for tests.
    pub fn is_consistent(&self) -> bool {
        let by_side = [0, 7].map(|first| self.alive[first..][..7].iter().sum::<u8>());
        self.key == self.key_from_scratch()
            && self.alive_by_side == by_side
            && self.alive_packed == packed_counts(&self.alive)
    }

    /// The key computed afresh.
    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.undecided { KEYS.undecided } else { 0 };
        if self.side == Side::Black {
            key ^= KEYS.black_to_move;
        }
        for square in Square::all() {
            key ^= KEYS.cells[self.cells[square.index()] as usize][square.index()];
        }
        for piece in Piece::all() {
            key ^= KEYS.pool[piece.index()][self.pool[piece.index()] as usize];
        }
        key
    }

    /// All legal moves: captures, then steps, then flips.
    pub fn moves(&self, captures: &Captures) -> MoveList {
        let mut list = MoveList::new();
        self.captures_into(captures, &mut list);
        self.steps_into(&mut list);
        self.flips_into(&mut list);
        list
    }

    /// The captures of the side to move.
    #[inline]
    pub(crate) fn captures_into(&self, captures: &Captures, list: &mut MoveList) {
        if self.undecided {
            return;
        }
        let enemies = self.shown(self.side.opponent());
        // Most positions have no enemy beside one's pieces: look before working.
        let beside = enemies & self.shown(self.side).spread();
        for victim_square in beside {
            let victim = self.piece_on(victim_square).expect("an enemy stands here");
            for from in victim_square.neighbours() & self.shown(self.side) {
                let hunter = self.piece_on(from).expect("an own piece stands here");
                if captures.by_step(hunter, victim) {
                    list.push(Move::new(from, victim_square));
                }
            }
        }
        let cannon = Piece::new(self.side, crate::piece::Kind::Cannon);
        if captures.by_jump(cannon) {
            for from in self.squares_of(cannon) {
                // A jump ends at least two squares away, so it is never also a step.
                for to in jumps(from, self.occupied()) & enemies {
                    list.push(Move::new(from, to));
                }
            }
        }
    }

    /// The steps to empty squares of the side to move.
    #[inline]
    pub(crate) fn steps_into(&self, list: &mut MoveList) {
        if self.undecided {
            return;
        }
        let empty = !self.occupied();
        for from in self.shown(self.side) {
            for to in from.neighbours() & empty {
                list.push(Move::new(from, to));
            }
        }
    }

    pub(crate) fn flips_into(&self, list: &mut MoveList) {
        list.extend(self.face_down.map(Move::flip));
    }

    /// Whether the side to move has a legal move.
    pub fn can_move(&self, captures: &Captures) -> bool {
        if !self.face_down.is_empty() {
            return true;
        }
        if !(self.shown(self.side).spread() - self.occupied()).is_empty() {
            return true;
        }
        let mut list = MoveList::new();
        self.captures_into(captures, &mut list);
        !list.is_empty()
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, captures: &Captures, mv: Move) -> bool {
        if mv.is_flip() {
            return self.face_down.has(mv.from());
        }
        if self.undecided {
            return false;
        }
        let Some(mover) = self.piece_on(mv.from()).filter(|piece| piece.side() == self.side) else {
            return false;
        };
        let beside = mv.from().neighbours().has(mv.to());
        match self.cell(mv.to()) {
            Cell::Empty => beside,
            Cell::FaceDown => false,
            Cell::Shown(victim) if victim.side() == self.side => false,
            Cell::Shown(victim) if beside => captures.by_step(mover, victim),
            Cell::Shown(_) => captures.by_jump(mover) && jumps(mv.from(), self.occupied()).has(mv.to()),
        }
    }

    /// Plays a step or capture, which must be legal. Returns what was taken.
    #[inline]
    pub fn play_step(&mut self, mv: Move) -> Option<Piece> {
        let (from, to) = (mv.from(), mv.to());
        let mover = self.piece_on(from).expect("a legal step starts on a piece");
        let taken = self.piece_on(to);
        self.quiet += 1;
        if let Some(taken) = taken {
            self.by_piece[taken.index()].remove(to);
            self.by_side[taken.side().index()].remove(to);
            self.alive[taken.index()] -= 1;
            self.alive_by_side[taken.side().index()] -= 1;
            self.alive_packed -= 1 << (3 * taken.index());
            self.quiet = 0;
        }
        self.change(from, EMPTY);
        self.change(to, mover.index() as u8);
        let both = |set: &mut SquareSet| {
            set.remove(from);
            set.insert(to);
        };
        both(&mut self.by_piece[mover.index()]);
        both(&mut self.by_side[mover.side().index()]);
        self.pass_turn();
        taken
    }

    /// Turns over a face-down piece, which shows a piece of the pool.
    #[inline]
    pub fn play_flip(&mut self, square: Square, shown: Piece) {
        debug_assert!(self.face_down.has(square) && self.pool[shown.index()] > 0);
        let count = &mut self.pool[shown.index()];
        self.key ^= KEYS.pool[shown.index()][*count as usize];
        *count -= 1;
        self.key ^= KEYS.pool[shown.index()][*count as usize];
        self.change(square, shown.index() as u8);
        self.face_down.remove(square);
        self.by_piece[shown.index()].insert(square);
        self.by_side[shown.side().index()].insert(square);
        self.quiet = 0;
        if self.undecided {
            self.undecided = false;
            self.key ^= KEYS.undecided;
            self.set_mover(shown.side());
        }
        self.pass_turn();
    }

    /// The turn goes to the other side; on its own, a pass, which is no legal move.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.set_mover(self.side.opponent());
    }

    fn set_mover(&mut self, side: Side) {
        if side != self.side {
            self.side = side;
            self.key ^= KEYS.black_to_move;
        }
    }

    #[inline]
    fn change(&mut self, square: Square, code: u8) {
        let cell = &mut self.cells[square.index()];
        self.key ^= KEYS.cells[*cell as usize][square.index()] ^ KEYS.cells[code as usize][square.index()];
        *cell = code;
    }

    /// The shown pieces that are in the mask.
    #[inline]
    pub(crate) fn squares_of_mask(&self, mut mask: PieceMask) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        while mask != 0 {
            set |= self.by_piece[mask.trailing_zeros() as usize & 15];
            mask &= mask - 1;
        }
        set
    }
}

/// Three bits a piece.
fn packed_counts(counts: &Counts) -> u64 {
    counts.iter().rev().fold(0, |packed, &count| packed << 3 | u64::from(count))
}

struct Keys {
    cells: [[u64; Square::COUNT]; 16],
    pool: [[u64; 6]; Piece::COUNT],
    black_to_move: u64,
    undecided: u64,
}

static KEYS: Keys = {
    let mut random = Random::new(0x6461_726B_6368_6573);
    let mut keys = Keys {
        cells: [[0; Square::COUNT]; 16],
        pool: [[0; 6]; Piece::COUNT],
        black_to_move: 0,
        undecided: 0,
    };
    let mut code = 0;
    // Empty squares have no key of their own.
    while code < EMPTY as usize {
        let mut square = 0;
        while square < Square::COUNT {
            keys.cells[code][square] = random.next();
            square += 1;
        }
        code += 1;
    }
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut count = 1;
        while count < 6 {
            keys.pool[piece][count] = random.next();
            count += 1;
        }
        piece += 1;
    }
    keys.black_to_move = random.next();
    keys.undecided = random.next();
    keys
};
