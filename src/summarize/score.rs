//! What a sentence is worth in a summary.

use std::sync::OnceLock;

use super::quantity::{Numbers, unit_end};
use super::sentences::sentences;
use super::shape::{Shape, shape, vowelless_ends};
use crate::text::class::{LETTER, SPACE, WORD, class, find, is_at, is_before, run_end, trim};
use crate::text::lexicon::{Term, lexicon};
use crate::text::masks::{BLOCK, Block, Scanned, Scratch, positions};
use crate::text::phrases::{Gap, Phrases, phrases};

const FILLERS: &[&str] = &[
    "absolutely",
    "alright",
    "awesome",
    "certainly",
    "cool",
    "exactly",
    "fantastic",
    "got it",
    "great",
    "i can",
    "i see",
    "i understand",
    "i would",
    "i'll",
    "indeed",
    "let me",
    "makes sense",
    "nice",
    "no",
    "no problem",
    "no worries",
    "noted",
    "now",
    "of course",
    "ok",
    "okay",
    "perfect",
    "right",
    "so",
    "sounds good",
    "sure",
    "thank you",
    "thanks",
    "understood",
    "well",
    "will do",
    "wonderful",
    "yes",
];
/// Whether a number may be followed by `word`, in lowercase. (So it may by a percent sign.)
fn is_unit(word: &[u8]) -> bool {
    matches!(
        word,
        b"second"
            | b"seconds"
            | b"ms"
            | b"mb"
            | b"gb"
            | b"tb"
            | b"kb"
            | b"retrie"
            | b"retries"
            | b"worker"
            | b"workers"
            | b"thread"
            | b"threads"
            | b"node"
            | b"nodes"
            | b"replica"
            | b"replicas"
            | b"request"
            | b"requests"
    )
}

const STATUS_WORDS: &[&[u8]] = &[b"PASS", b"FAIL", b"ERROR", b"WARNING", b"WARN"];

fn fillers() -> &'static Phrases<()> {
    static PHRASES: OnceLock<Phrases<()>> = OnceLock::new();
    PHRASES.get_or_init(|| Phrases::new(phrases(Gap::Blank, (), FILLERS).collect()))
}

/// What raises the scores of the sentences of a text, found in one walk over it.
#[derive(Debug, Default)]
pub struct Signs {
    signs: Vec<Sign>,
    /// For each block of the text the first sign that was found in it.
    firsts: Vec<u32>,
}

/// Something that is worth a mention.
#[derive(Clone, Copy, Debug)]
struct Sign {
    /// A position in it.
    at: u32,
    /// Position behind its last unit.
    end: u32,
    worth: Worth,
}

#[derive(Clone, Copy, Debug)]
enum Worth {
    /// Counts each time.
    Points(i32),
    /// Counts once in a sentence.
    Emphasis,
    /// Counts once in a sentence.
    Inference,
}

/// What [`Signs::read`] carries from one block to the next.
#[derive(Default)]
struct State {
    /// Whether the last block ended in a lowercase letter.
    lower_before: u64,
    vowelless_carry: u64,
    numbers: Numbers,
    /// Where the last word with a hump or an underscore ends.
    shaped_to: usize,
}

impl Signs {
    /// Reads `text`.
    pub fn read(&mut self, text: Scanned<'_>) {
        self.signs.clear();
        self.firsts.clear();
        let mut state = State::default();
        for (number, block, starts) in text.word_starts() {
            self.firsts.push(self.signs.len() as u32);
            self.read_block(text, number, block, starts, &mut state);
        }
        self.firsts.push(self.signs.len() as u32);
    }

    #[inline(always)]
    fn read_block(&mut self, text: Scanned<'_>, number: usize, block: &Block, starts: u64, state: &mut State) {
        let bytes = text.bytes;
        let lower_before = block.lower << 1 | std::mem::replace(&mut state.lower_before, block.lower >> 63);
        for at in positions(number, lower_before & (block.upper | block.underscore())) {
            if at >= state.shaped_to {
                let (start, end) = text.word_around(at);
                state.shaped_to = end;
                if shape(text, start, end) != Shape::Plain {
                    self.add(at, end, Worth::Points(3));
                }
            }
        }
        for at in positions(number, starts & block.upper & text.next(number, |block| block.upper)) {
            let end = text.run_end(at, |block| block.word);
            if STATUS_WORDS.contains(&&bytes[at..end]) {
                self.add(at, end, Worth::Points(3));
            }
        }
        for end in positions(number, vowelless_ends(block, starts, &mut state.vowelless_carry)) {
            if end - text.run_start(end, |block| block.word) >= 3 {
                self.add(end - 1, end, Worth::Points(2));
            }
        }
        for end in positions(number, state.numbers.ends(text, number, starts)) {
            if let Some(unit_end) = unit_end(text, end, is_unit)
                && !is_before(bytes, text.run_start(end, |block| block.digit), WORD)
            {
                self.add(end - 1, unit_end, Worth::Points(2));
            }
        }
        let lexicon = lexicon();
        for at in positions(number, starts & block.letter()) {
            let length = text.word_length(at);
            if lexicon.may_start(bytes, at, length) {
                for (term, end) in lexicon.all_at(bytes, at, at + length) {
                    match term {
                        Term::Emphasis => self.add(at, end, Worth::Emphasis),
                        Term::Inference => self.add(at, end, Worth::Inference),
                        _ => {}
                    }
                }
            }
        }
    }

