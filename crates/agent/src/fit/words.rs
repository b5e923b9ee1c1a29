//! Words of a text that may carry a fact, as numbers.
//!
//! In scripts that write words apart a word is a run of letters and digits with the joints of paths, numbers and
//! identifiers inside. Chinese, Japanese, Thai and their like write no blanks: there, each two letters side by side count as one.

use std::ops::Range;

use super::indices::WordIndex;
use super::policy::policy;
use palimpsest_text::Text;
use palimpsest_text::index::IndexVec;
use palimpsest_text::names::{for_each_name, hash_of, is_joint};
use palimpsest_text::tables::word_class;
use palimpsest_text::unit_rules::word::{CAPITAL, DENSE, INNER, JOINT, LETTER, NONE, SIGN, WIDE};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// The name of one thing: a path, an identifier, a number, a date, an acronym.
    Specific,
    /// A word of ordinary language, which carries a fact where few messages use it.
    Plain,
}

/// Calls `visit` with the hash, the kind and the position of each word in `text` that may carry a fact.
pub(super) fn for_each_word(text: Text<'_>, mut visit: impl FnMut(u64, WordKind, Range<usize>)) {
    // Every word here is a word for names too, or part of a wide one. Mathematical signs are part of none.
    for_each_name(text.bytes(), |name| {
        if name.is_wide {
            return for_each_in(text, name.range, &mut visit);
        }
        let word = without_prefix(text, name.range);
        if let Some(kind) = kind_of(word.len(), name.has_sign, false) {
            visit(hash_of(text, word.clone()), kind, word);
        }
    });
}

/// Calls `visit` with the words in `range`, which includes wide units.
fn for_each_in(text: Text<'_>, range: Range<usize>, visit: &mut impl FnMut(u64, WordKind, Range<usize>)) {
    let Some(units) = text.units() else { return };
    let class = |at: usize| word_class(units[at]);
    let mut at = range.start;
    while at < range.end {
        let mut here = class(at);
        if here & INNER == 0 {
            // Each two letters side by side.
            if here == DENSE && at + 1 < range.end && class(at + 1) == DENSE {
                visit(hash_of(text, at..at + 2), WordKind::Plain, at..at + 2);
            }
            at += 1;
            continue;
        }
        let start = at;
        let mut end = at;
        // Bits of the word up to `end`, and of the joints after it.
        let (mut all, mut joints, mut before) = (NONE, NONE, NONE);
        let mut has_sign = false;
        while at < range.end {
            here = class(at);
            if here & (INNER | JOINT) == 0 {
                break;
            }
            has_sign |= before & LETTER != 0 && here & CAPITAL != 0;
            joints |= here;
            before = here;
            at += 1;
            if here & INNER != 0 {
                all |= std::mem::take(&mut joints);
                end = at;
            }
        }
        let word = without_prefix(text, start..end);
        if let Some(kind) = kind_of(word.len(), has_sign || all & SIGN != 0, all & WIDE != 0) {
            visit(hash_of(text, word.clone()), kind, word);
        }
    }
}

/// `#42`, `@name` and `$name` are `42` and `name`.
fn without_prefix(text: Text<'_>, word: Range<usize>) -> Range<usize> {
    let bytes = &text.bytes()[word.clone()];
    let prefix = bytes.iter().take_while(|byte| matches!(byte, b'#' | b'@' | b'$')).count();
    let is_joined = bytes.get(prefix).is_none_or(|&byte| is_joint(byte));
    word.start + prefix - usize::from(is_joined && prefix > 0)..word.end
}

/// The kind of a word, if it may carry a fact.
#[inline(always)]
fn kind_of(length: usize, has_sign: bool, is_wide: bool) -> Option<WordKind> {
    if length >= policy().words.shortest_name && has_sign {
        return Some(WordKind::Specific);
    }
    (length >= policy().words.shortest_ordinary || is_wide).then_some(WordKind::Plain)
}

/// Numbers of distinct words, in order of first use.
#[derive(Debug, Default)]
pub struct Words {
    /// By hash. The hashes are keyed, so that nobody can choose words for the same slots.
    numbers: FxHashMap<u64, WordIndex>,
    /// The hash of each word, whose lowest bit is set for specific ones.
    pub hashes: IndexVec<WordIndex, u64>,
}

impl Words {
    /// No words yet, with room for `count`.
    pub fn with_capacity(count: usize) -> Self {
        let numbers = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        Words { numbers, hashes: Vec::with_capacity(count).into() }
    }

    /// The words with these hashes.
    pub fn of(hashes: &[u64]) -> Self {
        let mut words = Words::with_capacity(hashes.len());
        hashes.iter().for_each(|&hash| {
            words.add_marked(hash);
        });
        words
    }

    /// The number of a word, if it is known.
    pub fn number(&self, hash: u64, kind: WordKind) -> Option<WordIndex> {
        self.numbers.get(&marked(hash, kind)).copied()
    }

