//! The techniques of the search, each of which can be switched off to see what it gains.

macro_rules! techniques {
    ($($name:ident = $label:literal, $about:literal;)+) => {
        /// Something the search does to look at less or to see more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Technique {
            $(#[doc = $about] $name,)+
        }

        impl Technique {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// A short name without spaces.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $label),+
                }
            }

            /// What it does.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$name => $about),+
                }
            }
        }
    };
}

techniques! {
    Table = "table", "Results found before are used again.";
    Deepening = "deepening", "Searches start shallow and go one ply deeper each time.";
    Aspiration = "aspiration", "Iterations start with a narrow window around the last score.";
    ZeroWindow = "zero-window", "All moves but the first of a node on the principal variation are only tested.";
    ZeroWindowFirst = "zero-window-first", "The first move is only tested at first, too.";
    Reductions = "reductions", "Late moves are searched less deep.";
    Hindsight = "hindsight", "Much reduced moves that do not worsen the evaluation are reduced less.";
    TableMoveReduction = "unknown-reduction", "Nodes without a known move are searched less deep.";
    NullMove = "null-move", "A node that stays above beta after a pass is cut.";
    ReverseFutility = "reverse-futility", "A shallow node far above beta is cut.";
    Razoring = "razoring", "A shallow node far below alpha only looks at captures.";
    ProbableCut = "probable-cut", "A capture that is far above beta in a shallow search cuts a deep node.";
    LateMovePruning = "late-move-pruning", "Shallow nodes try only so many quiet moves.";
    Futility = "futility", "Moves that cannot reach alpha are left out near the leaves.";
    ExchangePruning = "exchange-pruning", "Moves that lose material at once are left out near the leaves.";
    HistoryPruning = "history-pruning", "Quiet moves with a bad record are left out near the leaves.";
    Singular = "singular", "The only good move of a node is searched deeper.";
    CheckExtension = "check-extension", "Checks are searched deeper.";
    VictimFirst = "victim-first", "Captures are ordered by victim, then by attacker, not the other way round.";
    QuietHistory = "history", "Quiet moves that cut elsewhere come first.";
    PieceHistory = "piece-history", "That record is kept by piece and target, not by both points.";
    Continuations = "continuations", "Quiet moves that answered the same earlier moves well come first.";
    Unanswered = "unanswered", "Quiet moves to which nothing good was found are praised.";
    Refutations = "refutations", "Killers and counter moves come before other quiet moves.";
    ChecksFirst = "checks-first", "Quiet checks come first.";
    Correction = "correction", "The evaluation is corrected by how far it was off in similar positions.";
}

/// The techniques a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u32);

impl Default for Techniques {
    /// All that measured better; see docs/search.md.
    fn default() -> Self {
        Self((1 << Technique::ALL.len()) - 1).without(Technique::ZeroWindowFirst)
    }
}

impl Techniques {
    /// Whether it is used.
    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u8 & 1 != 0
    }

    /// The same without one.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u8))
    }

    /// The same with one switched: off if it was on, on if it was off.
    #[must_use]
    pub const fn switched(self, technique: Technique) -> Self {
        Self(self.0 ^ 1 << technique as u8)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_referee::Game;

    use super::*;
    use crate::{Control, Limits, Pool};

    /// A switch without effect would make every report about it a lie.
    #[test]
    fn every_switch_changes_the_search() {
        let fen = "r1bakab1r/9/1cn4c1/p1p1p1n1p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w";
        let game = Game::new(fen.parse::<Position>().unwrap());
        let nodes = |techniques: Techniques| {
            let mut pool = Pool::new(1, 4);
            pool.set_techniques(techniques);
            pool.search(&game, &Limits::depth(9), &Control::default(), &mut |_| {}).nodes
        };
        let all = nodes(Techniques::default());
        for technique in Technique::ALL {
            // Without these depth 9 takes too long for a test.
            if matches!(technique, Technique::Reductions) {
                continue;
            }
            let switched = nodes(Techniques::default().switched(*technique));
            assert_ne!(switched, all, "{}", technique.name());
        }
    }
}
