//! First and later uses of names.

use crate::summarize::{Shape, for_each_identifier};
use palimpsest_text::masks::Scanned;
use palimpsest_text::{Interner, Text};

/// A name, the first message that contains it, and the later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coreference {
    /// Number of the name in its [`CoreferenceMap`].
    pub name: u32,
    /// Position of the message that defines it.
    pub defined_in: usize,
    /// Positions of the messages that refer to it, ascending.
    pub referred_to_in: Vec<usize>,
}

/// The names of all messages read, in order of first occurrence.
#[derive(Debug, Default)]
pub struct CoreferenceMap {
    names: Interner,
    coreferences: Vec<Coreference>,
    /// The names of the current message, by shape.
    found: [Vec<(usize, usize)>; 3],
}

impl CoreferenceMap {
    /// Reads the message at `index`, which must be greater than those read before.
    pub fn read(&mut self, index: usize, text: Text<'_>, scanned: Scanned<'_>) {
        self.found.iter_mut().for_each(Vec::clear);
        for_each_identifier(scanned, |shape, start, end| match shape {
            Shape::Camel => self.found[0].push((start, end)),
            Shape::Pascal => self.found[1].push((start, end)),
            Shape::Snake => self.found[2].push((start, end)),
            Shape::Plain => {}
        });
        for &(start, end) in self.found.iter().flatten() {
            let name = self.names.intern_ascii(text.bytes(), start..end);
            if name as usize == self.coreferences.len() {
                self.coreferences.push(Coreference { name, defined_in: index, referred_to_in: Vec::new() });
            }
            let Coreference { defined_in, referred_to_in, .. } = &mut self.coreferences[name as usize];
            if *defined_in != index && referred_to_in.last() != Some(&index) {
                referred_to_in.push(index);
            }
        }
    }

    pub fn name(&self, number: u32) -> Text<'_> {
        self.names.get(number)
    }

    /// Returns the names that a later message refers to.
    pub fn coreferences(&self) -> impl Iterator<Item = &Coreference> {
        self.coreferences.iter().filter(|coreference| !coreference.referred_to_in.is_empty())
    }
}
