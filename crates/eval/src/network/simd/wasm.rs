//! WebAssembly SIMD128 kernels: 8 lanes at a time. A module that holds them only starts where they run, so there is
//! nothing to detect.

use std::arch::wasm32::{
    i16x8_add, i16x8_load_extend_i8x8, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add,
    i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, u16x8_shr, v128, v128_load, v128_store,
};

use super::Kernels;
use crate::network::{HIDDEN, HiddenWeights, ONE, Row, WIDTH};

/// Lanes of a vector.
const LANES: usize = 8;
/// Vectors that stay in registers while all rows are added to them.
const BLOCK: usize = 8;

const _: () = assert!(WIDTH.is_multiple_of(LANES * BLOCK));

pub(super) static KERNELS: Kernels = Kernels { name: "simd128", update, output, hidden };

fn load(row: &Row, vector: usize) -> v128 {
    let lanes = &row.0[vector * LANES..][..LANES];
    // SAFETY: the slice is 16 bytes long.
    unsafe { v128_load(lanes.as_ptr().cast()) }
}

fn update(target: &mut Row, source: &Row, added: &[&Row], lifted: &[&Row]) {
    for start in (0..WIDTH / LANES).step_by(BLOCK) {
        let mut sums = [i16x8_splat(0); BLOCK];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = load(source, start + index);
        }
        for row in added {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_add(*sum, load(row, start + index));
            }
        }
        for row in lifted {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_sub(*sum, load(row, start + index));
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            let lanes = &mut target.0[(start + index) * LANES..][..LANES];
            // SAFETY: the slice is 16 bytes long.
            unsafe { v128_store(lanes.as_mut_ptr().cast(), sum) };
        }
    }
}

/// Clipped ReLU of a vector of the accumulator: clamp to `0..=255`.
fn cut(row: &Row, vector: usize) -> v128 {
    i16x8_max(i16x8_min(load(row, vector), i16x8_splat(ONE as i16)), i16x8_splat(0))
}

fn lanes(vector: v128) -> [i32; 4] {
    [
        i32x4_extract_lane::<0>(vector),
        i32x4_extract_lane::<1>(vector),
        i32x4_extract_lane::<2>(vector),
        i32x4_extract_lane::<3>(vector),
    ]
}

fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i64 {
    // One total for each row: a lane adds up WIDTH / 4 products of at most 255 · 255 · 128.
    let mut sum = 0;
    for (row, weights) in [own, other].into_iter().zip(weights) {
        let mut total = i32x4_splat(0);
        for vector in 0..WIDTH / LANES {
            let cut = cut(row, vector);
            // The product fits 16 bits because weights are at most 128.
            let weighed = i16x8_mul(cut, load(weights, vector));
            total = i32x4_add(total, i32x4_dot_i16x8(weighed, cut));
        }
        sum += lanes(total).into_iter().map(i64::from).sum::<i64>();
    }
    sum
}

const _: () = assert!(WIDTH as i64 / 4 * 255 * 255 * 128 <= i32::MAX as i64);

/// SCReLU of the accumulator, rounded to `0..=127`.
fn screlu(row: &Row, units: &mut [i16]) {
    for (vector, place) in units.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let cut = cut(row, vector);
        // A square has 16 bits without a sign, and so has its sum with half of the divisor.
        let rounded = u16x8_shr(i16x8_add(i16x8_mul(cut, cut), i16x8_splat(256)), 9);
        // SAFETY: the place is 16 bytes long.
        unsafe { v128_store(place.as_mut_ptr().cast(), rounded) };
    }
}

/// Four inputs, twice side by side: the weights of two units lie in one vector.
fn doubled(four: [i16; 4]) -> v128 {
    let [a, b, c, d] = four;
    std::arch::wasm32::i16x8(a, b, c, d, a, b, c, d)
}

fn hidden(own: &Row, other: &Row, weights: &HiddenWeights) -> [i32; HIDDEN] {
    let mut active = [0; 2 * WIDTH];
    let (first, second) = active.split_at_mut(WIDTH);
    screlu(own, first);
    screlu(other, second);
    // Two numbers for each unit, two units for each vector.
    let mut sums = [i32x4_splat(0); HIDDEN / 2];
    for (active, weights) in active.as_chunks::<4>().0.iter().zip(&weights.0) {
        let active = doubled(*active);
        for (sum, pair) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
            // SAFETY: two units have 8 bytes of weights.
            let pair = unsafe { i16x8_load_extend_i8x8(pair.as_ptr().cast()) };
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(active, pair));
        }
    }
    let mut units = [0; HIDDEN];
    for (place, sum) in units.as_chunks_mut::<2>().0.iter_mut().zip(sums) {
        let [a, b, c, d] = lanes(sum);
        *place = [a + b, c + d];
    }
    units
}
