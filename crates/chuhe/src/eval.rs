//! `chuhe eval`: the evaluation of a position, term by term.

use std::fmt::Write;

use chuhe_adapters::{Change, Evaluation, Group, NetworkVerdict, Reason};
use chuhe_board::{Bitboard, Position, Side};
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
    /// Show what this move, in any notation, changes group by group
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
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
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<FoundChange>>,
}

/// The largest reasons in a sentence.
#[derive(Serialize)]
struct Summary {
    en: String,
    #[serde(rename = "zh-Hant")]
    traditional: String,
    #[serde(rename = "zh-Hans")]
    simplified: String,
}

/// What the move changes, for Red.
#[derive(Serialize)]
struct FoundChange {
    name: &'static str,
    before: i32,
    after: i32,
    change: i32,
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
    let network = arguments.network.network()?;
    let verdict = NetworkVerdict::of(&network, &position);
    let played = |text: &String| input::played(position.clone(), text).map(|game| game.position().clone());
    let after = arguments.mv.as_ref().map(played).transpose()?;
    let changes = after.as_ref().map(|after| Evaluation::of(after).changes_since(&evaluation));
    if arguments.json {
        return output::print_json(&Found::new(&position, &evaluation, verdict, changes));
    }
    if let (Some(after), Some(changes)) = (after, changes) {
        return output::print(&describe_move(&changes, verdict, NetworkVerdict::of(&network, &after)));
    }
    let mut text = String::new();
    if arguments.points {
        for group in evaluation.groups.iter().filter(|group| group.worth != [0, 0]) {
            describe(&mut text, group);
        }
        text.push('\n');
    }
    let [sentence, ..] = evaluation.sentences(&position);
    let disagreement = verdict.red - evaluation.red;
    output::print(&format!(
        "{text}{evaluation}\n{sentence}\n{verdict}\nThe network disagrees by {disagreement:+} for Red\n"
    ))
}

/// A line for each group that the move changes.
fn describe_move(changes: &[Change], before: NetworkVerdict, after: NetworkVerdict) -> String {
    let mut text = String::from("  before   after  change  for Red, in centisoldiers\n");
    let mut row = |name: &str, before: i32, after: i32| {
        let _ = writeln!(text, "{before:>8}{after:>8}{:>+8}  {name}", after - before);
    };
    for Change { name, before, after } in changes {
        row(name, *before, *after);
    }
    let sum = |total: fn(&Change) -> i32| changes.iter().map(total).sum::<i32>();
    row("all of these", sum(|change| change.before), sum(|change| change.after));
    row("the network", before.red, after.red);
    text
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
    fn new(
        position: &Position,
        evaluation: &Evaluation,
        verdict: NetworkVerdict,
        changes: Option<Vec<Change>>,
    ) -> Self {
        let [en, traditional, simplified] = evaluation.sentences(position);
        Self {
            fen: position.to_string(),
            red: evaluation.red,
            side_to_move: evaluation.for_side_to_move(),
            groups: evaluation.groups.iter().map(FoundGroup::from).collect(),
            rounding: evaluation.rounding,
            hard_to_win: evaluation.drawishness,
            network: verdict.into(),
            summary: Summary { en, traditional, simplified },
            changes: changes.map(|changes| changes.iter().map(FoundChange::from).collect()),
        }
    }
}

impl From<NetworkVerdict> for FoundNetwork {
    fn from(verdict: NetworkVerdict) -> Self {
        let NetworkVerdict { identity, red, side_to_move } = verdict;
        Self { identity: format!("{identity:016x}"), red, side_to_move }
    }
}

impl From<&Change> for FoundChange {
    fn from(change: &Change) -> Self {
        let Change { name, before, after } = *change;
        Self { name, before, after, change: change.difference() }
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
