//! Whole matches against engines that behave well and badly.

use chuhe_arena::openings::{self, Opening, Reading};
use chuhe_arena::schedule::Format;
use chuhe_arena::sprt::{Hypothesis, Sprt};
use chuhe_arena::{
    EngineSpec, GameRecord, Journal, Limits, Log, Report, Termination, Tournament, TournamentError,
};
use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Outcome, Position, Side};
use chuhe_protocol::Protocol;
use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

/// A mock engine with the given arguments and a depth for a limit, so that no clock runs.
fn mock(name: &str, protocol: Protocol, arguments: &str) -> EngineSpec {
    let mut command = vec![env!("CARGO_BIN_EXE_chuhe-mock-engine").to_owned()];
    command.extend(arguments.split_whitespace().map(str::to_owned));
    let limits = Limits { depth: Some(1), ..Limits::default() };
    EngineSpec::new(name, command, protocol, limits)
}

/// The same with so little time that whoever does not answer at once oversteps it.
fn hurried(name: &str, protocol: Protocol, arguments: &str) -> EngineSpec {
    let move_time = Some(Duration::from_millis(150));
    EngineSpec {
        limits: Limits { move_time, ..Limits::default() },
        margin: Duration::from_millis(150),
        ..mock(name, protocol, arguments)
    }
}

fn tournament(engines: Vec<EngineSpec>, rounds: usize) -> Tournament {
    let text = "h2e2 h9g7\nstartpos moves b2e2\nfen 3k5/9/9/9/9/9/9/9/4R4/5K3 b";
    let openings = openings::read(text, Reading::default()).unwrap();
    let mut tournament = Tournament::new(engines, openings, rounds);
    tournament.scores.longest = Some(60);
    tournament
}

fn play(tournament: &Tournament) -> (Vec<GameRecord>, Report) {
    let mut games = Vec::new();
    let report = tournament.run(&[], |progress| {
        games.push(progress.game.clone());
        Ok::<(), io::Error>(())
    });
    games.sort_by_key(|game| game.game);
    (games, report.unwrap())
}

/// Plays a pair between a bad engine and a good one: the bad one plays both colours, and a second game
/// after what it did in the first.
fn bad_against_good(bad: EngineSpec) -> (Vec<GameRecord>, Report) {
    play(&tournament(vec![bad, mock("good", Protocol::Uci, "good")], 1))
}

fn assert_all_lost(games: &[GameRecord], termination: Termination) {
    for game in games {
        assert_eq!(game.termination, termination, "{}", game.reason);
        assert_eq!(game.points_of("bad"), 0.0, "{}", game.reason);
        assert!(game.reason.starts_with("bad: "), "{}", game.reason);
    }
}

const PROTOCOLS: [Protocol; 3] = Protocol::ALL;

