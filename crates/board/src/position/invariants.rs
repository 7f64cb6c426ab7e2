//! Which positions are possible. Everything that builds a position from outside checks it here, so
//! that the rest of the code may rely on it.

use super::Position;
use crate::{Bitboard, Piece, PieceKind, Side, Square, attacks, zones};

/// Why a set of pieces is no position of Xiangqi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// Two pieces were put on one point.
    #[error("two pieces stand on {0}")]
    TwoPieces(Square),
    /// A side has no general.
    #[error("{0} has no general")]
    NoGeneral(Side),
    /// A side has more pieces of a kind than the game has.
    #[error("{side} has {count} {kind}s; there are at most {}", .kind.full_count())]
    TooMany {
        /// Whose pieces.
        side: Side,
        /// Of which kind.
        kind: PieceKind,
        /// How many were found.
        count: u32,
    },
    /// A general, advisor or elephant stands on a point it may not enter.
    #[error("a {piece} cannot stand on {square}: {}", zone_of(.piece.kind()))]
    OffLimits {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The generals face each other with nothing between them.
    #[error("the generals face each other on file {}", (b'a' + .0) as char)]
    GeneralsFacing(u8),
    /// The side that has just moved left its general in check.
    #[error("{0} is in check although it is not its move")]
    WaitingSideInCheck(Side),
}

/// What a position shows that no game leads to. Composed diagrams have such things, so they are
/// warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Implausible {
    /// A soldier stands behind its start or beside its file before the river.
    #[error("a {piece} cannot have reached {square}")]
    SoldierPoint {
        /// The soldier.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
}

fn zone_of(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::General => "it never leaves its palace",
        PieceKind::Advisor => "it has the five diagonal points of its palace",
        PieceKind::Elephant => "it has seven points on its own bank",
        _ => "it may stand anywhere",
    }
}

impl Position {
    /// Whether the rules allow this set of pieces with this side to move.
    pub(crate) fn check_possible(&self) -> Result<(), Impossible> {
        for side in Side::ALL {
            self.check_counts(side)?;
        }
        self.check_zones()?;
        if self.generals_face() {
            return Err(Impossible::GeneralsFacing(self.general(Side::Red).file()));
        }
        let waiting = !self.side_to_move;
        if !self.attackers_of_general(waiting).is_empty() {
            return Err(Impossible::WaitingSideInCheck(waiting));
        }
        Ok(())
    }

    /// What is possible by the rules, but reached by no game.
    pub fn implausibilities(&self) -> Vec<Implausible> {
        let stray = |side| self.pieces_of(side, PieceKind::Soldier) - zones::soldier_points(side);
        let mut found = Vec::new();
        for side in Side::ALL {
            let piece = Piece::new(side, PieceKind::Soldier);
            found.extend(stray(side).into_iter().map(|square| Implausible::SoldierPoint { piece, square }));
        }
        found
    }

    fn check_counts(&self, side: Side) -> Result<(), Impossible> {
        for kind in PieceKind::ALL {
            let count = self.pieces_of(side, kind).len();
            if kind == PieceKind::General && count == 0 {
                return Err(Impossible::NoGeneral(side));
            }
            if count > kind.full_count() {
                return Err(Impossible::TooMany { side, kind, count });
            }
        }
        Ok(())
    }

    fn check_zones(&self) -> Result<(), Impossible> {
        for (piece, square) in self.pieces_on_board() {
            if !zones::allowed(piece.side(), piece.kind()).contains(square) {
                return Err(Impossible::OffLimits { piece, square });
            }
        }
        Ok(())
    }

    fn generals_face(&self) -> bool {
        let (red, black) = (self.general(Side::Red), self.general(Side::Black));
        red.file() == black.file() && !attacks::between(red, black).meets(self.occupied())
    }

    /// The enemy pieces that attack `side`'s general.
    pub(super) fn attackers_of_general(&self, side: Side) -> Bitboard {
        let general = self.general(side);
        self.attackers_to(general, self.occupied()) & self.pieces(!side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coords::points;

    fn position(pieces: &[(Piece, &str)], side: Side) -> Result<Position, Impossible> {
        let at = |name| points(name).first().unwrap();
        Position::from_pieces(pieces.iter().map(|(piece, name)| (*piece, at(name))), side)
    }

    const GENERALS: [(Piece, &str); 2] = [(Piece::RedGeneral, "e0"), (Piece::BlackGeneral, "d9")];

    #[test]
    fn each_fault_is_reported_as_what_it_is() {
        let with = |extra: &[(Piece, &str)]| position(&[&GENERALS, extra].concat(), Side::Red).unwrap_err();
        let chariots = ["a0", "a1", "a2"].map(|point| (Piece::RedChariot, point));
        assert_eq!(with(&chariots).to_string(), "Red has 3 chariots; there are at most 2");
        assert_eq!(
            with(&[(Piece::RedAdvisor, "e2")]).to_string(),
            "a red advisor cannot stand on e2: it has the five diagonal points of its palace"
        );
        assert_eq!(
            with(&[(Piece::BlackElephant, "e2")]).to_string(),
            "a black elephant cannot stand on e2: it has seven points on its own bank"
        );
        assert_eq!(with(&[(Piece::RedHorse, "e0")]), Impossible::TwoPieces(points("e0").first().unwrap()));
        assert_eq!(with(&[(Piece::RedChariot, "d5")]), Impossible::WaitingSideInCheck(Side::Black));
        let facing = [(Piece::RedGeneral, "d0"), (Piece::BlackGeneral, "d9")];
        assert_eq!(position(&facing, Side::Red).unwrap_err(), Impossible::GeneralsFacing(3));
        assert_eq!(position(&GENERALS[..1], Side::Red).unwrap_err(), Impossible::NoGeneral(Side::Black));
    }

    #[test]
    fn soldiers_beside_their_files_are_only_warned_about() {
        let pieces = [&GENERALS[..], &[(Piece::RedSoldier, "b4"), (Piece::RedSoldier, "b5")]].concat();
        let position = position(&pieces, Side::Red).unwrap();
        let warnings: Vec<String> = position.implausibilities().iter().map(ToString::to_string).collect();
        assert_eq!(warnings, ["a red soldier cannot have reached b4"]);
    }
}
