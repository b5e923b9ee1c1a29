//! An addon without anything in it: what loading any napi-rs addon costs. `rows/process.mjs` builds and loads it.
use napi_derive::napi;

/// Something must be exported for the addon to register itself.
#[napi]
pub fn nothing() {}
