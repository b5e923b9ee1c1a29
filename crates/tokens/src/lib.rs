//! Token counts of texts: an estimate, or exact by the encodings of OpenAI's models.
//!
//! Exact counts equal those of `encode_ordinary` of OpenAI's tiktoken: special tokens such as `<|endoftext|>` count as the
//! characters they are written with. A text is split into pieces, and a table has the counts of most pieces.
//!
//! The first count lays its vocabulary out, once in a process. Counting is linear in the length of any text. [`measure`] adds up the
//! tokens of a request.

#[cfg(not(target_family = "wasm"))]
mod built_in;
mod classes;
mod counter;
#[cfg(target_family = "wasm")]
mod displacements;
#[cfg(target_family = "wasm")]
mod given;
mod grammar;
mod key;
pub mod measure;
mod merge;
mod tables;
mod tokenizer;
mod vocabulary;

pub use counter::Counter;
#[doc(hidden)]
pub use grammar::piece_end;
pub use tokenizer::{Tokenizer, estimate};
#[doc(hidden)]
pub use vocabulary::Vocabulary;

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    fn text_of(units: &[u16]) -> TextBuf {
        let mut text = TextBuf::new();
        text.push_units(units);
        text
    }

    #[test]
    fn a_lone_surrogate_counts_as_the_replacement_character() {
        for tokenizer in [Tokenizer::O200kBase, Tokenizer::Cl100kBase] {
            for (lone, replaced) in
                [([0x61, 0xD83D, 0x62], [0x61, 0xFFFD, 0x62]), ([0xDE00, 0xDE00, 0x20], [0xFFFD, 0xFFFD, 0x20])]
            {
                assert_eq!(tokenizer.count(text_of(&lone).as_text()), tokenizer.count(text_of(&replaced).as_text()));
            }
        }
    }

    #[test]
    fn the_estimate_is_a_token_for_every_three_and_a_half_units() {
        for (length, tokens) in [(0, 0), (1, 1), (3, 1), (4, 2), (7, 2), (8, 3), (3500, 1000), (3501, 1001)] {
            assert_eq!(Tokenizer::Estimate.count(text_of(&vec![0x4E2D; length]).as_text()), tokens);
        }
    }

    #[test]
    fn a_counter_that_has_seen_other_texts_counts_the_same() {
        let texts = [
            "Hello, world!",
            "灯台守は夕暮れ前にランタンを直した。",
            "",
            "readToken readToken",
            "x\n\n  y",
            "<|endoftext|>",
        ];
        for tokenizer in [Tokenizer::O200kBase, Tokenizer::Cl100kBase] {
            let mut counter = Counter::new(tokenizer);
            for text in texts.iter().cycle().take(30).map(|text| TextBuf::from(*text)) {
                assert_eq!(counter.count(text.as_text()), tokenizer.count(text.as_text()));
            }
        }
    }

    #[test]
    fn tokens_up_to_a_place_are_those_of_the_text_before_it() {
        let words = ["one", " Größe", " two", " 😀", " three", " 東京", " \u{301}x", " four", &" five".repeat(40)];
        let text: Vec<u16> = words.concat().encode_utf16().collect();
        let text = text_of(&text);
        let mut ends: Vec<usize> = vec![0];
        ends.extend(words.iter().scan(0, |end, word| {
            *end += word.encode_utf16().count();
            Some(*end)
        }));
        for tokenizer in [Tokenizer::O200kBase, Tokenizer::Cl100kBase] {
            let up_to = |ends: &[usize]| {
                let mut counts = Vec::new();
                Counter::new(tokenizer).count_up_to(text.as_text(), ends, &mut counts);
                counts
            };
            let expected: Vec<f64> =
                ends.iter().map(|&end| tokenizer.count(text.as_text().prefix(end)) as f64).collect();
            assert_eq!(up_to(&ends), expected);
            let pair = ends[3] + 1;
            assert_eq!(up_to(&[pair + 1]), up_to(&[pair + 2]), "a place in a pair is after it");
        }
    }
}
