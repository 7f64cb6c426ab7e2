//! Scalar kernels: the reference for all others.

use super::Kernels;
use crate::network::{HIDDEN, HiddenWeights, ONE, Row, WIDTH};

pub(super) static KERNELS: Kernels = Kernels { name: "scalar", update, output, hidden };

fn update(target: &mut Row, source: &Row, added: &[&Row], lifted: &[&Row]) {
    target.clone_from(source);
    for row in added {
        for (sum, weight) in target.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for row in lifted {
        for (sum, weight) in target.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i64 {
    let weighed = |row: &Row, weights: &Row| -> i64 {
        let product = |(sum, weight): (&i16, &i16)| {
            let cut = i32::from(*sum).clamp(0, ONE);
            i64::from(cut * cut * i32::from(*weight))
        };
        row.0.iter().zip(&weights.0).map(product).sum()
    };
    weighed(own, &weights[0]) + weighed(other, &weights[1])
}

fn hidden(own: &Row, other: &Row, weights: &HiddenWeights) -> [i32; HIDDEN] {
    let mut active = [0i32; 2 * WIDTH];
    for (active, sum) in active.iter_mut().zip(own.0.iter().chain(&other.0)) {
        let cut = i32::from(*sum).clamp(0, ONE);
        *active = (cut * cut + 256) >> 9;
    }
    let mut units = [0; HIDDEN];
    for (active, weights) in active.chunks_exact(4).zip(&weights.0) {
        for (unit, weights) in units.iter_mut().zip(weights) {
            *unit +=
                active.iter().zip(weights).map(|(active, weight)| active * i32::from(*weight)).sum::<i32>();
        }
    }
    units
}
