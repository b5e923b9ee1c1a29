//! What the calls of an agent's tools did to the world: to directory, files, screen and outcome.
//!
//! A conversation comes in as a [`Transcript`](palimpsest_history::transcript::Transcript). [`tools`] knows the tools of the agents that
//! people run, [`operation`] says what each call did to which file or with which command, [`failure`] whether it failed, and
//! [`rejection`] what the user answered in its place.

pub mod arguments;
pub mod extent;
pub mod failure;
mod forms;
pub mod guess;
mod json;
pub mod lines;
mod names;
pub mod operation;
pub mod path;
mod reader;
pub mod rejection;
pub mod screen;
pub mod shell;
pub mod tools;

pub use reader::ReadOptions;
