//! Binary range coder with static probabilities: a likely bit costs a fraction of a bit.

/// The probability of a 0 bit, in units of 2^-[`SCALE`]; never 0 nor 1.
pub(crate) type Probability = u16;

/// Bits of a [`Probability`].
pub(crate) const SCALE: u32 = 15;
const LEAST_RANGE: u32 = 1 << 24;

/// The probability for these counts of 0 and 1 bits.
pub(crate) fn probability(zeros: u64, ones: u64) -> Probability {
    let total = (zeros + ones) as f64 + 0.8;
    let ratio = (zeros as f64 + 0.4) / total;
    (ratio * f64::from(1 << SCALE)).round().clamp(1.0, f64::from((1 << SCALE) - 1)) as Probability
}

/// Encodes bits.
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { low: 0, range: u32::MAX, bytes: Vec::new() }
    }

    /// Encodes a bit with this probability of 0.
    #[inline]
    pub(crate) fn write(&mut self, bit: bool, probability: Probability) {
        let bound = (self.range >> SCALE) * u32::from(probability);
        if bit {
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

    /// The shortest output; the decoder reads zeros beyond its end.
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

/// Decodes the output of an [`Encoder`], given the same probabilities in the same order.
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

    /// Decodes a bit with this probability of 0.
    #[inline]
    pub(crate) fn read(&mut self, probability: Probability) -> bool {
        let bound = (self.range >> SCALE) * u32::from(probability);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.code = self.code << 8 | self.next();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decoding_inverts_encoding(bits in prop::collection::vec((any::<bool>(), 1..(1_u16 << SCALE)), 0..400)) {
            let mut encoder = Encoder::new();
            for &(bit, probability) in &bits {
                encoder.write(bit, probability);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(bit, probability) in &bits {
                prop_assert_eq!(decoder.read(probability), bit);
            }
        }
    }

    #[test]
    fn likely_bits_are_nearly_free() {
        let mut encoder = Encoder::new();
        for _ in 0..10_000 {
            encoder.write(false, probability(9_999, 1));
        }
        assert!(encoder.finish().len() <= 2);
    }
}
