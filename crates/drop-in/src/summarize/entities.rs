//! Entities: the names in a text, which a reader would look up again.

use std::sync::LazyLock;

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::quantity::{Numbers, fraction_end, suffix_after};
use super::shape::{Shape, shape, vowelless_ends};
use super::signal::ScoreSignal;
use palimpsest_text::class::{DIGIT, SPACE, WORD, find, is, is_at, is_boundary, run_end};
use palimpsest_text::masks::{Block, Scanned, positions};

/// Range of an entity in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Start, in UTF-16 code units.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
    /// Form in which it is compared.
    pub form: Form,
}

impl Entity {
    fn new(start: usize, end: usize, form: Form) -> Self {
        Entity { start: start as u32, end: end as u32, form }
    }
}

/// Form in which an entity is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Any,
    /// As it is; all ASCII.
    Ascii,
    /// In lowercase; all ASCII letters.
    Lowercase,
}

/// Words that raise the score of their sentence.
const STATUS_WORDS: &[&[u8]] = &[b"PASS", b"FAIL", b"ERROR", b"WARNING", b"WARN"];

/// Capitalised words that usually start a sentence rather than a name.
const STARTERS: &[&str] = &[
    "About", "After", "All", "Also", "Although", "An", "And", "Any", "As", "At", "Because", "Before", "Between", "But",
    "By", "Each", "Even", "Every", "Finally", "First", "For", "From", "Great", "He", "Her", "Here", "His", "How",
    "However", "If", "In", "Into", "It", "Its", "Just", "Last", "Let", "Many", "Most", "Much", "My", "Next", "No",
    "Not", "Note", "Now", "On", "Once", "Only", "Or", "Our", "Over", "Second", "See", "She", "Since", "So", "Some",
    "Still", "Sure", "Thanks", "That", "The", "Then", "There", "These", "They", "Third", "This", "Those", "To",
    "Under", "Unless", "Until", "We", "Well", "What", "When", "Where", "Which", "While", "Who", "Why", "With", "Yes",
    "Yet", "You", "Your",
];

/// Number of kinds of entities, which are listed kind by kind.
pub const PASSES: usize = 9;

/// Finds the entities of texts, by kind; the buffers are reused.
#[derive(Debug, Default)]
pub struct EntityScanner {
    phrases: Vec<Entity>,
    pascal: Vec<Entity>,
    camel: Vec<Entity>,
    snake: Vec<Entity>,
    vowelless: Vec<Entity>,
    quantities: Vec<Entity>,
    paths: Vec<Entity>,
    urls: Vec<Entity>,
    versions: Vec<Entity>,
    state: State,
}

/// State that is carried from one block of a text to the next.
#[derive(Debug, Default)]
struct State {
    /// The phrase that the last capitalised word belongs to, and the end of its first word.
    phrase: Option<(Entity, usize)>,
    /// Whether the last block ended in a lowercase letter.
    lower_before: u64,
    vowelless_carry: u64,
    numbers: Numbers,
    /// End of the last word with an inner capital or an underscore.
    shaped_to: usize,
    /// The last run of path characters with a dot, and the last extension in it, including its dot.
    path_run: (usize, usize),
    extension: Option<(usize, usize)>,
}

impl State {
    /// Returns whether nothing continues from the last block.
    fn is_between_words(&self) -> bool {
        self.lower_before | self.vowelless_carry == 0 && self.numbers.is_between()
    }
}

impl EntityScanner {
    /// Returns the entities of `text` by kind, in list order, including repetitions. Most of them raise the score of
    /// their sentence; these signals are added to `signals`, if given. Runs in time linear in the text.
    pub fn read(&mut self, text: Scanned<'_>, mut signals: Option<&mut Vec<ScoreSignal>>) -> [&Vec<Entity>; PASSES] {
        self.all_mut().into_iter().for_each(Vec::clear);
        self.state = State::default();
        for (number, block, starts) in text.word_starts() {
            self.add_block(text, number, block, starts, &mut signals);
        }
        self.end_phrase(text.bytes);
        self.end_path(text.bytes);
        self.add_urls(text.bytes);
        self.all_mut().map(|pass| &*pass)
    }

