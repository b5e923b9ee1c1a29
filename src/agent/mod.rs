//! The agent face: the operations of an agent's tools, and the choice of what a conversation still has to show.
//!
//! The input is a [`Transcript`](crate::transcript::Transcript): texts, calls and results in order, for any provider. [`tools`]
//! lists the tools of known agents, [`operation`] reads the effect of each call on files and the command it ran, and [`failure`]
//! recognises failures. [`prune`] removes superseded results, arguments and texts, and [`fit`] chooses what stays within a number
//! of tokens. The result is a list of edits. The caller applies them and keeps the originals, see [`crate::restore`].

pub mod arguments;
pub mod failure;
pub mod fit;
mod json;
pub mod lines;
pub mod operation;
pub mod path;
pub mod prepass;
pub mod prune;
pub mod reader;
pub mod rejection;
pub mod shell;
pub mod tools;
