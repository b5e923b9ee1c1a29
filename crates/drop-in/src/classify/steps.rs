//! Numbered steps, as in `1. first this` or `Step 2: then that`.

use memchr::memchr;

use palimpsest_text::class::{DIGIT, SPACE, is_at, run_end};

/// Returns whether `text` has at least `at_least` numbered steps, counted without overlap.
pub(super) fn has_numbered_steps(text: &[u8], at_least: usize) -> bool {
    let mut count = 0;
    let mut start = Some(0);
    while let Some(at) = start {
        // If white space contains several LFs, all of them lead to the same position, which is examined once.
        let step = run_end(text, at, SPACE);
        let next = match step_end(text, step) {
            Some(end) => {
                count += 1;
                if count >= at_least {
                    return true;
                }
                end
            }
            None => step,
        };
        // A step's mark consumes the LF that ends it.
        start = memchr(b'\n', &text[next..]).map(|offset| next + offset + 1);
    }
    false
}

/// Returns the end of the step's mark at `at`, if there is one.
fn step_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"step")) && is_at(text, at + 4, SPACE) {
        let number = run_end(text, at + 4, SPACE);
        let end = run_end(text, number, DIGIT);
        return (end > number && matches!(text.get(end), Some(b':' | b'.' | b')'))).then_some(end + 1);
    }
    let end = run_end(text, at, DIGIT);
    (end > at && matches!(text.get(end), Some(b'.' | b')')) && is_at(text, end + 1, SPACE)).then_some(end + 2)
}
