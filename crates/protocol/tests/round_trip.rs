//! What we print we read back as the same value, in every protocol and both rank styles.

use std::time::Duration;

use chuhe_board::coords::RankStyle;
use chuhe_board::{Move, Outcome, Position, Side, Square};
use chuhe_protocol::xboard::{self, Feature, Thinking};
use chuhe_protocol::{
    BestMove, Bound, Clock, Clocks, Command, Go, IdField, Info, Line, OptionDeclaration, OptionKind, PopHash,
    Reply, Score, ScoreValue, Tool, Wdl, ucci, uci,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn style() -> impl Strategy<Value = RankStyle> {
    prop_oneof![Just(RankStyle::FromZero), Just(RankStyle::FromOne)]
}

fn mv() -> impl Strategy<Value = Move> {
    (0..90usize, 0..90usize).prop_filter_map("points differ", |(from, to)| {
        Move::between(Square::from_index(from)?, Square::from_index(to)?)
    })
}

/// Words as names and messages have them; none is a word of a protocol.
fn words() -> impl Strategy<Value = String> {
    "[A-Z][a-z]{0,6}( [A-Z0-9][a-z_]{0,5}){0,3}"
}

fn word() -> impl Strategy<Value = String> {
    "[A-Z][a-z_]{0,8}"
}

fn line() -> impl Strategy<Value = Line> {
    let start = prop_oneof![
        Just(Position::start()),
        Just("2b1k4/9/9/9/4n4/9/9/N8/4A4/2B1K4 b - - 17 33".parse::<Position>().unwrap()),
    ];
    (start, vec(mv(), 0..8)).prop_map(|(start, moves)| Line { start, moves })
}

fn milliseconds() -> impl Strategy<Value = Duration> {
    (0..10_000_000u64).prop_map(Duration::from_millis)
}

fn hundredths() -> impl Strategy<Value = Duration> {
    (0..1_000_000u64).prop_map(|hundredths| Duration::from_millis(hundredths * 10))
}

fn clock() -> impl Strategy<Value = Clock> {
    (milliseconds(), milliseconds(), of(1..90u32)).prop_map(|(left, increment, moves_to_go)| Clock {
        left: Some(left),
        increment,
        moves_to_go,
    })
}

/// UCI has one `movestogo` for both sides.
fn clocks_by_side() -> impl Strategy<Value = Clocks> {
    (clock(), clock()).prop_map(|(red, black)| Clocks::BySide {
        red,
        black: Clock { moves_to_go: red.moves_to_go, ..black },
    })
}

fn clocks_by_turn() -> impl Strategy<Value = Clocks> {
    (clock(), clock()).prop_map(|(own, opponent)| Clocks::ByTurn { own, opponent })
}

fn uci_go() -> impl Strategy<Value = Go> {
    let limits = (of(1..200u32), of(any::<u64>()), of(1..99u32), of(milliseconds()));
    (vec(mv(), 0..4), any::<bool>(), of(clocks_by_side()), limits, any::<bool>()).prop_map(
        |(search_moves, ponder, clocks, (depth, nodes, mate, move_time), infinite)| Go {
            search_moves,
            ponder,
            draw_offered: false,
            clocks,
            depth,
            nodes,
            mate,
            move_time,
            infinite,
        },
    )
}

fn ucci_go() -> impl Strategy<Value = Go> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (flags, of(clocks_by_turn()), of(1..200u32), of(any::<u64>())).prop_map(
        |((ponder, draw_offered, infinite), clocks, depth, nodes)| Go {
            ponder,
            draw_offered,
            infinite,
            clocks,
            depth,
            nodes,
            ..Go::default()
        },
    )
}

fn tool() -> impl Strategy<Value = Tool> {
    prop_oneof![
        Just(Tool::Display),
        Just(Tool::Eval),
        Just(Tool::Flip),
        Just(Tool::Help),
        Just(Tool::Bench(String::new())),
        words().prop_map(Tool::Bench),
        any::<u32>().prop_map(Tool::Perft),
    ]
}

/// What both protocols can say.
fn common_command(name: impl Strategy<Value = String>) -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Handshake),
        Just(Command::IsReady),
        (name, of(words())).prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::NewGame),
        line().prop_map(Command::Position),
        Just(Command::Stop),
        Just(Command::PonderHit { draw_offered: false }),
        Just(Command::Quit),
        tool().prop_map(Command::Tool),
    ]
}

