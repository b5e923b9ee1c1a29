//! Hashes of terms.

use palimpsest_text::hashing::{Secret, text_hash};
use palimpsest_text::terms::small_letters;
use palimpsest_text::{Text, TextBuf};

/// Terms of fewer letters are hashed as one number.
const SHORT: usize = 16;

/// The bytes of a number that the letters of a short term take.
const MASKS: [u128; SHORT] = {
    let mut masks = [0; SHORT];
    let mut length = 1;
    while length < SHORT {
        masks[length] = masks[length - 1] << 8 | 0xFF;
        length += 1;
    }
    masks
};

const EACH: u128 = u128::from_le_bytes([1; 16]);

/// Hashes terms in lowercase, whether or not their texts are ASCII, the same throughout the process. Keyed, so that nobody can choose
/// two terms with the same hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TermHasher(Secret);

impl TermHasher {
    /// Hashes the term at `start..end`.
    #[inline]
    pub(crate) fn hash(self, text: Text<'_>, start: usize, end: usize) -> u64 {
        let length = end - start;
        if length < SHORT {
            let bytes = &text.bytes()[start..];
            let letters =
                u128::from_le_bytes(bytes.first_chunk().copied().unwrap_or_else(|| padded(bytes))) & MASKS[length];
            if letters & EACH << 7 == 0 {
                // Letters and digits, of which this bit tells the case.
                return self.hash_short(letters | EACH << 5 & MASKS[length], length);
            }
        }
        self.hash_letters(&small_letters(text, start, end).collect::<Vec<_>>())
    }

    /// Hashes the term of these lowercase letters.
    pub(crate) fn hash_letters(self, letters: &[u16]) -> u64 {
        if letters.len() < SHORT && letters.iter().all(|&letter| letter < 0x80) {
            let short = letters.iter().rev().fold(0, |word, &letter| word << 8 | u128::from(letter));
            return self.hash_short(short, letters.len());
        }
        let mut word = TextBuf::new();
        word.push_units(letters);
        text_hash(word.as_text())
    }

    /// Hashes the key of a term.
    pub(crate) fn hash_key(self, key: u64) -> u64 {
        self.0.fold(key, 0)
    }

    #[inline]
    fn hash_short(self, letters: u128, length: usize) -> u64 {
        // A short term leaves the last byte free for its length.
        self.0.fold(letters as u64, (letters >> 64) as u64 | (length as u64) << 56)
    }
}

#[cold]
fn padded(bytes: &[u8]) -> [u8; 16] {
    let mut padded = [0; 16];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_has_one_hash_in_any_text() {
        let hasher = TermHasher::default();
        let terms = ["parse", "PARSE", "Parse", "ord17", "of", "abcdefghijklmno", "abcdefghijklmnop", "straße", "é1"];
        for term in terms {
            let small: Vec<u16> = term.to_lowercase().encode_utf16().collect();
            // At the end of a text, with more after it, and in a text that is not ASCII.
            for after in ["", " and much more behind it", " é and much more"] {
                let text = TextBuf::from(format!("a {term}{after}").as_str());
                assert_eq!(hasher.hash(text.as_text(), 2, 2 + small.len()), hasher.hash_letters(&small), "{term}");
            }
            let longer = [&small[..], &[u16::from(b's')]].concat();
            assert_ne!(hasher.hash_letters(&small), hasher.hash_letters(&longer), "{term}");
        }
    }
}
