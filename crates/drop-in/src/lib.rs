//! The drop-in replacement of `context-compression-engine`: [`compress`], and the analyses that it and its exports use.
//!
//! [`compress::Engine`] takes a [`Transcript`](palimpsest_history::transcript::Transcript) and says what stands for each message:
//! the message itself, a reference to an identical one, its code without most of its prose, or a summary.
//!
//! ```
//! use palimpsest_history::transcript::{Message, Transcript};
//! use palimpsest_drop_in::compress::{Engine, NoHost, Options, Step};
//!
//! let talk = "The worker reads the queue and writes to the table. It was slow, and nobody knew why for a week or two. \
//!             We looked at the logs and at the plans of every query that it sends. The index was missing. With it the \
//!             worker is done before the next batch comes in, and nobody has complained about it since.";
//! let units: Vec<u16> = talk.encode_utf16().collect();
//! let mut conversation = Transcript::with_capacity(1, units.len());
//! let message = Message { has_string_id: true, ..Message::default() };
//! conversation.push(message, &[u16::from(b'a')], &units);
//!
//! let mut engine = Engine::new(conversation, Options { recency_window: 0.0, ..Options::default() }, None);
//! engine.prepare();
//! let Ok(Step::Done(outcome)) = engine.step(&mut NoHost) else { panic!("no summarizer, so nothing to ask for") };
//!
//! let outputs = outcome.outputs.expect("the input is the result only where a budget or nothing was to be met");
//! assert_eq!((outputs[0].start, outputs[0].count), (0, 1));
//! assert!(outputs[0].length() < units.len());
//! assert_eq!(outcome.statistics.messages_compressed, 1);
//! ```
//!
//! # How data flows
//!
//! A text is read once. The facts about it ([`classify`], [`dedup`], [`summarize`], [`quality`]) depend on that text alone and
//! are kept. A plan is a function of those facts, the options and the recency window, so the search for the largest window
//! that fits a token budget changes plans and reads nothing again. Rendering is a function of facts and plan.
//!
//! If a summary has to come from the caller, [`compress::Engine::step`] returns [`compress::Step::Ask`]; the caller brings the
//! answers with [`compress::Engine::answer`] and takes the next step. A step with answers runs the same code as a step without.

pub mod adapters;
pub mod classify;
pub mod cluster;
pub mod compress;
pub mod contradiction;
pub mod coreference;
pub mod dedup;
pub mod discourse;
pub mod flow;
pub mod importance;
pub mod quality;
pub mod summarize;
mod word_lists;
