//! A long line as sentences, by the rules of Unicode (UAX #29), and long sentences as clauses.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::policy::policy;
use palimpsest_text::Text;
use palimpsest_text::tables::word_class;
use palimpsest_text::unit_rules::word::DENSE;

/// Units of a text that are looked at together.
const STRETCH: usize = 16;
/// Maximum number of blanks, quotes and brackets that are read after a full stop.
const TAIL: usize = 8;

/// The length of a text in UTF-16 code units, in which letters count for as many as English takes to say the same: three for an ideograph,
/// two for kana, Hangul, Thai and their like, one and a third for Arabic and Hebrew, which write few vowels.
pub(super) fn extent(text: Text<'_>) -> usize {
    let more = |&unit: &u16| match unit {
        0x3400..=0x9FFF | 0xF900..=0xFAFF => 6,
        0xAC00..=0xD7A3 => 3,
        0x0590..=0x08FF => 1,
        _ if word_class(unit) == DENSE => 3,
        _ => 0,
    };
    let Some(units) = text.units() else { return text.len() };
    // Most stretches are ASCII, even in a text that is not: an arrow stands in each line of a file.
    let stretches = text.bytes().chunks(STRETCH).zip(units.chunks(STRETCH)).filter(|(bytes, _)| !bytes.is_ascii());
    text.len() + stretches.flat_map(|(_, units)| units).map(more).sum::<usize>() / 3
}

/// Whether the [`extent`] of a text is at most `most`.
pub(super) fn extends_within(text: Text<'_>, most: usize) -> bool {
    // No unit counts for more than three.
    3 * text.len() <= most || text.len() <= most && extent(text) <= most
}

/// Splits `line` into parts without leaving anything out. In a JSON string, where a cut inside an escape would break it, `may_break` is
/// false: then parts end at blanks or punctuation only.
pub(super) fn split_line(line: Text<'_>, may_break: bool) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    // As many units say what a clause of English says.
    let clause = policy().spans.clause * line.len() / extent(line).max(1);
    let short = policy().spans.short_sentence;
    for end in sentence_ends(line) {
        if end < line.len() && end - start < short && extent(line.slice(start..end)) < short {
            continue;
        }
        split_sentence(line, start..end, clause, may_break, &mut parts);
        start = end;
    }
    parts
}

fn sentence_ends(line: Text<'_>) -> Vec<usize> {
    match line.units() {
        None => ascii_ends(line.bytes()),
        // A lone surrogate becomes U+FFFD, which is one unit too.
        Some(units) => unicode_ends(&String::from_utf16_lossy(units)),
    }
}

/// The same for ASCII, where a sentence ends after a line end, or after `.`, `!` or `?` with the quotes, brackets and blanks that follow.
fn ascii_ends(text: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    let is_stop = |byte: &u8| matches!(byte, b'.' | b'!' | b'?' | b'\n' | b'\r');
    while let Some(found) = text[at..].iter().position(is_stop) {
        let stop = at + found;
        at = stop + 1;
        match (text[stop], text.get(at)) {
            (b'\r', Some(b'\n')) => {}
            (b'\r' | b'\n', _) => ends.push(at),
            // `1.5`, `U.S.`
            (b'.', Some(b'0'..=b'9')) => {}
            (b'.', Some(b'A'..=b'Z')) if stop > 0 && text[stop - 1].is_ascii_alphabetic() => {}
            (stop, _) => {
                let run =
                    |from: usize, is: fn(&u8) -> bool| from + text[from..].iter().take_while(|byte| is(byte)).count();
                at = run(at, |byte| matches!(byte, b'"' | b'\'' | b'(' | b')' | b'[' | b']' | b'{' | b'}'));
                at = run(at, |byte| matches!(byte, b' ' | b'\t' | b'\x0B' | b'\x0C'));
                let goes_on = match text.get(at) {
                    None | Some(b',' | b'-' | b':' | b';') => true,
                    Some(byte) if is_stop(byte) => true,
                    // After a full stop, a sentence begins with a capital.
                    _ if stop == b'.' => {
                        let next = text[at..].iter().find(|byte| byte.is_ascii_alphabetic() || is_stop(byte));
                        next.is_some_and(u8::is_ascii_lowercase)
                    }
                    _ => false,
                };
                if !goes_on {
                    ends.push(at);
                }
            }
        }
    }
    if !text.is_empty() && ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    ends
}

