//! Rank 0: it takes the GUI's orders, gives them to all and chooses among what all found.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chuhe_engine::{Searcher, first_pool};
use chuhe_referee::Game;
use chuhe_search::{Answer, Bound, Control, Event, Limits, Line, Pool};

use super::message::{Message, Start};
use super::post::Post;
use super::tally::{Found, Tally};
use super::{Exchange, ROUND_PATIENCE, TICK};
use crate::link::{Channel, Letter, Link, LinkError};
use crate::shape;
use crate::wire;

/// The searcher of rank 0's session: it searches with its own pool and lets all other ranks search, too.
pub struct Commander {
    pool: Pool,
    orders: Sender<Order>,
    ranks: usize,
    searches: u64,
    /// What ranks complain about.
    troubles: Troubles,
    alarm: Alarm,
    shows_traffic: bool,
}

/// Makes a commander answer with what is known, whatever has become of the link: for when ranks are lost.
#[derive(Clone, Default)]
pub struct Alarm {
    /// What stops the search that runs.
    control: Arc<Mutex<Option<Control>>>,
}

impl Alarm {
    /// Ends the search that runs, if one does.
    pub fn ring(&self) {
        if let Some(control) = &*self.control.lock().unwrap_or_else(PoisonError::into_inner) {
            control.ponder_hit();
            control.stop();
        }
    }

    fn watch(&self, control: Option<Control>) {
        *self.control.lock().unwrap_or_else(PoisonError::into_inner) = control;
    }
}

type Troubles = Arc<Mutex<Vec<String>>>;

/// The end of the orders, for the thread that owns the link.
pub struct Headquarters {
    orders: Receiver<Order>,
    post: Post,
    troubles: Troubles,
}

enum Order {
    /// Tell all ranks.
    Tell(Message),
    Begin(Begin),
    /// The pool of rank 0 is done: let the others vote.
    End(u64, Sender<Tally>),
}

/// A search that begins.
struct Begin {
    start: Start,
    /// What the session says.
    outer: Control,
    /// What the pool of rank 0 hears; follows the outer one.
    inner: Control,
    others: Arc<Others>,
}

/// What is known of the other ranks during a search.
#[derive(Default)]
struct Others {
    nodes: AtomicU64,
}

impl Commander {
    /// A searcher for rank 0 of so many, and the other end of its orders. With `shows_traffic` it remarks after every
    /// search what the exchange of entries cost.
    pub fn new(ranks: usize, exchange: Exchange, shows_traffic: bool) -> (Self, Headquarters) {
        let (sender, orders) = mpsc::channel();
        let post = Post::new(exchange);
        let mut pool = first_pool();
        if ranks > 1 {
            pool.set_tt_exchange(post.mailbox());
        }
        let troubles = Troubles::default();
        let headquarters = Headquarters { orders, post, troubles: Arc::clone(&troubles) };
        let alarm = Alarm::default();
        (Self { pool, orders: sender, ranks, searches: 0, troubles, alarm, shows_traffic }, headquarters)
    }

    /// What makes this commander answer at once.
    pub fn alarm(&self) -> Alarm {
        self.alarm.clone()
    }

    /// The limits of each rank: positions are shared out, time is not.
    fn share(&self, limits: &Limits) -> Limits {
        let nodes = limits.nodes.map(|nodes| nodes.div_ceil(self.ranks as u64));
        Limits { nodes, ..limits.clone() }
    }

    /// Nobody may be left to hear an order; then this rank searches alone.
    fn order(&self, order: Order) {
        let _ = self.orders.send(order);
    }

    /// The votes of all other ranks that answer in time.
    fn votes(&self) -> Tally {
        let (sender, votes) = mpsc::channel();
        self.order(Order::End(self.searches, sender));
        // Longer than headquarters wait themselves, but not for ever, should they hang on a dead link.
        votes.recv_timeout(patience(self.ranks) + Duration::from_millis(200)).unwrap_or_default()
    }
}

/// How long rank 0 waits for votes.
fn patience(ranks: usize) -> Duration {
    ROUND_PATIENCE * (shape::height(0, ranks) + 1)
}

