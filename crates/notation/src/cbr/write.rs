//! Writing CBR.

use chuhe_board::Position;

use super::layout::SECOND;
use super::{ENDS_LINE, HAS_COMMENT, HAS_SIBLING, KINDS, MAGIC, RESULTS, VERSION, number};
use crate::failure::Loss;
use crate::record::{Game, NodeId};

/// What kind of game it is: one that was played, or one from a set-up position.
const KIND: usize = 2040;
/// Four bytes before the moves that say where a reader stopped.
const PLAYBACK: usize = 2210;

/// Writes a game in version 2.
pub fn write(game: &Game) -> (Vec<u8>, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut bytes = vec![0; SECOND.moves];
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    bytes[VERSION] = SECOND.version;
    write_fields(game, &mut bytes, &mut losses);
    let start = game.start();
    bytes[KIND] = if start.key() == Position::start().key() { 0 } else { 3 };
    bytes[SECOND.result] = RESULTS.iter().position(|result| *result == game.outcome).unwrap_or(0) as u8;
    bytes[SECOND.side_to_move] = 1 + start.side_to_move().index() as u8;
    bytes[SECOND.round..SECOND.round + 2].copy_from_slice(&start.round().to_le_bytes());
    for (piece, square) in start.pieces_on_board() {
        let kind = KINDS.iter().position(|kind| *kind == piece.kind()).unwrap_or(0) as u8 + 1;
        bytes[SECOND.board + usize::from(number(square))] = (piece.side().index() as u8 + 1) << 4 | kind;
    }
    bytes[PLAYBACK..PLAYBACK + 4].fill(0xFF);
    if start.quiet_plies() > 0 {
        losses.push(Loss::QuietPlies);
    }
    if game.has_marks() {
        losses.push(Loss::Marks);
    }
    for node in game.preorder() {
        write_record(game, node, &mut bytes);
    }
    (bytes, losses)
}

fn write_fields(game: &Game, bytes: &mut [u8], losses: &mut Vec<Loss>) {
    for (tag, value) in game.tags.iter() {
        let Some((_, at, width)) = SECOND.fields.iter().find(|(name, ..)| name.eq_ignore_ascii_case(tag))
        else {
            losses.push(Loss::Tag(tag.to_owned()));
            continue;
        };
        if !put_text(value, &mut bytes[*at..at + width]) {
            losses.push(Loss::CutTag(tag.to_owned()));
        }
    }
}

/// Puts as many whole characters as fit before the closing zero; whether all did.
pub(crate) fn put_text(text: &str, field: &mut [u8]) -> bool {
    let mut at = 0;
    for character in text.chars() {
        let mut buffer = [0; 2];
        let units = character.encode_utf16(&mut buffer);
        if at + 2 * units.len() + 2 > field.len() {
            return false;
        }
        for unit in units {
            field[at..at + 2].copy_from_slice(&unit.to_le_bytes());
            at += 2;
        }
    }
    true
}

/// The root never has the flag that ends a line: readers know it by its place.
fn write_record(game: &Game, node: NodeId, bytes: &mut Vec<u8>) {
    let comment = game.comment(node);
    let mut flags = 0;
    if game.first_child(node).is_none() && node != NodeId::ROOT {
        flags |= ENDS_LINE;
    }
    if game.next_sibling(node).is_some() {
        flags |= HAS_SIBLING;
    }
    if !comment.is_empty() {
        flags |= HAS_COMMENT;
    }
    let (from, to) = game.mv(node).map_or((0, 0), |mv| (number(mv.from()), number(mv.to())));
    bytes.extend([flags, 0, from, to]);
    if !comment.is_empty() {
        // The length counts the closing zero.
        let units: Vec<u16> = comment.encode_utf16().chain([0]).collect();
        bytes.extend((2 * units.len() as u32).to_le_bytes());
        bytes.extend(units.into_iter().flat_map(u16::to_le_bytes));
    }
}
