//! Gathering scattered bits by multiplying and shifting, for CPUs without BMI2. The default build uses
//! `gather_pext`; the tests compile both.

/// The bits of `bits` under `MASK`, packed to the right. Works for the three masks in use.
pub(super) fn gather<const MASK: u64>(bits: u64) -> usize {
    let bits = bits & MASK;
    let packed = match MASK {
        // Bit 9k moves to bit 56 + k, where nothing else lands.
        super::EVERY_NINTH => bits.wrapping_mul(0x0101_0101_0101_0101) >> 56,
        super::STRAIGHT_NEIGHBOURS => bits >> 1 & 1 | bits >> 8 & 2 | bits >> 9 & 4 | bits >> 16 & 8,
        super::DIAGONAL_NEIGHBOURS => bits & 1 | bits >> 1 & 2 | bits >> 16 & 4 | bits >> 17 & 8,
        _ => unreachable!("no other mask is gathered"),
    };
    packed as usize
}

/// The low eight bits of `byte`, spread to the bits 0, 9, 18 … 63.
pub(super) fn spread_by_nines(byte: u64) -> u64 {
    (byte & 0xFF).wrapping_mul(0x0101_0101_0101_0101) & super::EVERY_NINTH
}
