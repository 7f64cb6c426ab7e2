//! Random games with variations, comments, marks and tags.

use chuhe_board::{Outcome, Position};
use chuhe_notation::record::{Game, GameBuilder, Mark, NodeId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::positions;

/// One thing that happens while a game is written down.
#[derive(Clone, Debug)]
enum Event {
    Play(Index),
    GoTo(Index),
    Comment(String),
    Mark(u8),
}

/// Which parts a game may have.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) tags: &'static [&'static str],
    /// The longest tag, in characters.
    pub(crate) tag_length: usize,
    pub(crate) composed_starts: bool,
    pub(crate) variations: bool,
    pub(crate) comments: bool,
    pub(crate) marks: bool,
}

/// Everything that a game can have.
pub(crate) const EVERYTHING: Parts = Parts {
    tags: &[
        "Event",
        "Site",
        "Red",
        "Black",
        "RedTeam",
        "ECCO",
        "Opening",
        "Title",
        "Annotator",
        "Anything_else",
    ],
    tag_length: 40,
    composed_starts: true,
    variations: true,
    comments: true,
    marks: true,
};

const TEXT: &str = "[ -~]|[一-龥]|[！-～]|😀|𠀀|\\n|\\|\\||\\}";

fn text(longest: usize) -> impl Strategy<Value = String> {
    vec(TEXT, 0..longest).prop_map(|characters| characters.concat())
}

fn event(parts: Parts) -> impl Strategy<Value = Event> {
    prop_oneof![
        12 => any::<Index>().prop_map(Event::Play),
        u32::from(parts.variations) * 2 => any::<Index>().prop_map(Event::GoTo),
        u32::from(parts.comments) * 2 => text(30).prop_map(Event::Comment),
        u32::from(parts.marks) => (1..140_u8).prop_map(Event::Mark),
    ]
}

fn start(parts: Parts) -> BoxedStrategy<Position> {
    if parts.composed_starts {
        prop_oneof![Just(Position::start()), positions::composed()].boxed()
    } else {
        Just(Position::start()).boxed()
    }
}

/// A random game with these parts.
pub(crate) fn game(parts: Parts) -> impl Strategy<Value = Game> {
    let outcomes = [Outcome::RedWins, Outcome::BlackWins, Outcome::Draw, Outcome::Undecided];
    let tags = vec((select(parts.tags), text(parts.tag_length)), 0..6);
    (start(parts), vec(event(parts), 0..80), tags, select(outcomes.to_vec())).prop_map(
        |(start, events, tags, outcome)| {
            let mut builder = GameBuilder::new(start);
            let mut nodes = vec![NodeId::ROOT];
            for event in events {
                happen(event, &mut builder, &mut nodes);
            }
            for (name, value) in tags {
                builder.set_tag(name, &value);
            }
            builder.set_outcome(outcome);
            builder.finish()
        },
    )
}

fn happen(event: Event, builder: &mut GameBuilder, nodes: &mut Vec<NodeId>) {
    match event {
        Event::Play(choice) => {
            let moves = builder.position().moves();
            if !moves.is_empty() {
                nodes.push(builder.play(*choice.get(&moves)).unwrap());
            }
        }
        Event::GoTo(choice) => builder.go_to(*choice.get(nodes)),
        Event::Comment(text) => builder.add_comment(&text),
        Event::Mark(number) if builder.ply() > 0 => builder.add_mark(Mark(number)),
        Event::Mark(_) => {}
    }
}
