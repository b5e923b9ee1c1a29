//! The texts that replace messages, and the messages of the result. Pure functions of the facts, the plan and the caller's
//! summaries and scores.

mod condense;
mod context;
mod cut;
mod define;
mod emit;
mod join;
mod output;
mod tighten;
mod write;

pub use condense::prose_summary;
pub use context::Context;
pub use cut::cut;
pub use emit::{assignments, emit};
pub use join::{chain_text, cluster_text};
pub use output::{Emission, Output};
pub use tighten::{KEPT_SHARE_OF_SUMMARY, MIN_LENGTH, OMITTED, Tightener};
pub use write::{Assignment, Writer, Writing, Written, WrittenTexts};
