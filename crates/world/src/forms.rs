//! Forms at the start of a text and words in it. What decides is compiled when the engine is built: compiling an expression takes a process longer than
//! reading a hundred results.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind, packed};
use regex_automata::dfa::{Automaton as _, sparse};
use regex_automata::{Anchored, Input as Haystack};

/// An expression of `expressions.rs`.
pub(crate) struct Automaton(LazyLock<sparse::DFA<&'static [u8]>>);

impl Automaton {
    /// Loads what the build script wrote; see [`automaton`].
    pub(crate) const fn new(load: fn() -> sparse::DFA<&'static [u8]>) -> Self {
        Automaton(LazyLock::new(load))
    }

    /// Returns the end of the form that `text` starts with.
    pub(crate) fn end(&self, text: &[u8]) -> Option<usize> {
        self.end_from(text, 0)
    }

    /// Returns the end of the form that starts at `start`.
    pub(crate) fn end_from(&self, text: &[u8], start: usize) -> Option<usize> {
        let haystack = Haystack::new(text).range(start..).anchored(Anchored::Yes);
        // No byte ends a search early.
        self.0.try_search_fwd(&haystack).ok().flatten().map(|found| found.offset())
    }

    /// Returns whether `text` starts with the form.
    pub(crate) fn is_at_start(&self, text: &[u8]) -> bool {
        self.end(text).is_some()
    }
}

/// The automaton of the expression with a name.
macro_rules! automaton {
    ($name:literal) => {
        $crate::forms::Automaton::new(|| {
            const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".dfa"));
            regex_automata::dfa::sparse::DFA::from_bytes(BYTES).expect("the build script wrote it").0
        })
    };
}
pub(crate) use automaton;

/// Returns what is after `form` at the start of `text`.
fn after<'a>(text: &'a [u8], form: &str) -> Option<&'a [u8]> {
    let (start, rest) = text.split_at_checked(form.len())?;
    start.eq_ignore_ascii_case(form.as_bytes()).then_some(rest)
}

/// Returns what is after the first of `forms` that `text` starts with.
pub(crate) fn after_any<'a>(text: &'a [u8], forms: &[&str]) -> Option<&'a [u8]> {
    forms.iter().find_map(|form| after(text, form))
}

/// Returns what is after those bytes at the start of `text` that are `of_run`.
pub(crate) fn past_all(text: &[u8], of_run: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|&byte| !of_run(byte)).unwrap_or(text.len());
    &text[end..]
}

/// Returns whether a byte is one of `\s`.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// Returns whether a byte is one of `\w`.
pub(crate) fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Words that are looked for all at once, in this case only.
pub(crate) enum Needles {
    /// With vectors, which the processor has to have.
    Packed(packed::Searcher),
    /// Without them.
    Automaton(AhoCorasick),
}

impl Needles {
    /// Prepares `words`, of which none begins with another.
    pub(crate) fn new(words: &[String]) -> Self {
        packed::Searcher::new(words).map_or_else(|| Needles::automaton(words), Needles::Packed)
    }

    fn automaton(words: &[String]) -> Self {
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostFirst).kind(Some(AhoCorasickKind::ContiguousNFA));
        Needles::Automaton(builder.build(words).expect("a few short words"))
    }

    /// Returns the first place of a word in `text` from `from` on.
    pub(crate) fn find(&self, text: &[u8], from: usize) -> Option<Range<usize>> {
        let found = match self {
            Needles::Packed(searcher) => searcher.find_in(text, (from..text.len()).into()),
            Needles::Automaton(automaton) => automaton.find(Input::new(text).range(from..)),
        };
        found.map(|found| found.range())
    }

    /// Returns the places of words in `text`, which don't overlap.
    pub(crate) fn find_all<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.find(text, from)?;
            from = found.end;
            Some(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::random::below;

    #[test]
    fn words_are_found_with_vectors_and_without_them() {
        let words: Vec<String> = ["abc", "Abc", "bd", "not so", "dddd", "cab"].map(str::to_owned).into();
        let (needles, automaton) = (Needles::new(&words), Needles::automaton(&words));
        let mut below = below();
        let mut count = 0;
        for round in 0..3_000 {
            let pieces = ["a", "b", "c", "d", "A", "not ", "so", " ", "abc", "\n", "dd"];
            let text: String = (0..round % 90).map(|_| pieces[below(pieces.len())]).collect();
            let (mut expected, mut at) = (Vec::new(), 0);
            while at < text.len() {
                let word = words.iter().find(|word| text[at..].starts_with(&word[..]));
                expected.extend(word.map(|word| at..at + word.len()));
                at += word.map_or(1, String::len);
            }
            count += expected.len();
            assert_eq!(needles.find_all(text.as_bytes()).collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!(automaton.find_all(text.as_bytes()).collect::<Vec<_>>(), expected, "{text:?}");
        }
        assert!(count > 10_000, "{count}");
    }

    #[test]
    fn blanks_and_words_are_those_of_patterns() {
        let pattern = |pattern: &str| regex::bytes::Regex::new(pattern).unwrap();
        let (blank, of_word) = (pattern(r"(?-u)\s"), pattern(r"(?-u)\w"));
        for byte in 0..=u8::MAX {
            assert_eq!(
                (is_blank(byte), is_of_word(byte)),
                (blank.is_match(&[byte]), of_word.is_match(&[byte])),
                "{byte}"
            );
        }
    }
}
