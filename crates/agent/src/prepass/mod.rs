//! Trimming of tool results before a conversation is compressed, for the option `agentToolPrepass`: removes what the agent has
//! read and will not need again.
//!
//! [`lines`] removes progress output, [`echo`] repetitions of what the agent just said, and [`expired`] files that were rewritten
//! later. The caller keeps the originals.

mod echo;
mod expired;
mod lines;
mod turns;

use std::ops::Range;

use rustc_hash::FxHashMap;

use palimpsest_text::TextBuf;
use palimpsest_text::parallel::map_chunks;

pub use expired::Call;
pub use turns::{TurnKind, Turns};

/// Returns the messages that can be shorter, with their new texts, in order. No new text is blank, and each is shorter than the
/// original.
pub fn trimmed(turns: &Turns, calls: &[Call]) -> Vec<(usize, TextBuf)> {
    let mut found: FxHashMap<usize, TextBuf> = expired::stubs(turns, calls);
    let rest: Vec<usize> =
        turns.of_kind(|kind| kind == TurnKind::Trimmable).filter(|index| !found.contains_key(index)).collect();
    let units = |number: usize| turns.text(rest[number]).len();
    let trim = |part: Range<usize>| {
        rest[part].iter().map(|&index| (index, lines::trimmed(turns.text(index)))).collect::<Vec<_>>()
    };
    let rest = map_chunks(rest.len(), units, trim).concat();
    for (index, by_lines) in echo::trimmed(turns, rest) {
        found.insert(index, by_lines);
    }
    let is_better =
        |(index, text): &(usize, TextBuf)| text.len() < turns.text(*index).len() && !text.as_text().trim().is_empty();
    let mut all: Vec<(usize, TextBuf)> = found.into_iter().filter(is_better).collect();
    all.sort_unstable_by_key(|(index, _)| *index);
    all
}
