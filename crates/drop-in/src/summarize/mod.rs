//! Making a text short: its best sentences, the shape of a structured output, the names in it.

mod budget;
pub mod combination;
pub mod entities;
mod excerpt;
pub mod fences;
mod quantity;
mod score;
mod sentences;
mod shape;
mod signal;
mod structured;
mod wrap;

pub use budget::{Depth, round, wrap_entity_cap};
pub use excerpt::Excerpts;
pub use score::{ScoreSignals, ScoreSignalsSlice, add_emphasis, best_sentence_score, best_sentence_score_of};
pub use sentences::sentences;
pub use shape::{Shape, for_each_identifier};
pub use signal::ScoreSignal;
pub use structured::{file_mark, filled_lines, is_status, is_structured, structured_summary};
pub use wrap::{Wrapping, unwrap, wrap};