    fn all_mut(&mut self) -> [&mut Vec<Entity>; PASSES] {
        [
            &mut self.phrases,
            &mut self.pascal,
            &mut self.camel,
            &mut self.snake,
            &mut self.vowelless,
            &mut self.quantities,
            &mut self.paths,
            &mut self.urls,
            &mut self.versions,
        ]
    }

    #[inline(always)]
    fn add_block(&mut self, text: Scanned<'_>, number: usize, block: &Block, starts: u64, signals: &mut Wanted<'_>) {
        // Skips blocks of Chinese or emoji.
        if block.word | block.dot == 0 && self.state.is_between_words() {
            return;
        }
        let lower_after = text.next(number, |block| block.lower);
        let lower_before = block.lower << 1 | self.state.lower_before;
        self.state.lower_before = block.lower >> 63;
        for start in positions(number, starts & block.upper & lower_after) {
            self.add_capitalised(text, start);
        }
        // A capital inside a word, or an underscore between lowercase letters.
        for at in positions(number, lower_before & (block.upper | block.underscore() & lower_after)) {
            self.add_shaped(text, at, signals);
        }
        for end in positions(number, vowelless_ends(block, starts, &mut self.state.vowelless_carry)) {
            self.add_vowelless(text, end, signals);
        }
        for end in positions(number, self.state.numbers.ends(text, number, starts)) {
            self.add_number(text, end, signals);
        }
        if signals.is_some() {
            for at in positions(number, starts & block.upper & text.next(number, |block| block.upper)) {
                let end = text.run_end(at, |block| block.word);
                if STATUS_WORDS.contains(&&text.bytes[at..end]) {
                    add_signal(signals, at, end, 3);
                }
            }
        }
        for dot in positions(number, block.dot & text.next(number, |block| block.word)) {
            self.add_dot(text, dot);
        }
    }

    fn add_capitalised(&mut self, text: Scanned<'_>, start: usize) {
        let end = text.run_end(start + 1, |block| block.lower);
        if is_at(text.bytes, end, WORD) {
            return;
        }
        if let Some((phrase, _)) = &mut self.state.phrase
            && text.bytes[phrase.end as usize..start].iter().all(|&byte| is(byte, SPACE))
        {
            phrase.end = end as u32;
            return;
        }
        self.end_phrase(text.bytes);
        // Its words may be separated by any white space, hence `Form::Any`.
        self.state.phrase = Some((Entity::new(start, end, Form::Any), end));
    }

    fn end_phrase(&mut self, text: &[u8]) {
        if let Some((phrase, first_end)) = self.state.phrase.take()
            && !is_starter(&text[phrase.start as usize..first_end])
        {
            self.phrases.push(phrase);
        }
    }

    fn add_shaped(&mut self, text: Scanned<'_>, at: usize, signals: &mut Wanted<'_>) {
        if at < self.state.shaped_to {
            return;
        }
        let (start, end) = text.word_around(at);
        self.state.shaped_to = end;
        let entity = Entity::new(start, end, Form::Ascii);
        match shape(text, start, end) {
            Shape::Camel => self.camel.push(entity),
            Shape::Pascal => self.pascal.push(entity),
            Shape::Snake => self.snake.push(entity),
            Shape::Plain => return,
        }
        add_signal(signals, at, end, 3);
    }

    fn add_vowelless(&mut self, text: Scanned<'_>, end: usize, signals: &mut Wanted<'_>) {
        let start = text.run_start(end, |block| block.word);
        if end - start >= 3 {
            self.vowelless.push(Entity::new(start, end, Form::Lowercase));
            add_signal(signals, end, end, 2);
        }
    }

