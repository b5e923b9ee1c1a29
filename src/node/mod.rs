//! The Node.js bindings: the only place that names napi.
//!
//! The boundary is coarse, for a property read through N-API costs ten times one in JavaScript: `lib/*.js` gathers
//! texts and flags, one call brings them here, and one result of numbers and strings goes back to be assembled.

mod adapters;
mod analysis;
mod cluster;
mod compress;
mod compress_async;
mod conversation;
mod coreference;
mod discourse;
mod fit;
mod flow;
mod future;
mod given_texts;
mod host;
mod outcome;
mod prepass;
mod prune;
mod restore;
mod scores;
mod strings;
mod tokens;

use napi_derive::napi;

/// The version of the engine, by which the package knows that it found its own.
#[napi(catch_unwind)]
pub fn engine_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
