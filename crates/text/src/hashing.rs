//! The choice of hash functions.
//!
//! The author of a message chooses its texts. With a known hash function, chosen texts could all collide, and each
//! look-up would then read through all of them. Texts, and numbers derived from them, are therefore hashed with keys
//! that each process draws at random: [`TextMap`] and [`TextSet`] for maps, [`text_hash`] and [`Secret`] for numbers.
//! No result depends on the keys: no map is iterated in hash order, and 64 bits suffice to tell words apart, or texts of one length.
//!
//! `FxHashMap` is for numbers that the engine assigns: positions, and the numbers of an interner. They are dense, so n
//! collisions require some n² numbers to choose from. It is also safe for numbers that are keyed hashes.
//!
//! A map looks up a text of 20 bytes in some 170 instructions with foldhash, 180 with aHash and 480 with SipHash.
//! foldhash protects against texts chosen beforehand, not against an attacker who can measure a process for long.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use super::Text;

/// Hasher for texts, with the keys of this process.
pub type TextState = foldhash::fast::RandomState;
/// Map whose keys are texts, or derived from texts.
pub type TextMap<K, V> = HashMap<K, V, TextState>;
/// Set of texts, or of values derived from texts.
pub type TextSet<K> = HashSet<K, TextState>;

static STATE: LazyLock<TextState> = LazyLock::new(TextState::default);

/// Returns a hash of a text that is the same throughout the process, and unpredictable outside of it.
pub fn text_hash(text: Text<'_>) -> u64 {
    STATE.hash_one(text)
}

/// Returns a hash of a text's length and of the units at its start, in its middle and at its end. It costs the same for a
/// text of any length. Texts may be chosen to differ only elsewhere.
pub fn sample_hash(text: Text<'_>) -> u64 {
    const UNITS: usize = 32;
    if text.len() <= 3 * UNITS {
        return text_hash(text);
    }
    let middle = text.len() / 2;
    STATE.hash_one((text.len(), text.prefix(UNITS), text.slice(middle..middle + UNITS), text.suffix(UNITS)))
}

/// Two random numbers of this process, for hashes of words, which must be faster than a hasher.
#[derive(Clone, Copy, Debug)]
pub struct Secret {
    low: u64,
    high: u64,
}

impl Secret {
    /// Returns the secret of this process.
    #[inline(always)]
    pub fn of_process() -> Self {
        // The only source of the standard library that uses random numbers of the operating system.
        static SECRET: LazyLock<Secret> = LazyLock::new(|| {
            let [low, high] = [0, 1].map(|number: u64| RandomState::new().hash_one(number));
            Secret { low, high }
        });
        *SECRET
    }

    /// Hashes two numbers to one.
    #[inline(always)]
    pub fn fold(self, low: u64, high: u64) -> u64 {
        let product = u128::from(low ^ self.low) * u128::from(high ^ self.high);
        product as u64 ^ (product >> 64) as u64
    }
}

impl Default for Secret {
    fn default() -> Self {
        Secret::of_process()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;
    use std::hash::Hash;

    use rustc_hash::FxBuildHasher;

    use super::*;
    use crate::TextBuf;

    /// Returns a secret that is publicly known.
    pub(crate) fn public_secret() -> Secret {
        Secret { low: 0x9E37_79B9_7F4A_7C15, high: 0xD6E8_FEB8_6659_FD93 }
    }

    /// Returns texts that collide if groups of four code units are the values of a public polynomial.
    pub(crate) fn colliding_wide(count: usize) -> Vec<TextBuf> {
        const FACTOR: u64 = 0xF135_7AEA_2E62_A9C5;
        let (first, second) = (0x4E01_4E02_4E03_4E04u64, 0x5E01_5E02_5E03_5E04u64);
        let texts = (0..count as u64).map(|number| {
            let change = number << 48 | number << 16;
            let halves = [first.wrapping_add(change), second.wrapping_sub(change.wrapping_mul(FACTOR))];
            let units: Vec<u16> =
                halves.iter().flat_map(|half| [0, 16, 32, 48].map(|bits| (half >> bits) as u16)).collect();
            let mut text = TextBuf::new();
            text.push_units(&units);
            text
        });
        texts.collect()
    }

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// A text that counts its comparisons.
    struct Counted<'a>(Text<'a>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    impl Hash for Counted<'_> {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    /// Returns the number of comparisons for inserting `texts` into a set and looking each up.
    fn comparisons<S: BuildHasher + Default>(texts: &[TextBuf]) -> usize {
        COMPARED.set(0);
        let mut set: HashSet<Counted<'_>, S> = HashSet::default();
        assert!(texts.iter().all(|text| set.insert(Counted(text.as_text()))));
        assert!(texts.iter().all(|text| set.contains(&Counted(text.as_text()))));
        COMPARED.get()
    }

    #[test]
    fn chosen_texts_are_compared_once_each() {
        // Miri takes minutes for a million comparisons.
        let texts = colliding_wide(if cfg!(miri) { 100 } else { 1_000 });
        assert!(comparisons::<TextState>(&texts) < 2 * texts.len());
        let public = comparisons::<FxBuildHasher>(&texts);
        assert!(public > texts.len() * texts.len() / 4, "{public}: these would not collide anyway");
    }

    #[test]
    fn each_text_has_a_hash_of_its_own() {
        let texts = ["", "a", "a\0", "é", "é\0", "é\0\0\0\0\0\0\0", "é\0\0\0\0\0\0\0\0", "\u{e9}a", "a\u{e9}"];
        let hashes: HashSet<u64> = texts.iter().map(|text| text_hash(TextBuf::from(*text).as_text())).collect();
        assert_eq!(hashes.len(), texts.len());
        let wide = TextBuf::from("é and parseUrl");
        assert_eq!(text_hash(wide.as_text().slice(6..14)), text_hash(TextBuf::from("parseUrl").as_text()));
    }
}
