//! The winners of an endgame under the rules of repetition, from the definition: a play without end is judged by what each
//! side does again and again. The game is played on positions together with what the rules remember of the last move,
//! the attacks it made; an answer shows which of them were chases.

use std::cmp::Ordering;
use std::collections::HashMap;

use chuhe_board::{Move, PieceKind, Position, Side};
use chuhe_referee::chase::{Aim, Attack};
use chuhe_referee::{Referee, RuleSet};
use chuhe_tablebase::{Family, RULE_DISTANCE, Table, Value};

use crate::muller::{Colours, Graph};

/// An entry of the table.
type Entry = (u64, Side);
/// The attacks of the last move.
type Memory = Vec<(Attack, Aim)>;

/// What a side does in some move: a colour each for Red, the same four bits higher for Black.
mod colour {
    /// It does not check.
    pub(super) const NO_CHECK: u16 = 1;
    /// It does not chase the other side's piece (`wxf`); it does not attack at all, soldiers apart (`cxa`).
    pub(super) const NO_CHASE: u16 = 2;
    /// It does not chase the other side's soldier (`wxf`).
    pub(super) const NO_CHASE_OF_SOLDIER: u16 = 4;
    /// It chases nothing afresh (`wxf`); it does not attack at all, soldiers included (`cxa`).
    pub(super) const NOT_FRESH: u16 = 8;
    /// The same for Black.
    pub(super) const BLACK: u32 = 4;
    pub(super) const ALL: u16 = 0xFF;
}

/// The winners of the positions of an endgame that mate does not decide, out of a set that quiet moves do not leave. Captures
/// are valued by the family. A side has at most one soldier and one other piece, so that colours name the target.
pub(crate) fn winners(
    table: &Table,
    family: &Family,
    rules: RuleSet,
    is_member: impl Fn(&Position) -> bool,
) -> Vec<(Position, Option<Side>)> {
    let product = Product::new(table, family, Referee::new(rules), is_member);
    let mut winners: Vec<(Position, Option<Side>)> =
        product.starts.iter().map(|(number, side)| (position(table, (*number, *side)), None)).collect();
    for side in Side::ALL {
        let graph = Graph::new(product.nodes(side));
        let wins = |recurring: Colours| worse_offence(recurring, rules) == Some(!side);
        let won = graph.won_by_0(colour::ALL, &wins);
        for (start, (position, winner)) in winners.iter_mut().enumerate() {
            if won[product.node_of_start(start)] {
                assert_eq!(*winner, None, "{position}");
                *winner = Some(side);
            }
        }
    }
    winners
}

/// Who offends worse if these are the colours that occur again and again.
fn worse_offence(recurring: Colours, rules: RuleSet) -> Option<Side> {
    let has = |side: Side, colour: Colours| recurring & of_side(side, colour) != 0;
    let worse = |offences: [u8; 2]| match offences[0].cmp(&offences[1]) {
        Ordering::Greater => Some(Side::Red),
        Ordering::Less => Some(Side::Black),
        Ordering::Equal => None,
    };
    let checks = Side::ALL.map(|side| !has(side, colour::NO_CHECK));
    if checks[0] || checks[1] {
        return worse(checks.map(u8::from));
    }
    if rules == RuleSet::Cxa {
        let attacks = Side::ALL.map(|side| !has(side, colour::NO_CHASE));
        let with_soldiers = Side::ALL.map(|side| !has(side, colour::NOT_FRESH));
        if attacks[0] == attacks[1] {
            return None;
        }
        return worse([0, 1].map(|side| u8::from(attacks[side] || with_soldiers[side])));
    }
    worse(Side::ALL.map(|side| {
        let offends = !has(side, colour::NO_CHASE) || !has(side, colour::NO_CHASE_OF_SOLDIER);
        match (offends, has(side, colour::NOT_FRESH)) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        }
    }))
}

fn of_side(side: Side, colour: Colours) -> Colours {
    colour << (colour::BLACK * u32::from(side == Side::Black))
}

fn position(table: &Table, (number, side): Entry) -> Position {
    table.index().position(number, side).expect("entries of the game are legal")
}

/// The undecided positions with what is remembered.
struct Product<'a> {
    table: &'a Table,
    referee: Referee,
    nodes: Vec<(Entry, Memory)>,
    edges: Vec<Vec<(u32, Colours)>>,
    /// Positions with nothing remembered: the first nodes after the sinks.
    starts: Vec<Entry>,
}

/// The first nodes: captures that draw, that Red wins, that Black wins. A play stays there for ever.
const SINKS: usize = 3;

impl<'a> Product<'a> {
    fn new(
        table: &'a Table,
        family: &Family,
        referee: Referee,
        is_member: impl Fn(&Position) -> bool,
    ) -> Self {
        let mut product = Self { table, referee, nodes: Vec::new(), edges: Vec::new(), starts: Vec::new() };
        let sinks = [0, of_side(Side::Black, colour::NO_CHECK), of_side(Side::Red, colour::NO_CHECK)];
        for (sink, missing) in sinks.into_iter().enumerate() {
            product.nodes.push(((0, Side::Red), Memory::new()));
            product.edges.push(vec![(sink as u32, colour::ALL & !missing)]);
        }
        let mut known: HashMap<(Entry, Memory), u32> = HashMap::new();
        for entry in (0..table.index().len()).flat_map(|number| Side::ALL.map(|side| (number, side))) {
            let Some(position) = table.index().position(entry.0, entry.1) else { continue };
            if is_open(table.probe(&position).unwrap()) && is_member(&position) {
                assert_single_targets(&position);
                product.node(&mut known, entry, Memory::new());
                product.starts.push(entry);
            }
        }
        while product.edges.len() < product.nodes.len() {
            let edges = product.edges_of(&mut known, family);
            product.edges.push(edges);
        }
        product
    }

