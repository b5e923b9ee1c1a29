//! The Node.js bindings: the only place that names napi.
//!
//! The boundary is coarse, because a property read through N-API costs ten times one in JavaScript: `lib/` gathers texts and
//! columns of numbers, one call reads them, and one result of numbers and strings goes back to be assembled. [`crate::layout`]
//! declares the columns.

mod adapters;
mod analysis;
mod canonical;
mod cluster;
mod compress;
mod compress_async;
mod conversation;
mod coreference;
mod discourse;
mod edits;
mod fit;
mod flow;
mod future;
mod given_texts;
mod host;
mod outcome;
#[cfg(feature = "ablate")]
mod policy;
mod prepass;
mod prune;
mod recall;
mod restore;
mod scores;
mod session_facts;
mod shorten;
mod strings;
mod tokens;
#[cfg(target_family = "wasm")]
mod vocabularies;

use napi_derive::napi;

/// Returns the version of the engine, so that the package can refuse one of another version.
#[napi(catch_unwind)]
pub fn engine_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Keeps the engine's code in memory until the process ends: its helpers outlive the worker with which it would go.
#[cfg(not(target_family = "wasm"))]
#[napi(module_exports)]
pub fn stay() {
    napi::bindgen_prelude::retain_current_module_for_unload_safety();
}
