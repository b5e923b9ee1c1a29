//! Budgets of summaries.

/// Depth of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// About 30 % of the text; see [`summary_budget`].
    Gentle,
    /// Half of that, and more for texts full of names.
    Moderate,
    /// Little more than names.
    Aggressive,
}

impl Depth {
    /// Returns the budget of the summary of a text, in UTF-16 code units, given its `length` and its number of
    /// `entities`. The constants are the contract's (section 7 of the opt-in features).
    pub fn summary_budget(self, length: usize, entities: impl FnOnce() -> usize) -> usize {
        let (share, floor) = match self {
            Depth::Gentle => return summary_budget(length),
            Depth::Moderate => (0.5, 100.0),
            Depth::Aggressive => (0.15, 40.0),
        };
        if length == 0 {
            return floor as usize;
        }
        let names = f64::min(500.0 * entities() as f64 / length as f64, 0.5) * share;
        let ratio = f64::max(0.05, f64::min(0.3 * share + names - 0.15 * share, 0.45 * share));
        f64::max(floor, f64::min(round(length as f64 * ratio), 800.0 * share)) as usize
    }
}

/// Returns the budget of a gentle summary: 30 % of `length`, at least 200 and at most 600 UTF-16 code units. For texts
/// over 5,000 code units, the upper bound grows with the logarithm of their length.
fn summary_budget(length: usize) -> usize {
    let length = length as f64;
    let cap = if length <= 5000.0 { 600.0 } else { round(600.0 + 600.0 * (length / 5000.0).log10() * 0.75) };
    f64::max(200.0, f64::min(round(length * 0.3), cap)) as usize
}

/// Returns the maximum number of entities listed in a summary of a text of `length` UTF-16 code units: one per 200,
/// from 3 to 30.
pub fn wrap_entity_cap(length: usize) -> usize {
    (round(length as f64 / 200.0) as usize).clamp(3, 30)
}

/// Rounds as `Math.round` does: halves go up.
pub fn round(value: f64) -> f64 {
    (value + 0.5).floor()
}
