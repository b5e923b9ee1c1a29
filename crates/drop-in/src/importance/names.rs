//! Names by which later messages refer to a message.

use memchr::memchr_iter;

use super::content_signals;
use crate::summarize::entities::EntityScanner;
use palimpsest_text::class::{DIGIT, SPACE, WORD, is, is_at, run_end, run_start};
use palimpsest_text::masks::Scratch;
use palimpsest_text::{Interner, Text, TextBuf, lowercase};

/// For each message of a conversation, its distinct names (`readToken`, `TokenStream`, `read_token`, words without a
/// vowel, and `src/main.rs:10`, in lowercase), and the score of its content signals.
#[derive(Debug, Default)]
pub struct Names {
    interner: Interner,
    /// For each name, the number of the last message that contained it, plus one.
    last_in: Vec<u32>,
    all: Vec<u32>,
    /// For each message, the end of its names, and its signals.
    messages: Vec<(usize, f64)>,
    scratch: Scratch,
    scanner: EntityScanner,
}

impl Names {
    /// Returns the number of messages.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Returns whether no message was read.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Returns the number of distinct names in all messages.
    pub(super) fn distinct(&self) -> usize {
        self.interner.len()
    }

    /// Returns the numbers of the names in the message at `index`.
    pub(super) fn of(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.messages[index - 1].0 };
        &self.all[start..self.messages[index].0]
    }

    /// Returns the score of the content signals of the message at `index`.
    pub(super) fn signals(&self, index: usize) -> f64 {
        self.messages[index].1
    }

    /// Reads the next message.
    pub fn read(&mut self, text: Text<'_>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut scanner = std::mem::take(&mut self.scanner);
        let scanned = scratch.scan(text.bytes());
        let [_, pascal, camel, snake, vowelless, ..] = scanner.read(scanned, None);
        for entity in [pascal, camel, snake, vowelless].into_iter().flatten() {
            let number = self.interner.intern_lowercase(text.bytes(), entity.start as usize..entity.end as usize);
            self.add(number);
        }
        for_each_file_line(text.bytes(), |start, end| {
            let number = self.interner.intern(lowered(text.slice(start..end)).as_text());
            self.add(number);
        });
        self.messages.push((self.all.len(), content_signals(scanned)));
        (self.scratch, self.scanner) = (scratch, scanner);
    }

    fn add(&mut self, number: u32) {
        self.last_in.resize(self.interner.len(), 0);
        let message = self.messages.len() as u32 + 1;
        if std::mem::replace(&mut self.last_in[number as usize], message) != message {
            self.all.push(number);
        }
    }

    /// Appends the messages of `next`.
    pub fn absorb(&mut self, next: &Names) {
        let numbers = self.interner.absorb(&next.interner);
        self.last_in.resize(self.interner.len(), 0);
        let moved_by = self.all.len();
        self.all.extend(next.all.iter().map(|&number| numbers[number as usize]));
        self.messages.extend(next.messages.iter().map(|&(end, signals)| (end + moved_by, signals)));
    }
}

/// Calls `visit` with each range of `text` such as `src/main.rs:10`: in a piece without white space, everything up to
/// the last line number that follows a dot, a word and a colon. The piece does not start with the dot.
fn for_each_file_line(text: &[u8], mut visit: impl FnMut(usize, usize)) {
    let is_space = |byte: &u8| is(*byte, SPACE);
    // The current piece, and the end of the match in it; 0 if there is none.
    let (mut piece, mut mark_end) = (0..0, 0);
    for colon in memchr_iter(b':', text).filter(|colon| is_at(text, colon + 1, DIGIT)) {
        if colon >= piece.end {
            if mark_end > 0 {
                visit(piece.start, mark_end);
            }
            let start = text[piece.end..colon].iter().rposition(is_space).map_or(piece.end, |at| piece.end + at + 1);
            piece = start..text[colon..].iter().position(is_space).map_or(text.len(), |at| colon + at);
            mark_end = 0;
        }
        let word = piece.start + run_start(&text[piece.start..colon], colon - piece.start, WORD);
        if word < colon && word >= piece.start + 2 && text[word - 1] == b'.' {
            mark_end = run_end(text, colon + 1, DIGIT);
        }
    }
    if mark_end > 0 {
        visit(piece.start, mark_end);
    }
}

/// Returns `text` in lowercase.
fn lowered(text: Text<'_>) -> TextBuf {
    let mut lowered = TextBuf::new();
    match text.in_full(&mut Vec::new()).units() {
        None => lowered.push_ascii_lowercase(text.bytes()),
        Some(units) => {
            let mut small = Vec::with_capacity(units.len());
            lowercase(units, &mut small);
            lowered.push_units(&small);
        }
    }
    lowered
}
