//! Hard reasons given by long tokens: base64, API keys of known services, and tokens that look like keys.
//!
//! Every key has a long run of word characters and hyphens, so only such runs are examined.

use super::rule::{Rule, add_reasons};
use super::{Reason, Reasons};
use palimpsest_text::class::{ALNUM, DIGIT, KEY, LETTER, LOWER, UPPER, WORD, is, is_before, is_boundary, run_end};
use palimpsest_text::masks::{Block, Scanned};

/// Adds the reasons of this file that apply to `text`.
pub(super) fn hard_reasons(text: Scanned<'_>, wants_all: bool, reasons: &mut Reasons) {
    const RULES: &[Rule] = &[(has_base64, Reason::Base64Content), (has_api_key, Reason::ApiKey)];
    add_reasons(text, wants_all, RULES, reasons);
}

/// Returns whether there is a run of 40 base64 characters.
fn has_base64(text: Scanned<'_>) -> bool {
    text.any_long_run(40, Block::base64, |_, _| true)
}

fn has_api_key(text: Scanned<'_>) -> bool {
    // Only the leftmost token in the form of a key is examined, and only if there is no key of a known service.
    let mut generic = None;
    let is_known = |start, end| {
        generic = generic.or_else(|| generic_body(text.bytes, start, end));
        has_known_key(text.bytes, start, end)
    };
    text.any_long_run(20, Block::key, is_known)
        || generic.is_some_and(|(start, end)| !reads_as_words(&text.bytes[start..end]))
}

/// Returns whether the run of key characters `start..end` contains a key of a known service.
fn has_known_key(text: &[u8], start: usize, end: usize) -> bool {
    let run = &text[..end];
    // The first half of a `SG.` key.
    if text[..start].ends_with(b"SG.") && is_boundary(text, start - 3) && has_sendgrid_rest(text, end) {
        return true;
    }
    let mut word = start;
    while word < end {
        let word_end = run_end(run, word, WORD);
        if has_known_key_at(text, word, word_end, end) {
            return true;
        }
        word = word_end + 1;
    }
    false
}

/// Returns whether the first half of a `SG.` key is followed by a dot and a second half of 20 characters that ends at a
/// boundary.
fn has_sendgrid_rest(text: &[u8], dot: usize) -> bool {
    if text.get(dot) != Some(&b'.') {
        return false;
    }
    let end = run_end(text, dot + 1, KEY);
    last_boundary(text, dot + 1, end) >= dot + 1 + 20
}

/// Returns the last boundary in `start..=end`, a maximal run of key characters: the position after its last word
/// character.
fn last_boundary(text: &[u8], start: usize, end: usize) -> usize {
    let mut at = end;
    while at > start && !is(text[at - 1], WORD) {
        at -= 1;
    }
    at
}

/// Returns whether a key starts in the word `word..word_end`; `end` is the end of the run of key characters.
fn has_known_key_at(text: &[u8], word: usize, word_end: usize, end: usize) -> bool {
    let rest = &text[word..end];
    // `sk-` may also end a word, after an underscore.
    if text[word..word_end].ends_with(b"sk") && word_end < end {
        let key = word_end - 2;
        let is_free = !is_before(text, key, ALNUM) && (key == 0 || text[key - 1] != b'-');
        if is_free && end - (word_end + 1) >= 20 {
            return true;
        }
    }
    if is_before(text, word, WORD) {
        return false;
    }
    let body = |prefix: usize, classes: u16| run_end(&text[..end], word + prefix, classes) - (word + prefix);
    // A run of letters and digits ends at a boundary unless an underscore follows.
    let whole_word = |prefix: usize, at_least: usize| {
        let length = body(prefix, ALNUM);
        length >= at_least && word + prefix + length == word_end
    };
    let to_boundary = |prefix: usize| last_boundary(text, word + prefix, end) >= word + prefix + 20;
    match rest {
        [b'A', b'K', b'I', b'A', ..] => body(4, UPPER | DIGIT) == 16 && word + 20 == word_end,
        [b'g', b'h', b'p' | b'o' | b's' | b'r' | b't', b'_', ..] => whole_word(4, 36),
        [b'g', b'i', b't', b'h', b'u', b'b', b'_', b'p', b'a', b't', b'_', ..] => word_end - (word + 11) >= 36,
        [b's' | b'r', b'k', b'_', b'l', b'i', b'v', b'e', b'_', ..]
        | [b's' | b'r', b'k', b'_', b't', b'e', b's', b't', b'_', ..] => whole_word(8, 24),
        [b'x', b'o', b'x', b'b' | b'p' | b'r' | b'a', b'-', ..] => {
            let mut stop = word + 5;
            while stop < end && text[stop] != b'_' {
                stop += 1;
            }
            // An underscore right after the run means that there is no boundary after its last letter.
            let mut at = stop;
            while at > word + 5 && !is_boundary(text, at) {
                at -= 1;
            }
            at >= word + 25
        }
        [b'g', b'l', b'p', b'a', b't', b'-', ..] => to_boundary(6),
        [b'n', b'p', b'm', b'_', ..] => whole_word(4, 36),
        [b'A', b'I', b'z', b'a', ..] => end - word >= 39 && is_boundary(text, word + 39),
        _ => false,
    }
}

/// Returns the body of the leftmost token in the run `start..end` that has the form of a key: a short prefix, a
/// separator, and at least 20 characters with a digit and a letter.
fn generic_body(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let boundary = last_boundary(text, start, end);
    let last = |classes: u16| (start..end).rev().find(|&at| is(text[at], classes));
    let (last_digit, last_letter) = (last(DIGIT)?, last(LETTER)?);
    let mut word = start;
    while word + 23 <= end {
        if is(text[word], WORD) && !is_before(text, word, WORD) {
            let separator = run_end(&text[..end], word, ALNUM);
            let body = separator + 1;
            let fits = (2..=15).contains(&(separator - word))
                && separator < end
                && is(text[word], LETTER)
                && text[word + 1..separator].iter().any(|byte| matches!(byte.to_ascii_lowercase(), b'g'..=b'z'))
                && body <= last_digit.min(last_letter)
                && boundary >= body + 20;
            if fits {
                return Some((body, boundary));
            }
            word = run_end(&text[..end], word, WORD);
        }
        word += 1;
    }
    None
}

/// Returns whether `body` has two adjacent pieces of at least two lowercase letters and a hyphen, as hyphenated words
/// do.
fn reads_as_words(body: &[u8]) -> bool {
    let mut adjacent = 0;
    let mut at = 0;
    while at < body.len() {
        let piece = run_end(body, at, LOWER);
        if piece - at >= 2 && body.get(piece) == Some(&b'-') {
            // Of the first piece only the last letters must be lowercase, the second piece as a whole.
            adjacent += 1;
            if adjacent == 2 {
                return true;
            }
        } else {
            adjacent = 0;
        }
        at = piece + 1;
    }
    false
}
