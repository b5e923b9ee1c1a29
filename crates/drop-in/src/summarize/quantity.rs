//! Numbers with a suffix, such as `12.5 MB` or `3 retries`.

use palimpsest_text::class::{DIGIT, WORD, is_at};
use palimpsest_text::masks::Scanned;

/// Maximum length of a suffix, in characters.
const MAX_LENGTH: usize = 9;

/// Finds the ends of numbers that may have a suffix or be a version, block by block.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Whether the last block ended in a letter that starts a word, followed by a digit.
    letter_before: u64,
    /// Whether a number continues from the last block.
    carry: u64,
}

impl Numbers {
    /// Returns whether no number continues from the last block.
    pub(super) fn is_between(&self) -> bool {
        self.letter_before | self.carry == 0
    }

    /// Returns the positions after runs of digits that start a word or follow its first, lowercase letter, as a mask of
    /// block `number`: only those at or after which a suffix or another part of a version may start. `starts` are the
    /// starts of words.
    #[inline(always)]
    pub(super) fn ends(&mut self, text: Scanned<'_>, number: usize, starts: u64) -> u64 {
        let block = &text.blocks[number];
        let digit_after = text.next(number, |block| block.digit);
        let letters = starts & block.lower & digit_after;
        let firsts = starts & block.digit | letters << 1 | std::mem::replace(&mut self.letter_before, letters >> 63);
        // As in `vowelless_ends`, the sum carries each first digit to the end of its run.
        let (sum, overflow) = block.digit.overflowing_add(firsts);
        let (sum, overflow_too) = sum.overflowing_add(self.carry);
        self.carry = u64::from(overflow | overflow_too);
        let ends = sum & !block.digit;
        if ends == 0 {
            return 0;
        }
        // The percent sign is a special character.
        let may_be_suffix = text.next(number, |block| block.letter() | block.space | block.special);
        ends & (block.letter() | block.special | block.space & may_be_suffix | block.dot & digit_after)
    }
}

/// Returns the end of the number whose integer part ends at `digits_end`, including its fraction, if any.
pub(super) fn fraction_end(text: Scanned<'_>, digits_end: usize) -> usize {
    let has_fraction = text.bytes.get(digits_end) == Some(&b'.') && is_at(text.bytes, digits_end + 1, DIGIT);
    if has_fraction { text.run_end(digits_end + 1, |block| block.digit) } else { digits_end }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Suffix {
    /// End, exclusive, in UTF-16 code units.
    pub end: usize,
    pub makes_entity: bool,
    /// Whether it raises the score of its sentence.
    pub raises_score: bool,
}

/// Returns the suffix of a number that ends at `number_end`: a word or a percent sign, after any white space.
///
/// A boundary must follow, so `%` is a suffix only if a word character follows directly.
#[inline]
pub(super) fn suffix_after(text: Scanned<'_>, number_end: usize) -> Option<Suffix> {
    let bytes = text.bytes;
    let start = text.run_end(number_end, |block| block.space);
    let first = *bytes.get(start)?;
    if first == b'%' {
        let end = start + 1;
        return is_at(bytes, end, WORD).then_some(Suffix { end, makes_entity: true, raises_score: true });
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let end = text.run_end(start, |block| block.word);
    let mut lowered = [0; MAX_LENGTH];
    let word = lowered.get_mut(..end - start)?;
    word.copy_from_slice(&bytes[start..end]);
    word.make_ascii_lowercase();
    let (makes_entity, raises_score) = kinds(word);
    Some(Suffix { end, makes_entity, raises_score })
}

/// Returns whether a lowercase suffix makes an entity, and whether it raises a score.
fn kinds(suffix: &[u8]) -> (bool, bool) {
    match suffix {
        b"second" | b"seconds" | b"ms" | b"mb" | b"gb" | b"tb" | b"kb" | b"retrie" | b"retries" | b"worker"
        | b"workers" | b"thread" | b"threads" | b"node" | b"nodes" | b"replica" | b"replicas" | b"request"
        | b"requests" => (true, true),
        b"attempt" | b"attempts" | b"byte" | b"bytes" | b"day" | b"days" | b"error" | b"errors" | b"hour"
        | b"hours" | b"instance" | b"instances" | b"minute" | b"minutes" | b"user" | b"users" | b"percent" => {
            (true, false)
        }
        _ => (false, false),
    }
}
