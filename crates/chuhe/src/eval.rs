//! `chuhe eval`: the evaluation of a position, term by term.

use std::fmt::Write;

use chuhe_adapters::{Evaluation, Group, NetworkVerdict, Reason};
use chuhe_board::{Bitboard, Side};
use clap::Args;
use serde::Serialize;

use crate::{input, output};

/// Explain the static evaluation of a position, group by group
#[derive(Args)]
#[command(
    after_help = "Example: chuhe eval --fen '2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B1KAB2 b' --points"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: input::PositionArguments,
    #[command(flatten)]
    network: input::NetworkArguments,
    /// Show the points of the board behind each number
    #[arg(long)]
    points: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found {
    fen: String,
    /// For Red, in centisoldiers: the sum of the groups' totals, the rounding and what is hard to win.
    red: i32,
    side_to_move: i32,
    groups: Vec<FoundGroup>,
    rounding: i32,
    hard_to_win: i32,
    network: FoundNetwork,
}

#[derive(Serialize)]
struct FoundNetwork {
    identity: String,
    red: i32,
    side_to_move: i32,
}

#[derive(Serialize)]
struct FoundGroup {
    name: &'static str,
    red: i32,
    black: i32,
    total: i32,
    reasons: Vec<FoundReason>,
}

#[derive(Serialize)]
struct FoundReason {
    side: &'static str,
    feature: String,
    times: i32,
    worth: i32,
    points: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let position = arguments.position.position()?;
    let evaluation = Evaluation::of(&position);
    let verdict = NetworkVerdict::of(&*arguments.network.network()?, &position);
    if arguments.json {
        return output::print_json(&Found::new(position.to_string(), &evaluation, verdict));
    }
    let mut text = String::new();
    if arguments.points {
        for group in evaluation.groups.iter().filter(|group| group.worth != [0, 0]) {
            describe(&mut text, group);
        }
        text.push('\n');
    }
    output::print(&format!("{text}{evaluation}\n{verdict}\n"))
}

/// The group's reasons, a line for each.
fn describe(text: &mut String, group: &Group) {
    let _ = writeln!(text, "{}", group.name);
    for Reason { side, feature, times, worth, points } in &group.reasons {
        let points = names(*points).join(" ");
        let (side, feature) = (name(*side), feature.words());
        let _ = writeln!(text, "  {side:<6}{worth:>6}  {feature} ×{times}  {points}");
    }
}

impl Found {
    fn new(fen: String, evaluation: &Evaluation, verdict: NetworkVerdict) -> Self {
        Self {
            fen,
            red: evaluation.red,
            side_to_move: evaluation.for_side_to_move(),
            groups: evaluation.groups.iter().map(FoundGroup::from).collect(),
            rounding: evaluation.rounding,
            hard_to_win: evaluation.drawishness,
            network: verdict.into(),
        }
    }
}

impl From<NetworkVerdict> for FoundNetwork {
    fn from(verdict: NetworkVerdict) -> Self {
        let NetworkVerdict { identity, red, side_to_move } = verdict;
        Self { identity: format!("{identity:016x}"), red, side_to_move }
    }
}

impl From<&Group> for FoundGroup {
    fn from(group: &Group) -> Self {
        let [red, black] = group.worth;
        let reasons = group.reasons.iter().map(FoundReason::from).collect();
        Self { name: group.name, red, black, total: group.total(), reasons }
    }
}

impl From<&Reason> for FoundReason {
    fn from(reason: &Reason) -> Self {
        let Reason { side, feature, times, worth, points } = *reason;
        Self { side: name(side), feature: feature.words(), times, worth, points: names(points) }
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

fn names(points: Bitboard) -> Vec<String> {
    points.into_iter().map(|point| point.to_string()).collect()
}
