//! Every rank but 0: it searches what rank 0 says, with its own threads and its own table.

use std::thread::{self, JoinHandle};
use std::time::Instant;

use chuhe_engine::{Follower, first_pool};
use chuhe_search::{Answer, Control, Diversification, Pool};

use super::message::{Message, Start};
use super::post::Post;
use super::tally::Tally;
use super::{Exchange, PROGRESS_INTERVAL, ROUND_PATIENCE, TICK};
use crate::last_words::words;
use crate::link::{Channel, Letter, Link, LinkError};
use crate::shape;
use crate::wire;

/// Serves rank 0 until it quits.
pub fn serve(link: &mut impl Link, exchange: Exchange) -> Result<(), LinkError> {
    Crew::new(link, exchange).work()
}

struct Crew<'a, L> {
    link: &'a mut L,
    post: Post,
    follower: Follower,
    /// The pool, unless it searches.
    pool: Option<Pool>,
    searching: Option<Searching>,
    poll: Option<Poll>,
    /// Votes of children that were quicker than this rank.
    early: Vec<(u64, usize, Tally)>,
}

/// A search on a thread of its own.
struct Searching {
    search: u64,
    control: Control,
    thread: JoinHandle<(Pool, Answer)>,
    progress_told: Instant,
}

/// A search that is done, until its votes are sent.
struct Poll {
    search: u64,
    tally: Tally,
    missing: Vec<usize>,
    /// When this rank votes without those that are missing; not before rank 0 has asked for votes.
    deadline: Option<Instant>,
    done_told: bool,
    control: Control,
}

enum Next {
    GoOn,
    Quit,
}

impl<'a, L: Link> Crew<'a, L> {
    fn new(link: &'a mut L, exchange: Exchange) -> Self {
        let post = Post::new(exchange);
        let mut pool = first_pool();
        pool.set_tt_exchange(post.mailbox());
        pool.set_diversification(Diversification::new(link.rank()));
        let follower = Follower::default();
        Self { link, post, follower, pool: Some(pool), searching: None, poll: None, early: Vec::new() }
    }

    fn work(&mut self) -> Result<(), LinkError> {
        loop {
            let mut letter = self.link.wait(None, Channel::Talk, TICK)?;
            while let Some(next) = letter {
                if let Next::Quit = self.read(next)? {
                    self.halt()?;
                    return Ok(());
                }
                letter = self.link.receive(None, Channel::Talk)?;
            }
            self.look_after_search()?;
            self.post.tick(self.link)?;
            self.vote()?;
        }
    }

    fn read(&mut self, Letter { from, bytes, .. }: Letter) -> Result<Next, LinkError> {
        match wire::unpack::<Message>(&bytes) {
            Ok(Message::Quit) => return Ok(Next::Quit),
            Ok(Message::SetOption { name, value }) => self.set_option(&name, value.as_deref())?,
            Ok(Message::Forget) => self.resting()?.clear(),
            Ok(Message::Start(start)) => self.start(&start)?,
            Ok(Message::PonderHit(search)) => {
                if let Some(control) = self.control_of(search) {
                    control.ponder_hit();
                }
            }
            Ok(Message::Stop(search)) => self.stop(search),
            Ok(Message::Entries(parcels)) => self.post.receive(self.link, from, parcels),
            Ok(Message::Votes(search, tally)) => self.early.push((search, from, tally)),
            // Only rank 0 hears these.
            Ok(Message::Progress(..) | Message::Done(..) | Message::Trouble(_)) => {}
            Err(error) => self.complain(&format!("rank {from} cannot be understood: {error}"))?,
        }
        Ok(Next::GoOn)
    }

    fn tell(&mut self, to: usize, message: &Message) -> Result<(), LinkError> {
        self.link.send(to, Channel::Talk, &wire::pack(message))
    }

