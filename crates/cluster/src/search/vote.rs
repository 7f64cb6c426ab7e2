//! The vote on the move: every rank votes for its best move, weighted by depth and score. Votes are summed on their way
//! to rank 0 along the topology; in the binomial tree no rank receives more than log₂ N messages.

use chuhe_board::Move;
use chuhe_eval::Score;
use chuhe_search::{Answer, Line};

use crate::wire::{Reader, Wire, WireError, Writer};

/// The votes of some ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoteCount {
    /// The moves voted for.
    pub votes: Vec<Vote>,
    /// The ranks that voted.
    pub voters: Vec<u16>,
    /// Nodes that these ranks searched.
    pub nodes: u64,
    /// Messages with table entries that they sent.
    pub messages: u64,
    /// The bytes of these messages.
    pub bytes: u64,
}

/// The votes for one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// The sum of the voters' depths.
    pub depths: u64,
    /// The sum of the voters' scores, weighted by depth.
    pub weighted: i64,
    /// The deepest result, the better score among equals.
    pub best: SearchResult,
}

/// The search result of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// The greatest ply reached.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The principal variation; its first move gets the vote.
    pub moves: Vec<Move>,
}

/// The longest accepted line.
const LONGEST_LINE: usize = 256;
/// More moves than any position has.
const MOST_MOVES: usize = 256;
/// The most ranks in a count.
const MOST_VOTERS: usize = 1 << 16;
/// The greatest accepted depth.
const DEEPEST: u32 = 1000;
/// The weight of the worst score, so that depth alone counts, too.
const LEAST_WEIGHT: i64 = 20;

impl SearchResult {
    /// A pool's result; `None` if it has no line.
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

impl VoteCount {
    /// The vote of one rank.
    pub fn of(rank: usize, answer: &Answer) -> Self {
        let vote = |best: SearchResult| Vote {
            depths: best.depth.into(),
            weighted: i64::from(best.depth) * i64::from(best.score.get()),
            best,
        };
        let votes = SearchResult::of(answer).map(vote).into_iter().collect();
        Self { votes, voters: vec![rank as u16], nodes: answer.nodes, ..Self::default() }
    }

    /// Adds the votes of other ranks.
    pub fn add(&mut self, other: Self) {
        self.voters.extend(other.voters);
        self.voters.truncate(MOST_VOTERS);
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

    /// The elected move: the quickest proven win, or the greatest sum of depth × (score − worst score + 20). If any
    /// rank reached the `wanted` depth, only its peers at that depth count.
    pub fn winner(&self, wanted: u32) -> Option<&SearchResult> {
        let deepest = self.votes.iter().map(|vote| vote.best.depth).max()?;
        let counts = |vote: &&Vote| deepest < wanted || vote.best.depth >= wanted;
        let certain = |vote: &&Vote| vote.best.score.plies_to_end().is_some_and(|plies| plies > 0);
        if let Some(vote) = self.votes.iter().filter(certain).max_by_key(|vote| vote.best.score) {
            return Some(&vote.best);
        }
        let least = self.votes.iter().map(|vote| i64::from(vote.best.score.get())).min()?;
        let weight = |vote: &Vote| {
            let floor = (LEAST_WEIGHT - least).saturating_mul(vote.depths.min(i64::MAX as u64) as i64);
            vote.weighted.saturating_add(floor)
        };
        let winner = self.votes.iter().filter(counts).max_by_key(|vote| (weight(vote), vote.best.depth));
        winner.map(|vote| &vote.best)
    }
}

impl Vote {
    fn add(&mut self, other: Self) {
        self.depths = self.depths.saturating_add(other.depths);
        self.weighted = self.weighted.saturating_add(other.weighted);
        if (other.best.depth, other.best.score) > (self.best.depth, self.best.score) {
            self.best = other.best;
        }
    }
}

impl Wire for VoteCount {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.votes, |writer, vote| vote.write(writer));
        writer.list(&self.voters, |writer, rank| writer.u16(*rank));
        writer.u64(self.nodes);
        writer.u64(self.messages);
        writer.u64(self.bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            votes: reader.list(MOST_MOVES, Vote::read)?,
            voters: reader.list(MOST_VOTERS, Reader::u16)?,
            nodes: reader.u64()?,
            messages: reader.u64()?,
            bytes: reader.u64()?,
        })
    }
}

