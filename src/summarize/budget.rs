//! How long a summary may be.

/// How short summaries are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// See [`summary_budget`].
    Gentle,
    /// Half as long, more where a text is full of names.
    Moderate,
    /// Hardly more than names.
    Aggressive,
}

impl Depth {
    /// The budget, in UTF-16 code units, of the summary of a text of `length` units in which `entities` tells how many names
    /// there are. The numbers are the contract's (section 7 of the opt-in features).
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

/// The budget, in UTF-16 code units, of the summary of a text of `length` units: 30 % of it, at least 200 and at most
/// 600, where the upper bound grows with the logarithm of texts over 5,000 units.
fn summary_budget(length: usize) -> usize {
    let length = length as f64;
    let cap = if length <= 5000.0 { 600.0 } else { round(600.0 + 600.0 * (length / 5000.0).log10() * 0.75) };
    f64::max(200.0, f64::min(round(length * 0.3), cap)) as usize
}

/// How many entities a summary of a text of `length` units may list: one per 200 units, from 3 to 30.
pub fn wrap_entity_cap(length: usize) -> usize {
    (round(length as f64 / 200.0) as usize).clamp(3, 30)
}

/// `Math.round`: halves go up.
pub fn round(value: f64) -> f64 {
    (value + 0.5).floor()
}
