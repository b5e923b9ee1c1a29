//! Blocks of a result that begin like something that the agent has just said.
//!
//! Each text is read once: the beginnings of all blocks are looked up together in what the agent said.

use std::ops::Range;

use super::{Kind, Turns};
use crate::parallel::map_chunks;
use crate::text::hashing::TextMap;
use crate::text::rolling::{base, minus, push, times};
use crate::text::{Text, TextBuf};

/// Blocks, texts and what was said before have to be this long, in UTF-16 code units.
const MIN_LENGTH: usize = 200;
/// As many units at its beginning tell a block.
const BEGINNING: usize = 120;
/// How many of the agent's last messages count as just said.
const SAID: usize = 3;

/// The texts of `results` without such blocks: those that are shorter now, and those that were shorter before. Each result
/// comes with its new text, if it has one.
pub fn trimmed(turns: &Turns, results: Vec<(usize, Option<TextBuf>)>) -> Vec<(usize, TextBuf)> {
    let said: Vec<usize> = turns.of_kind(|kind| kind == Kind::Assistant).collect();
    let text_of = |number: usize| {
        let (index, by_lines) = &results[number];
        by_lines.as_ref().map_or(turns.text(*index), TextBuf::as_text)
    };
    // What was said just before a result that is long enough; it counts only where it is enough too.
    let before = |number: usize| {
        let end = said.partition_point(|&at| at < results[number].0);
        let start = end.saturating_sub(SAID);
        let units: usize = said[start..end].iter().map(|&at| turns.text(at).len() + 1).sum();
        (text_of(number).len() >= MIN_LENGTH && units >= MIN_LENGTH).then_some(start..end)
    };
    let asking: Vec<(usize, Range<usize>)> =
        (0..results.len()).filter_map(|number| Some((number, before(number)?))).collect();
    let read = map_chunks(
        asking.len(),
        |place| text_of(asking[place].0).len(),
        |part| {
            let blocks = asking[part].iter().flat_map(|(number, _)| blocks(text_of(*number)));
            blocks.filter_map(beginning).map(|text| (hash(text), text)).collect::<Vec<_>>()
        },
    );
    let mut beginnings = Beginnings::of(&read);
    let mut is_asked = vec![false; said.len()];
    asking.iter().for_each(|(_, range)| is_asked[range.clone()].fill(true));
    let asked: Vec<usize> = (0..said.len()).filter(|&number| is_asked[number]).collect();
    beginnings.look_up(&asked, |number| turns.text(said[number]));
    let mut shorter: Vec<Option<TextBuf>> = vec![None; results.len()];
    if beginnings.are_said() {
        for (number, range) in asking {
            shorter[number] = without(text_of(number), |block| beginnings.was_said(block, range.clone()));
        }
    }
    let all = results.into_iter().zip(shorter);
    all.filter_map(|((index, by_lines), shorter)| Some((index, shorter.or(by_lines)?))).collect()
}

/// The pieces between runs of two LFs or more.
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

fn without(text: Text<'_>, was_said: impl Fn(Text<'_>) -> bool) -> Option<TextBuf> {
    if !blocks(text).any(&was_said) {
        return None;
    }
    let mut shorter = TextBuf::new();
    for (position, block) in blocks(text).enumerate() {
        shorter.push_str(if position == 0 { "" } else { "\n\n" });
        if was_said(block) {
            shorter.push_str(&format!("[content from preceding turn omitted ({} chars)]", block.trim().len()));
        } else {
            shorter.push(block);
        }
    }
    Some(shorter)
}

/// The beginnings of blocks, and in which of the agent's messages each stands.
struct Beginnings<'a> {
    numbers: TextMap<Text<'a>, usize>,
    /// Which ends of hashes there are, as bits: most windows need no look at the map.
    ends: Vec<u64>,
    /// By number of the beginning, the numbers of the messages, in order.
    said_in: Vec<Vec<usize>>,
}

/// Bits of `ends` for each beginning.
const BITS: usize = 32;

impl<'a> Beginnings<'a> {
    /// The beginnings in `read`, with their hashes.
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
        let said_in = vec![Vec::new(); numbers.len()];
        Beginnings { numbers, ends, said_in }
    }

    /// Notes which beginnings stand in the agent's messages of these numbers.
    fn look_up(&mut self, asked: &[usize], text: impl Fn(usize) -> Text<'a> + Sync) {
        if self.numbers.is_empty() {
            return;
        }
        let found = map_chunks(
            asked.len(),
            |place| text(asked[place]).len(),
            |part| asked[part].iter().flat_map(|&number| self.found_in(text(number), number)).collect::<Vec<_>>(),
        );
        found.into_iter().flatten().for_each(|(beginning, number)| self.said_in[beginning].push(number));
    }

    /// The numbers of the beginnings that stand in message `number`, whose text is `text`, each with it.
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

    /// Whether any of them was said at all.
    fn are_said(&self) -> bool {
        self.said_in.iter().any(|said_in| !said_in.is_empty())
    }

    fn was_said(&self, block: Text<'_>, in_messages: Range<usize>) -> bool {
        let Some(&number) = beginning(block).and_then(|beginning| self.numbers.get(&beginning)) else { return false };
        let said_in = &self.said_in[number];
        let first = said_in.partition_point(|&number| number < in_messages.start);
        said_in.get(first).is_some_and(|number| *number < in_messages.end)
    }
}

/// Where the bit of a hash is in a list of so many ends, a power of two.
fn place(hash: u64, count: usize) -> usize {
    (hash >> 6) as usize & (count - 1)
}

/// The beginning of a block that is long enough.
fn beginning(block: Text<'_>) -> Option<Text<'_>> {
    let block = block.trim();
    (block.len() >= MIN_LENGTH).then(|| block.prefix(BEGINNING))
}

/// The polynomial of the units, which can be rolled on.
fn hash(text: Text<'_>) -> u64 {
    let base = base();
    (0..text.len()).fold(0, |hash, at| push(hash, base, u64::from(text.unit(at))))
}
