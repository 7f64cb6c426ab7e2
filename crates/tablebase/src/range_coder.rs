//! A binary range coder with fixed probabilities: a likely choice costs a fraction of a bit.

/// The chance of `false`, in units of 2^-[`SCALE`]; never 0 nor 1.
pub(crate) type Chance = u16;

/// Bits of a [`Chance`].
pub(crate) const SCALE: u32 = 15;
const LEAST_RANGE: u32 = 1 << 24;

/// The chance that fits so many of each choice.
pub(crate) fn chance(falses: u64, trues: u64) -> Chance {
    let total = (falses + trues) as f64 + 0.8;
    let share = (falses as f64 + 0.4) / total;
    (share * f64::from(1 << SCALE)).round().clamp(1.0, f64::from((1 << SCALE) - 1)) as Chance
}

/// Writes choices.
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { low: 0, range: u32::MAX, bytes: Vec::new() }
    }

    /// Writes a choice that has this chance of being `false`.
    #[inline]
    pub(crate) fn write(&mut self, choice: bool, chance: Chance) {
        let bound = (self.range >> SCALE) * u32::from(chance);
        if choice {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        if self.low > u64::from(u32::MAX) {
            self.carry();
        }
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.bytes.push((self.low >> 24) as u8);
            self.low = self.low << 8 & u64::from(u32::MAX);
        }
    }

    /// Adds one to the number written so far.
    fn carry(&mut self) {
        self.low &= u64::from(u32::MAX);
        for byte in self.bytes.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    /// The bytes, as few as tell the choices: the reader takes what is missing for zeros.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        // The number in the last range with the most zeros at its end.
        let high = self.low + u64::from(self.range) - 1;
        let zeros = (0..=32).rev().find(|zeros| high >> zeros << zeros >= self.low).unwrap_or(0);
        self.low = high >> zeros << zeros;
        if self.low > u64::from(u32::MAX) {
            self.carry();
        }
        self.bytes.extend((self.low as u32).to_be_bytes());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// Reads what an [`Encoder`] wrote, with the same chances in the same order.
pub(crate) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, bytes: bytes.iter() };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.next();
        }
        decoder
    }

    #[inline]
    fn next(&mut self) -> u32 {
        self.bytes.next().copied().unwrap_or(0).into()
    }

    /// Reads a choice that has this chance of being `false`.
    #[inline]
    pub(crate) fn read(&mut self, chance: Chance) -> bool {
        let bound = (self.range >> SCALE) * u32::from(chance);
        let choice = self.code >= bound;
        if choice {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.code = self.code << 8 | self.next();
        }
        choice
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(choices in prop::collection::vec((any::<bool>(), 1..(1_u16 << SCALE)), 0..400)) {
            let mut encoder = Encoder::new();
            for &(choice, chance) in &choices {
                encoder.write(choice, chance);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(choice, chance) in &choices {
                prop_assert_eq!(decoder.read(chance), choice);
            }
        }
    }

    #[test]
    fn likely_choices_are_nearly_free() {
        let mut encoder = Encoder::new();
        for _ in 0..10_000 {
            encoder.write(false, chance(9_999, 1));
        }
        assert!(encoder.finish().len() <= 2);
    }
}
