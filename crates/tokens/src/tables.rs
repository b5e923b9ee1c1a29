//! The tables of a vocabulary, such that a look-up is one look into one of them.
//!
//! A process lays out a vocabulary when it first needs it, with the displacements of the perfect hash (`displacements.rs`).

use super::key::{Key, PRESENT_BITS, SHORT, bucket_of, hash_of_long, slot_of};

/// Share of the slots that stay empty, as one of so many. Fewer empty slots take more attempts to displace a bucket.
const EMPTY: usize = 64;
/// Rank of texts that are not a token.
pub(crate) const NO_RANK: u32 = u32::MAX;

/// Number of tokens of each vocabulary.
pub(crate) const O200K_BASE: usize = 199_998;
pub(crate) const CL100K_BASE: usize = 100_256;

/// A table with a perfect hash: each key has a slot that no other key has.
pub(crate) struct Slots<V> {
    displacements: Vec<u16>,
    pub(crate) slots: Vec<V>,
}

impl<V: Copy + Default> Slots<V> {
    fn new(displacements: Vec<u16>, keys: usize) -> Self {
        Slots { displacements, slots: vec![V::default(); slots_for(keys)] }
    }

    fn set(&mut self, hash: u64, value: V) {
        let slot = self.slot(hash);
        self.slots[slot] = value;
    }

    #[inline]
    pub(crate) fn at(&self, hash: u64) -> V {
        self.slots[self.slot(hash)]
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let displacement = self.displacements[bucket_of(hash, self.displacements.len())];
        slot_of(hash, displacement, self.slots.len())
    }
}

/// The tokens and their ranks.
pub(crate) struct Tables {
    /// Ranks of the tokens of two bytes.
    pub(crate) pairs: Vec<u32>,
    /// Ranks of the tokens of three to [`SHORT`] bytes, with the tokens.
    pub(crate) short: Slots<u128>,
    /// Bloom filter with one hash for `short`. Most look-ups while merging find nothing, and `short` exceeds the
    /// processor's cache, in which the filter fits.
    pub(crate) present: Vec<u64>,
    /// The longer tokens: their places in `texts` (24 bits), lengths (8) and ranks.
    pub(crate) long: Slots<u64>,
    pub(crate) texts: Vec<u8>,
}

/// Lays out `count` tokens, given as `scripts/vocabularies.mjs` packs them, without the compression.
pub(crate) fn laid_out(unpacked: &[u8], count: usize, [short, long]: [Vec<u16>; 2]) -> Tables {
    let lengths_of = |least, most| {
        let is_meant = |&&length: &&u8| (least..=most).contains(&usize::from(length));
        unpacked[..count].iter().filter(is_meant).count()
    };
    let mut tables = Tables {
        pairs: vec![NO_RANK; 1 << 16],
        short: Slots::new(short, lengths_of(3, SHORT)),
        present: vec![0; PRESENT_BITS / 64],
        long: Slots::new(long, lengths_of(SHORT + 1, usize::MAX)),
        texts: Vec::new(),
    };
    for_each_token(unpacked, count, |rank, token, key| match (token, key) {
        // Every byte is a token, and its rank is never needed.
        ([_], _) => {}
        (&[first, second], _) => tables.pairs[usize::from(first) << 8 | usize::from(second)] = rank,
        (_, Some(key)) => {
            tables.short.set(key.hash(), key.with_value(rank));
            tables.present[key.present_bit() / 64] |= 1 << (key.present_bit() % 64);
        }
        (_, None) => {
            let at = tables.texts.len() as u64;
            assert!(at < 1 << 24, "a position has 24 bits");
            let slot = at | (token.len() as u64) << 24 | u64::from(rank) << 32;
            tables.long.set(hash_of_long(token), slot);
            tables.texts.extend_from_slice(token);
        }
    });
    tables
}

/// Calls `visit` with the rank, the bytes and the key of each token, by rank.
pub(crate) fn for_each_token(unpacked: &[u8], count: usize, mut visit: impl FnMut(u32, &[u8], Option<Key>)) {
    let (lengths, bytes) = unpacked.split_at(count);
    // Position of the next token of each length.
    let mut positions = [0; 256];
    lengths.iter().for_each(|&length| positions[usize::from(length)] += usize::from(length));
    positions.iter_mut().fold(0, |start, position| start + std::mem::replace(position, start));
    for (rank, &length) in (0..).zip(lengths) {
        let start = positions[usize::from(length)];
        let end = start + usize::from(length);
        positions[usize::from(length)] = end;
        visit(rank, &bytes[start..end], Key::new(bytes, start, end));
    }
}

/// Returns the number of slots for so many keys.
pub(crate) fn slots_for(keys: usize) -> usize {
    keys + keys / EMPTY
}