fn uci_command() -> impl Strategy<Value = Command> {
    prop_oneof![
        4 => common_command(words()),
        1 => any::<bool>().prop_map(Command::Debug),
        3 => uci_go().prop_map(Command::Go),
    ]
}

fn ucci_command() -> impl Strategy<Value = Command> {
    prop_oneof![
        4 => common_command(word()),
        1 => vec(mv(), 0..5).prop_map(Command::BanMoves),
        1 => line().prop_map(Command::Probe),
        1 => Just(Command::PonderHit { draw_offered: true }),
        3 => ucci_go().prop_map(Command::Go),
    ]
}

fn option_kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        vec(words(), 1..4)
            .prop_map(|choices| OptionKind::Combo { default: choices[choices.len() - 1].clone(), choices }),
        Just(OptionKind::Button),
        prop_oneof![Just(String::new()), words()].prop_map(|default| OptionKind::Text { default }),
    ]
}

fn option(name: impl Strategy<Value = String>) -> impl Strategy<Value = OptionDeclaration> {
    (name, option_kind()).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn centipawns() -> impl Strategy<Value = Score> {
    (-29_000..29_000).prop_map(Score::centipawns)
}

fn score() -> impl Strategy<Value = Score> {
    let value =
        prop_oneof![any::<i32>().prop_map(ScoreValue::Centipawns), any::<i32>().prop_map(ScoreValue::Mate)];
    let bound = prop_oneof![Just(Bound::Lower), Just(Bound::Upper)];
    (value, of(bound)).prop_map(|(value, bound)| Score { value, bound })
}

/// What UCCI knows too.
fn ucci_info() -> impl Strategy<Value = Info> {
    let depth = 0..200u32;
    (depth, of(centipawns()), of(any::<u64>()), of(milliseconds()), of(mv()), vec(mv(), 0..6), of(words()))
        .prop_map(|(depth, score, nodes, time, current_move, pv, text)| Info {
            depth: Some(depth),
            score,
            nodes,
            time,
            current_move,
            pv,
            text,
            ..Info::default()
        })
}

fn uci_info() -> impl Strategy<Value = Info> {
    let wdl = (0..1000u32, 0..1000u32, 0..1000u32).prop_map(|(win, draw, loss)| Wdl { win, draw, loss });
    let counts = (of(1..9u32), of(any::<u64>()), of(0..1001u32), of(any::<u64>()), of(1..120u32));
    (ucci_info(), of(0..200u32), of(score()), of(wdl), counts).prop_map(
        |(info, selective_depth, score, wdl, (multi_pv, nps, hash_full, table_hits, current_move_number))| {
            Info {
                selective_depth,
                multi_pv,
                score,
                wdl,
                nps,
                hash_full,
                table_hits,
                current_move_number,
                ..info
            }
        },
    )
}

fn best_move() -> impl Strategy<Value = BestMove> {
    (mv(), of(mv()), any::<bool>(), any::<bool>()).prop_map(|(mv, ponder, draw, resign)| BestMove {
        mv,
        ponder,
        draw,
        resign,
    })
}

fn uci_reply() -> impl Strategy<Value = Reply> {
    let field = prop_oneof![Just(IdField::Name), Just(IdField::Author)];
    prop_oneof![
        (field, words()).prop_map(|(field, text)| Reply::Id { field, text }),
        option(words()).prop_map(Reply::Option),
        Just(Reply::Ok),
        Just(Reply::ReadyOk),
        uci_info().prop_map(Reply::Info),
        best_move().prop_map(|best| Reply::BestMove(BestMove { draw: false, resign: false, ..best })),
        Just(Reply::NoBestMove),
    ]
}

fn ucci_reply() -> impl Strategy<Value = Reply> {
    let bound = || of((any::<i32>(), any::<u32>()));
    let known = (of(mv()), bound(), bound()).prop_map(|(best, lower, upper)| PopHash { best, lower, upper });
    prop_oneof![
        (0..4usize, words()).prop_map(|(field, text)| Reply::Id { field: IdField::ALL[field], text }),
        option(word()).prop_map(Reply::Option),
        Just(Reply::Ok),
        Just(Reply::ReadyOk),
        ucci_info().prop_map(Reply::Info),
        best_move().prop_map(Reply::BestMove),
        Just(Reply::NoBestMove),
        known.prop_map(Reply::PopHash),
        Just(Reply::Bye),
    ]
}

fn result() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::RedWins),
        Just(Outcome::BlackWins),
        Just(Outcome::Draw),
        Just(Outcome::Undecided)
    ]
}

