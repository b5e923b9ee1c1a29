//! Byte pair encoding of a piece.
//!
//! A piece starts as single bytes. Of all neighbours that form a token, those with the lowest rank are merged first
//! (the leftmost of several), until no neighbours form a token.
//!
//! To encode long pieces in linear time, only a window is merged at a time. The result is the same: a sequence of
//! tokens is the encoding of its text if and only if every two neighbours are the encoding of theirs (Antoniadis and
//! van Antwerpen, <https://github.com/github/rust-gems/blob/main/crates/bpe/README.md>, "Theory"). That holds within a
//! window, so only the neighbours at the seams need to be checked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::vocabulary::{NO_RANK, Vocabulary};

/// Number of bytes that are merged at a time in longer pieces.
const WINDOW: usize = 128;
/// Length up to which a piece is merged in arrays.
const SMALL: usize = 16;
/// Distance from the end of a window within which tokens may still depend on the bytes after it.
const UNSETTLED: usize = 32;
/// Maximum length at which scanning all ranks for each merge is faster than sorting them.
const MAX_SCANNED: usize = 512;

/// Buffers for merging.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    /// Starts of the parts, and the end of the last one.
    bounds: Vec<usize>,
    /// For each part, the rank of the token that it forms with the next.
    ranks: Vec<u32>,
    /// Bounds of the settled tokens of a long piece.
    settled: Vec<usize>,
}

impl Merger {
    pub(crate) fn count(&mut self, vocabulary: &Vocabulary, text: &[u8], piece: Range<usize>) -> usize {
        if piece.len() <= SMALL {
            return count_small(vocabulary, text, piece);
        }
        if piece.len() <= WINDOW {
            self.merge(vocabulary, text, piece);
            return self.bounds.len() - 1;
        }
        self.count_in_windows(vocabulary, text, piece, WINDOW, UNSETTLED)
    }

    fn count_in_windows(
        &mut self,
        vocabulary: &Vocabulary,
        text: &[u8],
        piece: Range<usize>,
        smallest_window: usize,
        unsettled: usize,
    ) -> usize {
        self.settled.clear();
        self.settled.push(piece.start);
        let mut window = smallest_window;
        loop {
            let start = self.settled[self.settled.len() - 1];
            let end = piece.end.min(start + window);
            self.merge(vocabulary, text, start..end);
            let limit = if end == piece.end { end } else { end - unsettled };
            let first = self.bounds[1];
            if first > limit || !self.is_seam_sound(vocabulary, text, first) {
                // The window is too small to decide, or a settled token is wrong.
                window *= 2;
                let kept = self.settled.len().saturating_sub(window / smallest_window).max(1);
                self.settled.truncate(kept);
                continue;
            }
            self.settled.extend(self.bounds.iter().skip(1).take_while(|&&bound| bound <= limit));
            if self.settled.last() == Some(&piece.end) {
                return self.settled.len() - 1;
            }
        }
    }

    /// Returns whether the last settled token and the one after it, up to `end`, are the encoding of their text.
    fn is_seam_sound(&self, vocabulary: &Vocabulary, text: &[u8], end: usize) -> bool {
        let [.., before, seam] = self.settled[..] else { return true };
        let mut merger = Merger::default();
        merger.merge(vocabulary, text, before..end);
        merger.bounds == [before, seam, end]
    }

    /// Merges all of `text[range]`; `bounds` then delimits its tokens.
    fn merge(&mut self, vocabulary: &Vocabulary, text: &[u8], range: Range<usize>) {
        self.ranks.clear();
        let pairs = text[range.clone()].windows(2);
        self.ranks.extend(pairs.map(|bytes| vocabulary.rank_of_pair(bytes[0], bytes[1])));
        self.ranks.push(NO_RANK);
        self.bounds.clear();
        if range.len() <= MAX_SCANNED {
            self.bounds.extend(range.start..=range.end);
            self.merge_scanning(vocabulary, text);
        } else {
            self.merge_in_order(vocabulary, text, range);
        }
    }

    fn merge_scanning(&mut self, vocabulary: &Vocabulary, text: &[u8]) {
        let Merger { bounds, ranks, .. } = self;
        loop {
            let lowest = ranks.iter().copied().min().unwrap_or(NO_RANK);
            let Some(first) = ranks.iter().position(|&rank| rank == lowest).filter(|_| lowest != NO_RANK) else {
                return;
            };
            // Merges all pairs with that rank at once, as long as no new pair has to be merged before them. The
            // remaining parts move from `read` to `write`.
            let (mut read, mut write) = (first, first);
            while read < ranks.len() {
                bounds[write] = bounds[read];
                ranks[write] = ranks[read];
                if ranks[read] != lowest {
                    (read, write) = (read + 1, write + 1);
                    continue;
                }
                let rank_to =
                    |start: usize, end: Option<&usize>| end.map_or(NO_RANK, |&end| vocabulary.rank(text, start, end));
                ranks[write] = rank_to(bounds[write], bounds.get(read + 3));
                let mut least = ranks[write];
                if write > 0 {
                    ranks[write - 1] = rank_to(bounds[write - 1], bounds.get(read + 2));
                    least = least.min(ranks[write - 1]);
                }
                (read, write) = (read + 2, write + 1);
                if least <= lowest {
                    break;
                }
            }
            bounds.drain(write..read);
            ranks.drain(write..read);
        }
    }

