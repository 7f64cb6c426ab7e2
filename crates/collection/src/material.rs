//! What is on the board, regardless of where.

use std::str::FromStr;

use chuhe_board::{Piece, PieceKind, Position};

/// The pieces of both sides. If it has neither advisors nor elephants, it stands for all positions with the
/// same attackers, whatever guards them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    counts: [u8; 14],
}

/// A text that names no material.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMaterial {
    /// A character is no piece.
    #[error("'{0}' in the material is no piece: expected letters such as RNCP for Red and rncp for Black")]
    Letter(char),
    /// There are more pieces of a kind than a game has.
    #[error("the material has more of '{0}' than a game")]
    TooMany(char),
}

/// Reads letters as FENs have them, in any order; spaces and generals are left out.
impl FromStr for Material {
    type Err = BadMaterial;

    fn from_str(text: &str) -> Result<Self, BadMaterial> {
        let mut counts = [0; 14];
        for letter in text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-') {
            let piece = Piece::from_letter(letter).ok_or(BadMaterial::Letter(letter))?;
            if piece.kind() == PieceKind::General {
                continue;
            }
            counts[piece.index()] += 1;
            let most = if piece.kind() == PieceKind::Soldier { 5 } else { 2 };
            if counts[piece.index()] > most {
                return Err(BadMaterial::TooMany(letter));
            }
        }
        Ok(Self { counts })
    }
}

const GUARDS: [PieceKind; 2] = [PieceKind::Advisor, PieceKind::Elephant];

impl Material {
    /// All that is on the board.
    fn of(position: &Position) -> Self {
        let mut counts = [0; 14];
        for (piece, _) in position.pieces_on_board().filter(|(piece, _)| piece.kind() != PieceKind::General) {
            counts[piece.index()] += 1;
        }
        Self { counts }
    }

    fn without_guards(&self) -> Self {
        let mut counts = self.counts;
        for piece in Piece::ALL.into_iter().filter(|piece| GUARDS.contains(&piece.kind())) {
            counts[piece.index()] = 0;
        }
        Self { counts }
    }

    /// The keys by which a position is found for its material: with and without its guards.
    pub(super) fn keys(position: &Position) -> [u64; 2] {
        let whole = Self::of(position);
        [whole.exact_key(), whole.without_guards().attackers_key()]
    }

    /// The key to search for.
    pub(super) fn key(&self) -> u64 {
        if self == &self.without_guards() { self.attackers_key() } else { self.exact_key() }
    }

    fn exact_key(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64_with_seed(&self.counts, 1)
    }

    fn attackers_key(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64_with_seed(&self.counts, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(material: &str, fen: &str) -> bool {
        Material::keys(&fen.parse().unwrap()).contains(&material.parse::<Material>().unwrap().key())
    }

    #[test]
    fn guards_count_only_if_they_are_named() {
        let fen = "3ak4/9/9/9/9/9/4P4/9/4A4/2R1K4 w";
        assert!(matches("RP", fen) && matches("KPR-k", fen) && matches("RPA a", fen));
        assert!(!matches("RPA", fen) && !matches("R", fen) && !matches("RP r", fen));
    }

    #[test]
    fn what_is_no_material_is_named() {
        assert_eq!("Rx".parse::<Material>(), Err(BadMaterial::Letter('x')));
        assert_eq!("RRR".parse::<Material>(), Err(BadMaterial::TooMany('R')));
    }
}
