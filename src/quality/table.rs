//! Every distinct entity of a call once, under a number.

use crate::summarize::ScoreSignal;
use crate::summarize::entities::{Entity, EntityScanner, Form, PASSES};
use crate::text::masks::Scanned;
use crate::text::{Interner, Text};

/// Maximum entities per text that the metrics read.
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

/// The entities of a text, as a place in the table that listed them.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntityRange {
    start: u32,
    /// Where those of each pass end.
    ends: [u32; PASSES],
}

impl EntityRange {
    /// The same listing where all were moved by `count` places.
    pub fn moved_by(self, count: u32) -> EntityRange {
        EntityRange { start: self.start + count, ends: self.ends.map(|end| end + count) }
    }
}

/// The distinct entities of all texts that it was shown.
#[derive(Debug, Default)]
pub struct EntityTable {
    names: Interner,
    /// For each entity the last listing that had it, which tells repetitions apart.
    listed_in: Vec<u32>,
    /// All listings, one behind the other, and their number.
    listed: Vec<EntityId>,
    listings: u32,
    passes: EntityScanner,
}

impl EntityTable {
    /// The number of distinct entities so far.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no entity was seen yet.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The entity's text.
    pub fn name(&self, id: EntityId) -> Text<'_> {
        self.names.get(id.0)
    }

    /// The entities of a listing.
    pub fn listed(&self, listing: EntityRange) -> &[EntityId] {
        &self.listed[listing.start as usize..listing.ends[PASSES - 1] as usize]
    }

    /// The first `limit` distinct entities of the joined text of which `parts` are the listings, if the parts neither
    /// start nor end in the middle of an entity.
    pub fn join(&self, parts: &[EntityRange], limit: usize) -> Vec<EntityId> {
        let mut joined = Vec::with_capacity(limit);
        for pass in 0..PASSES {
            for part in parts {
                let start = if pass == 0 { part.start } else { part.ends[pass - 1] };
                for id in &self.listed[start as usize..part.ends[pass] as usize] {
                    if joined.len() == limit {
                        return joined;
                    }
                    // The limit is small.
                    if !joined.contains(id) {
                        joined.push(*id);
                    }
                }
            }
        }
        joined
    }

    /// Lists the first `limit` distinct entities of `text`, which `scanned` has the masks of, in the order of the
    /// contract. What raises the score of its sentence goes to `signs`, if it is wanted.
    pub fn list(
        &mut self,
        text: Text<'_>,
        scanned: Scanned<'_>,
        limit: usize,
        signs: Option<&mut Vec<ScoreSignal>>,
    ) -> EntityRange {
        self.listings += 1;
        let start = self.listed.len();
        let mut ends = [start as u32; PASSES];
        let mut passes = std::mem::take(&mut self.passes);
        for (pass, end) in passes.read(scanned, signs).into_iter().zip(&mut ends) {
            for entity in pass {
                if self.listed.len() - start == limit {
                    break;
                }
                let id = self.intern(text, entity);
                // No branch: whether an entity was there before can't be foreseen.
                let is_new = std::mem::replace(&mut self.listed_in[id.index()], self.listings) != self.listings;
                self.listed.push(id);
                self.listed.truncate(self.listed.len() - usize::from(!is_new));
            }
            *end = self.listed.len() as u32;
        }
        self.passes = passes;
        EntityRange { start: start as u32, ends }
    }

    /// The number of distinct entities of `text`, which `scanned` has the masks of; at most [`ENTITY_LIMIT`].
    pub fn count(&mut self, text: Text<'_>, scanned: Scanned<'_>) -> usize {
        let listing = self.list(text, scanned, ENTITY_LIMIT, None);
        self.listed(listing).len()
    }

    /// Takes over all entities and listings of `other`, and tells by how many places its listings have moved.
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
