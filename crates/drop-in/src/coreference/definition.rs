//! Definitions of names.

use memchr::memmem;

use crate::summarize::sentences;
use palimpsest_text::masks::Scanned;
use palimpsest_text::{Text, TextBuf};

/// Maximum number of names per message that are defined.
pub const MAX_NAMES: usize = 5;
/// Maximum length of a definition, in UTF-16 code units.
const MAX_LENGTH: usize = 80;

/// Returns the first sentence of `source` that contains `name`, at most 80 UTF-16 code units of it. A text without
/// sentences counts as one.
pub fn definition(name: Text<'_>, source: Text<'_>, scanned: Scanned<'_>) -> Option<TextBuf> {
    let finder = memmem::Finder::new(name.bytes());
    let mut has_sentences = false;
    let mut all = sentences(scanned, 0, source.len()).inspect(|_| has_sentences = true);
    let found = all.find(|&(start, end)| has(source.slice(start..end), name, &finder));
    let sentence = match found {
        Some((start, end)) => source.slice(start..end),
        None if !has_sentences && has(source, name, &finder) => source.trim(),
        None => return None,
    };
    let mut definition = TextBuf::new();
    definition.push_shortened(sentence, MAX_LENGTH);
    Some(definition)
}

/// Returns the definitions of the first five `names`, as far as `source` contains them, as `[context: a | b] `; empty
/// if there are none.
pub fn inline_definitions<'a>(
    names: impl Iterator<Item = Text<'a>>,
    source: Text<'_>,
    scanned: Scanned<'_>,
) -> TextBuf {
    let mut inline = TextBuf::new();
    for definition in names.take(MAX_NAMES).filter_map(|name| definition(name, source, scanned)) {
        inline.push_str(if inline.is_empty() { "[context: " } else { " | " });
        inline.push(definition.as_text());
    }
    inline.push_str(if inline.is_empty() { "" } else { "] " });
    inline
}

/// Returns whether `text` contains `name`; `finder` finds its folded form.
fn has(text: Text<'_>, name: Text<'_>, finder: &memmem::Finder<'_>) -> bool {
    let mut from = 0;
    while let Some(found) = finder.find(&text.bytes()[from..]) {
        let start = from + found;
        // Different wide code units may have the same folded form.
        if text.slice(start..start + name.len()) == name {
            return true;
        }
        from = start + 1;
    }
    false
}
