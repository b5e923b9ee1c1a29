//! Keys of what a round of edits took out without a stub.

use super::fingerprint::LENGTH;
use super::marker::keys_of;

/// A run of successive messages that an edit removed, or replaced by other messages.
pub struct Run<'a> {
    /// Index of the first message that replaces it, or of the message after it, among those that the round left.
    pub start: usize,
    /// Fingerprints of the messages that replace it.
    pub now: &'a [[u8; LENGTH]],
    /// Fingerprints of its messages.
    pub taken: &'a [[u8; LENGTH]],
}

/// Returns a key for each run; `None` where the same messages replace it, because a text was rewritten with itself. `left` are
/// the fingerprints of the messages that the round left.
pub fn cut_keys(left: &[[u8; LENGTH]], runs: &[Run<'_>]) -> Vec<Option<String>> {
    let is_cut = |run: &&Run<'_>| run.now != run.taken;
    let places: Vec<String> =
        runs.iter().filter(is_cut).map(|run| format!("{} {}", run.start, joined(run.taken))).collect();
    let seed = format!("cuts {} {}", joined(left), places.join("; "));
    let mut keys = keys_of(&seed, places.len()).into_iter();
    runs.iter().map(|run| if is_cut(&run) { keys.next() } else { None }).collect()
}

/// Returns the key of a round that left `length` messages and has entries of these keys.
pub fn round_key<'a>(length: u32, keys: impl Iterator<Item = &'a str>) -> String {
    keys_of(&format!("round {length} {}", keys.collect::<Vec<_>>().join(",")), 1).concat()
}

/// Joins fingerprints to one text.
pub fn joined(prints: &[[u8; LENGTH]]) -> String {
    let bytes = prints.concat();
    // Those that were stored may hold anything.
    if bytes.is_ascii() {
        String::from_utf8(bytes).unwrap_or_default()
    } else {
        bytes.into_iter().map(char::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_changed_nothing_get_no_key_and_change_no_other() {
        let [a, b, c] = [[b'a'; LENGTH], [b'b'; LENGTH], [b'c'; LENGTH]];
        let left = [a, b];
        let same = || Run { start: 0, now: &left[..1], taken: &left[..1] };
        let removed = || Run { start: 1, now: &[], taken: std::slice::from_ref(&c) };
        let replaced = || Run { start: 1, now: &left[1..], taken: std::slice::from_ref(&c) };
        let keys = cut_keys(&left, &[same(), removed(), replaced()]);
        assert_eq!(keys[0], None);
        assert!(keys[1].is_some() && keys[2].is_some() && keys[1] != keys[2]);
        assert_eq!(cut_keys(&left, &[removed(), same(), replaced()])[2], keys[2]);
        assert_ne!(round_key(2, ["x", "y"].into_iter()), round_key(3, ["x", "y"].into_iter()));
    }
}
