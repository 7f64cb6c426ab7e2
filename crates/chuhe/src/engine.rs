//! `chuhe` without arguments: the engine, as a GUI starts it.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use chuhe_engine::{Output, Session};

use crate::output;

/// Runs until the GUI quits or closes its end.
pub(crate) fn run() -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        output::note(HINT);
    }
    let session = Session::new(Output::new(|line| {
        let mut stdout = io::stdout().lock();
        // A GUI that has gone closes our input as well, which ends the program.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    }));
    session.run(io::stdin().lock()).context("cannot read standard input")
}

const HINT: &str = "\
Chuhe (楚河) is waiting for a Xiangqi GUI: load this program there as a UCI, UCCI or xboard engine.
By hand: `position startpos moves h2e2`, `go movetime 1000`, `d`, `eval`, `quit`.
`chuhe --help` lists the other commands.";
