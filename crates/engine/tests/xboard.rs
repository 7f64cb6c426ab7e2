//! Conversations with xboard.

#[path = "support/conversation.rs"]
mod conversation;

use conversation::{Conversation, transcript};

#[test]
fn the_handshake_tells_the_features() {
    insta::assert_snapshot!(transcript(
        "xboard
        protover 2
        accepted ping
        new
        variant xiangqi
        random
        computer
        ping 1
        quit"
    ));
}

#[test]
fn a_game_is_kept_by_the_engine() {
    insta::assert_snapshot!(transcript(
        "xboard
        protover 2
        new
        variant xiangqi
        level 0 5 0
        sd 2
        post
        ping 1
        usermove h2e2
        (wait move)
        nopost
        usermove a3a4
        (wait move)
        ping 2
        undo
        undo
        remove
        force
        usermove h2e2
        usermove h9g7
        ping 3
        go
        (wait move)
        force
        setboard 3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1
        go
        (skip move)
        ping 4
        (exact pong)
        result 1-0 {Red wins}
        ping 5
        new
        sd 2
        usermove b0c2
        (wait move)
        quit"
    ));
}

#[test]
fn bad_input_is_answered_and_changes_nothing() {
    insta::assert_snapshot!(transcript(
        "xboard
        protover 2
        new
        variant crazyhouse
        force
        usermove h2h9
        usermove a0a9
        usermove e0e5
        usermove hello
        usermove
        h2e2
        xyzzy
        setboard 9/9/9
        sd deep
        level 40
        ping
        option Threads=none
        option Skill Level=77
        option Nonsense=1
        memory 99999999
        ping 7"
    ));
}

#[test]
fn analysis_goes_on_until_it_is_told_to_exit() {
    let mut conversation = Conversation::new();
    for line in ["xboard", "protover 2", "new", "variant xiangqi", "force", "analyze"] {
        conversation.say(line);
    }
    let is_line =
        |line: &String| line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok());
    // Each search begins with the first depths again; what is left of the one before is deeper.
    conversation.replies_until("3");
    conversation.ask("usermove h2e2", "3");
    conversation.ask("undo", "3");
    // A ping is answered at once, and the analysis goes on.
    let replies = conversation.ask("ping 5", "pong");
    assert!(replies.iter().all(|line| is_line(line) || line == "pong 5"), "{replies:?}");
    conversation.ask("new", "3");
    conversation.say("exit");
    conversation.replies();
    conversation.say("ping 6");
    assert_eq!(conversation.replies(), ["pong 6"]);
}

#[test]
fn a_ping_is_answered_after_the_move_the_engine_thinks_about() {
    let mut conversation = Conversation::new();
    for line in ["xboard", "new", "variant xiangqi", "sd 5", "go", "ping 9"] {
        conversation.say(line);
    }
    let replies = conversation.replies_until("pong");
    let place = |word: &str| replies.iter().position(|line| line.starts_with(word));
    assert!(place("move") < place("pong") && place("move").is_some(), "{replies:?}");
}

#[test]
fn a_move_that_is_withdrawn_is_not_made() {
    let mut conversation = Conversation::new();
    for line in ["xboard", "new", "variant xiangqi", "st 60", "go", "force", "ping 3"] {
        conversation.say(line);
    }
    assert_eq!(conversation.replies_until("pong"), ["pong 3"]);
    // The position is still the first one, so that this is legal.
    for line in ["usermove h2e2", "ping 4"] {
        conversation.say(line);
    }
    assert_eq!(conversation.replies_until("pong"), ["pong 4"]);
}

#[test]
fn the_engine_can_be_hurried() {
    let mut conversation = Conversation::new();
    for line in ["xboard", "new", "variant xiangqi", "st 600", "go", "?"] {
        conversation.say(line);
    }
    assert_eq!(conversation.replies_until("move").len(), 1);
}

#[test]
fn a_hint_is_a_legal_move() {
    let mut conversation = Conversation::new();
    for line in ["xboard", "new", "variant xiangqi", "force", "setboard 3k5/9/9/9/9/9/9/9/4R4/5K3 w", "hint"]
    {
        conversation.say(line);
    }
    assert_eq!(conversation.replies_until("Hint:"), ["Hint: e1e8"]);
}

#[test]
fn who_stands_worse_takes_a_draw() {
    // The engine plays Black, a chariot down or up.
    let offer = |fen: &str| {
        let mut conversation = Conversation::new();
        for line in ["xboard", "new", "variant xiangqi", "sd 3", "force", &format!("setboard {fen}"), "go"] {
            conversation.say(line);
        }
        conversation.replies_until("move");
        conversation.say("draw");
        conversation.ask("ping 1", "pong")
    };
    let worse = "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
    let better = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR b";
    assert_eq!(offer(worse), ["offer draw", "pong 1"]);
    assert_eq!(offer(better), ["pong 1"]);
}

/// A session that thinks in the opponent's time, after the engine's move as Red.
fn pondering() -> (Conversation, String) {
    let mut conversation = Conversation::new();
    for line in ["xboard", "new", "variant xiangqi", "option OwnBook=0", "hard", "post", "sd 5", "go"] {
        conversation.say(line);
    }
    conversation.replies_until("move");
    // Lines of thinking come without being asked for.
    conversation.replies_until("3");
    let hint = conversation.ask("hint", "Hint:").pop().expect("a hint");
    (conversation, hint.trim_start_matches("Hint: ").to_owned())
}

#[test]
fn the_expected_move_is_answered_by_the_search_that_expected_it() {
    let (mut conversation, expected) = pondering();
    conversation.say(&format!("usermove {expected}"));
    let replies = conversation.ask("ping 1", "pong");
    assert!(replies.iter().any(|line| line.starts_with("move ")), "{replies:?}");
    // And so on.
    let hint = conversation.ask("hint", "Hint:").pop().expect("a hint");
    conversation.say(&format!("usermove {}", hint.trim_start_matches("Hint: ")));
    conversation.replies_until("move");
}

#[test]
fn another_move_than_the_expected_one_begins_a_new_search() {
    let (mut conversation, expected) = pondering();
    let other = if expected == "a6a5" { "i6i5" } else { "a6a5" };
    conversation.say("usermove a6a4");
    conversation.replies_until("Illegal");
    conversation.say(&format!("usermove {other}"));
    conversation.replies_until("move");
}

#[test]
fn pondering_ends_without_a_move() {
    for end in ["easy", "force", "undo", "option Hash=2", "?\nforce"] {
        let (mut conversation, _) = pondering();
        for line in end.lines() {
            conversation.say(line);
        }
        let replies = conversation.ask("ping 4", "pong");
        assert!(!replies.iter().any(|line| line.starts_with("move")), "{end}: {replies:?}");
    }
    // An expected move after the end is a move like any other.
    let (mut conversation, expected) = pondering();
    conversation.say("option Hash=2");
    conversation.say(&format!("usermove {expected}"));
    conversation.replies_until("move");
}
