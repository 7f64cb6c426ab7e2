//! A second solver, slow and simple: all placements by trying every point, the board's own legal moves,
//! and values that are found by looking at all positions again and again.

use std::collections::HashMap;

use chuhe_board::{Piece, PieceKind, Position, Side, Square, zones};
use chuhe_tablebase::{Material, Value};

/// Every position of an endgame and of all below it, with its value.
pub(crate) struct Twin {
    pub(crate) positions: Vec<Position>,
    pub(crate) values: Vec<Value>,
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
        Self { positions, values }
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
