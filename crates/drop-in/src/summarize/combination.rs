//! Scores of sentences from two sources, made comparable and combined.

/// Scales scores to between 0 and 1, in proportion; to 0.5 each if all are the same.
///
/// A score that is not a number makes all of them so.
pub fn normalize(scores: &[f64]) -> Vec<f64> {
    let least = scores.iter().copied().fold(f64::INFINITY, minimum);
    let most = -scores.iter().map(|score| -score).fold(f64::INFINITY, minimum);
    let normalized = |&score: &f64| if least == most { 0.5 } else { (score - least) / (most - least) };
    scores.iter().map(normalized).collect()
}

/// Share of the other scores by default, which the drop-in fixes.
pub const DEFAULT_WEIGHT: f64 = 0.6;

/// Combines two scores of each sentence: `weight` is the share of the `other` ones. Both are normalized first.
pub fn combine(heuristic: &[f64], other: &[f64], weight: f64) -> Vec<f64> {
    let pairs = normalize(heuristic).into_iter().zip(normalize(other));
    pairs.map(|(heuristic, other)| heuristic * (1.0 - weight) + other * weight).collect()
}

/// The lesser of two numbers, of which -0 is less than 0; not a number if one of them is not.
fn minimum(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        Some(order) => {
            if order.then(a.total_cmp(&b)).is_le() {
                a
            } else {
                b
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_scaled_in_proportion() {
        assert_eq!(normalize(&[2.0, 6.0, 3.0]), [0.0, 1.0, 0.25]);
        assert_eq!(normalize(&[7.0, 7.0]), [0.5, 0.5]);
        assert!(normalize(&[]).is_empty());
        assert!(normalize(&[1.0, f64::NAN]).iter().all(|score| score.is_nan()));
    }

    #[test]
    fn scores_are_combined_by_weight() {
        assert_eq!(combine(&[0.0, 4.0], &[9.0, 1.0], 0.25), [0.25, 0.75]);
        assert_eq!(combine(&[0.0, 4.0], &[9.0, 1.0], 0.0), [0.0, 1.0]);
        assert_eq!(combine(&[0.0, 4.0], &[9.0, 1.0], 1.0), [1.0, 0.0]);
    }
}
