//! NEON kernels: 8 lanes at a time.

use std::arch::aarch64::{
    int16x8_t, vaddlvq_s32, vaddq_s16, vdupq_n_s16, vdupq_n_s32, vget_low_s8, vget_low_s16, vld1q_s8,
    vld1q_s16, vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmovn_u16, vmull_high_s8, vmull_s8,
    vmulq_s16, vpadalq_s16, vpaddq_s32, vreinterpretq_s8_s32, vreinterpretq_u16_s16, vrshrq_n_u16, vst1_u8,
    vst1q_s16, vst1q_s32, vsubq_s16,
};

use super::Kernels;
use crate::network::{HIDDEN, HiddenWeights, ONE, Row, WIDTH};

/// Lanes of a vector.
const LANES: usize = 8;
/// Vectors that stay in registers while all rows are added to them.
const BLOCK: usize = 16;

const _: () = assert!(WIDTH.is_multiple_of(LANES * BLOCK));

/// The kernels, if the CPU has the instructions.
pub(super) fn kernels() -> Option<&'static Kernels> {
    static KERNELS: Kernels = Kernels {
        name: "neon",
        // SAFETY: these kernels are only handed out after NEON was found.
        update: |target, source, added, lifted| unsafe { update(target, source, added, lifted) },
        // SAFETY: as above.
        output: |own, other, weights| unsafe { output(own, other, weights) },
        // SAFETY: as above.
        hidden: |own, other, weights| unsafe { hidden(own, other, weights) },
    };
    std::arch::is_aarch64_feature_detected!("neon").then_some(&KERNELS)
}

#[target_feature(enable = "neon")]
fn load(row: &Row, vector: usize) -> int16x8_t {
    let lanes = &row.0[vector * LANES..][..LANES];
    // SAFETY: the slice is 16 bytes long.
    unsafe { vld1q_s16(lanes.as_ptr()) }
}

#[target_feature(enable = "neon")]
fn update(target: &mut Row, source: &Row, added: &[&Row], lifted: &[&Row]) {
    for start in (0..WIDTH / LANES).step_by(BLOCK) {
        let mut sums = [vdupq_n_s16(0); BLOCK];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = load(source, start + index);
        }
        for row in added {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = vaddq_s16(*sum, load(row, start + index));
            }
        }
        for row in lifted {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = vsubq_s16(*sum, load(row, start + index));
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            let lanes = &mut target.0[(start + index) * LANES..][..LANES];
            // SAFETY: the slice is 16 bytes long.
            unsafe { vst1q_s16(lanes.as_mut_ptr(), sum) };
        }
    }
}

/// Clipped ReLU of a vector of the accumulator: clamp to `0..=255`.
#[target_feature(enable = "neon")]
fn cut(row: &Row, vector: usize) -> int16x8_t {
    vmaxq_s16(vminq_s16(load(row, vector), vdupq_n_s16(ONE as i16)), vdupq_n_s16(0))
}

#[target_feature(enable = "neon")]
fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i64 {
    // One total for each row: a lane adds up WIDTH / 4 products of at most 255 · 255 · 128.
    let mut sum = 0;
    for (row, weights) in [own, other].into_iter().zip(weights) {
        let mut total = vdupq_n_s32(0);
        for vector in 0..WIDTH / LANES {
            let cut = cut(row, vector);
            let weighed = vmulq_s16(cut, load(weights, vector));
            total = vmlal_s16(total, vget_low_s16(weighed), vget_low_s16(cut));
            total = vmlal_high_s16(total, weighed, cut);
        }
        sum += vaddlvq_s32(total);
    }
    sum
}

const _: () = assert!(WIDTH as i64 / 4 * 255 * 255 * 128 <= i32::MAX as i64);

/// SCReLU of the accumulator as bytes, four in each number.
#[target_feature(enable = "neon")]
fn screlu_bytes(row: &Row, bytes: &mut [i32]) {
    for vector in 0..WIDTH / LANES {
        let cut = cut(row, vector);
        let square = vreinterpretq_u16_s16(vmulq_s16(cut, cut));
        let place = &mut bytes[vector * 2..][..2];
        // SAFETY: the place is 8 bytes long.
        unsafe { vst1_u8(place.as_mut_ptr().cast(), vmovn_u16(vrshrq_n_u16::<9>(square))) };
    }
}

#[target_feature(enable = "neon")]
fn hidden(own: &Row, other: &Row, weights: &HiddenWeights) -> [i32; HIDDEN] {
    let mut active = [0; 2 * WIDTH / 4];
    let (first, second) = active.split_at_mut(WIDTH / 4);
    screlu_bytes(own, first);
    screlu_bytes(other, second);
    // Two numbers for each unit, two units for each vector.
    let mut sums = [[vdupq_n_s32(0); 2]; HIDDEN / 4];
    for (active, weights) in active.into_iter().zip(&weights.0) {
        let active = vreinterpretq_s8_s32(vdupq_n_s32(active));
        let (quarters, _) = weights.as_chunks::<4>();
        for ([low, high], quarter) in sums.iter_mut().zip(quarters) {
            // SAFETY: four units have 16 bytes of weights.
            let quarter = unsafe { vld1q_s8(quarter.as_ptr().cast()) };
            *low = vpadalq_s16(*low, vmull_s8(vget_low_s8(active), vget_low_s8(quarter)));
            *high = vpadalq_s16(*high, vmull_high_s8(active, quarter));
        }
    }
    let mut units = [0; HIDDEN];
    let (places, _) = units.as_chunks_mut::<4>();
    for (place, [low, high]) in places.iter_mut().zip(sums) {
        // SAFETY: the place is 16 bytes long.
        unsafe { vst1q_s32(place.as_mut_ptr(), vpaddq_s32(low, high)) };
    }
    units
}
