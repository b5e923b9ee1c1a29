//! Every distinct entity of a call once, under a number.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use crate::summarize::entities::{Entity, entities};
use crate::text::{Text, TextBuf};

/// The number of an entity in its [`EntityTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(u32);

impl EntityId {
    /// The number, for indexing.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The distinct entities of all texts that it was shown.
#[derive(Debug, Default)]
pub struct EntityTable {
    names: Vec<TextBuf>,
    /// The first name with a hash; `next` leads to the others.
    heads: FxHashMap<u64, u32>,
    next: Vec<u32>,
    /// For each entity the number of the last listing that had it, which tells repetitions apart.
    listed_in: Vec<u32>,
    listings: u32,
}

const NONE: u32 = u32::MAX;

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
        self.names[id.index()].as_text()
    }

    /// Appends the first `limit` distinct entities of `text` to `into`, in the order of the contract.
    pub fn list(&mut self, text: Text<'_>, limit: usize, into: &mut Vec<EntityId>) {
        self.listings += 1;
        let start = into.len();
        for entity in entities(text.bytes()) {
            if into.len() - start == limit {
                break;
            }
            let id = self.intern(text, entity);
            if std::mem::replace(&mut self.listed_in[id.index()], self.listings) != self.listings {
                into.push(id);
            }
        }
    }

    fn intern(&mut self, text: Text<'_>, entity: Entity) -> EntityId {
        let name = text.slice(entity.start..entity.end);
        let mut lowered = [0; 64];
        let name = match lowered.get_mut(..name.len()) {
            _ if !entity.lowercase => Name::AsIs(name),
            Some(buffer) => {
                buffer.copy_from_slice(name.bytes());
                buffer.make_ascii_lowercase();
                Name::Lowered(buffer)
            }
            None => return self.intern_long(name),
        };
        self.intern_name(name)
    }

    /// A word of more than 64 letters without a vowel: rare enough to pay for a copy.
    fn intern_long(&mut self, name: Text<'_>) -> EntityId {
        let lowered = name.bytes().to_ascii_lowercase();
        self.intern_name(Name::Lowered(&lowered))
    }

    fn intern_name(&mut self, name: Name<'_>) -> EntityId {
        let mut hasher = FxHasher::default();
        hasher.write(name.bytes());
        let hash = hasher.finish();
        let head = self.heads.get(&hash).copied().unwrap_or(NONE);
        let mut candidate = head;
        while candidate != NONE {
            if name.equals(self.names[candidate as usize].as_text()) {
                return EntityId(candidate);
            }
            candidate = self.next[candidate as usize];
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_buf());
        self.next.push(head);
        self.heads.insert(hash, id);
        self.listed_in.push(0);
        EntityId(id)
    }
}

/// An entity's text before it has a number.
enum Name<'a> {
    AsIs(Text<'a>),
    /// ASCII letters, in lowercase.
    Lowered(&'a [u8]),
}

impl Name<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Name::AsIs(text) => text.bytes(),
            Name::Lowered(bytes) => bytes,
        }
    }

    fn equals(&self, other: Text<'_>) -> bool {
        match self {
            Name::AsIs(text) => *text == other,
            Name::Lowered(bytes) => other.units().is_none() && *bytes == other.bytes(),
        }
    }

    fn to_buf(&self) -> TextBuf {
        let mut buffer = TextBuf::new();
        match self {
            Name::AsIs(text) => buffer.push(*text),
            Name::Lowered(bytes) => buffer.push_str(&String::from_utf8_lossy(bytes)),
        }
        buffer
    }
}
