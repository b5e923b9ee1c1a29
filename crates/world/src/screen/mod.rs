//! What a program wrote for a terminal, as a terminal shows it in the end.
//!
//! Nobody knows how large the terminal is, what it showed before, or whether there was one. So a text is written anew only where what it shows is the
//! same in every terminal of at least 80 columns and 24 rows, and only where carriage returns and backspaces certainly lead back: beside
//! sequences that move the cursor or erase, or in a form of progress. Everything else stays as it was, as does a text with half of a sequence, with
//! one that isn't known here, or with colours that say more than the words.
//!
//! A text that never leaves a line is written line by line, and a line that isn't certain stays. Any other is written on a screen, or stays.

mod colour;
mod erase;
mod evidence;
mod feed;
mod lines;
mod moves;
mod progress;
mod row;
mod sequence;
mod terminal;
mod whole;
mod width;

use super::known::Known;
use palimpsest_text::{Text, TextBuf};

const ESCAPE: u8 = 0x1B;
const BACKSPACE: u8 = 0x08;

/// What every terminal shows of a command's output in the end, without colours and titles. Unknown where that is not certain, and where it is not shorter than
/// the output. Links stay, because they say where they lead. Where four or more states of adjacent lines went, a mark below says how many:
/// `[… 41 earlier states]`. Linear in the length of the text; one that needs a screen of more than eight million cells is unknown.
pub fn shown(text: Text<'_>) -> Known<TextBuf> {
    written(text).filter(|shown| shown.len() < text.len()).into()
}

fn written(text: Text<'_>) -> Option<TextBuf> {
    let bytes = text.bytes();
    // Most texts have none of them.
    if memchr::memchr(ESCAPE, bytes).is_none() && !goes_back(bytes) {
        return None;
    }
    let mut buffer = Vec::new();
    let text = text.in_full(&mut buffer);
    let needs = evidence::needs(text)?;
    if needs.has_colours && colour::says_more(text) {
        return None;
    }
    if needs.screen { whole::shown(text) } else { lines::shown(text) }
}

/// Whether there is a carriage return within a line, or a backspace.
fn goes_back(bytes: &[u8]) -> bool {
    let leads = |at: usize| bytes[at] == BACKSPACE || !matches!(bytes.get(at + 1), None | Some(b'\r' | b'\n'));
    memchr::memchr2_iter(b'\r', BACKSPACE, bytes).any(leads)
}

/// The first control character at or behind `at` that is no tab; the length if there is none.
fn next_control(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte < b' ' && byte != b'\t').map_or(bytes.len(), |found| at + found)
}

/// The least number of states that a mark counts. Fewer cost no more than it.
const LEAST_STATES: usize = 4;

/// The mark for states of the lines above that went, where they are worth one.
fn mark(states: usize) -> Option<String> {
    (states >= LEAST_STATES).then(|| format!("\n[… {states} earlier states]"))
}

#[cfg(test)]
mod tests;
