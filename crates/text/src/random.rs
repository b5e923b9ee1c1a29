//! Random numbers of tests: the same in each run.

/// Returns a function that gives numbers from 0 up to the one that it is called with, by xorshift (Marsaglia 2003).
pub fn below() -> impl FnMut(usize) -> usize {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
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
