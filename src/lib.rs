//! palimpsest
#[cfg(feature = "node")]
mod node;
