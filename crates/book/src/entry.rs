//! A book entry: one move with its statistics, and its packed form.

use chuhe_board::Move;
use serde::{Deserialize, Serialize};

/// A book move. Wins, losses and scores are those of the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often it was played.
    pub count: u32,
    /// How often it won.
    pub wins: u32,
    /// How often it was drawn.
    pub draws: u32,
    /// How often it lost.
    pub losses: u32,
    /// The average rating of its players; 0 if unknown.
    pub strength: u16,
    /// The engine's score in centisoldiers, if it was searched.
    pub score: Option<i16>,
    /// The depth of that search.
    pub depth: u8,
    /// A preference in thousandths of a point, set by the author or by learning.
    pub weight: i16,
    /// When it was last seen, in days since 1970; 0 if not known.
    pub seen: u32,
    /// Traps, theory and where the score comes from.
    pub flags: Flags,
    /// A comment.
    pub note: String,
}

/// Flags of a move: traps, theory, and where its score comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Flags {
    /// It was the favourite of a shallow search.
    pub liked: bool,
    /// A deeper search refutes this favourite: it falls into a trap.
    pub falls: bool,
    /// It sets a trap: the favourite reply of a shallow search falls into it.
    pub sets: bool,
    /// It is a move of a named line.
    pub theory: bool,
    /// Its position had no search of its own: move and score are from the principal variation of an earlier one.
    pub inherited: bool,
}

impl BookMove {
    /// A move without statistics.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            count: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            strength: 0,
            score: None,
            depth: 0,
            weight: 0,
            seen: 0,
            flags: Flags::default(),
            note: String::new(),
        }
    }

    /// The entry in the mirror image of the position if `mirrored`.
    #[must_use]
    pub fn turned(mut self, mirrored: bool) -> Self {
        if mirrored {
            self.mv = self.mv.mirrored();
        }
        self
    }

    /// Games with a known result.
    pub const fn decided(&self) -> u32 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The score rate, from 0 to 1, in games with a known result.
    pub fn rate(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.decided() > 0).then(|| points / f64::from(self.decided()))
    }

    /// Adds the entry of another book for the same move.
    pub fn merge(&mut self, other: &Self) {
        let rated = |known: &Self| if known.strength == 0 { 0 } else { u64::from(known.count.max(1)) };
        let weight = (rated(self), rated(other));
        let sum = u64::from(self.strength) * weight.0 + u64::from(other.strength) * weight.1;
        self.strength = sum.checked_div(weight.0 + weight.1).unwrap_or(0) as u16;
        self.count = self.count.saturating_add(other.count);
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        if other.score.is_some() && (self.score.is_none() || other.depth >= self.depth) {
            self.score = other.score;
            self.depth = other.depth;
            self.flags.inherited = other.flags.inherited;
        }
        self.weight = self.weight.saturating_add(other.weight);
        self.seen = self.seen.max(other.seen);
        self.flags.liked |= other.flags.liked;
        self.flags.falls |= other.flags.falls;
        self.flags.sets |= other.flags.sets;
        self.flags.theory |= other.flags.theory;
        if self.note.is_empty() {
            self.note.clone_from(&other.note);
        }
    }
}

/// The length of the head of a packed move: move, depth, flags and score.
const HEAD: usize = 6;
/// The length of the rest without the note: weight, games and results, day, rating, length of the note.
const TAIL: usize = 26;
const HAS_SCORE: u8 = 1;
const FALLS: u8 = 2;
const SETS: u8 = 4;
const LIKED: u8 = 8;
const THEORY: u8 = 16;
const INHERITED: u8 = 32;
/// Only in the short form: the tail is there.
const HAS_TAIL: u8 = 64;
/// The longest note, in bytes.
const LONGEST_NOTE: usize = 1000;

impl Flags {
    fn bits(&self) -> [(bool, u8); 5] {
        let Self { liked, falls, sets, theory, inherited } = *self;
        [(liked, LIKED), (falls, FALLS), (sets, SETS), (theory, THEORY), (inherited, INHERITED)]
    }

    fn packed(self) -> u8 {
        self.bits().into_iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit).sum()
    }

    fn unpacked(bits: u8) -> Self {
        let has = |bit| bits & bit != 0;
        Self {
            liked: has(LIKED),
            falls: has(FALLS),
            sets: has(SETS),
            theory: has(THEORY),
            inherited: has(INHERITED),
        }
    }
}

impl BookMove {
    /// Writes weight, games and results, day, rating and note.
    fn write_tail(&self, bytes: &mut Vec<u8>) {
        let mut note = self.note.as_str();
        while note.len() > LONGEST_NOTE {
            note = &note[..note.char_indices().next_back().map_or(0, |(at, _)| at)];
        }
        bytes.extend(self.weight.to_le_bytes());
        for number in [self.count, self.wins, self.draws, self.losses, self.seen] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.strength.to_le_bytes());
        bytes.extend((note.len() as u16).to_le_bytes());
        bytes.extend(note.as_bytes());
    }

    /// Undoes [`Self::write_tail`]; returns what is behind it.
    fn read_tail<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (tail, rest) = bytes.split_first_chunk::<TAIL>()?;
        let u16_at = |at: usize| u16::from_le_bytes([tail[at], tail[at + 1]]);
        let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
        let (note, rest) = rest.split_at_checked(usize::from(u16_at(24)))?;
        self.weight = u16_at(0) as i16;
        (self.count, self.wins, self.draws, self.losses) = (u32_at(2), u32_at(6), u32_at(10), u32_at(14));
        (self.seen, self.strength) = (u32_at(18), u16_at(22));
        self.note = String::from_utf8_lossy(note).into_owned();
        Some(rest)
    }

    /// Whether it has more than move, flags, score and depth.
    fn has_tail(&self) -> bool {
        let Self { weight, count, wins, draws, losses, seen, strength, .. } = *self;
        let numbers = [count, wins, draws, losses, seen, strength.into()];
        weight != 0 || numbers != [0; 6] || !self.note.is_empty()
    }

    fn packed_flags(&self) -> u8 {
        self.flags.packed() | if self.score.is_some() { HAS_SCORE } else { 0 }
    }
}