fn xboard_command() -> impl Strategy<Value = xboard::Command> {
    use xboard::Command;
    let level = (any::<u32>(), 0..100_000u64, 0..100_000u64).prop_map(|(moves, base, increment)| {
        Command::Level { moves, base: Duration::from_secs(base), increment: Duration::from_millis(increment) }
    });
    let plain = prop::sample::select(vec![
        Command::Xboard,
        Command::New,
        Command::Quit,
        Command::Force,
        Command::Go,
        Command::PlayOther,
        Command::MoveNow,
        Command::DrawOffer,
        Command::Undo,
        Command::Remove,
        Command::Hard,
        Command::Easy,
        Command::Post,
        Command::NoPost,
        Command::Analyze,
        Command::Exit,
        Command::StatusRequest,
        Command::Hint,
        Command::Aside("name Somebody Else".to_owned()),
    ]);
    prop_oneof![
        plain,
        level,
        prop_oneof![
            any::<u32>().prop_map(Command::ProtocolVersion),
            word().prop_map(Command::Accepted),
            word().prop_map(Command::Rejected),
            word().prop_map(Command::Variant),
            mv().prop_map(Command::UserMove),
            any::<u64>().prop_map(Command::Ping),
            (result(), words()).prop_map(|(result, comment)| Command::Result { result, comment }),
            line().prop_map(|line| Command::SetBoard(Box::new(line.start))),
        ],
        prop_oneof![
            any::<u32>().prop_map(Command::SecondsPerMove),
            any::<u32>().prop_map(Command::Depth),
            any::<u32>().prop_map(Command::NodesPerSecond),
            hundredths().prop_map(Command::Time),
            hundredths().prop_map(Command::OpponentTime),
            any::<u64>().prop_map(Command::Memory),
            any::<u32>().prop_map(Command::Cores),
            (words(), of(words())).prop_map(|(name, value)| Command::SetOption { name, value }),
        ],
    ]
}

fn xboard_reply() -> impl Strategy<Value = xboard::Reply> {
    use xboard::Reply;
    let feature = prop_oneof![
        (word(), any::<i64>()).prop_map(|(name, number)| Feature::Number(name, number)),
        (word(), words()).prop_map(|(name, text)| Feature::Text(name, text)),
        option(words()).prop_map(Feature::Option),
    ];
    let score =
        prop_oneof![centipawns(), (1..200).prop_map(Score::mate_in), (-200..0).prop_map(Score::mate_in)];
    let more = prop_oneof![
        Just((None, None)),
        (1..99u32).prop_map(|depth| (Some(depth), None)),
        (1..99u32, 0..1_000_000_000u64).prop_map(|(depth, nps)| (Some(depth), Some(nps))),
    ];
    let thinking = (0..200u32, score, hundredths(), 0..1_000_000_000_000u64, more, vec(mv(), 0..5), style())
        .prop_map(|(depth, score, time, nodes, (selective_depth, nps), pv, style)| {
            let pv = xboard::write_pv(&pv, style);
            Reply::Thinking(Thinking { depth, score, time, nodes, selective_depth, nps, pv })
        });
    prop_oneof![
        vec(feature, 0..4).prop_map(Reply::Features),
        mv().prop_map(Reply::Move),
        any::<u64>().prop_map(Reply::Pong),
        thinking,
        (result(), words()).prop_map(|(result, comment)| Reply::Result { result, comment }),
        Just(Reply::Resign),
        Just(Reply::OfferDraw),
        (words(), words()).prop_map(|(reason, command)| Reply::Error { reason, command }),
        (of(words()), words()).prop_map(|(reason, mv)| Reply::IllegalMove { reason, mv }),
        mv().prop_map(Reply::Hint),
        words().prop_map(Reply::TellUser),
        words().prop_map(Reply::Comment),
    ]
}

