//! Names of code that are explained in one message and used in later ones.

mod definition;
mod map;

pub use definition::{MAX_NAMES, definition, inline_definitions};
pub use map::{Coreference, CoreferenceMap};
