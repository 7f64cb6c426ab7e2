//! SIMD kernels, the widest that the CPU supports, chosen when a network is loaded. All agree exactly with
//! [`scalar`].

#![allow(unsafe_code, reason = "vector instructions need it; each block says why it is sound")]

#[cfg(any(test, target_arch = "wasm32"))]
mod agreement;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

use super::{HIDDEN, HiddenWeights, Row};

/// The kernels for one instruction set.
pub(super) struct Kernels {
    /// The name of the instruction set.
    pub(super) name: &'static str,
    /// Accumulator update: sets the first row to the second, plus all rows of the third, less all rows of the last.
    pub(super) update: fn(&mut Row, &Row, &[&Row], &[&Row]),
    /// SCReLU of both accumulators, times the output weights.
    pub(super) output: fn(&Row, &Row, &[Row; 2]) -> i64,
    /// SCReLU of both accumulators, rounded to bytes of `0..=127`, times the weights of each hidden unit.
    pub(super) hidden: fn(&Row, &Row, &HiddenWeights) -> [i32; HIDDEN],
}

/// All kernels that this CPU can run, the widest first.
fn available() -> impl Iterator<Item = &'static Kernels> {
    let mut kernels: Vec<&'static Kernels> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(avx512::kernels().into_iter().chain(avx2::kernels()));
    #[cfg(target_arch = "aarch64")]
    kernels.extend(neon::kernels());
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    kernels.push(&wasm::KERNELS);
    kernels.push(&scalar::KERNELS);
    kernels.into_iter()
}

/// Compares all kernels with the scalar ones, where no test harness runs: in a browser. Returns their names.
#[cfg(target_arch = "wasm32")]
pub(super) fn check() -> Result<Vec<&'static str>, String> {
    available()
        .map(|kernels| {
            agreement::agrees_on_random_rows(kernels)?;
            agreement::bears_the_largest_sums(kernels)?;
            Ok(kernels.name)
        })
        .collect()
}

/// The widest kernels that this CPU can run.
pub(super) fn best() -> &'static Kernels {
    available().next().expect("the scalar kernels run everywhere")
}

#[cfg(test)]
mod tests {
    use super::agreement;

    #[test]
    fn all_kernels_agree_with_the_scalar_ones() {
        for kernels in super::available() {
            agreement::agrees_on_random_rows(kernels).unwrap();
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        for kernels in super::available() {
            agreement::bears_the_largest_sums(kernels).unwrap();
        }
    }
}
