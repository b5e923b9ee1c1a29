//! Lays out the tables of a vocabulary, such that looking tokens up builds nothing.
//!
//! The build script writes them into native engines. WebAssembly lays them out when a vocabulary is asked for (`given.rs`).

use super::key::{Key, PRESENT_BITS, bucket_of, hash_of_long, slot_of};

/// Share of the slots that stay empty, as one of so many. Fewer empty slots take more attempts to displace a bucket.
const EMPTY: usize = 64;
/// Mean number of keys in a bucket.
const PER_BUCKET: usize = 4;
/// Rank of texts that are not a token.
const NO_RANK: u32 = u32::MAX;

/// Number of tokens of each vocabulary.
pub const O200K_BASE: usize = 199_998;
pub const CL100K_BASE: usize = 100_256;

/// The tables of a vocabulary. Numbers are little-endian.
pub struct Tables {
    pub pairs: Vec<u8>,
    pub present: Vec<u8>,
    pub short_displacements: Vec<u8>,
    pub short: Vec<u8>,
    pub long_displacements: Vec<u8>,
    pub long: Vec<u8>,
    pub texts: Vec<u8>,
}

/// Lays out `count` tokens, given as `scripts/vocabularies.mjs` packs them, without the compression.
pub fn laid_out(unpacked: &[u8], count: usize) -> Tables {
    let (lengths, bytes) = unpacked.split_at(count);
    // Position of the next token of each length.
    let mut positions = [0; 256];
    lengths.iter().for_each(|&length| positions[usize::from(length)] += usize::from(length));
    positions.iter_mut().fold(0, |start, position| start + std::mem::replace(position, start));
    let mut pairs = vec![NO_RANK; 1 << 16];
    let mut present = vec![0_u64; PRESENT_BITS / 64];
    let (mut short, mut long, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for (rank, &length) in (0_u32..).zip(lengths) {
        let start = positions[usize::from(length)];
        let end = start + usize::from(length);
        positions[usize::from(length)] = end;
        match (&bytes[start..end], Key::new(bytes, start, end)) {
            // Every byte is a token, and its rank is never needed.
            ([_], _) => {}
            (&[first, second], _) => pairs[usize::from(first) << 8 | usize::from(second)] = rank,
            (_, Some(key)) => {
                short.push((key.hash(), key.with_value(rank)));
                present[key.present_bit() / 64] |= 1 << (key.present_bit() % 64);
            }
            (token, None) => {
                let at = texts.len() as u64;
                assert!(at < 1 << 24, "a position has 24 bits");
                long.push((hash_of_long(token), at | u64::from(length) << 24 | u64::from(rank) << 32));
                texts.extend_from_slice(token);
            }
        }
    }
    let (short_displacements, short) = displaced(&short);
    let (long_displacements, long) = displaced(&long);
    let little = |numbers: Vec<u16>| numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
    Tables {
        pairs: pairs.iter().flat_map(|rank| rank.to_le_bytes()).collect(),
        present: present.iter().flat_map(|bits| bits.to_le_bytes()).collect(),
        short_displacements: little(short_displacements),
        short: short.iter().flat_map(|slot: &u128| slot.to_le_bytes()).collect(),
        long_displacements: little(long_displacements),
        long: long.iter().flat_map(|slot: &u64| slot.to_le_bytes()).collect(),
        texts,
    }
}

/// Gives each hash a slot of its own: the displacement of each bucket, and the values by slot.
fn displaced<V: Copy + Default>(values: &[(u64, V)]) -> (Vec<u16>, Vec<V>) {
    let mut buckets = vec![Vec::new(); values.len().div_ceil(PER_BUCKET)];
    let count = buckets.len();
    values.iter().for_each(|&(hash, value)| buckets[bucket_of(hash, count)].push((hash, value)));
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
    let mut slots = vec![V::default(); values.len() + values.len() / EMPTY];
    let mut taken = vec![false; slots.len()];
    let mut displacements = vec![0; count];
    for bucket in order {
        let keys = &buckets[bucket];
        let mut found = Vec::new();
        displacements[bucket] = (0..=u16::MAX)
            .find(|&displacement| {
                found.clear();
                found.extend(keys.iter().map(|&(hash, _)| slot_of(hash, displacement, taken.len())));
                let is_free = |(index, slot): (usize, &usize)| !taken[*slot] && !found[..index].contains(slot);
                found.iter().enumerate().all(is_free)
            })
            .expect("a displacement for every bucket");
        for (&slot, &(_, value)) in found.iter().zip(keys) {
            (taken[slot], slots[slot]) = (true, value);
        }
    }
    (displacements, slots)
}
