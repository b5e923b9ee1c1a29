//! The text of a join.

use crate::cluster::{Cluster, cluster_label, cluster_summary};
use crate::compress::facts::Facts;
use crate::flow::{Chain, chain_summary};
use crate::quality::EntityTable;
use palimpsest_text::TextBuf;

/// Returns the text for the first `count` messages of a chain.
pub(crate) fn chain_text(facts: &Facts, chain: &Chain, count: usize) -> TextBuf {
    let start = chain.members[0];
    let mut text = TextBuf::from("[summary: ");
    text.push(chain_summary(chain.kind, facts.text(start), facts.text(start + 1), count > 2).as_text());
    text.push_str(&format!(" ({count} messages, {})]", chain.kind.name()));
    text
}

/// Returns the text for a cluster of messages from `start` on, and its label. `entities` has what they share.
pub(crate) fn cluster_text(
    facts: &Facts,
    start: usize,
    cluster: &Cluster,
    entities: &EntityTable,
) -> (TextBuf, TextBuf) {
    let names = || cluster.shared.iter().map(|&id| entities.name(id));
    let mut text = TextBuf::from("[summary: ");
    let texts = (start..start + cluster.members.len()).map(|index| facts.text(index));
    text.push(cluster_summary(names(), texts).as_text());
    text.push_str("]");
    (text, cluster_label(names(), start))
}
