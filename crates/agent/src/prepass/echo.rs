//! Blocks of a result that begin like something the agent just said.
//!
//! Each text is read once: the beginnings of all blocks are looked up together in the agent's messages.

use std::ops::Range;

use super::turns::{TurnKind, Turns};
use palimpsest_text::hashing::TextMap;
use palimpsest_text::parallel::map_chunks;
use palimpsest_text::rolling::{base, minus, push, times};
use palimpsest_text::{Text, TextBuf};

/// Minimum length of blocks, of results, and of the agent's messages before together, in UTF-16 code units.
const MIN_LENGTH: usize = 200;
/// Length of the beginning that identifies a block, in UTF-16 code units.
const BEGINNING: usize = 120;
/// Number of the agent's last messages that count as just said.
const MAX_MESSAGES: usize = 3;

/// Removes such blocks from `results`, each of which comes with its new text, if it has one. Returns the texts that are shorter
/// than the originals.
pub(super) fn trimmed(turns: &Turns, results: Vec<(usize, Option<TextBuf>)>) -> Vec<(usize, TextBuf)> {
    let messages: Vec<usize> = turns.of_kind(|kind| kind == TurnKind::Assistant).collect();
    let text_of = |number: usize| {
        let (index, by_lines) = &results[number];
        by_lines.as_ref().map_or(turns.text(*index), TextBuf::as_text)
    };
    // The messages just before a long enough result; they count only if they are long enough too.
    let before = |number: usize| {
        let end = messages.partition_point(|&at| at < results[number].0);
        let start = end.saturating_sub(MAX_MESSAGES);
        let units: usize = messages[start..end].iter().map(|&at| turns.text(at).len() + 1).sum();
        (text_of(number).len() >= MIN_LENGTH && units >= MIN_LENGTH).then_some(start..end)
    };
    let queries: Vec<(usize, Range<usize>)> =
        (0..results.len()).filter_map(|number| Some((number, before(number)?))).collect();
    let read = map_chunks(
        queries.len(),
        |place| text_of(queries[place].0).len(),
        |part| {
            let blocks = queries[part].iter().flat_map(|(number, _)| blocks(text_of(*number)));
            blocks.filter_map(beginning).map(|text| (hash(text), text)).collect::<Vec<_>>()
        },
    );
    let mut beginnings = Beginnings::of(&read);
    let mut is_queried = vec![false; messages.len()];
    queries.iter().for_each(|(_, range)| is_queried[range.clone()].fill(true));
    let queried: Vec<usize> = (0..messages.len()).filter(|&number| is_queried[number]).collect();
    beginnings.look_up(&queried, |number| turns.text(messages[number]));
    let mut shorter: Vec<Option<TextBuf>> = vec![None; results.len()];
    if beginnings.has_any() {
        for (number, range) in queries {
            shorter[number] = without(text_of(number), |block| beginnings.occurs_in(block, range.clone()));
        }
    }
    let all = results.into_iter().zip(shorter);
    all.filter_map(|((index, by_lines), shorter)| Some((index, shorter.or(by_lines)?))).collect()
}

/// Returns the pieces between runs of two LFs or more.
fn blocks(text: Text<'_>) -> impl Iterator<Item = Text<'_>> {
    let bytes = text.bytes();
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        let end = memchr::memmem::find(&bytes[from..], b"\n\n").map(|at| from + at);
        start = end.map(|end| end + bytes[end..].iter().take_while(|&&byte| byte == b'\n').count());
        Some(text.slice(from..end.unwrap_or(bytes.len())))
    })
}

fn without(text: Text<'_>, is_echo: impl Fn(Text<'_>) -> bool) -> Option<TextBuf> {
    if !blocks(text).any(&is_echo) {
        return None;
    }
    let mut shorter = TextBuf::new();
    for (position, block) in blocks(text).enumerate() {
        shorter.push_str(if position == 0 { "" } else { "\n\n" });
        if is_echo(block) {
            shorter.push_str(&format!("[content from preceding turn omitted ({} chars)]", block.trim().len()));
        } else {
            shorter.push(block);
        }
    }
    Some(shorter)
}