/// Packs the moves of a position for a store: 32 bytes a move (docs/book.md), each followed by its note.
#[cfg(any(test, feature = "databases"))]
pub(crate) fn pack(moves: &[BookMove]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(moves.len() * (HEAD + TAIL));
    for known in moves {
        bytes.extend(known.mv.packed().to_le_bytes());
        bytes.extend([known.depth, known.packed_flags()]);
        bytes.extend(known.score.unwrap_or(0).to_le_bytes());
        known.write_tail(&mut bytes);
    }
    bytes
}

/// Undoes [`pack`]; stops at the first entry that cannot be read.
pub(crate) fn unpack(mut bytes: &[u8]) -> Vec<BookMove> {
    let mut moves = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() {
        let Some(mv) = Move::from_packed(u16::from_le_bytes([head[0], head[1]])) else { break };
        let score = (head[3] & HAS_SCORE != 0).then(|| i16::from_le_bytes([head[4], head[5]]));
        let flags = Flags::unpacked(head[3]);
        let mut known = BookMove { depth: head[2], score, flags, ..BookMove::new(mv) };
        let Some(rest) = known.read_tail(rest) else { break };
        moves.push(known);
        bytes = rest;
    }
    moves
}

/// Packs the moves of a position for a book file: 2 packed move, 1 flags; 2 score and 1 depth if there is a score; the
/// tail of the long form if there is more. A move that was only searched takes 6 bytes.
pub(crate) fn pack_short(moves: &[BookMove]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(moves.len() * HEAD);
    for known in moves {
        bytes.extend(known.mv.packed().to_le_bytes());
        bytes.push(known.packed_flags() | if known.has_tail() { HAS_TAIL } else { 0 });
        if let Some(score) = known.score {
            bytes.extend(score.to_le_bytes());
            bytes.push(known.depth);
        }
        if known.has_tail() {
            known.write_tail(&mut bytes);
        }
    }
    bytes
}

/// Undoes [`pack_short`]; stops at the first entry that cannot be read.
pub(crate) fn unpack_short(mut bytes: &[u8]) -> Vec<BookMove> {
    let mut moves = Vec::new();
    while let Some((known, rest)) = read_short(bytes) {
        moves.push(known);
        bytes = rest;
    }
    moves
}

fn read_short(bytes: &[u8]) -> Option<(BookMove, &[u8])> {
    let (head, mut rest) = bytes.split_first_chunk::<3>()?;
    let mv = Move::from_packed(u16::from_le_bytes([head[0], head[1]]))?;
    let mut known = BookMove { flags: Flags::unpacked(head[2]), ..BookMove::new(mv) };
    if head[2] & HAS_SCORE != 0 {
        let (score, behind) = rest.split_first_chunk::<3>()?;
        (known.score, known.depth) = (Some(i16::from_le_bytes([score[0], score[1]])), score[2]);
        rest = behind;
    }
    if head[2] & HAS_TAIL != 0 {
        rest = known.read_tail(rest)?;
    }
    Some((known, rest))
}

/// Merges lists of moves; the entries of the same move add up.
pub fn merge_moves(known: &mut Vec<BookMove>, news: &[BookMove]) {
    for new in news {
        match known.iter_mut().find(|known| known.mv == new.mv) {
            Some(known) => known.merge(new),
            None => known.push(new.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn packing_keeps_everything() {
        let mut moves: Vec<BookMove> = Position::start().moves().into_iter().map(BookMove::new).collect();
        moves[0] = BookMove {
            count: 70_000,
            wins: 3,
            draws: 2,
            losses: 1,
            strength: 2400,
            score: Some(-31),
            depth: 12,
            weight: -5,
            seen: 20_000,
            flags: Flags { liked: true, falls: true, sets: true, theory: true, inherited: true },
            note: "好著".to_owned(),
            ..moves[0].clone()
        };
        assert_eq!(unpack(&pack(&moves)), moves);
        assert_eq!(unpack(&pack(&moves)[..40]).len(), 1);
        moves[1] = BookMove { score: Some(12), depth: 9, ..moves[1].clone() };
        assert_eq!(unpack_short(&pack_short(&moves)), moves);
        assert_eq!(pack_short(&moves[1..3]).len(), 6 + 3);
        assert_eq!(unpack_short(&pack_short(&moves)[..20]), [], "cut within the tail of the first");
    }

    #[test]
    fn merging_adds_up_and_prefers_the_deeper_score() {
        let mv = Position::start().moves()[0];
        let mut one =
            BookMove { count: 1, wins: 1, strength: 2000, score: Some(10), depth: 8, ..BookMove::new(mv) };
        let other =
            BookMove { count: 3, losses: 3, strength: 2400, score: Some(-9), depth: 6, ..BookMove::new(mv) };
        one.merge(&other);
        assert_eq!((one.count, one.wins, one.losses, one.strength, one.score), (4, 1, 3, 2300, Some(10)));
        assert_eq!(one.rate(), Some(0.25));
    }
}
