//! The tokens of an encoding and their ranks.

use std::sync::OnceLock;

use super::grammar::Grammar;
use crate::text::hashing::TextMap;
use miniz_oxide::inflate::decompress_to_vec;

/// Rank of texts that are not a token.
pub const NO_RANK: u32 = u32::MAX;

/// Maximum length of a token that is stored with its rank in one slot of the table, in bytes.
const SHORT: usize = 12;
const LENGTH_SHIFT: u32 = 8 * SHORT as u32;
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
const PRESENT_BITS: usize = 1 << 21;

/// Up to [`SHORT`] bytes and their number, as one number that is never 0. A slot contains it and a value above it.
#[derive(Clone, Copy, Debug)]
pub struct Key(u128);

impl Key {
    /// Returns the key of `text[start..end]`, if that is short enough.
    #[inline]
    pub fn new(text: &[u8], start: usize, end: usize) -> Option<Self> {
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
    pub fn hash(self) -> u64 {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let mixed = (low ^ high.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xA24B_AED4_963E_E407);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0x9FB2_1C65_1E98_DF25);
        mixed ^ (mixed >> 29)
    }

    /// Returns the slot with this key and value.
    #[inline]
    pub fn with_value(self, value: u32) -> u128 {
        self.0 | (u128::from(value) << VALUE_SHIFT)
    }

    /// Returns the value of the key in `slot`, if the slot has this key.
    #[inline]
    pub fn value_in(self, slot: u128) -> Option<u32> {
        // In halves, because shifts of 128 bits take several instructions.
        let difference = slot ^ self.0;
        let (low, high) = (difference as u64, (difference >> 64) as u64);
        (low | high << (128 - VALUE_SHIFT) == 0).then_some((slot >> VALUE_SHIFT) as u32)
    }
}

/// The tokens of an encoding and their ranks.
pub struct Vocabulary {
    /// Grammar that splits a text.
    pub grammar: Grammar,
    /// Ranks of the tokens of two bytes.
    pairs: Box<[u32]>,
    /// Ranks of the tokens of three to [`SHORT`] bytes; open addressing, 0 is an empty slot.
    short: Box<[u128]>,
    /// Bloom filter with one hash for `short`. Most look-ups while merging find nothing, and `short` exceeds the
    /// processor's cache, in which the filter fits.
    present: Box<[u64]>,
    long: TextMap<Box<[u8]>, u32>,
}