    /// The edges of the next node.
    fn edges_of(
        &mut self,
        known: &mut HashMap<(Entry, Memory), u32>,
        family: &Family,
    ) -> Vec<(u32, Colours)> {
        let (entry, memory) = self.nodes[self.edges.len()].clone();
        let before = position(self.table, entry);
        let mover = before.side_to_move();
        let mut edges = Vec::new();
        for mv in before.moves() {
            let mut after = before.clone();
            let _ = after.play(mv, &mut ());
            let value = family.probe(&after).unwrap();
            if before.piece_on(mv.to()).is_some() {
                let sink = match value {
                    Value::Draw => 0,
                    Value::Win(_) => 1 + (!mover).index() as u32,
                    Value::Loss(_) => 1 + mover.index() as u32,
                    Value::DependsOnChase(_) => panic!("{after} depends on chase"),
                };
                edges.push((sink, colour::ALL));
            } else if is_open(value) {
                let (number, side) = self.table.index().find(&after).unwrap();
                // The table may hold the mirror image, so that squares are those of its board.
                let seen = position(self.table, (number, side));
                let mut aims = self.referee.aims(&before, mv, &after);
                if seen.key() != after.key() {
                    aims.iter_mut().for_each(|(attack, _)| *attack = mirrored(*attack));
                }
                aims.sort_unstable_by_key(|(attack, _)| (attack.from.index(), attack.to.index()));
                let colours = self.colours(&before, &memory, mv, &after);
                edges.push((self.node(known, (number, side), aims), colours));
            }
        }
        edges
    }

    fn node(&mut self, known: &mut HashMap<(Entry, Memory), u32>, entry: Entry, memory: Memory) -> u32 {
        *known.entry((entry, memory)).or_insert_with_key(|key| {
            self.nodes.push(key.clone());
            self.nodes.len() as u32 - 1
        })
    }

    fn node_of_start(&self, start: usize) -> usize {
        SINKS + start
    }

    /// The colours of the move that led to `position`, once it is answered.
    fn colours(&self, position: &Position, memory: &Memory, answer: Move, answered: &Position) -> Colours {
        let mut colours = 0;
        let mut set = |colour: Colours, holds: bool| colours |= if holds { colour } else { 0 };
        let checks = position.is_in_check();
        set(colour::NO_CHECK, !checks);
        let met: Vec<&(Attack, Aim)> =
            memory.iter().filter(|(attack, _)| self.referee.meets(*attack, answer, answered)).collect();
        if self.referee.rules() == RuleSet::Cxa {
            let by_soldier = |attack: &Attack| position.kind(PieceKind::Soldier).contains(attack.from);
            let attacks = checks || self.referee.threatens_mate(position);
            set(colour::NO_CHASE, !attacks && met.iter().all(|(attack, _)| by_soldier(attack)));
            set(colour::NO_CHASE_OF_SOLDIER, true);
            set(colour::NOT_FRESH, !attacks && met.is_empty());
        } else {
            // Where a move makes fresh attacks, those are what it does.
            let fresh = met.iter().any(|(_, aim)| *aim == Aim::Fresh);
            let counts = |aim: Aim| if fresh { aim == Aim::Fresh } else { true };
            let chases = |soldier: bool| {
                let is_soldier = |attack: &Attack| position.kind(PieceKind::Soldier).contains(attack.to);
                met.iter().any(|(attack, aim)| counts(*aim) && is_soldier(attack) == soldier)
            };
            set(colour::NO_CHASE, !chases(false));
            set(colour::NO_CHASE_OF_SOLDIER, !chases(true));
            set(colour::NOT_FRESH, !fresh);
        }
        of_side(!position.side_to_move(), colours)
    }

    /// The nodes for [`Graph::new`], with `side` as player 0.
    fn nodes(&self, side: Side) -> Vec<(u8, Vec<(u32, Colours)>)> {
        let owner = |entry: Entry| u8::from(entry.1 != side);
        self.nodes.iter().zip(&self.edges).map(|((entry, _), edges)| (owner(*entry), edges.clone())).collect()
    }
}

/// Whether mate decides nothing.
fn is_open(value: Value) -> bool {
    match value {
        Value::Draw | Value::DependsOnChase(_) => true,
        Value::Win(distance) | Value::Loss(distance) => distance >= RULE_DISTANCE,
    }
}

fn mirrored(attack: Attack) -> Attack {
    Attack { from: attack.from.mirrored(), to: attack.to.mirrored() }
}

/// Colours tell a soldier from another piece, and no more.
fn assert_single_targets(position: &Position) {
    for side in Side::ALL {
        let soldiers = position.pieces_of(side, PieceKind::Soldier).len();
        let others = position.pieces(side).len() - soldiers - 1;
        assert!(others <= 1 && soldiers <= 1, "{position}: colours do not name the target");
    }
}
