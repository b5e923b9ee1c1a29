//! Elementary discourse units (EDUs): the clauses of a text, their dependencies, and the selection of the best.

mod marks;
mod segment;
mod select;
mod summary;

pub use segment::Edu;
pub use select::{Dependencies, select};
pub use summary::Discourse;
