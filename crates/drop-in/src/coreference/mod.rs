//! Names of code that one message introduces and later ones use.

mod definition;
mod map;

pub use definition::{MAX_NAMES, definition, inline_definitions};
pub use map::{Coreference, CoreferenceMap};
