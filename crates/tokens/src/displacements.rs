//! Finds the perfect hash of a vocabulary's tables, which takes much longer than laying them out.
//!
//! The build script does it for native engines. An engine in WebAssembly does it itself, to be smaller (`given.rs`).

use super::key::{bucket_of, hash_of_long, slot_of};
use super::tables::{for_each_token, slots_for};

/// Mean number of keys in a bucket.
const PER_BUCKET: usize = 4;

/// Finds the displacements with which [`super::tables::laid_out`] gives each token a slot of its own: those of `short` and of `long`.
pub(crate) fn displacements(unpacked: &[u8], count: usize) -> [Vec<u16>; 2] {
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for_each_token(unpacked, count, |_, token, key| match key {
        _ if token.len() < 3 => {}
        Some(key) => short.push(key.hash()),
        None => long.push(hash_of_long(token)),
    });
    [displaced(&short), displaced(&long)]
}

/// Returns the displacement of each bucket such that each hash has a slot of its own.
fn displaced(hashes: &[u64]) -> Vec<u16> {
    let mut buckets = vec![Vec::new(); hashes.len().div_ceil(PER_BUCKET)];
    let count = buckets.len();
    hashes.iter().for_each(|&hash| buckets[bucket_of(hash, count)].push(hash));
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
    let mut taken = vec![false; slots_for(hashes.len())];
    let mut displacements = vec![0; count];
    for bucket in order {
        let hashes = &buckets[bucket];
        let mut found = Vec::new();
        displacements[bucket] = (0..=u16::MAX)
            .find(|&displacement| {
                found.clear();
                found.extend(hashes.iter().map(|&hash| slot_of(hash, displacement, taken.len())));
                let is_free = |(index, slot): (usize, &usize)| !taken[*slot] && !found[..index].contains(slot);
                found.iter().enumerate().all(is_free)
            })
            .expect("a displacement for every bucket");
        found.iter().for_each(|&slot| taken[slot] = true);
    }
    displacements
}