#[test]
fn well_behaved_engines_play_to_the_end_in_every_protocol_and_rank_style() {
    for protocol in PROTOCOLS {
        for (ranks, style) in [("0", RankStyle::FromZero), ("1", RankStyle::FromOne)] {
            let one = EngineSpec { ranks: style, ..mock("one", protocol, &format!("good 0 {ranks}")) };
            let two = mock("two", Protocol::Uci, "good");
            let mut tournament = tournament(vec![one, two], 3);
            tournament.concurrency = 2;
            tournament.check().unwrap();
            let (games, report) = play(&tournament);
            assert_eq!(games.iter().map(|game| game.game).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
            assert_eq!(report.standings.summary().forfeits, chuhe_arena::Forfeits::default());
            assert_eq!(report.standings.summary().pairs.iter().sum::<u64>(), 3);
            for game in &games {
                assert_legal(game);
            }
        }
    }
}

/// Replays a game and checks that it begins with its opening and ends as the rules say.
fn assert_legal(game: &GameRecord) {
    let mut position: Position = game.start.parse().unwrap();
    for mv in &game.moves {
        let mv = coords::parse_move(&mv.mv, RankStyle::FromZero).unwrap();
        assert!(position.is_legal(mv), "{mv} in game {}", game.game);
        let _ = position.play(mv, &mut ());
    }
    if !position.has_moves() {
        assert_eq!(game.outcome, Outcome::won_by(!position.side_to_move()));
    }
    assert!(game.moves.iter().skip(game.opening_plies).all(|mv| mv.us.is_some()));
}

#[test]
fn engines_that_play_the_same_moves_share_every_pair() {
    // The mock's choice depends on the position alone, so that both games of a pair are the same game.
    let engines = vec![mock("one", Protocol::Ucci, "good"), mock("two", Protocol::Xboard, "good")];
    let (games, report) = play(&tournament(engines, 3));
    for pair in games.chunks(2) {
        let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>();
        assert_eq!(moves(&pair[0]), moves(&pair[1]));
    }
    assert_eq!(report.standings.summary().pairs, [0, 0, 3, 0, 0]);
}

#[test]
fn a_crash_loses_the_game_and_the_engine_is_started_anew() {
    for protocol in PROTOCOLS {
        let (games, report) = bad_against_good(mock("bad", protocol, "crash 1"));
        assert_eq!(games.len(), 2);
        assert_all_lost(&games, Termination::Crash);
        assert!(games[0].reason.contains("ended"), "{}", games[0].reason);
        assert_eq!(report.standings.summary().forfeits.crash, 2);
    }
}

#[test]
fn a_program_that_ends_after_its_game_costs_no_other() {
    let (games, report) = bad_against_good(mock("bad", Protocol::Uci, "vanish 2"));
    assert_all_lost(&games, Termination::Resignation);
    assert_eq!(report.standings.summary().forfeits.crash, 0);
}

#[test]
fn an_illegal_move_loses_the_game() {
    for protocol in PROTOCOLS {
        for behaviour in ["cheat 2", "babble 1"] {
            let (games, report) = bad_against_good(mock("bad", protocol, behaviour));
            assert_all_lost(&games, Termination::Illegal);
            assert_eq!(report.standings.summary().forfeits.illegal, 2);
        }
    }
}

#[test]
fn silence_and_endless_chatter_lose_on_time() {
    for protocol in PROTOCOLS {
        for behaviour in ["silent 1", "flood 1"] {
            let (games, report) = bad_against_good(hurried("bad", protocol, behaviour));
            assert_all_lost(&games, Termination::Time);
            assert_eq!(report.standings.summary().forfeits.time, 2);
        }
    }
}

#[test]
fn an_answer_after_the_flag_has_fallen_is_no_answer_to_the_next_question() {
    for protocol in PROTOCOLS {
        for behaviour in ["late 1", "slow 1"] {
            let (games, _) = bad_against_good(hurried("bad", protocol, behaviour));
            assert_all_lost(&games, Termination::Time);
        }
    }
}

#[test]
fn silence_without_a_clock_ends_too() {
    let bad = EngineSpec { patience: Duration::from_millis(300), ..mock("bad", Protocol::Uci, "silent 1") };
    let (games, _) = bad_against_good(bad);
    assert_all_lost(&games, Termination::Crash);
}

#[test]
fn garbage_is_passed_over() {
    for protocol in PROTOCOLS {
        let (_, report) = bad_against_good(mock("bad", protocol, "garbage"));
        assert_eq!(report.standings.summary().forfeits, chuhe_arena::Forfeits::default());
    }
}

#[test]
fn who_gives_up_has_lost() {
    for protocol in PROTOCOLS {
        let (games, report) = bad_against_good(mock("bad", protocol, "resign 2"));
        assert_all_lost(&games, Termination::Resignation);
        assert_eq!(report.standings.summary().forfeits, chuhe_arena::Forfeits::default());
    }
}

#[test]
fn an_engine_with_rules_of_its_own_has_to_play_on() {
    for protocol in [Protocol::Ucci, Protocol::Xboard] {
        let games =
            ["claim 2", "over 2"].map(|behaviour| bad_against_good(mock("bad", protocol, behaviour)).0);
        for game in games.iter().flatten() {
            assert!(
                matches!(game.termination, Termination::Rules | Termination::Adjudication),
                "{}",
                game.reason
            );
        }
    }
}

#[test]
fn clocks_are_kept() {
    let clock = |spec: EngineSpec| EngineSpec {
        limits: Limits { clock: Some("60+0.5".parse().unwrap()), ..Limits::default() },
        ..spec
    };
    for protocol in PROTOCOLS {
        let engines = vec![clock(mock("one", protocol, "good")), clock(mock("two", Protocol::Uci, "good"))];
        let (_, report) = play(&tournament(engines, 1));
        assert_eq!(report.standings.summary().forfeits, chuhe_arena::Forfeits::default());
    }
    let short = |spec: EngineSpec| EngineSpec {
        limits: Limits { clock: Some("0.2+0.05".parse().unwrap()), ..Limits::default() },
        ..spec
    };
    let (games, _) = bad_against_good(short(mock("bad", Protocol::Uci, "slow 2")));
    assert_all_lost(&games, Termination::Time);
}

#[test]
fn a_match_that_was_cut_goes_on_without_losing_or_repeating_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("match.jsonl");
    let engines = vec![mock("one", Protocol::Uci, "good"), mock("two", Protocol::Uci, "crash 5")];
    let mut tournament = tournament(engines, 6);
    tournament.concurrency = 2;
    for cut in [2, 3, 1, 100] {
        let (mut journal, finished) = Journal::open(&path, &tournament.conditions()).unwrap();
        let mut left = cut;
        let outcome = tournament.run(&finished, |progress| {
            // As if we were killed: what ends from now on is never written.
            if left == 0 {
                return Err(io::Error::other("killed"));
            }
            left -= 1;
            journal.add(progress.game).map_err(io::Error::other)
        });
        assert_eq!(outcome.is_ok(), cut == 100);
    }
    let (_, finished) = Journal::open(&path, &tournament.conditions()).unwrap();
    let numbers: BTreeSet<usize> = finished.iter().map(|game| game.game).collect();
    assert_eq!(finished.len(), 12);
    assert_eq!(numbers, (1..=12).collect());
    let (whole, _) = play(&tournament);
    for game in &finished {
        let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>();
        assert_eq!(moves(game), moves(&whole[game.game - 1]));
    }
}

