//! The opening explorer: the book moves of a position, for the command line and the web.

use chuhe_board::{Move, Position};
use chuhe_book::openings::{self, Opening};
use chuhe_book::{Book, BookMove, Choice, lines, terms};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::wxf;
use chuhe_referee::Game;
use serde::Serialize;

/// A position in a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExploredPosition {
    /// The position as FEN.
    pub fen: String,
    /// The opening that the game is in; nothing if it did not start from the normal position.
    pub opening: Option<OpeningJson>,
    /// The name of the last position of the game that has one.
    pub name: Option<NameJson>,
    /// How the line got its name: every name on the way, the last one first.
    pub origin: Vec<NamedPly>,
    /// The words of which the name is made.
    pub terms: Vec<TermJson>,
    /// Other move orders of theory that lead here.
    pub ways: Vec<WayJson>,
    /// The moves that the book knows, those with the most merit first.
    pub moves: Vec<ExploredMove>,
}

/// A position of the game that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NamedPly {
    /// After how many plies.
    pub ply: usize,
    /// The name.
    pub name: NameJson,
}

/// A word of the names of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TermJson {
    /// The word in traditional characters: 屏風馬.
    pub word: &'static str,
    /// The word in English.
    pub english: &'static str,
    /// What it means.
    pub meaning: NameJson,
}

/// A move order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WayJson {
    /// The moves in coordinates.
    pub moves: Vec<String>,
    /// The moves in WXF, separated by spaces.
    pub wxf: String,
    /// The moves in traditional characters.
    pub traditional: String,
    /// The moves in simplified characters.
    pub simplified: String,
}

/// A move in a book. Wins, losses and the score are those of the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExploredMove {
    /// Coordinates with ranks 0–9: `h2e2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// `C2=5`.
    pub wxf: String,
    /// 炮二平五 in traditional characters.
    pub traditional: String,
    /// 炮二平五 in simplified characters.
    pub simplified: String,
    /// How often it was played.
    pub count: u32,
    /// How often it won.
    pub wins: u32,
    /// How often it was drawn.
    pub draws: u32,
    /// How often it lost.
    pub losses: u32,
    /// The average rating of its players; 0 if unknown.
    pub strength: u16,
    /// The engine's score in centisoldiers, if it was searched.
    pub score: Option<i16>,
    /// The depth of that search.
    pub depth: u8,
    /// A preference in thousandths of a point, by its author or by learning.
    pub weight: i16,
    /// When it was last seen, in days since 1970; 0 if not known.
    pub seen: u32,
    /// It falls into a trap: a search likes it and a deeper look refutes it.
    pub falls: bool,
    /// It sets a trap.
    pub sets: bool,
    /// It is a move of a named line of theory.
    pub theory: bool,
    /// The position had no search of its own: the move and its score are from the search of an earlier position.
    pub inherited: bool,
    /// How often the engine chooses it at full strength, in percent.
    pub chance: u8,
    /// A remark.
    pub note: String,
    /// The opening that it leads to; nothing if the game did not start from the normal position.
    pub opening: Option<OpeningJson>,
    /// The name of the position that it leads to, if it has one of its own.
    pub name: Option<NameJson>,
}

/// The name of a position of opening theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NameJson {
    /// In traditional characters: 中炮對屏風馬.
    pub traditional: &'static str,
    /// In simplified characters: 中炮对屏风马.
    pub simplified: &'static str,
    /// In English.
    pub english: &'static str,
}

/// The group of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpeningJson {
    /// Its group in ECCO: `C0`.
    pub code: &'static str,
    /// In Chinese, traditional characters: 中炮對屏風馬.
    pub chinese: &'static str,
    /// In English.
    pub english: &'static str,
}

/// How large a book is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BookStats {
    /// Positions.
    pub positions: usize,
    /// Positions that had a search of their own; the others are from games or from principal variations.
    pub searched: usize,
    /// Moves of positions.
    pub moves: usize,
    /// Moves that the engine scored.
    pub scored: usize,
    /// Games from the start position.
    pub games: usize,
    /// Moves that fall into traps.
    pub traps: usize,
}

impl From<Opening> for OpeningJson {
    fn from(opening: Opening) -> Self {
        Self { code: opening.code, chinese: opening.chinese, english: opening.english }
    }
}

impl From<lines::Name> for NameJson {
    fn from(name: lines::Name) -> Self {
        Self { traditional: name.traditional, simplified: name.simplified, english: name.english }
    }
}

