//! The chains of a conversation, for direct calls.

use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use super::conversation::speaker;
use super::strings::{JsText, StringArray};
use crate::layout::flow_flag;
use palimpsest_drop_in::flow::{ChainKind, Cues, Link, chain_label, chain_summary, detect_chains};
use palimpsest_text::index::to_u32;
use palimpsest_text::masks::Scratch;
use palimpsest_text::{TextBuf, Texts};

/// Messages that belong together.
#[napi(object, object_from_js = false)]
pub struct FoundChain {
    pub indices: Vec<u32>,
    #[napi(js_name = "type")]
    pub kind: &'static str,
    #[napi(ts_type = "string")]
    pub label: JsText<TextBuf>,
}

/// See `detectFlowChains` in `index.d.ts`. `flags` are those of each message: bits of `FLOW_FLAG`, and its role.
#[napi(catch_unwind)]
pub fn detect_flow_chains(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    flags: Vec<u32>,
) -> Result<Vec<FoundChain>> {
    let texts = texts.read_all()?;
    let mut scratch = Scratch::default();
    let link = |(index, flags): (usize, &u32)| {
        let has = |flag: u32| flags & flag != 0;
        let speaker = speaker(has(flow_flag::USER), has(flow_flag::ASSISTANT));
        let text = texts.get(index);
        let cues = Cues::of(scratch.scan(text.bytes()), speaker);
        Link { role: flags >> flow_flag::COUNT, speaker, is_free: has(flow_flag::FREE), cues, length: text.len() }
    };
    let links: Vec<Link> = flags.iter().take(texts.len()).enumerate().map(link).collect();
    let found = detect_chains(&links).into_iter().map(|chain| {
        let labelled = chain.members[usize::from(chain.kind == ChainKind::Correction)];
        FoundChain {
            label: JsText(chain_label(chain.kind, texts.get(labelled))),
            kind: chain.kind.name(),
            indices: chain.members.into_iter().map(to_u32).collect(),
        }
    });
    Ok(found.collect())
}

/// See `summarizeChain` in `index.d.ts`: the texts are those of the chain's messages.
#[napi(catch_unwind, ts_return_type = "string")]
pub fn summarize_chain(kind: String, #[napi(ts_arg_type = "string[]")] texts: StringArray) -> Result<JsText<TextBuf>> {
    let kind = ChainKind::from_name(&kind).ok_or_else(|| Error::from_reason("no such type of chain"))?;
    let texts: Texts = texts.read_all()?;
    let text = |index: usize| if index < texts.len() { texts.get(index) } else { Default::default() };
    Ok(JsText(chain_summary(kind, text(0), text(1), texts.len() > 2)))
}
