//! Names by which later messages refer to a message.

use memchr::memchr_iter;

use super::content_signals;
use crate::summarize::entities::EntityScanner;
use crate::word_lists::WordLists;
use palimpsest_text::class::{DIGIT, SPACE, WORD, is, is_at, run_end, run_start};
use palimpsest_text::masks::Scratch;
use palimpsest_text::{Text, TextBuf};

/// For each message of a conversation, its distinct names (`readToken`, `TokenStream`, `read_token`, words without a
/// vowel, and `src/main.rs:10`, in lowercase), and the score of its content signals.
#[derive(Debug, Default)]
pub struct Names {
    names: WordLists,
    /// The content signals of each message.
    signals: Vec<f64>,
    lowered: TextBuf,
    scratch: Scratch,
    scanner: EntityScanner,
}

impl Names {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether no message was read.
    pub fn is_empty(&self) -> bool {
        self.signals.is_empty()
    }

    /// Returns the number of distinct names in all messages.
    pub(super) fn distinct(&self) -> usize {
        self.names.words.len()
    }

    /// Returns the numbers of the names in the message at `index`.
    pub(super) fn of(&self, index: usize) -> &[u32] {
        self.names.of(index)
    }

    /// Returns the score of the content signals of the message at `index`.
    pub(super) fn signals(&self, index: usize) -> f64 {
        self.signals[index]
    }

    /// Reads the next message.
    pub fn read(&mut self, text: Text<'_>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut scanner = std::mem::take(&mut self.scanner);
        let scanned = scratch.scan(text.bytes());
        let [_, pascal, camel, snake, vowelless, ..] = scanner.read(scanned, None);
        for entity in [pascal, camel, snake, vowelless].into_iter().flatten() {
            let number = self.names.words.intern_lowercase(text.bytes(), entity.start as usize..entity.end as usize);
            self.names.add(number);
        }
        for_each_file_line(text.bytes(), |start, end| {
            self.lowered.set_lowercase(text.slice(start..end));
            let number = self.names.words.intern(self.lowered.as_text());
            self.names.add(number);
        });
        self.names.end();
        self.signals.push(content_signals(scanned));
        (self.scratch, self.scanner) = (scratch, scanner);
    }

    /// Appends the messages of `next`.
    pub fn absorb(&mut self, next: &Names) {
        self.names.absorb(&next.names);
        self.signals.extend(&next.signals);
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
