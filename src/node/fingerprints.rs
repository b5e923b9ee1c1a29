//! Fingerprints of what `lib/agent` writes.

use napi::bindgen_prelude::Result;
use napi_derive::napi;

use super::strings::StringArray;
use crate::agent::fingerprint::fingerprint;

/// The fingerprint of each text: eleven characters, the same in every version and on every platform.
#[napi(catch_unwind)]
pub fn fingerprints(#[napi(ts_arg_type = "string[]")] texts: StringArray) -> Result<Vec<String>> {
    let mut found = Vec::with_capacity(texts.capacity());
    let mut bytes = Vec::new();
    texts.for_each(None, |_, units| found.push(fingerprint(units, &mut bytes)))?;
    Ok(found)
}
