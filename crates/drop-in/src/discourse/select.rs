//! Selection of clauses together with their dependencies.

use std::cmp::Ordering;

/// For each clause of a list, the clauses it depends on.
#[derive(Debug, Default)]
pub struct Dependencies {
    targets: Vec<usize>,
    /// For each clause, the end of its targets.
    ends: Vec<usize>,
}

impl Dependencies {
    pub fn clear(&mut self) {
        self.targets.clear();
        self.ends.clear();
    }

    /// Adds the dependencies of the next clause, as positions in the list. [`select`] ignores positions outside of it.
    pub fn push(&mut self, targets: impl IntoIterator<Item = usize>) {
        self.targets.extend(targets);
        self.ends.push(self.targets.len());
    }

    fn of(&self, clause: usize) -> &[usize] {
        let start = if clause == 0 { 0 } else { self.ends[clause - 1] };
        &self.targets[start..self.ends[clause]]
    }
}

/// Cost of a gap between two clauses, in UTF-16 code units.
const GAP: usize = 2;

/// Returns which of the `clauses` (each with its length in UTF-16 code units and its score) belong to a summary of at
/// most `budget` UTF-16 code units. The best are tried first, each together with its dependencies up to `max_depth`
/// levels.
///
/// Apart from sorting, runs in time linear in the number of clauses and of the dependencies within `max_depth` levels
/// of each.
pub fn select(clauses: &[(usize, f64)], dependencies: &Dependencies, budget: f64, max_depth: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..clauses.len()).collect();
    let score = |clause: &usize| if clauses[*clause].1.is_nan() { f64::NEG_INFINITY } else { clauses[*clause].1 };
    order.sort_by(|a, b| score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal));
    let mut is_selected = vec![false; clauses.len()];
    // The round in which a clause was last visited.
    let mut seen_in = vec![usize::MAX; clauses.len()];
    let mut set = Vec::new();
    let mut used = 0;
    for (round, clause) in order.into_iter().enumerate() {
        if used as f64 >= budget {
            break;
        }
        set.clear();
        set.push(clause);
        seen_in[clause] = round;
        let mut level = 0..1;
        for _ in 0..max_depth {
            for at in level.clone() {
                for &target in dependencies.of(set[at]) {
                    if target < clauses.len() && seen_in[target] != round {
                        seen_in[target] = round;
                        set.push(target);
                    }
                }
            }
            level = level.end..set.len();
            if level.is_empty() {
                break;
            }
        }
        set.retain(|&member| !is_selected[member]);
        let cost: usize = set.iter().map(|&member| clauses[member].0 + GAP).sum();
        if (used + cost) as f64 <= budget {
            used += cost;
            set.iter().for_each(|&member| is_selected[member] = true);
        }
    }
    is_selected
}
