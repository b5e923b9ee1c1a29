//! Making a text short: its best sentences, the shape of a structured output, the names in it.

mod budget;
pub mod entities;
mod excerpt;
pub mod fences;
mod quantity;
mod score;
mod sentences;
mod shape;
mod structured;
mod wrap;

pub use budget::{round, summary_budget, wrap_entity_cap};
pub use excerpt::Excerpts;
pub use score::{Sign, Signs, SignsSlice, best_sentence_score};
pub use sentences::sentences;
pub use shape::{Shape, for_each_identifier};
pub use structured::{is_structured, structured_summary};
pub use wrap::{Wrapping, wrap};
