//! One search, one table build, one self-play run or one growing book on many machines.
//!
//! The machines are the ranks of an MPI job. They talk through a [`link::Link`]: MPI in the program `chuhe-mpi`, plain
//! threads in tests. Messages are values with a version and checked sizes (see [`wire`]); before anything else ranks
//! [`greeting::greet`] each other and refuse to start together unless they are alike.

pub mod book;
pub mod farm;
pub mod greeting;
pub mod link;
pub mod search;
pub mod selfplay;
pub mod shape;
pub mod tables;
pub mod wire;

mod last_words;
