//! Interner of the distinct entities of a call.

use crate::summarize::ScoreSignal;
use crate::summarize::entities::{Entity, EntityScanner, Form};
use palimpsest_text::masks::Scanned;
use palimpsest_text::{Interner, Text};

/// Maximum number of entities per text that the metrics use.
pub const ENTITY_LIMIT: usize = 500;

/// The number of an entity in its [`EntityTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(u32);

impl EntityId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The entities of a text, as a range of the table that listed them.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntityRange {
    start: u32,
    end: u32,
}

impl EntityRange {
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// The distinct entities of all texts read.
#[derive(Debug, Default)]
pub struct EntityTable {
    names: Interner,
    /// For each entity, the number of the last listing that contains it, to recognise repetitions.
    listed_in: Vec<u32>,
    /// All listings, concatenated.
    listed: Vec<EntityId>,
    listings: u32,
    scanner: EntityScanner,
}

impl EntityTable {
    /// Forgets all entities, and keeps the memory.
    pub fn clear(&mut self) {
        self.names.clear();
        self.listed_in.clear();
        self.listed.clear();
        self.listings = 0;
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn name(&self, id: EntityId) -> Text<'_> {
        self.names.get(id.0)
    }

    /// Returns the entities of a range.
    pub fn listed(&self, range: EntityRange) -> &[EntityId] {
        &self.listed[range.start as usize..range.end as usize]
    }

    /// Lists the first `limit` distinct entities of `text`, whose masks are in `scanned`, in the order of the contract.
    /// Score signals of its sentences are added to `signals`, if given.
    pub fn list(
        &mut self,
        text: Text<'_>,
        scanned: Scanned<'_>,
        limit: usize,
        signals: Option<&mut Vec<ScoreSignal>>,
    ) -> EntityRange {
        self.listings += 1;
        let start = self.listed.len();
        let mut scanner = std::mem::take(&mut self.scanner);
        for pass in scanner.read(scanned, signals) {
            for entity in pass {
                if self.listed.len() - start == limit {
                    break;
                }
                let id = self.intern(text, entity);
                // Branchless, because repetitions are unpredictable.
                let is_new = std::mem::replace(&mut self.listed_in[id.index()], self.listings) != self.listings;
                self.listed.push(id);
                self.listed.truncate(self.listed.len() - usize::from(!is_new));
            }
        }
        self.scanner = scanner;
        EntityRange { start: start as u32, end: self.listed.len() as u32 }
    }

    /// Returns the number of distinct entities of `text`, whose masks are in `scanned`; at most [`ENTITY_LIMIT`].
    pub fn count(&mut self, text: Text<'_>, scanned: Scanned<'_>) -> usize {
        self.list(text, scanned, ENTITY_LIMIT, None).len()
    }

    fn intern(&mut self, text: Text<'_>, entity: &Entity) -> EntityId {
        let (start, end) = (entity.start as usize, entity.end as usize);
        let id = match entity.form {
            Form::Any => self.names.intern(text.slice(start..end)),
            Form::Ascii => self.names.intern_ascii(text.bytes(), start..end),
            Form::Lowercase => self.names.intern_lowercase(text.bytes(), start..end),
        };
        if id as usize == self.listed_in.len() {
            self.listed_in.push(0);
        }
        EntityId(id)
    }
}
