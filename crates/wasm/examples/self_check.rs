//! The digest of random games, for comparison with the module's: `self_check SEED GAMES`.
#![allow(clippy::print_stdout)]

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [seed, games] = numbers[..] else { panic!("usage: self_check SEED GAMES") };
    println!("{:016x}", chuhe_wasm::self_check::digest(seed, games));
}
