//! palimpsest
pub mod classify;
pub mod dedup;
pub mod message;
#[cfg(feature = "node")]
mod node;
pub mod pipeline;
pub mod quality;
pub mod summarize;
pub mod text;
