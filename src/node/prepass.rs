//! The trimming of tool results, for `lib/prepass.js`.

use napi::bindgen_prelude::{Error, Result, Uint8Array};
use napi_derive::napi;

use super::strings::{JsText, StringArray, Units};
use crate::agent::prepass::{Call, Kind, Turns, trimmed};
use crate::text::TextBuf;

/// The call that a tool's result answers.
#[napi(object, object_to_js = false)]
pub struct AnsweredCall {
    pub name: String,
    /// JSON.
    #[napi(ts_type = "string")]
    pub arguments: Units,
    /// The position of the result.
    pub answer: u32,
}

/// A tool's result that can be shorter.
#[napi(object, object_from_js = false)]
pub struct TrimmedResult {
    pub index: u32,
    #[napi(ts_type = "string")]
    pub text: JsText<TextBuf>,
}

/// The tool results that can be shorter. For each text, `kinds` tells what it is: 0 is anything, 1 said by the agent, 2 the
/// result of a tool that may be trimmed, 3 one that may not. All texts together have so many UTF-16 code `units`.
#[napi(catch_unwind)]
pub fn trim_tool_results(
    #[napi(ts_arg_type = "string[]")] texts: StringArray,
    kinds: Uint8Array,
    units: u32,
    calls: Vec<AnsweredCall>,
) -> Result<Vec<TrimmedResult>> {
    if kinds.len() != texts.len() {
        return Err(Error::from_reason("each text needs a kind"));
    }
    let mut turns = Turns::with_capacity(texts.len(), units as usize);
    texts.for_each(None, |index, text| {
        let kind = [Kind::Other, Kind::Assistant, Kind::Trimmable, Kind::Tool];
        turns.push(kind.get(kinds[index] as usize).copied().unwrap_or(Kind::Other), text);
    })?;
    let calls: Vec<Call> = calls
        .into_iter()
        .map(|AnsweredCall { name, arguments, answer }| Call {
            name,
            arguments: arguments.into(),
            answer: answer as usize,
        })
        .collect();
    let found = trimmed(&turns, &calls);
    Ok(found.into_iter().map(|(index, text)| TrimmedResult { index: index as u32, text: JsText(text) }).collect())
}

/// The hash of the id of a message, by which what stands for it alone is told from others.
#[napi(catch_unwind)]
pub fn hash_of_id(#[napi(ts_arg_type = "string")] id: Units) -> u32 {
    crate::message::hash_of_id(TextBuf::from(id).as_text())
}
