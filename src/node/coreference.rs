//! Names that several messages use, for direct calls.

use napi::bindgen_prelude::Result;
use napi_derive::napi;

use super::strings::{JsText, StringArray, Units};
use palimpsest_drop_in::coreference::{CoreferenceMap, inline_definitions};
use palimpsest_text::TextBuf;
use palimpsest_text::index::to_u32;
use palimpsest_text::masks::Scratch;

/// A name, the message that defines it, and those that refer to it.
#[napi(object, object_from_js = false)]
pub struct FoundEntity {
    #[napi(ts_type = "string")]
    pub entity: JsText<TextBuf>,
    pub defining_message_index: u32,
    pub referencing_message_indices: Vec<u32>,
}

/// See `buildCoreferenceMap` in `index.d.ts`.
#[napi(catch_unwind)]
pub fn build_coreference_map(#[napi(ts_arg_type = "string[]")] texts: StringArray) -> Result<Vec<FoundEntity>> {
    let texts = texts.read_all()?;
    let mut map = CoreferenceMap::default();
    let mut scratch = Scratch::default();
    for index in 0..texts.len() {
        let text = texts.get(index);
        map.read(index, text, scratch.scan(text.bytes()));
    }
    let found = map.coreferences().map(|coreference| FoundEntity {
        entity: JsText(TextBuf::from(map.name(coreference.name))),
        defining_message_index: to_u32(coreference.defined_in),
        referencing_message_indices: coreference.referred_to_in.iter().map(|&index| to_u32(index)).collect(),
    });
    Ok(found.collect())
}

/// See `generateInlineDefinitions` in `index.d.ts`.
#[napi(catch_unwind, ts_return_type = "string")]
pub fn generate_inline_definitions(
    #[napi(ts_arg_type = "string[]")] entities: StringArray,
    #[napi(ts_arg_type = "string")] source: Units,
) -> Result<JsText<TextBuf>> {
    let entities = entities.read_all()?;
    let source = TextBuf::from(source);
    let mut scratch = Scratch::default();
    let names = (0..entities.len()).map(|index| entities.get(index));
    let scanned = scratch.scan(source.as_text().bytes());
    Ok(JsText(inline_definitions(names, source.as_text(), scanned)))
}
