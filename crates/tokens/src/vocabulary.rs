//! The tokens of an encoding and their ranks.

use super::grammar::Grammar;
pub(crate) use super::key::Key;
use super::key::{bucket_of, hash_of_long, slot_of};

/// Rank of texts that are not a token.
pub(crate) const NO_RANK: u32 = u32::MAX;

/// Maximum length of a token, in bytes.
const MAX_LENGTH: usize = 128;

/// A table with a perfect hash: each key has a slot that no other key has, so one look is enough. Numbers are little-endian.
pub(super) struct Slots<const BYTES: usize> {
    pub(super) displacements: &'static [[u8; 2]],
    pub(super) slots: &'static [[u8; BYTES]],
}

impl<const BYTES: usize> Slots<BYTES> {
    #[inline]
    fn at(&self, hash: u64) -> [u8; BYTES] {
        let displacement = u16::from_le_bytes(self.displacements[bucket_of(hash, self.displacements.len())]);
        self.slots[slot_of(hash, displacement, self.slots.len())]
    }
}

/// The tokens of an encoding and their ranks. The build script lays them out (`tables.rs`), so that a process builds
/// nothing, and its memory has only the pages that it looks at. In WebAssembly they are given (`given.rs`).
pub struct Vocabulary {
    /// Grammar that splits a text.
    pub grammar: Grammar,
    /// Ranks of the tokens of two bytes.
    pub(super) pairs: &'static [[u8; 4]],
    /// Ranks of the tokens of three to [`super::key::SHORT`] bytes.
    pub(super) short: Slots<16>,
    /// Bloom filter with one hash for `short`. Most look-ups while merging find nothing, and `short` exceeds the
    /// processor's cache, in which the filter fits.
    pub(super) present: &'static [[u8; 8]],
    /// The longer tokens: their places in `texts` (24 bits), lengths (8) and ranks.
    pub(super) long: Slots<8>,
    pub(super) texts: &'static [u8],
}

impl Vocabulary {
    /// Returns the rank of the token of the two bytes, or [`NO_RANK`].
    #[inline]
    pub fn rank_of_pair(&self, first: u8, second: u8) -> u32 {
        u32::from_le_bytes(self.pairs[pair(first, second)])
    }

    /// Returns the rank of the token `text[start..end]`, of two bytes or more, or [`NO_RANK`].
    #[inline]
    pub fn rank(&self, text: &[u8], start: usize, end: usize) -> u32 {
        if end - start == 2 {
            return self.rank_of_pair(text[start], text[start + 1]);
        }
        match Key::new(text, start, end) {
            Some(key) => self.rank_of(key),
            None => self.rank_of_long(&text[start..end]),
        }
    }

    #[inline]
    fn rank_of(&self, key: Key) -> u32 {
        let bit = key.present_bit();
        if u64::from_le_bytes(self.present[bit / 64]) & (1 << (bit % 64)) == 0 {
            return NO_RANK;
        }
        key.value_in(u128::from_le_bytes(self.short.at(key.hash()))).unwrap_or(NO_RANK)
    }

    fn rank_of_long(&self, token: &[u8]) -> u32 {
        if token.len() > MAX_LENGTH {
            return NO_RANK;
        }
        let (text, rank) = self.long_in(self.long.at(hash_of_long(token)));
        if text == token { rank } else { NO_RANK }
    }

    /// Returns the token in a slot of `long`, empty in an empty slot, and its rank.
    fn long_in(&self, slot: [u8; 8]) -> (&'static [u8], u32) {
        let slot = u64::from_le_bytes(slot);
        let (at, length) = (slot as usize & 0xFF_FFFF, (slot >> 24) as usize & 0xFF);
        (&self.texts[at..at + length], (slot >> 32) as u32)
    }

    #[cfg(test)]
    pub fn tokens(&self) -> impl Iterator<Item = Vec<u8>> {
        let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
        let pairs = (0..=u16::MAX).map(u16::to_be_bytes);
        let pairs = pairs.filter(|&[first, second]| self.rank_of_pair(first, second) != NO_RANK).map(Vec::from);
        let short = self.short.slots.iter().map(|&slot| u128::from_le_bytes(slot)).filter(|&slot| slot != 0);
        let short = short.map(|slot| slot.to_le_bytes()[..(slot >> super::key::LENGTH_SHIFT) as usize & 0xF].to_vec());
        let long = self.long.slots.iter().map(|&slot| self.long_in(slot).0.to_vec()).filter(|token| !token.is_empty());
        bytes.chain(pairs).chain(short).chain(long)
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
    use super::super::key::SHORT;
    use super::*;

    #[test]
    fn every_token_is_found() {
        for vocabulary in [Vocabulary::o200k_base(), Vocabulary::cl100k_base()] {
            for token in vocabulary.tokens() {
                assert!(token.len() <= MAX_LENGTH);
                assert!(vocabulary.contains(&token, 0, token.len()), "{token:?}");
                let longer = [&token[..], b"\xFF"].concat();
                assert!(!vocabulary.contains(&longer, 0, longer.len()), "{longer:?}");
            }
        }
    }

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
