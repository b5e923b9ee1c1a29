//! A conversation as `lib/compress.js` gathers it.

use napi::bindgen_prelude::{Error, Float64Array, Result, Uint32Array};
use napi_derive::napi;

use super::strings::{StringArray, Units};
use super::tokens::GatheredTokenizer;
use crate::message::{Conversation, Message};
use crate::pipeline::{Engine, Options};

/// Bits of a message's flags; the number of its role stands above them.
const PRESERVED_ROLE: u32 = 1;
const TOOL_CALLS: u32 = 2;
const ANSWERS_TOOL_CALL: u32 = 4;
const STRING_ID: u32 = 8;
const ROLE_SHIFT: u32 = 4;

/// The messages of a call, flattened.
#[napi(object, object_to_js = false)]
pub struct GatheredMessages {
    /// The text of each message.
    #[napi(ts_type = "string[]")]
    pub texts: StringArray,
    /// The length of each text, in UTF-16 code units.
    pub lengths: Uint32Array,
    /// Their ids, one behind the other.
    #[napi(ts_type = "string")]
    pub ids: Units,
    /// Where each id ends in `ids`.
    pub id_ends: Uint32Array,
    /// For each message the number of its role, times 16, plus its flags.
    pub flags: Uint32Array,
    /// The tokens of each message, where the caller or a tokenizer counts them.
    pub tokens: Option<Float64Array>,
    /// What counts messages that are written, where a tokenizer does.
    pub tokenizer: Option<GatheredTokenizer>,
}

/// The options of a call; see `CompressOptions` in `index.d.ts`.
#[napi(object, object_to_js = false)]
pub struct GatheredOptions {
    pub recency_window: f64,
    pub dedup: bool,
    pub fuzzy_dedup: bool,
    pub fuzzy_threshold: f64,
    pub embed_summary_id: bool,
    pub token_budget: Option<f64>,
    pub min_recency_window: f64,
    pub force_converge: bool,
    pub observation_threshold: Option<f64>,
    pub full_classifier_mode: bool,
    pub trace: bool,
}

impl GatheredOptions {
    /// The engine's options.
    pub fn to_options(&self, has_patterns: bool, has_summarizer: bool) -> Options {
        Options {
            recency_window: self.recency_window,
            dedup: self.dedup,
            fuzzy_dedup: self.fuzzy_dedup,
            fuzzy_threshold: self.fuzzy_threshold,
            embed_summary_id: self.embed_summary_id,
            token_budget: self.token_budget,
            min_recency_window: self.min_recency_window,
            force_converge: self.force_converge,
            observation_threshold: self.observation_threshold,
            full_classifier_mode: self.full_classifier_mode,
            trace: self.trace,
            has_patterns,
            has_summarizer,
        }
    }
}

impl GatheredMessages {
    /// The length of all texts together, in UTF-16 code units.
    pub fn units(&self) -> usize {
        self.lengths.iter().map(|&length| length as usize).sum()
    }

    /// An engine with everything copied out of JavaScript.
    pub fn to_engine(&self, options: Options) -> Result<Engine> {
        let tokens = self.tokens.as_ref().map(|tokens| tokens.to_vec());
        let exact_tokens = self.tokenizer.as_ref().map(GatheredTokenizer::read).transpose()?;
        Ok(Engine::new(self.read()?, options, tokens).with_exact_tokens(exact_tokens))
    }

    fn read(&self) -> Result<Conversation> {
        let count = self.texts.len();
        let lengths: &[u32] = &self.lengths;
        let ends: &[u32] = &self.id_ends;
        let flags: &[u32] = &self.flags;
        if ends.len() != count || flags.len() != count {
            return Err(Error::from_reason("each message needs a text, an id and flags"));
        }
        let mut conversation = Conversation::with_capacity(count, self.units());
        self.texts.for_each(Some(lengths), |index, text| {
            let start = if index == 0 { 0 } else { ends[index - 1] as usize };
            let id = self.ids.0.get(start..ends[index] as usize).unwrap_or_default();
            let flags = flags[index];
            let message = Message {
                role: flags >> ROLE_SHIFT,
                has_preserved_role: flags & PRESERVED_ROLE != 0,
                has_tool_calls: flags & TOOL_CALLS != 0,
                answers_tool_call: flags & ANSWERS_TOOL_CALL != 0,
                has_string_id: flags & STRING_ID != 0,
            };
            conversation.push(message, id, text);
        })?;
        Ok(conversation)
    }
}
