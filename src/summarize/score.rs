//! What a sentence is worth in a summary.

use std::sync::OnceLock;

use super::entities::{Shape, shape};
use super::quantity::quantity_end;
use super::sentences::sentences;
use crate::text::class::{SPACE, WORD, class, find, is_at, run_end, trim};
use crate::text::lexicon::{Term, lexicon};
use crate::text::masks::{BLOCK, Block, Scanned, Scratch, bits_in, positions};
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

/// The score of the sentence `start..end`, which no word reaches beyond: the weights are the contract's (section 3.7b).
pub fn sentence_score(text: Scanned<'_>, start: usize, end: usize) -> i32 {
    let sentence = &text.bytes[..end];
    let (mut emphasis, mut reasoning) = (false, false);
    let mut score = 0;
    let (mut shaped_to, mut quantity_to) = (start, start);
    let mut before = Block::default();
    let mut vowelless_carry = false;
    let lexicon = lexicon();
    for number in start / BLOCK..=end / BLOCK {
        let inside = bits_in(number, start, end);
        let block = &text.blocks[number];
        let word = block.word & inside;
        let lower = block.lower & inside;
        let starts = word & !(word << 1 | before.word >> 63);
        let lower_before = lower << 1 | before.lower >> 63;
        for at in positions(number, lower_before & inside & (block.upper | block.underscore())) {
            if at >= shaped_to {
                shaped_to = text.run_end(at, |block| block.word);
                let word_start = text.run_start(at, |block| block.word);
                score += 3 * i32::from(shape(&sentence[word_start..shaped_to]) != Shape::Plain);
            }
        }
        for at in positions(number, starts & block.upper & text.next(number, |block| block.upper)) {
            let word_end = text.run_end(at, |block| block.word);
            score += 3 * i32::from(STATUS_WORDS.contains(&&sentence[at..word_end]));
        }
        // See `entities` for how the sum finds the ends of words without a vowel.
        let consonant = (block.upper | block.lower) & !block.vowel & inside;
        let (sum, overflow) = consonant.overflowing_add(starts & consonant);
        let (sum, overflow_too) = sum.overflowing_add(u64::from(vowelless_carry));
        vowelless_carry = overflow | overflow_too;
        for word_end in positions(number, sum & !consonant & !word) {
            score += 2 * i32::from(word_end - text.run_start(word_end, |block| block.word) >= 3);
        }
        for at in positions(number, starts & block.digit) {
            if at >= quantity_to
                && let Some(quantity_end) = quantity_end(text, at, end, is_unit)
            {
                score += 2;
                quantity_to = quantity_end;
            }
        }
        for at in positions(number, starts & block.letter()) {
            let length = text.word_length(at);
            if lexicon.may_start(sentence, at, length) {
                for (term, _) in lexicon.all_at(sentence, at, at + length) {
                    match term {
                        Term::Emphasis => emphasis = true,
                        Term::Inference => reasoning = true,
                        _ => {}
                    }
                }
            }
        }
        before = *block;
    }
    let sentence = &sentence[start..];
    score += 4 * i32::from(emphasis) + 3 * i32::from(reasoning);
    score += 2 * file_line_marks(sentence);
    if (40..=120).contains(&sentence.len()) {
        score += 2;
    }
    if starts_with_filler(sentence) {
        score -= 10;
    }
    score
}

/// The highest score of the sentences of `text`; of the trimmed text where it has none; 0 for the empty text.
pub fn best_sentence_score(text: &[u8]) -> i32 {
    if text.is_empty() {
        return 0;
    }
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text);
    let best = sentences(scanned, 0, text.len()).map(|(start, end)| sentence_score(scanned, start, end)).max();
    best.unwrap_or_else(|| {
        let (start, end) = trim(text, 0, text.len());
        sentence_score(scanned, start, end)
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

fn starts_with_filler(sentence: &[u8]) -> bool {
    let (start, end) = trim(sentence, 0, sentence.len());
    let sentence = &sentence[start..end];
    let word_end = run_end(sentence, 0, WORD);
    fillers()
        .all_at(sentence, 0, word_end)
        .any(|(_, end)| matches!(sentence.get(end), Some(b',' | b'.' | b'!' | b'?')) || is_at(sentence, end, SPACE))
}
