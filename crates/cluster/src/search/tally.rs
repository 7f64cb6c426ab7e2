//! The vote on the move: every rank votes for the move it found best, and the votes are added up on the way through
//! the tournament tree, so that no rank ever sees more than a few messages.

use chuhe_board::Move;
use chuhe_eval::Score;
use chuhe_search::{Answer, Line};

use crate::wire::{Reader, Wire, WireError, Writer};

/// What some ranks found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The moves voted for.
    pub votes: Vec<Vote>,
    /// Positions that these ranks looked at.
    pub nodes: u64,
    /// Messages with table entries that they sent during the search.
    pub messages: u64,
    /// The bytes of these messages.
    pub bytes: u64,
}

/// The votes for one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// The depths of all who voted for it, added up.
    pub depths: u64,
    /// Each voter's score times its depth, added up.
    pub weighed: i64,
    /// The best of the voters.
    pub best: Found,
}

/// What one rank found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The depth of the last whole iteration.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The line; its first move is the one voted for.
    pub moves: Vec<Move>,
}

/// No line is longer.
const LONGEST_LINE: usize = 256;
/// No position has more moves, so no more are voted for.
const MOST_MOVES: usize = 256;
/// No search is deeper.
const DEEPEST: u32 = 1000;
/// What even the worst score counts, so that depth alone counts too.
const LEAST_WEIGHT: i64 = 20;

impl Found {
    /// What a pool answered; nothing if it has no line.
    pub fn of(answer: &Answer) -> Option<Self> {
        let line = answer.lines.first().filter(|line| !line.moves.is_empty())?;
        let Line { depth, selective_depth, score, ref moves, .. } = *line;
        Some(Self {
            depth,
            selective_depth,
            score,
            moves: moves.iter().copied().take(LONGEST_LINE).collect(),
        })
    }

    /// The move voted for.
    pub fn mv(&self) -> Option<Move> {
        self.moves.first().copied()
    }
}

impl Tally {
    /// The vote of one rank.
    pub fn of(answer: &Answer) -> Self {
        let vote = |best: Found| Vote {
            depths: best.depth.into(),
            weighed: i64::from(best.depth) * i64::from(best.score.get()),
            best,
        };
        let votes = Found::of(answer).map(vote).into_iter().collect();
        Self { votes, nodes: answer.nodes, ..Self::default() }
    }

    /// Adds the votes of other ranks.
    pub fn add(&mut self, other: Self) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.messages = self.messages.saturating_add(other.messages);
        self.bytes = self.bytes.saturating_add(other.bytes);
        for vote in other.votes {
            let place = self.votes.iter().position(|known| known.best.mv() == vote.best.mv());
            match place {
                Some(place) => self.votes[place].add(vote),
                None if self.votes.len() < MOST_MOVES => self.votes.push(vote),
                None => {}
            }
        }
    }

    /// The move that wins: the quickest certain win, else the one whose voters saw the most, by depth and by how much
    /// better than the worst of all they judge it. If a move was seen as deep as was `wanted`, only such moves count.
    pub fn winner(&self, wanted: u32) -> Option<&Found> {
        let deepest = self.votes.iter().map(|vote| vote.best.depth).max()?;
        let counts = |vote: &&Vote| deepest < wanted || vote.best.depth >= wanted;
        let certain = |vote: &&Vote| vote.best.score.plies_to_end().is_some_and(|plies| plies > 0);
        if let Some(vote) = self.votes.iter().filter(certain).max_by_key(|vote| vote.best.score) {
            return Some(&vote.best);
        }
        let least = self.votes.iter().map(|vote| i64::from(vote.best.score.get())).min()?;
        let weight = |vote: &Vote| {
            let floor = (LEAST_WEIGHT - least).saturating_mul(vote.depths.min(i64::MAX as u64) as i64);
            vote.weighed.saturating_add(floor)
        };
        let winner = self.votes.iter().filter(counts).max_by_key(|vote| (weight(vote), vote.best.depth));
        winner.map(|vote| &vote.best)
    }
}

