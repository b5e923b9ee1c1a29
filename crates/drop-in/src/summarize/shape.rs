//! Shapes of words: names of code, and words without a vowel.

use palimpsest_text::class::{LOWER, UPPER, is, run_end};
use palimpsest_text::masks::{BLOCK, Block, Scanned, positions};

/// Shape of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `readToken`.
    Camel,
    /// `TokenStream`.
    Pascal,
    /// `read_token`.
    Snake,
    /// Any other.
    Plain,
}

/// Returns the shape of the word `start..end`.
pub(super) fn shape(text: Scanned<'_>, start: usize, end: usize) -> Shape {
    let length = end - start;
    if length > BLOCK {
        return shape_of_bytes(&text.bytes[start..end]);
    }
    let inside = !0 >> (BLOCK - length);
    let upper = text.window(start, |block| block.upper) & inside;
    let lower = text.window(start, |block| block.lower) & inside;
    let other = inside & !(upper | lower);
    if other == 0 {
        // A lowercase letter follows each capital.
        let is_humped = upper & !(lower >> 1) == 0;
        return match (is_humped, lower & 1 != 0) {
            (true, true) if upper != 0 => Shape::Camel,
            (true, false) if upper.count_ones() >= 2 => Shape::Pascal,
            _ => Shape::Plain,
        };
    }
    let at_ends = 1 | 1 << (length - 1);
    let is_snake =
        upper == 0 && other & text.window(start, |block| block.digit) == 0 && other & (other << 1 | at_ends) == 0;
    if is_snake { Shape::Snake } else { Shape::Plain }
}

/// Returns the shape of `word`, of any length.
fn shape_of_bytes(word: &[u8]) -> Shape {
    let mut at = run_end(word, 0, LOWER);
    let starts_low = at > 0;
    if word.get(at) == Some(&b'_') {
        return if is_snake(word) { Shape::Snake } else { Shape::Plain };
    }
    let mut humps = 0;
    while at < word.len() {
        let end = run_end(word, at + 1, LOWER);
        if !is(word[at], UPPER) || end == at + 1 {
            return Shape::Plain;
        }
        humps += 1;
        at = end;
    }
    match (starts_low, humps) {
        (true, 1..) => Shape::Camel,
        (false, 2..) => Shape::Pascal,
        _ => Shape::Plain,
    }
}

/// Calls `visit` with the shape, start and end of every name of code in `text`.
pub fn for_each_identifier(text: Scanned<'_>, mut visit: impl FnMut(Shape, usize, usize)) {
    let (mut before, mut shaped_to) = (0, 0);
    for (number, block) in text.blocks[..text.blocks.len() - 1].iter().enumerate() {
        let lower_before = block.lower << 1 | before;
        before = block.lower >> 63;
        let lower_after = text.next(number, |block| block.lower);
        // A capital inside a word, or an underscore between lowercase letters.
        for at in positions(number, lower_before & (block.upper | block.underscore() & lower_after)) {
            if at < shaped_to {
                continue;
            }
            let (start, end) = text.word_around(at);
            shaped_to = end;
            match shape(text, start, end) {
                Shape::Plain => {}
                shape => visit(shape, start, end),
            }
        }
    }
}

/// Returns whether `word` is a name such as `read_token`.
fn is_snake(word: &[u8]) -> bool {
    let is_piece = |piece: &[u8]| !piece.is_empty() && run_end(piece, 0, LOWER) == piece.len();
    word.contains(&b'_') && word.split(|&byte| byte == b'_').all(is_piece)
}

/// Returns the positions after words without a vowel, as a mask of `block`. `starts` are the starts of words in it, and
/// `carry` is the carry of the last block.
///
/// Adding the starts of words to the mask of consonants carries each start to the end of its run of consonants. If the
/// word does not continue there, it consists of consonants only. The empty block at the end of a text takes the last
/// carry.
#[inline(always)]
pub(super) fn vowelless_ends(block: &Block, starts: u64, carry: &mut u64) -> u64 {
    let consonant = block.letter() & !block.vowel;
    let (sum, overflow) = consonant.overflowing_add(starts & consonant);
    let (sum, overflow_too) = sum.overflowing_add(*carry);
    *carry = u64::from(overflow | overflow_too);
    sum & !consonant & !block.word
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::masks::Scratch;
    use palimpsest_text::random::below;

    #[test]
    fn masks_and_bytes_tell_the_same_shapes() {
        let mut random = below();
        let mut seen = [0; 4];
        for _ in 0..50_000 {
            let letters = [b"abCD_".as_slice(), b"aaaaaaB", b"aaa_", b"aB1_"][random(4)];
            let word: Vec<u8> = (0..1 + random(70)).map(|_| letters[random(letters.len())]).collect();
            let text = [vec![b' '; random(100)], word.clone(), b" x".to_vec()].concat();
            let start = text.len() - 2 - word.len();
            let mut scratch = Scratch::default();
            let found = shape(scratch.scan(&text), start, start + word.len());
            assert_eq!(found, shape_of_bytes(&word), "{:?}", String::from_utf8_lossy(&word));
            seen[found as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
