//! The names in a text: what a reader would look for again.

use std::sync::LazyLock;

use memchr::memmem;

use super::quantity::quantity_end;
use crate::text::class::{DIGIT, LOWER, SPACE, UPPER, WORD, find, is, is_at, is_boundary, run_end};
use crate::text::masks::{Block, Scanned, positions};

/// Where an entity stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Position of its first unit.
    pub start: usize,
    /// Position behind its last unit.
    pub end: usize,
    /// Whether its letters are to be read in lowercase.
    pub lowercase: bool,
}

/// Whether a number may be followed by `word`, in lowercase. (So it may by a percent sign.)
fn is_unit(word: &[u8]) -> bool {
    matches!(
        word,
        b"attempt"
            | b"attempts"
            | b"byte"
            | b"bytes"
            | b"day"
            | b"days"
            | b"error"
            | b"errors"
            | b"hour"
            | b"hours"
            | b"instance"
            | b"instances"
            | b"minute"
            | b"minutes"
            | b"node"
            | b"nodes"
            | b"replica"
            | b"replicas"
            | b"request"
            | b"requests"
            | b"second"
            | b"seconds"
            | b"thread"
            | b"threads"
            | b"user"
            | b"users"
            | b"worker"
            | b"workers"
            | b"retrie"
            | b"retries"
            | b"gb"
            | b"kb"
            | b"mb"
            | b"tb"
            | b"ms"
            | b"percent"
    )
}

/// Capitalised words that start a sentence rather than a name.
const STARTERS: &[&str] = &[
    "About", "After", "All", "Also", "Although", "An", "And", "Any", "As", "At", "Because", "Before", "Between", "But",
    "By", "Each", "Even", "Every", "Finally", "First", "For", "From", "Great", "He", "Her", "Here", "His", "How",
    "However", "If", "In", "Into", "It", "Its", "Just", "Last", "Let", "Many", "Most", "Much", "My", "Next", "No",
    "Not", "Note", "Now", "On", "Once", "Only", "Or", "Our", "Over", "Second", "See", "She", "Since", "So", "Some",
    "Still", "Sure", "Thanks", "That", "The", "Then", "There", "These", "They", "Third", "This", "Those", "To",
    "Under", "Unless", "Until", "We", "Well", "What", "When", "Where", "Which", "While", "Who", "Why", "With", "Yes",
    "Yet", "You", "Your",
];

/// The shape of a word.
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

