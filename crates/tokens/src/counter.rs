//! Counts the tokens of one text after the other.

use std::ops::Range;
use std::sync::Mutex;

use super::grammar::piece_end;
use super::merge::Merger;
use super::tokenizer::{Tokenizer, estimate};
use super::vocabulary::{Key, Vocabulary};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;

/// Sets of slots for the counts of short pieces, a power of two: 512 KiB, which stay in the processor's cache.
const SETS: usize = 8192;
/// Slots of a set, which is one line of the processor's cache.
const WAYS: usize = 4;
/// Maximum number of longer pieces whose count is cached, and their length in bytes: a line drawn across a terminal has 500.
const REMEMBERED_LONG: usize = 8192;
const MAX_REMEMBERED: usize = 512;
/// Minimum tokens of a piece that is divided between the places inside it.
const SHARED: usize = 8;
/// Maximum number of caches that are kept between counters, and of bytes in their buffers.
const MAX_IDLE: usize = 4;
const MAX_IDLE_BUFFER: usize = 1 << 20;

/// Counts tokens with a cache for frequent pieces, which is passed on to later counters.
#[derive(Debug)]
pub struct Counter {
    tokenizer: Tokenizer,
    memory: Memory,
}

#[derive(Debug, Default)]
struct Memory {
    utf8: Vec<u8>,
    short: Vec<Set>,
    long: TextMap<Box<[u8]>, u32>,
    merger: Merger,
}

/// Counts of pieces, the newest first.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Set([u128; WAYS]);

impl Set {
    #[inline(always)]
    fn get(&self, key: Key) -> Option<u32> {
        self.0.iter().find_map(|&slot| key.value_in(slot))
    }

    fn add(&mut self, slot: u128) {
        self.0.copy_within(..WAYS - 1, 1);
        self.0[0] = slot;
    }
}

impl Counter {
    pub fn new(tokenizer: Tokenizer) -> Self {
        let idle = idle_memories(tokenizer).and_then(|idle| idle.lock().ok()?.pop());
        Counter { tokenizer, memory: idle.unwrap_or_default() }
    }

    /// Adds to `counts` the tokens of `text` up to each place in `ends` (ascending, in UTF-16 code units).
    ///
    /// A piece that reaches beyond a place counts where it starts, or is divided in proportion if it has many tokens. If the last
    /// place is the end of the text, the last count is that of the text.
    pub fn count_up_to(&mut self, text: Text<'_>, ends: &[usize], counts: &mut Vec<f64>) {
        let Some(vocabulary) = self.tokenizer.vocabulary() else {
            // Only the whole text is rounded.
            let is_whole = |place: usize| place + 1 == ends.len() && ends[place] == text.len();
            let count = |(place, &end)| if is_whole(place) { estimate(end) as f64 } else { end as f64 / 3.5 };
            return counts.extend(ends.iter().enumerate().map(count));
        };
        let Some(units) = text.units() else {
            return self.memory.count_up_to(vocabulary, text.bytes(), ends.iter().copied(), counts);
        };
        let mut utf8 = std::mem::take(&mut self.memory.utf8);
        let mut places = Vec::with_capacity(ends.len());
        encode(text.bytes(), units, &mut utf8, |units, bytes| {
            let is_ascii = units.len() == bytes.len();
            while let Some(&end) = ends.get(places.len()).filter(|&&end| end <= units.end) {
                // A surrogate pair that a place would split counts before it.
                let after = if is_ascii { end - units.start } else { bytes.len() };
                places.push(bytes.start + if end == units.start { 0 } else { after });
            }
        });
        // An empty text has no runs.
        places.resize(ends.len(), utf8.len());
        self.memory.count_up_to(vocabulary, &utf8, places.into_iter(), counts);
        self.memory.utf8 = utf8;
    }

    /// Counts the tokens of `text`; see [`Tokenizer::count`]. Takes time linear in its length.
    pub fn count(&mut self, text: Text<'_>) -> usize {
        let Some(vocabulary) = self.tokenizer.vocabulary() else { return estimate(text.len()) };
        let Some(units) = text.units() else { return self.memory.count(vocabulary, text.bytes()) };
        let mut utf8 = std::mem::take(&mut self.memory.utf8);
        encode(text.bytes(), units, &mut utf8, |_, _| {});
        let count = self.memory.count(vocabulary, &utf8);
        self.memory.utf8 = utf8;
        count
    }
}

impl Tokenizer {
    /// The vocabulary of an exact tokenizer.
    fn vocabulary(self) -> Option<&'static Vocabulary> {
        match self {
            Tokenizer::Estimate => None,
            Tokenizer::O200kBase => Some(Vocabulary::o200k_base()),
            Tokenizer::Cl100kBase => Some(Vocabulary::cl100k_base()),
        }
    }

    /// Counts the tokens of `text`. A lone surrogate counts as U+FFFD, which is sent in its place.
    ///
    /// For many texts, one [`Counter`] is faster.
    pub fn count(self, text: Text<'_>) -> usize {
        Counter::new(self).count(text)
    }
}

