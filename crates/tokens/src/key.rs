//! Keys of tokens and their perfect hash. The tables of the vocabularies are laid out with it (`tables.rs`).

/// Maximum length of a token that is stored with its rank in one slot of the table, in bytes.
pub(crate) const SHORT: usize = 12;
/// Position of the length in a slot, above the bytes.
pub(crate) const LENGTH_SHIFT: u32 = 8 * SHORT as u32;
/// Position of the value in a slot, above the bytes and the length.
const VALUE_SHIFT: u32 = LENGTH_SHIFT + 4;

/// Masks of the first bytes of a number: none, one, two and so on.
const FIRST_BYTES: [u128; SHORT + 1] = {
    let mut masks = [0; SHORT + 1];
    let mut length = 0;
    while length <= SHORT {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

/// Number of bits of the filter: ten per token of o200k_base, 256 KiB. A power of two.
pub(crate) const PRESENT_BITS: usize = 1 << 21;

/// Up to [`SHORT`] bytes and their number, as one number that is never 0. A slot contains it and a value above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(u128);

impl Key {
    /// Returns the key of `text[start..end]`, if that is short enough.
    #[inline]
    pub(crate) fn new(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        if length > SHORT {
            return None;
        }
        let bytes = match text[start..].first_chunk() {
            Some(window) => u128::from_le_bytes(*window) & FIRST_BYTES[length],
            None => text[start..end].iter().rev().fold(0, |bytes, &byte| (bytes << 8) | u128::from(byte)),
        };
        Some(Key(bytes | ((length as u128) << LENGTH_SHIFT)))
    }

    /// Returns a well-mixed hash.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        mixed(low ^ high.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns the slot with this key and value.
    #[inline]
    pub(crate) fn with_value(self, value: u32) -> u128 {
        self.0 | (u128::from(value) << VALUE_SHIFT)
    }

    /// Returns the value of the key in `slot`, if the slot has this key.
    #[inline]
    pub(crate) fn value_in(self, slot: u128) -> Option<u32> {
        // In halves, because shifts of 128 bits take several instructions.
        let difference = slot ^ self.0;
        let (low, high) = (difference as u64, (difference >> 64) as u64);
        (low | high << (128 - VALUE_SHIFT) == 0).then_some((slot >> VALUE_SHIFT) as u32)
    }

    /// Returns the bit of the filter for this key.
    #[inline]
    pub(crate) fn present_bit(self) -> usize {
        self.hash() as usize % PRESENT_BITS
    }
}

/// Returns the hash of a token of any length. Its values are known beforehand, so nobody can make them collide.
pub(crate) fn hash_of_long(token: &[u8]) -> u64 {
    let (chunks, rest) = token.as_chunks::<8>();
    let add = |hash: u64, chunk: u64| mixed(hash.rotate_left(23) ^ chunk);
    let hash = chunks.iter().fold(token.len() as u64, |hash, chunk| add(hash, u64::from_le_bytes(*chunk)));
    add(hash, rest.iter().fold(0, |bits, &byte| (bits << 8) | u64::from(byte)))
}

#[inline]
fn mixed(bits: u64) -> u64 {
    let mixed = bits.wrapping_mul(0xA24B_AED4_963E_E407);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0x9FB2_1C65_1E98_DF25);
    mixed ^ (mixed >> 29)
}

/// Returns the bucket of a hash, whose displacement decides on the slot.
///
/// Each bucket of keys is displaced such that no two keys share a slot ("Hash, displace, and compress", Belazzougui, Botelho and
/// Dietzfelbinger, 2009).
#[inline]
pub(crate) fn bucket_of(hash: u64, buckets: usize) -> usize {
    reduced(hash as u32, buckets)
}

/// Returns the slot of a hash in a bucket with this displacement.
#[inline]
pub(crate) fn slot_of(hash: u64, displacement: u16, slots: usize) -> usize {
    let factor = (u64::from(displacement) << 1 | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    reduced((hash.wrapping_mul(factor) >> 32) as u32, slots)
}

/// Returns a number below `count`, in proportion to `bits` ("Fast random integer generation in an interval", Lemire, 2019).
#[inline]
fn reduced(bits: u32, count: usize) -> usize {
    ((u64::from(bits) * count as u64) >> 32) as usize
}
