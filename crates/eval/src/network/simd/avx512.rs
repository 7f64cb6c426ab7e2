//! AVX-512 kernels: 32 lanes at a time, with VNNI's multiply-and-add where the CPU has it.

use std::arch::x86_64::{
    __m512i, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_cvtepi16_epi8,
    _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_maddubs_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_set1_epi16, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_srli_epi16, _mm512_store_si512, _mm512_storeu_si512, _mm512_sub_epi16,
};

use super::Kernels;
use crate::network::{HIDDEN, HiddenWeights, ONE, Row, WIDTH};

/// Lanes of a vector.
const LANES: usize = 32;
/// Vectors that stay in registers while all rows are added to them.
const BLOCK: usize = 8;

const _: () = assert!(WIDTH.is_multiple_of(LANES * BLOCK));

/// The kernels, if the CPU has the instructions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static PLAIN: Kernels = Kernels {
        name: "avx512",
        // SAFETY: these kernels are only handed out after AVX-512 F and BW were found.
        update: |target, source, added, lifted| unsafe { update(target, source, added, lifted) },
        // SAFETY: as above.
        output: |own, other, weights| unsafe { output(own, other, weights) },
        // SAFETY: as above.
        hidden: |own, other, weights| unsafe { hidden(own, other, weights) },
    };
    static WITH_VNNI: Kernels = Kernels {
        name: "avx512vnni",
        update: PLAIN.update,
        // SAFETY: these kernels are only handed out after AVX-512 F, BW and VNNI were found.
        output: |own, other, weights| unsafe { output_vnni(own, other, weights) },
        // SAFETY: as above.
        hidden: |own, other, weights| unsafe { hidden_vnni(own, other, weights) },
    };
    let plain = std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512bw");
    let vnni = plain && std::is_x86_feature_detected!("avx512vnni");
    plain.then_some(if vnni { &WITH_VNNI } else { &PLAIN })
}

#[target_feature(enable = "avx512f,avx512bw")]
fn load(row: &Row, vector: usize) -> __m512i {
    let lanes = &row.0[vector * LANES..][..LANES];
    // SAFETY: the slice is 64 bytes long, and rows are aligned to 64.
    unsafe { _mm512_load_si512(lanes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn update(target: &mut Row, source: &Row, added: &[&Row], lifted: &[&Row]) {
    for start in (0..WIDTH / LANES).step_by(BLOCK) {
        let mut sums = [_mm512_setzero_si512(); BLOCK];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = load(source, start + index);
        }
        for row in added {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_add_epi16(*sum, load(row, start + index));
            }
        }
        for row in lifted {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_sub_epi16(*sum, load(row, start + index));
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            let lanes = &mut target.0[(start + index) * LANES..][..LANES];
            // SAFETY: the slice is 64 bytes long, and rows are aligned to 64.
            unsafe { _mm512_store_si512(lanes.as_mut_ptr().cast(), sum) };
        }
    }
}

/// Clipped ReLU of a vector of the accumulator: clamp to `0..=255`.
#[target_feature(enable = "avx512f,avx512bw")]
fn cut(row: &Row, vector: usize) -> __m512i {
    let cut = _mm512_min_epi16(load(row, vector), _mm512_set1_epi16(ONE as i16));
    _mm512_max_epi16(cut, _mm512_setzero_si512())
}

// The products fit as in the AVX2 file; a lane adds up half as many.

#[target_feature(enable = "avx512f,avx512bw")]
fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i64 {
    let mut total = _mm512_setzero_si512();
    for (row, weights) in [own, other].into_iter().zip(weights) {
        for vector in 0..WIDTH / LANES {
            let cut = cut(row, vector);
            let weighed = _mm512_mullo_epi16(cut, load(weights, vector));
            total = _mm512_add_epi32(total, _mm512_madd_epi16(weighed, cut));
        }
    }
    added_up(total)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn output_vnni(own: &Row, other: &Row, weights: &[Row; 2]) -> i64 {
    let mut total = _mm512_setzero_si512();
    for (row, weights) in [own, other].into_iter().zip(weights) {
        for vector in 0..WIDTH / LANES {
            let cut = cut(row, vector);
            let weighed = _mm512_mullo_epi16(cut, load(weights, vector));
            total = _mm512_dpwssd_epi32(total, weighed, cut);
        }
    }
    added_up(total)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn added_up(total: __m512i) -> i64 {
    let mut lanes = [0i32; 16];
    // SAFETY: the array is 64 bytes long; the unaligned form of store is used.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), total) };
    lanes.into_iter().map(i64::from).sum()
}

/// SCReLU of the accumulator as bytes, four in each number.
#[target_feature(enable = "avx512f,avx512bw")]
fn screlu_bytes(row: &Row, bytes: &mut [i32]) {
    for vector in 0..WIDTH / LANES {
        let cut = cut(row, vector);
        // A square has 16 bits without a sign, and so has its sum with half of the divisor.
        let rounded = _mm512_add_epi16(_mm512_mullo_epi16(cut, cut), _mm512_set1_epi16(256));
        let narrow = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<9>(rounded));
        let place = &mut bytes[vector * 8..][..8];
        // SAFETY: the place is 32 bytes long; the unaligned form of store is used.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), narrow) };
    }
}

/// The weights of all units for four activations.
#[target_feature(enable = "avx512f,avx512bw")]
fn group(weights: &[[i8; 4]; HIDDEN]) -> __m512i {
    // SAFETY: a group is 64 bytes long, and the whole is aligned to 64.
    unsafe { _mm512_load_si512(weights.as_ptr().cast()) }
}

const _: () = assert!(HIDDEN == 16, "all units fill one vector");

#[target_feature(enable = "avx512f,avx512bw")]
fn hidden(own: &Row, other: &Row, weights: &HiddenWeights) -> [i32; HIDDEN] {
    let mut active = [0; 2 * WIDTH / 4];
    let (first, second) = active.split_at_mut(WIDTH / 4);
    screlu_bytes(own, first);
    screlu_bytes(other, second);
    let mut sum = _mm512_setzero_si512();
    for (active, weights) in active.into_iter().zip(&weights.0) {
        // Two products of at most 127 · 127 fit 16 bits.
        let pairs = _mm512_maddubs_epi16(_mm512_set1_epi32(active), group(weights));
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
    }
    units(sum)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn hidden_vnni(own: &Row, other: &Row, weights: &HiddenWeights) -> [i32; HIDDEN] {
    let mut active = [0; 2 * WIDTH / 4];
    let (first, second) = active.split_at_mut(WIDTH / 4);
    screlu_bytes(own, first);
    screlu_bytes(other, second);
    // Four sums to break the dependency chain.
    let mut sums = [_mm512_setzero_si512(); 4];
    let (active, _) = active.as_chunks::<4>();
    let (weights, _) = weights.0.as_chunks::<4>();
    for (active, weights) in active.iter().zip(weights) {
        for (sum, (active, weights)) in sums.iter_mut().zip(active.iter().zip(weights)) {
            *sum = _mm512_dpbusd_epi32(*sum, _mm512_set1_epi32(*active), group(weights));
        }
    }
    let [first, second, third, fourth] = sums;
    units(_mm512_add_epi32(_mm512_add_epi32(first, second), _mm512_add_epi32(third, fourth)))
}

#[target_feature(enable = "avx512f,avx512bw")]
fn units(sum: __m512i) -> [i32; HIDDEN] {
    let mut units = [0; HIDDEN];
    // SAFETY: the array is 64 bytes long; the unaligned form of store is used.
    unsafe { _mm512_storeu_si512(units.as_mut_ptr().cast(), sum) };
    units
}
