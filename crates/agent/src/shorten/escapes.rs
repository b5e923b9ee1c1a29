//! What a program wrote for a terminal: colours, movements of the cursor, and states of a line that it wrote over.

use palimpsest_text::{Text, TextBuf};
use palimpsest_world::screen::{Source, shown};

/// What a command printed, as the terminal shows it in the end.
pub(super) fn of_command(text: Text<'_>) -> Option<TextBuf> {
    shown(text, Source::Command)
}

/// The same of a text that may be data, in which a carriage return says nothing by itself.
pub(super) fn of_data(text: Text<'_>) -> Option<TextBuf> {
    shown(text, Source::Data)
}
