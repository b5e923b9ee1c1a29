//! Very long outputs: the start, the end, and in between the lines that look like an error, that say which file of a diff comes
//! next, or that are taken up later.

use rustc_hash::FxHashMap;

use super::Rule;
use super::case::Case;
use super::cut::{cut, segments};
use super::vocabulary::any_word;
use super::write::Writer;
use crate::agent::failure::is_error_line;
use crate::agent::operation::Does;
use crate::text::Text;
use crate::transcript::{Kind, Role};

/// Longer outputs are cut, in UTF-16 code units: some 4,000 tokens, about what agents' own tools cut at.
pub const LIMIT: usize = 16_000;
/// So much stays of the start.
pub const HEAD: usize = 4_000;
/// So much stays of the end.
pub const TAIL: usize = 4_000;
/// So much stays in between.
pub const MIDDLE: usize = 6_000;
/// A word that an output says more often tells no line of it from the others.
const OFTEN: u32 = 3;

/// How the line begins that names the next file of a diff: `diff --git a/x b/x`, `diff -u x y`.
const DIFF: &[u8] = b"diff -";

/// Cuts outputs of all that is not a read: a read is the agent's copy of the file.
pub fn cut_outputs(case: &Case<'_>, writer: &mut Writer<'_>) {
    let outputs = case
        .operations
        .list
        .iter()
        .filter(|operation| !operation.files.iter().any(|used| matches!(used.does, Does::Read(_))));
    let parts = outputs.flat_map(|operation| operation.results.iter().copied());
    let long: Vec<u32> =
        parts.filter(|&part| writer.is_open(part) && case.transcript.text(part as usize).len() > LIMIT).collect();
    if long.is_empty() {
        return;
    }
    let texts = long.iter().map(|&part| case.transcript.text(part as usize));
    let counts: Vec<FxHashMap<u64, u32>> = texts.map(counts).collect();
    let first = long.iter().min().map_or(0, |&part| part as usize);
    let last_said = last_said(case, first, &counts);
    for (part, counts) in long.into_iter().zip(counts) {
        let applied = writer.replace(part, Rule::OversizedOutput, None, |text| {
            let is_taken_up = |line: Text<'_>| {
                any_word(line, |word| {
                    counts.get(&word).is_some_and(|&count| count <= OFTEN)
                        && last_said.get(&word).is_some_and(|&last| last > part)
                })
            };
            let mut budget = MIDDLE;
            cut(text, "long output", &segments(text), |line| {
                if line.end <= HEAD || line.start + TAIL >= text.len() {
                    return true;
                }
                let content = text.slice(line.clone());
                let tells = content.bytes().starts_with(DIFF) || is_error_line(content.bytes());
                let stays = line.len() <= budget && (tells || is_taken_up(content));
                budget -= if stays { line.len() } else { 0 };
                stays
            })
        });
        if applied {
            writer.count(Rule::OversizedOutput);
        }
    }
}

/// For each word that one of the outputs says, but not often, the last part behind `first` in which the user or the model says
/// it, in texts and calls.
fn last_said(case: &Case<'_>, first: usize, outputs: &[FxHashMap<u64, u32>]) -> FxHashMap<u64, u32> {
    let words = outputs.iter().flatten().filter(|&(_, &count)| count <= OFTEN);
    let mut last_said: FxHashMap<u64, u32> = words.map(|(&word, _)| (word, 0)).collect();
    for (index, part) in case.transcript.parts().iter().enumerate().skip(first) {
        if matches!(part.role, Role::User | Role::Assistant) && matches!(part.kind, Kind::Text | Kind::Call) {
            any_word(case.transcript.text(index), |word| {
                if let Some(last) = last_said.get_mut(&word) {
                    *last = index as u32;
                }
                false
            });
        }
    }
    last_said
}

/// How often a text says each of its words.
fn counts(text: Text<'_>) -> FxHashMap<u64, u32> {
    let mut counts = FxHashMap::default();
    any_word(text, |word| {
        *counts.entry(word).or_default() += 1;
        false
    });
    counts
}
