//! What kernels must have in common with [`scalar`], as functions that a test and the module for browsers call.

use super::{Kernels, scalar};
use crate::network::{HIDDEN, HiddenWeights, LARGEST_INPUT, LARGEST_OUTPUT, Row, WIDTH};

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

fn equal<T: PartialEq>(kernels: &Kernels, what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{}: {what} differs from scalar", kernels.name)) }
}

/// Every kernel computes on pseudo-random rows what its scalar twin computes.
pub(super) fn agrees_on_random_rows(kernels: &Kernels) -> Result<(), String> {
    let mut hidden = HiddenWeights([[[0; 4]; HIDDEN]; 2 * WIDTH / 4]);
    let numbers = (0..16).flat_map(|seed| row(seed, i8::MAX.into()).0);
    let weights = hidden.0.as_flattened_mut().as_flattened_mut();
    weights.iter_mut().zip(numbers.cycle()).for_each(|(weight, number)| *weight = number as i8);
    let rows: Vec<Row> = (0..40).map(|seed| row(seed, LARGEST_INPUT)).collect();
    let weights = [row(50, LARGEST_OUTPUT), row(51, LARGEST_OUTPUT)];
    for (added, lifted) in [(0, 0), (1, 1), (1, 2), (5, 3), (16, 16)] {
        let added: Vec<&Row> = rows[..added].iter().collect();
        let lifted: Vec<&Row> = rows[20..20 + lifted].iter().collect();
        let (mut found, mut expected) = (Row::ZERO, Row::ZERO);
        (kernels.update)(&mut found, &rows[39], &added, &lifted);
        (scalar::KERNELS.update)(&mut expected, &rows[39], &added, &lifted);
        equal(kernels, "update", found, expected)?;
    }
    for (own, other) in rows.iter().zip(&rows[1..]) {
        let expected = (scalar::KERNELS.output)(own, other, &weights);
        equal(kernels, "output", (kernels.output)(own, other, &weights), expected)?;
        let expected = (scalar::KERNELS.hidden)(own, other, &hidden);
        equal(kernels, "hidden", (kernels.hidden)(own, other, &hidden), expected)?;
    }
    Ok(())
}

/// No sum overflows, however large inputs and weights are.
pub(super) fn bears_the_largest_sums(kernels: &Kernels) -> Result<(), String> {
    let full = Row([i16::MAX; WIDTH]);
    let weights = [Row([LARGEST_OUTPUT; WIDTH]), Row([LARGEST_OUTPUT; WIDTH])];
    let expected = 2 * WIDTH as i64 * 255 * 255 * i64::from(LARGEST_OUTPUT);
    equal(kernels, "the largest output", (kernels.output)(&full, &full, &weights), expected)?;
    for weight in [i8::MAX, -i8::MAX] {
        let hidden = HiddenWeights([[[weight; 4]; HIDDEN]; 2 * WIDTH / 4]);
        let expected = 2 * WIDTH as i32 * 127 * i32::from(weight);
        equal(
            kernels,
            "the largest hidden unit",
            (kernels.hidden)(&full, &full, &hidden),
            [expected; HIDDEN],
        )?;
    }
    Ok(())
}
