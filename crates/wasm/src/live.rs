//! Live searches, one at a time, as the server's live socket runs them: a new message ends the last search.

use std::sync::Arc;
use std::time::Duration;

use chuhe_adapters::Handicap;
use chuhe_api::live::{
    ClientMessage, Goal, LineSets, SearchRequest, ServerMessage, Update, book_move, strength,
};
use chuhe_api::report::GameReport;
use chuhe_api::{Key, Notice};
use chuhe_book::Book;
use chuhe_clock::Instant;
use chuhe_referee::Game;
use chuhe_search::{Control, Endgames, Event, Limits, PausedSearch, Pool};

use crate::host;

/// The usual transposition table, in MiB.
const HASH: usize = 64;
/// The largest that an analysis may ask for: a page has little memory.
const MAX_HASH: usize = 256;
/// The most lines of an analysis.
const MAX_LINES: usize = 10;
/// Least time between two updates; more would not be seen.
const UPDATE_INTERVAL: Duration = Duration::from_millis(60);

/// The engine behind the app's live searches.
pub(crate) struct LiveEngine {
    pool: Pool,
    active: Option<ActiveSearch>,
}

struct ActiveSearch {
    id: u32,
    goal: Goal,
    game: Game,
    limits: Limits,
    control: Control,
    paused: PausedSearch,
    found: Found,
    /// Progress of a game report, if that is the goal.
    report: Option<Box<GameReport>>,
}

/// What a search has found, and when it last said so.
#[derive(Default)]
struct Found {
    sets: LineSets,
    nodes: u64,
    time: Duration,
    last_update: Option<Instant>,
}

/// A refusal of a message, as JSON.
pub(crate) fn refused(reason: Notice) -> String {
    json(&ServerMessage::Refused { id: None, reason })
}

fn json(message: &ServerMessage) -> String {
    serde_json::to_string(message).expect("the messages are plain data")
}

fn send(message: &ServerMessage) {
    host::send(&json(message));
}

impl LiveEngine {
    pub(crate) fn new(endgames: Option<Arc<dyn Endgames>>) -> Self {
        let mut pool = Pool::new(1, HASH);
        pool.set_endgames(endgames);
        Self { pool, active: None }
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn set_endgames(&mut self, endgames: Option<Arc<dyn Endgames>>) {
        self.pool.set_endgames(endgames);
    }

    /// Ends the search and starts the requested one, if any.
    pub(crate) fn handle(&mut self, message: &[u8]) {
        self.active = None;
        match serde_json::from_slice::<ClientMessage>(message) {
            Ok(message) => {
                let Some(request) = message.search() else { return };
                match ActiveSearch::new(&request) {
                    Ok(active) => {
                        self.resize(request.goal);
                        self.active = Some(active);
                    }
                    Err(reason) => send(&ServerMessage::Refused { id: Some(request.id), reason }),
                }
            }
            Err(error) => host::send(&refused(Notice::around(
                Key::Malformed,
                format!("this message is not understood: {error}"),
            ))),
        }
    }

    /// Gives a search the table that it asks for; one that does not fit in memory leaves the last.
    fn resize(&mut self, goal: Goal) {
        let wanted = match goal {
            Goal::Lines { hash: Some(mebibytes), .. } => mebibytes.clamp(1, MAX_HASH),
            _ => HASH,
        };
        if wanted != self.pool.hash_size() {
            let _ = self.pool.set_hash_size(wanted);
        }
    }

    /// Searches for a slice. Returns whether more follow.
    pub(crate) fn step(&mut self, book: &Book) -> bool {
        let Some(active) = &mut self.active else { return false };
        if active.search(&mut self.pool) {
            return true;
        }
        let more = active.finish(&self.pool, book);
        if !more {
            self.active = None;
        }
        more
    }
}

impl ActiveSearch {
    fn new(request: &SearchRequest) -> Result<Self, Notice> {
        let mut game = request.game.game()?;
        let report = match request.goal {
            Goal::Report(effort) => Some(Box::new(GameReport::new(&game, effort)?)),
            Goal::Lines { .. } | Goal::Move { .. } => None,
        };
        if let Some(report) = &report {
            game = report.next_game();
        }
        let mut active = Self {
            id: request.id,
            goal: request.goal,
            game,
            limits: Limits::default(),
            control: Control::default(),
            paused: PausedSearch::default(),
            found: Found::default(),
            report,
        };
        active.limits = active.limits_of(request.goal, request.lines);
        Ok(active)
    }

    fn limits_of(&self, goal: Goal, lines: usize) -> Limits {
        let lines = lines.clamp(1, MAX_LINES).min(self.game.position().moves().len().max(1));
        let limits = Limits { lines, started: Some(Instant::now()), ..Limits::default() };
        match goal {
            Goal::Lines { depth, .. } => Limits { depth, ..limits },
            Goal::Report(_) => {
                Limits { movetime: self.report.as_ref().map(|report| report.next_time()), ..limits }
            }
            Goal::Move { level, time, book } => {
                let mv = book.and_then(|policy| {
                    book_move(&Book::embedded(), &self.game, strength(level), policy, random())
                });
                if let Some(mv) = mv {
                    return Limits { only: vec![mv], depth: Some(1), lines: 1, ..limits };
                }
                let limits = Limits { movetime: Some(time), ..limits };
                let held_back =
                    Handicap::new(strength(level)).map(|handicap| handicap.hold_back(limits.clone()));
                held_back.unwrap_or(limits)
            }
        }
    }

