//! Scores of sentences.

use std::sync::OnceLock;

use super::entities::{Entity, EntityScanner, PASSES};
use super::sentences::sentences;
use super::signal::ScoreSignal;
use crate::classify::{Hit, Term, lexicon};
use palimpsest_text::class::{LETTER, SPACE, WORD, class, find, is_at, run_end, trim};
use palimpsest_text::masks::{BLOCK, Scanned, Scratch};
use palimpsest_text::phrases::{Gap, Phrases, phrases};

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
/// Length of the shortest sentence that starts with a filler: `No.`, in UTF-16 code units.
const SHORTEST_FILLER: usize = 3;

fn fillers() -> &'static Phrases<()> {
    static PHRASES: OnceLock<Phrases<()>> = OnceLock::new();
    PHRASES.get_or_init(|| Phrases::new(phrases(Gap::Blank, (), FILLERS).collect()))
}

/// Signals that raise the scores of the sentences of a text, regardless of sentence boundaries.
///
/// They are in order, up to 64 UTF-16 code units.
#[derive(Debug, Default)]
pub struct ScoreSignals {
    /// Signals that count at each occurrence.
    pub points: Vec<ScoreSignal>,
    /// Phrases that count once per sentence.
    pub emphasis: Vec<Hit>,
}

/// Distance by which signals may be out of order, because they are found block by block.
const SLACK: u32 = BLOCK as u32;

impl ScoreSignals {
    pub fn clear(&mut self) {
        self.points.clear();
        self.emphasis.clear();
    }

    /// Reads `text`, and returns its entities.
    pub fn read<'a>(&mut self, text: Scanned<'_>, scanner: &'a mut EntityScanner) -> [&'a Vec<Entity>; PASSES] {
        self.clear();
        add_emphasis(text, &mut self.emphasis);
        scanner.read(text, Some(&mut self.points))
    }

    pub fn as_slice(&self) -> ScoreSignalsSlice<'_> {
        ScoreSignalsSlice { points: &self.points, emphasis: &self.emphasis }
    }
}

/// Adds the phrases in `text` that count once per sentence to `emphasis`.
pub fn add_emphasis(text: Scanned<'_>, emphasis: &mut Vec<Hit>) {
    lexicon().for_each(text, |term, start, end| {
        if matches!(term, Term::Emphasis | Term::Inference) {
            emphasis.push(Hit { term, start: start as u32, end: end as u32 });
        }
    });
}

/// The signals of a text.
#[derive(Clone, Copy, Debug)]
pub struct ScoreSignalsSlice<'a> {
    pub points: &'a [ScoreSignal],
    /// See [`ScoreSignals::emphasis`].
    pub emphasis: &'a [Hit],
}

/// Scores the sentences of a text from left to right.
pub(super) struct Scorer<'a> {
    text: Scanned<'a>,
    signals: ScoreSignalsSlice<'a>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(text: Scanned<'a>, signals: ScoreSignalsSlice<'a>) -> Self {
        Scorer { text, signals }
    }

    /// Returns the score of the sentence `start..end`, which must follow all sentences scored before. The weights are
    /// the contract's (section 3.7b). No word extends beyond the sentence, and it contains no dot except at its end.
    pub(super) fn score(&mut self, start: usize, end: usize) -> i32 {
        let (from, to) = (start as u32, end as u32);
        let passed = self.signals.points.iter().take_while(|signal| signal.at + SLACK < from).count();
        self.signals.points = &self.signals.points[passed..];
        let near = self.signals.points.iter().take_while(|signal| signal.at < to + SLACK);
        let points: i32 = near.filter(|signal| signal.at >= from && signal.end <= to).map(|signal| signal.points).sum();
        let passed = self.signals.emphasis.iter().take_while(|hit| hit.start < from).count();
        self.signals.emphasis = &self.signals.emphasis[passed..];
        let (mut emphasis, mut inference) = (false, false);
        for hit in self.signals.emphasis.iter().take_while(|hit| hit.start < to).filter(|hit| hit.end <= to) {
            emphasis |= matches!(hit.term, Term::Emphasis);
            inference |= matches!(hit.term, Term::Inference);
        }
        let is_handy = (40..=120).contains(&(end - start));
        let is_filler = end - start >= SHORTEST_FILLER && starts_with_filler(self.text, start, end);
        points + 4 * i32::from(emphasis) + 3 * i32::from(inference) + 2 * i32::from(is_handy)
            - 10 * i32::from(is_filler)
    }

    /// Returns the score of a text without sentences.
    pub(super) fn score_of_fragment(&mut self, start: usize, end: usize) -> i32 {
        self.score(start, end) + 2 * file_line_marks(&self.text.bytes[start..end])
    }
}

/// Returns the highest score of the sentences of `text`. A text without sentences is scored as a whole, trimmed; the
/// empty text scores 0.
pub fn best_sentence_score(text: &[u8]) -> i32 {
    if text.is_empty() {
        return 0;
    }
    let mut scratch = Scratch::default();
    let scanned = scratch.scan(text);
    let mut signals = ScoreSignals::default();
    signals.read(scanned, &mut EntityScanner::default());
    best_sentence_score_of(scanned, signals.as_slice())
}

/// Returns the same for a text that was already read, with its signals.
pub fn best_sentence_score_of(text: Scanned<'_>, signals: ScoreSignalsSlice<'_>) -> i32 {
    let length = text.bytes.len();
    let mut scorer = Scorer::new(text, signals);
    let best = sentences(text, 0, length).map(|(start, end)| scorer.score(start, end)).max();
    best.unwrap_or_else(|| {
        let (start, end) = trim(text.bytes, 0, length);
        scorer.score_of_fragment(start, end)
    })
}

/// Counts the pieces without white space that contain a mark such as `.py:3:`.
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

/// Returns, for a piece without white space, the end of the word after the rightmost dot that has a line number, as in
/// `src/main.rs:10:`. The piece does not start with the dot.
pub(super) fn last_file_line_mark(token: &[u8]) -> Option<usize> {
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
