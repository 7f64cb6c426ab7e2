//! Writes random games for checks and measurements:
//! `cargo run --release --package chuhe-notation --example random_games -- FOLDER GAMES SEED`.
//!
//! `trees.pgn` has games with variations and comments, some from positions in the middle of a game;
//! `keyed/` the same games as XQF with keys; `lines.pgn` plain games in WXF.

use std::error::Error;
use std::fs;
use std::path::Path;

use chuhe_board::{Outcome, Position};
use chuhe_notation::pgn::{self, MoveStyle};
use chuhe_notation::record::{Game, GameBuilder, NodeId};
use chuhe_notation::xqf;

/// SplitMix64: the same games for the same seed on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Plays a random move, if there is one.
    fn play(&mut self, builder: &mut GameBuilder) -> Option<NodeId> {
        let moves = builder.position().moves();
        let mv = *moves.get(self.below(moves.len().max(1)))?;
        builder.play(mv).ok()
    }

    /// A game of one line.
    fn line(&mut self, plies: usize) -> GameBuilder {
        let mut builder = GameBuilder::new(Position::start());
        while builder.ply() < plies && self.play(&mut builder).is_some() {}
        builder
    }

    fn start(&mut self) -> Position {
        let plies = if self.below(2) == 0 { 0 } else { 20 + self.below(100) };
        let position = self.line(plies).position().clone();
        // Few formats hold the counters of a position.
        let pieces: Vec<_> = position.pieces_on_board().collect();
        Position::from_pieces(pieces, position.side_to_move()).expect("games lead to possible positions")
    }

    fn tree(&mut self) -> Game {
        let mut builder = GameBuilder::new(self.start());
        let mut nodes = vec![NodeId::ROOT];
        for _ in 0..10 + self.below(60) {
            match self.below(10) {
                0 => builder.go_to(nodes[self.below(nodes.len())]),
                1 => builder.add_comment(&format!("第{}句 comment {}", self.below(100), self.below(100))),
                _ => nodes.extend(self.play(&mut builder)),
            }
        }
        self.describe(&mut builder);
        builder.finish()
    }

    fn describe(&mut self, builder: &mut GameBuilder) {
        builder.set_tag("Event", &format!("隨機賽 {}", self.below(1000)));
        builder.set_tag("Red", ["甲", "乙", "丙"][self.below(3)]);
        builder.set_tag("Black", ["丁", "戊", "己"][self.below(3)]);
        let outcomes = [Outcome::RedWins, Outcome::BlackWins, Outcome::Draw, Outcome::Undecided];
        builder.set_outcome(outcomes[self.below(4)]);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, games, seed] = arguments.as_slice() else {
        return Err("expected a folder, a number of games and a seed".into());
    };
    let (folder, games, mut random) = (Path::new(folder), games.parse::<usize>()?, Random(seed.parse()?));
    fs::create_dir_all(folder.join("keyed"))?;
    let (mut trees, mut lines) = (String::new(), String::new());
    for number in 1..=games {
        let tree = random.tree();
        trees += &pgn::write(&tree, MoveStyle::Iccs).text;
        let mut keys = [0; 13];
        keys.fill_with(|| random.next() as u8);
        fs::write(folder.join(format!("keyed/trees-{number:05}.xqf")), xqf::write_keyed(&tree, keys).0)?;
        let plies = 60 + random.below(60);
        let mut line = random.line(plies);
        random.describe(&mut line);
        lines += &pgn::write(&line.finish(), MoveStyle::Wxf).text;
    }
    fs::write(folder.join("trees.pgn"), trees)?;
    fs::write(folder.join("lines.pgn"), lines)?;
    Ok(())
}
