//! Clusters of messages on the same subject, by the words they share and the entities they name.

mod linkage;
mod similarity;
mod summary;
mod terms;

pub use linkage::link;
pub use similarity::{Document, similarities};
pub use summary::{cluster_label, cluster_summary};
pub use terms::{Terms, TermsTable};

use crate::quality::EntityId;

/// Maximum number of messages that are compared; of more, the last ones. The comparison takes quadratic time.
pub const MAX_MESSAGES: usize = 200;
/// Maximum number of entities per message that are compared.
pub const ENTITY_LIMIT: usize = 100;
/// Maximum number of shared entities that describe a cluster.
const MAX_SHARED: usize = 5;
/// Maximum number of shared entities in the label of a cluster and at the start of its summary.
const MAX_LABELLED: usize = 3;

/// Consecutive messages on the same subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Positions among the compared messages, ascending.
    pub members: Vec<usize>,
    /// Entities that at least two of them contain, most frequent first.
    pub shared: Vec<EntityId>,
}

/// Returns the clusters of `documents`, whose positions in the conversation are `indices`: groups with an average
/// similarity of at least `threshold` and consecutive positions.
pub fn clusters(documents: &[Document<'_>], indices: &[usize], threshold: f64) -> Vec<Cluster> {
    let mut groups = link(&similarities(documents), documents.len(), threshold);
    groups.retain_mut(|members| {
        members.sort_unstable_by_key(|&member| indices[member]);
        members.len() > 1 && members.windows(2).all(|pair| indices[pair[1]] == indices[pair[0]] + 1)
    });
    groups.into_iter().map(|members| Cluster { shared: shared(documents, &members), members }).collect()
}

/// Returns the entities that at least two of `members` contain, most frequent first.
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
