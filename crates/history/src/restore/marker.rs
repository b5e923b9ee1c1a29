//! Markers: `[palimpsest:k3f9a2c81x stale read of src/a.ts, 120 lines]`, and the keys in them.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

/// The text in front of a marker's key.
pub const MARKER_START: &str = "[palimpsest:";
/// Length of a key: lower-case letters and digits, of which the first is a letter.
pub const KEY_LENGTH: usize = 10;
/// Length of a key that no text holds: as long as two others, so that no two of a conversation are equal.
pub const LONG_KEY_LENGTH: usize = 2 * KEY_LENGTH;
/// Stands where there is no key, in a text of several long ones.
pub const NO_KEY: &str = "                    ";

/// A prime, so that the keys of a round lie far from each other.
const STRIDE: u64 = 1_000_000_007;
/// Factor and modulus of the checksum, which is written as two digits of base 36.
const CHECK_FACTOR: u32 = 31;
const CHECK_MODULUS: u32 = 36 * 36;

/// Returns the key for the thing that `seed` describes.
///
/// The first eight of its characters are taken from 41 bits of the seed's SHA-256, and the last two are a checksum of these, so
/// that hardly any text looks like a marker by accident. It begins with a letter: JavaScript would put a number in front of
/// the other keys of an object.
pub fn key_of(seed: &str) -> String {
    name_of(numbers(seed)[0])
}

/// Returns distinct long keys for `count` things that `seed` describes together.
pub fn keys_of(seed: &str, count: usize) -> Vec<String> {
    let numbers = numbers(seed);
    (0..count as u64).map(|index| numbers.map(|number| name_of(number + index * STRIDE)).concat()).collect()
}

/// Returns a key for each seed that is none of `taken`, and differs from the others.
pub fn free_keys(seeds: &[String], mut taken: HashSet<String>) -> Vec<String> {
    let free = |seed: &String| {
        let mut key = key_of(seed);
        for attempt in 1.. {
            if taken.insert(key.clone()) {
                break;
            }
            key = key_of(&format!("{attempt} {seed}"));
        }
        key
    };
    seeds.iter().map(free).collect()
}

/// Twice 48 bits of the seed's SHA-256.
fn numbers(seed: &str) -> [u64; 2] {
    let hash = Sha256::digest(seed);
    [&hash[..6], &hash[6..12]].map(|bytes| bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// A letter and the last seven digits of base 36 of `number`, and their checksum.
fn name_of(number: u64) -> String {
    let mut name = [0; KEY_LENGTH];
    name[0] = b'a' + (number % 26) as u8;
    write_base36(number / 26, &mut name[1..8]);
    let check = name[..8].iter().fold(7, |sum, &letter| (sum * CHECK_FACTOR + u32::from(letter)) % CHECK_MODULUS);
    write_base36(check.into(), &mut name[8..]);
    name.map(char::from).iter().collect()
}

/// Writes the last digits of base 36 of `number`.
fn write_base36(mut number: u64, digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize];
        number /= 36;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc" (FIPS 180-2, appendix B.1) begins with BA7816BF8F01CFEA414140DE.
    #[test]
    fn a_key_is_made_of_its_seed_and_never_changes() {
        let number = 0xBA78_16BF_8F01_u64;
        let key = key_of("abc");
        assert_eq!(key.as_bytes()[0], b'a' + (number % 26) as u8);
        assert_eq!(u64::from_str_radix(&key[1..8], 36), Ok(number / 26 % 36_u64.pow(7)));
        let check = key[..8].bytes().fold(7, |sum, letter| (sum * 31 + u32::from(letter)) % 1296);
        assert_eq!(u32::from_str_radix(&key[8..], 36), Ok(check));
        assert_eq!(keys_of("abc", 1), [format!("{key}{}", name_of(0xCFEA_4141_40DE))]);
    }

    #[test]
    fn keys_of_one_seed_differ() {
        let keys = keys_of("cuts", 50_000);
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert!(keys.iter().all(|key| key.len() == LONG_KEY_LENGTH && key.as_bytes()[0].is_ascii_lowercase()));
    }

    #[test]
    fn a_taken_key_is_not_given_again() {
        let seeds = ["a".to_owned(), "a".to_owned(), "b".to_owned()];
        let taken = HashSet::from([key_of("b")]);
        assert_eq!(free_keys(&seeds, taken), [key_of("a"), key_of("1 a"), key_of("1 b")]);
    }
}
