//! The engine of palimpsest: it makes an LLM agent's conversation history small in such a way that it can be read back
//! byte for byte.
//!
//! A page of parchment was scraped clean to make room for new writing, and the old text could still be read. Here the
//! room is a model's context window. [`compress::Engine`] takes a [`transcript::Transcript`] and says what stands for each
//! message: the message itself, a reference to an identical one, its code without most of its prose, or a summary.
//! Whoever calls it keeps the originals; the engine never holds the only copy of anything.
//!
//! ```
//! use palimpsest::transcript::{Message, Transcript};
//! use palimpsest::compress::{Engine, NoHost, Options, Step};
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
//! The engine does no I/O, knows neither Node nor async, and never waits. If a summary has to come from the caller,
//! [`compress::Engine::step`] returns [`compress::Step::Ask`]; the caller brings the answers with
//! [`compress::Engine::answer`] and takes the next step. A step with answers runs the same code as a step without.
//!
//! # Measures
//!
//! Lengths, positions and budgets of characters are UTF-16 code units, as in JavaScript. A cut may leave half of a
//! surrogate pair, and so may the input. Tokens are counted by the caller or by a [`tokens::Tokenizer`].
//! Reading a text takes time linear in its length, even if an attacker chose it: see [`text::hashing`].
//!
//! # Rooms
//!
//! | floor | room | contents |
//! |---|---|---|
//! | 0 | `parallel` | the division of long lists between threads, and threads that stay for that |
//! | 1 | [`text`] | texts as UTF-16 code units; lines, words, names, phrases, the grammar of JSON |
//! | 2 | [`tokens`] | token counts of texts: an estimate, or exact |
//! | 2 | [`restore`] | the keys and fingerprints by which originals are found again, and their places in an edited history |
//! | 2 | [`transcript`] | a conversation: messages, parts, ids; distinct texts by their hashes |
//! | 2 | [`classify`] | the reasons to keep a text verbatim, one file per family; the lexicon |
//! | 2 | [`dedup`] | identical texts, and texts with nearly the same lines |
//! | 3 | [`recall`] | passages of a history that answer a query, of what a request lacks |
//! | 3 | [`summarize`] | sentences and their scores, structured output, entities, fences, the wrapping of a summary |
//! | 4 | [`adapters`] | text formats whose skeleton is kept while their prose is summarised |
//! | 4 | [`importance`] | references by later messages; decisions, corrections and constraints |
//! | 4 | [`contradiction`] | messages that a later message retracts or corrects |
//! | 4 | [`flow`] | messages that answer, carry out or correct another message |
//! | 4 | [`discourse`] | the clauses of a text, and the best of them |
//! | 4 | [`coreference`] | names that one message defines and others use |
//! | 4 | [`quality`] | entities of texts, and the share of them that a result retains |
//! | 5 | [`cluster`] | messages about the same topic, by terms and entities |
//! | 6 | [`compress`] | a route for each message, the texts that replace messages, budget search, statistics |
//! | 6 | [`agent`] | the operations of an agent's tools, and which of their texts can be dropped |
//! | 7 | `checks` | properties of any input, for fuzzing and its seeds |
//! | 7 | [`layout`] | the layout of what crosses to JavaScript: columns, bits, slots and numbers |
//! | 8 | `node` | the bindings, behind the feature of that name: the only place that names napi |
//!
//! A room imports from lower floors only, and no files import each other in a circle: `tests/architecture.rs` reads this
//! table and every import. `cargo test --no-default-features` runs the engine without Node.

#![deny(missing_docs)]

pub mod adapters;
pub mod agent;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod checks;
pub mod classify;
pub mod cluster;
pub mod compress;
pub mod contradiction;
pub mod coreference;
pub mod dedup;
pub mod discourse;
pub mod flow;
pub mod importance;
pub mod layout;
// A test build registers no export, so that what only exports use looks unused.
#[cfg(feature = "node")]
#[cfg_attr(test, allow(dead_code))]
mod node;
mod parallel;
pub mod quality;
pub mod recall;
pub mod restore;
pub mod summarize;
pub mod text;
pub mod tokens;
pub mod transcript;
