//! Every distinct entity of a call once, under a number.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::summarize::entities::{Entity, Passes};
use crate::text::masks::Scanned;
use crate::text::{Text, Texts};

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
pub struct Listing {
    start: u32,
    end: u32,
}

impl Listing {
    /// The same listing where all were moved by `count` places.
    pub fn moved_by(self, count: u32) -> Listing {
        Listing { start: self.start + count, end: self.end + count }
    }
}

/// The distinct entities of all texts that it was shown.
#[derive(Debug, Default)]
pub struct EntityTable {
    names: Texts,
    /// For each entity its hash, and the last listing that had it, which tells repetitions apart.
    entries: Vec<(u32, u32)>,
    /// The numbers of the entities plus one, each in the first free place behind the one that its hash leads to; 0 for a
    /// free place. A power of two of them, at most half of them taken.
    places: Vec<u32>,
    /// All listings, one behind the other, and their number.
    listed: Vec<EntityId>,
    listings: u32,
    passes: Passes,
    lowered: Vec<u8>,
}

impl EntityTable {
    /// The number of distinct entities so far.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no entity was seen yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entity's text.
    pub fn name(&self, id: EntityId) -> Text<'_> {
        self.names.get(id.index())
    }

    /// The entities of a listing.
    pub fn listed(&self, listing: Listing) -> &[EntityId] {
        &self.listed[listing.start as usize..listing.end as usize]
    }

    /// Lists the first `limit` distinct entities of `text`, which `scanned` has the masks of, in the order of the
    /// contract.
    pub fn list(&mut self, text: Text<'_>, scanned: Scanned<'_>, limit: usize) -> Listing {
        self.listings += 1;
        let start = self.listed.len();
        let mut passes = std::mem::take(&mut self.passes);
        for entity in passes.read(scanned) {
            if self.listed.len() - start == limit {
                break;
            }
            let id = self.intern(text, entity);
            let listed_in = &mut self.entries[id.index()].1;
            if std::mem::replace(listed_in, self.listings) != self.listings {
                self.listed.push(id);
            }
        }
        self.passes = passes;
        Listing { start: start as u32, end: self.listed.len() as u32 }
    }

    /// Takes over all entities and listings of `other`, and tells by how many places its listings have moved.
    pub fn absorb(&mut self, other: &EntityTable) -> u32 {
        let ids: Vec<EntityId> = (0..other.len()).map(|index| self.intern_name(other.names.get(index))).collect();
        let moved_by = self.listed.len() as u32;
        self.listed.extend(other.listed.iter().map(|id| ids[id.index()]));
        moved_by
    }

    fn intern(&mut self, text: Text<'_>, entity: Entity) -> EntityId {
        let name = text.slice(entity.start..entity.end);
        if !entity.lowercase {
            return self.intern_name(name);
        }
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        lowered.extend(name.bytes().iter().map(u8::to_ascii_lowercase));
        let id = self.intern_name(Text::from_ascii(&lowered));
        self.lowered = lowered;
        id
    }

    fn intern_name(&mut self, name: Text<'_>) -> EntityId {
        if 2 * self.entries.len() >= self.places.len() {
            self.grow();
        }
        let hash = hash_of(name);
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(id) = self.places[place].checked_sub(1) {
            if self.entries[id as usize].0 == hash && self.names.get(id as usize) == name {
                return EntityId(id);
            }
            place = (place + 1) & mask;
        }
        self.names.push(name);
        self.entries.push((hash, 0));
        self.places[place] = self.entries.len() as u32;
        EntityId(self.entries.len() as u32 - 1)
    }

    fn grow(&mut self) {
        let count = (2 * self.places.len()).max(256);
        self.places.clear();
        self.places.resize(count, 0);
        for (id, (hash, _)) in (1..).zip(&self.entries) {
            let mut place = *hash as usize & (count - 1);
            while self.places[place] != 0 {
                place = (place + 1) & (count - 1);
            }
            self.places[place] = id;
        }
    }
}

fn hash_of(name: Text<'_>) -> u32 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish() as u32
}
