//! Lays out a vocabulary such that a process can look tokens up without building anything.

use std::fs;
use std::path::Path;

use miniz_oxide::inflate::decompress_to_vec;

#[allow(dead_code, reason = "a part is for look-ups")]
#[path = "../src/tokens/key.rs"]
mod key;

use key::{Key, PRESENT_BITS, bucket_of, hash_of_long, slot_of};

/// Share of the slots that stay empty, as one of so many. Fewer empty slots take more attempts to displace a bucket.
const EMPTY: usize = 64;
/// Mean number of keys in a bucket.
const PER_BUCKET: usize = 4;
/// Rank of texts that are not a token.
const NO_RANK: u32 = u32::MAX;

/// Writes the tables of the vocabulary `name` to files in `out`: `<name>.pairs` and so on, all of them in little-endian.
pub fn write(name: &str, count: usize, out: &Path) {
    let file = format!("src/tokens/vocabularies/{name}.bin");
    println!("cargo::rerun-if-changed={file}");
    let packed = fs::read(&file).expect("the vocabulary is in the repository");
    let unpacked = decompress_to_vec(&packed).expect("the vocabulary is a DEFLATE stream");
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
    let save = |table: &str, bytes: Vec<u8>| {
        fs::write(out.join(format!("{name}.{table}")), bytes).expect("OUT_DIR is writable")
    };
    save("pairs", pairs.iter().flat_map(|rank| rank.to_le_bytes()).collect());
    save("present", present.iter().flat_map(|bits| bits.to_le_bytes()).collect());
    let (displacements, slots) = displaced(&short);
    save("short-displacements", displacements.iter().flat_map(|one| one.to_le_bytes()).collect());
    save("short", slots.iter().flat_map(|slot| slot.to_le_bytes()).collect());
    let (displacements, slots) = displaced(&long);
    save("long-displacements", displacements.iter().flat_map(|one| one.to_le_bytes()).collect());
    save("long", slots.iter().flat_map(|slot| slot.to_le_bytes()).collect());
    save("texts", texts);
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
