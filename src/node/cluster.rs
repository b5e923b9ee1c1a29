//! Clusters of messages, for direct calls.

use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use super::strings::{JsText, JsTexts, StringArray};
use palimpsest_drop_in::cluster::{
    Document, ENTITY_LIMIT, Terms, TermsTable, cluster_label, cluster_summary, clusters,
};
use palimpsest_drop_in::quality::{EntityRange, EntityTable};
use palimpsest_text::TextBuf;
use palimpsest_text::index::{to_u32, to_usize};
use palimpsest_text::masks::Scratch;

/// Messages about the same topic.
#[napi(object, object_from_js = false)]
pub struct FoundCluster {
    pub indices: Vec<u32>,
    #[napi(ts_type = "string[]")]
    pub shared_entities: JsTexts<TextBuf>,
    #[napi(ts_type = "string")]
    pub label: JsText<TextBuf>,
}

/// See `clusterMessages` in `index.d.ts`: the texts are those of the messages at `indices`.
#[napi(catch_unwind)]
pub fn cluster_messages(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    indices: Vec<u32>,
    threshold: f64,
) -> Result<Vec<FoundCluster>> {
    if indices.len() != texts.len() {
        return Err(Error::from_reason("each text needs the position of its message"));
    }
    let texts = texts.read_all()?;
    let mut scratch = Scratch::default();
    let mut terms = TermsTable::default();
    let mut entities = EntityTable::default();
    let read: Vec<(Terms, EntityRange)> = (0..texts.len())
        .map(|place| {
            let text = texts.get(place);
            let listing = entities.list(text, scratch.scan(text.bytes()), ENTITY_LIMIT, None);
            (terms.terms(text), listing)
        })
        .collect();
    let documents: Vec<Document<'_>> =
        read.iter().map(|(terms, listing)| Document { terms, entities: entities.listed(*listing) }).collect();
    let indices: Vec<usize> = indices.into_iter().map(to_usize).collect();
    let found = clusters(&documents, &indices, threshold).into_iter().map(|cluster| {
        let shared = || cluster.shared.iter().map(|&id| entities.name(id));
        FoundCluster {
            indices: cluster.members.iter().map(|&member| to_u32(indices[member])).collect(),
            shared_entities: JsTexts(shared().map(TextBuf::from).collect()),
            label: JsText(cluster_label(shared(), indices[cluster.members[0]])),
        }
    });
    Ok(found.collect())
}

/// See `summarizeCluster` in `index.d.ts`: the texts are those of the cluster's messages.
#[napi(catch_unwind, ts_return_type = "string")]
pub fn summarize_cluster(
    #[napi(ts_arg_type = "string[]")] shared_entities: StringArray,
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
) -> Result<JsText<TextBuf>> {
    let (shared, texts) = (shared_entities.read_all()?, texts.read_all()?);
    let shared = (0..shared.len()).map(|index| shared.get(index));
    Ok(JsText(cluster_summary(shared, (0..texts.len()).map(|index| texts.get(index)))))
}
