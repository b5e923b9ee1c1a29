//! Interner of the distinct entities of a call.

use crate::summarize::ScoreSignal;
use crate::summarize::entities::{Entity, EntityScanner, Form, PASSES};
use crate::text::masks::Scanned;
use crate::text::{Interner, Text};

/// Maximum number of entities per text that the metrics use.
pub const ENTITY_LIMIT: usize = 500;

/// The number of an entity in its [`EntityTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(u32);

impl EntityId {
    /// The number, for indexing.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The entities of a text, as a range of the table that listed them.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntityRange {
    start: u32,
    /// The end of the entities of each pass.
    ends: [u32; PASSES],
}

impl EntityRange {
    /// Returns this range after all ranges have moved by `count` positions.
    pub fn moved_by(self, count: u32) -> EntityRange {
        EntityRange { start: self.start + count, ends: self.ends.map(|end| end + count) }
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
    /// Number of listings.
    listings: u32,
    scanner: EntityScanner,
}

impl EntityTable {
    /// Returns the number of distinct entities so far.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether there are no entities yet.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the text of an entity.
    pub fn name(&self, id: EntityId) -> Text<'_> {
        self.names.get(id.0)
    }

    /// Returns the entities of a range.
    pub fn listed(&self, range: EntityRange) -> &[EntityId] {
        &self.listed[range.start as usize..range.ends[PASSES - 1] as usize]
    }

    /// Returns the first `limit` distinct entities of the concatenation of texts whose ranges are `parts`, provided
    /// that no entity spans two of them.
    pub fn join(&self, parts: &[EntityRange], limit: usize) -> Vec<EntityId> {
        let mut joined = Vec::with_capacity(limit);
        for pass in 0..PASSES {
            for part in parts {
                let start = if pass == 0 { part.start } else { part.ends[pass - 1] };
                for id in &self.listed[start as usize..part.ends[pass] as usize] {
                    if joined.len() == limit {
                        return joined;
                    }
                    // A linear search, because the limit is small.
                    if !joined.contains(id) {
                        joined.push(*id);
                    }
                }
            }
        }
        joined
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
        let mut ends = [start as u32; PASSES];
        let mut scanner = std::mem::take(&mut self.scanner);
        for (pass, end) in scanner.read(scanned, signals).into_iter().zip(&mut ends) {
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
            *end = self.listed.len() as u32;
        }
        self.scanner = scanner;
        EntityRange { start: start as u32, ends }
    }

    /// Returns the number of distinct entities of `text`, whose masks are in `scanned`; at most [`ENTITY_LIMIT`].
    pub fn count(&mut self, text: Text<'_>, scanned: Scanned<'_>) -> usize {
        let range = self.list(text, scanned, ENTITY_LIMIT, None);
        self.listed(range).len()
    }

    /// Appends all entities and ranges of `other`. Returns the number of positions by which its ranges have moved.
    pub fn absorb(&mut self, other: &EntityTable) -> u32 {
        let ids = self.names.absorb(&other.names);
        self.listed_in.resize(self.names.len(), 0);
        let moved_by = self.listed.len() as u32;
        self.listed.extend(other.listed.iter().map(|id| EntityId(ids[id.index()])));
        moved_by
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

/// Entities of further texts beside a table that stays as it is: those that the table lacks have the numbers behind its
/// last one.
#[derive(Debug, Default)]
pub struct EntityOverlay {
    /// The names that the table lacks.
    names: Interner,
    /// All listings, one behind the other.
    listed: Vec<EntityId>,
}

impl EntityOverlay {
    /// Adds all listings of `other` and returns by how many places they have moved. `base` has to be the same each time.
    pub fn absorb(&mut self, base: &EntityTable, other: &EntityTable) -> u32 {
        let ids: Vec<EntityId> = (0..other.len() as u32)
            .map(|id| {
                let name = other.names.get(id);
                EntityId(base.names.find(name).unwrap_or_else(|| base.len() as u32 + self.names.intern(name)))
            })
            .collect();
        let moved_by = self.listed.len() as u32;
        self.listed.extend(other.listed.iter().map(|id| ids[id.index()]));
        moved_by
    }

    /// The entities of a listing.
    pub fn listed(&self, listing: EntityRange) -> &[EntityId] {
        &self.listed[listing.start as usize..listing.ends[PASSES - 1] as usize]
    }

    /// Number of distinct entities that `base` lacks.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether `base` has all entities.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
