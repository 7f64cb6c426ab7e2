//! A second solver, slow and simple: all placements by trying every point, the board's own legal moves,
//! and values that are found by looking at all positions again and again.

use std::collections::HashMap;

use chuhe_board::{Piece, PieceKind, Position, Side, Square, zones};
use chuhe_tablebase::{Material, Value};

/// Every position of an endgame and of all below it, with its value.
pub(crate) struct Twin {
    pub(crate) positions: Vec<Position>,
    pub(crate) values: Vec<Value>,
    /// For each position, what its legal moves lead to, in their order.
    pub(crate) successors: Vec<Vec<usize>>,
}

impl Twin {
    pub(crate) fn solve(material: &Material) -> Self {
        let mut positions = Vec::new();
        let mut seen = vec![*material];
        let mut next = 0;
        while let Some(material) = seen.get(next).copied() {
            list(&material, &mut positions);
            for side in Side::ALL {
                let rests = PieceKind::ALL.into_iter().filter_map(|kind| material.without(side, kind));
                for rest in rests {
                    if !seen.contains(&rest) {
                        seen.push(rest);
                    }
                }
            }
            next += 1;
        }
        let numbers: HashMap<u64, usize> =
            positions.iter().enumerate().map(|(number, position)| (position.key().get(), number)).collect();
        assert_eq!(numbers.len(), positions.len());
        let successors: Vec<Vec<usize>> =
            positions.iter().map(|position| successors(position, &numbers)).collect();
        let values = iterate(&successors);
        Self { positions, values, successors }
    }

    /// The winners when perpetual check loses, from the definition: a play that never ends is won for a side if the other,
    /// from some point on, always gives check, and it itself does not. That is a parity game with
    /// three priorities, and this its textbook solution.
    pub(crate) fn winners_without_perpetual_check(&self) -> Vec<Option<Side>> {
        let mut winners: Vec<Option<Side>> = self
            .positions
            .iter()
            .zip(&self.values)
            .map(|(position, value)| match value {
                Value::Draw | Value::DependsOnChase(_) => None,
                Value::Win(_) => Some(position.side_to_move()),
                Value::Loss(_) => Some(!position.side_to_move()),
            })
            .collect();
        for side in Side::ALL {
            for (winner, wins) in winners.iter_mut().zip(self.wins(side)) {
                assert!(!wins || *winner != Some(!side));
                if wins {
                    *winner = Some(side);
                }
            }
        }
        winners
    }

    fn wins(&self, side: Side) -> Vec<bool> {
        let decided: Vec<bool> = self.values.iter().map(|value| *value != Value::Draw).collect();
        let won = |number: usize| match self.values[number] {
            Value::Win(_) => self.positions[number].side_to_move() == side,
            Value::Loss(_) => self.positions[number].side_to_move() != side,
            Value::Draw | Value::DependsOnChase(_) => false,
        };
        // 3 after a move of the other without check, 2 after one of ours without check, else 1.
        let priority = |position: &Position| match (position.is_in_check(), position.side_to_move() == side) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 2,
        };
        let priorities: Vec<usize> = self.positions.iter().map(priority).collect();
        let mut outer: Vec<bool> = (0..self.positions.len()).map(won).collect();
        loop {
            let mut middle = vec![true; self.positions.len()];
            loop {
                let mut inner: Vec<bool> = (0..self.positions.len()).map(won).collect();
                let mut grows = true;
                while grows {
                    grows = false;
                    for number in (0..self.positions.len()).filter(|number| !decided[*number]) {
                        if inner[number] {
                            continue;
                        }
                        let goal = [&inner, &middle, &outer][priorities[number] - 1];
                        let next = &self.successors[number];
                        let reached = if self.positions[number].side_to_move() == side {
                            next.iter().any(|&next| goal[next])
                        } else {
                            next.iter().all(|&next| goal[next])
                        };
                        inner[number] = reached;
                        grows |= reached;
                    }
                }
                if inner == middle {
                    break;
                }
                middle = inner;
            }
            if middle == outer {
                return outer;
            }
            outer = middle;
        }
    }
}

/// Layer by layer: what is not decided after `plies` is looked at again for a decision in one more.
fn iterate(successors: &[Vec<usize>]) -> Vec<Value> {
    let mut values = vec![None; successors.len()];
    let mut idle = 0;
    let mut plies = 0;
    while idle < 2 {
        let mut found = Vec::new();
        for (number, next) in successors.iter().enumerate().filter(|(number, _)| values[*number].is_none()) {
            let wins =
                plies % 2 == 1 && next.iter().any(|&next| values[next] == Some(Value::Loss(plies - 1)));
            let loses =
                plies % 2 == 0 && next.iter().all(|&next| matches!(values[next], Some(Value::Win(_))));
            if wins {
                found.push((number, Value::Win(plies)));
            } else if loses {
                found.push((number, Value::Loss(plies)));
            }
        }
        idle = if found.is_empty() { idle + 1 } else { 0 };
        for (number, value) in found {
            values[number] = Some(value);
        }
        plies += 1;
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
}

fn successors(position: &Position, numbers: &HashMap<u64, usize>) -> Vec<usize> {
    let mut position = position.clone();
    let mut next = Vec::new();
    for mv in position.moves() {
        let undo = position.play(mv, &mut ());
        next.push(numbers[&position.key().get()]);
        position.take_back(undo, &mut ());
    }
    next
}

/// Appends all legal positions with this material.
fn list(material: &Material, positions: &mut Vec<Position>) {
    let mut pieces = Vec::new();
    for side in Side::ALL {
        for kind in PieceKind::ALL {
            pieces.extend((0..material.count(side, kind)).map(|_| Piece::new(side, kind)));
        }
    }
    place(&pieces, &mut Vec::new(), positions);
}

fn place(rest: &[Piece], placed: &mut Vec<(Piece, Square)>, positions: &mut Vec<Position>) {
    let Some((&piece, rest)) = rest.split_first() else {
        for side in Side::ALL {
            positions.extend(Position::from_pieces(placed.iter().copied(), side));
        }
        return;
    };
    let points = match piece.kind() {
        PieceKind::Soldier => zones::soldier_points(piece.side()),
        kind => zones::allowed(piece.side(), kind),
    };
    for square in points {
        let taken = placed.iter().any(|(_, other)| *other == square);
        // Equal pieces are placed in the order of their points.
        let repeats = placed.last().is_some_and(|(last, other)| *last == piece && *other > square);
        if !taken && !repeats {
            placed.push((piece, square));
            place(rest, placed, positions);
            placed.pop();
        }
    }
}
