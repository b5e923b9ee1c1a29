//! A conversation as the engine sees it: texts, ids and a few facts per message.

use crate::text::hashing::TextMap;
use crate::text::{Text, TextBuf, Texts};

/// Who says a message, as far as that matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speaker {
    /// The role `user`.
    User,
    /// The role `assistant`.
    Assistant,
    /// Any other role, or none.
    #[default]
    Other,
}

/// What the engine needs to know of a message beside its text and id.
#[derive(Clone, Copy, Debug, Default)]
pub struct Message {
    /// The number of its role: equal roles have equal numbers, and no role is a role of its own.
    pub role: u32,
    /// Who says it.
    pub speaker: Speaker,
    /// It has a role.
    pub has_role: bool,
    /// Its role is one of those that are never touched.
    pub has_preserved_role: bool,
    /// It calls tools.
    pub has_tool_calls: bool,
    /// It answers a tool call, so it may not disappear in another message.
    pub answers_tool_call: bool,
    /// Its id is a string; the ids of others are the texts that JavaScript makes of them.
    pub has_string_id: bool,
}

/// The messages of a call.
#[derive(Debug, Default)]
pub struct Conversation {
    texts: Texts,
    ids: Texts,
    messages: Vec<Message>,
}

impl Conversation {
    /// An empty conversation with room for `count` messages of `units` UTF-16 code units altogether.
    pub fn with_capacity(count: usize, units: usize) -> Self {
        Conversation {
            texts: Texts::with_capacity(count, units),
            ids: Texts::with_capacity(count, 8 * count),
            messages: Vec::with_capacity(count),
        }
    }

    /// Appends a message.
    pub fn push(&mut self, message: Message, id: &[u16], text: &[u16]) {
        self.messages.push(message);
        self.ids.push_units(id);
        self.texts.push_units(text);
    }

    /// Has messages say something shorter, each at its position, in order, and tells what they said before.
    pub fn shorten(&mut self, texts: &[(usize, TextBuf)]) -> Vec<(usize, TextBuf)> {
        let before = texts.iter().map(|&(index, _)| (index, TextBuf::from(self.text(index)))).collect();
        self.texts.shorten(texts);
        before
    }

    /// The number of messages.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The length of all texts together, in UTF-16 code units.
    pub fn units(&self) -> usize {
        (0..self.len()).map(|index| self.text(index).len()).sum()
    }

    /// The message at `index`.
    pub fn message(&self, index: usize) -> Message {
        self.messages[index]
    }

    /// The text of the message at `index`; empty where its content is no string.
    pub fn text(&self, index: usize) -> Text<'_> {
        self.texts.get(index)
    }

    /// The id of the message at `index`.
    pub fn id(&self, index: usize) -> Text<'_> {
        self.ids.get(index)
    }

    /// For each message, whether its id is among those of `present`.
    pub fn with_ids_of(&self, present: impl Iterator<Item = usize> + Clone) -> Vec<bool> {
        let mut has_id = vec![false; self.len()];
        present.clone().for_each(|index| has_id[index] = true);
        // The others are there only if they share their id with one that is. Nearly always there are few of them.
        let key = |index: usize| (self.id(index), self.message(index).has_string_id);
        let mut others: TextMap<_, Vec<usize>> = TextMap::default();
        (0..self.len())
            .filter(|&index| !has_id[index])
            .for_each(|index| others.entry(key(index)).or_default().push(index));
        if !others.is_empty() {
            for index in present {
                others.remove(&key(index)).into_iter().flatten().for_each(|other| has_id[other] = true);
            }
        }
        has_id
    }

    /// The hash of the ids of the messages `start..start + count`, in ascending order: what tells summaries apart.
    pub fn ids_hash(&self, start: usize, count: usize) -> u32 {
        if count == 1 {
            // An id that is no string has no length, and so nothing to hash.
            let id = if self.message(start).has_string_id { self.id(start) } else { Text::default() };
            return hash_of_id(id);
        }
        let mut ids: Vec<Text<'_>> = (start..start + count).map(|index| self.id(index)).collect();
        ids.sort_by(|a, b| a.cmp_units(*b));
        ids.iter().enumerate().fold(HASH_START, |hash, (position, id)| {
            // A zero unit stands between two ids.
            hash_units(if position == 0 { hash } else { hash.wrapping_mul(33) }, *id)
        })
    }

    /// The id of the summary of the messages `start..start + count`: `cce_sum_` and their hash in base 36.
    pub fn summary_id(&self, start: usize, count: usize) -> String {
        format!("cce_sum_{}", base_36(self.ids_hash(start, count)))
    }
}

const HASH_START: u32 = 5381;

/// The hash of one id.
pub fn hash_of_id(id: Text<'_>) -> u32 {
    hash_units(HASH_START, id)
}

fn hash_units(hash: u32, text: Text<'_>) -> u32 {
    let add = |hash: u32, unit: u16| hash.wrapping_mul(33).wrapping_add(u32::from(unit));
    match text.units() {
        Some(units) => units.iter().fold(hash, |hash, &unit| add(hash, unit)),
        None => text.bytes().iter().fold(hash, |hash, &byte| add(hash, u16::from(byte))),
    }
}

fn base_36(mut value: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(value % 36, 36).unwrap_or('0'));
        value /= 36;
        if value == 0 {
            return digits.iter().rev().collect();
        }
    }
}