fn unicode_ends(text: &str) -> Vec<usize> {
    let (text, gaps) = shorten_tails(text);
    let mut gaps = gaps.into_iter().peekable();
    let (mut at, mut end) = (0, 0);
    let ends = text.split_sentence_bounds().map(|sentence| {
        at += sentence.len();
        end += sentence.encode_utf16().count();
        while let Some(gap) = gaps.next_if(|gap| gap.at <= at) {
            end += gap.units;
        }
        end
    });
    ends.collect()
}

/// A stretch that was taken out of a text.
struct ShortTail {
    /// Its position, in bytes of the text without it.
    at: usize,
    /// Its length in UTF-16 code units.
    units: usize,
}

/// Shortens the blanks, quotes and brackets after each full stop. After each of them the rules ask whether the next letter is lowercase,
/// and [`UnicodeSegmentation`] looks ahead each time, which takes quadratic time.
fn shorten_tails(text: &str) -> (Cow<'_, str>, Vec<ShortTail>) {
    let mut short = String::new();
    let mut gaps = Vec::new();
    let mut copied = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((_, letter)) = letters.next() {
        if !matches!(letter, '.' | '\u{2024}' | '\u{FE52}' | '\u{FF0E}') {
            continue;
        }
        let (mut length, mut units, mut end) = (0, 0, 0);
        let mut is_blank = false;
        while let Some((at, letter)) = letters.next_if(|&(_, letter)| is_tail(letter, is_blank)) {
            is_blank |= letter.is_whitespace();
            length += 1;
            if length > TAIL {
                if units == 0 {
                    short.push_str(&text[copied..at]);
                }
                units += letter.len_utf16();
                end = at + letter.len_utf8();
            }
        }
        if units > 0 {
            gaps.push(ShortTail { at: short.len(), units });
            copied = end;
        }
    }
    if gaps.is_empty() {
        return (Cow::Borrowed(text), gaps);
    }
    short.push_str(&text[copied..]);
    (Cow::Owned(short), gaps)
}

/// Whether `letter` still belongs to the full stop before it, after blanks or not.
fn is_tail(letter: char, after_blank: bool) -> bool {
    match letter {
        ' ' | '\t' | '\x0B' | '\x0C' => true,
        '"' | '\'' | '(' | ')' | '[' | ']' | '{' | '}' => !after_blank,
        '\0'..='\x7F' => false,
        _ => {
            // The crate tells no classes. A line end and a full stop end a sentence by themselves.
            let ends_first = |stop: &str| {
                let text = format!("{stop}{letter}A");
                text.split_sentence_bounds().next().is_some_and(|first| first.len() + 1 == text.len())
            };
            !ends_first("1") && ends_first(if after_blank { "1. " } else { "1." })
        }
    }
}

fn split_sentence(
    line: Text<'_>,
    sentence: Range<usize>,
    clause: usize,
    may_break: bool,
    parts: &mut Vec<Range<usize>>,
) {
    let mut start = sentence.start;
    while sentence.end - start > 2 * clause {
        let window = start + clause / 2..start + 2 * clause;
        let ends = |is_end: fn(Text<'_>, usize) -> bool| {
            // The end nearest to the wanted length, the earlier one of two.
            window.clone().filter(|&at| is_end(line, at)).min_by_key(|&at| at.abs_diff(start + clause))
        };
        let end = match ends(ends_clause).or_else(|| ends(ends_word)) {
            Some(end) => end,
            None if may_break => {
                character_end(line.slice(start..window.end), clause).map_or(start + clause, |end| start + end)
            }
            // The next blank, however far it is.
            None => match memchr::memchr(b' ', &line.bytes()[window.end..sentence.end]) {
                Some(blank) => window.end + blank + 1,
                None => break,
            },
        };
        parts.push(start..end);
        start = end;
    }
    if start < sentence.end {
        parts.push(start..sentence.end);
    }
}

