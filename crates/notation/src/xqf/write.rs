//! Writing XQF.

use chuhe_board::{Position, Side};

use super::keys::Keys;
use super::{
    FIELDS, FROM_SHIFT, HAS_COMMENT, HAS_NEXT, HAS_SIBLING, HEADER, KEYED_VERSION, KIND, OPEN_VERSION,
    PIECES, RESULT, RESULTS, SIDE_TO_MOVE, TO_SHIFT, number, piece_of_place,
};
use crate::failure::Loss;
use crate::record::{Game, NodeId};
use crate::{encoding, setup};

/// Writes a game in version 1.0.
pub fn write(game: &Game) -> (Vec<u8>, Vec<Loss>) {
    write_version(game, OPEN_VERSION, [0; 13])
}

/// Writes a game in version 1.8, shifted by the keys that follow from bytes 3 to 15 of the header.
/// XQStudio wants the last four to add up to a multiple of 256.
pub fn write_keyed(game: &Game, header_keys: [u8; 13]) -> (Vec<u8>, Vec<Loss>) {
    write_version(game, KEYED_VERSION, header_keys)
}

fn write_version(game: &Game, version: u8, header_keys: [u8; 13]) -> (Vec<u8>, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut header = [0; HEADER];
    header[..2].copy_from_slice(b"XQ");
    header[2] = version;
    header[3..16].copy_from_slice(&header_keys);
    let keys = if version == OPEN_VERSION { Keys::NONE } else { Keys::of_header(&header) };
    write_pieces(game.start(), version, &keys, &mut header);
    header[SIDE_TO_MOVE] = u8::from(game.start().side_to_move() == Side::Black);
    header[RESULT] = RESULTS.iter().position(|result| *result == game.outcome).unwrap_or(0) as u8;
    // A game from a set-up position is an endgame to XQStudio.
    header[KIND] = if is_normal_start(game.start()) { 0 } else { 3 };
    write_fields(game, &mut header, &mut losses);
    write_lost_counters(game, &mut losses);
    if game.has_marks() {
        losses.push(Loss::Marks);
    }

    let mut bytes = header.to_vec();
    for node in game.preorder() {
        write_record(game, node, version, &keys, &mut bytes, &mut losses);
    }
    keys.mask(&mut bytes[HEADER..], HEADER);
    (bytes, losses)
}

fn is_normal_start(start: &Position) -> bool {
    start.key() == Position::start().key()
}

fn write_lost_counters(game: &Game, losses: &mut Vec<Loss>) {
    if game.start().quiet_plies() > 0 {
        losses.push(Loss::QuietPlies);
    }
    if game.start().round() > 1 {
        losses.push(Loss::Round);
    }
}

fn write_pieces(start: &Position, version: u8, keys: &Keys, header: &mut [u8; HEADER]) {
    const OFF_BOARD: u8 = 0xFF;
    let points = setup::points_of(start);
    for index in 0..32 {
        let point = points[piece_of_place(index, version, keys)].map_or(OFF_BOARD, number);
        header[PIECES + index] = point.wrapping_add(keys.pieces);
    }
}

fn write_fields(game: &Game, header: &mut [u8; HEADER], losses: &mut Vec<Loss>) {
    for (tag, value) in game.tags.iter() {
        let Some((_, at, width)) = FIELDS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(tag)) else {
            losses.push(Loss::Tag(tag.to_owned()));
            continue;
        };
        let (bytes, complete) = fitting(value, *width);
        if !complete {
            losses.push(Loss::CutTag(tag.to_owned()));
        }
        header[*at] = bytes.len() as u8;
        header[at + 1..at + 1 + bytes.len()].copy_from_slice(&bytes);
    }
}

/// As many whole characters as fit into `width` bytes of GBK, and whether these are all.
fn fitting(text: &str, width: usize) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        let (encoded, complete) = encoding::encode_gbk(character.encode_utf8(&mut buffer));
        if !complete || bytes.len() + encoded.len() > width {
            return (bytes, false);
        }
        bytes.extend_from_slice(&encoded);
    }
    (bytes, true)
}

fn write_record(
    game: &Game,
    node: NodeId,
    version: u8,
    keys: &Keys,
    bytes: &mut Vec<u8>,
    losses: &mut Vec<Loss>,
) {
    let (from, to) = match game.mv(node) {
        Some(mv) => (number(mv.from()), number(mv.to())),
        None => (0, 0),
    };
    let (comment, complete) = encoding::encode_gbk(game.comment(node));
    if !complete {
        losses.push(Loss::Characters);
    }
    let has_next = game.first_child(node).is_some();
    let has_sibling = game.next_sibling(node).is_some();
    let is_open = version == OPEN_VERSION;
    let flag = |is_set: bool, open: u8, keyed: u8| match (is_set, is_open) {
        (true, true) => open,
        (true, false) => keyed,
        (false, _) => 0,
    };
    bytes.push(from.wrapping_add(FROM_SHIFT).wrapping_add(keys.from));
    bytes.push(to.wrapping_add(TO_SHIFT).wrapping_add(keys.to));
    bytes.push(
        flag(has_next, 0xF0, HAS_NEXT)
            | flag(has_sibling, 0x0F, HAS_SIBLING)
            | flag(!comment.is_empty(), 0, HAS_COMMENT),
    );
    bytes.push(if node == NodeId::ROOT && is_open { 0xFF } else { 0 });
    if is_open || !comment.is_empty() {
        bytes.extend((comment.len() as u32 + keys.comment).to_le_bytes());
        bytes.extend_from_slice(&comment);
    }
}
