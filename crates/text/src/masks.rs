//! Bit masks of texts: one word per class and 64 code units, whose bits tell which units belong to the class.
//!
//! Most code units of a text do not matter to most rules. With masks, a rule jumps from one interesting position to the
//! next, 64 code units at a time, instead of reading each.

use super::simd::classify_blocks;

pub use super::block::{BLOCK, Block, CaseMasks};
pub use super::simd::case_masks;

/// Buffer for the masks of a text, reused for the next one.
#[derive(Debug, Default)]
pub struct Scratch(Vec<Block>);

/// A text with its masks.
#[derive(Clone, Copy, Debug)]
pub struct Scanned<'a> {
    /// The folded text.
    pub bytes: &'a [u8],
    /// One block for each 64 code units, one for the rest (even if empty), and an empty one after them.
    pub blocks: &'a [Block],
}

impl Scratch {
    /// Reads `bytes`.
    pub fn scan<'a>(&'a mut self, bytes: &'a [u8]) -> Scanned<'a> {
        let blocks = &mut self.0;
        blocks.clear();
        blocks.reserve(bytes.len() / BLOCK + 2);
        let (chunks, rest) = bytes.as_chunks();
        classify_blocks(chunks, blocks);
        // A zero byte belongs to no class.
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        classify_blocks(&[last], blocks);
        blocks.push(Block::default());
        Scanned { bytes, blocks }
    }
}

impl<'a> Scanned<'a> {
    /// Returns the number of each block, the block, and the starts of words in it.
    #[inline(always)]
    pub fn word_starts(self) -> impl Iterator<Item = (usize, &'a Block, u64)> {
        let mut before = 0;
        self.blocks[..self.blocks.len() - 1].iter().enumerate().map(move |(number, block)| {
            let word = block.word;
            let starts = word & !(word << 1 | before);
            before = word >> 63;
            (number, block, starts)
        })
    }

    /// Returns the mask of the 64 code units from `at` on.
    #[inline(always)]
    pub fn window(self, at: usize, class: impl Fn(&Block) -> u64) -> u64 {
        let (number, offset) = (at / BLOCK, at % BLOCK);
        // Two shifts, because a shift by 64 bits is not allowed.
        class(&self.blocks[number]) >> offset | class(&self.blocks[number + 1]) << 1 << (BLOCK - 1 - offset)
    }

    /// Returns the length of the word, or the rest of one, that starts at `at`; at most 64.
    #[inline(always)]
    pub fn word_length(self, at: usize) -> usize {
        self.window(at, |block| block.word).trailing_ones() as usize
    }

    /// Returns the start and end of the word at `at`.
    #[inline(always)]
    pub fn word_around(self, at: usize) -> (usize, usize) {
        (self.run_start(at, |block| block.word), self.run_end(at, |block| block.word))
    }

    /// Returns the pieces between any line terminators, as `(start, end)`.
    pub fn lines(self) -> impl Iterator<Item = (usize, usize)> {
        self.pieces(|block| block.line_end)
    }

    /// Returns the pieces between LFs, as `(start, end)`; a CR stays at the end of its piece. There is always at least
    /// one.
    pub fn lf_lines(self) -> impl Iterator<Item = (usize, usize)> {
        self.pieces(|block| block.lf)
    }

    #[inline(always)]
    fn pieces(self, ends: impl Fn(&Block) -> u64) -> impl Iterator<Item = (usize, usize)> {
        let mut start = 0;
        let ends = self.blocks.iter().enumerate().flat_map(move |(number, block)| positions(number, ends(block)));
        ends.chain(std::iter::once(self.bytes.len())).map(move |end| (std::mem::replace(&mut start, end + 1), end))
    }

    /// Returns the first of two consecutive LFs at or after `from`; the length of the text if there are none.
    #[inline(always)]
    pub fn find_blank_line(self, from: usize) -> usize {
        let pairs = |number: usize| self.blocks[number].lf & self.next(number, |block| block.lf);
        let mut number = from / BLOCK;
        let mut found = pairs(number) & (!0 << (from % BLOCK));
        while found == 0 {
            number += 1;
            if number + 1 == self.blocks.len() {
                return self.bytes.len();
            }
            found = pairs(number);
        }
        number * BLOCK + found.trailing_zeros() as usize
    }

    /// Returns the mask of `class`, shifted by one: each bit tells about the code unit after that of block `number`.
    #[inline(always)]
    pub fn next(self, number: usize, class: impl Fn(&Block) -> u64) -> u64 {
        class(&self.blocks[number]) >> 1 | class(&self.blocks[number + 1]) << 63
    }

