//! Formats of text whose skeleton stays word for word while the prose in it is summarised.
//!
//! Each is a file with three questions: whether a text is of the format, which pieces of it stay, and which are prose.
//! How the pieces and the summary are put together again is said in `lib/adapters/`, where users find adapters like
//! their own.

mod code;
mod markdown;
mod structured_output;
mod xml;
mod yaml;

use crate::text::{Text, TextBuf};

/// A built-in format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Prose around fenced code.
    Code,
    /// What tools print: lists, `key: value` lines, test results, compiler messages.
    StructuredOutput,
    /// XML and HTML.
    Xml,
    /// YAML.
    Yaml,
    /// Markdown with headings.
    Markdown,
}

impl Format {
    /// The format of a name, as adapters have it.
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

    /// Whether `text` is of this format.
    pub fn detect(self, text: Text<'_>) -> bool {
        match self {
            Format::Code => code::detect(text),
            Format::StructuredOutput => structured_output::detect(text),
            Format::Xml => xml::detect(text),
            Format::Yaml => yaml::detect(text),
            Format::Markdown => markdown::detect(text),
        }
    }

    /// The pieces that stay as they are, in the order of the text.
    pub fn preserved(self, text: Text<'_>) -> Vec<TextBuf> {
        match self {
            Format::Code => code::preserved(text),
            Format::StructuredOutput => structured_output::preserved(text),
            Format::Xml => xml::preserved(text),
            Format::Yaml => yaml::preserved(text),
            Format::Markdown => markdown::preserved(text),
        }
    }

    /// The pieces that a summary is to be made of.
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
