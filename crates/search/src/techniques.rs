//! The techniques of the search. Each can be switched off, to measure what it gains (ablation).

use std::fmt;
use std::str::FromStr;

use crate::params::Params;

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
    Countermoves = "countermoves", "The countermove is remembered.";
    ChecksFirst = "checks-first", "Quiet checks come first.";
    CorrectionHistory = "correction-history", "Correction history: the evaluation is corrected by its error in similar positions.";
    CaptureHistory = "capture-history", "Capture history: captures that failed high elsewhere come first.";
    SeeOrdering = "see-ordering", "Captures that lose material by static exchange evaluation come last, and not at all in quiescence.";
    DeltaPruning = "delta-pruning", "Delta pruning: quiescence skips captures that cannot reach alpha.";
    Quiescence = "quiescence", "Quiescence: captures are searched on at the leaves; switched, leaves are evaluated as they stand.";
    UnlimitedCheckExtensions = "unlimited-check-extensions", "Check extensions apply at every depth.";
    OneReplyExtension = "one-reply-extension", "One-reply extension: the only evasion of a check is searched one ply deeper.";
    RecaptureExtension = "recapture-extension", "Recapture extension: a capture on the point of the last capture is searched one ply deeper.";
    ChecksUnreduced = "checks-unreduced", "LMR leaves out checks.";
    EvasionsUnreduced = "evasions-unreduced", "LMR leaves out evasions of check.";
    SoldiersUnreduced = "soldiers-unreduced", "LMR leaves out soldier moves.";
    KingAttackUnreduced = "king-attack-unreduced", "LMR leaves out all moves while the own general is under attack.";
    KillersUnreduced = "killers-unreduced", "LMR leaves out killers and the countermove.";
    Analogy = "analogy", "Analogy: the move that refuted the last sibling comes first where the TT has none.";
    ToleranceSearch = "tolerance-search", "Tolerance search: a move must beat the principal variation by a tolerance to replace it.";
}

/// What today's engine leaves out: it gains nothing, or it was only tried as the papers have it; see docs/papers.
const UNUSED: &[Technique] = &[
    Technique::PvsFirstMove,
    Technique::UnlimitedCheckExtensions,
    Technique::OneReplyExtension,
    Technique::RecaptureExtension,
    Technique::ChecksUnreduced,
    Technique::EvasionsUnreduced,
    Technique::SoldiersUnreduced,
    Technique::KingAttackUnreduced,
    Technique::KillersUnreduced,
    Technique::Analogy,
    Technique::ToleranceSearch,
];

/// Techniques that are asked for at nodes of a [`Study`](crate::node::NodeKind::STUDY) only, so that play does not pay
/// for them.
const STUDIED: Techniques = Techniques::of(&[
    Technique::Quiescence,
    Technique::OneReplyExtension,
    Technique::RecaptureExtension,
    Technique::EvasionsUnreduced,
    Technique::SoldiersUnreduced,
    Technique::KingAttackUnreduced,
    Technique::Analogy,
    Technique::ToleranceSearch,
]);

/// The techniques a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u64);

impl Default for Techniques {
    /// All that gain strength; see docs/experiments/search.md.
    fn default() -> Self {
        Self::TODAY
    }
}

impl Techniques {
    /// Those of today's engine.
    const TODAY: Self = Self(Self::of(Technique::ALL).0 & !Self::of(UNUSED).0);

    /// These and no others.
    pub const fn of(techniques: &[Technique]) -> Self {
        let (mut bits, mut index) = (0, 0);
        while index < techniques.len() {
            bits |= 1 << techniques[index] as u8;
            index += 1;
        }
        Self(bits)
    }

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

