//! Twelve tournament games in Chinese notation, as they were printed.

use std::ops::ControlFlow;
use std::path::Path;

use chuhe_board::Outcome;
use chuhe_board::coords::RankStyle;
use chuhe_notation::record::Game;
use chuhe_notation::{Format, read_records};

#[test]
fn all_printed_games_are_read_whole() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/games/printed.txt");
    let bytes = std::fs::read(path).unwrap();
    let mut games: Vec<Game> = Vec::new();
    read_records(Format::Text, &bytes, RankStyle::FromZero, |game| {
        games.push(game.unwrap());
        ControlFlow::Continue(())
    });
    assert_eq!(games.len(), 12);
    assert!(games.iter().all(|game| game.tags.get("Id").is_some() && game.outcome != Outcome::Undecided));

    let text = str::from_utf8(&bytes).unwrap();
    let rounds = text.lines().filter(|line| !line.starts_with('[')).flat_map(str::split_whitespace);
    let printed = rounds.filter(|word| !word.ends_with('.')).count();
    assert_eq!(games.iter().map(Game::move_count).sum::<usize>(), printed);
}
