//! Whatever bytes arrive, they are a message or an error, and every message comes back as it was sent.

use chuhe_board::{Move, Square};
use chuhe_cluster::handshake::Handshake;
use chuhe_cluster::search::{EntryBatch, Message, Start, Vote, VoteCount};
use chuhe_cluster::wire::{VERSION, WireError, pack, unpack};
use chuhe_search::SharedEntry;
use proptest::collection::vec;
use proptest::prelude::*;

/// Bytes that look like messages: the version and a kind, then anything.
fn nearly_messages() -> impl Strategy<Value = Vec<u8>> {
    let body = (0u8..16, vec(prop_oneof![Just(0u8), Just(1), any::<u8>()], 0..200));
    body.prop_map(|(kind, rest)| [VERSION, kind].into_iter().chain(rest).collect())
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let points = (0..90usize, 0..90usize).prop_map(|(from, to)| [from, to].map(Square::from_index));
    vec(points, 0..40)
        .prop_map(|points| points.into_iter().filter_map(|[from, to]| Move::between(from?, to?)).collect())
}

proptest! {
    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop_oneof![nearly_messages(), vec(any::<u8>(), 0..300)]) {
        if let Ok(message) = unpack::<Message>(&bytes) {
            // Sizes as read, so what was read is written as it was.
            prop_assert_eq!(unpack::<Message>(&pack(&message)), Ok(message));
        }
        let _ = unpack::<Handshake>(&bytes);
    }

    #[test]
    fn a_start_comes_back(
        search: u64, network: u64, pondering: bool, fen in ".{0,80}", depth: Option<u32>, nodes: Option<u64>,
        mate in proptest::option::of(0u32..1000), moves in moves(), only in moves(), banned in moves(),
    ) {
        let start = Start { search, network, pondering, fen, moves, depth, nodes, mate, only, banned };
        let message = Message::Start(Box::new(start));
        prop_assert_eq!(unpack::<Message>(&pack(&message)), Ok(message));
    }

    #[test]
    fn whatever_a_start_says_gives_a_game_or_an_error(fen in ".{0,80}", moves in moves()) {
        let start = Start {
            search: 1, network: 0, pondering: false, fen, moves, depth: None, nodes: None, mate: None,
            only: Vec::new(), banned: Vec::new(),
        };
        let _ = start.game();
    }

    #[test]
    fn entries_come_back(origin: u16, words in vec(any::<[u64; 2]>(), 0..60)) {
        let entries = words.into_iter().filter_map(SharedEntry::from_packed).collect();
        let message = Message::Entries(vec![EntryBatch { origin, entries }]);
        prop_assert_eq!(unpack::<Message>(&pack(&message)), Ok(message));
    }

    #[test]
    fn counting_any_votes_ends_well(bytes in vec(vec(any::<u8>(), 30..60), 1..4)) {
        // Numbers of any size: adding them up must not overflow.
        let mut count = VoteCount::default();
        for bytes in bytes {
            let message = [&[VERSION], &bytes[..17], &[0; 9], &[1, 0, 0, 0, 1, 0]].concat();
            if let Ok(vote) = unpack::<Vote>(&message) {
                count.add(VoteCount { votes: vec![vote], voters: vec![1; 9], nodes: u64::MAX, messages: u64::MAX, bytes: u64::MAX });
            }
        }
        let _ = count.winner(5);
    }
}

#[test]
fn other_versions_and_cut_off_messages_are_errors() {
    let message = Message::SetOption { name: "Hash".to_owned(), value: Some("64".to_owned()) };
    let bytes = pack(&message);
    for len in 1..bytes.len() {
        assert_eq!(unpack::<Message>(&bytes[..len]), Err(WireError::CutOff), "{len}");
    }
    let mut other = bytes.clone();
    other[0] += 1;
    assert_eq!(unpack::<Message>(&other), Err(WireError::Version(VERSION + 1)));
    let long = [&bytes[..], &[0]].concat();
    assert_eq!(unpack::<Message>(&long), Err(WireError::TooMany(1)));
}
