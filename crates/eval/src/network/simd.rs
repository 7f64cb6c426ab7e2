//! SIMD kernels, the widest that the CPU supports, chosen when a network is loaded. All agree exactly with
//! [`scalar`].

#![allow(unsafe_code, reason = "vector instructions need it; each block says why it is sound")]

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

/// The widest kernels that this CPU can run.
pub(super) fn best() -> &'static Kernels {
    available().next().expect("the scalar kernels run everywhere")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{LARGEST_INPUT, LARGEST_OUTPUT, WIDTH};

    /// Pseudo-random numbers from `-limit` to `limit`, the ends among them.
    fn row(seed: u64, limit: i16) -> Row {
        let mut row = Row::ZERO;
        for (index, number) in row.0.iter_mut().enumerate() {
            let mix = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_mul(index as u64 + 3);
            *number = match mix >> 40 & 15 {
                0 => limit,
                1 => -limit,
                _ => ((mix >> 44) as i32 % (2 * i32::from(limit) + 1) - i32::from(limit)) as i16,
            };
        }
        row
    }

    #[test]
    fn all_kernels_agree_with_the_scalar_ones() {
        let mut hidden = HiddenWeights([[[0; 4]; HIDDEN]; 2 * WIDTH / 4]);
        let numbers = (0..16).flat_map(|seed| row(seed, i8::MAX.into()).0);
        let weights = hidden.0.as_flattened_mut().as_flattened_mut();
        weights.iter_mut().zip(numbers.cycle()).for_each(|(weight, number)| *weight = number as i8);
        let rows: Vec<Row> = (0..40).map(|seed| row(seed, LARGEST_INPUT)).collect();
        let weights = [row(50, LARGEST_OUTPUT), row(51, LARGEST_OUTPUT)];
        for kernels in available() {
            for (added, lifted) in [(0, 0), (1, 1), (1, 2), (5, 3), (16, 16)] {
                let added: Vec<&Row> = rows[..added].iter().collect();
                let lifted: Vec<&Row> = rows[20..20 + lifted].iter().collect();
                let (mut found, mut expected) = (Row::ZERO, Row::ZERO);
                (kernels.update)(&mut found, &rows[39], &added, &lifted);
                (scalar::KERNELS.update)(&mut expected, &rows[39], &added, &lifted);
                assert_eq!(found, expected, "{}", kernels.name);
            }
            for pair in rows.windows(2) {
                let [own, other] = pair else { unreachable!() };
                let expected = (scalar::KERNELS.output)(own, other, &weights);
                assert_eq!((kernels.output)(own, other, &weights), expected, "{}", kernels.name);
                let expected = (scalar::KERNELS.hidden)(own, other, &hidden);
                assert_eq!((kernels.hidden)(own, other, &hidden), expected, "{}", kernels.name);
            }
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let full = Row([i16::MAX; WIDTH]);
        let weights = [Row([LARGEST_OUTPUT; WIDTH]), Row([LARGEST_OUTPUT; WIDTH])];
        let expected = 2 * WIDTH as i64 * 255 * 255 * i64::from(LARGEST_OUTPUT);
        for kernels in available() {
            assert_eq!((kernels.output)(&full, &full, &weights), expected, "{}", kernels.name);
            for weight in [i8::MAX, -i8::MAX] {
                let hidden = HiddenWeights([[[weight; 4]; HIDDEN]; 2 * WIDTH / 4]);
                let expected = 2 * WIDTH as i32 * 127 * i32::from(weight);
                assert_eq!((kernels.hidden)(&full, &full, &hidden), [expected; HIDDEN], "{}", kernels.name);
            }
        }
    }
}
