//! No bytes make the reader of networks panic, and what it takes is safe to evaluate with. The bytes replace the start
//! of the built-in network; the first two choose how much of it follows.
#![no_main]

use chuhe_board::Position;
use chuhe_eval::network::Network;
use libfuzzer_sys::fuzz_target;

static BUILT_IN: &[u8] = include_bytes!("../../nets/default.net");

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first_chunk::<2>() else { return };
    let cut = usize::from(u16::from_le_bytes(*choice));
    let mut file = BUILT_IN[..BUILT_IN.len().saturating_sub(cut)].to_vec();
    let replaced = bytes.len().min(file.len());
    file[..replaced].copy_from_slice(&bytes[..replaced]);
    if let Ok(network) = Network::from_bytes(&file) {
        let _ = network.evaluate(&Position::start());
    }
});
