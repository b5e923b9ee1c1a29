//! The share of specific facts that a result retains.
//!
//! A fact is a short sequence of words and signs in an original: a name, an identifier, a path, a URL, a version, a
//! command, a quotation, a number with its suffix, a date, an amount. It is kept if the same sequence occurs anywhere
//! in the result. Facts of few messages weigh more than facts of many.

mod find;
mod tokens;

use crate::summarize::entities::EntityScanner;
use find::Finder;
use palimpsest_text::Text;
use palimpsest_text::hashing::TextMap;
use palimpsest_text::masks::Scratch;
use tokens::{Key, Tokens};

/// The facts of originals, and whether they were found in the result.
#[derive(Debug, Default)]
pub struct Facts {
    numbers: TextMap<Key, u32>,
    facts: Vec<Fact>,
    /// For the key of each first word of a fact, the lengths of the facts that start with it, as bits.
    lengths: TextMap<Key, u64>,
    originals: u32,
    buffers: Buffers,
}

#[derive(Debug)]
struct Fact {
    /// Number of originals that contain it.
    originals: u32,
    /// The last of these.
    last: u32,
    is_kept: bool,
}

/// Buffers that are reused for each text.
#[derive(Debug, Default)]
struct Buffers {
    tokens: Tokens,
    scratch: Scratch,
    scanner: EntityScanner,
}

impl Facts {
    /// Adds the facts of an original.
    pub fn add_original(&mut self, text: Text<'_>) {
        if text.is_empty() {
            return;
        }
        self.originals += 1;
        let Buffers { tokens, scratch, scanner } = &mut self.buffers;
        tokens.read(text);
        for (first, count) in Finder::facts(scratch.scan(text.bytes()), tokens, scanner) {
            *self.lengths.entry(tokens.key(first, 1)).or_default() |= 1 << count;
            let number = *self.numbers.entry(tokens.key(first, count)).or_insert_with(|| {
                self.facts.push(Fact { originals: 0, last: 0, is_kept: false });
                self.facts.len() as u32 - 1
            });
            let fact = &mut self.facts[number as usize];
            if fact.last != self.originals {
                fact.last = self.originals;
                fact.originals += 1;
            }
        }
    }

    /// Looks for the facts in a text of the result. All originals must be added before.
    pub fn find_in(&mut self, text: Text<'_>) {
        let tokens = &mut self.buffers.tokens;
        tokens.read(text);
        for first in 0..tokens.all.len() {
            let Some(&lengths) = self.lengths.get(&tokens.key(first, 1)) else { continue };
            let mut left = lengths;
            while left != 0 {
                let count = left.trailing_zeros() as usize;
                left &= left - 1;
                if first + count > tokens.all.len() {
                    break;
                }
                if let Some(&number) = self.numbers.get(&tokens.key(first, count)) {
                    self.facts[number as usize].is_kept = true;
                }
            }
        }
    }

    /// Returns the weight of the facts that were found, divided by that of all facts: 0 to 1, and 1 if there are none.
    /// With N originals, a fact that occurs in n of them weighs ln(1 + N/n).
    pub fn retention(&self) -> f64 {
        let weight = |fact: &Fact| (1.0 + f64::from(self.originals) / f64::from(fact.originals)).ln();
        let (mut all, mut kept) = (0.0, 0.0);
        for fact in &self.facts {
            all += weight(fact);
            kept += if fact.is_kept { weight(fact) } else { 0.0 };
        }
        if all > 0.0 { kept / all } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    /// Asserts that `fact` is the only fact of `text`: lost in an empty result, and kept in one that contains it.
    fn only_fact(text: &str, fact: &str) {
        let mut facts = Facts::default();
        facts.add_original(TextBuf::from(text).as_text());
        assert_eq!(facts.facts.len(), 1, "{text}");
        assert_eq!(facts.retention(), 0.0);
        facts.find_in(TextBuf::from(format!("so ({fact}).").as_str()).as_text());
        assert_eq!(facts.retention(), 1.0, "{text}: {fact}");
    }

    #[test]
    fn kinds_of_facts() {
        for (text, fact) in [
            ("we asked Priya about it", "Priya"),
            ("The crew of Halden Storage came", "Halden Storage"),
            ("the value of userId is gone", "userId"),
            ("the value of MAX_SIZE is gone", "MAX_SIZE"),
            ("look into src/main.rs for it", "src/main.rs"),
            ("look at https://example.org/a?b=1, please", "https://example.org/a?b=1"),
            ("it took 250 ms today", "250 ms"),
            ("it is due on 3 March, they say", "3 March"),
            ("it is due on 2024-03-01, they say", "2024-03-01"),
            ("we start at 14:30 then", "14:30"),
            ("it costs $1,200.50 all in all", "$1,200.50"),
            ("it grew by 12% again", "12%"),
            ("it said \"no such lamp\" and stopped", "no such lamp"),
            ("run `make all` first", "make all"),
            ("do this:\n$ make check\nand wait", "make check"),
            ("see ABC-123 for more", "ABC-123"),
            ("write to ops@depot please", "ops@depot"),
            ("the port is 8080 as ever", "8080"),
            ("the port is 8080\nand so on", "8080"),
        ] {
            only_fact(text, fact);
        }
    }

    #[test]
    fn small_talk_contains_no_facts() {
        let mut facts = Facts::default();
        facts.add_original(
            TextBuf::from("Happy to help. Can we look at it again? We will see, 2 of them are fine.").as_text(),
        );
        assert!(facts.facts.is_empty());
        assert_eq!(facts.retention(), 1.0);
    }

    #[test]
    fn facts_with_swapped_letters_differ() {
        let mut facts = Facts::default();
        facts.add_original(TextBuf::from("run `make ad cbr` first").as_text());
        // As polynomials of polynomials, both would be equal over any base.
        facts.find_in(TextBuf::from("run `make ab cdr` first").as_text());
        assert_eq!(facts.retention(), 0.0);
        facts.find_in(TextBuf::from("run `make ad cbr` first").as_text());
        assert_eq!(facts.retention(), 1.0);
    }

    #[test]
    fn rare_facts_weigh_more() {
        let mut facts = Facts::default();
        for text in ["ask aB_1 and cD_2", "ask aB_1", "ask aB_1", "nothing here"] {
            facts.add_original(TextBuf::from(text).as_text());
        }
        facts.find_in(TextBuf::from("cD_2 stays").as_text());
        let (common, rare) = ((1.0f64 + 4.0 / 3.0).ln(), (1.0f64 + 4.0).ln());
        assert!((facts.retention() - rare / (rare + common)).abs() < 1e-12);
    }
}