/// Looks the position at the end of a game up.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_book::Book;
/// use chuhe_referee::Game;
/// use chuhe_report::explore;
///
/// let found = explore::explore(&Book::embedded(), &Game::new(Position::start()));
/// assert!(found.moves.iter().any(|known| known.wxf == "C2=5" && known.score.is_some()));
/// ```
pub fn explore(book: &Book, game: &Game) -> ExploredPosition {
    let is_normal = game.start() == &Position::start();
    let line: Vec<Move> = game.history().plies().iter().filter_map(|ply| ply.mv()).collect();
    let opening = if is_normal { openings::name(&line) } else { None };
    let position = game.position();
    let names_after = |mv| {
        let mut child = position.clone();
        let _ = child.play(mv, &mut ());
        let opening = if is_normal { openings::after(opening, &child) } else { None };
        (opening.map(OpeningJson::from), lines::name(&child).map(NameJson::from))
    };
    let known = book.moves_by_merit(position);
    let chances = Choice::at_strength(1.0).chances(&known);
    let moves = known.into_iter().zip(chances).map(|(known, chance)| {
        let (opening, name) = names_after(known.mv);
        let chance = (100.0 * chance).round() as u8;
        ExploredMove { opening, name, chance, ..explored(position, known) }
    });
    let origin = names_on_the_way(game.start(), &line);
    ExploredPosition {
        fen: position.to_string(),
        opening: opening.map(OpeningJson::from),
        name: origin.first().map(|last| last.name),
        terms: origin.first().map_or_else(Vec::new, |last| terms_of(last.name)),
        origin,
        ways: if is_normal { other_ways(position, &line) } else { Vec::new() },
        moves: moves.collect(),
    }
}

/// The names of the positions of a game, the last one first.
fn names_on_the_way(start: &Position, moves: &[Move]) -> Vec<NamedPly> {
    let mut position = start.clone();
    let mut names = Vec::new();
    for ply in 0..=moves.len() {
        names.extend(lines::name(&position).map(|name| NamedPly { ply, name: name.into() }));
        if let Some(mv) = moves.get(ply) {
            let _ = position.play(*mv, &mut ());
        }
    }
    names.reverse();
    names
}

fn terms_of(name: NameJson) -> Vec<TermJson> {
    let terms = terms::of(name.traditional).into_iter();
    let meaning = |term: &terms::Term| NameJson {
        traditional: term.traditional,
        simplified: term.simplified,
        english: term.meaning,
    };
    terms
        .map(|term| TermJson { word: term.written[0], english: term.english, meaning: meaning(term) })
        .collect()
}

/// How many other move orders are shown.
const MOST_WAYS: usize = 3;

/// Theory's other move orders to a position, on its side of the board.
fn other_ways(position: &Position, line: &[Move]) -> Vec<WayJson> {
    let turned = lines::ways_to(position).map(|way| {
        let mut end = Position::start();
        for mv in way {
            let _ = end.play(*mv, &mut ());
        }
        let is_mirrored = end.key() != position.key();
        way.iter().map(|mv| if is_mirrored { mv.mirrored() } else { *mv }).collect::<Vec<_>>()
    });
    turned.filter(|way| way != line).take(MOST_WAYS).map(|way| way_json(&way)).collect()
}

fn way_json(way: &[Move]) -> WayJson {
    let written = |write: &dyn Fn(&Position, Move) -> String| {
        let mut position = Position::start();
        let words = way.iter().map(|mv| {
            let word = write(&position, *mv);
            let _ = position.play(*mv, &mut ());
            word
        });
        words.collect::<Vec<_>>().join(" ")
    };
    WayJson {
        moves: way.iter().map(Move::to_string).collect(),
        wxf: written(&|position, mv| wxf::write_move(position, mv).to_string()),
        traditional: written(&|position, mv| {
            chinese::write_move(position, mv, Script::Traditional).to_string()
        }),
        simplified: written(&|position, mv| {
            chinese::write_move(position, mv, Script::Simplified).to_string()
        }),
    }
}

/// What the book says of a move, without names and chances.
fn explored(position: &Position, known: BookMove) -> ExploredMove {
    let written = |script| chinese::write_move(position, known.mv, script).to_string();
    ExploredMove {
        mv: known.mv.to_string(),
        wxf: wxf::write_move(position, known.mv).to_string(),
        traditional: written(Script::Traditional),
        simplified: written(Script::Simplified),
        count: known.count,
        wins: known.wins,
        draws: known.draws,
        losses: known.losses,
        strength: known.strength,
        score: known.score,
        depth: known.depth,
        weight: known.weight,
        seen: known.seen,
        falls: known.flags.falls,
        sets: known.flags.sets,
        theory: known.flags.theory,
        inherited: known.flags.inherited,
        chance: 0,
        note: known.note,
        opening: None,
        name: None,
    }
}

