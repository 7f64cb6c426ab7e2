//! The material table: how much of an advantage each material leaves, counted in endgame tables where they
//! exist and in games elsewhere.

use std::collections::{HashMap, HashSet};

use chuhe_board::{PieceKind, Side};
use chuhe_eval::classical::{Fact, Material, MaterialCode, Source};

use crate::Sample;

/// Less is no advantage.
const LEAST_ADVANTAGE: i32 = 30;
/// The score of one unit of the logistic curve that turns scores into expected points.
const UNIT: f32 = 270.0;
/// Scales that are tried for games, in 64ths.
const STEP: usize = 4;
const SCALES: usize = 64 / STEP + 1;
/// Strength of the prior for the full scale, in samples.
const PRIOR_SAMPLES: f32 = 150.0;
/// The error that a scale of nothing is charged with for each of these.
const PRIOR_ERROR: f32 = 0.05;
/// Fewest samples for a fact.
const FEWEST_SAMPLES: u32 = 300;
/// Pieces of both sides that make an ending: chariots count twice, soldiers and guards not at all.
const MOST_ATTACKERS: u32 = 6;
/// This share of all positions won makes a won ending: what is missing are positions in which the attacker is
/// about to lose a piece.
const WON: f64 = 0.8;
/// This share makes a drawn one. Between the two it depends on where the pieces stand, and pieces that stand
/// anywhere, as in a table, defend worse than those of players: games know more.
const DRAWN: f64 = 0.2;
/// Scales of games above this are not kept.
const MOST_SCALE: u8 = 52;
/// The least that is left of an advantage.
const LEAST_SCALE: u8 = 2;

/// How the positions of a table end, whoever is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// All positions.
    pub positions: u64,
    /// Those that the first side wins.
    pub wins: u64,
    /// Those that the second side wins.
    pub losses: u64,
}

/// Tables and games counted so far.
#[derive(Default)]
pub struct Statistics {
    tables: HashMap<[MaterialCode; 2], Counted>,
    games: HashMap<[MaterialCode; 2], Errors>,
}

/// How well each scale explains the results.
#[derive(Default)]
struct Errors {
    samples: u32,
    sums: [f32; SCALES],
}

impl Statistics {
    /// Counts a whole table of the material.
    pub fn add_table(&mut self, first: MaterialCode, second: MaterialCode, counted: Counted) {
        let Counted { positions, wins, losses } = counted;
        self.tables.insert([first, second], counted);
        self.tables.insert([second, first], Counted { positions, wins: losses, losses: wins });
    }

    /// Counts a position of a game, for the side that is ahead in it.
    pub fn add_sample(&mut self, sample: &Sample) {
        let score = sample.score.get();
        let material = Material::of(&sample.position);
        if score.abs() < LEAST_ADVANTAGE || sample.score.plies_to_end().is_some() || !is_ending(material) {
            return;
        }
        let mover = sample.position.side_to_move();
        let (ahead, outcome) =
            if score > 0 { (mover, sample.outcome) } else { (!mover, sample.outcome.reversed()) };
        let errors = self.games.entry([material.side(ahead), material.side(!ahead)]).or_default();
        errors.samples += 1;
        for (place, sum) in errors.sums.iter_mut().enumerate() {
            let scaled = score.abs() as f32 * (place * STEP) as f32 / 64.0;
            let expected = 1.0 / (1.0 + (-scaled / UNIT).exp());
            *sum += (expected - outcome.points()).powi(2);
        }
    }

    /// The facts in the order of their materials: tables where they exist, games elsewhere, and nothing where
    /// nothing is left to say.
    pub fn facts(&self) -> Vec<Fact> {
        let by_tables = self.tables.iter().filter_map(|(&[own, enemy], counted)| {
            let share = counted.wins as f64 / counted.positions.max(1) as f64;
            let scale = match share {
                WON.. => 64,
                ..=DRAWN => ((64.0 * share) as u8).max(LEAST_SCALE),
                _ => return None,
            };
            let attacks = ATTACKERS.into_iter().any(|kind| own.count(kind) > 0);
            attacks.then_some(Fact { own, enemy, scale, source: Source::Tables })
        });
        let decided: HashSet<_> = by_tables.clone().map(|fact| [fact.own, fact.enemy]).collect();
        let by_games = self.games.iter().filter(|(pair, _)| !decided.contains(*pair));
        let by_games = by_games.filter_map(|(&[own, enemy], errors)| {
            let scale = errors.best()?;
            Some(Fact { own, enemy, scale, source: Source::Games })
        });
        let mut facts: Vec<_> = by_tables.chain(by_games).collect();
        facts.sort_by_key(|fact| (fact.own, fact.enemy));
        facts
    }
}

