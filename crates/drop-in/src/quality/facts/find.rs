//! Detection of specific facts in a text.

use super::tokens::{LONGEST, Token, Tokens};
use crate::summarize::entities::{Entity, EntityScanner};
use palimpsest_text::class::{DIGIT, LETTER, LOWER, SENTENCE_END, SPACE, UPPER, is};
use palimpsest_text::lines::lf_lines;
use palimpsest_text::masks::Scanned;
use palimpsest_text::{LEFT_QUOTE, RIGHT_QUOTE};

const MONTHS: &[&[u8]] = &[
    b"January",
    b"February",
    b"March",
    b"April",
    b"May",
    b"June",
    b"July",
    b"August",
    b"September",
    b"October",
    b"November",
    b"December",
    b"Jan",
    b"Feb",
    b"Mar",
    b"Apr",
    b"Jun",
    b"Jul",
    b"Aug",
    b"Sep",
    b"Sept",
    b"Oct",
    b"Nov",
    b"Dec",
];
/// Words that are not a suffix of the number before them.
const NO_SUFFIXES: &[&[u8]] = &[
    b"a", b"and", b"are", b"as", b"at", b"but", b"by", b"for", b"from", b"in", b"is", b"it", b"of", b"on", b"or",
    b"so", b"than", b"that", b"the", b"then", b"to", b"was", b"were", b"when", b"which", b"will", b"with",
];
/// Maximum length of a quotation, in UTF-16 code units.
const LONGEST_QUOTE: usize = 100;

/// Finds facts, as the first token and the number of tokens of each. The same fact may be found twice.
pub(super) struct Finder<'a> {
    text: Scanned<'a>,
    tokens: &'a Tokens,
    found: Vec<(usize, usize)>,
}

impl<'a> Finder<'a> {
    /// Returns the facts of `text`, whose tokens are `tokens`. A longer fact is represented by its first [`LONGEST`]
    /// tokens.
    pub(super) fn facts(text: Scanned<'a>, tokens: &'a Tokens, scanner: &mut EntityScanner) -> Vec<(usize, usize)> {
        let mut finder = Finder { text, tokens, found: Vec::new() };
        finder.add_names(scanner);
        (0..tokens.all.len()).for_each(|index| finder.add_token(index));
        finder.drop_parts();
        finder.add_quotations();
        finder.add_commands();
        finder.found
    }

    /// Drops facts that are part of another one, such as the name of a file in a path.
    fn drop_parts(&mut self) {
        self.found.sort_unstable_by_key(|&(first, count)| (first, usize::MAX - count));
        let mut end = 0;
        self.found.retain(|&(first, count)| {
            let is_new = first + count > end;
            end = end.max(first + count);
            is_new
        });
    }

    fn add_range(&mut self, start: usize, end: usize) {
        let (first, count) = self.tokens.within(start, end);
        if count > 0 {
            self.found.push((first, count.min(LONGEST)));
        }
    }

    /// Adds names, identifiers, paths, URLs and versions.
    fn add_names(&mut self, scanner: &mut EntityScanner) {
        let [phrases, pascal, camel, snake, _, _, paths, urls, versions] = scanner.read(self.text, None);
        let bytes = self.text.bytes;
        for Entity { start, end, .. } in phrases {
            let (start, end) = (*start as usize, *end as usize);
            // A single capitalised word at the start of a sentence is not a name.
            if bytes[start..end].iter().any(|&byte| is(byte, SPACE)) || !self.starts_sentence(start) {
                self.add_range(start, end);
            }
        }
        for Entity { start, end, .. } in [pascal, camel, snake, paths, versions].into_iter().flatten() {
            self.add_range(*start as usize, *end as usize);
        }
        for Entity { start, end, .. } in urls {
            let (start, end) = (*start as usize, *end as usize);
            let is_part = |byte: &u8| is(*byte, LETTER | DIGIT) || matches!(byte, b'/' | b'-' | b'_') || *byte >= 0x80;
            let length = bytes[start..end].iter().rposition(is_part).map_or(0, |at| at + 1);
            self.add_range(start, start + length);
        }
    }

    fn starts_sentence(&self, start: usize) -> bool {
        let before = self.text.bytes[..start].iter().rev();
        let mut blanks = before.clone().take_while(|&&byte| is(byte, SPACE));
        let has_line_end = blanks.any(|&byte| byte == b'\n');
        let last = before.clone().find(|&&byte| !is(byte, SPACE));
        has_line_end
            || last.is_none_or(|&byte| {
                is(byte, SENTENCE_END) || !is(byte, LETTER | DIGIT) && !matches!(byte, b',' | b'(' | b'-')
            })
    }

    /// Adds texts in double quotes or backticks on one line.
    fn add_quotations(&mut self) {
        for (start, end) in lf_lines(self.text.bytes) {
            let mut open: Option<(usize, u8)> = None;
            for at in start..end {
                let byte = self.text.bytes[at];
                match open {
                    Some((from, closing)) if byte == closing => {
                        open = None;
                        if at - from <= LONGEST_QUOTE
                            && self.text.bytes[from..at].iter().any(|&byte| is(byte, LETTER | DIGIT))
                        {
                            self.add_range(from, at);
                        }
                    }
                    None if matches!(byte, b'"' | b'`') => open = Some((at + 1, byte)),
                    None if byte == LEFT_QUOTE => open = Some((at + 1, RIGHT_QUOTE)),
                    _ => {}
                }
            }
        }
    }

