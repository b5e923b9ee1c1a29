//! The words of a query, and their positions in a text.
//!
//! Words are [`palimpsest_text::terms`].

use palimpsest_text::Text;
use palimpsest_text::ranking::{QueryTerm, add_terms};
use palimpsest_text::tables::small;
use palimpsest_text::terms::{KEY, for_each_start, form_keys, is_digit, is_form, key_of, small_letters, term_at};
use palimpsest_text::unit_rules::is_dense;

/// Number of bits of the filter that rejects most words of a text.
const FILTER: usize = 1 << 12;
/// Size of the filter before it, by the first two letters of a word; pairs of ASCII letters don't collide with each other.
const PAIRS: usize = 1 << 12;

/// The words of a query.
#[derive(Debug, Default)]
pub(super) struct Question {
    terms: Vec<QueryTerm>,
    /// By the first two letters of each beginning that a form of a term may have: what may follow them, as in [`third_of`].
    pairs: Vec<u32>,
    /// A bit for the hash of each such beginning.
    filter: Vec<u64>,
    /// Those beginnings, each with a term; sorted.
    beginnings: Vec<(u64, u16)>,
}

impl Question {
    /// Adds the words of a text, up to `limit` in total.
    pub(super) fn add(&mut self, text: Text<'_>, limit: usize) {
        add_terms(text, limit, &mut self.terms);
    }

    /// Prepares [`Question::find`] for the words that were added.
    pub(super) fn prepare(&mut self) {
        self.pairs = vec![0; PAIRS];
        self.filter = vec![0; FILTER / 64];
        self.beginnings.clear();
        for (index, word) in self.terms.iter().enumerate() {
            self.beginnings.extend(form_keys(&word.letters).into_iter().map(|key| (key, index as u16)));
        }
        self.beginnings.sort_unstable();
        self.beginnings.dedup();
        for &(key, _) in &self.beginnings {
            self.filter[place_of(key) / 64] |= 1 << (place_of(key) % 64);
            // No word has fewer than two letters, or more than `KEY` in its key.
            let more = (0..KEY - 1).find(|more| key >> (16 * more) >> 32 == 0).unwrap_or_default();
            let letter = |after: usize| (key >> (16 * after)) as u16;
            let may_follow = match more {
                0 if is_dense(letter(1)) => u32::MAX,
                0 => ENDS,
                _ => third_of(letter(more - 1)),
            };
            self.pairs[pair_of(letter(more + 1), letter(more))] |= may_follow;
        }
    }

    /// The weight of each word.
    pub(super) fn weights(&self) -> impl ExactSizeIterator<Item = f64> + Clone + '_ {
        self.terms.iter().map(|term| term.weight)
    }

    /// Whether a word has digits: it may name one thing.
    pub(super) fn is_name(&self, term: usize) -> bool {
        self.terms[term].letters.iter().any(|&unit| is_digit(unit))
    }

    /// Calls `visit` with the number and the position of each word of the query in `text`, in any form.
    pub(super) fn find(&self, text: Text<'_>, mut visit: impl FnMut(u16, usize)) {
        let Some(pairs) = self.pairs.first_chunk::<PAIRS>() else { return };
        let bytes = text.bytes();
        let mut word = Vec::new();
        for_each_start(text, |start| {
            let may_begin = match bytes[start..].first_chunk() {
                Some(&[first, second, third]) if (first | second | third).is_ascii() => {
                    // A letter or digit, of which this bit tells the case; what is none of them begins no word.
                    let small = |byte: u8| u16::from(byte | 0x20);
                    pairs[pair_of(small(first), small(second))] & FOLLOWING[usize::from(third)] != 0
                }
                _ => self.may_begin(text, start),
            };
            if may_begin {
                self.find_at(text, start, &mut word, &mut visit);
            }
        });
    }

    /// Calls `visit` with the words of the query of which a form stands at `start`. Apart from [`Question::find`], because few words come here.
    #[inline(never)]
    fn find_at(&self, text: Text<'_>, start: usize, word: &mut Vec<u16>, visit: &mut impl FnMut(u16, usize)) {
        let Some((end, key)) = term_at(text, start) else { return };
        if self.filter[place_of(key) / 64] >> (place_of(key) % 64) & 1 == 0 {
            return;
        }
        word.clear();
        let first = self.beginnings.partition_point(|&(other, _)| other < key);
        for &(_, term) in self.beginnings[first..].iter().take_while(|&&(other, _)| other == key) {
            let known = &self.terms[usize::from(term)].letters;
            // The key of a short word is all of it.
            let is_same = known.len() == end - start && known.len() <= KEY && key_of(known) == key;
            if !is_same && word.is_empty() {
                word.extend(small_letters(text, start, end));
            }
            if is_same || is_form(known, word) {
                visit(term, start);
            }
        }
    }

    /// Whether the first three units of the word at `start` may begin a form of a term. Rejects nearly all words.
    #[inline(never)]
    fn may_begin(&self, text: Text<'_>, start: usize) -> bool {
        if start + 1 >= text.len() {
            return false;
        }
        let letter = |at: usize| small(text.unit(at));
        let may_follow = self.pairs[pair_of(letter(start), letter(start + 1))];
        let third = if start + 2 < text.len() { text.unit(start + 2) } else { 0 };
        let small = small(third);
        // A capital or a wide unit may continue the word or begin the next.
        let may_end = if small != third || third >= 0x80 { ENDS } else { 0 };
        may_follow & (third_of(small) | may_end) != 0
    }
}