/// The beginnings of blocks, and the agent's messages that contain each.
struct Beginnings<'a> {
    numbers: TextMap<Text<'a>, usize>,
    /// Filter by the low bits of hashes: most windows need no look-up in the map.
    ends: Vec<u64>,
    /// For each beginning, the numbers of the messages that contain it, in order.
    occurrences: Vec<Vec<usize>>,
}

/// Bits of `ends` for each beginning.
const BITS: usize = 32;

impl<'a> Beginnings<'a> {
    /// Collects the beginnings in `read`, with their hashes.
    fn of(read: &[Vec<(u64, Text<'a>)>]) -> Self {
        let count: usize = read.iter().map(Vec::len).sum();
        let size = (count * BITS / 64).next_power_of_two();
        let mut ends = vec![0; size];
        let mut numbers = TextMap::default();
        for (hash, text) in read.iter().flatten() {
            ends[place(*hash, size)] |= 1 << (hash % 64);
            let number = numbers.len();
            numbers.entry(*text).or_insert(number);
        }
        let occurrences = vec![Vec::new(); numbers.len()];
        Beginnings { numbers, ends, occurrences }
    }

    /// Records the beginnings that the agent's messages with these numbers contain.
    fn look_up(&mut self, queried: &[usize], text: impl Fn(usize) -> Text<'a> + Sync) {
        if self.numbers.is_empty() {
            return;
        }
        let found = map_chunks(
            queried.len(),
            |place| text(queried[place]).len(),
            |part| queried[part].iter().flat_map(|&number| self.found_in(text(number), number)).collect::<Vec<_>>(),
        );
        found.into_iter().flatten().for_each(|(beginning, number)| self.occurrences[beginning].push(number));
    }

    /// Returns the numbers of the beginnings in message `number`, whose text is `text`, each with that of the message.
    fn found_in(&self, text: Text<'_>, number: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        if text.len() < BEGINNING {
            return found;
        }
        let base = base();
        let mut window = hash(text.prefix(BEGINNING));
        let first_weight = (1..BEGINNING).fold(1, |weight, _| times(weight, base));
        for start in 0..=text.len() - BEGINNING {
            if start > 0 {
                let gone = times(u64::from(text.unit(start - 1)), first_weight);
                window = push(minus(window, gone), base, u64::from(text.unit(start + BEGINNING - 1)));
            }
            if self.ends[place(window, self.ends.len())] >> (window % 64) & 1 == 0 {
                continue;
            }
            if let Some(&beginning) = self.numbers.get(&text.slice(start..start + BEGINNING)) {
                found.push((beginning, number));
            }
        }
        found
    }

    /// Returns whether any message contains one of them.
    fn has_any(&self) -> bool {
        self.occurrences.iter().any(|occurrences| !occurrences.is_empty())
    }

    fn occurs_in(&self, block: Text<'_>, in_messages: Range<usize>) -> bool {
        let Some(&number) = beginning(block).and_then(|beginning| self.numbers.get(&beginning)) else { return false };
        let occurrences = &self.occurrences[number];
        let first = occurrences.partition_point(|&number| number < in_messages.start);
        occurrences.get(first).is_some_and(|number| *number < in_messages.end)
    }
}

/// Returns the position of a hash's bit in a filter of `count` bits, a power of two.
fn place(hash: u64, count: usize) -> usize {
    (hash >> 6) as usize & (count - 1)
}

/// Returns the beginning of a block, if it is long enough.
fn beginning(block: Text<'_>) -> Option<Text<'_>> {
    let block = block.trim();
    (block.len() >= MIN_LENGTH).then(|| block.prefix(BEGINNING))
}

/// Returns the rolling hash (a polynomial of the code units) of `text`.
fn hash(text: Text<'_>) -> u64 {
    let base = base();
    (0..text.len()).fold(0, |hash, at| push(hash, base, u64::from(text.unit(at))))
}
