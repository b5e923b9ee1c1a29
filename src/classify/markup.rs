//! Hard reasons that lie in marks: code, mathematics, JSON, YAML, tracebacks.

use memchr::{memchr, memchr_iter, memmem};

use super::{Reason, Reasons};
use crate::text::class::{DIGIT, LINE_END, SPACE, WORD, find, is, is_at, is_before, is_line_start, run_end, run_start};
use crate::text::{MATH, lines};

/// Adds the reasons of this file that hold for `text`.
pub fn hard_reasons(text: &[u8], reasons: &mut Reasons) {
    for (holds, reason) in [
        (has_code_fence(text), Reason::CodeFence),
        (has_indented_code(text), Reason::IndentedCode),
        (has_latex_math(text), Reason::LatexMath),
        (memchr(MATH, text).is_some(), Reason::UnicodeMath),
        (starts_as_json(text), Reason::JsonStructure),
        (has_yaml(text), Reason::YamlStructure),
        (has_traceback(text), Reason::ErrorTraceback),
    ] {
        if holds {
            reasons.insert(reason);
        }
    }
}

/// A fence whose opening line has nothing but a word behind the backticks. The leftmost such opening decides: whatever
/// closes a later one closes it as well.
fn has_code_fence(text: &[u8]) -> bool {
    let mut body = None;
    for ticks in memmem::find_iter(text, b"```") {
        match body {
            None => {
                let line_end = run_end(text, ticks + 3, WORD);
                if lines::fence_indent(text, ticks).is_some() && text.get(line_end) == Some(&b'\n') {
                    body = Some(line_end + 1);
                }
            }
            Some(from) => {
                let space = run_start(text, ticks, SPACE).max(from);
                if memchr(b'\n', &text[space..ticks]).is_some() {
                    return true;
                }
            }
        }
    }
    false
}

/// Two successive lines, ended by LF, that are both indented by four blanks or a tab and have something behind that.
fn has_indented_code(text: &[u8]) -> bool {
    let is_indented = |start: usize| {
        let rest = &text[start..];
        let indent = if rest.starts_with(b"    ") {
            4
        } else if rest.first() == Some(&b'\t') {
            1
        } else {
            return false;
        };
        rest.get(indent).is_some_and(|&byte| !is(byte, LINE_END))
    };
    let mut previous = false;
    let mut previous_end = 0;
    for (start, end) in lines::lines(text) {
        let here = is_indented(start);
        if here && previous && text[previous_end] == b'\n' {
            return true;
        }
        (previous, previous_end) = (here, end);
    }
    false
}

/// `$$…$$`, or two dollar signs with something between them that has neither a dollar sign nor an LF.
fn has_latex_math(text: &[u8]) -> bool {
    let mut previous: Option<usize> = None;
    let mut first_pair: Option<usize> = None;
    for at in memchr_iter(b'$', text) {
        if let Some(before) = previous {
            if at - before > 1 && memchr(b'\n', &text[before..at]).is_none() {
                return true;
            }
            if at - before == 1 {
                match first_pair {
                    None => first_pair = Some(before),
                    Some(pair) if before >= pair + 3 => return true,
                    Some(_) => {}
                }
            }
        }
        previous = Some(at);
    }
    false
}

fn starts_as_json(text: &[u8]) -> bool {
    let open = run_end(text, 0, SPACE);
    let inner = text.get(run_end(text, (open + 1).min(text.len()), SPACE)).copied();
    match text.get(open) {
        Some(b'{') => inner == Some(b'"'),
        Some(b'[') => inner.is_some_and(|byte| matches!(byte, b'[' | b'{' | b'"' | b'-') || is(byte, DIGIT)),
        _ => false,
    }
}

/// Position behind the colon of a `key:` that starts at `start`.
fn yaml_key(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while at < text.len() && (is(text[at], WORD) || text[at] == b'-') {
        at += 1;
    }
    (at > start && text.get(at) == Some(&b':')).then_some(at + 1)
}

/// Whether behind a colon come white space and then a unit that ends no line; that unit may be white space too.
fn has_yaml_value(text: &[u8], colon_end: usize) -> bool {
    let end = run_end(text, colon_end, SPACE);
    if end == colon_end {
        return false;
    }
    end < text.len() || text[colon_end + 1..end].iter().any(|&byte| !is(byte, LINE_END))
}

/// Two `key: value` lines, the second right below the first one's value.
fn has_yaml(text: &[u8]) -> bool {
    let is_second = |start: usize| yaml_key(text, start).is_some_and(|colon_end| has_yaml_value(text, colon_end));
    for (start, _) in lines::lines(text) {
        let Some(colon_end) = yaml_key(text, start) else { continue };
        let value = run_end(text, colon_end, SPACE);
        if value == colon_end || value == text.len() {
            continue;
        }
        // The value runs to the end of the line on which the white space ends …
        let line_end = find(text, value, LINE_END);
        if text.get(line_end) == Some(&b'\n') && is_second(line_end + 1) {
            return true;
        }
        // … or is itself white space: the rest of the line before, when the white space ends right behind its LF.
        let has_blank = value > colon_end + 2 && !is(text[value - 2], LINE_END);
        if text[value - 1] == b'\n' && has_blank && is_second(value) {
            return true;
        }
    }
    false
}

fn has_traceback(text: &[u8]) -> bool {
    let starts_line = |needle: &[u8], bounded: bool| {
        memmem::find_iter(text, needle)
            .any(|at| is_line_start(text, at) && !(bounded && is_at(text, at + needle.len(), WORD)))
    };
    if starts_line(b"Traceback (most recent call last)", false) || starts_line(b"Exception in thread", true) {
        return true;
    }
    memmem::find_iter(text, b"at ").any(|at| {
        let name = at + 3;
        if !is_before(text, at, SPACE) || !is_at(text, name, WORD) {
            return false;
        }
        let mut end = name + 1;
        while end < text.len() && (is(text[end], WORD) || matches!(text[end], b'.' | b'$')) {
            end += 1;
        }
        text.get(end) == Some(&b'(') && starts_behind_line_start(text, at)
    })
}

/// Whether a line starts somewhere before `at` with nothing but white space (at least one unit) in between.
fn starts_behind_line_start(text: &[u8], at: usize) -> bool {
    let mut start = at - 1;
    loop {
        if is_line_start(text, start) {
            return true;
        }
        if !is(text[start - 1], SPACE) {
            return false;
        }
        start -= 1;
    }
}
