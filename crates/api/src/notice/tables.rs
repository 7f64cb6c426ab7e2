//! Keys for endgames without a table, and for reports that fail.

use chuhe_report::AnalyseError;
use chuhe_tablebase::{FolderError, MaterialError, SolveError};

use super::{Arg, Key, Keyed};
use crate::longest::CountError;

impl Keyed for MaterialError {
    fn key(&self) -> (Key, Vec<Arg>) {
        let (Self::Sides(name)
        | Self::General(name)
        | Self::Letter { name, .. }
        | Self::TooMany { name, .. }) = self;
        (Key::BadMaterial, vec![name.into()])
    }
}

impl Keyed for CountError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::Missing(material) => (Key::NoTable, vec![Arg::from(&material.to_string())]),
            Self::TooLarge(material) => (Key::TableTooLarge, vec![Arg::from(&material.to_string())]),
            Self::Unreadable(detail) => (Key::TableUnreadable, vec![detail.into()]),
        }
    }
}

impl Keyed for FolderError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::Solve(SolveError::Stopped { material }) => {
                (Key::TableBuildStopped, vec![Arg::from(&material.to_string())])
            }
            _ => (Key::TableBuildFailed, vec![Arg::from(&self.to_string())]),
        }
    }
}

impl Keyed for AnalyseError {
    fn key(&self) -> (Key, Vec<Arg>) {
        (Key::ReportFailed, vec![Arg::from(&self.to_string())])
    }
}