/// End of the first character of `text` that reaches `clause` units: a surrogate pair, or a letter with its marks, is not cut. `None` where it is
/// longer than `text`.
fn character_end(text: Text<'_>, clause: usize) -> Option<usize> {
    let characters = String::from_utf16_lossy(text.units()?);
    let mut end = 0;
    let mut ends = characters.graphemes(true).map(|character| {
        end += character.encode_utf16().count();
        end
    });
    ends.find(|&end| (clause..text.len()).contains(&end))
}

/// Whether a clause ends before `at`.
fn ends_clause(line: Text<'_>, at: usize) -> bool {
    let bytes = line.bytes();
    let is_blank = bytes[at - 1] == b' ';
    let is_mark =
        is_blank && matches!(bytes.get(at.wrapping_sub(2)), Some(b',' | b';' | b':' | b')' | b']' | b'}' | b'|'));
    // The comma, the enumeration comma and the semicolon of Chinese and Japanese; those of Arabic, before a blank.
    is_mark
        || line.units().is_some_and(|units| {
            matches!(units[at - 1], 0xFF0C | 0x3001 | 0xFF1B | 0x3002)
                || is_blank && at > 1 && matches!(units[at - 2], 0x060C | 0x061B)
        })
}

/// Whether a word ends before `at`.
fn ends_word(line: Text<'_>, at: usize) -> bool {
    line.bytes()[at - 1] == b' '
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;
    use palimpsest_text::random::below;

    fn parts(text: &str, may_break: bool) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let text = TextBuf::from(text);
        let parts = split_line(text.as_text(), may_break);
        parts.into_iter().map(|part| String::from_utf16(&units[part]).expect("whole characters")).collect()
    }

    #[test]
    fn sentences_in_ascii_end_where_unicode_says() {
        let units = [".", "!", "\n", "\r", " ", "\"", "(", ",", "a", "B", "1", "/"];
        for choice in 0..units.len().pow(5) {
            let text: String = (0..5).map(|place| units[choice / units.len().pow(place) % units.len()]).collect();
            assert_eq!(ascii_ends(text.as_bytes()), unicode_ends(&text), "{text:?}");
        }
        for letter in '\0'..='\x7F' {
            for around in [
                "a.{}B",
                "a. {}B",
                "a. {} b",
                "a.) {}",
                "a{} B",
                "a!{}b",
                "a! {}b",
                "a! {} B",
                "a\n{}\n{}b",
                "{}",
                "x{}. B",
                "a. {}.b",
            ] {
                let text = around.replace("{}", &letter.to_string());
                assert_eq!(ascii_ends(text.as_bytes()), unicode_ends(&text), "{text:?}");
            }
        }
        assert_eq!(ascii_ends(b""), unicode_ends(""));
    }

    #[test]
    fn sentences_end_by_the_rules_of_unicode() {
        let english = "The table of all readings has 3.5 million rows now. It was created by hand in spring, as far as anybody knows.";
        let [first, second] = &parts(english, true)[..] else { panic!("two sentences") };
        assert_eq!(
            (&first[..], first.len() + second.len()),
            ("The table of all readings has 3.5 million rows now. ", english.len())
        );
        let chinese = "灯台守在黄昏之前修好了灯笼，然后沿着海岸走回村子里去了，路上遇到了三个渔夫和他们的孩子们。第二天早上他又回到了灯塔，发现门开着，桌上放着一封没有署名的信。";
        let parts = parts(chinese, true);
        assert_eq!((parts.len(), parts.concat()), (2, chinese.to_string()));
    }

    #[test]
    fn letters_count_for_what_english_takes() {
        let mut below = below();
        let letters: Vec<char> = "ab 京かกب→é".chars().collect();
        for round in 0..2_000 {
            // Runs, so that some stretches are ASCII.
            let runs = (0..below(6)).map(|_| letters[below(letters.len())].to_string().repeat(below(40)));
            let text: String = runs.collect();
            let thirds: usize = text
                .chars()
                .map(|letter| match letter {
                    '京' => 9,
                    'か' | 'ก' => 6,
                    'ب' => 4,
                    _ => 3,
                })
                .sum();
            let (text, most) = (TextBuf::from(&text[..]), round % 400);
            assert_eq!(extent(text.as_text()), thirds / 3);
            assert_eq!(extends_within(text.as_text(), most), thirds / 3 <= most);
        }
    }

    #[test]
    fn nothing_is_lost_and_no_part_is_long() {
        for text in
            ["word ".repeat(500), "x".repeat(5000), "😀".repeat(2000), "a, b; c) ".repeat(300), "\u{301}".repeat(2000)]
        {
            let parts = parts(&text, true);
            assert_eq!(parts.concat(), text);
            assert!(parts.iter().all(|part| part.encode_utf16().count() <= 2 * policy().spans.clause));
        }
        assert_eq!(parts(&"\\u00e9".repeat(500), false).len(), 1, "an escape is not cut");
    }

    #[test]
    fn what_stands_after_a_full_stop_is_read_once() {
        let ends = |text: &str| sentence_ends(TextBuf::from(text).as_text());
        // Each class that stays with a full stop, at either side of blanks.
        for tail in [
            " ",
            "\t",
            "\"",
            "(",
            ")",
            "]",
            "{",
            "\u{a0}",
            "\u{3000}",
            "”",
            "「",
            "\u{301}",
            "\u{ad}",
            "\") ",
            "”\u{301}\u{a0}",
        ] {
            let long = tail.repeat(200);
            for (before, after) in [
                ("Look.", "."),
                ("Look.", "And so."),
                ("Look.", "and so."),
                ("Look.", ", 1 2 3"),
                ("Look. ", "(And so.)"),
                ("看.", "看"),
            ] {
                let text = format!("{before}{long}{after}");
                let (short, gaps) = shorten_tails(&text);
                let taken: usize = gaps.iter().map(|gap| gap.units).sum();
                assert_eq!(short.encode_utf16().count() + taken, text.encode_utf16().count());
                // A sentence ends between blanks and a quote, so there is no tail to shorten.
                let is_mixed = tail.contains(['”', ')']) && tail.contains(char::is_whitespace) || before.ends_with(' ');
                assert!(is_mixed || short.len() < 100, "{before}{tail}…{after}");
                let same: Vec<usize> = TextBuf::from(&text[..]).as_text().units().map_or_else(
                    || text.split_sentence_bounds().map(str::len).collect(),
                    |_| text.split_sentence_bounds().map(|sentence| sentence.encode_utf16().count()).collect(),
                );
                let mut end = 0;
                let same: Vec<usize> = same
                    .into_iter()
                    .map(|length| {
                        end += length;
                        end
                    })
                    .collect();
                assert_eq!(ends(&text), same, "{before}{tail}…{after}");
            }
        }
        for text in ["", ".", "One. Two. Three", "One.         Two.)))))))))))) Three", "One.             (Two) then."]
        {
            let mut end = 0;
            let same: Vec<usize> = text
                .split_sentence_bounds()
                .map(|sentence| {
                    end += sentence.len();
                    end
                })
                .collect();
            assert_eq!(ends(text), same, "{text}");
        }
    }

    #[test]
    fn a_letter_keeps_its_marks() {
        for letter in ["e\u{301}", "ที่", "👨‍👩‍👧", "🇩🇪"] {
            let parts = parts(&letter.repeat(700), true);
            assert!(parts.len() > 3 && parts.iter().all(|part| part.len() % letter.len() == 0), "{letter}");
        }
    }
}