/// Counts what a book holds.
pub fn stats(book: &Book) -> BookStats {
    let entries = book.entries();
    let count = |is_counted: fn(&BookMove) -> bool| {
        entries.values().flatten().filter(|known| is_counted(known)).count()
    };
    BookStats {
        positions: entries.len(),
        searched: entries.values().filter(|moves| moves.iter().any(is_searched)).count(),
        moves: count(|_| true),
        scored: count(|known| known.score.is_some()),
        games: book.moves(&Position::start()).iter().map(|known| known.count as usize).sum(),
        traps: count(|known| known.flags.falls),
    }
}

fn is_searched(known: &BookMove) -> bool {
    known.score.is_some() && !known.flags.inherited
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};
    use chuhe_book::{Builder, Filter};
    use chuhe_notation::pgn;

    use super::*;

    fn book() -> Book {
        let mut builder = Builder::new(Filter::default());
        let games = "1. h2e2 h9g7 1-0\n\n[Red \"a\"] 1. b2e2 b9c7 0-1\n\n[Red \"a\"] 1. c3c4 *\n";
        for game in pgn::read(games, RankStyle::FromZero) {
            builder.add(&game.unwrap());
        }
        Book::of(&builder.finish())
    }

    #[test]
    fn moves_come_with_results_and_names() {
        let found = explore(&book(), &Game::new(Position::start()));
        assert_eq!((&found.opening, found.name), (&None, None));
        let first = &found.moves[0];
        assert_eq!(first.name.unwrap().simplified, "中炮局");
        assert_eq!(found.moves.iter().map(|known| u32::from(known.chance)).sum::<u32>(), 100);
        assert_eq!((first.wxf.as_str(), first.traditional.as_str()), ("C2=5", "炮二平五"));
        assert_eq!((first.count, first.wins, first.losses), (2, 1, 1));
        assert_eq!(first.opening.as_ref().unwrap().chinese, "中炮局");
        let mut game = Game::new(Position::start());
        game.play(parse_move("b2e2", RankStyle::FromZero).unwrap()).unwrap();
        let found = explore(&book(), &game);
        assert_eq!(found.opening.unwrap().chinese, "中炮局");
        assert_eq!(found.name.unwrap().english, "Central Cannon");
        assert_eq!(found.moves[0].mv, "b9c7", "the mirror image answers for the mirror image");
    }

    fn played(moves: &str) -> Game {
        let mut game = Game::new(Position::start());
        for word in moves.split(' ') {
            game.play(parse_move(word, RankStyle::FromZero).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_name_has_an_origin_and_words() {
        let found = explore(&book(), &played("b2e2 b9c7 b0c2 a9b9 a0b0 h9g7"));
        let origin: Vec<(usize, &str)> =
            found.origin.iter().map(|step| (step.ply, step.name.traditional)).collect();
        assert_eq!(origin, [(6, "中炮對屏風馬"), (3, "中炮對進左馬"), (1, "中炮局")]);
        let words: Vec<&str> = found.terms.iter().map(|term| term.word).collect();
        assert_eq!(words, ["中炮", "屏風馬"]);
        assert!(found.terms[1].meaning.simplified.contains("屏风"));
    }

    #[test]
    fn other_move_orders_lead_to_the_same_position() {
        let several = lines::all().iter().find_map(|line| {
            let words: Vec<String> = line.moves.iter().map(|mv| mv.mirrored().to_string()).collect();
            let game = played(&words.join(" "));
            let found = explore(&book(), &game);
            Some((game, found.ways)).filter(|(_, ways)| !ways.is_empty())
        });
        let (game, ways) = several.expect("theory transposes");
        for way in ways {
            let end = played(&way.moves.join(" "));
            assert_eq!(end.position().key(), game.position().key(), "on the same side of the board");
            assert_eq!(way.wxf.split(' ').count(), way.moves.len());
        }
    }

    #[test]
    fn openings_have_names_only_in_normal_games() {
        let mut set_up = Position::start();
        let _ = set_up.play(parse_move("h2e2", RankStyle::FromZero).unwrap(), &mut ());
        let found = explore(&book(), &Game::new(set_up));
        assert_eq!(found.opening, None);
        assert!(!found.moves.is_empty());
        assert!(found.moves.iter().all(|known| known.opening.is_none()));
    }

    #[test]
    fn what_a_book_holds_is_counted() {
        let found = stats(&book());
        let expected = BookStats { positions: 2, searched: 0, moves: 3, scored: 0, games: 3, traps: 0 };
        assert_eq!(found, expected);
    }
}
