//! The x86-64 code level: which one a build needs, which one the CPU has. A program that links this crate says in one
//! sentence that the CPU is too old for it, before `main`, instead of dying of an illegal instruction.
#![allow(unsafe_code)]

mod level;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod startup;

#[cfg(target_arch = "x86_64")]
pub use level::has_v3;
pub use level::{build_level, extensions};
