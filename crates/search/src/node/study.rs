//! Techniques that the papers name and today's engine does without. They are asked for only in a study
//! ([`NodeKind::STUDY`]): the nodes of play are compiled without them.

use chuhe_board::{Bitboard, Legality, Move, PieceKind, Side, Square, zones};
use chuhe_eval::Score;

use super::NodeKind;
use crate::techniques::Technique;
use crate::worker::Worker;

/// Tolerance search: by how much a move must beat the principal variation. The papers name no number.
const TOLERANCE: i32 = 15;
/// Enemy pieces that reach the general or a point beside it from which on it is under attack.
const ATTACKERS: u32 = 2;

impl Worker<'_> {
    /// A leaf without quiescence: the evaluation as it stands, also in check.
    pub(crate) fn leaf<N: NodeKind>(&mut self, ply: u16) -> Score {
        self.enter::<N>(ply);
        if self.stopped {
            return Score::DRAW;
        }
        self.rule_verdict(ply).unwrap_or_else(|| match self.position.has_moves() {
            true => self.raw_evaluation(),
            false => Score::lost_in(ply),
        })
    }

    /// One-reply extension 單步延伸 (Deep Elephant; Xu & Wang 2006, §6.4): in check, with one evasion only.
    pub(crate) fn one_reply_extension(&self, in_check: bool) -> bool {
        in_check && self.uses(Technique::OneReplyExtension) && self.position.moves().len() == 1
    }

    /// Recapture extension 兌子延伸 (Xu & Wang 2006, §6.4): the move takes what has just taken.
    pub(crate) fn is_recapture(&self, mv: Move) -> bool {
        self.uses(Technique::RecaptureExtension) && self.last_capture() == Some(mv.to())
    }

    /// Whether no move of the node is reduced (Liu 2014, table 11): evasions, and moves while the own general is
    /// under attack.
    pub(crate) fn is_unreduced_node(&self, in_check: bool) -> bool {
        in_check && self.uses(Technique::EvasionsUnreduced)
            || self.uses(Technique::KingAttackUnreduced) && self.is_general_attacked()
    }

    /// Soldier moves are slow and tell little by themselves (Liu 2014, table 11).
    pub(crate) fn is_unreduced_soldier(&self, mv: Move) -> bool {
        let is_soldier = |mv: Move| self.position.kind(PieceKind::Soldier).contains(mv.from());
        self.uses(Technique::SoldiersUnreduced) && is_soldier(mv)
    }

    /// Whether two enemy pieces reach the general of the side to move or the points beside it. The thesis says only
    /// "the general is in danger".
    fn is_general_attacked(&self) -> bool {
        let side = self.position.side_to_move();
        let attackers = around(side, self.position.general(side))
            .map(|point| self.position.attackers_to(point, self.position.occupied()))
            .fold(Bitboard::EMPTY, |all, more| all | more);
        (attackers & self.position.pieces(!side)).len() >= ATTACKERS
    }

    /// Method of analogies 類比法 as move ordering (Xu & Wang 2006, §6.1): what refuted the last sibling may refute this
    /// node as well.
    pub(crate) fn analogous_move(&self, legality: &Legality, ply: u16) -> Option<Move> {
        let mv = self.frame_before(ply, 0).refutation.filter(|_| self.uses(Technique::Analogy))?;
        self.is_allowed(legality, mv).then_some(mv)
    }

    /// Tolerance search 寬容搜尋 (Xu & Wang 2006, §6.2): how far the null window of a PV node lies above alpha.
    pub(crate) fn tolerance<N: NodeKind>(&self) -> i32 {
        if N::PV && self.uses(Technique::ToleranceSearch) { TOLERANCE } else { 0 }
    }
}

/// The general's point and the points of the palace beside it.
fn around(side: Side, general: Square) -> impl Iterator<Item = Square> {
    zones::allowed(side, PieceKind::General).into_iter().filter(move |point| {
        point.file().abs_diff(general.file()) + point.rank().abs_diff(general.rank()) <= 1
    })
}
