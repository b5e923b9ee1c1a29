//! What a sentence is worth in a summary.

use std::sync::OnceLock;

use super::entities::{Shape, is_vowelless, shape};
use super::quantity::quantity_end;
use super::sentences::sentences;
use crate::text::class::{DIGIT, SPACE, UPPER, WORD, class, find, is, is_at, run_end, trim};
use crate::text::phrases::{Gap, Phrases, phrases};
use crate::text::words::words;

#[derive(Clone, Copy)]
enum Signal {
    Emphasis,
    Reasoning,
}

const EMPHASIS: &[&str] = &[
    "always",
    "critical",
    "crucial",
    "essential",
    "however",
    "importantly",
    "in particular",
    "key point",
    "must",
    "never",
    "notably",
    "note that",
    "require",
    "required",
    "requires",
    "significant",
    "specifically",
];
const REASONING: &[&str] = &[
    "accordingly",
    "as a result",
    "consequently",
    "given that",
    "hence",
    "in conclusion",
    "it follows that",
    "therefore",
    "this implies that",
    "this means that",
    "this proves that",
    "thus",
    "we can conclude",
    "we can deduce",
    "we can infer",
];
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
/// A number may be followed by one of these (in lowercase), or by a percent sign.
const UNITS: &[&str] = &[
    "second", "seconds", "ms", "mb", "gb", "tb", "kb", "retrie", "retries", "worker", "workers", "thread", "threads",
    "node", "nodes", "replica", "replicas", "request", "requests",
];
const STATUS_WORDS: &[&[u8]] = &[b"PASS", b"FAIL", b"ERROR", b"WARNING", b"WARN"];

fn signals() -> &'static Phrases<Signal> {
    static SIGNALS: OnceLock<Phrases<Signal>> = OnceLock::new();
    SIGNALS.get_or_init(|| {
        let reasoning = phrases(Gap::Blank, Signal::Reasoning, REASONING);
        Phrases::new(phrases(Gap::Blank, Signal::Emphasis, EMPHASIS).chain(reasoning).collect())
    })
}

fn fillers() -> &'static Phrases<()> {
    static PHRASES: OnceLock<Phrases<()>> = OnceLock::new();
    PHRASES.get_or_init(|| Phrases::new(phrases(Gap::Blank, (), FILLERS).collect()))
}

/// The score of a sentence: the weights are the contract's (section 3.7b).
pub fn sentence_score(sentence: &[u8]) -> i32 {
    let mut score = 0;
    let (mut emphasis, mut reasoning) = (false, false);
    let mut quantities_from = 0;
    for word in words(sentence) {
        if word.classes & (UPPER | crate::text::class::UNDERSCORE) != 0 {
            if matches!(shape(sentence, word), Shape::Camel | Shape::Pascal | Shape::Snake) {
                score += 3;
            }
            if STATUS_WORDS.contains(&&sentence[word.start..word.end]) {
                score += 3;
            }
        }
        if is_vowelless(word) {
            score += 2;
        }
        if is(sentence[word.start], DIGIT)
            && word.start >= quantities_from
            && let Some(end) = quantity_end(sentence, word.start, UNITS)
        {
            score += 2;
            quantities_from = end;
        }
        for (signal, _) in signals().all_at(sentence, word) {
            match signal {
                Signal::Emphasis => emphasis = true,
                Signal::Reasoning => reasoning = true,
            }
        }
    }
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
    let best = sentences(text, 0, text.len()).map(|(start, end)| sentence_score(&text[start..end])).max();
    best.unwrap_or_else(|| {
        let (start, end) = trim(text, 0, text.len());
        sentence_score(&text[start..end])
    })
}

/// How many pieces without white space have a mark such as `.py:3:`.
fn file_line_marks(sentence: &[u8]) -> i32 {
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
    let Some(word) = words(sentence).next().filter(|word| word.start == 0) else { return false };
    fillers()
        .all_at(sentence, word)
        .any(|(_, end)| matches!(sentence.get(end), Some(b',' | b'.' | b'!' | b'?')) || is_at(sentence, end, SPACE))
}
