//! Conversations in UCCI.

#[path = "support/conversation.rs"]
mod conversation;

use conversation::{Conversation, transcript};

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    insta::assert_snapshot!(transcript(
        "ucci
        isready
        setoption newgame
        setoption hashsize 4
        setoption usemillisec true
        setoption batch true
        setoption bookfiles BOOK.DAT
        isready
        quit"
    ));
}

#[test]
fn a_game_goes_by_turns() {
    insta::assert_snapshot!(transcript(
        "ucci
        setoption usebook false
        position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2
        go depth 2
        (wait bestmove)
        go time 1000 increment 0 opptime 1000
        (skip bestmove)
        go time 100 movestogo 10
        (skip bestmove)
        go nodes 200
        (skip bestmove)
        probe fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h2h3
        probe fen 3k5/9/9/9/9/9/9/9/4R4/5K3 b - - 0 1
        go ponder time 1000
        isready
        ponderhit
        (skip bestmove)
        go infinite
        isready
        stop
        (skip bestmove)
        position fen 3k5/4R4/9/9/9/9/9/9/9/5K3 b
        go depth 3
        (wait nobestmove)
        quit"
    ));
}

#[test]
fn bad_input_is_answered_with_the_reason_and_changes_nothing() {
    insta::assert_snapshot!(transcript(
        "ucci
        position startpos moves h2e2
        xyzzy
        position fen 9/9
        position startpos moves h2h9 a0a9
        banmoves h2e2
        banmoves nonsense
        go depth much
        setoption hashsize 0
        setoption threads many
        setoption nonsense 1
        probe
        (fen)
        isready"
    ));
}

#[test]
fn games_open_differently_from_the_book_unless_it_is_switched_off() {
    let mut conversation = Conversation::new();
    conversation.ask("ucci", "ucciok");
    let first_moves = |conversation: &mut Conversation| {
        let moves = (0..10).map(|_| {
            conversation.say("setoption newgame");
            conversation.say("position startpos");
            let best = conversation.ask("go depth 1", "bestmove").pop().unwrap();
            best.split(' ').nth(1).unwrap().to_owned()
        });
        moves.collect::<std::collections::BTreeSet<String>>()
    };
    let from_book = first_moves(&mut conversation);
    assert!(from_book.len() >= 2, "{from_book:?}");
    conversation.say("setoption usebook false");
    assert_eq!(first_moves(&mut conversation).len(), 1);
}

#[test]
fn banned_moves_are_not_chosen() {
    // Red has two moves that mate on the spot.
    let fen = "3k5/9/9/9/9/9/9/9/4R1R2/5K3 w";
    let mut conversation = Conversation::new();
    conversation.say("ucci");
    conversation.replies_until("ucciok");
    conversation.say(&format!("position fen {fen}"));
    let best = conversation.ask("go depth 3", "bestmove").pop().unwrap();
    let first = best.split(' ').nth(1).unwrap().to_owned();
    conversation.say(&format!("position fen {fen}"));
    conversation.say(&format!("banmoves {first}"));
    let best = conversation.ask("go depth 3", "bestmove").pop().unwrap();
    assert_ne!(best.split(' ').nth(1), Some(first.as_str()));
    // The next position lifts the ban.
    conversation.say(&format!("position fen {fen}"));
    let best = conversation.ask("go depth 3", "bestmove").pop().unwrap();
    assert_eq!(best.split(' ').nth(1), Some(first.as_str()));
}

#[test]
fn a_search_leaves_something_in_the_hash_to_be_probed() {
    let mut conversation = Conversation::new();
    conversation.say("ucci");
    conversation.say("setoption usebook false");
    conversation.say("position startpos moves h2e2");
    conversation.ask("go depth 6", "bestmove");
    conversation.say("probe startpos moves h2e2 b9c7");
    let reply = conversation.replies_until("pophash").pop().unwrap();
    assert!(reply.contains("lowerbound") || reply.contains("upperbound"), "{reply}");
}

#[test]
fn who_stands_worse_takes_a_draw() {
    let offer = |fen: &str| {
        let mut conversation = Conversation::new();
        conversation.say("ucci");
        conversation.say(&format!("position fen {fen}"));
        conversation.ask("go draw depth 4", "bestmove").pop().unwrap()
    };
    // A chariot less, and a chariot more.
    let worse = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w";
    let better = "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    assert!(offer(worse).ends_with(" draw"));
    assert!(!offer(better).ends_with(" draw"));
    // The offer may come with the move that was expected.
    let mut conversation = Conversation::new();
    conversation.say("ucci");
    conversation.say(&format!("position fen {worse}"));
    conversation.say("go ponder depth 4");
    assert!(conversation.ask("ponderhit draw", "bestmove").pop().unwrap().ends_with(" draw"));
}

#[test]
fn times_may_be_seconds() {
    let mut conversation = Conversation::new();
    conversation.say("ucci");
    conversation.say("setoption usemillisec false");
    // A thousand seconds would be far too long; depth ends it.
    conversation.ask("go time 1000 depth 3", "bestmove");
}

#[test]
fn a_developers_tool_listens_while_it_runs() {
    let mut conversation = Conversation::new();
    conversation.ask("ucci", "ucciok");
    conversation.say("perft 9");
    assert_eq!(conversation.ask("isready", "readyok"), ["readyok"]);
    assert_eq!(conversation.ask("stop", "info"), ["info message perft was stopped"]);
    conversation.say("bench 60");
    assert_eq!(conversation.ask("isready", "readyok"), ["readyok"]);
    assert_eq!(conversation.ask("quit", "bye"), ["info message bench was stopped", "bye"]);
}
