//! The trimming of tool results, for `lib/compress/prepass.ts`.

use napi::bindgen_prelude::{External, Result, Uint8Array, Uint32Array, Uint32ArraySlice};
use napi_derive::napi;

use super::conversation::{Given, Trimmed};
use super::strings::{JsText, StringArray, Units};
use crate::layout::turn_kind;
use palimpsest_agent::prepass::{Call, TurnKind, Turns, trimmed};
use palimpsest_text::TextBuf;
use palimpsest_text::index::{to_u32, to_usize};

/// The calls that tool results answer.
#[napi(object, object_to_js = false)]
pub struct AnsweredCalls<'env> {
    pub names: Vec<String>,
    /// JSON.
    #[napi(ts_type = "string[]")]
    pub arguments: StringArray<'env>,
    /// The positions of the results.
    pub answers: Uint32Array,
}

impl AnsweredCalls<'_> {
    fn read(self) -> Result<Vec<Call>> {
        let mut calls = Vec::with_capacity(self.names.len());
        let mut known = self.names.into_iter().zip(self.answers.iter());
        self.arguments.for_each(None, |_, units| {
            if let Some((name, &answer)) = known.next() {
                let mut arguments = TextBuf::new();
                arguments.push_units(units);
                calls.push(Call { name, arguments, answer: to_usize(answer) });
            }
        })?;
        Ok(calls)
    }
}

/// The trimmed tool results.
#[napi(object, object_from_js = false)]
pub struct TrimmedResults {
    /// The results that became shorter.
    pub results: Vec<TrimmedResult>,
    /// The conversation with them, for `compress` and `compressAsync`.
    #[napi(ts_type = "object")]
    pub conversation: External<Option<Trimmed>>,
}

/// A tool result that became shorter.
#[napi(object, object_from_js = false)]
pub struct TrimmedResult {
    pub index: u32,
    #[napi(ts_type = "string")]
    pub text: JsText<TextBuf>,
}

/// Trims tool results in a conversation. `kinds` has a number of `TURN_KIND` for each message.
#[napi(catch_unwind)]
pub fn trim_tool_results(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    #[napi(ts_arg_type = "string")] ids: Units,
    #[napi(ts_arg_type = "Uint32Array")] columns: Uint32ArraySlice,
    kinds: Uint8Array,
    calls: AnsweredCalls,
) -> Result<TrimmedResults> {
    let mut conversation = Given::new(&texts, &ids, &columns)?.read()?;
    let kinds = (0..conversation.len()).map(|index| {
        let number = kinds.get(index).copied().unwrap_or_default();
        turn_kind::value(number.into()).unwrap_or(TurnKind::Other)
    });
    let shorter = trimmed(&Turns::new(&conversation, kinds.collect()), &calls.read()?);
    let untrimmed =
        shorter.iter().map(|(index, text)| (*index, conversation.set_text(*index, text.as_text()))).collect();
    Ok(TrimmedResults {
        results: shorter
            .into_iter()
            .map(|(index, text)| TrimmedResult { index: to_u32(index), text: JsText(text) })
            .collect(),
        conversation: External::new(Some(Trimmed { conversation, untrimmed })),
    })
}

/// Returns the hash of a message's id, which the provenance of its replacement contains.
#[napi(catch_unwind)]
pub fn hash_of_id(#[napi(ts_arg_type = "string")] id: Units) -> u32 {
    palimpsest_history::transcript::hash_of_id(TextBuf::from(id).as_text())
}