    /// Does the same with the ranks in a heap, in time O(n log n).
    fn merge_in_order(&mut self, vocabulary: &Vocabulary, text: &[u8], range: Range<usize>) {
        // For the start of each part, the starts of the next and the previous one, relative to the range.
        let text = &text[range.clone()];
        let mut next: Vec<usize> = (1..=text.len()).collect();
        let mut previous: Vec<usize> = (0..text.len()).map(|at| at.saturating_sub(1)).collect();
        let ranked = self.ranks.iter().enumerate().filter(|(_, rank)| **rank != NO_RANK);
        let mut heap: BinaryHeap<_> = ranked.map(|(start, &rank)| Reverse((rank, start))).collect();
        while let Some(Reverse((rank, start))) = heap.pop() {
            if self.ranks[start] != rank {
                // One of the two has been merged with another since.
                continue;
            }
            let middle = next[start];
            let end = next[middle];
            next[start] = end;
            self.ranks[middle] = NO_RANK;
            if end < text.len() {
                previous[end] = start;
            }
            for part in [previous[start], start] {
                let end = next.get(next[part]);
                let rank = end.map_or(NO_RANK, |&end| vocabulary.rank(text, part, end));
                if std::mem::replace(&mut self.ranks[part], rank) != rank && rank != NO_RANK {
                    heap.push(Reverse((rank, part)));
                }
            }
        }
        let starts = std::iter::successors(Some(0), |&start| next.get(start).copied());
        self.bounds.extend(starts.map(|start| range.start + start));
    }
}

/// Counts the tokens of a piece of [`SMALL`] bytes at most, one merge after the other, in arrays that need no memory of their own.
fn count_small(vocabulary: &Vocabulary, text: &[u8], piece: Range<usize>) -> usize {
    let mut bounds = [0; SMALL + 1];
    let mut ranks = [NO_RANK; SMALL];
    let mut count = piece.len();
    for (place, bound) in bounds.iter_mut().enumerate() {
        *bound = piece.start + place;
    }
    for (rank, bytes) in ranks.iter_mut().zip(text[piece].windows(2)) {
        *rank = vocabulary.rank_of_pair(bytes[0], bytes[1]);
    }
    loop {
        let lowest = ranks.iter().copied().fold(NO_RANK, u32::min);
        if lowest == NO_RANK {
            return count;
        }
        let part = ranks.iter().position(|&rank| rank == lowest).unwrap_or(0);
        bounds.copy_within(part + 2.., part + 1);
        ranks.copy_within(part + 1.., part);
        ranks[SMALL - 1] = NO_RANK;
        count -= 1;
        for part in part.saturating_sub(1)..part + 1 {
            ranks[part] =
                if part + 2 <= count { vocabulary.rank(text, bounds[part], bounds[part + 2]) } else { NO_RANK };
        }
    }
}

#[cfg(test)]
mod tests {
    use palimpsest_text::random::cases;
    use proptest::prelude::*;

    use super::*;

    fn vocabularies() -> [&'static Vocabulary; 2] {
        [Vocabulary::o200k_base(), Vocabulary::cl100k_base()]
    }

    /// Applies the definition literally.
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
            let expected = plain_count(vocabulary, piece);
            assert_eq!(Merger::default().count(vocabulary, piece, 0..piece.len()), expected, "{piece:?}");
            let mut merger = Merger::default();
            merger.merge(vocabulary, piece, 0..piece.len());
            assert_eq!(merger.bounds.len() - 1, expected, "{piece:?}");
            // Small windows produce wrong seams everywhere.
            for (window, unsettled) in [(1, 0), (2, 0), (3, 2), (16, 0), (40, 8)] {
                let counted = merger.count_in_windows(vocabulary, piece, 0..piece.len(), window, unsettled);
                assert_eq!(counted, expected, "{piece:?}");
            }
        }
    }

    /// Returns the longest text in which each pair of bytes has a lower rank than the pair before, so that every merge
    /// depends on all bytes after it.
    fn longest_dependence(vocabulary: &Vocabulary) -> Vec<u8> {
        let pairs = (0..=u8::MAX).flat_map(|first| (0..=u8::MAX).map(move |second| (first, second)));
        let rank = |&(first, second): &(u8, u8)| vocabulary.rank_of_pair(first, second);
        let mut pairs: Vec<_> = pairs.filter(|pair| rank(pair) != NO_RANK).collect();
        pairs.sort_by_key(rank);
        // For each byte, the longest such text that begins with it, from the pairs so far, in reverse.
        let mut longest: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
        for (first, second) in pairs {
            if longest[usize::from(second)].len() >= longest[usize::from(first)].len() {
                let mut text = longest[usize::from(second)].clone();
                text.push(first);
                longest[usize::from(first)] = text;
            }
        }
        let longest = longest.into_iter().max_by_key(Vec::len).unwrap_or_default();
        longest.into_iter().rev().collect()
    }

    #[test]
    fn texts_whose_merges_depend_on_bytes_far_ahead_are_counted_as_the_definition_says() {
        for vocabulary in vocabularies() {
            let unit = longest_dependence(vocabulary);
            assert!(unit.len() > UNSETTLED, "{}", unit.len());
            for cut in 0..4 {
                assert_exact(&unit.iter().copied().cycle().skip(cut).take(4 * unit.len() + cut).collect::<Vec<_>>());
                assert_exact(&unit.iter().copied().skip(cut).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn every_token_is_merged_to_itself() {
        // The precondition of the theory of seams.
        for vocabulary in vocabularies() {
            let mut merger = Merger::default();
            for token in vocabulary.tokens() {
                assert_eq!(merger.count(vocabulary, &token, 0..token.len()), 1, "{token:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(200)))]

        #[test]
        fn long_pieces_are_counted_as_the_definition_says(
            alphabet in proptest::collection::vec(any::<u8>(), 1..6),
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..1500),
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
