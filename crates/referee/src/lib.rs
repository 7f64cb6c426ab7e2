//! The referee of Xiangqi: repetition, perpetual check and chase, move limits. It decides by
//! selectable rule sets and gives its reasons as values. `docs/rules.md` has the rules in words.
//!
//! # Judging a game
//!
//! ```
//! use chuhe_board::coords::{RankStyle, parse_move};
//! use chuhe_board::Outcome;
//! use chuhe_referee::{Clause, Game, Nature, Referee, RuleSet};
//!
//! // A chariot drives an unprotected cannon to and fro.
//! let mut game = Game::new("3k5/9/9/6c2/9/9/9/6R2/9/5K3 b".parse()?);
//! for text in ["g6h6", "g2h2", "h6g6", "h2g2"].repeat(2) {
//!     game.play(parse_move(text, RankStyle::FromZero)?)?;
//! }
//! let verdict = Referee::new(RuleSet::Wxf).judge(&game);
//! assert_eq!(verdict.outcome, Outcome::BlackWins);
//! assert_eq!(verdict.clause, Some(Clause::PerpetualChase));
//! assert_eq!(verdict.reasons[1].nature, Nature::Chase);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In a search
//!
//! A search keeps a [`History`] beside its position, pushes every move and pops it again, and asks
//! [`Referee::repetition`] at every node below the root. Looking for an earlier occurrence costs a few
//! comparisons; only a repeated position is judged, by going backwards through the loop.
//!
//! ```
//! use chuhe_board::{Move, Position};
//! use chuhe_referee::{History, Referee, Ruling, Standing};
//!
//! /// The largest score the rules of repetition give; mates are above it.
//! const RULE_WIN: i32 = 20_000;
//!
//! struct Search {
//!     referee: Referee,
//!     position: Position,
//!     history: History,
//!     /// Plies of the history that were played in the game.
//!     root: usize,
//! }
//!
//! impl Search {
//!     /// What the rules say before anything is searched, for the side to move.
//!     fn settled_by_repetition(&self) -> Option<i32> {
//!         let Ruling { standing, .. } = self.referee.repetition(&self.position, &self.history, self.root)?;
//!         Some(match standing {
//!             Standing::Win => RULE_WIN,
//!             Standing::Loss => -RULE_WIN,
//!             Standing::Draw => 0,
//!         })
//!     }
//!
//!     fn try_move(&mut self, mv: Move) -> i32 {
//!         let undo = self.position.play(mv, &mut ());
//!         self.history.push(undo, &self.position);
//!         let score = -self.settled_by_repetition().unwrap_or(0); // or search deeper
//!         self.history.pop();
//!         self.position.take_back(undo, &mut ());
//!         score
//!     }
//! }
//! ```
//!
//! What the answer means, and why it is given like this:
//!
//! - **Binding** rulings ([`Ruling::is_binding`]): the position has occurred as often as the rules ask
//!   for, game and search together. The game would be over; a mate score is in order. At the root,
//!   a move that leads to a binding loss for the mover must not be played.
//! - **Other rulings**: the position occurs the second time and the whole loop lies below the root. Each
//!   move of the loop was chosen in this search, so every way to leave it has been or will be searched
//!   from its first round; going round again gives the offender nothing new, and judging at once
//!   saves the second round. It is a statement about this line only: the same position reached on
//!   another path has no loop behind it. A score that rests on it must therefore be no mate score
//!   and must not enter the transposition table as one: that is how engines come to announce mates
//!   that the other side walks out of.
//! - **No ruling** is given for a loop that reaches back before the root and is not yet binding. The
//!   moves of the game cannot be chosen again in this search, so the offender's chances to leave
//!   the loop in the round to come have not been searched, and a win would be a false one.
//!
//! Passes are pushed with [`History::push_pass`]; repetition is not looked for across them.

pub mod chase;
pub mod limit;
pub mod roots;

mod cycle;
mod deed;
mod exchange;
mod game;
mod history;
mod nature;
mod offence;
mod referee;
mod ruleset;
mod safety;
mod threat;
mod verdict;

pub use deed::Deed;
pub use game::{Game, IllegalMove};
pub use history::{History, Ply};
pub use nature::Nature;
pub use referee::{Referee, Ruling, Standing};
pub use ruleset::{RuleSet, UnknownRuleSet};
pub use verdict::{Clause, Link, Placed, Reason, Verdict};
