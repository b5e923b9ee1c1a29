//! Byte pair encoding of one piece.
//!
//! A piece begins as single bytes. Of all neighbours that together are a token, those with the lowest rank are merged
//! first (of several, the leftmost), until no neighbours are a token.
//!
//! To do that in time linear in a long piece, only a window of it is merged at a time. That changes nothing: tokens one
//! behind the other are the encoding of their text if and only if each two neighbours are the encoding of theirs
//! (Antoniadis and van Antwerpen, <https://github.com/github/rust-gems/blob/main/crates/bpe/README.md>, "Theory").
//! Neighbours within a window are, so only those at the seams have to be looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{NO_RANK, Vocabulary};

/// Bytes merged at a time, where the piece is longer.
const WINDOW: usize = 128;
/// Tokens that end so close to the end of a window may be others when the bytes behind it are known.
const UNSETTLED: usize = 32;
/// Up to here, looking at all ranks for each merge is faster than keeping them in order.
const MAX_SCANNED: usize = 256;

/// The memory that merging works in.
#[derive(Debug, Default)]
pub struct Merger {
    /// Where the parts start, and where the last one ends.
    bounds: Vec<u32>,
    /// For each part, the rank of the token that it makes with the next.
    ranks: Vec<u32>,
    /// For each byte that starts a part, the start of the part before it.
    previous: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// The bounds of the tokens of a long piece that are settled.
    settled: Vec<usize>,
}

