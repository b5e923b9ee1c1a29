//! Elementary discourse units: the clauses of a text, what each of them needs to be understood, and the best of them.

mod marks;
mod segment;
mod select;
mod summary;

pub use segment::Edu;
pub use select::{Dependencies, select};
pub use summary::Discourse;
