//! What is known of material: facts counted in endgame tables and in games, and what follows from them.
//!
//! `known.txt` holds the facts, written by `chuhe train material`. More attackers do not spoil a win and more
//! defenders do not spoil a draw, so a fact also speaks for the material around it.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::MaterialCode;
use super::endings::Hope;

/// What one side may hope for against the other, by its share of the points that it should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The side that wants to win.
    pub own: MaterialCode,
    /// The other side.
    pub enemy: MaterialCode,
    /// How much of an advantage is left, in 64ths.
    pub scale: u8,
    /// Where it was counted.
    pub source: Source,
}

/// Where a fact was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In all positions of an endgame table: it speaks for the material around it.
    Tables,
    /// In games: it speaks for itself alone.
    Games,
}

/// A line that is no fact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a fact such as 'RP AABB 64 tables'")]
pub struct NoFact(String);

/// Facts and what follows from them.
pub(super) struct Known {
    facts: HashMap<[MaterialCode; 2], Fact>,
    /// Facts of tables, which speak for others too: wins, and draws.
    wins: Vec<Fact>,
    draws: Vec<Fact>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let facts =
        include_str!("known.txt").lines().map(|line| line.parse().expect("the facts are well-formed"));
    Known::of(facts)
});

impl Known {
    fn of(facts: impl Iterator<Item = Fact>) -> Self {
        let facts: Vec<Fact> = facts.collect();
        let tables = facts.iter().filter(|fact| fact.source == Source::Tables).copied();
        let (wins, draws) = tables.partition(|fact| fact.hope() == Hope::Win);
        Self { facts: facts.iter().map(|fact| ([fact.own, fact.enemy], *fact)).collect(), wins, draws }
    }

    /// What the facts say about the hopes of `own`, if they say anything: tables first, then what follows from
    /// tables, then games.
    fn hope(&self, own: MaterialCode, enemy: MaterialCode) -> Option<Hope> {
        let fact = self.facts.get(&[own, enemy]);
        let by_tables = fact.filter(|fact| fact.source == Source::Tables).map(Fact::hope);
        by_tables.or_else(|| self.implied(own, enemy)).or_else(|| fact.map(Fact::hope))
    }

    fn implied(&self, own: MaterialCode, enemy: MaterialCode) -> Option<Hope> {
        if self.wins.iter().any(|fact| fact.own.is_within(own) && enemy.is_within(fact.enemy)) {
            return Some(Hope::Win);
        }
        let holds = |fact: &&Fact| own.is_within(fact.own) && fact.enemy.is_within(enemy);
        self.draws.iter().filter(holds).map(|fact| i32::from(fact.scale)).min().map(Hope::Part)
    }
}

/// What the known facts say about the hopes of `own`, if they say anything.
pub(super) fn hope(own: MaterialCode, enemy: MaterialCode) -> Option<Hope> {
    KNOWN.hope(own, enemy)
}

impl Fact {
    fn hope(&self) -> Hope {
        match (self.source, i32::from(self.scale)) {
            (Source::Tables, Hope::FULL) => Hope::Win,
            (_, scale) => Hope::Part(scale),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match self.source {
            Source::Tables => "tables",
            Source::Games => "games",
        };
        write!(f, "{} {} {} {source}", self.own, self.enemy, self.scale)
    }
}

impl FromStr for Fact {
    type Err = NoFact;

    fn from_str(line: &str) -> Result<Self, NoFact> {
        let fact = || {
            let mut words = line.split(' ');
            let own = words.next()?.parse().ok()?;
            let enemy = words.next()?.parse().ok()?;
            let scale = words.next()?.parse().ok().filter(|scale| i32::from(*scale) <= Hope::FULL)?;
            let source = match words.next()? {
                "tables" => Source::Tables,
                "games" => Source::Games,
                _ => return None,
            };
            words.next().is_none().then_some(Self { own, enemy, scale, source })
        };
        fact().ok_or_else(|| NoFact(line.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str) -> MaterialCode {
        name.parse().unwrap()
    }

    fn known(lines: &[&str]) -> Known {
        Known::of(lines.iter().map(|line| line.parse().unwrap()))
    }

    #[test]
    fn facts_are_written_as_they_are_read() {
        for line in ["RP AABB 64 tables", "P - 60 games", "NCPAB R 0 tables"] {
            assert_eq!(line.parse::<Fact>().unwrap().to_string(), line);
        }
        for line in ["", "RP AABB", "RP AABB 65 tables", "RRR - 64 tables", "X - 1 games", "R - 1 games 2"] {
            assert_eq!(line.parse::<Fact>(), Err(NoFact(line.to_owned())));
        }
    }

    #[test]
    fn a_win_stays_one_with_more_attackers_or_fewer_defenders() {
        let known = known(&["R AB 64 tables", "N A 60 games"]);
        assert_eq!(known.hope(code("R"), code("AB")), Some(Hope::Win));
        assert_eq!(known.hope(code("RP"), code("A")), Some(Hope::Win));
        assert_eq!(known.hope(code("R"), code("AAB")), None);
        assert_eq!(known.hope(code("NP"), code("A")), None);
    }

    #[test]
    fn a_draw_stays_one_with_more_defenders_or_fewer_attackers() {
        let known = known(&["NP AABB 10 tables", "N AA 4 tables"]);
        assert_eq!(known.hope(code("NP"), code("NAABB")), Some(Hope::Part(10)));
        assert_eq!(known.hope(code("N"), code("AABB")), Some(Hope::Part(4)));
        assert_eq!(known.hope(code("NPP"), code("AABB")), None);
    }

    #[test]
    fn a_table_outweighs_what_follows_from_others_and_that_outweighs_games() {
        let known =
            known(&["C - 4 tables", "CA - 64 tables", "CAB - 40 tables", "CAA - 8 games", "N C 20 games"]);
        assert_eq!(known.hope(code("C"), code("A")), Some(Hope::Part(4)));
        assert_eq!(known.hope(code("CA"), code("-")), Some(Hope::Win));
        assert_eq!(known.hope(code("CAB"), code("-")), Some(Hope::Part(40)));
        // Games do not know better than what follows from tables.
        assert_eq!(known.hope(code("CAA"), code("-")), Some(Hope::Win));
        assert_eq!(known.hope(code("N"), code("C")), Some(Hope::Part(20)));
    }
}