    /// The number of a word as [`for_each_word`] visits it; a new one if it is unknown.
    pub fn add(&mut self, hash: u64, kind: WordKind) -> WordIndex {
        self.add_marked(marked(hash, kind))
    }

    /// Adds the words of `other`, and returns the number of each.
    pub fn append(&mut self, other: &Words) -> IndexVec<WordIndex, WordIndex> {
        other.hashes.iter().map(|&hash| self.add_marked(hash)).collect()
    }

    #[inline]
    fn add_marked(&mut self, hash: u64) -> WordIndex {
        let next = self.hashes.next_index();
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.hashes.push(hash);
        }
        number
    }

    /// The kind of each.
    pub fn kinds(&self) -> impl Iterator<Item = WordKind> + '_ {
        self.hashes.iter().map(|hash| if hash & 1 == 1 { WordKind::Specific } else { WordKind::Plain })
    }
}

fn marked(hash: u64, kind: WordKind) -> u64 {
    hash & !1 | u64::from(kind == WordKind::Specific)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::random::below;
    use palimpsest_text::{MATH, TextBuf, fold_unit};

    fn count(text: &str) -> (usize, usize) {
        let (mut specific, mut plain) = (0, 0);
        for_each_word(TextBuf::from(text).as_text(), |_, kind, _| match kind {
            WordKind::Specific => specific += 1,
            WordKind::Plain => plain += 1,
        });
        (specific, plain)
    }

    #[test]
    fn what_names_one_thing_is_told_from_ordinary_words() {
        assert_eq!(count("src/a.ts parseUrl max_len HTTP 12:30 2024-01-01 v1.2 404 @octocat99"), (9, 0));
        assert_eq!(count("the worker reads a queue and 12 to 99"), (0, 3));
        assert_eq!(count("(…) -- // ::"), (0, 0));
    }

    #[test]
    fn words_of_every_script_are_found() {
        assert_eq!(count("Größe über Straßenbahn"), (0, 3));
        assert_eq!(count("السلام عليكم"), (0, 2));
        assert_eq!(count("北京故宫"), (0, 3), "each two letters");
        assert_eq!(count("北京 API_KEY"), (1, 1));
        assert_eq!(count("서울역에서 만나요"), (0, 2));
        assert_eq!(count("رقم ١٢٣٤ و１２３"), (2, 1), "digits of any script");
    }

    #[test]
    fn equal_words_have_one_number_in_texts_of_either_width() {
        let mut words = Words::default();
        let mut numbers = |text: &str| {
            let mut found = Vec::new();
            for_each_word(TextBuf::from(text).as_text(), |hash, kind, _| found.push(words.add(hash, kind).0));
            found
        };
        assert_eq!(numbers("parseUrl twice parseUrl"), [0, 1, 0]);
        assert_eq!(numbers("über parseUrl"), [2, 0]);
    }

    #[test]
    fn words_are_numbered_in_order_of_first_use() {
        let mut below = below();
        for count in [0, 1, 100, 5_000] {
            let (mut words, mut known) = (Words::with_capacity(count / 4), Vec::new());
            for _ in 0..2 * count {
                // Some want the same slot.
                let hash = (below(count) as u64) << (8 * below(4));
                let kind = if below(2) == 0 { WordKind::Plain } else { WordKind::Specific };
                let expected = known.iter().position(|&other| other == (hash & !1, kind));
                assert_eq!(words.number(hash, kind), expected.map(WordIndex::from));
                if expected.is_none() {
                    known.push((hash & !1, kind));
                }
                assert_eq!(words.add(hash, kind).index(), expected.unwrap_or(known.len() - 1));
            }
            let mut all = Words::default();
            all.add(1 << 40, WordKind::Plain);
            assert!(all.append(&words).iter().copied().eq((1..=known.len()).map(WordIndex::from)));
            assert!(all.kinds().skip(1).eq(known.iter().map(|&(_, kind)| kind)));
        }
    }

    #[test]
    fn no_mathematical_sign_is_part_of_a_word() {
        let signs = (0..=u16::MAX).filter(|&unit| fold_unit(unit) == MATH);
        assert!(signs.clone().count() > 20 && signs.into_iter().all(|unit| word_class(unit) == NONE));
    }

    #[test]
    fn a_word_is_the_same_beside_ascii_and_beside_others() {
        let words = |text: &str| {
            let mut found = Vec::new();
            for_each_word(TextBuf::from(text).as_text(), |hash, kind, _| found.push((hash, kind)));
            found
        };
        for text in ["const", "#42", "parseUrl", "/a-b/", "x", "12", "TOML", "a_b", "##x99", "src/a.ts", "state-of-art"]
        {
            assert_eq!(words(&format!("12→{text}…")), words(text), "{text}");
        }
    }
}