    /// Adds the quantity or the version, or both, whose first digits end at `digits_end`.
    fn add_number(&mut self, text: Scanned<'_>, digits_end: usize, signals: &mut Wanted<'_>) {
        let bytes = text.bytes;
        let digits = text.run_start(digits_end, |block| block.digit);
        let is_prefixed = digits > 0 && is(bytes[digits - 1], WORD);
        let is_free = |start: usize, last: Option<&Entity>| last.is_none_or(|last| start >= last.end as usize);
        let number_end = fraction_end(text, digits_end);
        if !is_prefixed && let Some(suffix) = suffix_after(text, number_end) {
            if suffix.makes_entity && is_free(digits, self.quantities.last()) {
                // Any white space may precede the suffix, hence `Form::Any`.
                self.quantities.push(Entity::new(digits, suffix.end, Form::Any));
            }
            // A sentence ends at a dot, and so does a number in it.
            if suffix.raises_score && number_end == digits_end {
                add_signal(signals, digits_end, suffix.end, 2);
            }
        }
        let start = digits - usize::from(is_prefixed);
        if bytes.get(digits_end) == Some(&b'.')
            && (!is_prefixed || bytes[start] == b'v')
            && is_free(start, self.versions.last())
            && let Some(end) = version_end(bytes, digits_end)
        {
            self.versions.push(Entity::new(start, end, Form::Ascii));
        }
    }

    /// Adds a dot that a word follows. A run of path characters contains at most one path, which ends with its last
    /// extension of one to six characters.
    fn add_dot(&mut self, text: Scanned<'_>, dot: usize) {
        if dot >= self.state.path_run.1 {
            self.end_path(text.bytes);
            self.state.path_run = (text.run_start(dot, Block::path), text.run_end(dot, Block::path));
        }
        let end = text.run_end(dot + 1, |block| block.word);
        if end - dot <= 7 {
            self.state.extension = Some((dot, end));
        }
    }

    fn end_path(&mut self, text: &[u8]) {
        let Some((dot, end)) = self.state.extension.take() else { return };
        let is_body = |at: usize| at < dot && is_boundary(text, at);
        let start = (self.state.path_run.0..dot).find(|&at| {
            let rest = &text[at..end];
            is_body(at) || rest.starts_with(b"./") && is_body(at + 2) || rest.starts_with(b"../") && is_body(at + 3)
        });
        if let Some(start) = start.filter(|start| end - start > 4) {
            self.paths.push(Entity::new(start, end, Form::Ascii));
        }
    }

    fn add_urls(&mut self, text: &[u8]) {
        static SCHEME: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("http"));
        let mut url_to = 0;
        for start in SCHEME.find_iter(text) {
            let rest = &text[start + 4..];
            let scheme = if rest.starts_with(b"://") {
                7
            } else if rest.starts_with(b"s://") {
                8
            } else {
                continue;
            };
            if start < url_to {
                continue;
            }
            url_to = find(text, start + scheme, SPACE);
            if url_to > start + scheme {
                self.urls.push(Entity::new(start, url_to, Form::Any));
            }
        }
    }
}

/// Destination of the signals of a text, if they are wanted.
type Wanted<'a> = Option<&'a mut Vec<ScoreSignal>>;

fn add_signal(signals: &mut Wanted<'_>, at: usize, end: usize, points: i32) {
    if let Some(signals) = signals {
        signals.push(ScoreSignal { at: at as u32, end: end as u32, points });
    }
}

fn is_starter(word: &[u8]) -> bool {
    static KEYS: LazyLock<FxHashSet<u64>> =
        LazyLock::new(|| STARTERS.iter().filter_map(|starter| short_key(starter.as_bytes())).collect());
    short_key(word).is_some_and(|key| KEYS.contains(&key))
}

/// Returns a number that identifies a word of at most eight characters.
fn short_key(word: &[u8]) -> Option<u64> {
    let mut key = [0; 8];
    key.get_mut(..word.len())?.copy_from_slice(word);
    Some(u64::from_le_bytes(key))
}

/// Returns the end of `1.2` or `1.2.3`, whose first number ends at `major_end`, if a boundary follows.
fn version_end(text: &[u8], major_end: usize) -> Option<usize> {
    let part = |from: usize| Some(run_end(text, from, DIGIT)).filter(|&end| end > from);
    let next = |from: usize| if text.get(from) == Some(&b'.') { part(from + 1) } else { None };
    let two = next(major_end)?;
    next(two).filter(|&three| is_boundary(text, three)).or(Some(two).filter(|&two| is_boundary(text, two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starters_are_those_of_the_contract() {
        assert_eq!(STARTERS.len(), 88);
        assert!(is_starter(b"Although") && is_starter(b"As") && !is_starter(b"Alth") && !is_starter(b"Berlin"));
    }
}
