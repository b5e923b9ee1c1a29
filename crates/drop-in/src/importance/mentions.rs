//! For each message, the number of later messages that use one of its names.

use super::Names;

/// Messages per block: the bits of a word.
const BLOCK: usize = u64::BITS as usize;
/// Number of blocks in which later messages count, starting with the message's own. At least the next 4032 messages
/// count, and a conversation of any length takes time linear in its names.
const REACH: usize = 64;

/// Later messages as bits: one word per block, starting with the block of the current message.
type Later = [u64; REACH];

/// Returns, for each message, the number of later messages within reach that share a name with it.
pub(super) fn mentions(names: &Names) -> Vec<u32> {
    let mut occurrences = vec![Occurrences::default(); names.distinct()];
    let mut counts = vec![0; names.len()];
    for index in (0..names.len()).rev() {
        let mut later: Later = [0; REACH];
        for &name in names.of(index) {
            occurrences[name as usize].add_to(&mut later, index / BLOCK);
            occurrences[name as usize].push(index);
        }
        counts[index] = later.iter().map(|word| word.count_ones()).sum();
    }
    counts
}

/// The messages that contain a name, last one first.
#[derive(Clone)]
enum Occurrences {
    Few(Vec<u32>),
    Many(Box<Ring>),
}

/// Maximum length of a list of occurrences; beyond it, a ring is smaller and faster.
const MAX_LISTED: usize = 64;

impl Default for Occurrences {
    fn default() -> Self {
        Occurrences::Few(Vec::new())
    }
}

impl Occurrences {
    fn push(&mut self, index: usize) {
        match self {
            Occurrences::Few(list) if list.len() < MAX_LISTED => list.push(index as u32),
            Occurrences::Few(list) => {
                let mut ring = Ring { first: list[0] as usize / BLOCK, words: [0; REACH] };
                list.iter().for_each(|&index| ring.push(index as usize));
                ring.push(index);
                *self = Occurrences::Many(Box::new(ring));
            }
            Occurrences::Many(ring) => ring.push(index),
        }
    }

    /// Adds the messages within reach of the current `block`.
    fn add_to(&self, later: &mut Later, block: usize) {
        match self {
            Occurrences::Few(list) => {
                let near =
                    list.iter().rev().map(|&index| index as usize).take_while(|index| index / BLOCK < block + REACH);
                near.for_each(|index| later[index / BLOCK - block] |= 1 << (index % BLOCK));
            }
            Occurrences::Many(ring) => {
                for of in ring.first..block + REACH {
                    later[of - block] |= ring.words[of % REACH];
                }
            }
        }
    }
}

/// The occurrences in the blocks within reach of `first`, the block of the most recently added occurrence.
#[derive(Clone)]
struct Ring {
    first: usize,
    words: Later,
}

impl Ring {
    fn push(&mut self, index: usize) {
        let block = index / BLOCK;
        // Clears the words of blocks that are out of reach now.
        (block..self.first.min(block + REACH)).for_each(|of| self.words[of % REACH] = 0);
        self.first = block;
        self.words[block % REACH] |= 1 << (index % BLOCK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    #[test]
    fn counts_as_comparing_every_pair_does() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        // A few names occur in most messages, some in many, most in hardly any.
        let messages: Vec<Vec<u64>> = (0..6000)
            .map(|_| (0..random(4)).map(|_| [random(3), random(90), random(9000)][random(3) as usize]).collect())
            .collect();
        let mut names = Names::default();
        for message in &messages {
            let words = message.iter().map(|name| format!("lib/a{name}.rs:1"));
            names.read(TextBuf::from(words.collect::<Vec<_>>().join(" ").as_str()).as_text());
        }
        let is_mention = |index: usize, later: usize| {
            later / 64 < index / 64 + 64 && messages[later].iter().any(|name| messages[index].contains(name))
        };
        let counted = mentions(&names);
        for index in (0..messages.len()).step_by(7) {
            let expected = (index + 1..messages.len()).filter(|&later| is_mention(index, later)).count();
            assert_eq!(counted[index] as usize, expected, "{index}");
        }
    }
}
