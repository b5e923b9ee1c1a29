//! Messages with nearly the same lines.

use std::collections::BTreeMap;

use super::candidate::Candidate;
use super::fingerprint::{Shared, Start};
use super::lines::Lines;
use super::{Duplicate, keep_target};
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;

/// The normalised lines of candidates.
pub struct FuzzyIndex {
    candidates: Vec<Candidate>,
}

impl FuzzyIndex {
    /// Reads the texts of `candidates` (positions, ascending), and drops those that cannot match any other.
    pub fn new<'a>(candidates: impl Iterator<Item = (usize, Text<'a>)>) -> Self {
        let mut lines = Lines::default();
        let starts: Vec<Start> =
            candidates.filter_map(|(position, text)| Start::of(position, text, &mut lines)).collect();
        let shared = Shared::of(&starts, lines.len());
        let candidates = starts.into_iter().filter(|start| shared.may_match(&start.fingerprint)).map(|start| {
            let mut all = start.read_on(&mut lines);
            all.sort_unstable();
            Candidate { position: start.position, length: start.text.len(), fingerprint: start.fingerprint, lines: all }
        });
        FuzzyIndex { candidates: candidates.collect() }
    }

    /// Enters every near duplicate into `duplicates`. Messages that are already in it are skipped.
    pub fn annotate(&self, threshold: f64, recency_start: f64, duplicates: &mut [Option<Duplicate>]) {
        let candidates: Vec<&Candidate> =
            self.candidates.iter().filter(|candidate| duplicates[candidate.position].is_none()).collect();
        for members in groups(&candidates, threshold) {
            let positions: Vec<usize> = members.iter().map(|&member| candidates[member].position).collect();
            let kept = keep_target(&positions, recency_start);
            let Ok(target) = candidates.binary_search_by_key(&kept, |candidate| candidate.position) else { continue };
            let target = candidates[target];
            for &member in members.iter().filter(|&&member| candidates[member].position != kept) {
                let similarity = Some(candidates[member].similarity(target));
                duplicates[candidates[member].position] = Some(Duplicate { of: kept, similarity });
            }
        }
    }
}

