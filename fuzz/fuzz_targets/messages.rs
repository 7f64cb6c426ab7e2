//! No message makes a rank of a cluster panic; what is read is written and read back the same. The first byte chooses
//! the kind of message.
#![no_main]

use chuhe_cluster::book::{LeafScore, Path};
use chuhe_cluster::handshake::Handshake;
use chuhe_cluster::search::{EntryBatch, Message, Start, Vote, VoteCount};
use chuhe_cluster::selfplay::{GameTask, Played};
use chuhe_cluster::wire::{Wire, pack, unpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 10 {
        0 => law::<Message>(bytes),
        1 => law::<EntryBatch>(bytes),
        2 => law::<Start>(bytes),
        3 => law::<Vote>(bytes),
        4 => law::<VoteCount>(bytes),
        5 => law::<GameTask>(bytes),
        6 => law::<Played>(bytes),
        7 => law::<Handshake>(bytes),
        8 => law::<Path>(bytes),
        _ => law::<LeafScore>(bytes),
    }
});

/// What is read is written in a form that reads back and is written the same.
fn law<T: Wire>(bytes: &[u8]) {
    let Ok(read) = unpack::<T>(bytes) else { return };
    let written = pack(&read);
    let Ok(again) = unpack::<T>(&written) else { panic!("what we write can be read") };
    assert_eq!(pack(&again), written);
}
