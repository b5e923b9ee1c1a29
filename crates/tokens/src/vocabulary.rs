//! The tokens of an encoding and their ranks.

use super::grammar::Grammar;
pub(crate) use super::key::Key;
use super::key::hash_of_long;
pub(crate) use super::tables::NO_RANK;
use super::tables::Tables;

/// Maximum length of a token, in bytes.
const MAX_LENGTH: usize = 128;

/// The tokens of an encoding and their ranks. A native engine contains them (`built_in.rs`); one in WebAssembly is given them
/// (`given.rs`).
pub struct Vocabulary {
    /// Grammar that splits a text.
    pub grammar: Grammar,
    pub(super) tables: Tables,
}

impl Vocabulary {
    /// Returns the rank of the token of the two bytes, or [`NO_RANK`].
    #[inline]
    pub fn rank_of_pair(&self, first: u8, second: u8) -> u32 {
        self.tables.pairs[pair(first, second)]
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
        if self.tables.present[bit / 64] & (1 << (bit % 64)) == 0 {
            return NO_RANK;
        }
        key.value_in(self.tables.short.at(key.hash())).unwrap_or(NO_RANK)
    }

    fn rank_of_long(&self, token: &[u8]) -> u32 {
        if token.len() > MAX_LENGTH {
            return NO_RANK;
        }
        let (text, rank) = self.long_in(self.tables.long.at(hash_of_long(token)));
        if text == token { rank } else { NO_RANK }
    }

    /// Returns the token in a slot of `long`, empty in an empty slot, and its rank.
    fn long_in(&self, slot: u64) -> (&[u8], u32) {
        let (at, length) = (slot as usize & 0xFF_FFFF, (slot >> 24) as usize & 0xFF);
        (&self.tables.texts[at..at + length], (slot >> 32) as u32)
    }

    #[cfg(test)]
    pub fn tokens(&self) -> impl Iterator<Item = Vec<u8>> {
        let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
        let pairs = (0..=u16::MAX).map(u16::to_be_bytes);
        let pairs = pairs.filter(|&[first, second]| self.rank_of_pair(first, second) != NO_RANK).map(Vec::from);
        let short = self.tables.short.slots.iter().filter(|&&slot| slot != 0);
        let short = short.map(|slot| slot.to_le_bytes()[..(slot >> super::key::LENGTH_SHIFT) as usize & 0xF].to_vec());
        let long =
            self.tables.long.slots.iter().map(|&slot| self.long_in(slot).0.to_vec()).filter(|token| !token.is_empty());
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
