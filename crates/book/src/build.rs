//! Builds a book from game records.

use std::collections::HashMap;

use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_notation::record::Game;

use crate::{BookMove, Entries, slot};

/// Which games and moves are taken.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Moves up to this ply.
    pub plies: usize,
    /// Moves that were played at least this often.
    pub least: u32,
    /// Only games with a known result.
    pub decided: bool,
    /// Only games in which every known rating is at least this.
    pub rating: u16,
}

impl Default for Filter {
    fn default() -> Self {
        Self { plies: 40, least: 1, decided: false, rating: 0 }
    }
}

/// Collects the moves of games.
pub struct Builder {
    filter: Filter,
    positions: HashMap<u64, Vec<Tally>>,
    games: usize,
}

/// Results of one move.
struct Tally {
    mv: Move,
    count: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    ratings: u64,
    rated: u32,
    seen: u32,
}

impl Builder {
    /// An empty book.
    pub fn new(filter: Filter) -> Self {
        Self { filter, positions: HashMap::new(), games: 0 }
    }

    /// The number of games taken.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Adds a game from the normal start position; whether it was taken.
    pub fn add(&mut self, game: &Game) -> bool {
        let ratings = [
            rating(game, ["RedRating", "RedElo", "WhiteElo"]),
            rating(game, ["BlackRating", "BlackElo", ""]),
        ];
        let is_weak = ratings.into_iter().flatten().any(|rating| rating < self.filter.rating);
        let is_open = self.filter.decided && game.outcome == Outcome::Undecided;
        if is_weak || is_open || game.start() != &Position::start() {
            return false;
        }
        self.games += 1;
        let seen = game.tags.get("Date").and_then(day_of).unwrap_or(0);
        let mut position = Position::start();
        for mv in game.main_moves().take(self.filter.plies) {
            let side = position.side_to_move();
            self.count(&position, mv, game.outcome, ratings[side.index()], seen);
            let _ = position.play(mv, &mut ());
        }
        true
    }

    fn count(&mut self, position: &Position, mv: Move, outcome: Outcome, rating: Option<u16>, seen: u32) {
        let (key, mv) = slot(position, mv);
        let moves = self.positions.entry(key.get()).or_default();
        let at = moves.iter().position(|tally| tally.mv == mv).unwrap_or_else(|| {
            moves.push(Tally { mv, count: 0, wins: 0, draws: 0, losses: 0, ratings: 0, rated: 0, seen: 0 });
            moves.len() - 1
        });
        let tally = &mut moves[at];
        tally.count += 1;
        tally.seen = tally.seen.max(seen);
        if let Some(rating) = rating {
            tally.ratings += u64::from(rating);
            tally.rated += 1;
        }
        match (outcome, position.side_to_move()) {
            (Outcome::Undecided, _) => {}
            (Outcome::Draw, _) => tally.draws += 1,
            (Outcome::RedWins, Side::Red) | (Outcome::BlackWins, Side::Black) => tally.wins += 1,
            _ => tally.losses += 1,
        }
    }

    /// The book, without the moves that were played too rarely.
    pub fn finish(self) -> Entries {
        let least = self.filter.least;
        let kept = self.positions.into_iter().map(|(key, tallies)| {
            let mut moves: Vec<BookMove> =
                tallies.into_iter().filter(|tally| tally.count >= least).map(BookMove::from).collect();
            moves.sort_by_key(|known| (std::cmp::Reverse(known.count), known.mv.packed()));
            (chuhe_board::Key::from_number(key), moves)
        });
        kept.filter(|(_, moves)| !moves.is_empty()).collect()
    }
}

impl From<Tally> for BookMove {
    fn from(tally: Tally) -> Self {
        Self {
            count: tally.count,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            strength: tally.ratings.checked_div(tally.rated.into()).unwrap_or(0) as u16,
            seen: tally.seen,
            ..Self::new(tally.mv)
        }
    }
}

/// The first of these tags that is a number.
fn rating(game: &Game, tags: [&str; 3]) -> Option<u16> {
    tags.into_iter().find_map(|tag| game.tags.get(tag)?.trim().parse().ok())
}

/// The day of a date such as `2014.06.28`, counted from 1970; months and days may be missing.
pub(crate) fn day_of(date: &str) -> Option<u32> {
    let mut numbers =
        date.split(|character: char| !character.is_ascii_digit()).filter_map(|part| part.parse::<u32>().ok());
    let year = numbers.next().filter(|year| (1970..3000).contains(year))?;
    let month = numbers.next().filter(|month| (1..=12).contains(month)).unwrap_or(1);
    let day = numbers.next().filter(|day| (1..=31).contains(day)).unwrap_or(1);
    // Days before the month in a year that starts in March, so that leap days come last.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    days.checked_sub(719_469)
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::RankStyle;
    use chuhe_notation::pgn;

    use super::*;
    use crate::moves_in;

    fn built(text: &str, filter: Filter) -> Entries {
        let mut builder = Builder::new(filter);
        for game in pgn::read(text, RankStyle::FromZero) {
            builder.add(&game.unwrap());
        }
        builder.finish()
    }

    const GAMES: &str = "[RedRating \"2400\"] [Date \"1970.01.03\"] 1. h2e2 h9g7 1-0\n\n\
        [RedRating \"2200\"] 1. b2e2 b9c7 0-1\n\n[Red \"a\"] 1. h2e2 b9c7 1/2-1/2\n\n[Red \"a\"] 1. c3c4 *\n";

    #[test]
    fn mirrored_games_are_counted_together_and_results_are_the_movers() {
        let entries = built(GAMES, Filter::default());
        let moves = moves_in(&entries, &Position::start());
        let cannon = &moves[0];
        assert_eq!((cannon.count, cannon.wins, cannon.draws, cannon.losses), (3, 1, 1, 1));
        assert_eq!((cannon.strength, cannon.seen), (2300, 2));
        let mut position = Position::start();
        let _ = position.play(cannon.mv, &mut ());
        let replies = moves_in(&entries, &position);
        assert_eq!(
            replies.iter().map(|known| (known.count, known.wins)).collect::<Vec<_>>(),
            [(2, 1), (1, 0)]
        );
    }

    #[test]
    fn filters_leave_out_what_they_say() {
        let count = |filter| {
            moves_in(&built(GAMES, filter), &Position::start()).iter().map(|known| known.count).sum::<u32>()
        };
        assert_eq!(count(Filter::default()), 4);
        assert_eq!(count(Filter { decided: true, ..Filter::default() }), 3);
        assert_eq!(count(Filter { rating: 2300, ..Filter::default() }), 3);
        assert_eq!(count(Filter { least: 2, ..Filter::default() }), 3);
        assert_eq!(built(GAMES, Filter { plies: 1, ..Filter::default() }).len(), 1);
    }

    #[test]
    fn ratings_have_several_names() {
        for tags in ["[RedRating \"2400\"]", "[RedElo \"2400\"]", "[RedRating \"?\"] [RedElo \"2400\"]"] {
            let entries = built(&format!("{tags} 1. h2e2 1-0"), Filter::default());
            assert_eq!(entries.values().next().unwrap()[0].strength, 2400, "{tags}");
        }
    }

    #[test]
    fn dates_become_days() {
        assert_eq!(day_of("1970.01.01"), Some(0));
        assert_eq!(day_of("2000-03-01"), Some(11_017));
        assert_eq!(day_of("2014"), Some(16_071));
        assert_eq!(day_of("1929.05"), None);
    }
}
