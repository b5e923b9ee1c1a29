//! What a program wrote for a terminal: colours, movements of the cursor, and states of a line that it wrote over.

use palimpsest_text::{Text, TextBuf};
use palimpsest_world::screen;

/// The text of a program as every terminal shows it in the end, if that is certain and shorter.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    screen::shown(text).certain()
}
