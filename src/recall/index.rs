//! The index of a history.

use super::lists::Lists;
use super::sent::Sent;
use crate::parallel::map_chunks;
use crate::text::{SparseTexts, Text, Texts};

/// An index of a history, which grows and shrinks at its end.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) texts: SparseTexts,
    /// By part: the part of the call that it answers.
    pub(super) calls: Vec<Option<u32>>,
    pub(super) lists: Lists,
    pub(super) sent: Sent,
}

impl Index {
    /// Number of parts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds parts. `push` adds their texts, of about `units` UTF-16 code units altogether, to those of the index; `call_of` returns the part
    /// of the call that the nth of them answers, and `name_of` the name of the tool that it calls, by whose words it is found, too. Takes time
    /// linear in the lengths; long histories are read on several threads.
    ///
    /// # Errors
    ///
    /// If `push` fails; then nothing is added.
    pub fn append<'n, E>(
        &mut self,
        units: usize,
        push: impl FnOnce(&mut SparseTexts) -> Result<(), E>,
        call_of: impl Fn(usize) -> Option<u32>,
        name_of: impl Fn(usize) -> Option<Text<'n>> + Sync,
    ) -> Result<(), E> {
        let first = self.len();
        self.texts.reserve(units);
        let pushed = push(&mut self.texts);
        if pushed.is_err() {
            self.truncate(first);
            return pushed;
        }
        let texts = &self.texts;
        let count = texts.len() - first;
        self.calls.extend((0..count).map(|number| call_of(number).filter(|&call| (call as usize) < first + number)));
        let length = |number: usize| texts.bytes(first + number).len();
        let lists = map_chunks(count, length, |chunk| {
            let mut lists = Lists::default();
            // Room for all, because the others are joined to the first. Memory that is never written to costs nothing.
            lists.reserve((0..count).map(length).sum());
            let mut buffer = Vec::new();
            chunk.for_each(|number| {
                lists.add(texts.slice(first + number, 0..length(number), &mut buffer), name_of(number));
            });
            lists
        });
        lists.into_iter().for_each(|lists| self.lists.join(lists));
        Ok(())
    }

    /// Removes all parts but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.texts.truncate(count);
        self.calls.truncate(count);
        self.lists.truncate(count);
    }

    /// Sets the texts of the request. Passages are looked for in what does not stand in them.
    pub fn set_sent(&mut self, texts: &Texts) {
        self.sent = Sent::new(texts);
    }

    /// The folded bytes of the text of a part.
    pub(super) fn bytes(&self, part: u32) -> &[u8] {
        self.texts.bytes(part as usize)
    }

    /// End of a unit in the text of its part.
    pub(super) fn end_of(&self, unit: u32) -> usize {
        let part = self.lists.units[unit as usize].part;
        let next = self.lists.units.get(unit as usize + 1).filter(|next| next.part == part);
        next.map_or_else(|| self.bytes(part).len(), |next| next.start as usize)
    }
}
