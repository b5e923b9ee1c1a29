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

pub(super) use condense::prose_summary;
pub(super) use context::Context;
pub(super) use cut::cut;
pub(super) use emit::{assignments, emit};
pub(super) use join::{chain_text, cluster_text};
pub(crate) use output::Emission;
pub use output::Output;
pub(super) use tighten::{KEPT_SHARE_OF_SUMMARY, MIN_LENGTH, OMITTED, Tightener};
pub(super) use write::{Assignment, Writer, Writing, Written, WrittenTexts};
