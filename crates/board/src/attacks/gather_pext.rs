//! Gathering scattered bits with the BMI2 instructions PEXT and PDEP: the default build.
//! `gather_portable` has the same functions for CPUs without them.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

/// The bits of `bits` under `MASK`, packed to the right.
pub(super) fn gather<const MASK: u64>(bits: u64) -> usize {
    // SAFETY: this file is compiled only where BMI2 is a target feature of the whole build.
    unsafe { _pext_u64(bits, MASK) as usize }
}

/// The low eight bits of `byte`, spread to the bits 0, 9, 18 … 63.
pub(super) fn spread_by_nines(byte: u64) -> u64 {
    // SAFETY: as above.
    unsafe { _pdep_u64(byte, super::EVERY_NINTH) }
}