proptest! {
    #[test]
    fn uci_commands_read_back(command in uci_command(), style in style()) {
        let line = uci::write_command(&command, style).expect("UCI has words for it");
        prop_assert_eq!(uci::parse_command(&line, style), Ok(command), "{}", line);
    }

    #[test]
    fn ucci_commands_read_back(command in ucci_command(), style in style()) {
        let line = ucci::write_command(&command, style).expect("UCCI has words for it");
        prop_assert_eq!(ucci::parse_command(&line, style), Ok(command), "{}", line);
    }

    #[test]
    fn uci_replies_read_back(reply in uci_reply(), style in style()) {
        let line = uci::write_reply(&reply, style).expect("UCI has words for it");
        prop_assert_eq!(uci::parse_reply(&line, style), Ok(reply), "{}", line);
    }

    #[test]
    fn ucci_replies_read_back(reply in ucci_reply(), style in style()) {
        let line = ucci::write_reply(&reply, style).expect("UCCI has words for it");
        prop_assert_eq!(ucci::parse_reply(&line, style), Ok(reply), "{}", line);
    }

    #[test]
    fn xboard_commands_read_back(command in xboard_command(), style in style(), usermove in any::<bool>()) {
        let line = xboard::write_command(&command, style, usermove);
        prop_assert_eq!(xboard::parse_command(&line, style), Ok(command), "{}", line);
    }

    #[test]
    fn xboard_replies_read_back(reply in xboard_reply(), style in style()) {
        let line = xboard::write_reply(&reply, style);
        prop_assert_eq!(xboard::parse_reply(&line, style), Ok(reply), "{}", line);
    }

    #[test]
    fn no_line_makes_a_reader_panic(
        line in prop_oneof![
            ".*",
            "(position|go|info|option|setoption|bestmove|feature|level|pophash|score|startpos|fen|[a-j][0-9]{1,2}|=|\"|\t| |-?[0-9]{1,25}|é){0,12}",
        ],
        style in style(),
    ) {
        let _ = (uci::parse_command(&line, style), uci::parse_reply(&line, style));
        let _ = (ucci::parse_command(&line, style), ucci::parse_reply(&line, style));
        let _ = (xboard::parse_command(&line, style), xboard::parse_reply(&line, style));
    }

    #[test]
    fn a_printed_line_is_one_line(text in ".*", style in style()) {
        let lines = [
            uci::write_reply(&Reply::Info(Info::message(&text)), style),
            ucci::write_reply(&Reply::Info(Info::message(&text)), style),
            uci::write_command(&Command::SetOption { name: text.clone(), value: Some(text.clone()) }, style),
            Some(xboard::write_reply(&xboard::Reply::TellUser(text), style)),
        ];
        for line in lines.into_iter().flatten() {
            prop_assert!(!line.contains(['\n', '\r']));
        }
    }
}

#[test]
fn what_a_protocol_cannot_say_is_not_printed() {
    let mv = Position::start().moves()[0];
    let style = RankStyle::FromZero;
    assert_eq!(uci::write_command(&Command::BanMoves(vec![mv]), style), None);
    let resignation = Reply::BestMove(BestMove { resign: true, ..BestMove::of(mv) });
    assert_eq!(uci::write_reply(&resignation, style), None);
    let move_time = Go { move_time: Some(Duration::from_millis(20)), ..Go::default() };
    assert_eq!(ucci::write_command(&Command::Go(move_time), style), None);
}

#[test]
fn clocks_are_found_by_colour_and_by_turn() {
    let clock = |seconds| Clock { left: Some(Duration::from_secs(seconds)), ..Clock::default() };
    let by_side = Clocks::BySide { red: clock(1), black: clock(2) };
    let by_turn = Clocks::ByTurn { own: clock(1), opponent: clock(2) };
    assert_eq!(by_side.of(Side::Black, Side::Black), clock(2));
    assert_eq!(by_side.of(Side::Red, Side::Black), clock(1));
    assert_eq!(by_turn.of(Side::Black, Side::Black), clock(1));
    assert_eq!(by_turn.of(Side::Red, Side::Black), clock(2));
}

#[test]
fn seconds_become_milliseconds() {
    let Ok(Command::Go(go)) = ucci::parse_command("go time 90 increment 2", RankStyle::FromZero) else {
        panic!("a go line");
    };
    let Some(Clocks::ByTurn { own, .. }) = ucci::in_seconds(go).clocks else { panic!("clocks by turn") };
    assert_eq!(own.left, Some(Duration::from_secs(90)));
    assert_eq!(own.increment, Duration::from_secs(2));
}
