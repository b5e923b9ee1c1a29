//! Cuts a long message to its beginning.

use super::context::Context;
use super::output::Output;
use palimpsest_text::TextBuf;

/// Length of the beginning that is kept, in UTF-16 code units.
const KEPT: usize = 512;

/// Returns the beginning of a message, with a note of its length; `None` if the message has to stay or is short.
pub(crate) fn cut(context: Context<'_>, output: &Output) -> Option<TextBuf> {
    if context.facts.transcript.message(output.start).has_preserved_role || output.length() <= KEPT {
        return None;
    }
    let text = context.text_of(output);
    let mut cut = TextBuf::new();
    cut.push_str(&format!("[truncated \u{2014} {} chars: ", text.len()));
    cut.push(text.prefix(KEPT));
    cut.push_str("]");
    Some(cut)
}
