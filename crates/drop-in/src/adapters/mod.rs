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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Prose around fenced code.
    Code,
    /// Output of tools: lists, `key: value` lines, test results, compiler messages.
    StructuredOutput,
    /// XML and HTML.
    Xml,
    Yaml,
    /// Markdown with headings.
    Markdown,
}

impl Format {
    /// Returns the format of the adapter with this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "code" => Some(Format::Code),
            "structured_output" => Some(Format::StructuredOutput),
            "xml" => Some(Format::Xml),
            "yaml" => Some(Format::Yaml),
            "markdown" => Some(Format::Markdown),
            _ => None,
        }
    }

    /// Returns whether `text` is in this format.
    pub fn detect(self, text: Text<'_>) -> bool {
        match self {
            Format::Code => code::detect(text),
            Format::StructuredOutput => structured_output::detect(text),
            Format::Xml => xml::detect(text),
            Format::Yaml => yaml::detect(text),
            Format::Markdown => markdown::detect(text),
        }
    }

    /// Returns the pieces that are kept, in text order.
    pub fn preserved(self, text: Text<'_>) -> Vec<TextBuf> {
        match self {
            Format::Code => code::preserved(text),
            Format::StructuredOutput => structured_output::preserved(text),
            Format::Xml => xml::preserved(text),
            Format::Yaml => yaml::preserved(text),
            Format::Markdown => markdown::preserved(text),
        }
    }

    /// Returns the pieces that are summarised.
    pub fn compressible(self, text: Text<'_>) -> Vec<TextBuf> {
        match self {
            Format::Code => code::compressible(text),
            Format::StructuredOutput => structured_output::compressible(text),
            Format::Xml => xml::compressible(text),
            Format::Yaml => yaml::compressible(text),
            Format::Markdown => markdown::compressible(text),
        }
    }
}