impl Searcher for Commander {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        if self.ranks == 1 {
            return self.pool.search(game, limits, control, tell);
        }
        self.searches += 1;
        let limits = self.share(limits);
        let pondering = control.is_pondering();
        let start = Start::new(self.searches, self.pool.evaluator().fingerprint(), game, &limits, pondering);
        let inner = control.follower();
        let others = Arc::<Others>::default();
        self.alarm.watch(Some(control.clone()));
        self.order(Order::Begin(Begin {
            start,
            outer: control.clone(),
            inner: inner.clone(),
            others: Arc::clone(&others),
        }));
        let mut answer =
            self.pool.search(game, &limits, &inner, &mut |event| tell(with_nodes(event, &others)));
        let own = Tally::of(&answer);
        let mut all = self.votes();
        self.alarm.watch(None);
        for trouble in std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner)) {
            tell(Event::Remark(trouble));
        }
        if self.shows_traffic {
            let Tally { messages, bytes, .. } = all;
            tell(Event::Remark(format!("{messages} messages with {bytes} bytes of entries")));
        }
        all.add(own.clone());
        // Votes that came too late are missing, and what their ranks looked at with them.
        answer.nodes = all.nodes.max(own.nodes + others.nodes.load(Ordering::Relaxed));
        // Several lines are rank 0's alone: a vote is on one move.
        if limits.lines <= 1
            && let Some(winner) = all.winner(limits.depth.unwrap_or(0))
            && own.winner(0) != Some(winner)
            && is_allowed(game, &limits, winner)
        {
            adopt(&mut answer, winner);
        }
        if let Some(line) = answer.lines.first_mut() {
            line.nodes = answer.nodes;
            tell(Event::Line(line.clone()));
        }
        answer
    }

    fn forget(&mut self) {
        self.pool.clear();
        self.order(Order::Tell(Message::Forget));
    }

    fn option_set(&mut self, name: &str, value: Option<&str>) {
        let (name, value) = (name.to_owned(), value.map(str::to_owned));
        self.order(Order::Tell(Message::SetOption { name, value }));
    }
}

/// What other ranks say is believed only if it can be played.
fn is_allowed(game: &Game, limits: &Limits, found: &Found) -> bool {
    let mut after = game.clone();
    let plays = found.moves.iter().all(|mv| after.play(*mv).is_ok());
    let allowed = |mv| (limits.only.is_empty() || limits.only.contains(&mv)) && !limits.banned.contains(&mv);
    plays && found.mv().is_some_and(allowed)
}

/// Makes another rank's line the answer.
fn adopt(answer: &mut Answer, found: &Found) {
    let Some(own) = answer.lines.first() else { return };
    let line = Line {
        depth: found.depth,
        selective_depth: found.selective_depth,
        score: found.score,
        bound: Bound::Exact,
        moves: found.moves.clone(),
        ..own.clone()
    };
    answer.best = found.mv();
    answer.ponder = found.moves.get(1).copied();
    answer.lines = vec![line];
}

fn with_nodes(event: Event, others: &Others) -> Event {
    match event {
        Event::Line(line) => {
            Event::Line(Line { nodes: line.nodes + others.nodes.load(Ordering::Relaxed), ..line })
        }
        event => event,
    }
}

/// More than this is no help to anybody.
const MOST_TROUBLES: usize = 100;

/// Rank 0's part of a search while it runs.
struct Running {
    search: u64,
    outer: Control,
    inner: Control,
    others: Arc<Others>,
    nodes: Vec<u64>,
    pondering: bool,
    stopped: bool,
    /// What the first rank found that came to its end.
    done: Option<Tally>,
    poll: Option<Poll>,
}

/// The vote while it is on.
struct Poll {
    reply: Sender<Tally>,
    tally: Tally,
    missing: Vec<usize>,
    deadline: Instant,
}

/// Carries orders and post on rank 0 until the commander is gone, on the thread that owns the link.
pub fn command(link: &mut impl Link, headquarters: Headquarters) -> Result<(), LinkError> {
    Office { link, headquarters, running: None }.work()
}

struct Office<'a, L> {
    link: &'a mut L,
    headquarters: Headquarters,
    running: Option<Running>,
}

