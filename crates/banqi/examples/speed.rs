//! Nodes per second on one thread, in quiet positions with all pieces revealed:
//!
//! ```sh
//! cargo run --release -p chuhe-banqi --example speed
//! ```

#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::time::Duration;

use chuhe_banqi::engine::{Engine, Params};
use chuhe_banqi::{Game, Limits, Rules};

const POSITIONS: [&str; 4] = [
    "K2c1p2/2Pg3C/2N2m2/1r4Pk r -",
    "G6p/1R3m2/3P2n1/M6p r -",
    "K6k/1P4p1/2N2n2/R6r r -",
    "M2P3k/1R4p1/2N3m1/C5c1 r -",
];

fn main() {
    let limits = Limits { nodes: Some(8_000_000), ..Limits::default() };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for text in POSITIONS {
        let position = text.parse().expect("the positions are valid");
        let answer =
            Engine::new(Params::default(), 1, 32).search(&Game::new(position, Rules::OLYMPIAD), &limits);
        println!("{:>10.0} a second  {text}", answer.nodes as f64 / answer.time.as_secs_f64());
        nodes += answer.nodes;
        time += answer.time;
    }
    println!("{:>10.0} a second over all, {nodes} positions", nodes as f64 / time.as_secs_f64());
}