/// Encodes `units`, which are folded to `bytes`, as UTF-8. Calls `visit` with the ranges of each run of ASCII and of each other
/// character, in units and in UTF-8.
fn encode(bytes: &[u8], units: &[u16], utf8: &mut Vec<u8>, mut visit: impl FnMut(Range<usize>, Range<usize>)) {
    utf8.clear();
    let mut at = 0;
    while at < units.len() {
        let start = utf8.len();
        let ascii = ascii_length(&bytes[at..]);
        let length = if ascii > 0 {
            utf8.extend_from_slice(&bytes[at..at + ascii]);
            ascii
        } else {
            // UTF-8 has no lone surrogates.
            let char = char::decode_utf16(units[at..].iter().copied()).next().and_then(Result::ok);
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
            utf8.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            char.len_utf16()
        };
        visit(at..at + length, start..utf8.len());
        at += length;
    }
}

/// Returns the number of ASCII bytes at the start.
fn ascii_length(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<32>();
    let whole = 32 * chunks.iter().take_while(|chunk| chunk.is_ascii()).count();
    whole + bytes[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

impl Drop for Counter {
    fn drop(&mut self) {
        if let Some(Ok(mut idle)) = idle_memories(self.tokenizer).map(Mutex::lock)
            && idle.len() < MAX_IDLE
            && self.memory.utf8.capacity() <= MAX_IDLE_BUFFER
        {
            idle.push(std::mem::take(&mut self.memory));
        }
    }
}

/// Returns the caches of counters that were dropped.
fn idle_memories(tokenizer: Tokenizer) -> Option<&'static Mutex<Vec<Memory>>> {
    static O200K_BASE: Mutex<Vec<Memory>> = Mutex::new(Vec::new());
    static CL100K_BASE: Mutex<Vec<Memory>> = Mutex::new(Vec::new());
    match tokenizer {
        Tokenizer::Estimate => None,
        Tokenizer::O200kBase => Some(&O200K_BASE),
        Tokenizer::Cl100kBase => Some(&CL100K_BASE),
    }
}

impl Memory {
    /// `text` is UTF-8.
    fn count(&mut self, vocabulary: &Vocabulary, text: &[u8]) -> usize {
        let mut total = 0;
        self.for_each_piece(vocabulary, text, |_, count| total += count);
        total
    }

    /// Adds the tokens up to each place.
    fn count_up_to(
        &mut self,
        vocabulary: &Vocabulary,
        text: &[u8],
        ends: impl Iterator<Item = usize>,
        counts: &mut Vec<f64>,
    ) {
        let mut ends = ends.peekable();
        let (mut total, mut last, mut tokens) = (0, 0, 0);
        let mut up_to = |start: usize, total: usize, last: usize, tokens: usize| {
            while let Some(end) = ends.next_if(|&end| end <= start) {
                // In floating point, because the product may exceed the 32 bits of a `usize` in WebAssembly.
                let share = || (start - end) as f64 * tokens as f64 / (start - last) as f64;
                let missing = if tokens < SHARED { 0.0 } else { share() };
                counts.push(total as f64 - missing);
            }
        };
        self.for_each_piece(vocabulary, text, |start, count| {
            up_to(start, total, last, tokens);
            total += count;
            (last, tokens) = (start, count);
        });
        up_to(text.len(), total, last, tokens);
    }

    /// Calls `visit` with the start and the tokens of each piece of `text`.
    fn for_each_piece(&mut self, vocabulary: &Vocabulary, text: &[u8], mut visit: impl FnMut(usize, usize)) {
        if self.short.is_empty() {
            self.short = vec![Set::default(); SETS];
        }
        let mut start = 0;
        while start < text.len() {
            let end = piece_end(vocabulary.grammar, text, start);
            let count = match Key::new(text, start, end) {
                // Every byte is a token.
                _ if end - start == 1 => 1,
                Some(key) => {
                    let set = (key.hash() >> 48) as usize & (SETS - 1);
                    match self.short[set].get(key) {
                        Some(count) => count as usize,
                        None => {
                            let count = self.count_piece(vocabulary, text, start, end);
                            self.short[set].add(key.with_value(count as u32));
                            count
                        }
                    }
                }
                None => self.count_long(vocabulary, text, start, end),
            };
            visit(start, count);
            start = end;
        }
    }

    fn count_long(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        let piece = &text[start..end];
        if piece.len() > MAX_REMEMBERED {
            return self.count_piece(vocabulary, text, start, end);
        }
        if let Some(&count) = self.long.get(piece) {
            return count as usize;
        }
        let count = self.count_piece(vocabulary, text, start, end);
        if self.long.len() == REMEMBERED_LONG {
            self.long.clear();
        }
        self.long.insert(piece.into(), count as u32);
        count
    }

    fn count_piece(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize, end: usize) -> usize {
        if vocabulary.contains(text, start, end) { 1 } else { self.merger.count(vocabulary, text, start..end) }
    }
}
