//! What the calls of an agent's tools did to the world: to directory, files, screen and outcome.
//!
//! A conversation comes in as a [`Transcript`](palimpsest_history::transcript::Transcript). [`tools`] knows the tools of the agents that
//! people run, [`operation`] says what each call did to which file or with which command, [`outcome`] what came of it, and [`screen`] what
//! a terminal shows of it in the end. What is not certain is [unknown](known::Known).

pub mod arguments;
mod directory;
pub mod extent;
mod forms;
pub mod guess;
mod json;
pub mod known;
pub mod lines;
mod names;
pub mod operation;
pub mod outcome;
pub mod path;
pub mod plans;
mod reader;
pub mod screen;
pub mod shell;
pub mod tools;

pub use known::Known;
pub use reader::ReadOptions;