    /// The same with one more.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u8)
    }

    /// The same with one switched: off if it was on, on if it was off.
    #[must_use]
    pub const fn switched(self, technique: Technique) -> Self {
        Self(self.0 ^ 1 << technique as u8)
    }

    /// Whether a search needs the nodes of a study: it uses a technique that play does without, or the reverse.
    pub(crate) const fn need_study(self) -> bool {
        (self.0 ^ Self::TODAY.0) & STUDIED.0 != 0
    }

    /// The numbers for a search with these techniques. Some techniques are no more than a number: no capture loses too
    /// much, no depth is too large, every move has history enough.
    pub(crate) fn applied_to(self, mut params: Params) -> Params {
        const ALWAYS: i32 = 1 << 20;
        let mut set = |differs: bool, number: fn(&mut Params) -> &mut i32, value: i32| {
            if differs {
                *number(&mut params) = value;
            }
        };
        set(!self.has(Technique::CaptureHistory), |params| &mut params.capture_history_share, 0);
        set(!self.has(Technique::SeeOrdering), |params| &mut params.good_capture_share, 2048);
        set(!self.has(Technique::DeltaPruning), |params| &mut params.delta_margin, ALWAYS);
        set(
            self.has(Technique::UnlimitedCheckExtensions),
            |params| &mut params.check_extension_depth,
            ALWAYS,
        );
        set(self.has(Technique::ChecksUnreduced), |params| &mut params.lmr_check, ALWAYS);
        set(self.has(Technique::KillersUnreduced), |params| &mut params.lmr_refutation, ALWAYS);
        params
    }
}

impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(name: &str) -> Result<Self, UnknownTechnique> {
        let found = Self::ALL.iter().copied().find(|technique| technique.name() == name);
        found.ok_or_else(|| UnknownTechnique(name.to_owned()))
    }
}

/// Not the name of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTechnique(pub String);

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
        write!(f, "there is no technique \"{}\"; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownTechnique {}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_referee::Game;

    use super::*;
    use crate::{Control, Limits, Pool, Preset};

    /// A switch without effect would make its ablation meaningless.
    #[test]
    fn every_switch_changes_the_search() {
        // An opening, and an attack on both generals.
        let games = [
            "r1bakab1r/9/1cn4c1/p1p1p1n1p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w",
            "1Rbk1a1r1/9/4b3n/p1p3p1p/4p4/2N1c4/P1P3P1P/4C4/N3Ac3/2B1KAB2 w",
        ]
        .map(|fen| Game::new(fen.parse::<Position>().unwrap()));
        let nodes = |preset: &Preset| -> u64 {
            let mut pool = Pool::new(1, 4);
            pool.set_preset(preset);
            let limits = Limits { nodes: Some(60_000), ..Limits::depth(9) };
            let mut search = |game| pool.search(game, &limits, &Control::default(), &mut |_| {}).nodes;
            games.iter().map(&mut search).sum()
        };
        let today = Preset::default();
        let all = nodes(&today);
        for technique in Technique::ALL {
            // Needs nodes deeper than its limit, which these searches have none of.
            if *technique == Technique::UnlimitedCheckExtensions {
                continue;
            }
            let switched = Preset { techniques: today.techniques.switched(*technique), ..today.clone() };
            assert_ne!(nodes(&switched), all, "{}", technique.name());
        }
    }

    #[test]
    fn today_s_engine_needs_no_study() {
        assert!(!Techniques::default().need_study());
        assert_eq!(Techniques::default().applied_to(Params::default()), Params::default());
        assert!(Techniques::default().with(Technique::Analogy).need_study());
        assert!(Techniques::default().without(Technique::Quiescence).need_study());
        assert!(!Techniques::default().without(Technique::ProbCut).need_study());
    }

    #[test]
    fn a_technique_can_be_a_number() {
        let applied = |technique| Techniques::default().switched(technique).applied_to(Params::default());
        assert!(applied(Technique::UnlimitedCheckExtensions).check_extension_depth > 1000);
        assert_eq!(applied(Technique::CaptureHistory).capture_history_share, 0);
        assert!(applied(Technique::DeltaPruning).delta_margin > 20_000);
    }

    #[test]
    fn techniques_have_names_of_their_own() {
        for technique in Technique::ALL {
            assert_eq!(technique.name().parse(), Ok(*technique));
        }
        assert!("no-such".parse::<Technique>().unwrap_err().to_string().contains("late-move-reductions"));
    }
}
