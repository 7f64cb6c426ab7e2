//! An engine's process: started, spoken to, listened to on a thread of its own, and ended.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::{EngineSpec, Log};

/// What an engine may say before anybody listens; a chattier one has to wait.
const UNHEARD_LINES: usize = 10_000;
/// Longer lines are cut: no protocol needs them.
const LONGEST_LINE: usize = 1 << 16;
/// How long an engine may take to quit before it is killed.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line from an engine and when it arrived.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) line: String,
    pub(crate) at: Instant,
}

/// Why nothing was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The time is over.
    Timeout,
    /// The engine has closed its output: it is gone.
    Closed,
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    /// A line that came after the deadline of whoever listened; the next listener may have more time.
    too_late: Option<Heard>,
    log: Log,
}

impl Process {
    /// Starts the engine's program.
    pub(crate) fn start(spec: &EngineSpec, log: &Log) -> io::Result<Self> {
        let (program, arguments) = spec.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(located(program, spec.dir.as_deref()));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log.for_errors());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn()?;
        let output = child.stdout.take().expect("the output is piped");
        let input = child.stdin.take();
        let (sender, heard) = sync_channel(UNHEARD_LINES);
        thread::spawn(move || listen(output, &sender));
        // Several boards have engines of the same name.
        let name = format!("{}[{}]", spec.name, child.id());
        Ok(Self { name, child, input, heard, too_late: None, log: log.clone() })
    }

    /// The number that the system knows the process by.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says a line; an error means that the engine is gone.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Silence> {
        self.log.traffic(&self.name, '>', line);
        let input = self.input.as_mut().ok_or(Silence::Closed)?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|_| Silence::Closed)
    }

    /// The next line that arrives before the deadline. An engine that chatters without end is not
    /// listened to any longer than a silent one.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Result<Heard, Silence> {
        let heard = match self.too_late.take() {
            Some(heard) => heard,
            None => self.next_line(deadline)?,
        };
        if heard.at > deadline {
            self.too_late = Some(heard);
            return Err(Silence::Timeout);
        }
        Ok(heard)
    }

    fn next_line(&self, deadline: Instant) -> Result<Heard, Silence> {
        let heard = self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        let heard = heard.map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Timeout,
            RecvTimeoutError::Disconnected => Silence::Closed,
        })?;
        self.log.traffic(&self.name, '<', &heard.line);
        Ok(heard)
    }

    /// Forgets what was said so far: it answers nothing that is asked from now on.
    pub(crate) fn ignore_the_past(&mut self) {
        self.too_late = None;
        while let Ok(heard) = self.heard.try_recv() {
            self.log.traffic(&self.name, '~', &heard.line);
        }
    }

    /// Whether the program has not ended.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How the process ended, in words.
    pub(crate) fn last_words(&mut self) -> String {
        let until = Instant::now() + FAREWELL;
        match self.wait(until) {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".to_owned(),
        }
    }

    /// Asks the engine to quit, and insists.
    pub(crate) fn end(mut self) {
        let _ = self.say("quit");
        self.input = None;
        if self.wait(Instant::now() + FAREWELL).is_none() {
            self.log.note(&format!("{} does not quit and is killed", self.name));
        }
    }

    fn wait(&mut self, until: Instant) -> Option<std::process::ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program named by a path is looked for from where we are, then from the engine's folder; a bare
/// name is left to the system's search path.
fn located(program: &str, dir: Option<&Path>) -> PathBuf {
    let path = Path::new(program);
    if path.components().count() < 2 || path.is_absolute() {
        return path.to_owned();
    }
    let here = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match dir {
        Some(dir) if !here.exists() => std::path::absolute(dir.join(path)).unwrap_or(here),
        _ => here,
    }
}

/// Passes on line by line what the engine says, until it is gone or nobody listens any more.
fn listen(output: ChildStdout, sender: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    while let Some(line) = read_line(&mut output) {
        let heard = Heard { line, at: Instant::now() };
        if sender.send(heard).is_err() {
            return;
        }
    }
}

/// The next line without its end, cut to a sane length; `None` at the end.
fn read_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let buffer = match output.fill_buf() {
            Ok([]) => break,
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST_LINE.saturating_sub(line.len()))]);
        let read = part.len() + usize::from(end.is_some());
        output.consume(read);
        if end.is_some() {
            return Some(as_text(&line));
        }
    }
    (!line.is_empty()).then(|| as_text(&line))
}

fn as_text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_a_sane_length_and_bad_bytes_replaced() {
        let mut text = b"one\r\n\n".to_vec();
        text.extend(vec![b'x'; 3 * LONGEST_LINE]);
        text.extend(b"\n\xff\xfe\nlast");
        let mut input = BufReader::with_capacity(100, text.as_slice());
        let lines: Vec<String> = std::iter::from_fn(|| read_line(&mut input)).collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], "one");
        assert_eq!(lines[1], "");
        assert_eq!(lines[2].len(), LONGEST_LINE);
        assert_eq!(lines[3], "\u{fffd}\u{fffd}");
        assert_eq!(lines[4], "last");
    }
}
