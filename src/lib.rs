//! The binding of palimpsest's engine to Node.js, which the crates in `crates/` are.
//!
//! A page of parchment was scraped clean to make room for new writing, and the old text could still be read. Here the room is a
//! model's context window: the engine makes an LLM agent's conversation history small, in such a way that it can be read back
//! byte for byte. Whoever calls it keeps the originals; the engine never holds the only copy of anything.
//!
//! `node` is the only place that names napi, behind the feature of that name. [`layout`] defines what crosses to JavaScript:
//! columns, bits, slots and numbers.

pub mod layout;
// A test build registers no export, so that what only exports use looks unused.
#[cfg(feature = "node")]
#[cfg_attr(test, allow(dead_code))]
#[allow(unreachable_pub, reason = "napi exports only what is public")]
mod node;