    /// Searches until the search ends or is paused. Returns whether it was paused.
    fn search(&mut self, pool: &mut Pool) -> bool {
        if self.game.position().moves().is_empty() {
            return false;
        }
        let Self { id, goal, game, limits, control, paused, found, .. } = self;
        let expected = limits.lines.min(game.position().moves().len());
        let answer = pool.resume(game, limits, control, paused, &mut |event| {
            if let Event::Line(line) = event {
                (found.nodes, found.time) = (line.nodes, line.time);
                if found.sets.add(line, expected) && !matches!(goal, Goal::Report(_)) && found.is_due() {
                    send(&ServerMessage::lines(*id, game, &found.update(false)));
                }
            }
        });
        if control.take_pause() {
            return true;
        }
        (found.nodes, found.time) = (answer.nodes, answer.time);
        if found.sets.lines.is_empty() {
            found.sets.lines = answer.lines;
        }
        false
    }

    /// Sends the result. Returns whether another search follows.
    fn finish(&mut self, pool: &Pool, book: &Book) -> bool {
        let update = self.found.update(true);
        match (self.goal, self.report.take()) {
            (Goal::Report(_), Some(report)) => return self.continue_report(report, &update, pool, book),
            (Goal::Move { level, .. }, _) => {
                send(&ServerMessage::answer(self.id, &self.game, &chosen(update, level)));
            }
            _ => send(&ServerMessage::lines(self.id, &self.game, &update)),
        }
        false
    }

    /// Records a searched position of a report, then starts the next one or sends the report.
    fn continue_report(
        &mut self,
        mut report: Box<GameReport>,
        update: &Update,
        pool: &Pool,
        book: &Book,
    ) -> bool {
        report.record(update);
        let (done, total) = report.progress();
        if done == total {
            match report.finish(self.id, pool.endgames(), book) {
                Ok(message) => send(&message),
                Err(error) => send(&ServerMessage::Refused { id: Some(self.id), reason: error.into() }),
            }
            return false;
        }
        send(&ServerMessage::Progress { id: self.id, done, total });
        self.game = report.next_game();
        self.report = Some(report);
        self.limits = self.limits_of(self.goal, GameReport::LINES);
        (self.paused, self.found) = (PausedSearch::default(), Found::default());
        true
    }
}

/// A number from the clock; there is no other source in every host.
fn random() -> u64 {
    let nanos = chuhe_clock::since_1970().as_nanos() as u64;
    (nanos ^ nanos >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Below full strength the chosen line comes first, best or not.
fn chosen(mut update: Update, level: u8) -> Update {
    if let Some(handicap) = Handicap::new(strength(level))
        && !update.lines.is_empty()
    {
        let chosen = handicap.choose(&update.lines, random());
        update.lines[..=chosen].rotate_right(1);
    }
    update
}

impl Found {
    /// Whether the next update is due; it counts as sent.
    fn is_due(&mut self) -> bool {
        let due = self.last_update.is_none_or(|last| last.elapsed() >= UPDATE_INTERVAL);
        if due {
            self.last_update = Some(Instant::now());
        }
        due
    }

    fn update(&self, finished: bool) -> Update {
        let LineSets { lines, settled, .. } = &self.sets;
        Update {
            lines: lines.clone(),
            nodes: self.nodes,
            time: self.time,
            settled: *settled,
            finished,
            failed: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines sent in answer to a message.
    fn sent(message: &str) -> Vec<String> {
        // Tests of one process share the lines.
        static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _alone = ALONE.lock().unwrap();
        host::SENT.lock().unwrap().clear();
        let mut engine = LiveEngine::new(None);
        engine.handle(message.as_bytes());
        while engine.step(&Book::embedded()) {}
        std::mem::take(&mut *host::SENT.lock().unwrap())
    }

    #[test]
    fn a_move_is_answered_at_every_level() {
        for level in [1, 5, 10] {
            let message =
                format!(r#"{{"type":"think","id":7,"game":{{}},"level":{level},"milliseconds":50}}"#);
            let lines = sent(&message);
            let last = lines.last().unwrap();
            assert!(
                last.contains(r#""type":"answer","id":7"#) && last.contains(r#""best":{"move":""#),
                "{last}"
            );
        }
    }

    #[test]
    fn an_analysis_ends_at_its_depth() {
        let lines = sent(r#"{"type":"analyse","id":2,"game":{},"lines":1,"depth":4}"#);
        assert!(lines.last().unwrap().contains(r#""depth":4"#), "{lines:?}");
    }

    #[test]
    fn an_analysis_gets_the_table_that_it_asks_for_and_the_next_the_usual_one() {
        let mut engine = LiveEngine::new(None);
        let ask = |hash: &str| format!(r#"{{"type":"analyse","id":1,"game":{{}},"lines":1{hash}}}"#);
        for (hash, expected) in [(r#","hash":8"#, 8), ("", HASH), (r#","hash":100000"#, MAX_HASH)] {
            engine.handle(ask(hash).as_bytes());
            assert_eq!(engine.pool.hash_size(), expected);
        }
    }

    #[test]
    fn a_report_covers_the_game() {
        let lines = sent(r#"{"type":"report","id":3,"game":{"moves":["h2e2","h9g7"]}}"#);
        assert!(lines[0].contains(r#""type":"progress","id":3,"done":1,"total":3"#), "{}", lines[0]);
        assert!(lines.last().unwrap().contains(r#""type":"report""#));
    }

    #[test]
    fn what_is_not_understood_or_illegal_is_refused() {
        assert!(sent("nonsense")[0].contains("not understood"));
        let lines = sent(r#"{"type":"analyse","id":1,"game":{"moves":["a0a9"]},"lines":3}"#);
        assert!(lines[0].contains(r#""refused""#) && lines[0].contains("illegal"), "{}", lines[0]);
        assert!(sent(r#"{"type":"stop"}"#).is_empty());
    }
}
