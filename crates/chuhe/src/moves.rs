//! `chuhe moves`: the legal moves of a position in every notation.

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Position};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::wxf;
use clap::Args;
use serde::Serialize;

use crate::{input, output};

/// List the legal moves in every notation
#[derive(Args)]
#[command(after_help = "Example: chuhe moves --fen '3k5/9/4P4/4P4/9/9/9/9/9/4K4 w'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: input::PositionArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Moves {
    fen: String,
    in_check: bool,
    moves: Vec<Spelling>,
}

/// One move in every notation.
#[derive(Serialize)]
struct Spelling {
    /// Coordinates with ranks 0–9.
    #[serde(rename = "move")]
    mv: String,
    /// Coordinates with ranks 1–10.
    one_based: String,
    iccs: String,
    wxf: String,
    traditional: String,
    simplified: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let position = arguments.position.position()?;
    let spell = |mv| Spelling::new(&position, mv);
    let moves = Moves {
        fen: position.to_string(),
        in_check: position.is_in_check(),
        moves: position.moves().into_iter().map(spell).collect(),
    };
    if arguments.json { output::print_json(&moves) } else { output::print(&described(&moves, &position)) }
}

impl Spelling {
    fn new(position: &Position, mv: Move) -> Self {
        Self {
            mv: coords::write_move(mv, RankStyle::FromZero).to_string(),
            one_based: coords::write_move(mv, RankStyle::FromOne).to_string(),
            iccs: coords::write_iccs(mv).to_string(),
            wxf: wxf::write_move(position, mv).to_string(),
            traditional: chinese::write_move(position, mv, Script::Traditional).to_string(),
            simplified: chinese::write_move(position, mv, Script::Simplified).to_string(),
        }
    }

    fn columns(&self) -> [&str; 6] {
        [&self.mv, &self.one_based, &self.iccs, &self.wxf, &self.traditional, &self.simplified]
    }
}

const HEADINGS: [&str; 6] = ["0–9", "1–10", "ICCS", "WXF", "繁體", "简体"];

fn described(moves: &Moves, position: &Position) -> String {
    let side = position.side_to_move();
    if moves.moves.is_empty() {
        let how = if moves.in_check { "checkmate" } else { "stalemate, which loses" };
        return format!("{side} has no legal move: {how}\n");
    }
    let rows = std::iter::once(HEADINGS).chain(moves.moves.iter().map(Spelling::columns));
    let mut text = String::new();
    for row in rows {
        text.push_str(&aligned(row));
    }
    let check = if moves.in_check { ", in check" } else { "" };
    let count = moves.moves.len();
    let noun = if count == 1 { "move" } else { "moves" };
    text + &format!("{count} legal {noun} for {side}{check}\n")
}

/// A line of the table.
fn aligned(row: [&str; 6]) -> String {
    const WIDTHS: [usize; 6] = [6, 8, 7, 6, 10, 8];
    let mut line = String::new();
    for (cell, width) in row.into_iter().zip(WIDTHS) {
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', width.saturating_sub(columns_on_terminal(cell))));
    }
    format!("{}\n", line.trim_end())
}

/// How many columns a terminal gives the text: Chinese characters and full-width digits take two.
fn columns_on_terminal(text: &str) -> usize {
    text.chars().map(|character| if is_wide(character) { 2 } else { 1 }).sum()
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{FF01}'..='\u{FF60}')
}