/// Returns the connected components of the graph of matching candidates that have two or more members; members
/// ascending.
fn groups(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<usize>> {
    // No similarity exceeds 1.
    if threshold.is_nan() || threshold > 1.0 {
        return Vec::new();
    }
    let twins = twins(candidates);
    let firsts: Vec<&Candidate> = twins.iter().map(|members| candidates[members[0]]).collect();
    let components = components(&firsts, threshold).into_iter().filter_map(|component| {
        let first_twins = &twins[component[0]];
        let match_one_another =
            || first_twins.get(1).is_some_and(|&second| firsts[component[0]].matches(candidates[second], threshold));
        let is_group = component.len() > 1 || match_one_another();
        let mut members: Vec<usize> = component.iter().flat_map(|&first| twins[first].iter().copied()).collect();
        members.sort_unstable();
        is_group.then_some(members)
    });
    components.collect()
}

/// Groups candidates that are indistinguishable in a comparison: with the same length, number of lines, and lines
/// shared with other candidates. A candidate that matches one of a group matches all of it.
///
/// Otherwise, reports that differ in a time or an id would all be compared with each other if they are a little too
/// different to match.
fn twins(candidates: &[&Candidate]) -> Vec<Vec<usize>> {
    let lines =
        candidates.iter().flat_map(|candidate| candidate.lines.last()).max().map_or(0, |&line| line as usize + 1);
    // For each line, the last candidate that contains it, and whether another one does too.
    let mut owners: Vec<(Option<usize>, bool)> = vec![(None, false); lines];
    for (index, candidate) in candidates.iter().enumerate() {
        for &line in &candidate.lines {
            let (owner, is_shared) = &mut owners[line as usize];
            *is_shared |= owner.replace(index).is_some_and(|owner| owner != index);
        }
    }
    let is_shared = |line: u32| owners[line as usize].1;
    let mut twins: Vec<Vec<usize>> = Vec::new();
    let mut number_of: TextMap<_, usize> = TextMap::default();
    for (index, candidate) in candidates.iter().enumerate() {
        let shared: Vec<u32> = candidate.lines.iter().copied().filter(|&line| is_shared(line)).collect();
        let seen = (candidate.length, candidate.lines.len(), candidate.fingerprint.filter(is_shared), shared);
        let number = *number_of.entry(seen).or_insert_with(|| {
            twins.push(Vec::new());
            twins.len() - 1
        });
        twins[number].push(index);
    }
    twins
}

/// Returns the connected components of the graph of matching candidates; members ascending.
///
/// Comparing all pairs would take quadratic time. This is prefix filtering (Chaudhuri et al. 2006; PPJoin, Xiao et al.
/// 2008) instead: two candidates with a Jaccard index of at least t share one of the n − ⌈t·n⌉ + 1 rarest of their n
/// lines, so only candidates with such a line in common are compared. Members of the same component are not compared
/// again.
fn components(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<usize>> {
    let rarest = rarest_lines(candidates, threshold);
    let mut parents: Vec<usize> = (0..candidates.len()).collect();
    // For each line, the candidates that have it among their rarest, by their component at that time.
    let mut with_line: TextMap<Line, Vec<Vec<usize>>> = TextMap::default();
    let mut compared_with = vec![usize::MAX; candidates.len()];
    for (index, candidate) in candidates.iter().enumerate() {
        for line in &rarest[index] {
            let components = with_line.entry(*line).or_default();
            let mut own = None;
            for (number, members) in components.iter().enumerate() {
                let is_match = |&&other: &&usize| {
                    std::mem::replace(&mut compared_with[other], index) != index
                        && candidate.matches(candidates[other], threshold)
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
    components.into_values().collect()
}

/// A line of a text: its number, and the number of its repetition.
type Line = (u32, u32);

/// Returns the prefix of each candidate: its rarest lines, of which it shares one with every match.
fn rarest_lines(candidates: &[&Candidate], threshold: f64) -> Vec<Vec<Line>> {
    // Repetitions count as the same line: any order is correct that is the same for all candidates.
    let mut frequency: Vec<u32> = Vec::new();
    for &line in candidates.iter().flat_map(|candidate| &candidate.lines) {
        let line = line as usize;
        frequency.resize(frequency.len().max(line + 1), 0);
        frequency[line] += 1;
    }
    let rarest = |candidate: &&Candidate| {
        let mut lines = numbered(&candidate.lines);
        lines.sort_unstable_by_key(|line| (frequency[line.0 as usize], *line));
        // Slightly less than the exact number, so that rounding cannot drop a line.
        let shared = (threshold * lines.len() as f64 - 1e-6).ceil().max(1.0) as usize;
        lines.truncate(lines.len() + 1 - shared);
        lines
    };
    candidates.iter().map(rarest).collect()
}

/// Numbers the repetitions of sorted lines.
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

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use palimpsest_text::Texts;

    fn lines_of(text: &str) -> Vec<String> {
        text.split('\n').map(|line| line.trim().to_lowercase()).filter(|line| !line.is_empty()).collect()
    }

    /// Computes the similarity of two texts as the contract words it; `None` for texts too different to compare.
    fn likeness(a: &str, b: &str) -> Option<f64> {
        let (lines_a, lines_b) = (lines_of(a), lines_of(b));
        if lines_a.len() < 2 || lines_b.len() < 2 {
            return None;
        }
        let starts = |lines: &[String]| lines.iter().take(5).cloned().collect::<Vec<_>>();
        let pairs = starts(&lines_a).iter().map(|a| starts(&lines_b).iter().filter(|b| *b == a).count()).sum::<usize>();
        let count = |lines: &[String]| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            lines.iter().for_each(|line| *counts.entry(line.clone()).or_default() += 1);
            counts
        };
        let (counts_a, counts_b) = (count(&lines_a), count(&lines_b));
        let (mut common, mut all) = (0, 0);
        for line in counts_a.keys().chain(counts_b.keys()).collect::<HashSet<_>>() {
            let (a, b) = (counts_a.get(line).copied().unwrap_or(0), counts_b.get(line).copied().unwrap_or(0));
            (common, all) = (common + a.min(b), all + a.max(b));
        }
        let ratio = a.len().min(b.len()) as f64 / a.len().max(b.len()) as f64;
        (pairs >= 3 && ratio >= 0.7).then_some(common as f64 / all as f64)
    }

    /// Returns the connected components of two or more among `count` texts, by the similarity of every pair.
    fn groups_by_all_pairs(count: usize, pairs: &[(usize, usize, f64)], threshold: f64) -> Vec<Vec<usize>> {
        let mut component: Vec<usize> = (0..count).collect();
        for &(a, b, _) in pairs.iter().filter(|(_, _, likeness)| *likeness >= threshold) {
            let (from, to) = (component[a].max(component[b]), component[a].min(component[b]));
            component.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
        }
        let members = |of: usize| (0..count).filter(|&index| component[index] == of).collect::<Vec<_>>();
        (0..count).map(members).filter(|members| members.len() > 1).collect()
    }

    /// Asserts that the result equals that of comparing all pairs. Returns the number of groups under all thresholds
    /// together, and the number of texts that were not candidates.
    fn compare(contents: &[String]) -> (usize, usize) {
        let mut texts = Texts::default();
        contents.iter().for_each(|content| texts.push_str(content));
        let index = FuzzyIndex::new((0..texts.len()).map(|position| (position, texts.get(position))));
        let candidates: Vec<&Candidate> = index.candidates.iter().collect();
        let all_pairs = (0..contents.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let alike = all_pairs.filter_map(|(a, b)| Some((a, b, likeness(&contents[a], &contents[b])?)));
        let alike: Vec<_> = alike.collect();
        let mut found = 0;
        for threshold in [-1.0, 0.0, 0.3, 0.5, 2.0 / 3.0, 0.7, 0.75, 0.85, 1.0, 1.5, f64::NAN] {
            let mut groups = groups(&candidates, threshold);
            groups.iter_mut().flatten().for_each(|member| *member = candidates[*member].position);
            found += groups.len();
            let expected = groups_by_all_pairs(contents.len(), &alike, threshold);
            assert_eq!(groups, expected, "threshold {threshold} of {contents:?}");
        }
        (found, contents.len() - candidates.len())
    }

    #[test]
    fn finds_what_comparing_all_pairs_finds() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut found, mut fallen_out) = (0, 0);
        for round in 0..200 {
            // From texts that all share lines to texts that hardly share any.
            let words = [3, 5, 8, 13, 100][round % 5];
            let mut content = || {
                let indent = |number: u64| [" ", "\t", "", "\n"][number as usize];
                let mut lines: Vec<String> =
                    (0..random(12)).map(|_| format!("{}Line {}", indent(random(4)), random(words))).collect();
                // Lines that hardly any other text contains.
                for _ in 0..random(3) {
                    let own = random(1_000_000).to_string().repeat(1 + random(6) as usize);
                    lines.insert(random(lines.len() as u64 + 1) as usize, own);
                }
                lines.join("\n")
            };
            let contents: Vec<String> = (0..20).map(|_| content()).collect();
            let (groups, others) = compare(&contents);
            (found, fallen_out) = (found + groups, fallen_out + others);
        }
        assert!(found > 1000, "the random texts are too different to prove anything");
        assert!(fallen_out > 1000, "the random texts are too similar to prove anything");
    }

    #[test]
    fn texts_that_differ_in_lines_of_their_own_are_not_all_twins() {
        let same = "one\ntwo\nthree\nfour\nfive\nsix";
        let own_lines = |own: [&str; 4]| compare(&own.map(|own| format!("{same}\n{own}"))).0 > 0;
        assert!(own_lines(["aaaaaaaaa", "bbbb\ncccc", "ddddddddd", "eeee\nffff"]), "another number of lines");
        assert!(own_lines(["a", &"b".repeat(80), "c", &"d".repeat(80)]), "another length");
        let starts = [
            "one\ntwo\nthree\naa\nbb\nfour\nfive\nsix",
            "four\nfive\nsix\ncc\ndd\none\ntwo\nthree",
            "one\ntwo\nthree\nee\nff\nfour\nfive\nsix",
            "four\nfive\nsix\ngg\nhh\none\ntwo\nthree",
        ];
        assert!(compare(&starts.map(String::from)).0 > 0, "the same lines, but others at the start");
    }
}
