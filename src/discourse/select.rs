//! Choosing discourse units together with what they depend on.

use std::cmp::Ordering;

/// Which units of a list each one depends on.
#[derive(Debug, Default)]
pub struct Dependencies {
    targets: Vec<usize>,
    /// Where the targets of each unit end.
    ends: Vec<usize>,
}

impl Dependencies {
    /// Takes all out.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.ends.clear();
    }

    /// Adds those of the next unit, as places in the list. What stands in no list is left out by [`select`].
    pub fn push(&mut self, targets: impl IntoIterator<Item = usize>) {
        self.targets.extend(targets);
        self.ends.push(self.targets.len());
    }

    fn of(&self, unit: usize) -> &[usize] {
        let start = if unit == 0 { 0 } else { self.ends[unit - 1] };
        &self.targets[start..self.ends[unit]]
    }
}

/// What stands between two units, with what a cut costs.
const GAP: usize = 2;

/// Which of the units, each with its length in UTF-16 code units and its score, are in a summary of at most `budget`
/// units of text. The best are tried first, each together with its dependencies up to `max_depth` levels.
///
/// Takes time linear in the number of units and of the dependencies within `max_depth` levels of each, but for sorting.
pub fn select(units: &[(usize, f64)], dependencies: &Dependencies, budget: f64, max_depth: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    // What is no number is worth nothing.
    let score = |unit: &usize| if units[*unit].1.is_nan() { f64::NEG_INFINITY } else { units[*unit].1 };
    order.sort_by(|a, b| score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal));
    let mut is_selected = vec![false; units.len()];
    // The round in which a unit was last looked at.
    let mut seen_in = vec![usize::MAX; units.len()];
    let mut set = Vec::new();
    let mut used = 0;
    for (round, unit) in order.into_iter().enumerate() {
        if used as f64 >= budget {
            break;
        }
        set.clear();
        set.push(unit);
        seen_in[unit] = round;
        let mut level = 0..1;
        for _ in 0..max_depth {
            for at in level.clone() {
                for &target in dependencies.of(set[at]) {
                    if target < units.len() && seen_in[target] != round {
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
        let cost: usize = set.iter().map(|&member| units[member].0 + GAP).sum();
        if (used + cost) as f64 <= budget {
            used += cost;
            set.iter().for_each(|&member| is_selected[member] = true);
        }
    }
    is_selected
}