/// The shape of `word`.
pub fn shape(word: &[u8]) -> Shape {
    let mut at = run_end(word, 0, LOWER);
    let starts_low = at > 0;
    if word.get(at) == Some(&b'_') {
        let is_snake =
            word.split(|&byte| byte == b'_').all(|piece| !piece.is_empty() && run_end(piece, 0, LOWER) == piece.len());
        return if is_snake { Shape::Snake } else { Shape::Plain };
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

/// The entities of a text in the order in which they are listed, pass by pass; repetitions included.
pub fn entities(text: Scanned<'_>) -> Vec<Entity> {
    let mut found = Passes::default();
    for (number, block, starts) in text.word_starts() {
        found.add_block(text, number, block, starts);
    }
    found.end_phrase(text.bytes);
    let mut all = found.phrases;
    for pass in [found.pascal, found.camel, found.snake, found.vowelless, found.quantities] {
        all.extend(pass);
    }
    all.append(&mut found.paths);
    all.extend(urls(text.bytes));
    all.append(&mut found.versions);
    all
}

/// What one walk over the masks collects for each pass.
#[derive(Default)]
struct Passes {
    phrases: Vec<Entity>,
    pascal: Vec<Entity>,
    camel: Vec<Entity>,
    snake: Vec<Entity>,
    vowelless: Vec<Entity>,
    quantities: Vec<Entity>,
    paths: Vec<Entity>,
    versions: Vec<Entity>,
    /// The phrase that the last capitalised word belongs to, and where its first word ends.
    phrase: Option<(Entity, usize)>,
    /// Whether the last block ended in a lowercase letter.
    lower_before: u64,
    /// The carry of the sum that finds the ends of words without a vowel.
    vowelless_carry: bool,
    /// Where the last word with a hump or an underscore ends, and the last run of path characters.
    shaped_to: usize,
    path_to: usize,
}

impl Passes {
    #[inline(always)]
    fn add_block(&mut self, text: Scanned<'_>, number: usize, block: &Block, starts: u64) {
        let lower_behind = text.next(number, |block| block.lower);
        let lower_before = block.lower << 1 | self.lower_before;
        self.lower_before = block.lower >> 63;
        for start in positions(number, starts & block.upper & lower_behind) {
            self.add_capitalised(text, start);
        }
        // A hump inside of a word, or an underscore between lowercase letters.
        for at in positions(number, lower_before & (block.upper | block.underscore & lower_behind)) {
            self.add_shaped(text, at);
        }
        // Adding the starts of words to the consonants carries each to the end of its run of consonants: where no word
        // goes on there, the word has nothing else. The empty block at the end takes the last carry.
        let consonant = (block.upper | block.lower) & !block.vowel;
        let (sum, overflow) = consonant.overflowing_add(starts & consonant);
        let (sum, overflow_too) = sum.overflowing_add(u64::from(self.vowelless_carry));
        self.vowelless_carry = overflow | overflow_too;
        for end in positions(number, sum & !consonant & !block.word()) {
            self.add_vowelless(text, end);
        }
        for start in positions(number, starts & (block.digit | block.lower & text.next(number, |block| block.digit))) {
            self.add_number(text.bytes, start);
        }
        for dot in positions(number, block.dot & text.next(number, Block::word)) {
            self.add_path(text, dot);
        }
    }

    fn add_capitalised(&mut self, text: Scanned<'_>, start: usize) {
        let end = text.run_end(start + 1, |block| block.lower);
        if is_at(text.bytes, end, WORD) {
            return;
        }
        if let Some((phrase, _)) = &mut self.phrase
            && text.bytes[phrase.end..start].iter().all(|&byte| is(byte, SPACE))
        {
            phrase.end = end;
            return;
        }
        self.end_phrase(text.bytes);
        self.phrase = Some((Entity { start, end, lowercase: false }, end));
    }

    fn end_phrase(&mut self, text: &[u8]) {
        if let Some((phrase, first_end)) = self.phrase.take()
            && !is_starter(&text[phrase.start..first_end])
        {
            self.phrases.push(phrase);
        }
    }

    fn add_shaped(&mut self, text: Scanned<'_>, at: usize) {
        if at < self.shaped_to {
            return;
        }
        let (start, end) = (text.run_start(at, Block::word), text.run_end(at, Block::word));
        self.shaped_to = end;
        let entity = Entity { start, end, lowercase: false };
        match shape(&text.bytes[start..end]) {
            Shape::Camel => self.camel.push(entity),
            Shape::Pascal => self.pascal.push(entity),
            Shape::Snake => self.snake.push(entity),
            Shape::Plain => {}
        }
    }

    fn add_vowelless(&mut self, text: Scanned<'_>, end: usize) {
        let start = text.run_start(end, Block::word);
        if end - start >= 3 {
            self.vowelless.push(Entity { start, end, lowercase: true });
        }
    }

    /// A quantity or a version, or the start of both, at a digit or a letter before one.
    fn add_number(&mut self, text: &[u8], start: usize) {
        let is_free = |last: Option<&Entity>| last.is_none_or(|last| start >= last.end);
        let entity = |end: usize| Entity { start, end, lowercase: false };
        let first = text[start];
        if is(first, DIGIT) && is_free(self.quantities.last()) {
            self.quantities.extend(quantity_end(text, start, is_unit).map(entity));
        }
        if (is(first, DIGIT) || first == b'v') && is_free(self.versions.last()) {
            let major = start + usize::from(first == b'v');
            self.versions.extend(version_end(text, major).map(entity));
        }
    }

    /// File paths, at most one in each run of path characters: it ends behind the last dot that starts an extension
    /// of one to six word characters.
    fn add_path(&mut self, text: Scanned<'_>, dot: usize) {
        if dot < self.path_to {
            return;
        }
        let (start, end) = (text.run_start(dot, Block::path), text.run_end(dot, Block::path));
        self.path_to = end;
        if let Some((start, end)) = path_in(text.bytes, start, end) {
            self.paths.push(Entity { start, end, lowercase: false });
        }
    }
}

fn is_starter(word: &[u8]) -> bool {
    word.len() <= 8 && STARTERS.binary_search_by(|starter| starter.as_bytes().cmp(word)).is_ok()
}

/// The end of `1.2` or `1.2.3`, bounded.
fn version_end(text: &[u8], major: usize) -> Option<usize> {
    let part = |from: usize| Some(run_end(text, from, DIGIT)).filter(|&end| end > from);
    let next = |from: usize| if text.get(from) == Some(&b'.') { part(from + 1) } else { None };
    let two = next(part(major)?)?;
    next(two).filter(|&three| is_boundary(text, three)).or(Some(two).filter(|&two| is_boundary(text, two)))
}

fn path_in(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let (dot, path_end) = last_extension(text, start, end)?;
    let is_body = |at: usize| at < dot && is_boundary(text, at);
    let begin = (start..dot).find(|&at| {
        let rest = &text[at..end];
        rest.starts_with(b"./") && is_body(at + 2) || rest.starts_with(b"../") && is_body(at + 3) || is_body(at)
    })?;
    (path_end - begin > 4).then_some((begin, path_end))
}

/// The last dot of the run `start..end` with one to six word characters behind it, and where those end.
fn last_extension(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let mut word_end = end;
    for at in (start..end).rev() {
        if is(text[at], WORD) {
            continue;
        }
        if text[at] == b'.' && (1..=6).contains(&(word_end - at - 1)) {
            return Some((at, word_end));
        }
        word_end = at;
    }
    None
}

fn urls(text: &[u8]) -> Vec<Entity> {
    static SCHEME: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("http"));
    let mut found: Vec<Entity> = Vec::new();
    for start in SCHEME.find_iter(text) {
        let rest = &text[start + 4..];
        let scheme = if rest.starts_with(b"://") {
            7
        } else if rest.starts_with(b"s://") {
            8
        } else {
            continue;
        };
        if found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let end = find(text, start + scheme, SPACE);
        if end > start + scheme {
            found.push(Entity { start, end, lowercase: false });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starters_are_sorted_for_the_binary_search() {
        assert_eq!(STARTERS.len(), 88);
        assert!(STARTERS.is_sorted());
    }
}