#[test]
fn a_finished_match_is_not_played_again() {
    let engines = vec![mock("one", Protocol::Uci, "good"), mock("two", Protocol::Uci, "good")];
    let tournament = tournament(engines, 2);
    let (games, first) = play(&tournament);
    let again = tournament.run(&games, |_| Err(io::Error::other("nothing should be played"))).unwrap();
    assert_eq!(again.standings.summary(), first.standings.summary());
}

#[test]
fn a_sequential_test_ends_the_match_early() {
    let engines = vec![mock("one", Protocol::Uci, "good"), mock("two", Protocol::Uci, "resign")];
    let mut tournament = tournament(engines, 500);
    tournament.sprt = Some(Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap());
    let (games, report) = play(&tournament);
    assert!(games.len() < 100, "{} games", games.len());
    let sprt = report.standings.summary().sprt.unwrap();
    assert_eq!(sprt.verdict, Some(Hypothesis::H1));
    assert!(sprt.llr >= sprt.upper);
}

#[test]
fn round_robins_and_gauntlets_meet_whom_they_should() {
    let engines = || {
        vec![
            mock("a", Protocol::Uci, "good"),
            mock("b", Protocol::Ucci, "good"),
            mock("c", Protocol::Xboard, "resign"),
        ]
    };
    let mut tournament = tournament(engines(), 1);
    tournament.concurrency = 2;
    let (games, report) = play(&tournament);
    assert_eq!(games.len(), 6);
    assert!(report.standings.table().lines().next().unwrap().contains("games"));
    tournament.format = Format::Gauntlet;
    let (games, _) = play(&tournament);
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.red == "a" || game.black == "a"));
}

