//! Rolling hashes of sequences: polynomials modulo a Mersenne prime, whose remainder needs no division (Rabin–Karp).

use std::sync::LazyLock;

use super::hashing::Secret;

/// 2^61 − 1.
pub const PRIME: u64 = (1 << 61) - 1;
/// Returns the point at which this process evaluates polynomials. It is random, so that nobody can choose colliding
/// sequences.
pub fn base() -> u64 {
    static BASE: LazyLock<u64> = LazyLock::new(|| Secret::of_process().fold(0, 0) % PRIME);
    *BASE
}

/// Returns `a + b`, both below the prime.
pub fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// Returns `a - b`, both below the prime.
pub fn minus(a: u64, b: u64) -> u64 {
    plus(a, PRIME - b)
}

/// Returns `a · b`, both below the prime.
pub fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    plus(product as u64 & PRIME, (product >> 61) as u64)
}

/// Returns the hash of a sequence extended by `value`, which is below the prime.
pub fn push(hash: u64, base: u64, value: u64) -> u64 {
    plus(times(hash, base), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_the_prime() {
        let values = [0, 1, 2, base(), PRIME / 2, PRIME - 2, PRIME - 1];
        for a in values {
            for b in values {
                let exact = |result: u128| (result % u128::from(PRIME)) as u64;
                assert_eq!(plus(a, b), exact(u128::from(a) + u128::from(b)));
                assert_eq!(minus(a, b), exact(u128::from(a) + u128::from(PRIME) - u128::from(b)));
                assert_eq!(times(a, b), exact(u128::from(a) * u128::from(b)));
            }
        }
    }
}
