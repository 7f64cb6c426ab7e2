//! The module's interface in WebAssembly: numbers only. The host writes the input of a call where `chuhe_input` says,
//! and reads the output where `chuhe_output` says; both are buffers of this module.
#![allow(
    unsafe_code,
    reason = "exports need plain names and imports an extern block; no operation here is unsafe"
)]

use std::cell::RefCell;
use std::time::Duration;

use chuhe_search::{Control, HostPoll};

use crate::{Core, Operation};

#[link(wasm_import_module = "chuhe")]
unsafe extern "C" {
    /// Milliseconds since 1970, never decreasing.
    safe fn now() -> f64;
    /// Asked now and then by a running search: 0 goes on, 1 pauses it, 2 stops it.
    safe fn poll() -> u32;
    /// Takes a line: the place of its UTF-8 bytes and their number. It must not call the module.
    safe fn line(start: *const u8, length: usize);
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static CORE: RefCell<Core> = RefCell::new(Core::new());
}

/// Makes room for `length` bytes of input. Returns their place.
#[unsafe(no_mangle)]
extern "C" fn chuhe_input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Runs an operation on the input. Returns the length of the output.
#[unsafe(no_mangle)]
extern "C" fn chuhe_call(operation: u32) -> usize {
    let input = INPUT.take();
    let output = match Operation::from_number(operation) {
        Some(operation) => CORE.with_borrow_mut(|core| core.call(operation, input)),
        None => Vec::new(),
    };
    OUTPUT.set(output);
    OUTPUT.with_borrow(Vec::len)
}

/// The place of the last output.
#[unsafe(no_mangle)]
extern "C" fn chuhe_output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Searches for a slice. Returns 1 if more slices follow.
#[unsafe(no_mangle)]
extern "C" fn chuhe_step() -> u32 {
    CORE.with_borrow_mut(Core::step).into()
}

pub(crate) fn send(text: &str) {
    line(text.as_ptr(), text.len());
}

pub(crate) fn install() {
    std::panic::set_hook(Box::new(|fault| send(&format!("info string the engine broke down: {fault}"))));
    chuhe_clock::host::install(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
    Control::set_host_poll(|| match poll() {
        0 => HostPoll::Continue,
        1 => HostPoll::Pause,
        _ => HostPoll::Stop,
    });
}
