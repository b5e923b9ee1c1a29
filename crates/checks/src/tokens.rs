//! Pieces are those of the encodings' regular expressions, and counts those of textbook byte pair encoding.

use std::sync::LazyLock;

use regex::Regex;

use super::input::{buffer, units_of};
use palimpsest_tokens::{Tokenizer, Vocabulary, piece_end};

/// A pattern of OpenAI's `tiktoken_ext/openai_public.py` without its look-ahead.
struct Pattern {
    /// All alternatives up to `\s+(?!\S)`, and `\s+` at the end of the text, where nothing follows.
    before: Regex,
    blanks: Regex,
}

impl Pattern {
    fn new(words: &str) -> Self {
        let pattern = |pattern: &str| Regex::new(pattern).expect("a constant pattern");
        Pattern { before: pattern(&format!(r"^(?:{words}|\s*[\r\n]+|\s+$)")), blanks: pattern(r"^\s+") }
    }

    /// Length of the first piece of `text`, in bytes.
    fn first(&self, text: &str) -> usize {
        if let Some(piece) = self.before.find(text) {
            return piece.end();
        }
        // `\s+(?!\S)|\s+`: the last blank belongs to the text after it, unless it is the only blank.
        let blanks = self.blanks.find(text).expect("some alternative matches any text").as_str();
        let last = blanks.chars().next_back().map_or(0, char::len_utf8);
        if blanks.len() > last { blanks.len() - last } else { last }
    }
}

static CL100K: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*")
});

static O200K: LazyLock<Pattern> = LazyLock::new(|| {
    let suffix = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
    let (upper, lower) = (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]");
    let prefix = r"[^\r\n\p{L}\p{N}]?";
    Pattern::new(&format!(
        r"{prefix}{upper}*{lower}+{suffix}|{prefix}{upper}+{lower}*{suffix}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*"
    ))
});

/// Compares pieces and counts of both encodings.
pub fn tokens(bytes: &[u8]) {
    let units = units_of(bytes);
    let text = String::from_utf16_lossy(&units);
    let encodings = [
        (Tokenizer::Cl100kBase, &*CL100K, Vocabulary::cl100k_base()),
        (Tokenizer::O200kBase, &*O200K, Vocabulary::o200k_base()),
    ];
    for (tokenizer, pattern, vocabulary) in encodings {
        let mut expected = Vec::new();
        let mut at = 0;
        while at < text.len() {
            at += pattern.first(&text[at..]);
            expected.push(at);
        }
        let next = |&start: &usize| {
            let is_left = start < text.len();
            is_left.then(|| piece_end(vocabulary.grammar, text.as_bytes(), start))
        };
        let pieces: Vec<usize> = std::iter::successors(Some(0), next).skip(1).collect();
        assert_eq!(pieces, expected, "{tokenizer:?} cuts {text:?}");
        // Textbook merging takes quadratic time.
        let mut start = 0;
        let is_short = |end: &usize| end - std::mem::replace(&mut start, *end) <= 400;
        if expected.iter().all(is_short) {
            let starts = std::iter::once(0).chain(expected.iter().copied());
            let merged = starts.zip(&expected).map(|(start, &end)| merge(vocabulary, &text.as_bytes()[start..end]));
            assert_eq!(
                tokenizer.count(buffer(&units).as_text()),
                merged.sum::<usize>(),
                "{tokenizer:?} counts {text:?}"
            );
        }
    }
}

/// Number of tokens of a piece: joins the pair of the lowest rank, the first of them, as long as there is one.
fn merge(vocabulary: &Vocabulary, piece: &[u8]) -> usize {
    if vocabulary.contains(piece, 0, piece.len()) {
        return 1;
    }
    let mut bounds: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let rank = |at: usize| vocabulary.rank(piece, bounds[at - 1], bounds[at + 1]);
        let best = (1..bounds.len() - 1).min_by_key(|&at| rank(at)).filter(|&at| rank(at) != u32::MAX);
        match best {
            Some(at) => bounds.remove(at),
            None => return bounds.len() - 1,
        };
    }
}