    /// Adds commands after a shell prompt.
    fn add_commands(&mut self) {
        for (start, end) in lf_lines(self.text.bytes) {
            let (start, end) = palimpsest_text::class::trim(self.text.bytes, start, end);
            if self.text.bytes[start..end].starts_with(b"$ ") {
                self.add_range(start + 2, end);
            }
        }
    }

    fn token(&self, index: usize) -> Option<Token> {
        self.tokens.all.get(index).copied()
    }

    fn bytes(&self, index: usize) -> &'a [u8] {
        self.token(index).map_or(&[], |Token { start, end, .. }| &self.text.bytes[start..end])
    }

    /// Returns whether the token at `index` directly follows the one before it.
    fn is_joined(&self, index: usize) -> bool {
        self.token(index).is_some_and(|token| !token.is_apart)
    }

    fn is_number(&self, index: usize) -> bool {
        let bytes = self.bytes(index);
        !bytes.is_empty() && bytes.iter().all(|&byte| is(byte, DIGIT))
    }

    /// Adds the identifier, number with its suffix, date or amount that starts at a token, if any.
    fn add_token(&mut self, index: usize) {
        let word = self.bytes(index);
        if self.is_number(index) {
            // Digits in the middle of a number do not start another one.
            let is_inside =
                index >= 2 && self.is_joined(index) && self.is_joined(index - 1) && self.is_number(index - 2);
            if !is_inside {
                self.add_number(index);
            }
        } else if is_identifier(word) {
            self.found.push((index, 1));
        } else if word.len() >= 2 && word.iter().all(|&byte| is(byte, UPPER)) {
            // ABC-123
            let is_ticket = self.bytes(index + 1) == b"-"
                && self.is_joined(index + 1)
                && self.is_number(index + 2)
                && self.is_joined(index + 2);
            if is_ticket {
                self.found.push((index, 3));
            }
        } else if MONTHS.contains(&word) && self.is_number(index + 1) && self.bytes(index + 1).len() <= 2 {
            self.found.push((index, 2));
        } else if word == b"@" && self.is_joined(index) && self.is_joined(index + 1) {
            self.add_address(index);
        }
    }

    fn add_number(&mut self, index: usize) {
        let mut end = index + 1;
        let mut is_compound = false;
        while matches!(self.bytes(end), b"." | b"," | b":" | b"-" | b"/")
            && self.is_joined(end)
            && self.is_joined(end + 1)
            && self.is_number(end + 1)
            && end + 2 - index < LONGEST
        {
            is_compound = true;
            end += 2;
        }
        let is_amount = index > 0 && self.bytes(index - 1) == b"$" && self.is_joined(index);
        let start = index - usize::from(is_amount);
        let suffix = self.bytes(end);
        let is_percent = suffix == b"%" && self.is_joined(end);
        let is_in_line = |token: Token| !self.text.bytes[self.tokens.all[end - 1].end..token.start].contains(&b'\n');
        let is_suffix = self.token(end).is_some_and(|token| token.is_word && token.is_apart && is_in_line(token))
            && suffix.iter().all(|&byte| is(byte, LETTER) || byte >= 0x80)
            && !NO_SUFFIXES.contains(&suffix);
        if is_percent || is_suffix && !is_amount {
            let has_year = MONTHS.contains(&suffix) && self.is_number(end + 1) && self.bytes(end + 1).len() == 4;
            self.found.push((start, end + 1 + usize::from(has_year) - start));
        } else if is_amount || is_compound || self.bytes(index).len() >= 3 {
            self.found.push((start, end - start));
        }
    }

    /// Adds the address, such as `name@host.org`, around the sign at `at`.
    fn add_address(&mut self, at: usize) {
        let in_name = |index: usize| {
            self.token(index).is_some_and(|token| token.is_word || matches!(self.bytes(index), b"." | b"-" | b"+"))
        };
        let mut start = at;
        while start > 0 && self.is_joined(start) && in_name(start - 1) && at - start < LONGEST / 2 {
            start -= 1;
        }
        let mut end = at + 1;
        while self.is_joined(end) && in_name(end) && end - at < LONGEST / 2 {
            end += 1;
        }
        // A dot at the end belongs to the sentence.
        while end > at + 1 && !self.tokens.all[end - 1].is_word {
            end -= 1;
        }
        if start < at && end > at + 1 {
            self.found.push((start, end - start));
        }
    }
}

/// Returns whether a word is a name of code: letters with digits, with an underscore, or with a capital after a
/// lowercase letter.
fn is_identifier(word: &[u8]) -> bool {
    let has = |class: u16| word.iter().any(|&byte| is(byte, class));
    has(LETTER)
        && (has(DIGIT) || word.contains(&b'_') || word.windows(2).any(|pair| is(pair[0], LOWER) && is(pair[1], UPPER)))
}
