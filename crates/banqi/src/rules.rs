//! What may take what, and when a game is drawn: the options in which rule sets differ.

use crate::piece::{Kind, Piece};

/// Who may take whom by a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Taking {
    /// (Hsieh 2010), tournaments: general, advisor, elephant, chariot, horse, cannon, soldier.
    #[default]
    Taiwanese,
    /// The same, and a soldier may also take a cannon that it stands beside.
    SoldiersTakeCannons,
    /// General, chariot, horse, cannon, advisor, elephant, soldier.
    HongKong,
}

/// How cannons take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CannonRule {
    /// Only by jumping exactly one piece of any kind, and then any piece. (Hsieh 2010), tournaments.
    #[default]
    Jumps,
    /// So, and by a step according to rank.
    JumpsAndSteps,
    /// Only by a step according to rank, like the others.
    Steps,
}

/// The rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Who may take whom.
    pub taking: Taking,
    /// How cannons take.
    pub cannon: CannonRule,
    /// Draw after this many plies without a flip or a capture.
    pub quiet_limit: Option<u16>,
    /// Draw on this repetition of a position with the same side to move.
    pub repetitions: Option<u8>,
    /// Loss on this consecutive chase of one piece.
    pub chase_limit: Option<u8>,
}

impl Rules {
    /// Computer Olympiad: 180 quiet plies, the third repetition, no ban on chases.
    pub const OLYMPIAD: Self = Self {
        taking: Taking::Taiwanese,
        cannon: CannonRule::Jumps,
        quiet_limit: Some(180),
        repetitions: Some(3),
        chase_limit: None,
    };

    /// (Hsieh 2010): 50 quiet plies, ten consecutive chases of one piece lose, no repetition rule.
    pub const FOODCHAIN: Self =
        Self { quiet_limit: Some(50), repetitions: None, chase_limit: Some(10), ..Self::OLYMPIAD };

    /// The named rule sets.
    pub const NAMED: [(&'static str, Self); 5] = [
        ("olympiad", Self::OLYMPIAD),
        ("foodchain", Self::FOODCHAIN),
        ("foodchain25", Self { quiet_limit: Some(25), ..Self::FOODCHAIN }),
        ("ntu2016", Self { quiet_limit: Some(40), ..Self::OLYMPIAD }),
        ("ntu2021", Self { quiet_limit: Some(60), ..Self::OLYMPIAD }),
    ];

    /// The rule set of a name. The former names `seed` and `seed25` are still accepted.
    pub fn named(name: &str) -> Option<Self> {
        let name = match name {
            "seed" => "foodchain",
            "seed25" => "foodchain25",
            name => name,
        };
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, rules)| rules)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::OLYMPIAD
    }
}

/// A set of pieces, one bit each by index.
pub(crate) type PieceMask = u16;

/// The rules on captures, looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captures {
    /// What each piece takes by a step.
    prey: [PieceMask; Piece::COUNT],
    /// Whether cannons jump.
    jumps: bool,
}

impl Captures {
    /// The captures that the rules allow.
    pub fn new(taking: Taking, cannon: CannonRule) -> Self {
        let mut prey = [0; Piece::COUNT];
        for hunter in Piece::all() {
            for victim in Piece::all().filter(|victim| victim.side() != hunter.side()) {
                if takes_by_rank(hunter.kind(), victim.kind(), taking, cannon) {
                    prey[hunter.index()] |= 1 << victim.index();
                }
            }
        }
        Self { prey, jumps: cannon != CannonRule::Steps }
    }

    /// Whether the hunter may step onto the victim.
    pub const fn by_step(&self, hunter: Piece, victim: Piece) -> bool {
        self.prey[hunter.index()] >> victim.index() & 1 != 0
    }

    /// Whether this piece takes by jumping one other.
    pub const fn by_jump(&self, hunter: Piece) -> bool {
        self.jumps && matches!(hunter.kind(), Kind::Cannon)
    }

    /// Whether the hunter may ever take the victim.
    pub fn at_all(&self, hunter: Piece, victim: Piece) -> bool {
        hunter.side() != victim.side() && (self.by_step(hunter, victim) || self.by_jump(hunter))
    }

