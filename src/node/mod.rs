//! The Node.js bindings: the only place that names napi.
use napi_derive::napi;

#[expect(dead_code, unused_imports, reason = "compress will be the first to await a callback")]
mod future;

/// The version of the native engine.
#[napi(catch_unwind)]
pub fn engine_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