impl Wire for Vote {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.depths);
        writer.u64(self.weighted as u64);
        writer.u32(self.best.depth);
        writer.u32(self.best.selective_depth);
        writer.score(self.best.score);
        writer.list(&self.best.moves, |writer, mv| writer.mv(*mv));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let (depths, weighted) = (reader.u64()?, reader.u64()? as i64);
        let (depth, selective_depth, score) = (reader.u32()?, reader.u32()?, reader.score()?);
        let moves = reader.list(LONGEST_LINE, Reader::mv)?;
        if moves.is_empty() || depth > DEEPEST || selective_depth > DEEPEST {
            return Err(WireError::Impossible("vote"));
        }
        Ok(Self { depths, weighted, best: SearchResult { depth, selective_depth, score, moves } })
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn vote(mv: &str, depth: u32, score: i32) -> VoteCount {
        let mv = parse_move(mv, RankStyle::FromZero).unwrap();
        let best =
            SearchResult { depth, selective_depth: depth, score: Score::from_number(score), moves: vec![mv] };
        let vote = Vote { depths: depth.into(), weighted: i64::from(depth) * i64::from(score), best };
        VoteCount { votes: vec![vote], voters: vec![7], nodes: 1, ..VoteCount::default() }
    }

    fn winner(votes: &[VoteCount]) -> String {
        let mut count = VoteCount::default();
        votes.iter().for_each(|vote| count.add(vote.clone()));
        count.winner(0).unwrap().mv().unwrap().to_string()
    }

    #[test]
    fn depth_and_score_weigh_and_voters_add_up() {
        assert_eq!(winner(&[vote("h2e2", 12, 30), vote("b2e2", 13, 30)]), "b2e2");
        assert_eq!(winner(&[vote("h2e2", 12, 45), vote("b2e2", 13, 30)]), "h2e2");
        assert_eq!(winner(&[vote("h2e2", 12, 30), vote("b2e2", 13, 35), vote("h2e2", 12, 31)]), "h2e2");
    }

    #[test]
    fn ranks_that_reached_the_wanted_depth_decide() {
        let mut votes = vote("h2e2", 8, 90);
        votes.add(vote("b2e2", 9, 10));
        let winner = |wanted| votes.winner(wanted).unwrap().mv().unwrap().to_string();
        assert_eq!([8, 9, 10].map(winner), ["h2e2", "b2e2", "h2e2"]);
    }

    #[test]
    fn the_quickest_win_needs_no_majority() {
        let win = Score::won_in(5).get();
        let slow = Score::won_in(9).get();
        assert_eq!(winner(&[vote("h2e2", 20, slow), vote("h2e2", 20, slow), vote("b2e2", 6, win)]), "b2e2");
    }

    #[test]
    fn the_order_of_counting_does_not_matter() {
        let votes = [vote("h2e2", 12, 30), vote("b2e2", 14, 10), vote("h2e2", 11, 44), vote("b0c2", 9, 90)];
        let mut left = VoteCount::default();
        votes.iter().for_each(|vote| left.add(vote.clone()));
        let mut right = votes[3].clone();
        let mut pair = votes[1].clone();
        pair.add(votes[2].clone());
        right.add(pair);
        right.add(votes[0].clone());
        assert_eq!(left.winner(0), right.winner(0));
        assert_eq!((left.voters.len(), left.nodes), (4, 4));
        assert_eq!((right.voters.len(), right.nodes), (4, 4));
    }
}