impl Vote {
    fn add(&mut self, other: Self) {
        self.depths = self.depths.saturating_add(other.depths);
        self.weighed = self.weighed.saturating_add(other.weighed);
        if (other.best.depth, other.best.score) > (self.best.depth, self.best.score) {
            self.best = other.best;
        }
    }
}

impl Wire for Tally {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.votes, |writer, vote| vote.write(writer));
        writer.u64(self.nodes);
        writer.u64(self.messages);
        writer.u64(self.bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            votes: reader.list(MOST_MOVES, Vote::read)?,
            nodes: reader.u64()?,
            messages: reader.u64()?,
            bytes: reader.u64()?,
        })
    }
}

impl Wire for Vote {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.depths);
        writer.u64(self.weighed as u64);
        writer.u32(self.best.depth);
        writer.u32(self.best.selective_depth);
        writer.score(self.best.score);
        writer.list(&self.best.moves, |writer, mv| writer.mv(*mv));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let (depths, weighed) = (reader.u64()?, reader.u64()? as i64);
        let (depth, selective_depth, score) = (reader.u32()?, reader.u32()?, reader.score()?);
        let moves = reader.list(LONGEST_LINE, Reader::mv)?;
        if moves.is_empty() || depth > DEEPEST || selective_depth > DEEPEST {
            return Err(WireError::Impossible("vote"));
        }
        Ok(Self { depths, weighed, best: Found { depth, selective_depth, score, moves } })
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn vote(mv: &str, depth: u32, score: i32) -> Tally {
        let mv = parse_move(mv, RankStyle::FromZero).unwrap();
        let best = Found { depth, selective_depth: depth, score: Score::from_number(score), moves: vec![mv] };
        let vote = Vote { depths: depth.into(), weighed: i64::from(depth) * i64::from(score), best };
        Tally { votes: vec![vote], nodes: 1, ..Tally::default() }
    }

    fn winner(votes: &[Tally]) -> String {
        let mut tally = Tally::default();
        votes.iter().for_each(|vote| tally.add(vote.clone()));
        tally.winner(0).unwrap().mv().unwrap().to_string()
    }

    #[test]
    fn depth_and_score_weigh_and_voters_add_up() {
        assert_eq!(winner(&[vote("h2e2", 12, 30), vote("b2e2", 13, 30)]), "b2e2");
        assert_eq!(winner(&[vote("h2e2", 12, 45), vote("b2e2", 13, 30)]), "h2e2");
        assert_eq!(winner(&[vote("h2e2", 12, 30), vote("b2e2", 13, 35), vote("h2e2", 12, 31)]), "h2e2");
    }

    #[test]
    fn who_reached_the_depth_that_was_asked_for_decides() {
        let mut tally = vote("h2e2", 8, 90);
        tally.add(vote("b2e2", 9, 10));
        let winner = |wanted| tally.winner(wanted).unwrap().mv().unwrap().to_string();
        assert_eq!([8, 9, 10].map(winner), ["h2e2", "b2e2", "h2e2"]);
    }

    #[test]
    fn the_quickest_win_needs_no_majority() {
        let win = Score::won_in(5).get();
        let slow = Score::won_in(9).get();
        assert_eq!(winner(&[vote("h2e2", 20, slow), vote("h2e2", 20, slow), vote("b2e2", 6, win)]), "b2e2");
    }

    #[test]
    fn the_order_of_the_tournament_does_not_matter() {
        let votes = [vote("h2e2", 12, 30), vote("b2e2", 14, 10), vote("h2e2", 11, 44), vote("b0c2", 9, 90)];
        let mut left = Tally::default();
        votes.iter().for_each(|vote| left.add(vote.clone()));
        let mut right = votes[3].clone();
        let mut pair = votes[1].clone();
        pair.add(votes[2].clone());
        right.add(pair);
        right.add(votes[0].clone());
        assert_eq!(left.winner(0), right.winner(0));
        assert_eq!(left.nodes, right.nodes);
    }
}
