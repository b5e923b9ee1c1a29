//! The built-in formats, for `lib/adapters/`.

use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use super::strings::{JsTexts, Units};
use palimpsest_drop_in::adapters::Format;
use palimpsest_text::TextBuf;

fn format(name: &str) -> Result<&'static Format> {
    Format::named(name).ok_or_else(|| Error::from_reason(format!("there is no format {name}")))
}

/// Returns whether a text is of a format.
#[napi(catch_unwind)]
pub fn detect_format(name: String, #[napi(ts_arg_type = "string")] text: Units) -> Result<bool> {
    Ok((format(&name)?.detect)(TextBuf::from(text).as_text()))
}

/// Returns the pieces of a text that are kept verbatim.
#[napi(catch_unwind, ts_return_type = "string[]")]
pub fn preserved_pieces(name: String, #[napi(ts_arg_type = "string")] text: Units) -> Result<JsTexts<TextBuf>> {
    Ok(JsTexts((format(&name)?.preserved)(TextBuf::from(text).as_text())))
}

/// Returns the pieces of a text to summarise.
#[napi(catch_unwind, ts_return_type = "string[]")]
pub fn compressible_pieces(name: String, #[napi(ts_arg_type = "string")] text: Units) -> Result<JsTexts<TextBuf>> {
    Ok(JsTexts((format(&name)?.compressible)(TextBuf::from(text).as_text())))
}
