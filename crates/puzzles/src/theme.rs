//! What happens in a solution, in the words of Xiangqi players.

use chuhe_board::{Move, Piece, PieceKind, Position};
use chuhe_search::see_at_least;

use crate::{Goal, Puzzle, mating};

macro_rules! themes {
    ($($(#[$about:meta])* $name:ident, $key:literal;)+) => {
        /// A motif of a solution.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Theme {
            $($(#[$about])* $name),+
        }

        impl Theme {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in files and in the API.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key),+
                }
            }
        }
    };
}

themes! {
    /// 鐵門閂: a cannon bolts the middle file, a chariot or soldier mates beside it.
    IronBolt, "iron-bolt";
    /// 雙車錯: two chariots check in turn.
    DoubleChariots, "double-chariots";
    /// 臥槽馬: a horse beside the enemy's elephant point on the second rank.
    TroughHorse, "trough-horse";
    /// 掛角馬: a horse checks from a corner of the palace.
    PalaceCornerHorse, "palace-corner-horse";
    /// 釣魚馬: a horse on the third rank confines the general.
    AnglerHorse, "angler-horse";
    /// 八角馬: a horse confines the general from the opposite corner of the palace.
    OctagonHorse, "octagon-horse";
    /// 馬後炮: a cannon mates with its own horse as the screen.
    CannonBehindHorse, "cannon-behind-horse";
    /// 重炮: a cannon mates with its own cannon as the screen.
    DoubleCannon, "double-cannon";
    /// 悶宮: a cannon mates over the enemy's own guard.
    SmotheredPalace, "smothered-palace";
    /// 天地炮: one cannon on the middle file, one on the last rank.
    HeavenEarthCannons, "heaven-earth-cannons";
    /// 夾車炮: a chariot between two cannons.
    ChariotAndCannons, "chariot-and-cannons";
    /// 雙馬飲泉: two horses mate together.
    DoubleHorses, "double-horses";
    /// 二鬼拍門: two soldiers in the palace.
    TwoSoldiers, "two-soldiers";
    /// 車馬冷著: chariot and horse mate alone.
    ChariotAndHorse, "chariot-and-horse";
    /// 白臉將: the facing general takes points away.
    FacingGeneral, "facing-general";
    /// 困斃: no move is left, and no check is needed.
    Stalemate, "stalemate";
    /// 大膽穿心: a sacrifice on the central advisor.
    ThroughTheHeart, "through-the-heart";
    /// 送佛歸殿: a soldier drives the general back check by check.
    SoldierEscort, "soldier-escort";
    /// 雙將: two pieces check at once.
    DoubleCheck, "double-check";
    /// 抽將: a piece moves away and uncovers a check.
    DiscoveredCheck, "discovered-check";
    /// 捉雙: two pieces are attacked at once.
    Fork, "fork";
    /// 棄子: material is given for more.
    Sacrifice, "sacrifice";
    /// 冷著: the first move neither checks nor captures.
    QuietMove, "quiet-move";
    /// 解殺: the move parries a threat of mate, or of losing at once.
    Defence, "defence";
    /// 殘局: few pieces are left.
    Endgame, "endgame";
}

impl Theme {
    /// The theme of a key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|theme| theme.key() == key)
    }
}

/// Attackers on the board below which it is an endgame.
const ENDGAME_ATTACKERS: u32 = 5;

/// The themes of a solution, in the order of their definition.
pub(crate) fn themes(puzzle: &Puzzle) -> Vec<Theme> {
    let mut found = Vec::new();
    let mut position = puzzle.position.clone();
    let mut checking_soldiers = 0;
    for (ply, mv) in puzzle.solution.iter().enumerate() {
        if ply.is_multiple_of(2) {
            found.extend(of_move(&position, *mv, ply == 0));
            checking_soldiers += usize::from(is_soldier_check(&position, *mv));
        }
        let _ = position.play(*mv, &mut ());
    }
    let own_moves = puzzle.solution.len().div_ceil(2);
    if own_moves >= 2 && checking_soldiers == own_moves && matches!(puzzle.goal, Goal::Mate(_)) {
        found.push(Theme::SoldierEscort);
    }
    if matches!(puzzle.goal, Goal::Mate(_)) {
        found.extend(mating::patterns(&position));
    }
    if puzzle.goal == Goal::Hold {
        found.push(Theme::Defence);
    }
    if attackers(&puzzle.position) < ENDGAME_ATTACKERS {
        found.push(Theme::Endgame);
    }
    found.sort();
    found.dedup();
    found
}

/// Pieces other than generals and guards, of both sides.
fn attackers(position: &Position) -> u32 {
    use PieceKind::{Cannon, Chariot, Horse, Soldier};
    [Chariot, Horse, Cannon, Soldier].iter().map(|kind| position.kind(*kind).len()).sum()
}

