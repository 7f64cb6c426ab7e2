//! Searching.

use chuhe_board::{Outcome, Position};
use chuhe_book::{Pattern, openings};
use chuhe_notation::folding::fold;
use rusqlite::params_from_iter;
use rusqlite::types::Value;
use serde::Serialize;

use super::material::Material;
use super::{Collection, CollectionError, postings, stored};

/// What games are wanted; everything that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The main line has this position or its mirror image.
    pub position: Option<Position>,
    /// The main line has this material.
    pub material: Option<Material>,
    /// The main line has these pieces on these points.
    pub pattern: Option<Pattern>,
    /// The name of either player has this part.
    pub player: Option<String>,
    /// Red's name has this part.
    pub red: Option<String>,
    /// Black's name has this part.
    pub black: Option<String>,
    /// The name of the event has this part.
    pub event: Option<String>,
    /// The name of the opening has this part, or its code starts so.
    pub opening: Option<String>,
    /// How it ended.
    pub result: Option<Outcome>,
    /// Not before this date, written as in the records: `2014.06.28` or `2014`.
    pub since: Option<String>,
    /// Not after this date; `2014` includes all of that year.
    pub until: Option<String>,
    /// Only games that are there more than once.
    pub duplicates: bool,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Found {
    /// How many games there are.
    pub total: usize,
    /// Those that were asked for.
    pub games: Vec<GameSummary>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameSummary {
    /// Its number in the collection.
    pub id: u32,
    /// Red's name.
    pub red: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The opening.
    pub opening: Option<String>,
    /// The code of the opening.
    pub ecco: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// How many moves it has.
    pub plies: usize,
    /// After how many plies the position or pattern that was asked for is first on the board.
    pub ply: Option<usize>,
}

impl Collection {
    /// The numbers of the games that match, in order.
    pub fn matching(&self, query: &Query) -> Result<Vec<u32>, CollectionError> {
        let mut ids: Option<Vec<u32>> = None;
        let position_key = query.position.as_ref().map(|position| position.merged_key().0.get());
        for key in position_key.into_iter().chain(query.material.as_ref().map(Material::key)) {
            let games = postings::games_with(&self.connection, key)?;
            ids = Some(common(ids, games));
        }
        let (conditions, values) = query.conditions();
        if !conditions.is_empty() || ids.is_none() {
            let filter = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
            let mut statement =
                self.connection.prepare(&format!("SELECT id FROM games g WHERE {filter} ORDER BY id"))?;
            let rows = statement.query_map(params_from_iter(values), |row| row.get(0))?;
            ids = Some(common(ids, rows.collect::<Result<_, _>>()?));
        }
        let ids = ids.unwrap_or_default();
        match &query.pattern {
            Some(pattern) => self.with_pattern(ids, pattern),
            None => Ok(ids),
        }
    }

    /// A page of the games that match.
    pub fn search(&self, query: &Query, skip: usize, most: usize) -> Result<Found, CollectionError> {
        let ids = self.matching(query)?;
        let games = ids.iter().skip(skip).take(most).map(|id| self.summary(*id, query));
        Ok(Found { total: ids.len(), games: games.collect::<Result<_, _>>()? })
    }

    fn with_pattern(&self, ids: Vec<u32>, pattern: &Pattern) -> Result<Vec<u32>, CollectionError> {
        let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return Ok(ids) };
        let mut statement = self
            .connection
            .prepare_cached("SELECT id, start, moves FROM records WHERE id BETWEEN ? AND ? ORDER BY id")?;
        let mut rows = statement.query([first, last])?;
        let mut wanted = ids.iter().copied().peekable();
        let mut found = Vec::new();
        let normal = Position::start();
        while let Some(row) = rows.next()? {
            let id: u32 = row.get(0)?;
            while wanted.next_if(|next| *next < id).is_some() {}
            if wanted.next_if_eq(&id).is_none() {
                continue;
            }
            let start = row.get_ref(1)?.as_str_or_null().unwrap_or_default();
            let start = start.map(|fen| stored::start_of(Some(fen))).transpose()?;
            let blob = row.get_ref(2)?.as_blob().unwrap_or_default();
            let moves = stored::moves_of(blob)?;
            if pattern.first_ply(start.as_ref().unwrap_or(&normal), &moves).is_some() {
                found.push(id);
            }
        }
        Ok(found)
    }

    pub(super) fn summary(&self, id: u32, query: &Query) -> Result<GameSummary, CollectionError> {
        let game = self.game(id)?;
        let tag = |name: &str| game.tags.get(name).map(str::to_owned);
        let mut opening = self.connection.prepare_cached(
            "SELECT text, ecco FROM games LEFT JOIN names ON names.id = games.opening WHERE games.id = ?",
        )?;
        let (opening, ecco) = opening.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let ply = match (&query.position, &query.pattern) {
            (Some(wanted), _) => first_ply(&game, wanted),
            (None, Some(pattern)) => pattern.first_ply(game.start(), &game.main_moves().collect::<Vec<_>>()),
            (None, None) => None,
        };
        Ok(GameSummary {
            id,
            red: tag("Red"),
            black: tag("Black"),
            event: tag("Event"),
            opening,
            ecco,
            date: tag("Date"),
            result: game.outcome.to_string(),
            plies: game.main_moves().count(),
            ply,
        })
    }
}

