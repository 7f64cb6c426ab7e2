//! The techniques of the search. Each can be switched off, to measure what it gains (ablation).

macro_rules! techniques {
    ($($name:ident = $label:literal, $about:literal;)+) => {
        /// A search technique that can be switched.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Technique {
            $(#[doc = $about] $name,)+
        }

        impl Technique {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in kebab case.
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
    TranspositionTable = "transposition-table", "Transposition table (TT): results of earlier searches are reused.";
    IterativeDeepening = "iterative-deepening", "Iterative deepening: searches start shallow and deepen ply by ply.";
    AspirationWindows = "aspiration-windows", "Aspiration windows: iterations start with a narrow window around the last score.";
    PrincipalVariationSearch = "principal-variation-search", "Principal variation search (PVS): all moves but the first are tested with a null window.";
    PvsFirstMove = "pvs-first-move", "PVS tests the first move with a null window, too.";
    LateMoveReductions = "late-move-reductions", "Late move reductions (LMR): late moves are searched less deep.";
    Hindsight = "hindsight-extension", "Hindsight extension: a large reduction that did not worsen the evaluation is cut back.";
    InternalIterativeReduction = "internal-iterative-reduction", "Internal iterative reduction (IIR): nodes without a TT move are searched less deep.";
    NullMovePruning = "null-move-pruning", "Null move pruning (NMP): a node that fails high after a pass is cut.";
    ReverseFutilityPruning = "reverse-futility-pruning", "Reverse futility pruning (RFP): a shallow node far above beta is cut.";
    Razoring = "razoring", "Razoring: a shallow node far below alpha drops into quiescence.";
    ProbCut = "probcut", "ProbCut: a capture far above beta in a shallow search cuts a deep node.";
    LateMovePruning = "late-move-pruning", "Late move pruning (LMP): shallow nodes try only their first quiet moves.";
    FutilityPruning = "futility-pruning", "Futility pruning: moves that cannot reach alpha are skipped near the leaves.";
    SeePruning = "see-pruning", "SEE pruning: moves that lose material by static exchange evaluation are skipped near the leaves.";
    HistoryPruning = "history-pruning", "History pruning: quiet moves with a bad history are skipped near the leaves.";
    SingularExtensions = "singular-extensions", "Singular extensions: the only good move of a node is searched deeper.";
    CheckExtensions = "check-extensions", "Check extensions: checks are searched deeper.";
    MvvLva = "mvv-lva", "MVV-LVA: captures are ordered by most valuable victim, then least valuable attacker; switched, the attacker counts first.";
    QuietHistory = "quiet-history", "Quiet history: quiet moves that failed high elsewhere come first.";
    PieceToHistory = "piece-to-history", "Quiet history is indexed by piece and target; switched, by origin and target.";
    ContinuationHistory = "continuation-history", "Continuation history: quiet moves that answered the same earlier moves well come first.";
    PriorMoveBonus = "prior-move-bonus", "Prior move bonus: the quiet move before a node that failed low gets a history bonus.";
    KillersAndCountermoves = "killers-and-countermoves", "Killers and the countermove come before other quiet moves.";
    ChecksFirst = "checks-first", "Quiet checks come first.";
    CorrectionHistory = "correction-history", "Correction history: the evaluation is corrected by its error in similar positions.";
}

/// The techniques a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u32);

impl Default for Techniques {
    /// All that gain strength; see docs/experiments/search.md.
    fn default() -> Self {
        Self((1 << Technique::ALL.len()) - 1).without(Technique::PvsFirstMove)
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

    /// A switch without effect would make its ablation meaningless.
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
            if matches!(technique, Technique::LateMoveReductions) {
                continue;
            }
            let switched = nodes(Techniques::default().switched(*technique));
            assert_ne!(switched, all, "{}", technique.name());
        }
    }
}
