//! Soft reasons: addresses, numbers, paths and quotations.

use memchr::{memchr_iter, memmem};

use super::{Reason, Reasons};
use crate::text::class::{DIGIT, HEX, LETTER, SPACE, WORD, is, is_at, is_boundary, long_runs, run_end};
use crate::text::words::words;
use crate::text::{DEGREE, LEFT_QUOTE, MICRO, RIGHT_QUOTE};

/// Adds the soft reasons that hold for `text`, but for the one of words.
pub fn soft_reasons(text: &[u8], reasons: &mut Reasons) {
    for (holds, reason) in [
        (has_url(text), Reason::Url),
        (has_email(text), Reason::Email),
        (has_file_path(text), Reason::FilePath),
        (long_runs(text, HEX, 40).next().is_some(), Reason::HashOrSha),
        (has_quoted_key(text), Reason::QuotedKey),
        (has_direct_quote(text), Reason::DirectQuote),
    ] {
        if holds {
            reasons.insert(reason);
        }
    }
    for word in words(text) {
        for (holds, reason) in [
            (is_phone(text, word.start), Reason::Phone),
            (is_version(text, word.start), Reason::VersionNumber),
            (is_dotted_number(text, word.start), Reason::IpOrSemver),
            (is_quantity(text, word.start), Reason::NumericWithUnits),
        ] {
            if holds {
                reasons.insert(reason);
            }
        }
    }
}

fn has_url(text: &[u8]) -> bool {
    [b"http://".as_slice(), b"https://"].iter().any(|scheme| {
        memmem::find_iter(text, scheme).any(|at| text.get(at + scheme.len()).is_some_and(|&byte| !is(byte, SPACE)))
    })
}

/// The end of the run of word characters and `extra` ones that starts at `from`.
fn name_end(text: &[u8], from: usize, extra: &[u8]) -> usize {
    let mut at = from;
    while at < text.len() && (is(text[at], WORD) || extra.contains(&text[at])) {
        at += 1;
    }
    at
}

fn has_email(text: &[u8]) -> bool {
    memchr_iter(b'@', text).any(|at| {
        let host_end = name_end(text, at + 1, b"-");
        at > 0
            && (is(text[at - 1], WORD) || b".+-".contains(&text[at - 1]))
            && host_end > at + 1
            && text.get(host_end) == Some(&b'.')
            && is_at(text, host_end + 1, LETTER)
            && is_at(text, host_end + 2, LETTER)
    })
}

/// Two adjacent segments such as `/usr/lib`.
fn has_file_path(text: &[u8]) -> bool {
    memchr_iter(b'/', text).any(|at| {
        let end = name_end(text, at + 1, b".-");
        end > at + 1 && text.get(end) == Some(&b'/') && name_end(text, end + 1, b".-") > end + 1
    })
}

/// Two successive quotes with three units between them, and a comma or colon behind.
fn has_quoted_key(text: &[u8]) -> bool {
    let mut previous = None;
    memchr_iter(b'"', text).any(|at| {
        let is_long = previous.replace(at).is_some_and(|before| at - before > 3);
        is_long && matches!(text.get(run_end(text, at + 1, SPACE)), Some(b',' | b':'))
    })
}

/// Ten units in quotes: between straight ones, or between any with no curly one inside.
fn has_direct_quote(text: &[u8]) -> bool {
    let mut previous = None;
    if memchr_iter(b'"', text).any(|at| previous.replace(at).is_some_and(|before| at - before > 10)) {
        return true;
    }
    let is_curly = |byte: u8| matches!(byte, LEFT_QUOTE | RIGHT_QUOTE);
    // The earliest opening and the latest closing quote since the last curly one.
    let (mut opening, mut closing) = (None, None);
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'"' {
            opening = opening.or(Some(at));
            closing = Some(at);
        }
        if is_curly(byte) || at + 1 == text.len() {
            if byte == RIGHT_QUOTE {
                closing = Some(at);
            }
            if opening.zip(closing).is_some_and(|(from, to)| to > from + 10) {
                return true;
            }
            (opening, closing) = ((byte == LEFT_QUOTE).then_some(at), None);
        }
    }
    false
}

/// Three, three and four digits, separated by nothing, a hyphen, a dot or a blank.
fn is_phone(text: &[u8], start: usize) -> bool {
    let mut at = start;
    for (group, digits) in [3, 3, 4].into_iter().enumerate() {
        if group > 0 && (is_at(text, at, SPACE) || matches!(text.get(at), Some(b'-' | b'.'))) {
            at += 1;
        }
        if !text.get(at..at + digits).is_some_and(|group| group.iter().all(u8::is_ascii_digit)) {
            return false;
        }
        at += digits;
    }
    is_boundary(text, at)
}

/// `v1.2` or `version 3`.
fn is_version(text: &[u8], start: usize) -> bool {
    let rest = &text[start..];
    if rest.len() > 7 && rest[..7].eq_ignore_ascii_case(b"version") && is(rest[7], SPACE) {
        let number = run_end(text, start + 7, SPACE);
        let end = run_end(text, number, DIGIT);
        return end > number && is_boundary(text, end);
    }
    matches!(rest.first(), Some(b'v' | b'V')) && is_dotted_number(text, start + 1)
}

/// `1.2`, bounded at its end.
fn is_dotted_number(text: &[u8], start: usize) -> bool {
    let dot = run_end(text, start, DIGIT);
    let end = run_end(text, (dot + 1).min(text.len()), DIGIT);
    dot > start && text.get(dot) == Some(&b'.') && end > dot + 1 && is_boundary(text, end)
}

/// `12.5 GB` and the like.
fn is_quantity(text: &[u8], start: usize) -> bool {
    const UNITS: &[&[u8]] = &[
        b"km",
        b"m",
        b"kg",
        b"s",
        &[DEGREE, b'c'],
        &[DEGREE, b'f'],
        b"hz",
        b"mhz",
        b"ghz",
        b"ms",
        &[MICRO, b's'],
        b"ns",
        b"mb",
        b"gb",
        b"tb",
    ];
    let mut at = run_end(text, start, DIGIT);
    if at == start {
        return false;
    }
    if text.get(at) == Some(&b'.') {
        at = run_end(text, at + 1, DIGIT);
    }
    let unit = run_end(text, at, SPACE);
    UNITS.iter().any(|expected| {
        let end = unit + expected.len();
        text.get(unit..end).is_some_and(|found| found.eq_ignore_ascii_case(expected)) && is_boundary(text, end)
    })
}
