//! The older CBL of CCBridge (1.x): a zlib stream with a library head and records, all texts GBK behind their length.

use std::io::Read;

use chuhe_board::{Outcome, Piece, Side, Square};
use flate2::read::ZlibDecoder;

use crate::bytes::{Bytes, at_byte};
use crate::encoding;
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::Game;
use crate::setup::{Start, piece_at};

pub(super) const MAGIC: &[u8] = b"CCBridge\x15\0\0\0";
const VERSION: usize = 12;
/// The length of the stream when inflated.
const LENGTH: usize = 16;
const STREAM: usize = 20;
/// No real library comes near; a stream made to fill the memory does.
const MOST_BYTES: u64 = 1 << 28;
/// Dates are as long as this, filled with spaces.
const DATE: usize = 19;
const LINE_END: &str = "||";

/// Texts at the start of a record. The three between title and date were empty in all files we saw: their meaning is
/// guessed from the order of later versions.
const FIELDS: [&str; 7] = ["Title", "Event", "Round", "Site", "Date", "Red", "Black"];
/// Texts behind the result.
const MORE_FIELDS: [&str; 4] = ["Annotator", "AnnotatorEmail", "Author", "AuthorEmail"];
const RESULTS: [Outcome; 4] = [Outcome::Undecided, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

/// The games of a library. Bytes in errors are those of the inflated stream.
pub(super) fn read(bytes: &[u8]) -> impl Iterator<Item = Result<Game, RecordError>> + use<> {
    let (stream, end) = inflate(bytes);
    let (games, error_of_records) = records(&stream);
    let version = bytes.get(VERSION).copied().unwrap_or_default();
    // A version that we have not seen is worth a try.
    let is_strange = games.is_empty() && !matches!(version, 1..=3);
    // Where the stream is cut short, the records before the cut are read.
    let error = is_strange.then_some(Problem::UnknownVersion(version));
    let place = if is_strange { 0 } else { stream.len() };
    let error =
        error.or(end.err()).or(error_of_records).map(|problem| at_byte(games.len() + 1, place)(problem));
    games.into_iter().map(Ok).chain(error.map(Err))
}

fn inflate(bytes: &[u8]) -> (Vec<u8>, Result<(), Problem>) {
    let Some(compressed) = bytes.get(STREAM..) else {
        return (Vec::new(), Err(Problem::Truncated("the header")));
    };
    let mut stream = Vec::new();
    let inflated = ZlibDecoder::new(compressed).take(MOST_BYTES).read_to_end(&mut stream);
    let length = bytes[LENGTH..STREAM].iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
    let is_whole = inflated.is_ok() && stream.len() >= length;
    (stream, if is_whole { Ok(()) } else { Err(Problem::Truncated("the library")) })
}

/// The records up to the first that is cut short.
fn records(stream: &[u8]) -> (Vec<Game>, Option<Problem>) {
    let mut games = Vec::new();
    let mut read = || {
        let mut bytes = Bytes::new(stream, 0);
        for _ in 0..5 {
            text(&mut bytes)?;
        }
        bytes.take(2 * DATE, "the dates")?;
        let count = bytes.u32("the number of records")?;
        bytes.u32("the header")?;
        for number in 1..=count as usize {
            let place = bytes.at();
            let size = bytes.clone().u32("a record")? as usize;
            let record = bytes.take(size, "a record")?;
            games.push(game(record, number, place)?);
        }
        Ok(())
    };
    let error = read().err();
    (games, error)
}

fn game(record: &[u8], number: usize, place: usize) -> Result<Game, Problem> {
    let mut bytes = Bytes::new(record, 4);
    let board: [u8; 32] = bytes.array("the board")?;
    bytes.take(12, "the record's kind")?;
    let fields = texts::<7>(&mut bytes)?;
    let result = bytes.u32("the result")?;
    let more = texts::<4>(&mut bytes)?;
    let remark = text(&mut bytes)?;
    bytes.take(1 + 2 * DATE, "the dates")?;
    let count = bytes.u32("the number of moves")? as usize;
    let moves = bytes.take(count.saturating_mul(6), "the moves")?;
    let rest = encoding::decode_gbk(&record[bytes.at()..]);
    let mut comments = rest.split("\r\n");

    let start = Start::of_pieces(pieces(&board), moves.get(2).and_then(|from| point(*from)), Side::Red);
    let mut builder = start.builder(number, Place::Byte(place + 4));
    let tags = FIELDS.iter().zip(&fields).chain(MORE_FIELDS.iter().zip(&more));
    tags.for_each(|(tag, value)| builder.set_tag(tag, value));
    builder.set_outcome(RESULTS.get(result as usize).copied().unwrap_or_default());
    builder.add_comment(&remark.replace(LINE_END, "\n"));
    for (index, step) in moves.chunks_exact(6).enumerate() {
        let ply = usize::from(u16::from_le_bytes([step[0], step[1]]));
        if ply.saturating_sub(1) < builder.ply() {
            builder.back_to(ply.saturating_sub(1));
        }
        let raw = (step[2], step[3]);
        let mv = checked_move(point(raw.0), point(raw.1), raw);
        let name = mv.as_ref().map_or_else(|_| format!("{:02x}{:02x}", raw.0, raw.1), ToString::to_string);
        builder.try_move(mv, name, Place::Byte(place + bytes.at() - moves.len() + 6 * index));
        builder.add_comment(&comments.next().unwrap_or_default().replace(LINE_END, "\n"));
    }
    Ok(builder.finish())
}

fn text(bytes: &mut Bytes<'_>) -> Result<String, Problem> {
    let length = bytes.u32("the length of a text")? as usize;
    Ok(encoding::decode_gbk(bytes.take(length, "a text")?).into_owned())
}

fn texts<const N: usize>(bytes: &mut Bytes<'_>) -> Result<[String; N], Problem> {
    let mut texts = [const { String::new() }; N];
    for one in &mut texts {
        *one = text(bytes)?;
    }
    Ok(texts)
}

/// The pieces in the order of XQF; points count files from 1 in the upper four bits and ranks from 1, from Black's
/// side, in the lower.
fn pieces(board: &[u8; 32]) -> Vec<(Piece, Square)> {
    let square = |point: u8| Square::at((point >> 4).checked_sub(1)?, 10_u8.checked_sub(point & 0x0F)?);
    let placed = board.iter().enumerate();
    placed.filter_map(|(place, point)| Some((piece_at(place), square(*point)?))).collect()
}

/// The point of a move: file and rank from 0.
fn point(number: u8) -> Option<Square> {
    Square::at(number >> 4, 9_u8.checked_sub(number & 0x0F)?)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    fn push_text(bytes: &mut Vec<u8>, text: &str) {
        let (encoded, _) = encoding::encode_gbk(text);
        bytes.extend((encoded.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&encoded);
    }

    /// A record as CCBridge wrote it; moves as ply, start, end and comment.
    fn record(title: &str, moves: &[(u16, u8, u8, &str)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for side in [[0xA, 0x8, 0x7], [0x1, 0x3, 0x4]] {
            bytes.extend((1..=9).map(|file| file << 4 | side[0]));
            bytes.extend([0x20, 0x80].map(|file| file | side[1]));
            bytes.extend([0x10, 0x30, 0x50, 0x70, 0x90].map(|file| file | side[2]));
        }
        bytes.extend([1_u32, 0, 1].into_iter().flat_map(u32::to_le_bytes));
        for text in [title, "", "", "", "          ", "甲", "乙"] {
            push_text(&mut bytes, text);
        }
        bytes.extend(3_u32.to_le_bytes());
        for text in ["", "", "丙", "", "第一行||第二行"] {
            push_text(&mut bytes, text);
        }
        bytes.extend(b"\x012005-1-12 15:28:18 2005-1-12 15:28:18 ");
        bytes.extend((moves.len() as u32).to_le_bytes());
        for (ply, from, to, _) in moves {
            bytes.extend(ply.to_le_bytes());
            bytes.extend([*from, *to, 0x57, 0x24]);
        }
        for (.., comment) in moves {
            bytes.extend_from_slice(&encoding::encode_gbk(comment).0);
            bytes.extend(b"\r\n");
        }
        let mut whole = (bytes.len() as u32 + 4).to_le_bytes().to_vec();
        whole.extend(bytes);
        whole
    }

    fn library(version: u8, records: &[Vec<u8>]) -> Vec<u8> {
        let mut stream = Vec::new();
        for text in ["棋譜", "", "", "cam", ""] {
            push_text(&mut stream, text);
        }
        stream.extend(b"2005-1-12 15:27:41 2005-1-12 16:43:15 ");
        stream.extend((records.len() as u32).to_le_bytes());
        stream.extend([0; 4]);
        stream.extend(records.concat());
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0, 0, 0]);
        bytes.extend((stream.len() as u32).to_le_bytes());
        let mut encoder = ZlibEncoder::new(bytes, Compression::default());
        encoder.write_all(&stream).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn records_with_variations_and_comments_are_read() {
        let moves =
            [(1, 0x77, 0x47, "當頭炮"), (2, 0x70, 0x62, ""), (2, 0x10, 0x22, "另一變"), (3, 0x79, 0x67, "")];
        for version in [1, 3] {
            let bytes = library(version, &[record("一", &moves), record("二", &[])]);
            let games: Vec<Game> = read(&bytes).map(Result::unwrap).collect();
            assert_eq!(games.len(), 2);
            let game = &games[0];
            assert!(game.faults().is_empty());
            assert_eq!((game.tags.get("Title"), game.tags.get("Author")), (Some("一"), Some("丙")));
            assert_eq!(game.tags.get("Date"), None);
            assert_eq!(game.outcome, Outcome::Draw);
            assert_eq!(game.comment(crate::record::NodeId::ROOT), "第一行\n第二行");
            let text = crate::pgn::write(game, crate::pgn::MoveStyle::Coordinates).text;
            assert!(text.contains("1. h2e2 {當頭炮} 1... h9g7 (1... b9c7 {另一變} 2. h0g2)"), "{text}");
            assert_eq!(games[1].start(), &chuhe_board::Position::start());
        }
    }

    #[test]
    fn a_library_cut_short_is_not_read_silently() {
        let long: Vec<Vec<u8>> =
            (0..40).map(|number| record(&format!("{number}"), &[(1, 0x77, 0x47, "")])).collect();
        let bytes = library(1, &long);
        let read: Vec<_> = read(&bytes[..bytes.len() * 3 / 4]).collect();
        assert!(read.len() > 1 && read.len() < 41, "{}", read.len());
        let error = read.last().unwrap().as_ref().unwrap_err().to_string();
        assert!(error.ends_with("the file ends within the library"), "{error}");
        assert_eq!(
            super::read(&library(9, &[])).next().unwrap().unwrap_err().to_string(),
            "game 1, byte 0: version 9 of the format is not known"
        );
    }
}