/// After how many plies a position or its image is first on the board.
fn first_ply(game: &chuhe_notation::record::Game, wanted: &Position) -> Option<usize> {
    let key = wanted.merged_key().0;
    let mut position = game.start().clone();
    if position.merged_key().0 == key {
        return Some(0);
    }
    game.main_moves()
        .position(|mv| {
            let _ = position.play(mv, &mut ());
            position.merged_key().0 == key
        })
        .map(|index| index + 1)
}

/// What two sorted lists share; nothing stands for everything.
fn common(one: Option<Vec<u32>>, other: Vec<u32>) -> Vec<u32> {
    let Some(one) = one else { return other };
    let mut other = other.into_iter().peekable();
    one.into_iter()
        .filter(|id| {
            while other.next_if(|next| next < id).is_some() {}
            other.next_if_eq(id).is_some()
        })
        .collect()
}

impl Query {
    /// The conditions that SQL can check, with their values.
    fn conditions(&self) -> (Vec<String>, Vec<Value>) {
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        let named = |column: &str| format!("{column} IN (SELECT id FROM names WHERE instr(fold(text), ?))");
        let texts = [("red", &self.red), ("black", &self.black), ("event", &self.event)];
        for (column, part) in texts {
            if let Some(part) = part {
                conditions.push(named(column));
                values.push(fold(part).into());
            }
        }
        if let Some(part) = &self.player {
            conditions.push(format!("({} OR {})", named("red"), named("black")));
            values.extend([fold(part).into(), fold(part).into()]);
        }
        if let Some(part) = &self.opening {
            let mut any = vec![named("opening"), "ecco BETWEEN upper(?) AND upper(?) || 'zzz'".to_owned()];
            values.extend([fold(part).into(), part.clone().into(), part.clone().into()]);
            // Openings are found by their English names, too.
            for opening in openings::named(part) {
                any.extend([named("opening"), "substr(ecco, 1, 2) = ?".to_owned()]);
                values.extend([fold(opening.chinese).into(), opening.code.to_owned().into()]);
            }
            conditions.push(format!("({})", any.join(" OR ")));
        }
        if let Some(outcome) = self.result {
            conditions.push("result = ?".to_owned());
            values.push(stored::result_number(outcome).into());
        }
        if let Some(date) = &self.since {
            conditions.push("date >= ?".to_owned());
            values.push(date.clone().into());
        }
        if let Some(date) = &self.until {
            conditions.push("date <= ? || '~'".to_owned());
            values.push(date.clone().into());
        }
        if self.duplicates {
            conditions.push("goal IN (SELECT goal FROM games GROUP BY goal HAVING count(*) > 1)".to_owned());
        }
        (conditions, values)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::RankStyle;
    use chuhe_notation::pgn;
    use chuhe_notation::record::Game;
    use tempfile::TempDir;

    use super::*;

    /// Two games, the second mirrored with comments, the third with the second's moves exchanged.
    const GAMES: &str = r#"
[Red "許銀川"] [Black "Hu Ronghua"] [Event "全國賽"] [Date "1999.05.01"] [Opening "中炮對屏風馬"] [ECCO "C20"] [Round "3"]
1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. g3g4 c6c5 5. b0a2 a9a8 6. a0a1 a8d8 7. a1f1 d8d3 8. f1f7 h7i7 9. h0h9 g7h9 10. f7g7 c9e7 1-0

[Red "乙"] [Event "Cup"] [Date "2014"]
1. b2e2 {好} b9c7 2. c3c4 h9g7 0-1

[Red "丙"]
1. c3c4 *
"#;

    fn games(text: &str) -> Vec<Game> {
        pgn::read(text, RankStyle::FromZero).map(Result::unwrap).collect()
    }

    fn collection(games: &[Game]) -> (TempDir, Collection) {
        let folder = tempfile::tempdir().unwrap();
        let mut collection = Collection::open(&folder.path().join("games.db")).unwrap();
        let mut import = collection.import(false).unwrap();
        for game in games {
            import.add(game).unwrap();
        }
        assert_eq!(import.finish().unwrap().added, games.len());
        (folder, collection)
    }

    #[test]
    fn games_come_back_as_they_were() {
        let games = games(GAMES);
        let (_folder, collection) = collection(&games);
        for (index, game) in games.iter().enumerate() {
            assert_eq!(&collection.game(index as u32 + 1).unwrap(), game);
        }
        assert!(matches!(collection.game(9), Err(CollectionError::NoGame(9))));
    }

    #[test]
    fn every_question_finds_its_games() {
        let (_folder, collection) = collection(&games(GAMES));
        let found = |query: Query| collection.matching(&query).unwrap();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(found(Query::default()), [1, 2, 3]);
        assert_eq!(found(Query { player: text("hu rong"), ..Query::default() }), [1]);
        assert_eq!(found(Query { player: text("许 银川"), ..Query::default() }), [1]);
        assert_eq!(found(Query { event: text("全国"), ..Query::default() }), [1]);
        assert_eq!(found(Query { red: text("乙"), ..Query::default() }), [2]);
        assert!(found(Query { black: text("乙"), ..Query::default() }).is_empty());
        assert_eq!(found(Query { event: text("cup"), ..Query::default() }), [2]);
        assert_eq!(found(Query { opening: text("c2"), ..Query::default() }), [1]);
        for name in ["中炮對屏風馬", "屏风马", "screen horses", "中砲 對屏風馬"] {
            assert_eq!(
                found(Query { opening: text(name), ..Query::default() }),
                [1, 2],
                "{name}, by its moves"
            );
        }
        assert_eq!(found(Query { result: Some(Outcome::BlackWins), ..Query::default() }), [2]);
        assert_eq!(found(Query { since: text("2000"), ..Query::default() }), [2]);
        assert_eq!(found(Query { until: text("1999"), ..Query::default() }), [1]);
        let position = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
        let query = Query { position: Some(position.parse().unwrap()), ..Query::default() };
        assert_eq!(found(query.clone()), [1, 2], "the mirror image counts");
        assert_eq!(collection.search(&query, 1, 5).unwrap().games[0].ply, Some(2));
        let query = Query { result: Some(Outcome::RedWins), ..query };
        assert_eq!(found(query), [1]);
        let material = "RNNCCPPPPP AABB rnnccppppp aabb".parse().unwrap();
        assert_eq!(found(Query { material: Some(material), ..Query::default() }), [1]);
        let pattern = Some("P@g4 C@e2".parse().unwrap());
        assert_eq!(found(Query { pattern: pattern.clone(), ..Query::default() }), [1, 2]);
        assert_eq!(found(Query { pattern, player: text("乙"), ..Query::default() }), [2]);
    }

    #[test]
    fn the_same_game_is_known_again_mirrored_or_with_moves_exchanged() {
        let first = games(GAMES).remove(0);
        let (_folder, mut collection) = collection(std::slice::from_ref(&first));
        let words: Vec<String> = first.main_moves().map(|mv| mv.mirrored().to_string()).collect();
        let mirrored = games(&words.join(" ")).remove(0);
        let exchanged = pgn::write(&first, pgn::MoveStyle::Coordinates).text;
        let exchanged = exchanged.replace("3. i0h0", "3. g3g4").replace("4. g3g4", "4. i0h0");
        let mut import = collection.import(false).unwrap();
        import.add(&mirrored).unwrap();
        import.add(&games(&exchanged)[0]).unwrap();
        import.add(&games("1. h2e2 h9g7 *")[0]).unwrap();
        import.add(&games("[Red \"甲\"] 1. h2e2 h9g7 *")[0]).unwrap();
        import.add(&games("[Red \"乙\"] 1. h2e2 h9g7 *")[0]).unwrap();
        let report = import.finish().unwrap();
        assert_eq!((report.added, report.same, report.transposed), (1, 3, 1));
        let mut import = collection.import(true).unwrap();
        import.add(&mirrored).unwrap();
        import.finish().unwrap();
        let duplicates = Query { duplicates: true, ..Query::default() };
        assert_eq!(collection.matching(&duplicates).unwrap(), [1, 3]);
    }

    #[test]
    fn an_import_that_is_given_up_changes_nothing() {
        let all = games(GAMES);
        let (_folder, mut collection) = collection(&all[..1]);
        let mut import = collection.import(false).unwrap();
        import.add(&all[1]).unwrap();
        drop(import);
        assert_eq!(collection.len().unwrap(), 1);
        let query = Query { position: Some(Position::start()), ..Query::default() };
        assert_eq!(collection.matching(&query).unwrap(), [1]);
    }
}
