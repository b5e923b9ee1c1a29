//! Topics of messages, and the earlier message that a correction refers to.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Contradiction, Signal, signal};
use crate::summarize::for_each_identifier;
use crate::word_lists::WordLists;
use palimpsest_text::masks::{Block, Scanned, Scratch, positions};
use palimpsest_text::{Text, TextBuf};

/// Number of messages that a correction looks back at, so that each takes time linear in its own words.
const LOOK_BACK: usize = 512;
/// Factor of the minimum overlap for messages of different roles.
const OTHER_ROLE: f64 = 1.5;
/// Upper bound of the difference between sums of the same numbers in different orders.
const ROUNDING: f64 = 1e-12;

/// The topics of messages: for each, its distinct words of three letters and more, and names such as `read_token`, in
/// lowercase and in order.
#[derive(Debug, Default)]
pub struct Topics {
    lists: WordLists,
    messages: Vec<Topic>,
    scratch: Scratch,
}

#[derive(Clone, Copy, Debug)]
struct Topic {
    position: usize,
    /// Number of its role; `None` if it has none.
    role: Option<u32>,
    signal: Option<Signal>,
}

impl Topics {
    /// Reads the next message, at `position` and with the role `role`, if any.
    pub fn read(&mut self, position: usize, role: Option<u32>, text: Text<'_>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut lowered = TextBuf::new();
        if let Some(lowered) = lowered.lowercase_in_ascii(text) {
            self.add_words(lowered.bytes(), scratch.scan(lowered.bytes()));
        }
        let scanned = scratch.scan(text.bytes());
        // Nothing had to be lowered: the same scan gives the words.
        if lowered.is_empty() {
            self.add_words(text.bytes(), scanned);
        }
        // Names follow the words. Those without an underscore are words as well.
        for_each_identifier(scanned, |_, start, end| self.add(text.bytes(), start..end));
        self.messages.push(Topic { position, role, signal: signal(scanned) });
        self.lists.end();
        self.scratch = scratch;
    }

    fn add_words(&mut self, text: &[u8], scanned: Scanned<'_>) {
        for (number, block, starts) in scanned.word_starts() {
            let second = scanned.next(number, |block| block.word);
            let third = second >> 1 | scanned.blocks[number + 1].word << 62;
            for start in positions(number, starts & block.letter() & second & third) {
                let end = scanned.run_end(start, |block| block.word);
                if scanned.run_end(start, Block::letter) == end {
                    self.add(text, start..end);
                }
            }
        }
    }

    fn add(&mut self, text: &[u8], word: Range<usize>) {
        let number = self.lists.words.intern_lowercase(text, word);
        self.lists.add(number);
    }

    /// Appends the messages of `next`.
    pub fn absorb(&mut self, next: &Topics) {
        self.lists.absorb(&next.lists);
        self.messages.extend(&next.messages);
    }

    /// Returns each correction with the message it refers to, in the order of the corrections. That is the message with
    /// the largest overlap, of at least `threshold`, among the [`LOOK_BACK`] before it.
    pub fn contradictions(&self, threshold: f64) -> Vec<Contradiction> {
        let weights = self.weights();
        let sums: Vec<f64> = (0..self.messages.len())
            .map(|message| self.lists.of(message).iter().map(|&word| weights[word as usize]).sum())
            .collect();
        // Occurrences are recorded only for words in corrections, which are few.
        let mut is_asked_for = vec![false; self.lists.words.len()];
        for (message, _) in self.messages.iter().enumerate().filter(|(_, topic)| topic.signal.is_some()) {
            self.lists.of(message).iter().for_each(|&word| is_asked_for[word as usize] = true);
        }
        let mut seen_in: Vec<Vec<u32>> = vec![Vec::new(); self.lists.words.len()];
        let mut shared = vec![0.0; LOOK_BACK];
        let mut found = Vec::new();
        for (message, topic) in self.messages.iter().enumerate() {
            if let Some(signal) = topic.signal {
                shared.fill(0.0);
                for &word in self.lists.of(message) {
                    let near = seen_in[word as usize].iter().rev().map(|&other| message - 1 - other as usize);
                    near.take_while(|&back| back < LOOK_BACK).for_each(|back| shared[back] += weights[word as usize]);
                }
                let words: FxHashSet<u32> = self.lists.of(message).iter().copied().collect();
                let mut best: Option<(usize, f64)> = None;
                for (back, shared) in shared.iter().enumerate().take(message) {
                    let other = message - 1 - back;
                    let roles = (self.messages[other].role, topic.role);
                    let is_other_role = matches!(roles, (Some(one), Some(another)) if one != another);
                    let needed = if is_other_role { OTHER_ROLE * threshold } else { threshold };
                    // A sum in any order rules out nearly all. For the rest, the sum in the order of the contract
                    // decides.
                    let at_least =
                        f64::max(needed - ROUNDING, best.map_or(f64::MIN, |(_, best)| best + ROUNDING / 2.0));
                    if 2.0 * shared < at_least * (sums[other] + sums[message]) {
                        continue;
                    }
                    let overlap = overlap(self.lists.of(other), &words, sums[message], &weights);
                    // A difference that is only due to the order of a sum must not decide.
                    if overlap >= needed && best.is_none_or(|(_, best)| overlap > best + ROUNDING) {
                        best = Some((other, overlap));
                    }
                }
                if let Some((other, overlap)) = best {
                    found.push(Contradiction {
                        of: self.messages[other].position,
                        by: topic.position,
                        overlap,
                        signal,
                    });
                }
            }
            let asked_for = self.lists.of(message).iter().filter(|&&word| is_asked_for[word as usize]);
            asked_for.for_each(|&word| seen_in[word as usize].push(message as u32));
        }
        found
    }

    /// Returns the weight of each word, higher for rare ones; 1 for all words in fewer than three messages.
    fn weights(&self) -> Vec<f64> {
        let mut messages_with = vec![0u32; self.lists.words.len()];
        self.lists.all().iter().for_each(|&word| messages_with[word as usize] += 1);
        let count = self.messages.len();
        let weight = |with: u32| if count < 3 { 1.0 } else { (1.0 + count as f64 / f64::from(with)).ln() };
        messages_with.into_iter().map(weight).collect()
    }
}

/// Returns the weighted Dice coefficient: twice the weight of the common words divided by the weight of all words. Sums
/// are in the order of the contract.
fn overlap(earlier: &[u32], later: &FxHashSet<u32>, sum_of_later: f64, weights: &[f64]) -> f64 {
    let (mut shared, mut all) = (0.0, 0.0);
    for word in earlier {
        let weight = weights[*word as usize];
        all += weight;
        if later.contains(word) {
            shared += weight;
        }
    }
    all += sum_of_later;
    if all > 0.0 { 2.0 * shared / all } else { 0.0 }
}
