//! Random numbers of tests: the same in each run, or from a seed. How many cases a property tries.

/// Returns a function that gives numbers from 0 up to the one that it is called with, by xorshift (Marsaglia 2003).
pub fn below() -> impl FnMut(usize) -> usize {
    below_from(0x2545_F491_4F6C_DD1D)
}

/// Returns such a function that starts from a seed.
pub fn below_from(seed: u64) -> impl FnMut(usize) -> usize {
    // Seeds that are near to each other must not give similar numbers, and 0 would stay 0.
    let spread = (seed ^ (seed >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut state = if seed == 0x2545_F491_4F6C_DD1D { seed } else { spread | 1 };
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize % limit
    }
}

/// Returns a text of one piece of each slot, by random numbers.
pub fn text_of(slots: &[&[&str]], below: &mut impl FnMut(usize) -> usize) -> String {
    slots.iter().map(|slot| slot[below(slot.len())]).collect()
}

/// Returns how many cases a property tries that tries `count` where others try 256, the default of `PROPTEST_CASES`.
pub fn cases(count: u32) -> u32 {
    let others = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256);
    u32::try_from(u64::from(count) * others / 256).unwrap_or(u32::MAX).max(1)
}
