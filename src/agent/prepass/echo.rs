//! Blocks of a result that begin like something that the agent has just said.
//!
//! Each text is read once: the beginnings of all blocks are looked up together in what the agent said.

use rustc_hash::FxHashMap;

use super::{Kind, Turns};
use crate::text::rolling::{BASE, minus, push, times};
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
    // What was said before counts only where it is enough.
    let before = |index: usize| {
        let end = said.partition_point(|&at| at < index);
        let start = end.saturating_sub(SAID);
        let units: usize = said[start..end].iter().map(|&at| turns.text(at).len() + 1).sum();
        (units >= MIN_LENGTH).then_some(start..end)
    };
    let mut beginnings = Beginnings::default();
    let mut is_asked = vec![false; said.len()];
    for (index, by_lines) in &results {
        let text = by_lines.as_ref().map_or(turns.text(*index), TextBuf::as_text);
        if text.len() < MIN_LENGTH {
            continue;
        }
        if let Some(range) = before(*index) {
            blocks(text).for_each(|block| beginnings.add(block));
            is_asked[range].fill(true);
        }
    }
    if !beginnings.is_empty() {
        let asked = said.iter().enumerate().filter(|(number, _)| is_asked[*number]);
        asked.for_each(|(number, &at)| beginnings.look_up(turns.text(at), number));
    }
    let mut all = Vec::new();
    for (index, by_lines) in results {
        let text = by_lines.as_ref().map_or(turns.text(index), TextBuf::as_text);
        let shorter = before(index)
            .filter(|_| text.len() >= MIN_LENGTH)
            .and_then(|range| without(text, |block| beginnings.was_said(block, range.clone())));
        if let Some(text) = shorter.or(by_lines) {
            all.push((index, text));
        }
    }
    all
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
#[derive(Default)]
struct Beginnings {
    by_hash: FxHashMap<u64, Vec<Beginning>>,
    /// Which ends of hashes there are, as bits: most windows need no look at the map.
    ends: Vec<u64>,
}

/// Bits of a hash that `ends` tells apart.
const END_BITS: u32 = 16;

struct Beginning {
    text: TextBuf,
    /// The numbers of the messages in which it stands, in order.
    said_in: Vec<usize>,
}

impl Beginnings {
    fn is_empty(&self) -> bool {
        self.by_hash.is_empty()
    }

    fn add(&mut self, block: Text<'_>) {
        let Some(beginning) = beginning(block) else { return };
        let hash = hash(beginning);
        self.ends.resize(1 << (END_BITS - 6), 0);
        self.ends[place(hash)] |= 1 << (hash % 64);
        let known = self.by_hash.entry(hash).or_default();
        if known.iter().all(|other| other.text.as_text() != beginning) {
            known.push(Beginning { text: beginning.into(), said_in: Vec::new() });
        }
    }

    /// Notes which beginnings stand in message `number` of the agent, whose text is `text`.
    fn look_up(&mut self, text: Text<'_>, number: usize) {
        if text.len() < BEGINNING {
            return;
        }
        let mut window = hash(text.prefix(BEGINNING));
        let first_weight = (1..BEGINNING).fold(1, |weight, _| times(weight, BASE));
        for start in 0..=text.len() - BEGINNING {
            if start > 0 {
                let gone = times(u64::from(text.unit(start - 1)), first_weight);
                window = push(minus(window, gone), u64::from(text.unit(start + BEGINNING - 1)));
            }
            if self.ends[place(window)] >> (window % 64) & 1 == 0 {
                continue;
            }
            let Some(known) = self.by_hash.get_mut(&window) else { continue };
            for beginning in known {
                let is_new = beginning.said_in.last() != Some(&number);
                if is_new && text.slice(start..start + BEGINNING) == beginning.text.as_text() {
                    beginning.said_in.push(number);
                }
            }
        }
    }

    fn was_said(&self, block: Text<'_>, in_messages: std::ops::Range<usize>) -> bool {
        let Some(beginning) = beginning(block) else { return false };
        let known = self.by_hash.get(&hash(beginning)).into_iter().flatten();
        known.filter(|other| other.text.as_text() == beginning).any(|other| {
            let first = other.said_in.partition_point(|&number| number < in_messages.start);
            other.said_in.get(first).is_some_and(|number| *number < in_messages.end)
        })
    }
}

/// Where the bit of a hash is in the list of its ends.
fn place(hash: u64) -> usize {
    (hash >> 6) as usize % (1 << (END_BITS - 6))
}

/// The beginning of a block that is long enough.
fn beginning(block: Text<'_>) -> Option<Text<'_>> {
    let block = block.trim();
    (block.len() >= MIN_LENGTH).then(|| block.prefix(BEGINNING))
}

/// The polynomial of the units, which can be rolled on.
fn hash(text: Text<'_>) -> u64 {
    (0..text.len()).fold(0, |hash, at| push(hash, u64::from(text.unit(at))))
}
