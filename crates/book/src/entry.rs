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
    /// Traps.
    pub flags: Flags,
    /// A comment.
    pub note: String,
}

/// Trap flags of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Flags {
    /// It was the favourite of a shallow search.
    pub liked: bool,
    /// A deeper search refutes this favourite: it falls into a trap.
    pub falls: bool,
    /// It sets a trap: the favourite reply of a shallow search falls into it.
    pub sets: bool,
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
        }
        self.weight = self.weight.saturating_add(other.weight);
        self.seen = self.seen.max(other.seen);
        self.flags.liked |= other.flags.liked;
        self.flags.falls |= other.flags.falls;
        self.flags.sets |= other.flags.sets;
        if self.note.is_empty() {
            self.note.clone_from(&other.note);
        }
    }
}

/// The length of a packed move without its note.
const PACKED: usize = 32;
const HAS_SCORE: u8 = 1;
const FALLS: u8 = 2;
const SETS: u8 = 4;
const LIKED: u8 = 8;
/// The longest note, in bytes.
const LONGEST_NOTE: usize = 1000;

/// Packs the moves of a position: 32 bytes a move (docs/book.md), each followed by its note.
pub(crate) fn pack(moves: &[BookMove]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(moves.len() * PACKED);
    for known in moves {
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let flags = flag(known.score.is_some(), HAS_SCORE)
            | flag(known.flags.falls, FALLS)
            | flag(known.flags.sets, SETS)
            | flag(known.flags.liked, LIKED);
        let mut note = known.note.as_str();
        while note.len() > LONGEST_NOTE {
            note = &note[..note.char_indices().next_back().map_or(0, |(at, _)| at)];
        }
        bytes.extend(known.mv.packed().to_le_bytes());
        bytes.extend([known.depth, flags]);
        bytes.extend(known.score.unwrap_or(0).to_le_bytes());
        bytes.extend(known.weight.to_le_bytes());
        for number in [known.count, known.wins, known.draws, known.losses] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(known.seen.to_le_bytes());
        bytes.extend(known.strength.to_le_bytes());
        bytes.extend((note.len() as u16).to_le_bytes());
        bytes.extend(note.as_bytes());
    }
    bytes
}

/// Undoes [`pack`]; stops at the first entry that cannot be read.
pub(crate) fn unpack(mut bytes: &[u8]) -> Vec<BookMove> {
    let mut moves = Vec::new();
    while let Some((record, rest)) = bytes.split_first_chunk::<PACKED>() {
        let u16_at = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
        let length = usize::from(u16_at(30));
        let (Some(mv), Some(note)) = (Move::from_packed(u16_at(0)), rest.get(..length)) else { break };
        let flags = record[3];
        moves.push(BookMove {
            mv,
            depth: record[2],
            score: (flags & HAS_SCORE != 0).then(|| u16_at(4) as i16),
            weight: u16_at(6) as i16,
            count: u32_at(8),
            wins: u32_at(12),
            draws: u32_at(16),
            losses: u32_at(20),
            seen: u32_at(24),
            strength: u16_at(28),
            flags: Flags { liked: flags & LIKED != 0, falls: flags & FALLS != 0, sets: flags & SETS != 0 },
            note: String::from_utf8_lossy(note).into_owned(),
        });
        bytes = &rest[length..];
    }
    moves
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
            flags: Flags { liked: true, falls: true, sets: true },
            note: "好著".to_owned(),
            ..moves[0].clone()
        };
        assert_eq!(unpack(&pack(&moves)), moves);
        assert_eq!(unpack(&pack(&moves)[..40]).len(), 1);
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
