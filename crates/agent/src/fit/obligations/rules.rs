//! Rules: standing instructions that programs send as the user's text, files of rules that the agent read, and what the user said must or must not
//! be done.

use std::collections::hash_map::Entry;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::injected::{Injected, Source, injected, key};
use super::{Duty, Obligation, Reading};
use crate::fit::facts::is_users;
use crate::fit::indices::ItemIndex;
use palimpsest_history::transcript::PartIndex;
use palimpsest_text::Text;
use palimpsest_text::demands::{begins_with_demand, demands};
use palimpsest_text::index::{IndexRange, to_u32};
use palimpsest_world::lines::line_number;
use palimpsest_world::operation::{FileAccess, FileIndex};

/// Names of files of rules, in lowercase.
const FILES: [&str; 14] = [
    "agents.md",
    "agent.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "crush.md",
    "conventions.md",
    "contributing.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".clinerules",
    ".windsurfrules",
    ".roorules",
];

/// The rules of a conversation: standing ones first, then those that the user said, then what else programs demand.
pub(super) fn read(reading: Reading<'_>) -> Vec<Obligation> {
    let mut standing: Vec<Obligation> = Vec::new();
    let (mut summaries, mut said, mut notices) = (Vec::new(), Vec::new(), Vec::new());
    // The newest version of each text and each file, by its place in `standing`; one that is the same stays where it came first.
    let mut newest: FxHashMap<String, (usize, Text<'_>)> = FxHashMap::default();
    for (part, here) in reading.transcript.parts().iter_enumerated() {
        if !is_users(here) {
            continue;
        }
        let text = reading.transcript.text(part);
        let stretches = injected(text);
        for Injected { range, source } in &stretches {
            let all = |is_list| levels(reading, part, range, is_list);
            match source {
                Source::Rules => {
                    let (stretch, place) = (text.slice(range.clone()), standing.len());
                    match newest.entry(key(stretch)) {
                        Entry::Occupied(before) if before.get().1 == stretch => continue,
                        Entry::Occupied(mut before) => {
                            let (older, _) = before.insert((place, stretch));
                            standing[older].levels = Default::default();
                        }
                        Entry::Vacant(first) => _ = first.insert((place, stretch)),
                    }
                    standing.push(Obligation { duty: Duty::Rules, part, levels: all(true) });
                }
                Source::Summary => summaries.push(Obligation { duty: Duty::State, part, levels: all(false) }),
                Source::Notice => {
                    let [first, ..] = all(false);
                    notices.push(Obligation { duty: Duty::Said, part, levels: [first, Vec::new(), Vec::new()] });
                }
                Source::Result => {}
            }
        }
        let own = reading.items.of_part[part].iter().filter(|&item| reading.items.list[item].is_users);
        let own: Vec<ItemIndex> = own.filter(|&item| begins_with_demand(reading.text(item))).collect();
        if !own.is_empty() {
            said.push(Obligation { duty: Duty::Said, part, levels: [own, Vec::new(), Vec::new()] });
        }
    }
    standing.extend(files(reading));
    standing.extend(said);
    standing.extend(notices);
    // A newer summary says what the older ones do.
    standing.extend(summaries.pop());
    standing.retain(|obligation| obligation.levels.iter().any(|level| !level.is_empty()));
    standing
}

/// The newest reading of each file of rules that the agent read.
fn files(reading: Reading<'_>) -> Vec<Obligation> {
    let mut newest: FxHashMap<FileIndex, (usize, &[PartIndex])> = FxHashMap::default();
    for (order, operation) in reading.operations.list.iter().enumerate() {
        if operation.failed() {
            continue;
        }
        for used in &operation.files {
            let name = reading.operations.files[used.file].rsplit(['/', '\\']).next().unwrap_or_default();
            if matches!(used.does, FileAccess::Read(_)) && FILES.contains(&name.to_ascii_lowercase().as_str()) {
                newest.insert(used.file, (order, &operation.results));
            }
        }
    }
    let mut newest: Vec<_> = newest.into_values().collect();
    newest.sort_unstable();
    newest.dedup();
    let of_part = |&part: &PartIndex| {
        let range = 0..reading.transcript.text(part).len();
        Obligation { duty: Duty::Rules, part, levels: levels(reading, part, &range, true) }
    };
    newest.into_iter().flat_map(|(_, results)| results.iter().map(of_part)).collect()
}

/// The items within a stretch of a part: what demands something, entries of lists where they are rules, the rest.
fn levels(
    reading: Reading<'_>,
    part: PartIndex,
    range: &Range<usize>,
    is_list: bool,
) -> [Vec<ItemIndex>; super::LEVELS] {
    let mut levels: [Vec<ItemIndex>; super::LEVELS] = Default::default();
    let (mut line, mut level) = (Vec::new(), super::LEVELS - 1);
    let (items, of_part) = (&reading.items.list, reading.items.of_part[part]);
    // A text may have many stretches.
    let before = items[of_part].partition_point(|item| item.range.positions().end <= range.start);
    let within = |item: &ItemIndex| items[*item].range.positions().start < range.end;
    let rest = IndexRange { start: ItemIndex(of_part.start.0 + to_u32(before)), end: of_part.end };
    for item in rest.iter().take_while(within) {
        let text = reading.text(item);
        if demands(text) {
            level = 0;
        } else if is_list && line.is_empty() && is_entry(text) {
            level = 1;
        }
        line.push(item);
        // A rule of several sentences is one rule.
        if text.bytes().ends_with(b"\n") || text.bytes().ends_with(b"\\n") {
            levels[level].append(&mut line);
            level = super::LEVELS - 1;
        }
    }
    levels[level].append(&mut line);
    levels
}

/// Whether a line is an entry of a list.
fn is_entry(text: Text<'_>) -> bool {
    let bytes = text.bytes();
    let line = bytes[line_number(bytes).map_or(0, |(_, start)| start)..].trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match line {
        [b'-' | b'*', b' ', ..] => true,
        _ => digits > 0 && matches!(line.get(digits..digits + 2), Some([b'.' | b')', b' '])),
    }
}
