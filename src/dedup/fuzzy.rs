//! Messages with nearly the same lines.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Duplicate, keep_target};
use crate::text::class::trim;
use crate::text::lines::lf_lines;
use crate::text::{Interner, Text, TextBuf};

/// Lines at the start of a text that make it a candidate.
const FINGERPRINT_LINES: usize = 5;
/// How many pairs of equal lines two fingerprints must have.
const MIN_SHARED: usize = 3;
/// The shorter of two texts must have this share of the longer one's length.
const MIN_LENGTH_RATIO: f64 = 0.7;

/// The normalised lines of candidates, ready to be compared.
pub struct FuzzyIndex {
    candidates: Vec<Candidate>,
}

struct Candidate {
    position: usize,
    length: usize,
    /// Numbers of the first lines, repetitions included.
    fingerprint: Vec<u32>,
    /// Numbers of all lines, sorted, repetitions included.
    lines: Vec<u32>,
}

impl FuzzyIndex {
    /// Reads the texts of `candidates` (positions, ascending). Those with fewer than two lines fall out.
    pub fn new<'a>(candidates: impl Iterator<Item = (usize, Text<'a>)>) -> Self {
        let mut distinct = Interner::default();
        let mut lowered = TextBuf::new();
        let candidates = candidates.filter_map(|(position, text)| {
            let mut lines = Vec::new();
            for (start, end) in lf_lines(text.bytes()) {
                let (start, end) = trim(text.bytes(), start, end);
                if start < end {
                    lowercase(text.slice(start..end), &mut lowered);
                    lines.push(distinct.intern(lowered.as_text()));
                }
            }
            let fingerprint = lines[..lines.len().min(FINGERPRINT_LINES)].to_vec();
            lines.sort_unstable();
            (lines.len() >= 2).then_some(Candidate { position, length: text.len(), fingerprint, lines })
        });
        FuzzyIndex { candidates: candidates.collect() }
    }

    /// Tells for each near duplicate, in `duplicates`, what it duplicates. Messages that already duplicate another
    /// stay out of it.
    pub fn annotate(&self, threshold: f64, recency_start: f64, duplicates: &mut [Option<Duplicate>]) {
        let candidates: Vec<&Candidate> =
            self.candidates.iter().filter(|candidate| duplicates[candidate.position].is_none()).collect();
        for members in groups(&candidates, threshold) {
            let positions: Vec<usize> = members.iter().map(|&member| candidates[member].position).collect();
            let kept = keep_target(&positions, recency_start);
            let Ok(target) = candidates.binary_search_by_key(&kept, |candidate| candidate.position) else { continue };
            let target = candidates[target];
            for &member in members.iter().filter(|&&member| candidates[member].position != kept) {
                let similarity = Some(similarity(&candidates[member].lines, &target.lines));
                duplicates[candidates[member].position] = Some(Duplicate { of: kept, similarity });
            }
        }
    }
}

