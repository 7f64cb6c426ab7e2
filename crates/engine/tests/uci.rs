//! Conversations in UCI.

#[path = "support/conversation.rs"]
mod conversation;

use std::sync::mpsc;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Position};
use chuhe_engine::{Output, Session};
use conversation::{Conversation, transcript};

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    insta::assert_snapshot!(transcript(
        "uci
        isready
        ucinewgame
        isready
        quit"
    ));
}

#[test]
fn positions_come_in_many_forms() {
    insta::assert_snapshot!(transcript(
        "uci
        position startpos
        (fen)
        position startpos moves h2e2 h9g7
        (fen)
        position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1 moves e1e8
        (fen)
        position fen 3k5/9/9/9/9/9/9/9/4R4/5K3
        (fen)
        position 3k5/9/9/9/9/9/9/9/4R4/5K3 b
        (fen)
        fen 4k4/9/9/9/9/9/9/9/4A4/4K4 b moves e9d9
        (fen)
        startpos moves b2e2
        (fen)
        POSITION STARTPOS MOVES H2-E2
        (fen)
        please position startpos moves b0c2
        (fen)"
    ));
}

#[test]
fn bad_input_is_answered_with_the_reason_and_changes_nothing() {
    insta::assert_snapshot!(transcript(
        "uci
        position startpos moves h2e2
        xyzzy
        position
        position fen
        position fen 9/9/9
        position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNX w
        position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR q
        position startpos moves h2h9 a0a9
        position startpos moves h2e2 e2e4 h9g7
        position startpos moves hello
        position startpos nonsense h2e2
        (fen)
        go depth 1
        (wait bestmove)
        go infinite
        stop
        (wait bestmove)
        position startpos moves h2e2
        go depth ten
        go movetime
        go depth 1 searchmoves a0a9
        (wait bestmove)
        go depth 1 searchmoves hello
        setoption
        setoption name Threads value 0
        setoption name Threads value 5000
        setoption name Hash value lots
        setoption name Hash value 4194304
        setoption name MultiPV
        setoption name UCI_Variant value chess
        setoption name UCI_ShowWDL value maybe
        setoption name Ranks value 2-11
        setoption name Nonsense value 3
        setoption name Debug Log File value /no/such/folder/log.txt
        perft
        (fen)
        stop
        ponderhit
        isready"
    ));
}

#[test]
fn searches_tell_what_they_find() {
    insta::assert_snapshot!(transcript(
        "uci
        position startpos
        go depth 3
        (wait bestmove)
        setoption name MultiPV value 3
        go depth 2
        (wait bestmove)
        setoption name MultiPV value 1
        setoption name UCI_ShowWDL value true
        go depth 1
        (wait bestmove)
        setoption name UCI_ShowWDL value false
        go depth 2 searchmoves a3a4
        (exact bestmove)
        position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w
        go mate 1
        (exact bestmove)
        go nodes 100
        (skip bestmove)
        position fen 3k5/4R4/9/9/9/9/9/9/9/5K3 b
        go depth 5
        (wait bestmove)
        go movetime 20
        (wait bestmove)"
    ));
}

#[test]
fn a_search_listens_while_it_runs() {
    insta::assert_snapshot!(transcript(
        "uci
        position startpos
        go infinite
        isready
        stop
        (skip bestmove)
        go
        isready
        stop
        (skip bestmove)
        go ponder depth 2
        isready
        ponderhit
        (skip bestmove)
        go ponder wtime 1000 btime 1000
        isready
        stop
        (skip bestmove)
        go ponder movetime 1
        ponderhit
        (skip bestmove)
        go infinite
        position startpos moves h2h9 a0a9
        isready
        quit
        (skip bestmove)"
    ));
}

#[test]
fn ranks_count_from_one_when_the_option_or_a_move_says_so() {
    insta::assert_snapshot!(transcript(
        "uci
        position startpos moves h3e3
        setoption name Ranks value 1-10
        position startpos moves h3e3
        (fen)
        position startpos moves h1g3 h10g8
        (fen)
        position startpos moves h1g4
        position startpos
        go depth 1 searchmoves b1c3
        (exact bestmove)
        setoption name Ranks value 0-9
        position startpos moves h2e2
        (fen)
        position startpos moves h3e3 b10c8
        (fen)
        setoption name Hash value 2
        position startpos moves h3e3 h8e8
        setoption name Ranks value 0-9
        position startpos moves h2e2 h7e7
        (fen)
        position startpos moves h3e3
        (fen)
        position startpos moves h2e2
        (fen)
        position startpos moves h3e3 h9e9
        go depth 1
        (wait bestmove)
        setoption name Ranks value 1-10
        position startpos moves h3e3
        (fen)
        position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w
        perft 1
        (wait Nodes)
        d"
    ));
}

/// All that the engine says to somebody who says these lines and hangs up.
fn said_to(lines: &str) -> Vec<String> {
    let (sender, replies) = mpsc::channel();
    let output = Output::new(move |line| {
        let _ = sender.send(line);
    });
    Session::new(output).run(lines.as_bytes()).unwrap();
    replies.iter().collect()
}

#[test]
fn flip_exchanges_the_colours_and_help_lists_commands() {
    let mut conversation = Conversation::new();
    conversation.say("position startpos moves h2e2");
    conversation.say("flip");
    conversation.say("d");
    let flipped = "Fen: rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    assert!(conversation.replies().iter().any(|line| line == flipped));
    conversation.say("help");
    assert!(conversation.replies().iter().any(|line| line.starts_with("go ")));
}

