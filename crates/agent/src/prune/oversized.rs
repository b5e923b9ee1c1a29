//! Very long outputs. The start and the end stay, and in between lines that look like errors, that name the next file of a diff
//! or that later messages refer to.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::context::PruneContext;
use super::cut::{cut, segments};
use super::outcome::Rule;
use super::vocabulary::any_word;
use super::write::Writer;
use palimpsest_history::transcript::{Kind, PartIndex, Role};
use palimpsest_text::Text;
use palimpsest_world::operation::{FileAccess, Operation};
use palimpsest_world::outcome::words::is_error_line;

/// Maximum length of an output, in UTF-16 code units: some 4,000 tokens, similar to the limits of agents' own tools.
pub(super) const LIMIT: usize = 16_000;
/// Length of the start that stays, in UTF-16 code units.
pub(super) const HEAD: usize = 4_000;
/// Length of the end that stays, in UTF-16 code units.
pub(super) const TAIL: usize = 4_000;
/// Maximum length of the lines in between that stay, in UTF-16 code units.
pub(super) const MIDDLE: usize = 6_000;
/// Maximum number of occurrences of a word in an output at which it identifies lines.
const MAX_OCCURRENCES: u32 = 3;

/// Start of the line that names the next file of a diff: `diff --git a/x b/x`, `diff -u x y`.
const DIFF: &[u8] = b"diff -";

/// Cuts all outputs except those that hold text of files: they are the agent's copies.
pub(super) fn cut_outputs(context: &PruneContext<'_>, writer: &mut Writer<'_>) {
    let is_long = |part: &PartIndex| writer.is_open(*part) && context.transcript.text(*part).len() > LIMIT;
    let is_copy = |operation: &Operation| {
        operation.files.iter().any(|used| matches!(used.does, FileAccess::Read(_)))
            || operation.prints_files(context.transcript)
    };
    let mut long: Vec<PartIndex> = Vec::new();
    for operation in &context.operations.list {
        if operation.results.iter().any(is_long) && !is_copy(operation) {
            long.extend(operation.results.iter().filter(|part| is_long(part)));
        }
    }
    if long.is_empty() {
        return;
    }
    let first = long.iter().min().map_or(0, |part| part.index());
    let mut uses = uses(context, first);
    for part in long {
        let applied = writer.replace(part, Rule::OversizedOutput, None, |text| {
            count(text, part, &mut uses);
            let is_used_later = |line: Text<'_>| {
                any_word(line, |word| {
                    uses.get(&word).is_some_and(|used| used.last > part && used.count <= MAX_OCCURRENCES)
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

/// The uses of a word.
struct LaterUse {
    /// The last part in which the user or the model uses it.
    last: PartIndex,
    /// The output that was counted last.
    output: Option<PartIndex>,
    /// The number of its occurrences in that output.
    count: u32,
}

/// Returns the words that the user and the model use from the part `first` on, in texts and calls. They say far less than outputs do, so most
/// words of an output are not among them.
fn uses(context: &PruneContext<'_>, first: usize) -> FxHashMap<u64, LaterUse> {
    let parts = context.transcript.parts().iter_enumerated().skip(first).filter(|(_, part)| {
        matches!(part.role, Role::User | Role::Assistant) && matches!(part.kind, Kind::Text | Kind::Call)
    });
    let texts = parts.map(|(index, _)| (index, context.transcript.text(index)));
    let units: usize = texts.clone().map(|(_, text)| text.len()).sum();
    // Room for one word per 32 code units, to enlarge the table less often.
    let mut uses = FxHashMap::with_capacity_and_hasher(units / 32, FxBuildHasher);
    for (last, text) in texts {
        any_word(text, |word| {
            uses.entry(word).or_insert(LaterUse { last, output: None, count: 0 }).last = last;
            false
        });
    }
    uses
}

/// Counts the occurrences of each word in the text of `output`.
fn count(text: Text<'_>, output: PartIndex, uses: &mut FxHashMap<u64, LaterUse>) {
    any_word(text, |word| {
        if let Some(used) = uses.get_mut(&word) {
            if used.output != Some(output) {
                (used.output, used.count) = (Some(output), 0);
            }
            used.count += 1;
        }
        false
    });
}
