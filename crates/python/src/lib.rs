//! The Python package `chuhe`: the board, the referee, records, tables, books and engines of Chuhe as Python classes.
//!
//! One file per group of classes. They hold the types of the other crates and add only what Python expects: its
//! conversions, errors, protocols and doc strings. `python/chuhe` beside this folder is the Python side of the package.
//! Without the feature `extension` this library is empty.

#![cfg(feature = "extension")]

mod analysis;
mod arguments;
mod arrays;
mod banqi;
mod board;
mod book;
mod collection;
mod engine;
mod evaluation;
mod game;
mod headers;
mod limit;
mod moves;
mod node;
mod records;
mod svg;
mod tablebase;
mod verdict;

use pyo3::prelude::*;

/// The compiled part of the package `chuhe`.
#[pymodule]
mod _core {
    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::analysis::{GameAnalysis, MoveAnalysis, SideSummary, analyse};
    #[pymodule_export]
    use crate::arrays::{ShardReader, feature_rows, selfplay, squares, write_shard};
    #[pymodule_export]
    use crate::banqi::{BanqiEnd, BanqiEngine, BanqiGame, BanqiResult};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::book::{Book, BookMove, Opening, opening};
    #[pymodule_export]
    use crate::collection::{Collection, GameSummary, ImportReport, SearchResult};
    #[pymodule_export]
    use crate::engine::{Engine, Line, PlayResult, Score};
    #[pymodule_export]
    use crate::evaluation::{Evaluation, Group, Network, Term};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::headers::Headers;
    #[pymodule_export]
    use crate::limit::Limit;
    #[pymodule_export]
    use crate::moves::{Move, Side, parse_square, square, square_file, square_name, square_rank};
    #[pymodule_export]
    use crate::node::Node;
    #[pymodule_export]
    use crate::records::{GameReader, dump_games, read_games, write_games};
    #[pymodule_export]
    use crate::tablebase::{TableStatistics, TableValue, Tablebase};
    #[pymodule_export]
    use crate::verdict::{Link, Reason, Verdict, judge};
}

/// Python aligns objects to 16 bytes; a class that wants more would be undefined behaviour.
const _: () = {
    const fn fits<T>() -> bool {
        align_of::<T>() <= 16
    }
    assert!(fits::<board::Board>() && fits::<game::Game>() && fits::<records::GameReader>());
    assert!(fits::<engine::Engine>() && fits::<analysis::GameAnalysis>() && fits::<tablebase::Tablebase>());
    assert!(fits::<book::Book>() && fits::<collection::Collection>() && fits::<arrays::ShardReader>());
    assert!(fits::<banqi::BanqiGame>() && fits::<banqi::BanqiEngine>());
};
