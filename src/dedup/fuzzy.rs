//! Messages with nearly the same lines.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Duplicate, keep_target};
use crate::text::Text;
use crate::text::class::trim;
use crate::text::lines::lf_lines;

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
        let mut numbers: FxHashMap<TextKey, u32> = FxHashMap::default();
        let candidates = candidates.filter_map(|(position, text)| {
            let mut lines = Vec::new();
            for (start, end) in lf_lines(text.bytes()) {
                let (start, end) = trim(text.bytes(), start, end);
                if start < end {
                    let next = numbers.len() as u32;
                    lines.push(*numbers.entry(lowercase(text.slice(start..end))).or_insert(next));
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
            let Some(target) = candidates.iter().find(|candidate| candidate.position == kept) else { continue };
            for &member in members.iter().filter(|&&member| candidates[member].position != kept) {
                let similarity = Some(similarity(&candidates[member].lines, &target.lines));
                duplicates[candidates[member].position] = Some(Duplicate { of: kept, similarity });
            }
        }
    }
}

/// The connected components, of two or more, of the graph of matching candidates; members ascending.
fn groups(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..candidates.len()).collect();
    let mut with_line: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
    for (index, candidate) in candidates.iter().enumerate() {
        shared.clear();
        for line in &candidate.fingerprint {
            for &other in with_line.get(line).into_iter().flatten() {
                *shared.entry(other).or_default() += 1;
            }
        }
        for (&other, &count) in &shared {
            // Members of one component need not be compared again: it stays the same component.
            if count >= MIN_SHARED
                && root(&mut parents, index) != root(&mut parents, other)
                && is_match(candidate, candidates[other], threshold)
            {
                let (from, to) = (root(&mut parents, index), root(&mut parents, other));
                parents[from.max(to)] = from.min(to);
            }
        }
        for &line in &candidate.fingerprint {
            with_line.entry(line).or_default().push(index);
        }
    }
    let mut components: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..candidates.len() {
        components.entry(root(&mut parents, index)).or_default().push(index);
    }
    components.into_values().filter(|members| members.len() > 1).collect()
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
    short as f64 / long as f64 >= MIN_LENGTH_RATIO && similarity(&a.lines, &b.lines) >= threshold
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

/// What tells two normalised lines apart.
#[derive(PartialEq, Eq, Hash)]
struct TextKey(Vec<u16>);

/// The line in lowercase by the full Unicode rules, lone surrogates left as they are.
fn lowercase(line: Text<'_>) -> TextKey {
    let Some(units) = line.units() else {
        return TextKey(line.bytes().iter().map(|byte| u16::from(byte.to_ascii_lowercase())).collect());
    };
    let mut lowered = Vec::with_capacity(units.len());
    let mut valid = String::new();
    let flush = |valid: &mut String, lowered: &mut Vec<u16>| {
        lowered.extend(valid.to_lowercase().encode_utf16());
        valid.clear();
    };
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) => valid.push(character),
            Err(lone) => {
                flush(&mut valid, &mut lowered);
                lowered.push(lone.unpaired_surrogate());
            }
        }
    }
    flush(&mut valid, &mut lowered);
    TextKey(lowered)
}
