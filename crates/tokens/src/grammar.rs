//! Splitting a text into the pieces that are encoded separately.
//!
//! The two grammars are regular expressions with a look-ahead, `pat_str` in OpenAI's `tiktoken_ext/openai_public.py`,
//! implemented here by hand. Each branch below quotes the alternative that it implements, in order.

use super::classes::{END, LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER, class_at, class_of_ascii, run, run_without};
use palimpsest_text::swar::small_letters;

/// Regular expression that splits a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grammar {
    /// The one of cl100k_base.
    Cl100k,
    /// The one of o200k_base.
    O200k,
}

/// Returns the end of the piece of `text` that begins at `start`. `text` is UTF-8, and `start` a boundary before its
/// end.
#[inline(always)]
pub fn piece_end(grammar: Grammar, text: &[u8], start: usize) -> usize {
    if grammar == Grammar::O200k
        && let Some(end) = o200k_ascii_end(text, start)
    {
        return end;
    }
    any_piece_end(grammar, text, start)
}

/// The same for o200k, where ASCII alone decides it, as in most texts; none where it doesn't, or where a contraction follows.
#[inline(always)]
fn o200k_ascii_end(text: &[u8], start: usize) -> Option<usize> {
    let class = class_of_ascii(text, start)?;
    let is_prefix = class & (NEWLINE | LETTER | NUMBER) == 0;
    let next = if is_prefix { class_of_ascii(text, start + 1)? } else { class };
    if next & LETTER != 0 {
        return plain_word_end(text, start + usize::from(is_prefix)).filter(|&end| text.get(end) != Some(&b'\''));
    }
    if class & NUMBER != 0 {
        let mut end = start + 1;
        while end < start + 3 && class_of_ascii(text, end)? & NUMBER != 0 {
            end += 1;
        }
        return Some(end);
    }
    if class & SPACE == 0 || (text[start] == b' ' && next & (SPACE | NUMBER | END) == 0) {
        let mut end = start + 1;
        while class_of_ascii(text, end)? == 0 {
            end += 1;
        }
        end += text[end..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/')).count();
        return Some(end);
    }
    Some(blank_end(text, start))
}

#[inline(never)]
fn any_piece_end(grammar: Grammar, text: &[u8], start: usize) -> usize {
    let (class, length) = class_at(text, start);
    let word = match grammar {
        Grammar::Cl100k => cl100k_word(text, start, class, length),
        Grammar::O200k => o200k_word(text, start, class, length),
    };
    if let Some(end) = word {
        return end;
    }
    // \p{N}{1,3}
    if class & NUMBER != 0 {
        let mut end = start + length;
        for _ in 1..3 {
            let (class, length) = class_at(text, end);
            end += if class & NUMBER != 0 { length } else { 0 };
        }
        return end;
    }
    //  ?[^\s\p{L}\p{N}]+[\r\n]*, with a slash in the last class of o200k
    let from = if text[start] == b' ' { start + 1 } else { start };
    let mut end = run_without(text, from, SPACE | LETTER | NUMBER);
    if end > from {
        let is_tail = |byte: &u8| matches!(byte, b'\r' | b'\n') || (*byte == b'/' && grammar == Grammar::O200k);
        while text.get(end).is_some_and(is_tail) {
            end += 1;
        }
        return end;
    }
    blank_end(text, start)
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+`
fn blank_end(text: &[u8], start: usize) -> usize {
    let (mut end, mut last, mut after_newline) = (start, start, start);
    loop {
        let (class, length) = class_at(text, end);
        if class & SPACE == 0 {
            break;
        }
        last = end;
        end += length;
        if class & NEWLINE != 0 {
            after_newline = end;
        }
    }
    if after_newline > start {
        after_newline
    } else if end == text.len() || last == start {
        end
    } else {
        // The last blank belongs to the next piece.
        last
    }
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+`
fn cl100k_word(text: &[u8], start: usize, class: u8, length: usize) -> Option<usize> {
    if let Some(end) = contraction_end(text, start) {
        return Some(end);
    }
    let from = if class & (NEWLINE | LETTER | NUMBER) == 0 { start + length } else { start };
    let end = run(text, from, LETTER);
    (end > from).then_some(end)
}

/// ```text
///  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// ```
fn o200k_word(text: &[u8], start: usize, class: u8, length: usize) -> Option<usize> {
    let prefixed = (class & (NEWLINE | LETTER | NUMBER) == 0).then_some(start + length);
    let first = prefixed.unwrap_or(start);
    if let Some(end) = plain_word_end(text, first) {
        return Some(contraction_end(text, end).unwrap_or(end));
    }
    if text[start].is_ascii() && text.get(first).is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
        return None;
    }
    let bare = (class & (UPPER | LOWER) != 0).then_some(start);
    let lower = |from: usize| lowercase_end(text, from);
    let upper = |from: usize| Some(run(text, from, UPPER)).filter(|&end| end > from);
    let end = prefixed
        .and_then(lower)
        .or_else(|| bare.and_then(lower))
        .or_else(|| prefixed.and_then(upper))
        .or_else(|| bare.and_then(upper))?;
    Some(contraction_end(text, end).unwrap_or(end))
}

/// Returns the end of a word of ASCII: capitals and lowercase letters after them, of which either may be absent. In ASCII neither is
/// of the other's class, so nothing is given back.
#[inline(always)]
fn plain_word_end(text: &[u8], from: usize) -> Option<usize> {
    let mut end = from;
    while text.get(end).is_some_and(u8::is_ascii_uppercase) {
        end += 1;
    }
    while let Some(eight) = text[end..].first_chunk() {
        let count = small_letters(*eight);
        end += count;
        if count < 8 {
            return (end > from && eight[count].is_ascii()).then_some(end);
        }
    }
    end += text[end..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    (end > from && text.get(end).is_none_or(u8::is_ascii)).then_some(end)
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`
fn lowercase_end(text: &[u8], from: usize) -> Option<usize> {
    // If no lowercase letter follows the first class, backtracking gives back the characters of both classes.
    let (mut end, mut given_back) = (from, from);
    loop {
        let (class, length) = class_at(text, end);
        if class & UPPER == 0 {
            break;
        }
        end += length;
        if class & LOWER != 0 {
            given_back = end;
        }
    }
    let lower_end = run(text, end, LOWER);
    let found = if lower_end > end { lower_end } else { given_back };
    (found > from).then_some(found)
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
fn contraction_end(text: &[u8], start: usize) -> Option<usize> {
    if text.get(start) != Some(&b'\'') {
        return None;
    }
    let rest = &text[start + 1..];
    match rest.get(..2).unwrap_or(rest) {
        [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => Some(start + 2),
        [b'r' | b'R' | b'v' | b'V', b'e' | b'E'] | [b'l' | b'L', b'l' | b'L'] => Some(start + 3),
        // The long s, which equals an s regardless of case.
        [0xC5, 0xBF] => Some(start + 3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_way_in_ascii_cuts_what_the_grammar_cuts() {
        let units = ["a", "s", "Z", "7", " ", "\t", "\n", "\r", "(", "/", "'", "é", "É", "٣", "\u{A0}", "…"];
        let mut cut = 0;
        for choice in 0..units.len().pow(5) {
            let text: String = (0..5).map(|place| units[choice / units.len().pow(place) % units.len()]).collect();
            if let Some(end) = o200k_ascii_end(text.as_bytes(), 0) {
                assert_eq!(end, any_piece_end(Grammar::O200k, text.as_bytes(), 0), "{text:?}");
                cut += 1;
            }
        }
        assert!(cut > units.len().pow(4), "{cut}");
    }
}
