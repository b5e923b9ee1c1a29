//! SIMD within a register: eight ASCII characters at a time, as the bytes of a number, on any processor.

/// A one in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Returns a number with the highest bit of each byte set that is in `first..=last`. A byte that is not ASCII is never
/// set, but its carry may make the bytes after it wrong.
#[inline(always)]
pub fn between(bytes: u64, first: u8, last: u8) -> u64 {
    // The additions set the highest bit of bytes from `first` on, and of bytes above `last`.
    let from_first = bytes.wrapping_add(EACH * u64::from(0x80 - first));
    let after_last = bytes.wrapping_add(EACH * u64::from(0x7F - last));
    from_first & !after_last & !bytes & (EACH << 7)
}

/// Converts eight ASCII characters to lowercase.
#[inline(always)]
pub fn lowercase(bytes: u64) -> u64 {
    bytes | (between(bytes, b'A', b'Z') >> 2)
}

/// Returns the number of lowercase letters at the beginning.
#[inline(always)]
pub fn small_letters(bytes: [u8; 8]) -> usize {
    let others = !between(u64::from_le_bytes(bytes), b'a', b'z') & (EACH << 7);
    others.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_are_counted_as_one_would() {
        let others = [b'a' - 1, b'z' + 1, b'A', b'Z', b' ', b'0', 0, 0x7F, 0x80, 0xC3, 0xE1, 0xFA, 0xFF];
        for at in 0..8 {
            for first in others {
                for second in others {
                    let mut bytes = *b"azbymnxa";
                    bytes[at] = first;
                    bytes[7] = second;
                    let expected = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
                    assert_eq!(small_letters(bytes), expected, "{bytes:?}");
                }
            }
        }
        assert_eq!(small_letters(*b"azbymnxa"), 8);
    }
}
