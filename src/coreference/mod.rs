//! Names of code that are explained in one message and used in later ones.

mod definition;
mod map;

pub use definition::{definition, inline_definitions};
pub use map::{Coreference, CoreferenceMap};