impl Errors {
    /// The scale that explains the results best, if it differs from the full one.
    fn best(&self) -> Option<u8> {
        if self.samples < FEWEST_SAMPLES {
            return None;
        }
        let error = |place: usize| {
            let missing = 1.0 - (place * STEP) as f32 / 64.0;
            self.sums[place] + PRIOR_SAMPLES * PRIOR_ERROR * missing * missing
        };
        let best = (0..SCALES).min_by(|a, b| error(*a).total_cmp(&error(*b)))?;
        Some(((best * STEP) as u8).max(LEAST_SCALE)).filter(|scale| *scale <= MOST_SCALE)
    }
}

/// The kinds that can give check.
const ATTACKERS: [PieceKind; 4] =
    [PieceKind::Chariot, PieceKind::Horse, PieceKind::Cannon, PieceKind::Soldier];

fn is_ending(material: Material) -> bool {
    use chuhe_board::PieceKind::{Cannon, Chariot, Horse};
    let attackers = |side| {
        let code = material.side(side);
        2 * code.count(Chariot) + code.count(Horse) + code.count(Cannon)
    };
    Side::ALL.into_iter().map(attackers).sum::<u32>() <= MOST_ATTACKERS
}

#[cfg(test)]
mod tests {
    use chuhe_eval::Score;

    use super::*;
    use crate::Wdl;

    fn code(name: &str) -> MaterialCode {
        name.parse().unwrap()
    }

    fn fact(facts: &[Fact], own: &str, enemy: &str) -> Option<u8> {
        facts.iter().find(|fact| fact.own == code(own) && fact.enemy == code(enemy)).map(|fact| fact.scale)
    }

    fn sample(score: i32, outcome: Wdl) -> Sample {
        let position = "3k1ab2/4a4/4b4/9/9/9/9/R8/9/4K4 w".parse().unwrap();
        Sample { position, score: Score::centisoldiers(score), outcome, ply: 80 }
    }

    #[test]
    fn tables_speak_for_both_sides() {
        let mut statistics = Statistics::default();
        let counted = Counted { positions: 1000, wins: 900, losses: 0 };
        statistics.add_table(code("R"), code("NA"), counted);
        let facts = statistics.facts();
        assert_eq!(fact(&facts, "R", "NA"), Some(64));
        assert_eq!(fact(&facts, "NA", "R"), Some(LEAST_SCALE));
        // Guards alone have nothing to hope for anyway.
        statistics.add_table(code("R"), code("A"), counted);
        assert_eq!(fact(&statistics.facts(), "A", "R"), None);
    }

    #[test]
    fn many_draws_in_games_leave_little_of_an_advantage() {
        let mut statistics = Statistics::default();
        for _ in 0..400 {
            statistics.add_sample(&sample(400, Wdl::Draw));
        }
        let scale = fact(&statistics.facts(), "R", "AABB").unwrap();
        assert!(scale < 16, "{scale}");
    }

    #[test]
    fn wins_and_few_games_say_nothing() {
        let mut wins = Statistics::default();
        for _ in 0..400 {
            wins.add_sample(&sample(400, Wdl::Win));
        }
        assert_eq!(wins.facts(), []);
        let mut few = Statistics::default();
        for _ in 0..100 {
            few.add_sample(&sample(400, Wdl::Draw));
        }
        assert_eq!(few.facts(), []);
    }

    #[test]
    fn tables_outweigh_games() {
        let mut statistics = Statistics::default();
        for _ in 0..400 {
            statistics.add_sample(&sample(400, Wdl::Draw));
        }
        let by_games = fact(&statistics.facts(), "R", "AABB");
        let mut with_share = |wins| {
            let counted = Counted { positions: 1000, wins, losses: 0 };
            statistics.add_table(code("R"), code("AABB"), counted);
            fact(&statistics.facts(), "R", "AABB")
        };
        assert_eq!(with_share(950), Some(64));
        assert_eq!(with_share(125), Some(8));
        // What depends on where the pieces stand is left to games.
        assert_eq!(with_share(600), by_games);
    }
}
