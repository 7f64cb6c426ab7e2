//! No request makes the app's interface panic, and every answer has a status. The first byte chooses the address, the rest
//! is the body; the addresses that take a query split it off at the first line.
#![no_main]

use std::cell::RefCell;

use chuhe_wasm::{Core, Operation};
use libfuzzer_sys::fuzz_target;

/// All but those that search for as long as the request says.
const ADDRESSES: [&str; 10] = [
    "POST /api/position",
    "POST /api/explain",
    "POST /api/opening",
    "POST /api/endgame",
    "GET /api/longest?",
    "GET /api/endings",
    "POST /api/banqi",
    "POST /api/read?",
    "POST /api/read/batch?",
    "POST /api/write?",
];

thread_local! {
    static CORE: RefCell<Core> = RefCell::new(Core::new());
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let address = ADDRESSES[usize::from(*choice) % ADDRESSES.len()];
    let separator: &[u8] = if address.ends_with('?') { b"" } else { b"\n" };
    let request = [address.as_bytes(), separator, rest].concat();
    let answer = CORE.with_borrow_mut(|core| core.call(Operation::Request, request));
    assert!(answer.starts_with(b"{\"status\":"), "every answer has a status");
});