impl Vocabulary {
    /// Returns the vocabulary of o200k_base, which is loaded on first use.
    pub fn o200k_base() -> &'static Vocabulary {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        const DATA: &[u8] = include_bytes!("vocabularies/o200k_base.bin");
        VOCABULARY.get_or_init(|| Vocabulary::read(DATA, 199_998, Grammar::O200k))
    }

    /// Returns the vocabulary of cl100k_base, which is loaded on first use.
    pub fn cl100k_base() -> &'static Vocabulary {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        const DATA: &[u8] = include_bytes!("vocabularies/cl100k_base.bin");
        VOCABULARY.get_or_init(|| Vocabulary::read(DATA, 100_256, Grammar::Cl100k))
    }

    /// Reads a file of `scripts/vocabularies.mjs`.
    fn read(data: &[u8], count: usize, grammar: Grammar) -> Self {
        let unpacked = decompress_to_vec(data).expect("the vocabulary is part of this file");
        let (lengths, tokens) = unpacked.split_at(count);
        // Position of the next token of each length.
        let mut positions = [0; 256];
        lengths.iter().for_each(|&length| positions[usize::from(length)] += usize::from(length));
        positions.iter_mut().fold(0, |start, position| start + std::mem::replace(position, start));
        let mut vocabulary = Vocabulary {
            grammar,
            pairs: vec![NO_RANK; 1 << 16].into_boxed_slice(),
            short: vec![0; (2 * count).next_power_of_two()].into_boxed_slice(),
            present: vec![0; PRESENT_BITS / 64].into_boxed_slice(),
            long: TextMap::default(),
        };
        for (rank, &length) in lengths.iter().enumerate() {
            let start = positions[usize::from(length)];
            let end = start + usize::from(length);
            positions[usize::from(length)] = end;
            vocabulary.insert(tokens, start, end, rank as u32);
        }
        vocabulary
    }

    fn insert(&mut self, tokens: &[u8], start: usize, end: usize, rank: u32) {
        match (&tokens[start..end], Key::new(tokens, start, end)) {
            // Every byte is a token, and its rank is never needed.
            ([_], _) => {}
            (&[first, second], _) => self.pairs[pair(first, second)] = rank,
            (_, Some(key)) => {
                let mut slot = self.slot(key);
                while self.short[slot] != 0 {
                    slot = (slot + 1) & (self.short.len() - 1);
                }
                self.short[slot] = key.with_value(rank);
                let bit = key.hash() as usize % PRESENT_BITS;
                self.present[bit / 64] |= 1 << (bit % 64);
            }
            (token, None) => {
                self.long.insert(token.into(), rank);
            }
        }
    }

    #[inline]
    fn slot(&self, key: Key) -> usize {
        (key.hash() >> 32) as usize & (self.short.len() - 1)
    }

    /// Returns the rank of the token of the two bytes, or [`NO_RANK`].
    #[inline]
    pub fn rank_of_pair(&self, first: u8, second: u8) -> u32 {
        self.pairs[pair(first, second)]
    }

    /// Returns the rank of the token `text[start..end]`, of two bytes or more, or [`NO_RANK`].
    #[inline]
    pub fn rank(&self, text: &[u8], start: usize, end: usize) -> u32 {
        if end - start == 2 {
            return self.rank_of_pair(text[start], text[start + 1]);
        }
        match Key::new(text, start, end) {
            Some(key) => self.rank_of(key),
            None => self.long.get(&text[start..end]).copied().unwrap_or(NO_RANK),
        }
    }

    #[inline]
    fn rank_of(&self, key: Key) -> u32 {
        let bit = key.hash() as usize % PRESENT_BITS;
        if self.present[bit / 64] & (1 << (bit % 64)) == 0 {
            return NO_RANK;
        }
        let mut slot = self.slot(key);
        while self.short[slot] != 0 {
            if let Some(rank) = key.value_in(self.short[slot]) {
                return rank;
            }
            slot = (slot + 1) & (self.short.len() - 1);
        }
        NO_RANK
    }

    /// Returns all tokens.
    #[cfg(test)]
    pub fn tokens(&self) -> impl Iterator<Item = Vec<u8>> {
        let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
        let pairs = (0..1 << 16_u32).filter(|&pair| self.pairs[pair] != NO_RANK);
        let pairs = pairs.map(|pair| vec![(pair >> 8) as u8, pair as u8]);
        let short = self.short.iter().filter(|&&slot| slot != 0).map(|&slot| {
            let length = (slot >> LENGTH_SHIFT) as usize & 0xF;
            slot.to_le_bytes()[..length].to_vec()
        });
        bytes.chain(pairs).chain(short).chain(self.long.keys().map(|token| token.to_vec()))
    }

    /// Returns whether `text[start..end]` is one token.
    #[inline]
    pub fn contains(&self, text: &[u8], start: usize, end: usize) -> bool {
        end - start == 1 || self.rank(text, start, end) != NO_RANK
    }
}

#[inline]
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabularies_have_as_many_tokens_as_openai_says() {
        // `n_vocab` without special tokens, in tiktoken_ext/openai_public.py.
        assert_eq!(Vocabulary::o200k_base().tokens().count(), 199_998);
        assert_eq!(Vocabulary::cl100k_base().tokens().count(), 100_256);
    }

    #[test]
    fn a_key_tells_texts_apart_wherever_they_stand() {
        for length in 1..=SHORT {
            let text: Vec<u8> = (0..length as u8).chain([0; 16]).collect();
            let far = Key::new(&text, 0, length).expect("short enough");
            let near = Key::new(&text[..length], 0, length).expect("short enough");
            assert_eq!(near.value_in(far.with_value(7)), Some(7));
            let longer = Key::new(&text, 0, length + 1).map(|key| key.value_in(far.with_value(7)));
            assert!(matches!(longer, None | Some(None)), "a zero byte more");
        }
    }
}
