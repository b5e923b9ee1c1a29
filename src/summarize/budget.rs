//! How long a summary may be.

/// The budget, in UTF-16 code units, of the summary of a text of `length` units: 30 % of it, at least 200 and at most
/// 600, where the upper bound grows with the logarithm of texts over 5,000 units.
pub fn summary_budget(length: usize) -> usize {
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
