//! The patterns of mates (殺法), read off the final position.
//!
//! A piece takes part in a mate if the mate is none without it. Most patterns are named by who takes part, who checks and over
//! which screen.

use chuhe_board::{Bitboard, Piece, PieceKind, Position, Side, Square, attacks};

use crate::Theme;

/// The patterns of a position whose side to move has no moves.
pub(crate) fn patterns(mated: &Position) -> Vec<Theme> {
    if !mated.is_in_check() {
        return vec![Theme::Stalemate];
    }
    Mate::of(mated).patterns()
}

struct Mate<'a> {
    position: &'a Position,
    attacker: Side,
    general: Square,
    /// Attackers that give check.
    checkers: Bitboard,
    /// Attackers without which it is no mate.
    partakers: Bitboard,
}

impl<'a> Mate<'a> {
    fn of(position: &'a Position) -> Self {
        let defender = position.side_to_move();
        let partakers = (position.pieces(!defender) - position.general(!defender))
            .into_iter()
            .filter(|square| !is_mate_without(position, *square))
            .fold(Bitboard::EMPTY, |set, square| set | square);
        Self {
            position,
            attacker: !defender,
            general: position.general(defender),
            checkers: position.legality().checkers(),
            partakers,
        }
    }

    fn patterns(&self) -> Vec<Theme> {
        let mut found = Vec::new();
        found.extend(self.cannon_mate());
        found.extend(self.horse_mate());
        found.extend(self.team_mate());
        if self.is_by_facing_general() {
            found.push(Theme::FacingGeneral);
        }
        found
    }

    /// Partakers of a kind.
    fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.partakers & self.position.pieces_of(self.attacker, kind)
    }

    fn has_checker(&self, kind: PieceKind) -> bool {
        self.checkers.meets(self.position.pieces_of(self.attacker, kind))
    }

    /// Mates by a cannon, by its screen.
    fn cannon_mate(&self) -> Option<Theme> {
        let cannon = (self.checkers & self.position.kind(PieceKind::Cannon)).first()?;
        let screen = (attacks::between(cannon, self.general) & self.position.occupied()).first()?;
        let screen = self.position.piece_on(screen)?;
        match (screen.side() == self.attacker, screen.kind()) {
            (true, PieceKind::Horse) => Some(Theme::CannonBehindHorse),
            (true, PieceKind::Cannon) => Some(Theme::DoubleCannon),
            (false, PieceKind::Advisor | PieceKind::Elephant) => Some(Theme::SmotheredPalace),
            _ => None,
        }
    }

    /// Where the horses that take part stand, seen from their own side.
    fn horse_mate(&self) -> Vec<Theme> {
        let horses = self.of_kind(PieceKind::Horse);
        if horses.len() == 2 && self.has_checker(PieceKind::Horse) {
            return vec![Theme::DoubleHorses];
        }
        horses.into_iter().filter_map(|horse| self.horse_place(horse)).collect()
    }

    fn horse_place(&self, horse: Square) -> Option<Theme> {
        let seen = horse.seen_by(self.attacker);
        let general = self.general.seen_by(self.attacker);
        let checks = self.checkers.contains(horse);
        match (seen.file(), seen.rank()) {
            (2 | 6, 8) => Some(Theme::TroughHorse),
            (3 | 5, 7) if checks => Some(Theme::PalaceCornerHorse),
            // The general stands in the corner across.
            (3 | 5, 7) if general.rank() == 9 && general.file().abs_diff(seen.file()) == 2 => {
                Some(Theme::OctagonHorse)
            }
            (2 | 6, 7) => Some(Theme::AnglerHorse),
            _ => None,
        }
    }

    /// Mates named after the pieces that work together.
    fn team_mate(&self) -> Option<Theme> {
        use PieceKind::{Cannon, Chariot, Horse, Soldier};
        let (chariots, cannons) = (self.of_kind(Chariot), self.of_kind(Cannon));
        let (horses, soldiers) = (self.of_kind(Horse), self.of_kind(Soldier));
        let palace = chuhe_board::zones::palace(!self.attacker);
        let on_middle_file = cannons & Bitboard::file(4);
        let bolts = !on_middle_file.is_empty() && !self.checkers.meets(on_middle_file);
        if cannons.len() == 2 && bolts && cannons.meets(Bitboard::rank(self.general.rank())) {
            Some(Theme::HeavenEarthCannons)
        } else if bolts && (self.has_checker(Chariot) || self.has_checker(Soldier)) {
            Some(Theme::IronBolt)
        } else if cannons.len() == 2 && !chariots.is_empty() {
            Some(Theme::ChariotAndCannons)
        } else if chariots.len() == 2 && self.has_checker(Chariot) {
            Some(Theme::DoubleChariots)
        } else if (soldiers & palace).len() == 2 {
            Some(Theme::TwoSoldiers)
        } else if !chariots.is_empty() && !horses.is_empty() && self.partakers == (chariots | horses) {
            Some(Theme::ChariotAndHorse)
        } else {
            None
        }
    }

    /// Whether it would be no mate with the own general on another file.
    fn is_by_facing_general(&self) -> bool {
        let own = self.position.general(self.attacker);
        let elsewhere = Bitboard::rank(own.rank()) & chuhe_board::zones::palace(self.attacker);
        let free = elsewhere - self.position.occupied();
        free.into_iter().filter(|square| square.file() != own.file()).any(|square| {
            let pieces = self
                .position
                .pieces_on_board()
                .map(|(piece, at)| if at == own { (piece, square) } else { (piece, at) });
            is_mate(pieces, self.position.side_to_move()) == Some(false)
        })
    }
}

/// Whether it is still mate when the piece on a point is taken off. If the generals would face each other, it is not told apart and
/// the piece counts as idle.
fn is_mate_without(position: &Position, square: Square) -> bool {
    let others = position.pieces_on_board().filter(|(_, at)| *at != square);
    is_mate(others, position.side_to_move()).unwrap_or(true)
}

/// Whether the side to move is mated; `None` if the position cannot be.
fn is_mate(pieces: impl Iterator<Item = (Piece, Square)>, side: Side) -> Option<bool> {
    let position = Position::from_pieces(pieces, side).ok()?;
    Some(position.is_in_check() && !position.has_moves())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Diagrams: a name, and a mated position in which it holds.
    const DIAGRAMS: &[(&str, &str)] = &[
        ("double-chariots", "1R1k5/R8/9/9/9/9/9/9/9/4K4 b"),
        ("double-cannon", "3aka3/9/9/4C4/4C4/9/9/9/9/3K5 b"),
        ("cannon-behind-horse", "4k4/9/4N4/9/4C4/9/9/9/9/3K5 b"),
        ("iron-bolt", "3Rka3/4a4/4b4/9/9/4C4/9/9/9/3K5 b"),
        ("stalemate", "3k5/9/3P5/9/9/9/9/9/9/4K4 b"),
    ];

    #[test]
    fn diagrams_of_the_books_are_recognised() {
        for (name, fen) in DIAGRAMS {
            let position: Position = fen.parse().unwrap();
            assert!(!position.has_moves(), "{name}: no mate");
            let found: Vec<&str> = patterns(&position).into_iter().map(Theme::key).collect();
            assert!(found.contains(name), "{name}: {found:?}");
        }
    }

    #[test]
    fn a_piece_that_only_looks_on_takes_no_part() {
        let position: Position = "1R1k5/R8/9/9/9/9/9/9/9/N3K4 b".parse().unwrap();
        assert!(!patterns(&position).contains(&Theme::ChariotAndHorse));
        assert!(patterns(&position).contains(&Theme::DoubleChariots));
    }
}
