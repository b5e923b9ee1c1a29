//! What a request contains, so that no passage repeats it.

use rustc_hash::FxHashSet;

use super::units::{core, for_each_unit};
use palimpsest_text::hashing::text_hash;
use palimpsest_text::{Text, Texts};

/// The texts of a request.
#[derive(Debug)]
pub(crate) struct Sent {
    /// Parts of the history that it contains as they are, and which need not be read again.
    pub parts: Vec<u32>,
    /// Its other texts.
    pub texts: Texts,
    /// The hashes of the units of these, which are keyed.
    pub units: FxHashSet<u64>,
}

impl Default for Sent {
    fn default() -> Self {
        Sent { parts: Vec::new(), texts: Texts::compact(0, 0), units: FxHashSet::default() }
    }
}

impl Sent {
    /// Reads the texts of a request, beside those of parts of the history.
    pub(crate) fn new(parts: Vec<u32>, texts: &Texts) -> Self {
        let mut sent = Sent { parts, ..Sent::default() };
        sent.texts.reserve(texts.units());
        (0..texts.len()).for_each(|index| sent.push(texts.get(index)));
        sent
    }

    /// Adds a text.
    pub(crate) fn push(&mut self, text: Text<'_>) {
        for_each_unit(text, |unit| _ = self.units.insert(text_hash(core(text.slice(unit)))));
        self.texts.push(text);
    }
}