/// The connected components, of two or more, of the graph of matching candidates; members ascending.
///
/// Comparing all pairs would take quadratic time. Two candidates with a similarity of t or more share one of their
/// rarest lines: with n lines, at least one among the n − ⌈t·n⌉ + 1 rarest of each. So only those are looked up. And what
/// belongs to the same component already needs no comparison.
fn groups(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<usize>> {
    // Nothing is that alike, or the threshold is no number.
    if threshold.is_nan() || threshold > 1.0 {
        return Vec::new();
    }
    let rarest = rarest_lines(candidates, threshold);
    let mut parents: Vec<usize> = (0..candidates.len()).collect();
    // For each line the candidates that have it among their rarest, by the component that they belonged to.
    let mut with_line: FxHashMap<Line, Vec<Vec<usize>>> = FxHashMap::default();
    let mut compared_with = vec![usize::MAX; candidates.len()];
    for (index, candidate) in candidates.iter().enumerate() {
        for line in &rarest[index] {
            let components = with_line.entry(*line).or_default();
            let mut own = None;
            for (number, members) in components.iter().enumerate() {
                let is_match = |&&other: &&usize| {
                    std::mem::replace(&mut compared_with[other], index) != index
                        && is_match(candidate, candidates[other], threshold)
                };
                if root(&mut parents, members[0]) != root(&mut parents, index)
                    && let Some(&other) = members.iter().find(is_match)
                {
                    let (from, to) = (root(&mut parents, index), root(&mut parents, other));
                    parents[from.max(to)] = from.min(to);
                }
                if root(&mut parents, members[0]) == root(&mut parents, index) {
                    own = Some(number);
                }
            }
            match own {
                Some(number) => components[number].push(index),
                None => components.push(vec![index]),
            }
        }
    }
    let mut components: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..candidates.len() {
        components.entry(root(&mut parents, index)).or_default().push(index);
    }
    components.into_values().filter(|members| members.len() > 1).collect()
}

/// A line of a text: its number, and which of the equal lines it is.
type Line = (u32, u32);

/// For each candidate the lines of which it shares one with every other candidate that is alike enough.
fn rarest_lines(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<Line>> {
    // A line's repetitions count as one here: any order will do, as long as it is the same for all.
    let mut frequency: Vec<u32> = Vec::new();
    for &line in candidates.iter().flat_map(|candidate| &candidate.lines) {
        let line = line as usize;
        frequency.resize(frequency.len().max(line + 1), 0);
        frequency[line] += 1;
    }
    let rarest = |candidate: &&Candidate| {
        let mut lines = numbered(&candidate.lines);
        lines.sort_unstable_by_key(|line| (frequency[line.0 as usize], *line));
        // A little less than the exact number, lest rounding leaves one out.
        let shared = (threshold * lines.len() as f64 - 1e-6).ceil().max(1.0) as usize;
        lines.truncate(lines.len() + 1 - shared);
        lines
    };
    candidates.iter().map(rarest).collect()
}

/// Sorted lines with the number of their repetition.
fn numbered(lines: &[u32]) -> Vec<Line> {
    let mut repetition = 0;
    let mut previous = None;
    let number = |&line: &u32| {
        repetition = if previous.replace(line) == Some(line) { repetition + 1 } else { 0 };
        (line, repetition)
    };
    lines.iter().map(number).collect()
}

fn root(parents: &mut [usize], of: usize) -> usize {
    let mut at = of;
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

fn is_match(a: &Candidate, b: &Candidate, threshold: f64) -> bool {
    let (short, long) = (a.length.min(b.length), a.length.max(b.length));
    shared_pairs(&a.fingerprint, &b.fingerprint) >= MIN_SHARED
        && short as f64 / long as f64 >= MIN_LENGTH_RATIO
        && similarity(&a.lines, &b.lines) >= threshold
}

/// How many pairs of equal lines two fingerprints have.
fn shared_pairs(a: &[u32], b: &[u32]) -> usize {
    a.iter().map(|line| b.iter().filter(|other| *other == line).count()).sum()
}

/// Σ min(counts) / Σ max(counts) over the lines as multisets.
fn similarity(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common as f64 / (a.len() + b.len() - common) as f64
}

/// Writes the line in lowercase by the full Unicode rules, lone surrogates left as they are, to `lowered`.
fn lowercase(line: Text<'_>, lowered: &mut TextBuf) {
    lowered.clear();
    let Some(units) = line.units() else {
        lowered.push_ascii_lowercase(line.bytes());
        return;
    };
    let mut valid = String::new();
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) => valid.push(character),
            Err(lone) => {
                lowered.push_str(&valid.to_lowercase());
                lowered.push_units(&[lone.unpaired_surrogate()]);
                valid.clear();
            }
        }
    }
    lowered.push_str(&valid.to_lowercase());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Texts;

    /// Every pair, compared by the contract's words.
    fn groups_by_all_pairs(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<usize>> {
        let mut component: Vec<usize> = (0..candidates.len()).collect();
        for a in 0..candidates.len() {
            for b in 0..a {
                if is_match(candidates[a], candidates[b], threshold) {
                    let (from, to) = (component[a].max(component[b]), component[a].min(component[b]));
                    component.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
                }
            }
        }
        let members = |of: usize| (0..candidates.len()).filter(|&index| component[index] == of).collect::<Vec<_>>();
        (0..candidates.len()).map(members).filter(|members| members.len() > 1).collect()
    }

    #[test]
    fn finds_what_comparing_all_pairs_finds() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut found = 0;
        for round in 0..400 {
            let mut texts = Texts::default();
            let words = 3 + round % 12;
            for _ in 0..20 {
                let lines: Vec<String> = (0..2 + random(9)).map(|_| format!("line {}", random(words))).collect();
                texts.push_str(&lines.join("\n"));
            }
            let index = FuzzyIndex::new((0..texts.len()).map(|position| (position, texts.get(position))));
            let candidates: Vec<&Candidate> = index.candidates.iter().collect();
            for threshold in [-1.0, 0.0, 0.3, 0.5, 2.0 / 3.0, 0.75, 0.85, 1.0, 1.5, f64::NAN] {
                let groups = groups(&candidates, threshold);
                found += groups.len();
                assert_eq!(groups, groups_by_all_pairs(&candidates, threshold), "threshold {threshold}");
            }
        }
        assert!(found > 1000, "the random texts are too different to tell anything");
    }
}
