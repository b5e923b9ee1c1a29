//! Fitting a conversation into a number of tokens, so that what is needed next is still in it.
//!
//! Data flows in one direction:
//!
//! 1. **Facts** ([`facts`]): each text is read once. It becomes [`split`] spans (lines, sentences, members of JSON) with their tokens and
//!    words. A conversation that has grown is read only where it is new; a session keeps the facts ([`kept`], [`cache`]) from one epoch to the
//!    next.
//! 2. **FitInput** ([`fit_input`]): the facts of one conversation with what depends on all of it: message [`groups`], the values of words ([`uses`]),
//!    [`relevance`] to the query, costs.
//!    [`obligations`] are what has to be in a request, whatever its value.
//! 3. **Plan** ([`plan`]): a pure function of the input and a limit that keeps the spans with the most value for their tokens ([`greedy`]).
//! 4. **Rendering** ([`render`]): a pure function of the input and a plan that makes edits, with [`marks`] for what is left out.
//! 5. **Search** ([`search`]): tries limits until the exact tokens of the rendering use the budget.
//!
//! [`conversation`] leads through them, and ends where a conversation fits as it is.

mod cache;
mod context;
mod conversation;
mod count;
mod drafts;
mod facts;
mod first_lines;
mod fit_input;
mod gap;
mod greedy;
mod groups;
mod indices;
mod input;
mod items;
mod keep_reason;
mod kept;
mod logs;
mod marks;
mod obligations;
mod offers;
mod packed;
mod passages;
mod plan;
mod policy;
#[cfg(test)]
mod properties;
mod prose;
mod question;
mod quotes;
mod relevance;
mod render;
mod replace;
mod required;
mod search;
mod sentences;
mod span;
mod spans;
mod split;
mod state;
mod structure;
mod superseded;
mod uses;
mod vocabulary;
mod weights;
mod words;

pub use cache::CacheHandle;
pub use conversation::{Conversation, Fitted, Fitting, Next, WholeTokens};
pub use facts::{Facts, ReadMode, SpanFacts, TextFacts};
pub use fit_input::FitInput;
pub use indices::Unit;
pub use input::{About, Costs, Keep, Note};
pub use keep_reason::KeepReason;
pub use obligations::{Duty, Lost, Met};
pub use offers::Offer;
#[cfg(feature = "ablate")]
pub use policy::Constant;
pub use relevance::Query;
pub use search::{Best, Choice, Tried};
#[doc(hidden)]
pub use span::Span;
#[doc(hidden)]
pub use split::spans_of;
#[doc(hidden)]
pub use structure::{Node, Tree, read};
