//! The names in a text: what a reader would look for again.

use memchr::{memchr_iter, memmem};

use super::quantity::quantity_end;
use crate::text::class::{
    DIGIT, LOWER, PATH, SPACE, UNDERSCORE, UPPER, VOWEL, WORD, class, is, is_at, is_boundary, run_end, run_start,
};
use crate::text::words::{Word, words};

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

/// A number may be followed by one of these (in lowercase), or by a percent sign.
const UNITS: &[&str] = &[
    "attempt",
    "attempts",
    "byte",
    "bytes",
    "day",
    "days",
    "error",
    "errors",
    "hour",
    "hours",
    "instance",
    "instances",
    "minute",
    "minutes",
    "node",
    "nodes",
    "replica",
    "replicas",
    "request",
    "requests",
    "second",
    "seconds",
    "thread",
    "threads",
    "user",
    "users",
    "worker",
    "workers",
    "retrie",
    "retries",
    "gb",
    "kb",
    "mb",
    "tb",
    "ms",
    "percent",
];

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

/// The shape of a word that has an uppercase letter and nothing but letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `Harbour`.
    Capitalised,
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
pub fn shape(text: &[u8], word: Word) -> Shape {
    let characters = &text[word.start..word.end];
    if word.classes & DIGIT != 0 {
        return Shape::Plain;
    }
    if word.classes & UNDERSCORE != 0 {
        let is_snake =
            word.classes & UPPER == 0 && characters.split(|&byte| byte == b'_').all(|piece| !piece.is_empty());
        return if is_snake { Shape::Snake } else { Shape::Plain };
    }
    if word.classes & UPPER == 0 {
        return Shape::Plain;
    }
    let mut at = run_end(characters, 0, LOWER);
    let starts_low = at > 0;
    let mut humps = 0;
    while at < characters.len() {
        let end = run_end(characters, at + 1, LOWER);
        if !is(characters[at], UPPER) || end == at + 1 {
            return Shape::Plain;
        }
        humps += 1;
        at = end;
    }
    match (starts_low, humps) {
        (true, _) => Shape::Camel,
        (false, 1) => Shape::Capitalised,
        (false, _) => Shape::Pascal,
    }
}

/// Whether `word` has at least three letters, none of them a vowel or `y`, and nothing else.
pub fn is_vowelless(word: Word) -> bool {
    word.classes & (VOWEL | DIGIT | UNDERSCORE) == 0 && word.end - word.start >= 3
}

/// The entities of `text` in the order in which they are listed, pass by pass; repetitions included.
pub fn entities(text: &[u8]) -> Vec<Entity> {
    let mut found = Passes::default();
    for word in words(text) {
        found.add_word(text, word);
    }
    found.end_phrase(text);
    let Passes { phrases, pascal, camel, snake, vowelless, quantities, versions, .. } = found;
    let mut all = phrases;
    for mut pass in [pascal, camel, snake, vowelless, quantities, paths(text), urls(text), versions] {
        all.append(&mut pass);
    }
    all
}

/// What one walk over the words collects for the passes that need nothing else.
#[derive(Default)]
struct Passes {
    phrases: Vec<Entity>,
    pascal: Vec<Entity>,
    camel: Vec<Entity>,
    snake: Vec<Entity>,
    vowelless: Vec<Entity>,
    quantities: Vec<Entity>,
    versions: Vec<Entity>,
    /// The phrase that the last capitalised word belongs to, and where its first word ends.
    phrase: Option<(Entity, usize)>,
}

impl Passes {
    fn add_word(&mut self, text: &[u8], word: Word) {
        let entity = Entity { start: word.start, end: word.end, lowercase: false };
        if word.classes & (UPPER | UNDERSCORE) != 0 {
            match shape(text, word) {
                Shape::Capitalised => self.add_capitalised(text, entity),
                Shape::Camel => self.camel.push(entity),
                Shape::Pascal => self.pascal.push(entity),
                Shape::Snake => self.snake.push(entity),
                Shape::Plain => {}
            }
        }
        if is_vowelless(word) {
            self.vowelless.push(Entity { lowercase: true, ..entity });
        }
        if word.classes & DIGIT != 0 {
            self.add_number(text, word.start);
        }
    }

    fn add_capitalised(&mut self, text: &[u8], word: Entity) {
        if let Some((phrase, _)) = &mut self.phrase
            && text[phrase.end..word.start].iter().all(|&byte| is(byte, SPACE))
        {
            phrase.end = word.end;
            return;
        }
        self.end_phrase(text);
        self.phrase = Some((word, word.end));
    }

    fn end_phrase(&mut self, text: &[u8]) {
        if let Some((phrase, first_end)) = self.phrase.take()
            && !is_starter(&text[phrase.start..first_end])
        {
            self.phrases.push(phrase);
        }
    }

    fn add_number(&mut self, text: &[u8], start: usize) {
        let is_behind = |last: Option<&Entity>| last.is_none_or(|last| start >= last.end);
        if is(text[start], DIGIT)
            && is_behind(self.quantities.last())
            && let Some(end) = quantity_end(text, start, UNITS)
        {
            self.quantities.push(Entity { start, end, lowercase: false });
        }
        if is_behind(self.versions.last())
            && let Some(end) = version_end(text, start)
        {
            self.versions.push(Entity { start, end, lowercase: false });
        }
    }
}

fn is_starter(word: &[u8]) -> bool {
    STARTERS.binary_search_by(|starter| starter.as_bytes().cmp(word)).is_ok()
}

/// `v1.2`, `1.2.3`.
fn version_end(text: &[u8], start: usize) -> Option<usize> {
    let major = if text[start] == b'v' { start + 1 } else { start };
    let part = |from: usize| Some(run_end(text, from, DIGIT)).filter(|&end| end > from);
    let next = |from: usize| if text.get(from) == Some(&b'.') { part(from + 1) } else { None };
    let two = next(part(major)?)?;
    next(two).filter(|&three| is_boundary(text, three)).or(Some(two).filter(|&two| is_boundary(text, two)))
}

/// File paths, at most one in each run of path characters: it ends behind the last dot that starts an extension of one
/// to six word characters.
fn paths(text: &[u8]) -> Vec<Entity> {
    let mut found = Vec::new();
    let mut run = 0..0;
    for dot in memchr_iter(b'.', text) {
        if dot < run.end || !is_at(text, dot + 1, WORD) {
            continue;
        }
        run = run_start(text, dot, PATH)..run_end(text, dot, PATH);
        if let Some((start, end)) = path_in(text, run.start, run.end) {
            found.push(Entity { start, end, lowercase: false });
        }
    }
    found
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
    let mut found: Vec<Entity> = Vec::new();
    for start in memmem::find_iter(text, b"http") {
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
        let mut end = start + scheme;
        while end < text.len() && class(text[end]) & SPACE == 0 {
            end += 1;
        }
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
