//! For each message, the number of later messages that use one of its names.

use super::Names;

/// Messages per block: the bits of a word.
const BLOCK: usize = u64::BITS as usize;
/// Number of blocks in which later messages count, starting with the message's own. At least the next 4032 messages
/// count, and a conversation of any length takes time linear in its names.
const REACH: usize = 64;

/// Returns, for each message, the number of later messages within reach that share a name with it.
pub(super) fn mentions(names: &Names) -> Vec<u32> {
    // For each name the blocks of the later messages that have it, the nearest last, each with these messages as bits.
    let mut occurrences: Vec<Vec<(usize, u64)>> = vec![Vec::new(); names.distinct()];
    let mut counts = vec![0; names.len()];
    for index in (0..names.len()).rev() {
        let (block, own) = (index / BLOCK, 1 << (index % BLOCK));
        let mut later = [0_u64; REACH];
        for &name in names.of(index) {
            let of_name = &mut occurrences[name as usize];
            for (of, bits) in of_name.iter().rev().take_while(|(of, _)| *of < block + REACH) {
                later[of - block] |= bits;
            }
            match of_name.last_mut() {
                Some((nearest, bits)) if *nearest == block => *bits |= own,
                _ => of_name.push((block, own)),
            }
        }
        counts[index] = later.iter().map(|word| word.count_ones()).sum();
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;
    use palimpsest_text::random::below;

    #[test]
    fn counts_as_comparing_every_pair_does() {
        let mut random = below();
        // A few names occur in most messages, some in many, most in hardly any.
        let messages: Vec<Vec<usize>> = (0..6000)
            .map(|_| (0..random(4)).map(|_| [random(3), random(90), random(9000)][random(3)]).collect())
            .collect();
        let mut names = Names::default();
        for message in &messages {
            let words = message.iter().map(|name| format!("lib/a{name}.rs:1"));
            names.read(TextBuf::from(words.collect::<Vec<_>>().join(" ").as_str()).as_text());
        }
        let is_mention = |index: usize, later: usize| {
            later / 64 < index / 64 + 64 && messages[later].iter().any(|name| messages[index].contains(name))
        };
        let counted = mentions(&names);
        for index in (0..messages.len()).step_by(7) {
            let expected = (index + 1..messages.len()).filter(|&later| is_mention(index, later)).count();
            assert_eq!(counted[index] as usize, expected, "{index}");
        }
    }
}