    fn complain(&mut self, text: &str) -> Result<(), LinkError> {
        self.tell(0, &Message::Trouble(text.to_owned()))
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), LinkError> {
        self.halt()?;
        let pool = self.pool.as_mut().expect("a pool at rest is here");
        match self.follower.set(pool, name, value) {
            Ok(()) => Ok(()),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    fn start(&mut self, start: &Start) -> Result<(), LinkError> {
        self.halt()?;
        self.poll = None;
        self.early.retain(|(search, ..)| *search >= start.search);
        let network = self.resting()?.evaluator().fingerprint();
        if network != start.network {
            return self.complain(&format!("evaluates by {network:016x}, not by {:016x}", start.network));
        }
        let game = match start.game() {
            Ok(game) => game,
            Err(error) => return self.complain(&error),
        };
        self.post.begin();
        let control = if start.pondering { Control::pondering() } else { Control::default() };
        let mut pool = self.pool.take().expect("a pool at rest is here");
        let (limits, hears) = (start.limits(), control.clone());
        let thread = thread::spawn(move || {
            let answer = pool.search(&game, &limits, &hears, &mut |_| {});
            (pool, answer)
        });
        let progress_told = Instant::now();
        self.searching = Some(Searching { search: start.search, control, thread, progress_told });
        Ok(())
    }

    fn control_of(&self, search: u64) -> Option<&Control> {
        let searching = self.searching.as_ref().map(|searching| (searching.search, &searching.control));
        let waiting = self.poll.as_ref().map(|poll| (poll.search, &poll.control));
        searching.into_iter().chain(waiting).find(|(number, _)| *number == search).map(|(_, control)| control)
    }

    fn stop(&mut self, search: u64) {
        if let Some(control) = self.control_of(search) {
            control.ponder_hit();
            control.stop();
        }
    }

    /// The pool, after its search has ended.
    fn resting(&mut self) -> Result<&mut Pool, LinkError> {
        self.halt()?;
        Ok(self.pool.as_mut().expect("a pool at rest is here"))
    }

    /// Ends the search without a vote.
    fn halt(&mut self) -> Result<(), LinkError> {
        if let Some(searching) = self.searching.take() {
            searching.control.stop();
            self.join(searching.thread)?;
        }
        Ok(())
    }

    fn join(&mut self, thread: JoinHandle<(Pool, Answer)>) -> Result<Answer, LinkError> {
        match thread.join() {
            Ok((pool, answer)) => {
                self.pool = Some(pool);
                Ok(answer)
            }
            // A rank without its pool is of no use, and the reason must not get lost.
            Err(reason) => Err(self.link.abort(&format!("the search failed: {}", words(&*reason)))),
        }
    }

    fn look_after_search(&mut self) -> Result<(), LinkError> {
        let Some(searching) = &mut self.searching else { return Ok(()) };
        if searching.thread.is_finished() {
            return self.end_search();
        }
        if searching.progress_told.elapsed() >= PROGRESS_INTERVAL {
            searching.progress_told = Instant::now();
            let progress = Message::Progress(searching.search, self.post.nodes());
            return self.tell(0, &progress);
        }
        Ok(())
    }

    fn end_search(&mut self) -> Result<(), LinkError> {
        let Some(Searching { search, control, thread, .. }) = self.searching.take() else { return Ok(()) };
        let answer = self.join(thread)?;
        let (messages, bytes) = (self.post.messages, self.post.bytes);
        let tally = Tally { messages, bytes, ..Tally::of(&answer) };
        let missing = shape::children(self.link.rank(), self.link.ranks()).collect();
        self.poll = Some(Poll { search, tally, missing, deadline: None, done_told: false, control });
        Ok(())
    }

    /// Tells rank 0 that the search has come to its end, and once it asks, the parent what was found.
    fn vote(&mut self) -> Result<(), LinkError> {
        let rounds = shape::height(self.link.rank(), self.link.ranks());
        let Some(poll) = &mut self.poll else { return Ok(()) };
        if !poll.control.is_stopped() {
            if !poll.done_told && !poll.control.is_pondering() {
                poll.done_told = true;
                let done = Message::Done(poll.search, poll.tally.clone());
                return self.tell(0, &done);
            }
            return Ok(());
        }
        let deadline = *poll.deadline.get_or_insert_with(|| Instant::now() + ROUND_PATIENCE * rounds);
        for (search, from, tally) in std::mem::take(&mut self.early) {
            if search == poll.search && poll.missing.contains(&from) {
                poll.missing.retain(|rank| *rank != from);
                poll.tally.add(tally);
            }
        }
        if poll.missing.is_empty() || Instant::now() >= deadline {
            let votes = Message::Votes(poll.search, std::mem::take(&mut poll.tally));
            self.poll = None;
            if let Some(parent) = shape::parent(self.link.rank()) {
                return self.tell(parent, &votes);
            }
        }
        Ok(())
    }
}
