//! Hashes of sequences that can be rolled on: polynomials modulo a Mersenne prime, whose remainder takes no division.

use std::sync::LazyLock;

use super::hashing::Secret;

/// 2^61 − 1.
pub const PRIME: u64 = (1 << 61) - 1;
/// Where the polynomials are evaluated in this process. Nobody outside of it can choose sequences that hash alike.
pub fn base() -> u64 {
    static BASE: LazyLock<u64> = LazyLock::new(|| Secret::of_process().fold(0, 0) % PRIME);
    *BASE
}

/// `a + b`, both below the prime.
pub fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// `a - b`, both below the prime.
pub fn minus(a: u64, b: u64) -> u64 {
    plus(a, PRIME - b)
}

/// `a · b`, both below the prime.
pub fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    plus(product as u64 & PRIME, (product >> 61) as u64)
}

/// The hash of a sequence that goes on with `value`, which is below the prime.
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