fn of_move(position: &Position, mv: Move, is_first: bool) -> Vec<Theme> {
    let mut found = Vec::new();
    let taken = position.piece_on(mv.to());
    let mut after = position.clone();
    let _ = after.play(mv, &mut ());
    let checkers = after.legality().checkers();
    if checkers.has_several() {
        found.push(Theme::DoubleCheck);
    } else if !checkers.is_empty() && !checkers.contains(mv.to()) {
        found.push(Theme::DiscoveredCheck);
    }
    if is_sacrifice(position, mv) {
        let centre = (mv.to().file(), mv.to().seen_by(position.side_to_move()).rank()) == (4, 8);
        let is_advisor = taken.is_some_and(|piece| piece.kind() == PieceKind::Advisor);
        found.push(if centre && is_advisor { Theme::ThroughTheHeart } else { Theme::Sacrifice });
    }
    if is_first && taken.is_none() && checkers.is_empty() {
        found.push(Theme::QuietMove);
    }
    if is_fork(&after, mv, !checkers.is_empty()) {
        found.push(Theme::Fork);
    }
    found
}

fn is_soldier_check(position: &Position, mv: Move) -> bool {
    let is_soldier = position.piece_on(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::Soldier);
    is_soldier && position.gives_check(&position.checks(), mv)
}

/// Whether the enemy may take more than the move took: a horse at least for nothing, or the exchange.
fn is_sacrifice(position: &Position, mv: Move) -> bool {
    !see_at_least(position, mv, -200)
}

/// Whether the piece that moved attacks two targets at once, of which one may be the general.
fn is_fork(after: &Position, mv: Move, checks: bool) -> bool {
    let Some(mover) = after.piece_on(mv.to()) else {
        return false;
    };
    let attacked = chuhe_board::attacks::of(mover.kind(), mover.side(), mv.to(), after.occupied());
    let targets = (attacked & after.pieces(!mover.side()))
        .into_iter()
        .filter(|square| after.piece_on(*square).is_some_and(|piece| is_target(after, mover, piece, *square)))
        .count();
    targets + usize::from(checks) >= 2 && targets >= 1
}

/// Whether taking a piece would win something: it is worth more, or nothing protects it.
fn is_target(position: &Position, hunter: Piece, piece: Piece, square: chuhe_board::Square) -> bool {
    let worth = |kind: PieceKind| match kind {
        PieceKind::Chariot => 2,
        PieceKind::Horse | PieceKind::Cannon => 1,
        _ => 0,
    };
    let is_protected =
        position.attackers_to(square, position.occupied()).meets(position.pieces(piece.side()));
    worth(piece.kind()) > 0 && (!is_protected || worth(piece.kind()) > worth(hunter.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn themes_of(line: &str) -> Vec<&'static str> {
        themes(&line.parse().unwrap()).into_iter().map(Theme::key).collect()
    }

    #[test]
    fn every_key_leads_back_to_its_theme() {
        for theme in Theme::ALL {
            assert_eq!(Theme::from_key(theme.key()), Some(*theme));
        }
    }

    #[test]
    fn a_horse_that_checks_and_attacks_a_chariot_forks() {
        // On d7 it checks e9 and attacks b8.
        let found = themes_of("4k4/1r7/9/9/4N4/9/9/9/9/3K5 w ; win ; 0 ; ; e5d7");
        assert!(found.contains(&"fork"), "{found:?}");
        assert!(!found.contains(&"quiet-move"));
    }

    #[test]
    fn a_quiet_first_move_is_named() {
        let found = themes_of("3k5/9/9/9/9/9/9/9/R8/4K4 w ; win ; 0 ; ; a1b1");
        assert_eq!(found, ["quiet-move", "endgame"]);
    }

    #[test]
    fn an_uncovered_check_is_named() {
        // The horse leaves the file of the chariot.
        let found = themes_of("4k4/9/9/9/4N4/9/9/4R4/9/3K5 w ; win ; 0 ; ; e5c4");
        assert!(found.contains(&"discovered-check"), "{found:?}");
        let double = themes_of("4k4/9/9/9/4N4/9/9/4R4/9/3K5 w ; win ; 0 ; ; e5d7");
        assert!(double.contains(&"double-check") && !double.contains(&"discovered-check"), "{double:?}");
    }

    #[test]
    fn a_chariot_given_for_the_central_advisor_goes_through_the_heart() {
        let found = themes_of("3ak4/4a4/9/9/9/9/4R4/9/9/3K1C3 w ; win ; 0 ; ; e3e8");
        assert!(found.contains(&"through-the-heart"), "{found:?}");
    }
}
