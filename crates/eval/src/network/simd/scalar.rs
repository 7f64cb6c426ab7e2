//! The loops without special instructions: what all others must agree with.

use super::Kernels;
use crate::network::{ONE, Row};

pub(super) static KERNELS: Kernels = Kernels { name: "scalar", update, output };

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