    pub(crate) const fn prey(&self, hunter: Piece) -> PieceMask {
        self.prey[hunter.index()]
    }
}

impl From<&Rules> for Captures {
    fn from(rules: &Rules) -> Self {
        Self::new(rules.taking, rules.cannon)
    }
}

fn takes_by_rank(hunter: Kind, victim: Kind, taking: Taking, cannon: CannonRule) -> bool {
    match (hunter, victim) {
        (Kind::General, Kind::Soldier) => false,
        (Kind::Soldier, Kind::General) => true,
        (Kind::Soldier, Kind::Cannon) => taking == Taking::SoldiersTakeCannons,
        (Kind::Cannon, _) if cannon == CannonRule::Jumps => false,
        _ => rank(hunter, taking) <= rank(victim, taking),
    }
}

/// 0 is the highest.
fn rank(kind: Kind, taking: Taking) -> usize {
    const HONG_KONG: [Kind; 7] = [
        Kind::General,
        Kind::Chariot,
        Kind::Horse,
        Kind::Cannon,
        Kind::Advisor,
        Kind::Elephant,
        Kind::Soldier,
    ];
    match taking {
        Taking::HongKong => {
            HONG_KONG.iter().position(|&ranked| ranked == kind).expect("all kinds are ranked")
        }
        Taking::Taiwanese | Taking::SoldiersTakeCannons => kind.index(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Side;

    /// What the red letter takes by a step, as lower-case letters in order of rank.
    fn prey(hunter: char, taking: Taking, cannon: CannonRule) -> String {
        let captures = Captures::new(taking, cannon);
        let hunter = Piece::from_letter(hunter).unwrap();
        Piece::all().filter(|&victim| captures.by_step(hunter, victim)).map(Piece::letter).collect()
    }

    #[test]
    fn the_taiwanese_table_is_that_of_the_thesis() {
        let table = [
            ('K', "kgmrnc"),
            ('G', "gmrncp"),
            ('M', "mrncp"),
            ('R', "rncp"),
            ('N', "ncp"),
            ('C', ""),
            ('P', "kp"),
        ];
        for (hunter, victims) in table {
            assert_eq!(prey(hunter, Taking::Taiwanese, CannonRule::Jumps), victims, "{hunter}");
        }
    }

    #[test]
    fn the_variants_change_what_they_say() {
        assert_eq!(prey('P', Taking::SoldiersTakeCannons, CannonRule::Jumps), "kcp");
        assert_eq!(prey('C', Taking::Taiwanese, CannonRule::JumpsAndSteps), "cp");
        assert_eq!(prey('C', Taking::Taiwanese, CannonRule::Steps), "cp");
        let hong_kong = [
            ('K', "kgmrnc"),
            ('R', "gmrncp"),
            ('N', "gmncp"),
            ('C', "gmcp"),
            ('G', "gmp"),
            ('M', "mp"),
            ('P', "kp"),
        ];
        for (hunter, victims) in hong_kong {
            assert_eq!(prey(hunter, Taking::HongKong, CannonRule::Steps), victims, "{hunter}");
        }
    }

    #[test]
    fn both_sides_have_the_same_rules_and_none_takes_its_own() {
        for taking in [Taking::Taiwanese, Taking::SoldiersTakeCannons, Taking::HongKong] {
            for cannon in [CannonRule::Jumps, CannonRule::JumpsAndSteps, CannonRule::Steps] {
                let captures = Captures::new(taking, cannon);
                for hunter in Piece::all() {
                    for victim in Piece::all() {
                        let swapped = |piece: Piece| Piece::new(piece.side().opponent(), piece.kind());
                        let allowed = captures.by_step(hunter, victim);
                        assert_eq!(allowed, captures.by_step(swapped(hunter), swapped(victim)));
                        assert!(!allowed || hunter.side() != victim.side());
                        let jumper = hunter.kind() == Kind::Cannon && cannon != CannonRule::Steps;
                        let at_all = hunter.side() != victim.side() && (jumper || allowed);
                        assert_eq!(captures.at_all(hunter, victim), at_all);
                    }
                }
            }
        }
        assert_eq!(Side::Red.opponent().opponent(), Side::Red);
    }
}
