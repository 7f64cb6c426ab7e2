//! An engine's process: its input, its output (read on a thread of its own), and its end.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::{EngineSpec, Log};

/// Lines of output that are queued; then the engine blocks.
const QUEUED_LINES: usize = 10_000;
/// Longer lines are cut: no protocol needs them.
const LONGEST_LINE: usize = 1 << 16;
/// The timeout after `quit`; then the engine is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A line from an engine and when it arrived.
#[derive(Debug)]
pub(crate) struct ReceivedLine {
    pub(crate) line: String,
    pub(crate) at: Instant,
}

/// Why no line was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    /// The deadline has passed.
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
    received: Receiver<ReceivedLine>,
    /// A line that came after a caller's deadline; the next caller may have a later one.
    too_late: Option<ReceivedLine>,
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
        let (sender, received) = sync_channel(QUEUED_LINES);
        thread::spawn(move || forward_output(output, &sender));
        // Several boards have engines of the same name.
        let name = format!("{}[{}]", spec.name, child.id());
        Ok(Self { name, child, input, received, too_late: None, log: log.clone() })
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line; an error means that the engine is gone.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), ReadError> {
        self.log.traffic(&self.name, '>', line);
        let input = self.input.as_mut().ok_or(ReadError::Closed)?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|_| ReadError::Closed)
    }

    /// The next line that arrives before the deadline. Endless output does not
    /// extend the deadline.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Result<ReceivedLine, ReadError> {
        let received = match self.too_late.take() {
            Some(received) => received,
            None => self.next_line(deadline)?,
        };
        if received.at > deadline {
            self.too_late = Some(received);
            return Err(ReadError::Timeout);
        }
        Ok(received)
    }

    fn next_line(&self, deadline: Instant) -> Result<ReceivedLine, ReadError> {
        let received = self.received.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        let received = received.map_err(|error| match error {
            RecvTimeoutError::Timeout => ReadError::Timeout,
            RecvTimeoutError::Disconnected => ReadError::Closed,
        })?;
        self.log.traffic(&self.name, '<', &received.line);
        Ok(received)
    }

    /// Discards the output so far.
    pub(crate) fn drain(&mut self) {
        self.too_late = None;
        while let Ok(received) = self.received.try_recv() {
            self.log.traffic(&self.name, '~', &received.line);
        }
    }

    /// Whether the program has not ended.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How the process ended, for error messages.
    pub(crate) fn exit_description(&mut self) -> String {
        let until = Instant::now() + QUIT_TIMEOUT;
        match self.wait(until) {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".to_owned(),
        }
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub(crate) fn end(mut self) {
        let _ = self.send("quit");
        self.input = None;
        if self.wait(Instant::now() + QUIT_TIMEOUT).is_none() {
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

/// Forwards the engine's output line by line, until either end is closed.
fn forward_output(output: ChildStdout, sender: &SyncSender<ReceivedLine>) {
    let mut output = BufReader::new(output);
    while let Some(line) = read_line(&mut output) {
        let received = ReceivedLine { line, at: Instant::now() };
        if sender.send(received).is_err() {
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
