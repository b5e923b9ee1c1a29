//! The values of words.
//!
//! The value of a word is the chance that the next messages take it up. On recorded sessions two things predict that, and nothing else
//! adds to them: how long ago the word was last said, and in how many messages. Ordinary words count only while few messages
//! say them.

use super::indices::WordIndex;
use super::words::WordKind;
use palimpsest_history::transcript::{MessageIndex, Role};
use palimpsest_text::index::{IndexVec, to_usize};

/// Number of messages after which the chance is about half of what it was.
const HALF_AFTER: f64 = 16.0;
/// Chance that is left however long ago a word was said.
const FLOOR: f64 = 0.02;
/// Maximum number of messages that say an ordinary word for it to have a value.
const MAX_ORDINARY: u32 = 3;
/// Factor for words that more than one role says.
const TAKEN_UP: f64 = 1.5;
/// Factor by the number of messages that say a word: the number to the power of 0.7. A table, so that every platform has the same.
const BY_MESSAGES: [f64; 13] =
    [0.0, 1.0, 1.6245, 2.1577, 2.6390, 3.0852, 3.5051, 3.9045, 4.2871, 4.6555, 5.0119, 5.3577, 5.6941];

/// The messages that say a word.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    messages: u32,
    /// The last of them.
    last: MessageIndex,
    /// A bit for each role that says it.
    roles: u8,
}

/// Counts the uses of words, message by message.
#[derive(Debug)]
pub(super) struct Uses {
    list: IndexVec<WordIndex, Use>,
    /// The words in order of first use.
    order: Vec<WordIndex>,
}

impl Uses {
    /// No uses yet of any of `count` words.
    pub(super) fn new(count: usize) -> Self {
        Uses { list: vec![Use::default(); count].into(), order: Vec::with_capacity(count) }
    }

    /// Counts a use of a word in message `message`. Messages come in order.
    #[inline]
    pub(super) fn add(&mut self, word: WordIndex, message: MessageIndex, role: Role) {
        let entry = &mut self.list[word];
        if entry.messages == 0 {
            self.order.push(word);
        }
        entry.messages += u32::from(entry.messages == 0 || entry.last != message);
        entry.last = message;
        entry.roles |= 1 << role as u8;
    }

    /// The value of each word in a conversation of `message_count` messages, and the words that it says in order of first use.
    pub(super) fn values(
        self,
        kinds: impl Iterator<Item = WordKind>,
        message_count: usize,
    ) -> (IndexVec<WordIndex, f64>, Vec<WordIndex>) {
        let value = |(entry, kind): (&Use, WordKind)| {
            if entry.messages == 0 || (kind == WordKind::Plain && entry.messages > MAX_ORDINARY) {
                return 0.0;
            }
            let ago = (message_count - 1 - entry.last.index()) as f64;
            let chance = FLOOR + 1.0 / (1.0 + ago / HALF_AFTER);
            let taken_up = if entry.roles.count_ones() > 1 { TAKEN_UP } else { 1.0 };
            chance * BY_MESSAGES[to_usize(entry.messages).min(BY_MESSAGES.len() - 1)] * taken_up
        };
        (self.list.iter().zip(kinds).map(value).collect(), self.order)
    }
}
