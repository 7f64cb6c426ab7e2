//! Keys for positions and moves that cannot be read or played.

use chuhe_banqi::PlayError;
use chuhe_banqi::text::MoveError;
use chuhe_board::coords::CoordsError;
use chuhe_board::fen::FenError;
use chuhe_board::{Fault, Implausible, Impossible};
use chuhe_notation::MoveTextError;
use chuhe_referee::{IllegalMove, UnknownRuleSet};
use chuhe_report::UnknownLanguage;

use super::{Arg, Key, Keyed, Notice};

impl Keyed for FenError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::Empty => (Key::FenEmpty, vec![]),
            Self::RankCount(count) => (Key::RankCount, vec![Arg::from(*count)]),
            Self::RankWidth { rank, text, files } => {
                (Key::RankWidth, vec![Arg::from(*rank), Arg::from(text), Arg::from(*files)])
            }
            Self::UnknownPiece(letter) => (Key::UnknownPiece, vec![Arg::from(*letter)]),
            Self::UnknownSide(text) => (Key::UnknownSide, vec![Arg::from(text)]),
            Self::Counter { text, .. } => (Key::BadCounter, vec![Arg::from(text)]),
            Self::TrailingText(text) => (Key::TrailingText, vec![Arg::from(text)]),
            Self::Impossible(error) => error.key(),
            Self::Implausible(error) => error.key(),
        }
    }
}

impl Keyed for Impossible {
    fn key(&self) -> (Key, Vec<Arg>) {
        match *self {
            Self::TwoPieces(square) => (Key::TwoPieces, vec![square.into()]),
            Self::NoGeneral(side) => (Key::NoGeneral, vec![side.into()]),
            Self::TooMany { side, kind, count } => {
                let most = kind.full_count();
                (Key::TooManyPieces, vec![side.into(), count.into(), kind.into(), most.into()])
            }
            Self::OffLimits { piece, square } => (Key::OffLimits, vec![piece.into(), square.into()]),
            Self::GeneralsFacing(file) => (Key::GeneralsFacing, vec![char::from(b'a' + file).into()]),
            Self::WaitingSideInCheck(side) => (Key::WaitingSideInCheck, vec![side.into()]),
        }
    }
}

impl Keyed for Implausible {
    fn key(&self) -> (Key, Vec<Arg>) {
        let Self::SoldierPoint { piece, square } = *self;
        (Key::Unreachable, vec![piece.into(), square.into()])
    }
}

impl Keyed for Fault {
    fn key(&self) -> (Key, Vec<Arg>) {
        match *self {
            Self::NoPiece(side, square) => (Key::NoPiece, vec![side.into(), square.into()]),
            Self::OwnPiece(square) => (Key::OwnPiece, vec![square.into()]),
            Self::NotItsMove(piece, from, to) => {
                (Key::NotItsMove, vec![piece.into(), from.into(), to.into()])
            }
            Self::GeneralExposed(side) => (Key::GeneralExposed, vec![side.into()]),
        }
    }
}

impl Keyed for IllegalMove {
    fn key(&self) -> (Key, Vec<Arg>) {
        (Key::IllegalMove, vec![self.ply.into(), self.mv.into(), Notice::from(self.why).into()])
    }
}

impl Keyed for CoordsError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::Form { text, .. } => (Key::NotAMove, vec![text.into()]),
            Self::PointForm(text) => (Key::NotAPoint, vec![text.into()]),
            Self::Rank { rank, text, .. } => (Key::RankOffBoard, vec![Arg::from(*rank), text.into()]),
            Self::SamePoint(text) => (Key::SamePoint, vec![text.into()]),
        }
    }
}

impl Keyed for MoveTextError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::Form { text, .. } => (Key::NotAMove, vec![text.into()]),
            Self::UnknownCharacter { character, text } => {
                (Key::UnknownCharacter, vec![Arg::from(*character), text.into()])
            }
            Self::NoSuchPiece { text, piece, .. } => (Key::NoSuchPiece, vec![text.into(), Arg::from(*piece)]),
            Self::Ambiguous { text, moves: (one, other) } => {
                (Key::Ambiguous, vec![text.into(), Arg::from(*one), Arg::from(*other)])
            }
            Self::NotLegal { text } => (Key::NotLegal, vec![text.into()]),
        }
    }
}

impl Keyed for MoveError {
    fn key(&self) -> (Key, Vec<Arg>) {
        (Key::NotAMove, vec![Arg::from(&self.0)])
    }
}

impl Keyed for PlayError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match *self {
            Self::Over => (Key::GameOver, vec![]),
            Self::Illegal => (Key::IllegalHere, vec![]),
            Self::NotInPool(letter) => (Key::NotInPool, vec![letter.into()]),
        }
    }
}

impl Keyed for UnknownRuleSet {
    fn key(&self) -> (Key, Vec<Arg>) {
        (Key::UnknownName, vec![Arg::from(&self.to_string())])
    }
}

impl Keyed for UnknownLanguage {
    fn key(&self) -> (Key, Vec<Arg>) {
        (Key::UnknownName, vec![Arg::from(&self.to_string())])
    }
}