impl<L: Link> Office<'_, L> {
    fn work(&mut self) -> Result<(), LinkError> {
        loop {
            match self.headquarters.orders.recv_timeout(TICK) {
                Ok(order) => self.obey(order)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.tell_all(&Message::Quit),
            }
            while let Some(letter) = self.link.receive(None, Channel::Talk)? {
                self.read(letter);
            }
            self.follow_controls()?;
            self.headquarters.post.tick(self.link)?;
            self.close_poll();
        }
    }

    fn tell_all(&mut self, message: &Message) -> Result<(), LinkError> {
        let bytes = wire::pack(message);
        (1..self.link.ranks()).try_for_each(|rank| self.link.send(rank, Channel::Talk, &bytes))
    }

    fn obey(&mut self, order: Order) -> Result<(), LinkError> {
        match order {
            Order::Tell(message) => self.tell_all(&message),
            Order::Begin(begin) => self.begin(begin),
            Order::End(search, reply) => self.open_poll(search, reply),
        }
    }

    fn begin(&mut self, begin: Begin) -> Result<(), LinkError> {
        let Begin { start, outer, inner, others } = begin;
        self.headquarters.post.begin();
        self.running = Some(Running {
            search: start.search,
            pondering: start.pondering,
            outer,
            inner,
            others,
            nodes: vec![0; self.link.ranks()],
            stopped: false,
            done: None,
            poll: None,
        });
        self.tell_all(&Message::Start(Box::new(start)))
    }

    /// Passes on at once what the session told its search.
    fn follow_controls(&mut self) -> Result<(), LinkError> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let search = running.search;
        if running.pondering && !running.outer.is_pondering() {
            running.pondering = false;
            self.tell_all(&Message::PonderHit(search))?;
        }
        self.stop_if(|running| running.outer.is_stopped())
    }

    fn stop_if(&mut self, condition: impl FnOnce(&Running) -> bool) -> Result<(), LinkError> {
        let Some(running) = self.running.as_mut().filter(|running| !running.stopped && condition(running))
        else {
            return Ok(());
        };
        running.stopped = true;
        running.inner.stop();
        let search = running.search;
        self.tell_all(&Message::Stop(search))
    }

    fn open_poll(&mut self, search: u64, reply: Sender<Tally>) -> Result<(), LinkError> {
        self.stop_if(|running| running.search == search)?;
        let ranks = self.link.ranks();
        let post = &self.headquarters.post;
        let tally = Tally { messages: post.messages, bytes: post.bytes, ..Tally::default() };
        if let Some(running) = self.running.as_mut().filter(|running| running.search == search) {
            let missing = shape::children(0, ranks).collect();
            running.poll = Some(Poll { reply, tally, missing, deadline: Instant::now() + patience(ranks) });
        }
        Ok(())
    }

    fn close_poll(&mut self) {
        let ready = |poll: &mut Poll| poll.missing.is_empty() || Instant::now() >= poll.deadline;
        if let Some(running) = &mut self.running
            && let Some(mut poll) = running.poll.take_if(ready)
        {
            // Whoever came to the end first counts even if its vote is late.
            if let Some(done) = running.done.take()
                && !done.votes.iter().all(|vote| poll.tally.votes.iter().any(|known| known.best == vote.best))
            {
                poll.tally.add(done);
            }
            let _ = poll.reply.send(poll.tally);
            self.running = None;
        }
    }

    fn read(&mut self, Letter { from, bytes, .. }: Letter) {
        let message = match wire::unpack::<Message>(&bytes) {
            Ok(message) => message,
            Err(error) => return self.remark(from, &error.to_string()),
        };
        match (message, &mut self.running) {
            (Message::Entries(parcels), _) => self.headquarters.post.receive(self.link, from, parcels),
            (Message::Trouble(text), _) => self.remark(from, &text),
            (Message::Progress(search, nodes), Some(running)) if search == running.search => {
                if let Some(known) = running.nodes.get_mut(from) {
                    *known = nodes;
                }
                let total = running.nodes.iter().fold(0, |sum: u64, nodes| sum.saturating_add(*nodes));
                running.others.nodes.store(total.min(u64::MAX / 2), Ordering::Relaxed);
            }
            (Message::Done(search, found), Some(running))
                if search == running.search && !running.pondering =>
            {
                // Who is first has found it for all; the pool stops and the votes are counted.
                running.inner.stop();
                running.done.get_or_insert(found);
            }
            (Message::Votes(search, votes), Some(Running { search: ours, poll: Some(poll), .. }))
                if search == *ours && poll.missing.contains(&from) =>
            {
                poll.missing.retain(|rank| *rank != from);
                poll.tally.add(votes);
            }
            // Too late, or nothing for rank 0.
            _ => {}
        }
    }

    fn remark(&self, rank: usize, text: &str) {
        let mut troubles = self.headquarters.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        if troubles.len() < MOST_TROUBLES {
            troubles.push(format!("rank {rank}: {text}"));
        }
    }
}
