//! Text formats whose skeleton is kept while the prose in it is summarised.
//!
//! Each format is a file with three functions, which detect it, return the pieces that are kept, and return the prose.
//! `lib/adapters/` puts the pieces and the summary together; adapters of users take the same form.

mod code;
mod markdown;
mod structured_output;
mod xml;
mod yaml;

use palimpsest_text::{Text, TextBuf};

/// A built-in format.
pub struct Format {
    name: &'static str,
    /// Returns whether a text is in this format.
    pub detect: fn(Text<'_>) -> bool,
    /// Returns the pieces that are kept, in text order.
    pub preserved: fn(Text<'_>) -> Vec<TextBuf>,
    /// Returns the pieces that are summarised.
    pub compressible: fn(Text<'_>) -> Vec<TextBuf>,
}

macro_rules! formats {
    ($($module:ident)*) => {
        [$(Format {
            name: stringify!($module),
            detect: $module::detect,
            preserved: $module::preserved,
            compressible: $module::compressible,
        }),*]
    };
}

static FORMATS: [Format; 5] = formats![code structured_output xml yaml markdown];

impl Format {
    /// Returns the format of the adapter with this name, which is that of its file.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
