//! What a program wrote for a terminal: colours, movements of the cursor, and states of a line that it wrote over.

use palimpsest_text::json::is_json_structure;
use palimpsest_text::{Text, TextBuf};
use palimpsest_world::screen;

/// The text of a program as every terminal shows it in the end, if that is certain and shorter. Carriage returns in JSON are blanks of the data.
pub(super) fn shorter(text: Text<'_>) -> Option<TextBuf> {
    screen::shown(text).certain().filter(|_| !is_json_structure(text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::shown;
    use super::*;

    #[test]
    fn carriage_returns_between_values_of_json_overwrite_nothing() {
        let text = "{\n  \"a\":\r\n[\r    1,\r    2\n  ]\n}";
        assert_eq!(shown(shorter, text), text);
        assert_eq!(shown(shorter, "\u{1b}[31mred\u{1b}[0m\n"), "red\n");
    }
}
