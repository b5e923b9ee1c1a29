//! Numbers in few bytes: seven bits to a byte, the lowest first.

/// Numbers, one after the other.
#[derive(Debug, Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
}

/// Reads [`Packed`] numbers in their order. After the last, all are 0.
#[derive(Debug)]
pub(super) struct Unpacking<'a> {
    bytes: &'a [u8],
}

/// In place of a number that has a fraction, a sign or more than 31 bits, and stands after it. Others have an even one.
const BITS: u32 = 1;

impl Packed {
    /// Adds a number, which is the shorter the smaller it is.
    pub(super) fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Adds a number that may be negative.
    pub(super) fn signed(&mut self, number: i32) {
        self.number((number << 1 ^ number >> 31) as u32);
    }

    /// Adds a number that may have a fraction.
    pub(super) fn real(&mut self, number: f64) {
        let whole = number as u32;
        if f64::from(whole).to_bits() == number.to_bits() && whole <= u32::MAX >> 1 {
            return self.number(whole << 1);
        }
        self.number(BITS);
        self.bytes.extend(number.to_bits().to_le_bytes());
    }

    /// Number of bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Gives back memory that is not used.
    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// Reads the numbers from byte `start` on.
    pub(super) fn at(&self, start: usize) -> Unpacking<'_> {
        Unpacking { bytes: &self.bytes[start..] }
    }
}

impl Unpacking<'_> {
    /// The next number.
    #[inline]
    pub(super) fn number(&mut self) -> u32 {
        let mut number = 0;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = self.byte();
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    /// The next number, which may be negative.
    pub(super) fn signed(&mut self) -> i32 {
        let number = self.number();
        (number >> 1) as i32 ^ -((number & 1) as i32)
    }

    /// The next number, which may have a fraction.
    pub(super) fn real(&mut self) -> f64 {
        match self.number() {
            BITS => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
            even => f64::from(even >> 1),
        }
    }

    #[inline(always)]
    fn byte(&mut self) -> u8 {
        self.bytes.split_off_first().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(
            numbers in prop::collection::vec((any::<u32>(), any::<i32>(), any::<f64>(), 0u32..32), 0..20),
        ) {
            let mut packed = Packed::default();
            for &(number, signed, real, shift) in &numbers {
                packed.number(number >> shift);
                packed.signed(signed >> shift);
                packed.real(real);
                packed.real(f64::from(number >> shift));
            }
            let mut read = packed.at(0);
            for &(number, signed, real, shift) in &numbers {
                prop_assert_eq!((read.number(), read.signed()), (number >> shift, signed >> shift));
                prop_assert_eq!(read.real().to_bits(), real.to_bits());
                prop_assert_eq!(read.real(), f64::from(number >> shift));
            }
            prop_assert_eq!((read.number(), read.real()), (0, 0.0));
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        let mut packed = Packed::default();
        packed.number(127);
        packed.signed(-64);
        packed.real(63.0);
        assert_eq!(packed.len(), 3);
        packed.real(-0.0);
        assert!(packed.at(3).real().is_sign_negative());
    }
}