impl Merger {
    /// The number of tokens of `piece`.
    pub fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        if piece.len() <= WINDOW {
            self.merge(vocabulary, piece);
            return self.bounds.len() - 1;
        }
        self.settled.clear();
        self.settled.push(0);
        let (mut window, mut furthest) = (WINDOW, 0);
        loop {
            let start = self.settled[self.settled.len() - 1];
            let end = piece.len().min(start + window);
            self.merge(vocabulary, &piece[start..end]);
            let first = self.bounds[1] as usize;
            let limit = if end == piece.len() { end - start } else { window - UNSETTLED };
            let is_sound = first <= limit && self.is_seam_sound(vocabulary, piece, start + first);
            if !is_sound {
                // What was settled was not, or the window is too small to tell.
                window *= 2;
                let kept = self.settled.len().saturating_sub(window / WINDOW).max(1);
                self.settled.truncate(kept);
                continue;
            }
            let added = self.bounds.iter().skip(1).map(|&bound| bound as usize).take_while(|&bound| bound <= limit);
            self.settled.extend(added.map(|bound| start + bound));
            let reached = self.settled[self.settled.len() - 1];
            if reached == piece.len() {
                return self.settled.len() - 1;
            }
            if reached > furthest {
                (window, furthest) = (WINDOW, reached);
            }
        }
    }

    /// Whether the last settled token and the one behind it, up to `end`, are the encoding of their text. Leaves what
    /// was merged last as it was.
    fn is_seam_sound(&mut self, vocabulary: &Vocabulary, piece: &[u8], end: usize) -> bool {
        let [.., before, seam] = self.settled[..] else { return true };
        let mut merger = Merger::default();
        merger.merge(vocabulary, &piece[before..end]);
        merger.bounds == [0, (seam - before) as u32, (end - before) as u32]
    }

    /// Merges all of `text`; its tokens are then between the bounds.
    fn merge(&mut self, vocabulary: &Vocabulary, text: &[u8]) {
        self.ranks.clear();
        self.ranks.extend(text.windows(2).map(|bytes| vocabulary.rank_of_pair(bytes[0], bytes[1])));
        self.ranks.push(NO_RANK);
        self.bounds.clear();
        self.bounds.extend(0..=text.len() as u32);
        if text.len() <= MAX_SCANNED { self.merge_scanning(vocabulary, text) } else { self.merge_in_order(vocabulary, text) }
    }

    fn merge_scanning(&mut self, vocabulary: &Vocabulary, text: &[u8]) {
        loop {
            let lowest = self.ranks.iter().copied().min().unwrap_or(NO_RANK);
            if lowest == NO_RANK {
                return;
            }
            let Some(part) = self.ranks.iter().position(|&rank| rank == lowest) else { return };
            self.bounds.remove(part + 1);
            self.ranks.remove(part + 1);
            self.ranks[part] = self.rank_from(vocabulary, text, part);
            if part > 0 {
                self.ranks[part - 1] = self.rank_from(vocabulary, text, part - 1);
            }
        }
    }

    /// The rank of the token that the part numbered `part` makes with the next.
    fn rank_from(&self, vocabulary: &Vocabulary, text: &[u8], part: usize) -> u32 {
        match self.bounds.get(part + 2) {
            Some(&end) => vocabulary.rank(text, self.bounds[part] as usize, end as usize),
            None => NO_RANK,
        }
    }

    /// The same with the ranks in a heap, so that the time is n log n. Here `bounds[at]` is the end of the part that
    /// starts at `at`, until the merging is done.
    fn merge_in_order(&mut self, vocabulary: &Vocabulary, text: &[u8]) {
        let length = text.len();
        self.bounds.clear();
        self.bounds.extend(1..=length as u32);
        self.previous.clear();
        self.previous.extend((0..length as u32).map(|at| at.saturating_sub(1)));
        self.heap.clear();
        let ranked = self.ranks.iter().enumerate().filter(|(_, rank)| **rank != NO_RANK);
        self.heap.extend(ranked.map(|(at, &rank)| Reverse((rank, at as u32))));
        while let Some(Reverse((rank, at))) = self.heap.pop() {
            let start = at as usize;
            if self.ranks[start] != rank {
                // One of the two was merged with another since.
                continue;
            }
            let next = self.bounds[start] as usize;
            let end = self.bounds[next] as usize;
            self.bounds[start] = end as u32;
            self.ranks[next] = NO_RANK;
            if end < length {
                self.previous[end] = at;
            }
            self.rank_again(vocabulary, text, start);
            if start > 0 {
                self.rank_again(vocabulary, text, self.previous[start] as usize);
            }
        }
        let mut bounds = vec![0];
        while let Some(&bound) = bounds.last().filter(|&&bound| (bound as usize) < length) {
            bounds.push(self.bounds[bound as usize]);
        }
        self.bounds = bounds;
    }

    /// Ranks the part that starts at `start` together with the one behind it.
    fn rank_again(&mut self, vocabulary: &Vocabulary, text: &[u8], start: usize) {
        let next = self.bounds[start] as usize;
        let rank = match self.bounds.get(next) {
            Some(&end) => vocabulary.rank(text, start, end as usize),
            None => NO_RANK,
        };
        self.ranks[start] = rank;
        if rank != NO_RANK {
            self.heap.push(Reverse((rank, start as u32)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vocabularies() -> [&'static Vocabulary; 2] {
        [Vocabulary::o200k_base(), Vocabulary::cl100k_base()]
    }

    /// The definition, word by word.
    fn plain_count(vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        let mut bounds: Vec<usize> = (0..=piece.len()).collect();
        loop {
            let pairs = 0..bounds.len().saturating_sub(2);
            let ranks = pairs.map(|part| (vocabulary.rank(piece, bounds[part], bounds[part + 2]), part));
            match ranks.min() {
                Some((rank, part)) if rank != NO_RANK => drop(bounds.remove(part + 1)),
                _ => return bounds.len() - 1,
            }
        }
    }

    fn assert_exact(piece: &[u8]) {
        for vocabulary in vocabularies() {
            assert_eq!(Merger::default().count(vocabulary, piece), plain_count(vocabulary, piece), "{piece:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn long_pieces_are_counted_as_the_definition_says(
            alphabet in proptest::collection::vec(any::<u8>(), 1..6),
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..1500),
        ) {
            assert_exact(&choices.iter().map(|choice| *choice.get(&alphabet)).collect::<Vec<_>>());
        }

        #[test]
        fn repeated_units_are_counted_as_the_definition_says(
            unit in "[a-zA-Z]{1,9}|[=*_ .-]{1,5}|\\PC{1,4}", before in 0..40_usize, length in 100..1200_usize,
        ) {
            let unit: Vec<u8> = unit.bytes().collect();
            assert_exact(&unit.iter().copied().cycle().skip(before).take(length).collect::<Vec<_>>());
        }
    }
}
