//! Developers' commands: `d`, `eval`, `flip`, `bench`, `perft` and `help`.

use chuhe_adapters::{Evaluation, NetworkVerdict};
use chuhe_board::{Piece, Position, perft};
use chuhe_protocol::Tool;
use chuhe_referee::Game;
use chuhe_search::bench;

use super::{UciSession, display};

/// Deeper counts would take days.
const DEEPEST_PERFT: u32 = 9;

const HELP: &str = "\
position startpos [moves h2e2 …], position fen FEN [moves …]
go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS] [mate N] [infinite]
stop, setoption name NAME value VALUE, isready, ucinewgame, quit
uci: the options. Developers: d (board), eval, flip (exchange the colours), perft N, bench [DEPTH].
All of it: docs/engine.md. In UCCI and xboard the first line is ucci or xboard.";

/// The position with the board turned round and the colours exchanged.
fn flipped(position: &Position) -> Position {
    let pieces = position
        .pieces_on_board()
        .map(|(piece, square)| (Piece::new(!piece.side(), piece.kind()), square.across()));
    Position::from_pieces(pieces, !position.side_to_move()).expect("the same position from the other side")
}

impl UciSession {
    pub(super) fn run_tool(&mut self, tool: &Tool) {
        match tool {
            Tool::Display => {
                self.connection.send_text(&display::board(self.game.position(), self.connection.ranks));
            }
            Tool::Flip => {
                self.search.halt();
                self.game = Game::new(flipped(self.game.position()));
                self.is_rejected = false;
            }
            Tool::Help => self.connection.send_text(HELP),
            Tool::Eval => self.connection.send_text(&self.evaluation()),
            Tool::Bench(words) => self.bench(words),
            Tool::Perft(depth) => self.perft(*depth),
        }
    }

    /// The hand-written evaluation term by term, and the network's.
    fn evaluation(&self) -> String {
        let position = self.game.position();
        let network = NetworkVerdict::of(&self.options.network, position);
        format!("{}\n{network}", Evaluation::of(position))
    }

    fn bench(&mut self, words: &str) {
        let evaluator = self.options.evaluator();
        let depth =
            words.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(bench::DEPTH);
        let connection = self.connection.clone();
        self.search.start_tool(move |control| {
            let Some(found) = bench::run(depth, evaluator, control, |_, _| {}) else {
                return connection.send_message("bench was stopped");
            };
            let speed = found.nodes as f64 / found.time.as_secs_f64().max(1e-9);
            connection.send_text(&format!("{} nodes {speed:.0} nps", found.nodes));
        });
    }

    fn perft(&mut self, depth: u32) {
        let position = self.game.position().clone();
        let threads = self.options.threads;
        let connection = self.connection.clone();
        self.search.start_tool(move |control| {
            let is_stopped = || control.is_stopped();
            match perft::divide_unless(&position, depth.min(DEEPEST_PERFT), threads, is_stopped) {
                Some(counts) => connection.send_text(&display::counts(&counts, depth, connection.ranks)),
                None => connection.send_message("perft was stopped"),
            }
        });
    }
}
