//! How a conversation flows: which messages answer, do, correct or acknowledge what another one says.

mod chains;
mod cues;
mod summary;

pub use chains::{Chain, ChainKind, Link, detect_chains};
pub use cues::Cues;
pub use summary::{chain_label, chain_summary};
