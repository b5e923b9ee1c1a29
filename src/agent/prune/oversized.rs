//! Very long outputs. The start and the end stay, and in between lines that look like errors, that name the next file of a diff
//! or that later messages refer to.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::case::Case;
use super::cut::{cut, segments};
use super::outcome::Rule;
use super::vocabulary::any_word;
use super::write::Writer;
use crate::agent::failure::is_error_line;
use crate::agent::operation::Does;
use crate::text::Text;
use crate::transcript::{Kind, Role};

/// Maximum length of an output, in UTF-16 code units: some 4,000 tokens, similar to the limits of agents' own tools.
pub const LIMIT: usize = 16_000;
/// Length of the start that stays, in UTF-16 code units.
pub const HEAD: usize = 4_000;
/// Length of the end that stays, in UTF-16 code units.
pub const TAIL: usize = 4_000;
/// Maximum length of the lines in between that stay, in UTF-16 code units.
pub const MIDDLE: usize = 6_000;
/// Maximum number of occurrences of a word in an output at which it identifies lines.
const MAX_OCCURRENCES: u32 = 3;

/// Start of the line that names the next file of a diff: `diff --git a/x b/x`, `diff -u x y`.
const DIFF: &[u8] = b"diff -";

/// Cuts all outputs except reads: a read is the agent's copy of the file. Guessed reads are cut.
pub fn cut_outputs(case: &Case<'_>, writer: &mut Writer<'_>) {
    let outputs = case.operations.list.iter().filter(|operation| {
        operation.is_guess || !operation.files.iter().any(|used| matches!(used.does, Does::Read(_)))
    });
    let parts = outputs.flat_map(|operation| operation.results.iter().copied());
    let long: Vec<u32> =
        parts.filter(|&part| writer.is_open(part) && case.transcript.text(part as usize).len() > LIMIT).collect();
    if long.is_empty() {
        return;
    }
    let texts = long.iter().map(|&part| case.transcript.text(part as usize));
    let counts: Vec<FxHashMap<u64, u32>> = texts.map(counts).collect();
    let first = long.iter().min().map_or(0, |&part| part as usize);
    let last_uses = last_uses(case, first, &counts);
    for (part, counts) in long.into_iter().zip(counts) {
        let applied = writer.replace(part, Rule::OversizedOutput, None, |text| {
            let is_used_later = |line: Text<'_>| {
                any_word(line, |word| {
                    counts.get(&word).is_some_and(|&count| count <= MAX_OCCURRENCES)
                        && last_uses.get(&word).is_some_and(|&last| last > part)
                })
            };
            let mut budget = MIDDLE;
            cut(text, "long output", &segments(text), |line| {
                if line.end <= HEAD || line.start + TAIL >= text.len() {
                    return true;
                }
                let content = text.slice(line.clone());
                let is_decisive = content.bytes().starts_with(DIFF) || is_error_line(content.bytes());
                let stays = line.len() <= budget && (is_decisive || is_used_later(content));
                budget -= if stays { line.len() } else { 0 };
                stays
            })
        });
        if applied {
            writer.count(Rule::OversizedOutput);
        }
    }
}

/// Returns, for each rare word of the outputs, the last part from `first` on in which the user or the model uses it, in texts and
/// calls.
fn last_uses(case: &Case<'_>, first: usize, outputs: &[FxHashMap<u64, u32>]) -> FxHashMap<u64, u32> {
    let count = outputs.iter().map(FxHashMap::len).sum();
    let mut last_uses: FxHashMap<u64, u32> = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
    let words = outputs.iter().flatten().filter(|&(_, &count)| count <= MAX_OCCURRENCES);
    last_uses.extend(words.map(|(&word, _)| (word, 0)));
    for (index, part) in case.transcript.parts().iter().enumerate().skip(first) {
        if matches!(part.role, Role::User | Role::Assistant) && matches!(part.kind, Kind::Text | Kind::Call) {
            any_word(case.transcript.text(index), |word| {
                if let Some(last) = last_uses.get_mut(&word) {
                    *last = index as u32;
                }
                false
            });
        }
    }
    last_uses
}

/// Returns the number of occurrences of each word in a text.
fn counts(text: Text<'_>) -> FxHashMap<u64, u32> {
    // Room for one word per 32 code units, to enlarge the table less often.
    let mut counts = FxHashMap::with_capacity_and_hasher(text.len() / 32, FxBuildHasher);
    any_word(text, |word| {
        *counts.entry(word).or_default() += 1;
        false
    });
    counts
}
