//! Fingerprints, by which a written message is found again.
//!
//! They are stored with the originals, so they have to be the same in every version, on every platform and in every process:
//! XXH3 with 64 bits, of the UTF-16 code units as little-endian bytes.

use std::borrow::Cow;
use std::slice;

use twox_hash::XxHash3_64;

/// Digits of a fingerprint: base64url, six bits each, the lowest first.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Length of a fingerprint in characters.
pub const LENGTH: usize = 11;

/// A fingerprint as it was stored, in UTF-16 code units: of anything but a fingerprint it is equal to none.
pub type Print = [u16; LENGTH];

/// Returns the fingerprint of a text as ASCII. A change of one code unit changes it.
pub fn fingerprint(units: &[u16]) -> [u8; LENGTH] {
    let hash = XxHash3_64::oneshot(&little_endian(units));
    std::array::from_fn(|digit| DIGITS[(hash >> (6 * digit)) as usize & 63])
}

/// Returns code units as little-endian bytes.
fn little_endian(units: &[u16]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "big") {
        return Cow::Owned(units.iter().flat_map(|unit| unit.to_le_bytes()).collect());
    }
    // SAFETY: the bytes are those of a live slice, and bytes need no alignment.
    Cow::Borrowed(unsafe { slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) })
}

/// Splits a text of fingerprints, one after the other.
pub fn prints_in(units: &[u16]) -> &[Print] {
    units.as_chunks().0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> [u8; LENGTH] {
        fingerprint(&text.encode_utf16().collect::<Vec<_>>())
    }

    /// Values of the reference implementation (`xxh3_64` of libxxhash), of the UTF-16LE bytes.
    #[test]
    fn fingerprints_never_change() {
        let digits = |hash: u64| std::array::from_fn(|digit| DIGITS[(hash >> (6 * digit)) as usize & 63]);
        assert_eq!(of(""), digits(0x2D06_8005_38D3_94C2));
        assert_eq!(of("palimpsest"), digits(0xAAB8_5F67_3A29_D89F));
        assert_eq!(of(&"\u{2014} wide ".repeat(100)), digits(0x7C09_1931_68C7_2103));
    }

    #[test]
    fn every_unit_counts() {
        let text = "0123456789".repeat(60);
        let whole = of(&text);
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert_ne!(of(std::str::from_utf8(&changed).expect("ASCII")), whole, "unit {at}");
        }
    }
}
