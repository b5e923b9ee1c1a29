//! Which hash goes with which key.
//!
//! Whoever writes a message chooses its texts. If he also knew the hash, he could write texts that all hash alike, and each
//! look-up would then read through all of them. So whatever is text, or a number made of text, is hashed with keys that
//! each process draws at random: [`TextMap`] and [`TextSet`] for maps, [`text_hash`] and [`Secret`] for numbers. No result
//! depends on the keys: nothing goes through a map in the order of its hashes, and 64 bits tell words apart.
//!
//! `FxHashMap` is for numbers that the engine itself gives: positions, and the numbers of an interner. They are dense, so who
//! wants n of them to collide has to bring some n² to choose from. Numbers that are keyed hashes already are as good.
//!
//! foldhash costs a map of texts fewer instructions than aHash without AES, and a third of SipHash. It protects from chosen
//! texts, not from somebody who measures a process for long; neither could learn more than how to slow down his own call.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use super::Text;

/// Hashes texts with keys of this process.
pub type TextState = foldhash::fast::RandomState;
/// A map whose keys are texts, or made of texts.
pub type TextMap<K, V> = HashMap<K, V, TextState>;
/// A set of texts, or of what is made of texts.
pub type TextSet<K> = HashSet<K, TextState>;

/// A number for a text that is the same throughout the process, and that nobody outside of it can foresee.
pub fn text_hash(text: Text<'_>) -> u64 {
    static STATE: LazyLock<TextState> = LazyLock::new(TextState::default);
    STATE.hash_one(text)
}

/// Two random numbers of this process, for hashes of 16 bytes at most that have to be quicker than a hasher.
#[derive(Clone, Copy, Debug)]
pub struct Secret {
    low: u64,
    high: u64,
}

impl Secret {
    /// That of this process.
    #[inline(always)]
    pub fn of_process() -> Self {
        // The one source in the standard library that takes its numbers from the operating system.
        static SECRET: LazyLock<Secret> = LazyLock::new(|| {
            let [low, high] = [0, 1].map(|number: u64| RandomState::new().hash_one(number));
            Secret { low, high }
        });
        *SECRET
    }

    /// Makes one number of two.
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
