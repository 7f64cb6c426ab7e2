//! Reading a record in any format never panics; a game that was read is written in a form that reads
//! back the same, unless a loss was said. The first byte chooses the format.
#![no_main]

use std::ops::ControlFlow;

use chuhe_board::coords::RankStyle;
use chuhe_notation::pgn::MoveStyle;
use chuhe_notation::record::Game;
use chuhe_notation::{Format, RecordWriter, read_records};
use libfuzzer_sys::fuzz_target;

fn read(format: Format, bytes: &[u8]) -> Vec<Game> {
    let mut games = Vec::new();
    read_records(format, bytes, RankStyle::FromZero, |game| {
        match game {
            Ok(game) => games.push(game),
            Err(error) => assert!(error.to_string().len() < 400, "a message is short: {error}"),
        }
        ControlFlow::Continue(())
    });
    games
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let formats: Vec<Format> = Format::ALL.into_iter().chain(Format::READ_ONLY).collect();
    let format = formats[usize::from(*choice) % formats.len()];
    for game in read(format, bytes) {
        for style in [MoveStyle::Iccs, MoveStyle::Wxf] {
            let mut writer = RecordWriter::new(format, style, Vec::new());
            let Ok(losses) = writer.add(&game).expect("memory takes all that is written") else { continue };
            let written = writer.finish("").expect("memory takes all that is written");
            let back = read(format, &written);
            assert_eq!(back.len(), 1);
            assert_eq!(back[0] == game, losses.is_empty(), "lost {losses:?} of {game:?}, got {:?}", back[0]);
        }
    }
});
