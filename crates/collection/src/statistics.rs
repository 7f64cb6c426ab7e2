//! Opening statistics: the moves that were made in a position, with their results.

use chuhe_board::{Move, Outcome, Position};
use chuhe_book::slot;

use super::query::Query;
use super::{Collection, CollectionError, GameSummary, postings, stored};

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Won by Red.
    pub red: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by Black.
    pub black: u32,
    /// Without a result.
    pub undecided: u32,
}

impl Results {
    /// All games.
    pub const fn games(&self) -> u32 {
        self.red + self.draws + self.black + self.undecided
    }

    /// Adds those of other games.
    pub const fn add(&mut self, other: Self) {
        self.red += other.red;
        self.draws += other.draws;
        self.black += other.black;
        self.undecided += other.undecided;
    }

    const fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::RedWins => self.red += 1,
            Outcome::BlackWins => self.black += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Undecided => self.undecided += 1,
        }
    }
}

/// The results of all games by their number, kept between questions; a byte a game.
pub(super) struct ResultCache {
    /// SQLite's number of the state of the file as others changed it.
    state: i64,
    outcomes: Vec<u8>,
}

/// Games among which the latest are looked for.
const MOST_CONSIDERED: usize = 2000;

impl Collection {
    /// The moves that were made in a position, the most frequent first. Its mirror image counts, and so do games that reached it
    /// by other moves; in a symmetric position each move is named once, on the right.
    pub fn moves_played(&mut self, position: &Position) -> Result<Vec<(Move, Results)>, CollectionError> {
        self.refresh_results()?;
        let here = postings::games_with(&self.connection, position.merged_key().0.get())?;
        let is_symmetric = position.key() == position.mirrored_key();
        let mut played = Vec::new();
        for mv in position.moves() {
            if here.is_empty() || is_symmetric && slot(position, mv).1 != mv {
                continue;
            }
            let mut child = position.clone();
            let _ = child.play(mv, &mut ());
            // A game that has both positions made the move between them.
            let mut games = postings::games_with(&self.connection, child.merged_key().0.get())?;
            games.retain(|game| here.binary_search(game).is_ok());
            let results = self.results_of(&games);
            if results.games() > 0 {
                played.push((mv, results));
            }
        }
        played.sort_by_key(|(mv, results)| (std::cmp::Reverse(results.games()), mv.packed()));
        Ok(played)
    }

    /// The latest games with a position, by date and then by number.
    pub fn latest(&self, position: &Position, most: usize) -> Result<Vec<GameSummary>, CollectionError> {
        let ids = postings::games_with(&self.connection, position.merged_key().0.get())?;
        let mut dates = self.connection.prepare_cached("SELECT date FROM games WHERE id = ?")?;
        let mut dated: Vec<(Option<String>, u32)> = Vec::new();
        for id in ids.into_iter().rev().take(MOST_CONSIDERED) {
            dated.push((dates.query_row([id], |row| row.get(0))?, id));
        }
        dated.sort_by(|one, other| other.cmp(one));
        let query = Query { position: Some(position.clone()), ..Query::default() };
        dated.into_iter().take(most).map(|(_, id)| self.summary(id, &query)).collect()
    }

    fn results_of(&self, games: &[u32]) -> Results {
        let mut results = Results::default();
        let outcomes = self.results.as_ref().map_or(&[][..], |cache| &cache.outcomes);
        for game in games {
            if let Some(outcome) = outcomes.get(*game as usize) {
                results.count(stored::outcome_of((*outcome).into()));
            }
        }
        results
    }

    /// Reads all results anew if the file was changed since the last time.
    fn refresh_results(&mut self) -> Result<(), CollectionError> {
        let state = self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if self.results.as_ref().is_some_and(|cache| cache.state == state) {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached("SELECT id, result FROM games ORDER BY id")?;
        let mut rows = statement.query([])?;
        let mut outcomes = Vec::new();
        while let Some(row) = rows.next()? {
            outcomes.resize(row.get::<_, u32>(0)? as usize, 0);
            outcomes.push(row.get(1)?);
        }
        drop(rows);
        drop(statement);
        self.results = Some(ResultCache { state, outcomes });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};
    use chuhe_notation::pgn;

    use super::*;

    fn collection(text: &str) -> Collection {
        let mut collection = Collection::in_memory().unwrap();
        add(&mut collection, text);
        collection
    }

    fn add(collection: &mut Collection, text: &str) {
        let mut import = collection.import(true).unwrap();
        for game in pgn::read(text, RankStyle::FromZero) {
            import.add(&game.unwrap()).unwrap();
        }
        import.finish().unwrap();
    }

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        for word in moves.split_whitespace() {
            let _ = position.play(parse_move(word, RankStyle::FromZero).unwrap(), &mut ());
        }
        position
    }

    fn played(collection: &mut Collection, moves: &str) -> Vec<(String, [u32; 4])> {
        let found = collection.moves_played(&after(moves)).unwrap();
        found.into_iter().map(|(mv, r)| (mv.to_string(), [r.red, r.draws, r.black, r.undecided])).collect()
    }

    const GAMES: &str = "[Date \"2001\"] 1. h2e2 h9g7 2. g3g4 1-0\n\n[Date \"1999\"] 1. b2e2 b9c7 2. c3c4 0-1\n\n\
        [Red \"a\"] 1. g3g4 h9g7 2. h2e2 1/2-1/2\n\n[Red \"b\"] 1. c3c4 *\n";

    #[test]
    fn mirror_images_and_transpositions_count() {
        let mut collection = collection(GAMES);
        let start = played(&mut collection, "");
        assert_eq!(start, [("h2e2".to_owned(), [1, 0, 1, 0]), ("g3g4".to_owned(), [0, 1, 0, 1])]);
        assert_eq!(played(&mut collection, "b2e2 b9c7"), [("c3c4".to_owned(), [1, 0, 1, 0])]);
        assert_eq!(played(&mut collection, "g3g4 h9g7"), [("h2e2".to_owned(), [0, 1, 0, 0])]);
        assert!(played(&mut collection, "a3a4").is_empty());
        let both = collection.latest(&after("h2e2 h9g7 g3g4"), 9).unwrap();
        let ids: Vec<u32> = both.iter().map(|game| game.id).collect();
        assert_eq!(ids, [1, 2, 3], "the latest first, those without a date last");
        assert_eq!(both[0].ply, Some(3));
    }

    #[test]
    fn games_that_are_added_later_count() {
        let mut collection = collection(GAMES);
        assert_eq!(played(&mut collection, "i3i4"), []);
        add(&mut collection, "1. i3i4 c6c5 1-0\n");
        assert_eq!(played(&mut collection, "i3i4"), [("c6c5".to_owned(), [1, 0, 0, 0])]);
    }
}
