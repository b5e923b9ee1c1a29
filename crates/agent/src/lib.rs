//! The agent face: the operations of an agent's tools, and the choice of what a conversation still has to show.
//!
//! A conversation comes in as a [`Transcript`](palimpsest_history::transcript::Transcript): its texts, calls and results in order, whatever
//! provider they are for. [`tools`] knows the tools of the agents that people run, [`operation`] says what each call did to which
//! file or with which command, [`failure`] whether it failed, and [`prune`] which results, arguments and texts can go, because a
//! later operation says it better. [`shorten`] writes results in fewer tokens, and [`fit`] chooses, for a number of tokens, what stays. The answer is a list of edits; whoever
//! calls applies them and keeps the originals, see [`palimpsest_history::restore`].

pub mod arguments;
pub mod edit;
pub mod extent;
pub mod failure;
pub mod fit;
mod forms;
pub mod guess;
mod json;
pub mod lines;
mod names;
pub mod operation;
pub mod path;
pub mod prepass;
pub mod prune;
pub mod reader;
pub mod rejection;
pub mod shell;
pub mod shorten;
pub mod tools;
