//! Numbers with a unit, such as `12.5 MB` or `3 retries`.

use crate::text::class::{DIGIT, WORD, is_at};
use crate::text::masks::Scanned;

/// The longest unit, in characters.
const LONGEST: usize = 9;

/// Finds where numbers end that might have a unit or be a version, block by block.
#[derive(Debug, Default)]
pub struct Numbers {
    /// Whether the last block ended in a letter that starts a word, with a digit behind it.
    letter_before: u64,
    /// Whether a number goes on from the last block.
    carry: u64,
}

impl Numbers {
    /// Whether no number goes on from the last block.
    pub fn is_between(&self) -> bool {
        self.letter_before | self.carry == 0
    }

    /// The units behind runs of digits that start a word or follow its first letter, a small one, as a mask of block
    /// `number`: those that a unit or another part of a version may start at or follow. `starts` are the starts of words.
    #[inline(always)]
    pub fn ends(&mut self, text: Scanned<'_>, number: usize, starts: u64) -> u64 {
        let block = &text.blocks[number];
        let digit_behind = text.next(number, |block| block.digit);
        let letters = starts & block.lower & digit_behind;
        let firsts = starts & block.digit | letters << 1 | std::mem::replace(&mut self.letter_before, letters >> 63);
        // As in `vowelless_ends`, the sum carries each first digit to the end of its run.
        let (sum, overflow) = block.digit.overflowing_add(firsts);
        let (sum, overflow_too) = sum.overflowing_add(self.carry);
        self.carry = u64::from(overflow | overflow_too);
        let ends = sum & !block.digit;
        if ends == 0 {
            return 0;
        }
        // The percent sign is among the special characters.
        let unit_behind = text.next(number, |block| block.letter() | block.space | block.special);
        ends & (block.letter() | block.special | block.space & unit_behind | block.dot & digit_behind)
    }
}

/// The end of the number that `digits_end` is the first end of: behind its fraction, if it has one.
pub fn fraction_end(text: Scanned<'_>, digits_end: usize) -> usize {
    let has_fraction = text.bytes.get(digits_end) == Some(&b'.') && is_at(text.bytes, digits_end + 1, DIGIT);
    if has_fraction { text.run_end(digits_end + 1, |block| block.digit) } else { digits_end }
}

/// A unit behind a number.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Position behind its last unit of text.
    pub end: usize,
    /// Whether it makes the number an entity.
    pub makes_entity: bool,
    /// Whether it raises the score of its sentence.
    pub raises_score: bool,
}

/// The unit that follows a number with its end at `number_end`: a word or a percent sign, behind any white space.
///
/// A boundary must follow, so `%` is a unit only where a word character stands right behind it.
#[inline]
pub fn unit_behind(text: Scanned<'_>, number_end: usize) -> Option<Unit> {
    let bytes = text.bytes;
    let unit = text.run_end(number_end, |block| block.space);
    let first = *bytes.get(unit)?;
    if first == b'%' {
        let end = unit + 1;
        return is_at(bytes, end, WORD).then_some(Unit { end, makes_entity: true, raises_score: true });
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let end = text.run_end(unit, |block| block.word);
    let mut lowered = [0; LONGEST];
    let word = lowered.get_mut(..end - unit)?;
    word.copy_from_slice(&bytes[unit..end]);
    word.make_ascii_lowercase();
    let (makes_entity, raises_score) = kinds(word);
    Some(Unit { end, makes_entity, raises_score })
}

/// Whether a unit, in lowercase, makes an entity, and whether it raises a score.
fn kinds(unit: &[u8]) -> (bool, bool) {
    match unit {
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