    /// Returns the first position of `class` at or after `from`; the length of the text if there is none.
    #[inline(always)]
    pub fn find(self, from: usize, class: impl Fn(&Block) -> u64) -> usize {
        let mut number = from / BLOCK;
        let mut found = class(&self.blocks[number]) & (!0 << (from % BLOCK));
        while found == 0 {
            number += 1;
            match self.blocks.get(number) {
                Some(block) => found = class(block),
                None => return self.bytes.len(),
            }
        }
        number * BLOCK + found.trailing_zeros() as usize
    }

    /// Returns the number of code units of `class`.
    #[inline(always)]
    pub fn count(self, class: impl Fn(&Block) -> u64) -> u64 {
        self.blocks.iter().map(|block| u64::from(class(block).count_ones())).sum()
    }

    /// Returns whether `start..end` contains a code unit of `class`.
    #[inline(always)]
    pub fn any_in(self, start: usize, end: usize, class: impl Fn(&Block) -> u64) -> bool {
        (start / BLOCK..end.div_ceil(BLOCK))
            .any(|number| class(&self.blocks[number]) & bits_in(number, start, end) != 0)
    }

    /// Returns whether `start..end` contains only white space.
    #[inline(always)]
    pub fn is_blank(self, start: usize, end: usize) -> bool {
        !self.any_in(start, end, |block| !block.space)
    }

    /// Returns whether `is_wanted` holds for a maximal run, `(start, end)`, of `class` with at least `at_least` code
    /// units (2 to 64). Asks from left to right, up to the first such run.
    pub fn any_long_run(
        self,
        at_least: u32,
        class: impl Fn(&Block) -> u64,
        mut is_wanted: impl FnMut(usize, usize) -> bool,
    ) -> bool {
        let mut from = 0;
        for number in 0..self.blocks.len() - 1 {
            let (here, next) = (class(&self.blocks[number]), class(&self.blocks[number + 1]));
            if here.leading_ones() + next.trailing_ones() < at_least && !has_run(here, at_least) {
                continue;
            }
            let block_end = self.bytes.len().min((number + 1) * BLOCK);
            from = from.max(number * BLOCK);
            loop {
                let start = self.find(from, &class);
                if start >= block_end {
                    break;
                }
                from = self.run_end(start, &class);
                // A run that continues from the previous block was visited there.
                let is_rest = number > 0 && start == number * BLOCK && class(&self.blocks[number - 1]) >> 63 != 0;
                if !is_rest && from - start >= at_least as usize && is_wanted(start, from) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the end of the run of `class` that starts at `from`.
    #[inline(always)]
    pub fn run_end(self, from: usize, class: impl Fn(&Block) -> u64) -> usize {
        let mut number = from / BLOCK;
        // The loop ends at the last block at the latest, because it is empty.
        let mut outside = !class(&self.blocks[number]) & (!0 << (from % BLOCK));
        while outside == 0 {
            number += 1;
            outside = !class(&self.blocks[number]);
        }
        number * BLOCK + outside.trailing_zeros() as usize
    }

    /// Returns the start of the run of `class` that ends at `to`.
    #[inline(always)]
    pub fn run_start(self, to: usize, class: impl Fn(&Block) -> u64) -> usize {
        let mut number = to / BLOCK;
        let mut outside = !class(&self.blocks[number]) & !(!0 << (to % BLOCK));
        loop {
            if outside != 0 {
                return number * BLOCK + BLOCK - outside.leading_zeros() as usize;
            }
            if number == 0 {
                return 0;
            }
            number -= 1;
            outside = !class(&self.blocks[number]);
        }
    }
}

/// Returns the bits of block `number` that are in `start..end`.
#[inline(always)]
fn bits_in(number: usize, start: usize, end: usize) -> u64 {
    let first = number * BLOCK;
    let from = if start > first { !0 << (start - first) } else { !0 };
    let to = if end < first + BLOCK { !(!0 << (end - first)) } else { !0 };
    from & to
}

/// Returns whether `mask` has `length` consecutive ones.
#[inline(always)]
fn has_run(mut mask: u64, length: u32) -> bool {
    let mut known = 1;
    while known < length {
        // Each remaining one stands for `known` ones from there on.
        let step = known.min(length - known);
        mask &= mask >> step;
        known += step;
    }
    mask != 0
}

/// Returns the positions of the set bits of `mask`, which belongs to block `number`.
#[inline(always)]
pub fn positions(number: usize, mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let at = number * BLOCK + mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(at)
    })
}
