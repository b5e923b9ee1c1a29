//! Chains of messages: a message, and those that answer, carry out, correct or acknowledge it.

mod chains;
mod cues;
mod summary;

pub use chains::{Chain, ChainKind, Link, detect_chains};
pub use cues::Cues;
pub use summary::{chain_label, chain_summary};
