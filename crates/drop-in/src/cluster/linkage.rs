//! Average linkage clustering (UPGMA).

/// Averages are compared in parts of one in so many: those that differ by the order of sums alone are equal, and the first pair wins.
const PARTS: f64 = 1e12;

/// Groups `count` items, given the square matrix of their `similarities`. Repeatedly merges the two groups with the
/// highest average similarity of their items, the first pair if there are several, as long as that average is at least
/// `threshold`.
pub fn link(similarities: &[f64], count: usize, threshold: f64) -> Vec<Vec<usize>> {
    // The sums over all pairs with one item of each group. A group has the number of its first item.
    let mut sums = similarities.to_vec();
    let mut groups: Vec<Vec<usize>> = (0..count).map(|item| vec![item]).collect();
    let mut left: Vec<usize> = (0..count).collect();
    let average = |sums: &[f64], groups: &[Vec<usize>], a: usize, b: usize| {
        sums[a * count + b] / (groups[a].len() * groups[b].len()) as f64
    };
    let rank = |sums: &[f64], groups: &[Vec<usize>], a: usize, b: usize| (average(sums, groups, a, b) * PARTS).round();
    // For each group, the most similar later one. A merge changes few of these.
    let most_similar = |sums: &[f64], groups: &[Vec<usize>], left: &[usize], place: usize| {
        let mut best = (f64::NEG_INFINITY, usize::MAX);
        for &b in &left[place + 1..] {
            let similarity = rank(sums, groups, left[place], b);
            if similarity > best.0 {
                best = (similarity, b);
            }
        }
        best
    };
    let mut best: Vec<(f64, usize)> = (0..count).map(|place| most_similar(&sums, &groups, &left, place)).collect();
    loop {
        let mut pair = (f64::NEG_INFINITY, usize::MAX, usize::MAX);
        for &a in &left {
            if best[a].0 > pair.0 {
                pair = (best[a].0, a, best[a].1);
            }
        }
        let (_, a, b) = pair;
        if b == usize::MAX || average(&sums, &groups, a, b) < threshold {
            break;
        }
        let members = std::mem::take(&mut groups[b]);
        groups[a].extend(members);
        left.retain(|&group| group != b);
        for &other in left.iter().filter(|&&other| other != a) {
            let sum = sums[a * count + other] + sums[b * count + other];
            (sums[a * count + other], sums[other * count + a]) = (sum, sum);
        }
        for place in 0..left.len() {
            let group = left[place];
            if group == a || best[group].1 == a || best[group].1 == b {
                best[group] = most_similar(&sums, &groups, &left, place);
            } else if group < a {
                let similarity = rank(&sums, &groups, group, a);
                if similarity > best[group].0 || similarity == best[group].0 && a < best[group].1 {
                    best[group] = (similarity, a);
                }
            }
        }
    }
    groups.retain(|members| !members.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the rule literally, pair by pair.
    fn link_plainly(similarities: &[f64], count: usize, threshold: f64) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = (0..count).map(|item| vec![item]).collect();
        loop {
            let mut best = (f64::NEG_INFINITY, 0, 0);
            for a in 0..groups.len() {
                for b in a + 1..groups.len() {
                    let pairs =
                        groups[a].iter().flat_map(|x| groups[b].iter().map(move |y| similarities[x * count + y]));
                    let mean = pairs.sum::<f64>() / (groups[a].len() * groups[b].len()) as f64;
                    if mean > best.0 {
                        best = (mean, a, b);
                    }
                }
            }
            if groups.len() < 2 || best.0 < threshold {
                return groups;
            }
            let members = groups.remove(best.2);
            groups[best.1].extend(members);
        }
    }

    #[test]
    fn of_averages_that_differ_by_rounding_the_first_pair_wins() {
        let (near, nearer, far) = (0.1 + 0.2, 0.3_f64.next_up().next_up(), 0.0);
        assert!(near != nearer);
        // The first item is as near to the second as to the third.
        let square = [1.0, near, nearer, near, 1.0, far, nearer, far, 1.0];
        assert_eq!(link(&square, 3, 0.2), [vec![0, 1], vec![2]]);
    }

    proptest::proptest! {
        #[test]
        // Quarters, so that sums are exact and ties are real.
        fn links_as_the_rule_says(count in 0usize..12, values in proptest::collection::vec(0u8..5, 144), limit in 0u8..5) {
            let mut square = vec![0.0; count * count];
            for a in 0..count {
                for b in 0..count {
                    square[a * count + b] = f64::from(values[a.min(b) * 12 + a.max(b)]) / 4.0;
                }
            }
            let threshold = f64::from(limit) / 4.0;
            proptest::prop_assert_eq!(link(&square, count, threshold), link_plainly(&square, count, threshold));
        }
    }
}
