//! Messages about the same things: by the words that they share and the entities that they name.

mod linkage;
mod similarity;
mod summary;
mod terms;

pub use linkage::link;
pub use similarity::{Document, similarities};
pub use summary::{cluster_label, cluster_summary};
pub use terms::{Terms, TermsTable};

use crate::quality::EntityId;

/// How many messages are compared: the last ones. The comparison takes time that grows with the square of their number.
pub const MAX_MESSAGES: usize = 200;
/// Entities per message that are compared.
pub const ENTITY_LIMIT: usize = 100;
/// Shared entities that a cluster is described by.
const MAX_SHARED: usize = 5;
/// Shared entities in the label of a cluster and at the start of its summary.
const MAX_LABELLED: usize = 3;

/// Successive messages that are about the same things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Their places among the messages that were compared, ascending.
    pub members: Vec<usize>,
    /// The entities that at least two of them have, the most frequent first.
    pub shared: Vec<EntityId>,
}

/// The clusters of `documents`, whose positions in the conversation are `indices`: groups of which each pair is, on
/// average, at least `threshold` alike, if their positions are successive.
pub fn clusters(documents: &[Document<'_>], indices: &[usize], threshold: f64) -> Vec<Cluster> {
    let mut groups = link(&similarities(documents), documents.len(), threshold);
    groups.retain_mut(|members| {
        members.sort_unstable_by_key(|&member| indices[member]);
        members.len() > 1 && members.windows(2).all(|pair| indices[pair[1]] == indices[pair[0]] + 1)
    });
    groups.into_iter().map(|members| Cluster { shared: shared(documents, &members), members }).collect()
}

/// The entities that at least two of `members` have.
fn shared(documents: &[Document<'_>], members: &[usize]) -> Vec<EntityId> {
    let mut counts: Vec<(EntityId, usize)> = Vec::new();
    let mut places = rustc_hash::FxHashMap::default();
    for &entity in members.iter().flat_map(|&member| documents[member].entities) {
        let place = *places.entry(entity).or_insert(counts.len());
        if place == counts.len() {
            counts.push((entity, 0));
        }
        counts[place].1 += 1;
    }
    counts.retain(|&(_, count)| count > 1);
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts.into_iter().take(MAX_SHARED).map(|(entity, _)| entity).collect()
}