#[test]
fn developers_questions_are_answered() {
    insta::assert_snapshot!(transcript(
        "position startpos moves h2e2
        d
        position startpos
        perft 3
        (last Nodes)
        go perft 2
        (last Nodes)
        perft 0
        (last Nodes)"
    ));
    let mut conversation = Conversation::new();
    conversation.say("eval");
    let table = conversation.replies();
    assert!(table.iter().any(|line| line.starts_with("material")), "{table:?}");
    let [.., classical, network] = &table[..] else { panic!("{table:?}") };
    assert!(classical.starts_with("Evaluation: ") && network.starts_with("Network "), "{table:?}");
    let bench = said_to("bench 2\n");
    assert!(bench.len() == 1 && bench[0].ends_with(" nps"), "{bench:?}");
}

/// None of these counts and benches would end within a day.
#[test]
fn a_developers_tool_listens_while_it_runs() {
    insta::assert_snapshot!(transcript(
        "perft 9
        isready
        d
        stop
        (wait info)
        bench 60
        isready
        stop
        (wait info)
        perft 2
        (last Nodes)
        go depth 1
        (wait bestmove)
        isready
        quit"
    ));
}

#[test]
fn what_ends_a_search_ends_a_developers_tool() {
    insta::assert_snapshot!(transcript(
        "perft 9
        setoption name UCI_ShowWDL value false
        isready
        setoption name Hash value 2
        bench 60
        position startpos moves h2h9 a0a9
        isready
        position startpos moves h2e2
        perft 9
        ucinewgame
        bench 60
        perft 9
        go depth 1
        (wait bestmove)
        go infinite
        perft 1
        (last Nodes)
        perft 9
        quit"
    ));
}

#[test]
fn a_developers_tool_is_waited_for_when_the_lines_end() {
    assert_eq!(said_to("perft 3\n").last().map(String::as_str), Some("Nodes searched: 79666"));
}

/// The last count of nodes that a search reported.
fn nodes_told(replies: &[String]) -> u64 {
    let reported = replies.iter().rev().find_map(|line| line.split(" nodes ").nth(1));
    reported.unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn with_nodestime_a_clock_counts_positions() {
    let think = || {
        let mut conversation = Conversation::new();
        conversation.say("setoption name nodestime value 50");
        nodes_told(&conversation.ask("go wtime 2000 btime 2000", "bestmove"))
    };
    let nodes = think();
    assert!((1_000..100_000).contains(&nodes), "{nodes}");
    assert_eq!(think(), nodes);
}

#[test]
fn clearing_the_hash_makes_a_search_start_afresh() {
    let mut conversation = Conversation::new();
    let mut think = |clear: bool| {
        if clear {
            conversation.say("setoption name Clear Hash");
        }
        nodes_told(&conversation.ask("go depth 7", "bestmove"))
    };
    let first = think(false);
    assert_ne!(think(false), first);
    assert_eq!(think(true), first);
}

fn best_of(replies: &[String]) -> Move {
    let line = replies.last().unwrap();
    parse_move(line.split_whitespace().nth(1).unwrap(), RankStyle::FromZero).unwrap()
}

#[test]
fn a_weak_player_makes_legal_moves_and_not_always_the_same() {
    let mut conversation = Conversation::new();
    conversation.say("setoption name Skill Level value 0");
    let moves: Vec<Move> = (0..30).map(|_| best_of(&conversation.ask("go depth 2", "bestmove"))).collect();
    assert!(moves.iter().all(|mv| Position::start().is_legal(*mv)));
    assert!(moves.iter().any(|mv| *mv != moves[0]));
}

#[test]
fn analysis_holds_nothing_back() {
    let mut conversation = Conversation::new();
    conversation.say("setoption name UCI_LimitStrength value true");
    conversation.say("setoption name UCI_Elo value 600");
    let weak = nodes_told(&conversation.ask("go nodes 5000", "bestmove"));
    conversation.say("setoption name UCI_AnalyseMode value true");
    let strong = nodes_told(&conversation.ask("go nodes 5000", "bestmove"));
    assert!(weak <= 200 && strong > 2_000, "{weak} {strong}");
}

#[test]
fn the_log_holds_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.txt");
    std::fs::write(&path, "from an earlier session\n").unwrap();
    let mut conversation = Conversation::new();
    conversation.say(&format!("setoption name Debug Log File value {}", path.display()));
    conversation.ask("go depth 1", "bestmove");
    conversation.say("setoption name Debug Log File value <empty>");
    conversation.say("isready");
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.starts_with("from an earlier session\n"), "{log}");
    assert!(log.contains(" >> go depth 1\n") && log.contains(" << bestmove "), "{log}");
    assert!(!log.contains("isready"), "{log}");
}

#[test]
fn more_threads_than_make_sense_are_capped_with_a_sentence() {
    let mut conversation = Conversation::new();
    conversation.say("uci");
    conversation.say("setoption name Threads value 1024");
    conversation.say("isready");
    let replies = conversation.replies_until("readyok").join("\n");
    let most = chuhe_search::Pool::most_threads();
    assert_eq!(
        replies.contains(&format!("info string Threads is {most}, not 1024")),
        most < 1024,
        "{replies}"
    );
}
