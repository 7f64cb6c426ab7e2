//! Keys for records that cannot be read or written, and for what a written one lacks.

use chuhe_notation::record::BuildError;
use chuhe_notation::{CannotHold, Loss, Place, Problem, RecordError};

use super::{Arg, Key, Keyed, Notice};

impl Keyed for RecordError {
    fn key(&self) -> (Key, Vec<Arg>) {
        let problem = Notice::from(self.problem.clone());
        (Key::InGame, vec![self.game.into(), Notice::from(self.place).into(), problem.into()])
    }
}

impl Keyed for Place {
    fn key(&self) -> (Key, Vec<Arg>) {
        match *self {
            Self::Line(line) => (Key::AtLine, vec![line.into()]),
            Self::Byte(byte) => (Key::AtByte, vec![byte.into()]),
        }
    }
}

impl Keyed for Problem {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::MoveText(error) => error.key(),
            Self::Coordinates(error) => error.key(),
            Self::Build(error) => error.key(),
            Self::Fen(error) => (Key::BadStart, vec![Notice::from(error.clone()).into()]),
            Self::Position(error) => (Key::BadStart, vec![Notice::from(*error).into()]),
            Self::Truncated(_) => (Key::Truncated, vec![]),
            Self::Unclosed(_) => (Key::Unclosed, vec![]),
            Self::Misplaced(_) => (Key::Misplaced, vec![]),
            Self::Missing(_) => (Key::Missing, vec![]),
            Self::NotThisFormat(format) => (Key::NotThisFormat, vec![Arg::from(*format)]),
            Self::UnknownVersion(version) => (Key::UnknownVersion, vec![Arg::from(*version)]),
            Self::NotAPoint(number) => (Key::NotAPoint, vec![Arg::from(*number)]),
            Self::NoMove => (Key::SamePoint, vec![]),
            Self::Json(detail) => (Key::BadJson, vec![detail.into()]),
            Self::TakesPlace { ply, mv } => (Key::TakesPlace, vec![Arg::from(*ply), mv.into()]),
            Self::Unreadable(text) => (Key::Unreadable, vec![text.into()]),
        }
    }
}

impl Keyed for BuildError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match *self {
            Self::Illegal { ply, mv, why } => {
                (Key::IllegalMove, vec![ply.into(), mv.into(), Notice::from(why).into()])
            }
            Self::TooLong => (Key::LineTooLong, vec![]),
        }
    }
}

impl Keyed for CannotHold {
    fn key(&self) -> (Key, Vec<Arg>) {
        match *self {
            Self::StartPosition(format) => (Key::StartPositionOnly, vec![format.into()]),
            Self::ManyGames(format, _) => (Key::OneGameOnly, vec![format.into()]),
            Self::ReadOnly(format) => (Key::ReadOnly, vec![format.into()]),
        }
    }
}

impl Keyed for Loss {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::Tag(name) => (Key::LostTag, vec![name.into()]),
            Self::CutTag(name) => (Key::LostTagEnd, vec![name.into()]),
            Self::Comments => (Key::LostComments, vec![]),
            Self::Characters => (Key::LostCharacters, vec![]),
            Self::Marks => (Key::LostMarks, vec![]),
            Self::Variations => (Key::LostVariations, vec![]),
            Self::Outcome => (Key::LostResult, vec![]),
            Self::QuietPlies => (Key::LostQuietPlies, vec![]),
            Self::Round => (Key::LostRound, vec![]),
        }
    }
}
