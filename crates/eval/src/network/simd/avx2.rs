//! AVX2 kernels: 16 lanes at a time.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srli_epi16, _mm256_store_si256,
    _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::Kernels;
use crate::network::{HIDDEN, HiddenWeights, ONE, Row, WIDTH};

/// Lanes of a vector.
const LANES: usize = 16;
/// Vectors that stay in registers while all rows are added to them.
const BLOCK: usize = 8;

const _: () = assert!(WIDTH.is_multiple_of(LANES * BLOCK));

/// The kernels, if the CPU has the instructions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static KERNELS: Kernels = Kernels {
        name: "avx2",
        // SAFETY: these kernels are only handed out after AVX2 was found.
        update: |target, source, added, lifted| unsafe { update(target, source, added, lifted) },
        // SAFETY: as above.
        output: |own, other, weights| unsafe { output(own, other, weights) },
        // SAFETY: as above.
        hidden: |own, other, weights| unsafe { hidden(own, other, weights) },
    };
    std::is_x86_feature_detected!("avx2").then_some(&KERNELS)
}

#[target_feature(enable = "avx2")]
fn load(row: &Row, vector: usize) -> __m256i {
    let lanes = &row.0[vector * LANES..][..LANES];
    // SAFETY: the slice is 32 bytes long, and rows are aligned to 64.
    unsafe { _mm256_load_si256(lanes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn update(target: &mut Row, source: &Row, added: &[&Row], lifted: &[&Row]) {
    for start in (0..WIDTH / LANES).step_by(BLOCK) {
        let mut sums = [_mm256_setzero_si256(); BLOCK];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = load(source, start + index);
        }
        for row in added {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, load(row, start + index));
            }
        }
        for row in lifted {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_sub_epi16(*sum, load(row, start + index));
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            let lanes = &mut target.0[(start + index) * LANES..][..LANES];
            // SAFETY: the slice is 32 bytes long, and rows are aligned to 64.
            unsafe { _mm256_store_si256(lanes.as_mut_ptr().cast(), sum) };
        }
    }
}

/// Clipped ReLU of a vector of the accumulator: clamp to `0..=255`.
#[target_feature(enable = "avx2")]
fn cut(row: &Row, vector: usize) -> __m256i {
    let cut = _mm256_min_epi16(load(row, vector), _mm256_set1_epi16(ONE as i16));
    _mm256_max_epi16(cut, _mm256_setzero_si256())
}

#[target_feature(enable = "avx2")]
fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i64 {
    let mut total = _mm256_setzero_si256();
    for (row, weights) in [own, other].into_iter().zip(weights) {
        for vector in 0..WIDTH / LANES {
            let cut = cut(row, vector);
            // The product fits 16 bits because weights are at most 128, and a lane of the total adds
            // up 2 · WIDTH / 8 products of at most 255 · 255 · 128.
            let weighed = _mm256_mullo_epi16(cut, load(weights, vector));
            total = _mm256_add_epi32(total, _mm256_madd_epi16(weighed, cut));
        }
    }
    let mut lanes = [0i32; 8];
    // SAFETY: the array is 32 bytes long; it is on the stack, where its alignment is only 4.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), total) };
    lanes.into_iter().map(i64::from).sum()
}

/// SCReLU of the accumulator as bytes, four in each number.
#[target_feature(enable = "avx2")]
fn screlu_bytes(row: &Row, bytes: &mut [i32]) {
    for pair in 0..WIDTH / LANES / 2 {
        let [first, second] = [2 * pair, 2 * pair + 1].map(|vector| {
            let cut = cut(row, vector);
            // A square has 16 bits without a sign, and so has its sum with half of the divisor.
            let rounded = _mm256_add_epi16(_mm256_mullo_epi16(cut, cut), _mm256_set1_epi16(256));
            _mm256_srli_epi16::<9>(rounded)
        });
        // Packing takes turns between its arguments by halves of a vector.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(first, second));
        let place = &mut bytes[pair * 8..][..8];
        // SAFETY: the place is 32 bytes long; the unaligned form of store is used.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), packed) };
    }
}

#[target_feature(enable = "avx2")]
fn hidden(own: &Row, other: &Row, weights: &HiddenWeights) -> [i32; HIDDEN] {
    let mut active = [0; 2 * WIDTH / 4];
    let (first, second) = active.split_at_mut(WIDTH / 4);
    screlu_bytes(own, first);
    screlu_bytes(other, second);
    let mut sums = [_mm256_setzero_si256(); HIDDEN / 8];
    for (active, weights) in active.into_iter().zip(&weights.0) {
        let (halves, _) = weights.as_chunks::<8>();
        for (sum, half) in sums.iter_mut().zip(halves) {
            // SAFETY: eight units have 32 bytes of weights, and the whole is aligned to 64.
            let half = unsafe { _mm256_load_si256(half.as_ptr().cast()) };
            // Two products of at most 127 · 127 fit 16 bits.
            let pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(active), half);
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
    }
    let mut units = [0; HIDDEN];
    let (places, _) = units.as_chunks_mut::<8>();
    for (place, sum) in places.iter_mut().zip(sums) {
        // SAFETY: the place is 32 bytes long; the unaligned form of store is used.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), sum) };
    }
    units
}

const _: () = assert!(2 * WIDTH as i64 / 8 * 255 * 255 * 128 <= i32::MAX as i64);