/// For each byte of ASCII the bits of [`third_of`] that it has after two letters: a capital may continue the word or begin the next.
const FOLLOWING: [u32; 128] = {
    let mut following = [ENDS; 128];
    let mut byte = 0;
    while byte < following.len() {
        let third = third_of(byte as u16 | 0x20);
        following[byte] = match byte as u8 {
            b'a'..=b'z' | b'0'..=b'9' => third,
            b'A'..=b'Z' => third | ENDS,
            _ => ENDS,
        };
        byte += 1;
    }
    following
};

/// Bit of [`third_of`] for the end of a word.
const ENDS: u32 = 1;

/// Bit of a lowercase letter after two others; units that are no letters have [`ENDS`].
const fn third_of(letter: u16) -> u32 {
    1 << (letter % 32)
}

/// Index of two letters in the filter of pairs.
fn pair_of(first: u16, second: u16) -> usize {
    (usize::from(first) << 6 ^ usize::from(second)) % PAIRS
}

/// Bit of a key in the filter. Keys may share a bit, because words that pass are looked up.
fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - FILTER.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;
    use palimpsest_text::random::below;

    /// Which words of `text` a question finds.
    fn found(question: &str, text: &str) -> Vec<usize> {
        let mut asked = Question::default();
        asked.add(TextBuf::from(question).as_text(), 64);
        asked.prepare();
        let mut places = Vec::new();
        asked.find(TextBuf::from(text).as_text(), |_, at| places.push(at));
        places
    }

    #[test]
    fn forms_of_a_word_are_one_word() {
        for (a, b) in [
            ("order", "Orders"),
            ("PAY", "pays"),
            ("paid", "paid"),
            ("city", "cities"),
            ("move", "moving"),
            ("moved", "move"),
            ("connect", "connection"),
            ("Straße", "straßen"),
            ("répond", "Répondre"),
            ("заказ", "Заказы"),
        ] {
            assert_eq!(found(a, b), [0], "{a} asks for {b}");
            assert_eq!(found(b, a), [0], "{b} asks for {a}");
        }
        for (a, b) in [("1017", "10170"), ("pay", "payload"), ("v12", "v1"), ("form", "from"), ("contract", "contain")]
        {
            assert_eq!(found(a, b), [0; 0], "{a} does not ask for {b}");
        }
    }

    #[test]
    fn words_are_found_where_the_definition_says() {
        let mut below = below();
        let pieces =
            ["a", "B", "e", "es", "ing", "ies", "y", "d1", "Pay", "pay", "cit", "order", "ORD", "é", "京", "x2"];
        let gaps = [" ", "_", "-", ".", "\n", "@", "`", "\u{1}", "→", ""];
        let mut text = |length: usize| -> String {
            let piece = |_| [pieces[below(pieces.len())], if below(2) == 0 { "" } else { gaps[below(gaps.len())] }];
            (0..length).flat_map(piece).collect()
        };
        let mut count = 0;
        for round in 0..2_000 {
            let (asked, text) = (text(20), TextBuf::from(&text(round % 80)[..]));
            let mut question = Question::default();
            question.add(TextBuf::from(&asked[..]).as_text(), 64);
            question.prepare();
            let (text, mut found, mut expected) = (text.as_text(), Vec::new(), Vec::new());
            question.find(text, |term, at| found.push((at, term)));
            for_each_start(text, |start| {
                let Some((end, _)) = term_at(text, start) else { return };
                let word: Vec<u16> = small_letters(text, start, end).collect();
                let forms = (0u16..).zip(&question.terms).filter(|(_, known)| is_form(&known.letters, &word));
                expected.extend(forms.map(|(term, _)| (start, term)));
            });
            count += found.len();
            assert_eq!(found, expected, "{asked:?}");
        }
        assert!(count > 1_000);
    }

    #[test]
    fn names_are_looked_for_by_their_parts() {
        assert_eq!(found("ORD-1017", "ord_1017, ORD-1018"), [0, 4, 10]);
        assert_eq!(found("parse the url", "parseUrl()"), [0, 5]);
        assert_eq!(found("max_len", "MAX_LEN"), [0, 4]);
    }

    #[test]
    fn words_of_every_script_are_found() {
        assert_eq!(found("故宫在哪里？", "北京故宫"), [2]);
        assert_eq!(found("서울역", "오늘 서울역에서"), [3, 4]);
        assert_eq!(found("ที่อยู่", "ที่อยู่"), (0..6).collect::<Vec<_>>());
        assert_eq!(found("كم السعر", "كان السعر خمسة"), [6]);
        assert_eq!(found("كتاب", "أين الكتاب بالكتاب"), [6, 14], "after the article");
        assert_eq!(found("x", "x"), [0; 0], "one letter is no word");
    }

    #[test]
    fn a_text_of_either_width_says_the_same() {
        let ascii = "The orders of parseUrl, ORD-17 and max_len2.";
        let both = ["order parse ord 17 len2", "len"]
            .map(|question| (found(question, ascii), found(question, &format!("{ascii}…"))));
        assert!(both.iter().all(|(narrow, wide)| narrow == wide), "{both:?}");
        assert_eq!(both[0].0.len(), 5);
    }
}
