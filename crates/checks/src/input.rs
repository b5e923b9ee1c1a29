//! Interprets bytes as texts, records and options.

use palimpsest_text::TextBuf;

/// Reads `bytes` as a text: as UTF-8 if they are valid, else as UTF-16 code units of any value.
pub(crate) fn units_of(bytes: &[u8]) -> Vec<u16> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.encode_utf16().collect(),
        Err(_) => bytes.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit)).collect(),
    }
}

/// Builds a text of `units`.
pub(crate) fn buffer(units: &[u16]) -> TextBuf {
    let mut text = TextBuf::new();
    text.push_units(units);
    text
}

/// Splits `bytes` into a line of options and records, which begin with the separator U+001E.
pub(crate) fn records(bytes: &[u8]) -> (&[u8], impl Iterator<Item = &[u8]>) {
    let mut records = bytes.split(|&byte| byte == 0x1E);
    (records.next().unwrap_or_default(), records)
}

/// Numbers of a line of options: one for each character, 0 for `0` and beyond the end.
pub(crate) struct Digits<'a>(pub std::slice::Iter<'a, u8>);

impl Digits<'_> {
    /// Returns the next number.
    pub(crate) fn number(&mut self) -> u8 {
        self.0.next().map_or(0, |byte| byte.wrapping_sub(b'0'))
    }

    /// Returns whether the next number is odd.
    pub(crate) fn flag(&mut self) -> bool {
        self.number() & 1 == 1
    }

    /// Returns the element of `from` that the next number selects.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.number()) % from.len()]
    }
}
