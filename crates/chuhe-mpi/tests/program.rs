//! The program under `mpirun`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chuhe-mpi");

fn mpirun(arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running engine.
struct Engine {
    child: Child,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        Self::of(&mut mpirun(arguments))
    }

    /// An engine that searches here and on the ranks of a job.
    fn supervised(ranks: &str) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args([
            "supervise",
            "--traffic",
            "mpirun",
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            ranks,
        ]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Self::of(&mut command)
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::inherit()).spawn().expect("MPI is installed");
        let lines = lines_of(child.stdout.take().expect("standard output is a pipe"));
        Self { child, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("standard input is a pipe"), "{line}").unwrap();
    }

    /// The next line that starts with this.
    fn expect(&self, start: &str) -> String {
        loop {
            let line =
                self.lines.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("no '{start}'"));
            if line.starts_with(start) {
                return line;
            }
        }
    }
}

fn lines_of(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

#[test]
fn a_gui_plays_with_two_and_four_ranks() {
    for ranks in ["2", "4"] {
        let mut engine = Engine::start(&["-n", ranks, PROGRAM, "engine", "--traffic"]);
        engine.say("uci");
        engine.expect("uciok");
        engine.say("setoption name Hash value 8");
        engine.say("isready");
        engine.expect("readyok");
        engine.say("position startpos moves h2e2");
        engine.say("go depth 9");
        assert!(engine.expect("info string").contains("messages with"));
        engine.expect("bestmove ");
        engine.say("go infinite");
        engine.expect("info depth 5");
        engine.say("stop");
        engine.expect("bestmove ");
        engine.say("go ponder depth 6");
        engine.say("ponderhit");
        engine.expect("bestmove ");
        engine.say("quit");
        assert!(engine.child.wait().unwrap().success());
    }
}

#[test]
fn ucci_is_spoken_too() {
    let mut engine = Engine::start(&["-n", "2", PROGRAM]);
    engine.say("ucci");
    engine.expect("ucciok");
    engine.say("go depth 5");
    engine.expect("bestmove ");
    engine.say("quit");
    engine.expect("bye");
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn ranks_that_differ_refuse_to_start_together() {
    let ranks = ["-n", "1", PROGRAM, ":", "-n", "1", PROGRAM, "engine", "--topology", "ring"];
    let output = mpirun(&ranks).output().unwrap();
    assert!(!output.status.success());
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("ranks do not match: rank 1 has job"), "{words}");
}

/// The ids of the processes that were started by `parent`.
fn children_of(parent: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    list.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

#[test]
fn when_a_rank_dies_the_gui_still_gets_a_move() {
    let mut engine = Engine::start(&["-n", "3", PROGRAM]);
    engine.say("uci");
    engine.expect("uciok");
    engine.say("go infinite");
    engine.expect("info depth 6");
    kill(*children_of(engine.child.id()).last().expect("ranks are children of mpirun"));
    engine.expect("bestmove ");
    assert!(!engine.child.wait().unwrap().success());
}

/// Searches until this many ranks vote.
fn wait_for_votes(engine: &mut Engine, votes: &str) {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(60), "the ranks do not join");
        engine.say("go depth 7");
        let mut all_voted = false;
        loop {
            let line = engine.lines.recv_timeout(Duration::from_secs(60)).expect("the engine answers");
            all_voted |= line.contains(votes);
            if line.starts_with("bestmove ") {
                break;
            }
        }
        if all_voted {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
}

fn kill(process: u32) {
    assert!(Command::new("kill").args(["-9", &process.to_string()]).status().unwrap().success());
}

#[test]
fn a_supervised_game_goes_on_when_a_rank_or_the_whole_job_dies() {
    let mut engine = Engine::supervised("3");
    engine.say("uci");
    engine.expect("uciok");
    // A worker, the first rank of the job, and mpirun itself.
    for victim in ["worker", "gateway", "launcher"] {
        wait_for_votes(&mut engine, "4 of 4 ranks voted");
        let launcher = children_of(engine.child.id())[0];
        let ranks = children_of(launcher);
        assert_eq!(ranks.len(), 3);
        let start = Instant::now();
        engine.say("go movetime 1500");
        engine.expect("info depth 6");
        kill(match victim {
            "worker" => ranks[2],
            "gateway" => ranks[0],
            _ => launcher,
        });
        engine.expect("bestmove ");
        let time = start.elapsed();
        assert!(
            time > Duration::from_millis(1200) && time < Duration::from_millis(2500),
            "{victim}: {time:?}"
        );
        // The next move comes at once, whether the job is back or not.
        let start = Instant::now();
        engine.say("go movetime 100");
        engine.expect("bestmove ");
        assert!(start.elapsed() < Duration::from_secs(1), "{victim}: {:?}", start.elapsed());
    }
    engine.say("quit");
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn without_a_job_the_supervisor_plays_alone() {
    let mut command = Command::new(PROGRAM);
    command.args(["supervise", "/no/such/launcher"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = Engine::of(&mut command);
    engine.say("xboard");
    engine.say("protover 2");
    engine.expect("feature ");
    engine.say("sd 5");
    engine.say("go");
    engine.expect("move ");
    engine.say("quit");
    assert!(engine.child.wait().unwrap().success());
}