    fn add(&mut self, at: usize, end: usize, worth: Worth) {
        self.signs.push(Sign { at: at as u32, end: end as u32, worth });
    }

    /// The score of the sentence `start..end` of `text`, the text that was read: the weights are the contract's (section
    /// 3.7b). No word reaches beyond the sentence, and no dot stands in it but at its end.
    pub fn score(&self, text: Scanned<'_>, start: usize, end: usize) -> i32 {
        let (mut points, mut emphasis, mut inference) = (0, false, false);
        let first = self.firsts[start / BLOCK] as usize;
        let last = self.firsts[(end / BLOCK + 1).min(self.firsts.len() - 1)] as usize;
        for sign in &self.signs[first..last] {
            if sign.at as usize >= start && sign.end as usize <= end {
                match sign.worth {
                    Worth::Points(worth) => points += worth,
                    Worth::Emphasis => emphasis = true,
                    Worth::Inference => inference = true,
                }
            }
        }
        let is_handy = (40..=120).contains(&(end - start));
        let is_filler = starts_with_filler(text, start, end);
        points + 4 * i32::from(emphasis) + 3 * i32::from(inference) + 2 * i32::from(is_handy)
            - 10 * i32::from(is_filler)
    }

    /// The score of what has no sentence.
    pub fn score_of_fragment(&self, text: Scanned<'_>, start: usize, end: usize) -> i32 {
        self.score(text, start, end) + 2 * file_line_marks(&text.bytes[start..end])
    }
}

/// The highest score of the sentences of `text`; of the trimmed text where it has none; 0 for the empty text.
pub fn best_sentence_score(text: &[u8]) -> i32 {
    if text.is_empty() {
        return 0;
    }
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text);
    let mut signs = Signs::default();
    signs.read(scanned);
    let best = sentences(scanned, 0, text.len()).map(|(start, end)| signs.score(scanned, start, end)).max();
    best.unwrap_or_else(|| {
        let (start, end) = trim(text, 0, text.len());
        signs.score_of_fragment(scanned, start, end)
    })
}

/// How many pieces without white space have a mark such as `.py:3:`.
fn file_line_marks(sentence: &[u8]) -> i32 {
    if memchr::memchr(b':', sentence).is_none() {
        return 0;
    }
    let mut count = 0;
    let mut at = 0;
    while at < sentence.len() {
        let start = run_end(sentence, at, SPACE);
        at = find(sentence, start, SPACE);
        count += i32::from(last_file_line_mark(&sentence[start..at]).is_some());
    }
    count
}

/// In a piece without white space: where the word behind the rightmost dot ends that has a line number, as in
/// `src/main.rs:10:`. The dot is not the first unit.
pub fn last_file_line_mark(token: &[u8]) -> Option<usize> {
    let mut colons = memchr::memrchr_iter(b':', token);
    let mut last = colons.next()?;
    for first in colons {
        let digits = &token[first + 1..last];
        last = first;
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            continue;
        }
        let mut dot = first;
        while dot > 0 && class(token[dot - 1]) & WORD != 0 {
            dot -= 1;
        }
        if dot < first && dot >= 2 && token[dot - 1] == b'.' {
            return Some(first);
        }
    }
    None
}

fn starts_with_filler(text: Scanned<'_>, start: usize, end: usize) -> bool {
    let sentence = &text.bytes[..end];
    if !is_at(sentence, start, LETTER) {
        return false;
    }
    let length = text.word_length(start);
    let fillers = fillers();
    fillers.may_start(sentence, start, length)
        && fillers
            .all_at(sentence, start, start + length)
            .any(|(_, end)| matches!(sentence.get(end), Some(b',' | b'.' | b'!' | b'?')) || is_at(sentence, end, SPACE))
}
