//! What a program wrote for a terminal, as a terminal shows it in the end.
//!
//! Nobody knows how large the terminal is, what it showed before, or whether there was one. So a text is written anew only where what it shows is the
//! same in every terminal of at least [80 columns and 24 rows](terminal), and only where carriage returns and backspaces certainly lead back: beside
//! sequences that move the cursor or erase, or in a form of [progress]. Everything else stays as it was, as does a text with half of a sequence, with
//! one that isn't known here, or with [colours that say more than the words](colour).
//!
//! A text that never leaves a line is written line by line, and a line that isn't certain stays. Any other is written on a screen, or stays.

mod colour;
mod erase;
mod evidence;
mod feed;
mod lines;
mod progress;
mod row;
mod sequence;
mod terminal;
mod whole;
mod width;

use palimpsest_text::{Text, TextBuf};

const ESCAPE: u8 = 0x1B;
const BACKSPACE: u8 = 0x08;

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is what a command printed.
    Command,
    /// It may be data: a string in JSON, or what a tool says that runs no command. There progress is not told by its form.
    Data,
}

/// The text as every terminal shows it in the end, without colours and titles. None where that is not certain, or not shorter. Links stay, because they
/// say where they lead. Where four or more states of adjacent lines went, a mark below says how many: `[… 41 earlier states]`. Linear in the length of the
/// text; one that needs a screen of more than four million cells stays.
pub fn shown(text: Text<'_>, source: Source) -> Option<TextBuf> {
    let bytes = text.bytes();
    // Most texts have none of them.
    if memchr::memchr(ESCAPE, bytes).is_none() {
        let may_go_back = source == Source::Command && goes_back(bytes);
        return may_go_back.then(|| lines::shown(text, source))?;
    }
    let mut buffer = Vec::new();
    let text = text.in_full(&mut buffer);
    let needs = evidence::needs(text)?;
    if needs.has_colours && colour::says_more(text) {
        return None;
    }
    let shown = if needs.screen { whole::shown(text, source) } else { lines::shown(text, source) };
    shown.filter(|shown| shown.len() < text.len())
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
