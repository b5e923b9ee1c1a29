//! The values of words.
//!
//! The value of a word is the chance that the next messages take it up. On recorded sessions two things predict that, and nothing else
//! adds to them: how long ago the word was last said, and in how many messages. Ordinary words count only while few messages
//! say them.

use super::indices::WordIndex;
use super::policy::policy;
use super::words::WordKind;
use palimpsest_history::transcript::{MessageIndex, Role};
use palimpsest_text::index::{IndexVec, to_usize};

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
        let policy = &policy().uses;
        let value = |(entry, kind): (&Use, WordKind)| {
            if entry.messages == 0 || (kind == WordKind::Plain && entry.messages > policy.max_ordinary) {
                return 0.0;
            }
            let ago = (message_count - 1 - entry.last.index()) as f64;
            let chance = policy.floor + 1.0 / (1.0 + ago / policy.half_after);
            let taken_up = if entry.roles.count_ones() > 1 { policy.taken_up } else { 1.0 };
            let by_messages = &policy.by_messages;
            chance * by_messages[to_usize(entry.messages).min(by_messages.len() - 1)] * taken_up
        };
        (self.list.iter().zip(kinds).map(value).collect(), self.order)
    }
}
