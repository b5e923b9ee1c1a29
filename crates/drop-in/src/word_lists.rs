//! The distinct words of each of successive messages, by number.

use palimpsest_text::Interner;

/// Lists of words, one for each message.
#[derive(Debug, Default)]
pub(crate) struct WordLists {
    pub words: Interner,
    /// For each word, the number of the last message that contains it, plus one.
    last_in: Vec<u32>,
    all: Vec<u32>,
    /// For each message, the end of its words in `all`.
    ends: Vec<usize>,
}

impl WordLists {
    /// Adds a word to the message that is being read, unless it has it already.
    pub(crate) fn add(&mut self, word: u32) {
        if word as usize >= self.last_in.len() {
            self.last_in.resize(self.words.len(), 0);
        }
        let message = self.ends.len() as u32 + 1;
        if std::mem::replace(&mut self.last_in[word as usize], message) != message {
            self.all.push(word);
        }
    }

    /// Ends the list of the message that is being read.
    pub(crate) fn end(&mut self) {
        self.ends.push(self.all.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the words of a message, in order.
    pub(crate) fn of(&self, message: usize) -> &[u32] {
        let start = message.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[message]]
    }

    /// Returns the words of all messages.
    pub(crate) fn all(&self) -> &[u32] {
        &self.all
    }

    /// Appends the lists of `next`.
    pub(crate) fn absorb(&mut self, next: &WordLists) {
        let numbers = self.words.absorb(&next.words);
        let moved_by = self.all.len();
        self.all.extend(next.all.iter().map(|&word| numbers[word as usize]));
        self.ends.extend(next.ends.iter().map(|end| end + moved_by));
    }
}
