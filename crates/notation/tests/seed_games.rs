//! Twelve tournament games in Chinese notation, as they were printed.

use std::fs;
use std::path::Path;

use chuhe_board::Position;
use chuhe_notation::chinese;

#[test]
fn all_printed_games_replay() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/games/seeds.txt");
    let text = fs::read_to_string(path).unwrap();
    let games: Vec<&str> = text.split("\n\n").filter(|game| !game.trim().is_empty()).collect();
    assert_eq!(games.len(), 12);
    for game in games {
        let id = game.lines().find_map(|line| line.strip_prefix("[Id ")?.strip_suffix(']')).unwrap();
        let plies = replay(game).unwrap_or_else(|error| panic!("game {id}: {error}"));
        assert!(plies > 40, "game {id} has only {plies} plies");
    }
}

fn replay(game: &str) -> Result<usize, String> {
    let mut position = Position::start();
    let mut plies = 0;
    for line in game.lines().filter(|line| !line.starts_with('[')) {
        let (number, moves) = line.split_once(". ").ok_or_else(|| format!("no round number in '{line}'"))?;
        assert_eq!(number.trim(), position.round().to_string());
        for text in moves.split_whitespace() {
            let mv =
                chinese::parse_move(text, &position).map_err(|error| format!("round {number}: {error}"))?;
            let _ = position.play(mv, &mut ());
            plies += 1;
        }
    }
    Ok(plies)
}
