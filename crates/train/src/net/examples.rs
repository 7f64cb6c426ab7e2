//! Training and validation examples, and the target that blends score and result.

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Piece, PieceKind, Side, Square};
use chuhe_eval::network::SCALE;
use chuhe_eval::network::features::{self, View};

use crate::{Sample, Wdl};

/// A sample as the network sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The rows of the inputs that are on, as the side to move and as the other side sees them.
    pub rows: [ArrayVec<u16, 32>; 2],
    /// The output bucket of the position.
    pub output_bucket: usize,
    /// The expected result for the side to move, 0 to 1.
    pub target: f32,
}

/// How score and result blend into the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blend {
    /// Weight of the game's result (WDL) in the target; the rest is the search's score.
    pub(super) lambda: f32,
}

/// Packed samples, split by games into a training and a validation set.
#[derive(Default)]
pub struct Examples {
    training: Vec<[u8; Sample::SIZE]>,
    validation: Vec<[u8; Sample::SIZE]>,
    /// The ply of the sample before, and the number of its game.
    last: Option<u16>,
    games: u64,
}

/// One game in this many is held out for validation. Positions of one game resemble each other, so games
/// are never split.
const GAMES_PER_VALIDATION_GAME: u64 = 64;

impl Examples {
    /// No examples.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sample. Those of one game must follow each other with growing plies.
    pub fn add(&mut self, sample: &Sample) {
        if self.last.is_none_or(|last| sample.ply <= last) {
            self.games += 1;
        }
        self.last = Some(sample.ply);
        let kind = if self.games.is_multiple_of(GAMES_PER_VALIDATION_GAME) {
            &mut self.validation
        } else {
            &mut self.training
        };
        kind.push(sample.packed());
    }

    /// The next sample starts another shard and so another game.
    pub fn end_shard(&mut self) {
        self.last = None;
    }

    /// The size of the training set.
    pub fn len(&self) -> usize {
        self.training.len()
    }

    /// Whether the training set is empty.
    pub fn is_empty(&self) -> bool {
        self.training.is_empty()
    }

    /// The validation set.
    pub fn validation(&self) -> &[[u8; Sample::SIZE]] {
        &self.validation
    }

    pub(super) fn training(&self) -> &[[u8; Sample::SIZE]] {
        &self.training
    }
}

impl Blend {
    /// The expected result of a score and an outcome.
    pub(super) fn target(self, score: f32, outcome: Wdl) -> f32 {
        self.lambda * outcome.points() + (1.0 - self.lambda) * sigmoid(score / SCALE as f32)
    }
}

/// The logistic sigmoid: the expected result of a score in units of [`SCALE`].
pub(super) fn sigmoid(units: f32) -> f32 {
    1.0 / (1.0 + (-units).exp())
}

impl Example {
    /// The example of a packed sample. If `mirrored`, sides whose general stands on its middle file
    /// see the board mirrored: both views are valid there, and the network should learn both.
    ///
    /// # Panics
    /// If the bytes were never checked by [`Sample::unpacked`].
    pub(super) fn of(bytes: &[u8; Sample::SIZE], blend: Blend, mirrored: bool) -> Self {
        let pieces = pieces(bytes);
        let count = |wanted: Piece| pieces.iter().filter(|(piece, _)| *piece == wanted).count();
        let chariots = |side| count(Piece::new(side, PieceKind::Chariot));
        let views = Side::ALL.map(|side| {
            let general = Piece::new(side, PieceKind::General);
            let (_, square) =
                pieces.iter().find(|(piece, _)| *piece == general).expect("samples were checked");
            let view = View::of(side, *square, [side, !side].map(chariots));
            if mirrored && square.file() == 4 { view.in_mirror() } else { view }
        });
        let flags = u16::from_le_bytes([bytes[30], bytes[31]]);
        let mover = if flags & 1 == 0 { Side::Red } else { Side::Black };
        let outcome = match flags >> 1 & 3 {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            _ => Wdl::Win,
        };
        let score = f32::from(i16::from_le_bytes([bytes[28], bytes[29]]));
        let rows = [mover, !mover].map(|side| {
            let view = views[side.index()];
            pieces.iter().map(|&(piece, square)| view.row(piece, square) as u16).collect()
        });
        let attacks = |kind| matches!(kind, PieceKind::Chariot | PieceKind::Horse | PieceKind::Cannon);
        let attackers = pieces.iter().filter(|(piece, _)| attacks(piece.kind())).count();
        Self {
            rows,
            output_bucket: features::output_bucket_of(attackers),
            target: blend.target(score, outcome),
        }
    }
}

fn pieces(bytes: &[u8; Sample::SIZE]) -> ArrayVec<(Piece, Square), 32> {
    let mut bits = [0; 16];
    bits[..12].copy_from_slice(&bytes[..12]);
    let points = Bitboard::from_bits(u128::from_le_bytes(bits)).into_iter().enumerate();
    let piece = |index: usize| Piece::ALL[usize::from(bytes[12 + index / 2] >> (index % 2 * 4) & 0xF)];
    points.map(|(index, square)| (piece(index), square)).collect()
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::*;

    fn sample(fen: &str, ply: u16) -> Sample {
        let score = Score::centisoldiers(SCALE);
        Sample { position: fen.parse().unwrap(), score, outcome: Wdl::Draw, ply }
    }

    const FEN: &str = "2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B2KB2 b";

    #[test]
    fn an_example_sees_what_the_engine_sees() {
        let sample = sample(FEN, 9);
        let example = Example::of(&sample.packed(), Blend { lambda: 0.25 }, false);
        let [red, black] = View::both(&sample.position);
        for (rows, view) in example.rows.iter().zip([black, red]) {
            let expected: Vec<u16> = sample
                .position
                .pieces_on_board()
                .map(|(piece, square)| view.row(piece, square) as u16)
                .collect();
            assert_eq!(rows.as_slice(), expected);
        }
        assert_eq!(example.output_bucket, features::output_bucket(&sample.position));
        let target = 0.25 * 0.5 + 0.75 / (1.0 + (-1f32).exp());
        assert!((example.target - target).abs() < 1e-6);
    }

    #[test]
    fn a_mirrored_example_is_the_example_of_the_mirrored_board() {
        let blend = Blend { lambda: 0.0 };
        let plain = sample(FEN, 9);
        let position: Position = plain.position.mirrored();
        let sorted = |example: Example| {
            example.rows.map(|rows| {
                let mut rows = rows.to_vec();
                rows.sort_unstable();
                rows
            })
        };
        let mirrored = Example::of(&Sample { position, ..plain.clone() }.packed(), blend, false);
        assert_eq!(sorted(Example::of(&plain.packed(), blend, true)), sorted(mirrored));
    }

    #[test]
    fn games_are_never_split() {
        let mut examples = Examples::new();
        for _ in 0..2 * GAMES_PER_VALIDATION_GAME {
            for ply in [4, 7, 8] {
                examples.add(&sample(FEN, ply));
            }
        }
        assert_eq!(examples.validation().len(), 6);
        assert_eq!(examples.len(), 3 * 2 * GAMES_PER_VALIDATION_GAME as usize - 6);
    }
}
