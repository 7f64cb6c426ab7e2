//! A session driven by a script, written down as a transcript that does not depend on how well or how
//! fast the engine searches: scores, counts, times and the moves it chooses are left out.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use chuhe_engine::{Output, Session};

/// No search of these scripts takes nearly so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A session and the replies that have not been read yet.
pub(crate) struct Conversation {
    session: Session,
    replies: Receiver<String>,
    pub(crate) ended: bool,
}

impl Conversation {
    pub(crate) fn new() -> Self {
        let (sender, replies) = mpsc::channel();
        let output = Output::new(move |line| {
            let _ = sender.send(line);
        });
        Self { session: Session::new(output), replies, ended: false }
    }

    /// Says a line to the engine.
    pub(crate) fn say(&mut self, line: &str) {
        self.ended |= self.session.handle_line(line) == ControlFlow::Break(());
    }

    /// The replies that are there.
    pub(crate) fn replies(&self) -> Vec<String> {
        self.replies.try_iter().collect()
    }

    /// The replies up to the first that starts with this word.
    pub(crate) fn replies_until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self
                .replies
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no '{word}' came, only {lines:?}"));
            let found = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Says a line and returns the replies up to the first that starts with this word.
    pub(crate) fn ask(&mut self, line: &str, word: &str) -> Vec<String> {
        self.say(line);
        self.replies_until(word)
    }
}

/// Plays a script and writes down both sides. Lines of the script are for the engine, except:
///
/// - `(wait WORD)` waits for a reply that starts with the word and shows what came, masked;
/// - `(skip WORD)` does the same, but leaves out lines about the progress of the search;
/// - `(exact WORD)` shows only that reply's first two words;
/// - `(last WORD)` shows only that reply, whole;
/// - `(fen)` shows where the session is.
pub(crate) fn transcript(script: &str) -> String {
    let mut conversation = Conversation::new();
    let mut text = String::new();
    let mut show = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let mut lines = script.lines().map(str::trim_start).peekable();
    while let Some(line) = lines.next() {
        let directive = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (kind, rest) = directive.map_or(("", line), |text| text.split_once(' ').unwrap_or((text, "")));
        match kind {
            "wait" => {
                for reply in conversation.replies_until(rest) {
                    show(&format!("    {}", masked(&reply)));
                }
            }
            "skip" => {
                for reply in conversation.replies_until(rest).iter().filter(|reply| !is_progress(reply)) {
                    show(&format!("    {}", masked(reply)));
                }
            }
            "exact" => {
                let replies = conversation.replies_until(rest);
                let reply = replies.last().expect("at least the one waited for");
                let words: Vec<&str> = reply.split_whitespace().take(2).collect();
                show(&format!("    {}", words.join(" ")));
            }
            "last" => {
                let replies = conversation.replies_until(rest);
                show(&format!("    {}", replies.last().expect("at least the one waited for")));
            }
            "fen" => {
                conversation.say("d");
                let replies = conversation.replies();
                let fen = replies.iter().find(|reply| reply.starts_with("Fen: ")).expect("a FEN");
                show(&format!("    {fen}"));
            }
            _ => {
                show(line);
                conversation.say(line);
                let waits = |next: &&str| {
                    ["(wait", "(skip", "(exact", "(last"].iter().any(|word| next.starts_with(word))
                };
                if lines.peek().is_some_and(waits) {
                    continue;
                }
                for reply in conversation.replies().iter().filter(|reply| !is_progress(reply)) {
                    show(&format!("    {}", masked(reply)));
                }
            }
        }
    }
    if conversation.ended {
        show("    (the session ends)");
    }
    text
}

/// Whether a reply only reports progress of the search.
fn is_progress(reply: &str) -> bool {
    let first = reply.split_whitespace().next().unwrap_or_default();
    reply.contains(" depth ") && first == "info" || is_thinking(reply)
}

/// Whether a reply is a line of thinking for xboard: it starts with the depth and the score.
fn is_thinking(reply: &str) -> bool {
    let mut words = reply.split_whitespace().map(str::parse::<i64>);
    matches!((words.next(), words.next()), (Some(Ok(_)), Some(Ok(_))))
}

/// The reply without what depends on the search.
fn masked(reply: &str) -> String {
    let words: Vec<&str> = reply.split_whitespace().collect();
    let Some((&first, rest)) = words.split_first() else {
        return String::new();
    };
    match first {
        "info" if !reply.contains(" string ") && !reply.contains(" message ") => masked_info(&words),
        "bestmove" => {
            let kept: Vec<&str> =
                rest.iter().copied().filter(|word| ["draw", "resign", "(none)"].contains(word)).collect();
            format!("bestmove … {}", kept.join(" ")).trim_end().to_owned()
        }
        "pophash" => rest
            .iter()
            .filter(|word| ["bestmove", "lowerbound", "upperbound", "depth"].contains(word))
            .fold("pophash".to_owned(), |text, word| format!("{text} {word} …")),
        "move" | "Hint:" => format!("{first} …"),
        _ if is_thinking(reply) => format!("{first} (score, time, nodes, line)"),
        _ => reply.to_owned(),
    }
}

fn masked_info(words: &[&str]) -> String {
    let mut text = String::new();
    let mut hidden = 0;
    for (index, word) in words.iter().enumerate() {
        if hidden > 0 {
            hidden -= 1;
            text.push_str(" #");
            continue;
        }
        let follows_score = words.get(index + 1).is_some_and(|next| next.parse::<i32>().is_ok());
        hidden = match *word {
            "seldepth" | "cp" | "nodes" | "nps" | "hashfull" | "time" => 1,
            "score" if follows_score => 1,
            "wdl" => 3,
            _ => 0,
        };
        if *word == "pv" {
            text.push_str(" pv …");
            break;
        }
        text.push_str(if index > 0 { " " } else { "" });
        text.push_str(word);
    }
    text
}
