//! Search results as UCI replies.

use chuhe_adapters::{Handicap, draw_offer};
use chuhe_board::Position;
use chuhe_eval::Chances;
use chuhe_eval::classical::Phase;
use chuhe_protocol::{BestMove, Info, PopHash, Reply, Wdl};
use chuhe_search::{Answer, Bound, Event, Line, TtEntry};

use crate::random;
use crate::report::{nodes_per_second, protocol_score};

/// The `info` of a search event.
pub(super) fn info(event: Event, phase: Phase, show_wdl: bool, multi_pv: usize) -> Option<Info> {
    Some(match event {
        // A handicap searches more lines than the GUI asked for.
        Event::Line(line) if line.rank > multi_pv => return None,
        Event::Line(line) => Info {
            depth: Some(line.depth),
            selective_depth: Some(line.selective_depth),
            multi_pv: Some(line.rank as u32),
            score: Some(protocol_score(line.score, line.bound)),
            wdl: show_wdl.then(|| {
                let Chances { win, draw, loss } = Chances::of(line.score, phase);
                Wdl { win, draw, loss }
            }),
            nodes: Some(line.nodes),
            nps: Some(nodes_per_second(line.nodes, line.time)),
            hash_full: Some(line.hashfull),
            table_hits: Some(line.tablebase_hits),
            time: Some(line.time),
            pv: line.moves,
            ..Info::default()
        },
        Event::Current { depth, mv, number } => Info {
            depth: Some(depth),
            current_move: Some(mv),
            current_move_number: Some(number as u32),
            ..Info::default()
        },
        Event::Remark(text) => Info::message(text),
    })
}

/// The `bestmove` of an answer and the line it comes from; `draw_offered` is the position if the opponent offers a
/// draw in it.
pub(super) fn best_move<'a>(
    answer: &'a Answer,
    handicap: Option<Handicap>,
    draw_offered: Option<&Position>,
) -> (Reply, Option<&'a Line>) {
    let choice = handicap.map_or(0, |handicap| handicap.choose(&answer.lines, random()));
    let line = answer.lines.get(choice);
    let Some(mv) = line.and_then(|line| line.moves.first().copied()).or(answer.best) else {
        return (Reply::NoBestMove, None);
    };
    let ponder = line.and_then(|line| line.moves.get(1).copied());
    let draw =
        draw_offered.zip(line).is_some_and(|(position, line)| draw_offer::is_welcome(line.score, position));
    (Reply::BestMove(BestMove { mv, ponder, draw, resign: false }), line)
}

/// UCCI's `pophash`: the transposition table's entry for a position.
pub(super) fn pop_hash(entry: Option<TtEntry>) -> Reply {
    let mut reply = PopHash::default();
    if let Some(entry) = entry {
        let score = Some((entry.score.get(), entry.depth.max(0) as u32));
        reply.best = entry.mv;
        reply.lower = score.filter(|_| entry.bound != Bound::Upper);
        reply.upper = score.filter(|_| entry.bound != Bound::Lower);
    }
    Reply::PopHash(reply)
}
