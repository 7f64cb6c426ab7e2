//! The referee's rules of repetition as tables are solved with them: what a single move does, and which offences it is
//! certainly part of.

use chuhe_board::{Bitboard, Move, PieceKind, Position};
use chuhe_referee::{Referee, RuleSet};
use chuhe_tablebase::{MoveDeed, MoveRules, Rules, Tracks};

/// The Chinese offence: an attack of any kind with every move.
const ATTACK: Tracks = Tracks(Tracks::CHECK.0 << 1);

/// Who says what a chase is, for tables with these rules; `None` for rules that know no chase.
pub fn referee_of(rules: Rules) -> Option<&'static dyn MoveRules> {
    static WXF: WorldRules = WorldRules(Referee::new(RuleSet::Wxf));
    static CXA: ChineseRules = ChineseRules(Referee::new(RuleSet::Cxa));
    match rules {
        Rules::Plain | Rules::PerpetualCheck => None,
        Rules::Wxf => Some(&WXF),
        Rules::Cxa => Some(&CXA),
    }
}

/// The tables that know the rules by which a game is judged.
pub const fn rules_of_tables(rules: RuleSet) -> Rules {
    match rules {
        RuleSet::Wxf | RuleSet::Axf => Rules::Wxf,
        RuleSet::Cxa => Rules::Cxa,
        RuleSet::Computer => Rules::PerpetualCheck,
    }
}

/// World and Asian rules: one piece is chased with every move. A track is the kind of a piece of which its side has one, so
/// that the kind tells which piece it is.
struct WorldRules(Referee);

impl MoveRules for WorldRules {
    fn deed(&self, before: &Position, mv: Move, after: &Position) -> MoveDeed {
        let deed = self.0.deed(before, mv, after);
        // Where a move makes fresh attacks, those are what it does.
        let chased = if deed.fresh.is_empty() { deed.bared } else { deed.fresh };
        let check = if deed.gives_check { Tracks::CHECK } else { Tracks::NONE };
        let tracks = Tracks(check.0 | tracks_of(after, chased).0);
        MoveDeed { checks: deed.gives_check, attacks: !chased.is_empty(), tracks }
    }

    fn met(&self, after: &Position, answer: Move, answered: &Position) -> Tracks {
        Tracks(!tracks_of(after, self.0.unmet(after, answer, answered)).0)
    }

    fn knows_chase(&self) -> bool {
        true
    }

    fn longest_threat(&self) -> Option<u16> {
        self.0.longest_threat()
    }
}

/// The tracks of those of the pieces that are the only ones of their kind.
fn tracks_of(position: &Position, pieces: Bitboard) -> Tracks {
    let is_only = |kind: PieceKind| position.pieces_of(position.side_to_move(), kind).len() == 1;
    let kinds = pieces.into_iter().filter_map(|point| Some(position.piece_on(point)?.kind()));
    Tracks(kinds.filter(|kind| is_only(*kind)).fold(0, |tracks, kind| tracks | 2 << kind.index()))
}

/// Chinese rules: any attacks, of any pieces.
struct ChineseRules(Referee);

impl MoveRules for ChineseRules {
    fn deed(&self, before: &Position, mv: Move, after: &Position) -> MoveDeed {
        let deed = self.0.deed(before, mv, after);
        let is_soldiers = deed.soldier_attacks && !deed.threatens_mate;
        let tracks = match (deed.gives_check, deed.is_idle() || is_soldiers) {
            (true, _) => Tracks(Tracks::CHECK.0 | ATTACK.0),
            (false, true) => Tracks::NONE,
            (false, false) => ATTACK,
        };
        MoveDeed { checks: deed.gives_check, attacks: !deed.is_idle(), tracks }
    }

    /// A check or a threat of mate counts whatever the answer.
    fn met(&self, after: &Position, answer: Move, answered: &Position) -> Tracks {
        let counts = after.is_in_check()
            || self.0.unmet(after, answer, answered).is_empty()
            || self.0.threatens_mate(after);
        if counts { Tracks::ALL } else { Tracks::CHECK }
    }

    fn knows_chase(&self) -> bool {
        true
    }

    fn longest_threat(&self) -> Option<u16> {
        self.0.longest_threat()
    }
}
