//! What the words of a conversation are worth to whoever goes on with it.
//!
//! A word is worth the chance that the next messages take it up. Measured on recorded sessions, two things predict that, and
//! nothing else adds to them: how long ago it was last said, and in how many messages. Ordinary words count where few messages
//! say them.

use super::words::{WordKind, Words};
use crate::transcript::Role;

/// The chance halves after about so many messages.
const HALF_LIFE: f64 = 16.0;
/// What is left of it however long ago.
const FLOOR: f64 = 0.02;
/// Said by more messages, an ordinary word tells nothing.
const FEW: u32 = 3;
/// What others than the one who said it first take up is worth so much more.
const TAKEN_UP: f64 = 1.5;
/// By in how many messages a word stands: the number to the power of 0.7. A table, so that every platform has the same.
const BY_MESSAGES: [f64; 13] =
    [0.0, 1.0, 1.6245, 2.1577, 2.6390, 3.0852, 3.5051, 3.9045, 4.2871, 4.6555, 5.0119, 5.3577, 5.6941];

/// Where a word stands.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    messages: u32,
    /// The first of them.
    first: u32,
    /// The last of them.
    last: u32,
    /// The last span that says it, by its number.
    span: u32,
    /// A bit for each role that says it.
    roles: u8,
}

/// Counts uses, message by message.
#[derive(Debug, Default)]
pub struct Uses {
    list: Vec<Use>,
}

impl Uses {
    /// Counts a word in span number `span` of message `message`, and tells whether the span says it for the first time. Spans and
    /// messages come in order, and a new word has the next number.
    #[inline]
    pub fn add(&mut self, word: u32, span: u32, message: u32, role: Role) -> bool {
        let role = 1 << role as u8;
        let Some(entry) = self.list.get_mut(word as usize) else {
            self.list.push(Use { messages: 1, first: message, last: message, span, roles: role });
            return true;
        };
        if entry.span == span {
            return false;
        }
        entry.messages += u32::from(entry.last != message);
        entry.last = message;
        entry.span = span;
        entry.roles |= role;
        true
    }

    /// Adds the uses in messages from the last of these on; `numbers` says what their words are called here.
    pub fn append(&mut self, other: &Uses, numbers: &[u32]) {
        let count = numbers.iter().max().map_or(0, |&number| number as usize + 1);
        self.list.resize(count.max(self.list.len()), Use::default());
        for (more, &number) in other.list.iter().zip(numbers) {
            let entry = &mut self.list[number as usize];
            if entry.messages == 0 {
                *entry = *more;
                continue;
            }
            // A message of which both read a part is one.
            entry.messages += more.messages - u32::from(entry.last == more.first);
            entry.last = more.last;
            entry.roles |= more.roles;
        }
    }

    /// The worth of each word in a conversation of `message_count` messages.
    pub fn values(&self, words: &Words, message_count: u32) -> Vec<f64> {
        let value = |(entry, kind): (&Use, WordKind)| {
            if kind == WordKind::Plain && entry.messages > FEW {
                return 0.0;
            }
            let ago = f64::from(message_count - 1 - entry.last);
            let chance = FLOOR + 1.0 / (1.0 + ago / HALF_LIFE);
            let taken_up = if entry.roles.count_ones() > 1 { TAKEN_UP } else { 1.0 };
            chance * BY_MESSAGES[(entry.messages as usize).min(BY_MESSAGES.len() - 1)] * taken_up
        };
        self.list.iter().zip(words.kinds()).map(value).collect()
    }
}
