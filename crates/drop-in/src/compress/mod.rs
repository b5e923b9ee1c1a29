//! From a conversation to its compressed form, in one direction:
//!
//! * `facts`: what the texts say and how messages relate; a function of the conversation and the options.
//! * `plan`: a route for each message; a pure function of the facts, the options and the host's answers.
//! * `render`: the texts that replace messages; a pure function of the facts, the plan and the caller's summaries.
//! * `call`: [`Engine`], the only part with state: it searches for a recency window and a depth that fit the budget, asks
//!   the host, and collects answers.
//!
//! The engine is driven by its caller and never waits. If summaries come from outside, [`Engine::step`] names the texts, the
//! caller brings the answers, and the next step continues from there.

mod answers;
mod call;
mod decisions;
mod facts;
mod host;
mod options;
mod plan;
mod render;
mod statistics;
mod tokens;

pub use answers::{Request, Sentences};
pub use call::{Engine, Outcome, Step};
pub use decisions::{Action, Decision, Reason};
pub use facts::is_already_compressed;
pub use host::{Host, NoHost};
pub use options::{DepthOption, Options};
pub use render::Output;
pub use statistics::{BudgetReport, Statistics};
pub use tokens::ExactTokens;
