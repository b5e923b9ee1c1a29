//! What a sentence is worth in a summary.

use std::sync::OnceLock;

use super::entities::{Entity, EntityScanner, PASSES};
use super::sentences::sentences;
use super::signal::ScoreSignal;
use crate::classify::{Hit, Term, lexicon};
use crate::text::class::{LETTER, SPACE, WORD, class, find, is_at, run_end, trim};
use crate::text::masks::{BLOCK, Scanned, Scratch};
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
fn fillers() -> &'static Phrases<()> {
    static PHRASES: OnceLock<Phrases<()>> = OnceLock::new();
    PHRASES.get_or_init(|| Phrases::new(phrases(Gap::Blank, (), FILLERS).collect()))
}

/// What raises the scores of the sentences of a text, wherever they begin and end.
///
/// Nothing of it may be out of order by more than 64 units.
#[derive(Debug, Default)]
pub struct ScoreSignals {
    /// What counts each time.
    pub points: Vec<ScoreSignal>,
    /// The phrases of which any number counts once in a sentence.
    pub emphasis: Vec<Hit>,
}

/// By how many units signs may be out of order: they are found block by block.
const SLACK: u32 = BLOCK as u32;

impl ScoreSignals {
    /// Takes all out.
    pub fn clear(&mut self) {
        self.points.clear();
        self.emphasis.clear();
    }

    /// Reads `text`, and returns its entities as well.
    pub fn read<'a>(&mut self, text: Scanned<'_>, passes: &'a mut EntityScanner) -> [&'a Vec<Entity>; PASSES] {
        self.clear();
        lexicon().for_each(text, |term, start, end| {
            if matches!(term, Term::Emphasis | Term::Inference) {
                self.emphasis.push(Hit { term, start: start as u32, end: end as u32 });
            }
        });
        passes.read(text, Some(&mut self.points))
    }

    /// Adds those of a text that stands from `offset` on.
    pub fn append(&mut self, signs: ScoreSignalsSlice<'_>, offset: u32) {
        let moved = |sign: &ScoreSignal| ScoreSignal { at: sign.at + offset, end: sign.end + offset, ..*sign };
        self.points.extend(signs.points.iter().map(moved));
        let moved = |hit: &Hit| Hit { start: hit.start + offset, end: hit.end + offset, ..*hit };
        self.emphasis.extend(signs.emphasis.iter().map(moved));
    }

    /// All of it.
    pub fn as_slice(&self) -> ScoreSignalsSlice<'_> {
        ScoreSignalsSlice { points: &self.points, emphasis: &self.emphasis }
    }
}

/// The signs of a text, somewhere in [`ScoreSignals`].
#[derive(Clone, Copy, Debug)]
pub struct ScoreSignalsSlice<'a> {
    /// See [`ScoreSignals::points`].
    pub points: &'a [ScoreSignal],
    /// See [`ScoreSignals::emphasis`].
    pub emphasis: &'a [Hit],
}

/// Scores the sentences of a text, from left to right.
pub struct Scorer<'a> {
    text: Scanned<'a>,
    signs: ScoreSignalsSlice<'a>,
}

impl<'a> Scorer<'a> {
    /// For a text, with its signs.
    pub fn new(text: Scanned<'a>, signs: ScoreSignalsSlice<'a>) -> Self {
        Scorer { text, signs }
    }

    /// The score of the sentence `start..end`, which starts behind all that were scored before: the weights are the
    /// contract's (section 3.7b). No word reaches beyond the sentence, and no dot stands in it but at its end.
    pub fn score(&mut self, start: usize, end: usize) -> i32 {
        let (from, to) = (start as u32, end as u32);
        let passed = self.signs.points.iter().take_while(|sign| sign.at + SLACK < from).count();
        self.signs.points = &self.signs.points[passed..];
        let near = self.signs.points.iter().take_while(|sign| sign.at < to + SLACK);
        let points: i32 = near.filter(|sign| sign.at >= from && sign.end <= to).map(|sign| sign.points).sum();
        let passed = self.signs.emphasis.iter().take_while(|hit| hit.start < from).count();
        self.signs.emphasis = &self.signs.emphasis[passed..];
        let (mut emphasis, mut inference) = (false, false);
        for hit in self.signs.emphasis.iter().take_while(|hit| hit.start < to).filter(|hit| hit.end <= to) {
            emphasis |= matches!(hit.term, Term::Emphasis);
            inference |= matches!(hit.term, Term::Inference);
        }
        let is_handy = (40..=120).contains(&(end - start));
        let is_filler = starts_with_filler(self.text, start, end);
        points + 4 * i32::from(emphasis) + 3 * i32::from(inference) + 2 * i32::from(is_handy)
            - 10 * i32::from(is_filler)
    }

    /// The score of what has no sentence.
    pub fn score_of_fragment(&mut self, start: usize, end: usize) -> i32 {
        self.score(start, end) + 2 * file_line_marks(&self.text.bytes[start..end])
    }
}

/// The highest score of the sentences of `text`; of the trimmed text where it has none; 0 for the empty text.
pub fn best_sentence_score(text: &[u8]) -> i32 {
    if text.is_empty() {
        return 0;
    }
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text);
    let mut signs = ScoreSignals::default();
    signs.read(scanned, &mut EntityScanner::default());
    best_sentence_score_of(scanned, signs.as_slice())
}

/// The same for a text that was read before, and whose signs are known.
pub fn best_sentence_score_of(text: Scanned<'_>, signs: ScoreSignalsSlice<'_>) -> i32 {
    let length = text.bytes.len();
    let mut scorer = Scorer::new(text, signs);
    let best = sentences(text, 0, length).map(|(start, end)| scorer.score(start, end)).max();
    best.unwrap_or_else(|| {
        let (start, end) = trim(text.bytes, 0, length);
        scorer.score_of_fragment(start, end)
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
