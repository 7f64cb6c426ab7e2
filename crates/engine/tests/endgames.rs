//! Games that the tables decide.

#[path = "support/conversation.rs"]
#[allow(dead_code, reason = "transcripts are not needed here")]
mod conversation;

use chuhe_adapters::repetition::referee_of;
use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Position, Side};
use chuhe_tablebase::{Folder, Kind, Prober, Rules, Value};
use conversation::Conversation;

fn tables(name: &str) -> (tempfile::TempDir, Prober) {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    folder.build(&name.parse().unwrap(), Kind::default(), 1 << 30, &|_, _| {}).unwrap();
    let (prober, faults) = Prober::open(&folder, Kind::default());
    assert!(faults.is_empty());
    (place, prober)
}

/// The engine's move in a position, and the last info line before it.
fn reply(conversation: &mut Conversation, position: &Position) -> (chuhe_board::Move, String) {
    conversation.say(&format!("position fen {position}"));
    let lines = conversation.ask("go depth 4", "bestmove");
    let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
    let reported = lines.iter().rev().find(|line| line.starts_with("info depth")).unwrap();
    (parse_move(best, RankStyle::FromZero).unwrap(), reported.clone())
}

#[test]
fn a_won_endgame_is_won_in_the_shortest_way_and_a_lost_one_resists_longest() {
    let (place, prober) = tables("KN-KA");
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name TablebasePath value {}", place.path().display()));
    let mut position: Position = "4ka3/9/9/9/9/9/9/9/9/N2K5 w".parse().unwrap();
    let Some(Value::Win(mut left)) = prober.probe(&position) else { panic!("a horse beats an advisor") };
    assert!(left > 20, "only {left} plies");
    while left > 0 {
        let (mv, reported) = reply(&mut conversation, &position);
        let moves = i32::from(left.div_ceil(2)) * if position.side_to_move() == Side::Red { 1 } else { -1 };
        assert!(reported.contains(&format!("score mate {moves} ")), "{reported}");
        assert!(!reported.contains("tbhits 0 "), "{reported}");
        let _ = position.play(mv, &mut ());
        left -= 1;
        let expected = if left % 2 == 0 { Value::Loss(left) } else { Value::Win(left) };
        assert_eq!(prober.probe(&position), Some(expected), "{position}");
    }
    assert!(position.moves().is_empty());
}

#[test]
fn the_engine_says_under_which_rules_a_table_value_holds() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path()).judged_by(referee_of(Rules::Wxf));
    let material = "KP-KP".parse().unwrap();
    for rules in [Rules::Plain, Rules::Wxf] {
        folder.build(&material, Kind { rules, ..Kind::default() }, 1 << 30, &|_, _| {}).unwrap();
    }
    let file = folder.open(&material, Kind { rules: Rules::Wxf, ..Kind::default() }).unwrap();
    let table = file.load_whole().unwrap();
    let mut positions = (0..file.index().len()).filter_map(|number| file.index().position(number, Side::Red));
    let drawn = positions.find(|position| table.probe(position) == Some(Value::Draw)).unwrap();

    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name TablebasePath value {}", place.path().display()));
    let mut said = |rules: &str| {
        conversation.say(&format!("setoption name Rules value {rules}"));
        conversation.say(&format!("position fen {drawn}"));
        let lines = conversation.ask("go depth 1", "bestmove");
        lines.into_iter().find(|line| line.contains("endgame table")).unwrap()
    };
    assert_eq!(said("wxf"), "info string endgame table KP-KP: draw (rules wxf)");
    assert_eq!(said("cxa"), "info string endgame table KP-KP: draw (without repetition rules, not certain)");
    conversation.say("position fen 4ka3/9/9/9/9/9/9/9/9/N2K5 w");
    let lines = conversation.ask("go depth 1", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string endgame table KN-KA: win in ")
        && line.ends_with(" plies (all repetition rules)")));
}

#[test]
fn a_fresh_engine_mates_with_cannon_and_advisor_against_two_advisors() {
    let empty = tempfile::tempdir().unwrap();
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name TablebasePath value {}", empty.path().display()));
    let mut position: Position = "3k1a3/3Ca4/9/9/9/9/9/9/9/3K1A3 b".parse().unwrap();
    let mut plies = 0;
    while !position.moves().is_empty() {
        assert!(plies < 48, "{position}");
        let (mv, _) = reply(&mut conversation, &position);
        let _ = position.play(mv, &mut ());
        plies += 1;
    }
    assert_eq!((plies, position.side_to_move()), (48, Side::Black));
}

#[test]
fn a_drawn_endgame_is_not_lost() {
    let (place, prober) = tables("KN-KB");
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name TablebasePath value {}", place.path().display()));
    let file = prober.file(&"KN-KB".parse().unwrap()).unwrap();
    let drawn = (0..file.index().len())
        .step_by(97)
        .filter_map(|number| file.index().position(number, Side::Black))
        .filter(|position| prober.probe(position) == Some(Value::Draw));
    for position in drawn.take(12) {
        let (mv, _) = reply(&mut conversation, &position);
        let mut next = position.clone();
        let _ = next.play(mv, &mut ());
        assert_eq!(prober.probe(&next), Some(Value::Draw), "{position}");
    }
}

#[test]
fn damaged_tables_are_reported_and_left_alone() {
    let (place, _) = tables("KR-K");
    std::fs::write(place.path().join("KN-K.dtm"), "nonsense").unwrap();
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name TablebasePath value {}", place.path().display()));
    let reported = conversation.ask("isready", "readyok");
    assert!(reported.iter().any(|line| line.contains("KN-K.dtm: not a Chuhe table")), "{reported:?}");
    conversation.say("setoption name TablebasePath value /no/such/folder");
    let reported = conversation.ask("isready", "readyok");
    assert!(reported.iter().any(|line| line.contains("no folder '/no/such/folder'")), "{reported:?}");
}