#[test]
fn what_cannot_work_is_said_before_the_first_game() {
    let good = || mock("good", Protocol::Uci, "good");
    let message = |bad: EngineSpec| tournament(vec![bad, good()], 1).check().unwrap_err().to_string();
    let missing = EngineSpec { command: vec!["./no/such/engine".to_owned()], ..mock("x", Protocol::Uci, "") };
    assert!(message(missing).starts_with("engine 'x': cannot start './no/such/engine': "));
    let patience = Duration::from_millis(300);
    for (protocol, word) in [(Protocol::Uci, "'uciok'"), (Protocol::Ucci, "'ucciok'")] {
        let mute = EngineSpec { patience, ..mock("x", protocol, "mute") };
        assert!(message(mute).contains(word));
    }
    for protocol in [Protocol::Uci, Protocol::Xboard] {
        let chess = message(mock("x", protocol, "chess"));
        assert!(chess.starts_with("engine 'x': it does not support Xiangqi; it supports "), "{chess}");
    }
    let wrong_ranks = mock("x", Protocol::Uci, "good 0 1");
    assert!(message(wrong_ranks).contains("ranks=1"));
    let fragile = mock("x", Protocol::Uci, "crash");
    assert!(message(fragile).contains("central cannon"));
    let nodes = EngineSpec {
        limits: Limits { nodes: Some(5), ..Limits::default() },
        ..mock("x", Protocol::Xboard, "good")
    };
    assert_eq!(message(nodes), "engine 'x': xboard engines cannot be given a number of nodes");
    let ended = EngineSpec { command: vec!["true".to_owned()], ..mock("x", Protocol::Uci, "") };
    assert!(message(ended).contains("ended"));
    assert_eq!(message(mock("good", Protocol::Uci, "good")), "two engines are called 'good'");
    let unlimited = EngineSpec { limits: Limits::default(), ..mock("x", Protocol::Uci, "good") };
    assert!(message(unlimited).contains("has no limit"));
    let alone = tournament(vec![good()], 1).check().unwrap_err();
    assert!(matches!(alone, TournamentError::TooFew(1)));
}

#[test]
fn unknown_options_and_values_are_warned_about() {
    let options = vec![("Hash".to_owned(), "9999".to_owned()), ("Hsah".to_owned(), "16".to_owned())];
    let engine = EngineSpec { options, ..mock("x", Protocol::Uci, "good") };
    let warnings = tournament(vec![engine, mock("good", Protocol::Uci, "good")], 1).check().unwrap();
    assert_eq!(
        warnings,
        [
            "engine 'x': '9999' is not a value of its option 'Hash'",
            "engine 'x': it declares no option 'Hsah'"
        ]
    );
}

#[test]
fn the_log_has_forfeits_and_every_line_if_asked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("match.log");
    let mut tournament =
        tournament(vec![mock("bad", Protocol::Uci, "crash"), mock("good", Protocol::Uci, "good")], 1);
    tournament.log = Log::to_file(&path, true).unwrap();
    play(&tournament);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("forfeit: bad: the program ended"), "{text}");
    assert!(text.lines().any(|line| line.contains("good[") && line.ends_with("] > ucinewgame")), "{text}");
    assert!(text.lines().any(|line| line.contains("bad[") && line.ends_with("] < uciok")), "{text}");
}

#[test]
fn a_game_may_begin_with_black() {
    let opening = Opening { start: "3k5/9/9/9/9/9/9/9/4R4/5K3 b".parse().unwrap(), moves: Vec::new() };
    assert_eq!(opening.start.side_to_move(), Side::Black);
    let engines = vec![mock("bad", Protocol::Xboard, "resign"), mock("good", Protocol::Xboard, "good")];
    let mut tournament = tournament(engines, 1);
    tournament.openings = vec![opening];
    let (games, _) = play(&tournament);
    assert!(games.iter().all(|game| game.points_of("good") == 1.0));
}
