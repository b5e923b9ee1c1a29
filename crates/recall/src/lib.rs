//! Recall: passages of a history that answer a query, of what a request no longer contains.
//!
//! [`Index`] grows with the history. It splits texts into [`units`], and lists the units that contain each term. A query ranks units by the
//! rare terms that they and their neighbours contain (BM25, Robertson and Zaragoza 2009), and returns the best with what stands around them.

mod dictionary;
mod exact;
mod index;
mod lists;
mod passages;
mod query;
mod rank;
mod sent;
mod term_hash;
mod texts;
mod units;
mod weight;
mod words;

pub use index::Index;
pub use passages::Passage;
pub use query::Query;

#[cfg(test)]
mod properties;
