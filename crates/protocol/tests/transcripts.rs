//! Sessions as real GUIs and engines have them: what each line means, and how we would say it.

use std::fmt::Write;

use chuhe_board::coords::RankStyle::{self, FromOne, FromZero};
use chuhe_protocol::{Protocol, ucci, uci, xboard};

/// Each line of a session with its meaning; lines that start with `<` come from the engine.
fn explained(protocol: Protocol, style: RankStyle, session: &str) -> String {
    let mut text = String::new();
    for line in session.lines() {
        let (meaning, written) = match line.strip_prefix("< ") {
            Some(reply) => explain_reply(protocol, style, reply),
            None => explain_command(protocol, style, line),
        };
        let _ = writeln!(text, "{line}\n    {meaning}");
        if written.as_deref() != Some(line.trim_start_matches("< ")) {
            let _ = writeln!(text, "    written: {}", written.unwrap_or_else(|| "not at all".to_owned()));
        }
    }
    text
}

fn explain_command(protocol: Protocol, style: RankStyle, line: &str) -> (String, Option<String>) {
    match protocol {
        Protocol::Uci => shown(uci::parse_command(line, style), |value| uci::write_command(value, style)),
        Protocol::Ucci => shown(ucci::parse_command(line, style), |value| ucci::write_command(value, style)),
        Protocol::Xboard => {
            shown(xboard::parse_command(line, style), |value| Some(xboard::write_command(value, style, true)))
        }
    }
}

fn explain_reply(protocol: Protocol, style: RankStyle, line: &str) -> (String, Option<String>) {
    match protocol {
        Protocol::Uci => shown(uci::parse_reply(line, style), |value| uci::write_reply(value, style)),
        Protocol::Ucci => shown(ucci::parse_reply(line, style), |value| ucci::write_reply(value, style)),
        Protocol::Xboard => {
            shown(xboard::parse_reply(line, style), |value| Some(xboard::write_reply(value, style)))
        }
    }
}

fn shown<V: std::fmt::Debug, E: std::fmt::Display>(
    value: Result<V, E>,
    write: impl Fn(&V) -> Option<String>,
) -> (String, Option<String>) {
    match value {
        Ok(value) => (format!("{value:?}"), write(&value)),
        Err(error) => (format!("error: {error}"), None),
    }
}

#[test]
fn a_uci_session_with_ranks_from_one() {
    insta::assert_snapshot!(explained(
        Protocol::Uci,
        FromOne,
        "uci
< id name Fairy-Stockfish 11.1 LB 64
< id author Fabian Fichter
< option name Protocol type combo default uci var uci var usi var ucci var xboard
< option name Debug Log File type string default 
< option name Hash type spin default 16 min 1 max 131072
< option name Clear Hash type button
< option name Ponder type check default false
< uciok
setoption name UCI_Variant value xiangqi
setoption name Clear Hash
isready
< readyok
ucinewgame
position startpos moves h3e3 h10g8
go wtime 60000 btime 59000 winc 100 binc 100
< info depth 7 seldepth 11 multipv 1 score cp 51 nodes 10440 nps 200769 tbhits 0 time 52 pv b1c3 g10e8 h1g3
< info depth 9 score mate -2 upperbound wdl 0 3 997 hashfull 12 currmove b10c8 currmovenumber 4
< info string any text  at all
< bestmove b1c3 ponder g10e8
go movetime 200 searchmoves a1a2 i10i9
stop
< bestmove (none)
quit"
    ));
}

#[test]
fn uci_lines_with_something_odd() {
    insta::assert_snapshot!(explained(
        Protocol::Uci,
        FromZero,
        "
joho debug on
  POSITION  startpos   moves h2e2
startpos moves h2e2 h9g7
fen 4k4/9/9/9/9/9/9/9/4A4/4K4 b
position rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r moves H2-E2
position startpos moves h2e2 h10g8
position fen 4k4/9/9 w
position
position startpos h2e2
setoption Hash 64
setoption name
setoption name  Debug Log File  value  /tmp/a  b 
go wtime -15 btime 10 brandnew 3 movestogo 5
go depth many
go depth 99999999999
go nodes
go searchmoves
go searchmoves h2e2 z9z9 depth 3
go perft 3
perft 2
bench 16 1
d
banmoves h2e2
hello there
< Stockfish by the developers
< bestmove
< bestmove h2h2
< info depth x score cp nodes 5 pv h2e2 oops
< option name Odd type matrix"
    ));
}

#[test]
fn a_ucci_session() {
    insta::assert_snapshot!(explained(
        Protocol::Ucci,
        FromZero,
        "ucci
< id name ElephantEye
< id copyright 2004-2008 www.xqbase.com
< id author Morning Yellow
< id user unknown
< option usemillisec type check default true
< option hashsize type spin min 0 max 1024 default 16
< option randomness type combo var none var small var medium var large default none
< option bookfiles type string default BOOK.DAT
< ucciok
setoption usemillisec true
setoption newgame
setoption hashsize 64
isready
< readyok
position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7
banmoves h0g2 b0c2
go draw time 60000 increment 500 opptime 58000 oppincrement 500
< info time 1200 nodes 500000
< info depth 8 score 25 pv b0c2 b9c7
< info message thinking  hard
< bestmove b0c2 ponder b9c7 draw
go ponder time 60000 movestogo 10
ponderhit draw
< bestmove b0c2 resign
go depth infinite
stop
< nobestmove
probe startpos
< pophash bestmove h2e2 lowerbound 12 depth 7 upperbound 15 depth 6
quit
< bye
debug on
go movetime 100"
    ));
}

#[test]
fn an_xboard_session() {
    insta::assert_snapshot!(
        explained(
        Protocol::Xboard,
        FromZero,
        "xboard
protover 2
< HoiXiangqi 0.22.0
< feature myname=\"HoiXiangqi 0.22.0\" variants=\"xiangqi\" ping=1 setboard=1 sigint=0 done=0
< feature myname=Fairy-Stockfish option=\"Move Overhead -spin 30 0 5000\" option=\"Style -combo calm /// *wild\"
< feature option=\"Log -string \" option=\"Clear -button\" option=\"Own -check 1\" option=\"Odd -matrix\"
< feature done=1
accepted ping
rejected colors
new
random
variant xiangqi
level 40 5:30 0.5
st 3
sd 12
memory 64
cores 2
option Move Overhead=10
option Clear
post
easy
force
setboard 4k4/9/9/9/9/9/9/9/4A4/4K4 b - - 0 1
setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 3 20
ping 3
< pong 3
h2e2
usermove H9G7
time 6000
otim -3
go
< 5 -3 25 52682 1. ... Hb9-c7 2. Cb2-c2
< 8 54 6 15057 9 218217 0\t c0e2 b9c7
< -1    440 -51749533        256 h2h9
< 12 100003 10 900 h2e2
< # root hit 0 0 0
< tellics say     MaxQi 4.8 (G)
< move b9c7
?
draw
< offer draw
< Illegal move (in check): e0e1
< Illegal move: e0e1
< Error (unknown command): post
< telluser hello
< Hint: h2e2
undo
remove
analyze
.
exit
result 1/2-1/2 {by agreement}
< 1-0 {Black resigns}
< resign
playother
hard
nopost
nps 0
quit
usermove
usermove h10h9
level 0 five
castle"
    ));
}
