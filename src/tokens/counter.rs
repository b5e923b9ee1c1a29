//! Counting the tokens of one text after the other.

use std::ops::Range;
use std::sync::Mutex;

use super::classes::Classes;
use super::grammar::piece_end;
use super::merge::Merger;
use super::tokenizer::{Tokenizer, estimate};
use super::vocabulary::{Key, Vocabulary};
use crate::text::Text;
use crate::text::hashing::TextMap;

/// Short pieces whose count is remembered: 256 KiB, which stay in the processor's cache. A power of two.
const REMEMBERED: usize = 16384;
/// Longer pieces whose count is remembered, and how long they may be in bytes: a line drawn across a terminal has 500.
const REMEMBERED_LONG: usize = 8192;
const MAX_REMEMBERED: usize = 512;
/// A piece of so many tokens is shared out between the places it reaches beyond.
const SHARED: usize = 8;
/// Memories that are kept between counters, and how large a buffer may be in one, in bytes.
const MAX_IDLE: usize = 4;
const MAX_IDLE_BUFFER: usize = 1 << 20;

/// Counts tokens, and remembers those of frequent pieces. What it remembers goes to the counters that come after it.
#[derive(Debug)]
pub struct Counter {
    tokenizer: Tokenizer,
    memory: Memory,
}

#[derive(Debug, Default)]
struct Memory {
    utf8: Vec<u8>,
    short: Vec<u128>,
    long: TextMap<Box<[u8]>, u32>,
    merger: Merger,
}

impl Counter {
    /// A counter of the tokenizer's tokens.
    pub fn new(tokenizer: Tokenizer) -> Self {
        let idle = idle_memories(tokenizer).and_then(|idle| idle.lock().ok()?.pop());
        Counter { tokenizer, memory: idle.unwrap_or_default() }
    }

    /// Adds to `counts`, for each place in `ends` (in order, in UTF-16 code units), the tokens of `text` up to there. A piece
    /// of text that reaches beyond a place, which is cut only where the tokenizer cuts, counts where it starts, or is shared out
    /// where it has many tokens; the last count is that of the text where the last place is its end.
    pub fn count_up_to(&mut self, text: Text<'_>, ends: &[usize], counts: &mut Vec<f64>) {
        let vocabulary = match self.tokenizer {
            Tokenizer::Estimate => {
                // What rounding adds belongs to the text as a whole.
                let is_whole = |place: usize| place + 1 == ends.len() && ends[place] == text.len();
                let count = |(place, &end)| if is_whole(place) { estimate(end) as f64 } else { end as f64 / 3.5 };
                counts.extend(ends.iter().enumerate().map(count));
                return;
            }
            Tokenizer::O200kBase => Vocabulary::o200k_base(),
            Tokenizer::Cl100kBase => Vocabulary::cl100k_base(),
        };
        let Some(units) = text.units() else {
            return self.memory.count_up_to(vocabulary, text.bytes(), ends.iter().copied(), counts);
        };
        let mut utf8 = std::mem::take(&mut self.memory.utf8);
        let mut places = Vec::with_capacity(ends.len());
        encode(text.bytes(), units, &mut utf8, |units, bytes| {
            let is_ascii = units.len() == bytes.len();
            while let Some(&end) = ends.get(places.len()).filter(|&&end| end <= units.end) {
                // A pair that a place would cut belongs to what stands before it.
                let after = if is_ascii { end - units.start } else { bytes.len() };
                places.push(bytes.start + if end == units.start { 0 } else { after });
            }
        });
        // An empty text has no runs.
        places.resize(ends.len(), utf8.len());
        self.memory.count_up_to(vocabulary, &utf8, places.into_iter(), counts);
        self.memory.utf8 = utf8;
    }

    /// The tokens of `text`; see [`Tokenizer::count`].
    pub fn count(&mut self, text: Text<'_>) -> usize {
        let vocabulary = match self.tokenizer {
            Tokenizer::Estimate => return estimate(text.len()),
            Tokenizer::O200kBase => Vocabulary::o200k_base(),
            Tokenizer::Cl100kBase => Vocabulary::cl100k_base(),
        };
        let Some(units) = text.units() else { return self.memory.count(vocabulary, text.bytes()) };
        let mut utf8 = std::mem::take(&mut self.memory.utf8);
        encode(text.bytes(), units, &mut utf8, |_, _| {});
        let count = self.memory.count(vocabulary, &utf8);
        self.memory.utf8 = utf8;
        count
    }
}

impl Tokenizer {
    /// Counts the tokens of `text`. A lone surrogate counts as U+FFFD, which is sent in its place.
    ///
    /// For many texts, one [`Counter`] is faster.
    pub fn count(self, text: Text<'_>) -> usize {
        Counter::new(self).count(text)
    }
}

/// Makes `utf8` the text of `units`, which are folded to `bytes`. Shows `visit` the places of runs of ASCII, and of each other
/// character, before and after.
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
            // A lone surrogate is what a text can't say in UTF-8.
            let char = char::decode_utf16(units[at..].iter().copied()).next().and_then(Result::ok);
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
            utf8.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            char.len_utf16()
        };
        visit(at..at + length, start..utf8.len());
        at += length;
    }
}

/// How many bytes at the beginning are ASCII.
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

/// Where counters leave what they remember.
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
    /// The tokens of `text`, which is UTF-8.
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
                let missing =
                    if tokens < SHARED { 0.0 } else { ((start - end) * tokens) as f64 / (start - last) as f64 };
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

    /// Shows `visit` where each piece of `text` starts, and its tokens.
    fn for_each_piece(&mut self, vocabulary: &Vocabulary, text: &[u8], mut visit: impl FnMut(usize, usize)) {
        if self.short.is_empty() {
            self.short = vec![0; REMEMBERED];
        }
        let classes = Classes::get();
        let mut start = 0;
        while start < text.len() {
            let end = piece_end(vocabulary.grammar, classes, text, start);
            let count = match Key::new(text, start, end) {
                Some(key) => {
                    let slot = (key.hash() >> 48) as usize & (REMEMBERED - 1);
                    match key.value_in(self.short[slot]) {
                        Some(count) => count as usize,
                        None => {
                            let count = self.count_piece(vocabulary, text, start, end);
                            self.short[slot] = key.with_value(count as u32);
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
