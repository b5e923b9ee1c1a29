//! Hard reasons given by markup: code, mathematics, JSON, YAML, tracebacks.

use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memmem};

use super::rule::{Rule, add_reasons};
use super::{Reason, Reasons};
use palimpsest_text::class::{DIGIT, LINE_END, SPACE, WORD, is, is_at, run_end, run_start};
use palimpsest_text::masks::{Block, Scanned};
use palimpsest_text::{MATH, lines};

/// Adds the reasons of this file that apply to `text`.
pub(super) fn hard_reasons(text: Scanned<'_>, wants_all: bool, reasons: &mut Reasons) {
    const RULES: &[Rule] = &[
        (starts_as_json, Reason::JsonStructure),
        (|text| memchr(MATH, text.bytes).is_some(), Reason::UnicodeMath),
        (|text| has_latex_math(text.bytes), Reason::LatexMath),
        (|text| has_code_fence(text.bytes), Reason::CodeFence),
    ];
    add_reasons(text, wants_all, RULES, reasons);
    if wants_all || reasons.is_empty() {
        add_line_reasons(text, wants_all, reasons);
    }
}

/// Adds the reasons given by the starts of lines.
fn add_line_reasons(text: Scanned<'_>, wants_all: bool, reasons: &mut Reasons) {
    let bytes = text.bytes;
    // Whether the previous line is indented code and ends in LF.
    let mut below_code = false;
    let mut blank_to = 0;
    for (start, end) in text.lines() {
        let Some(&first) = bytes.get(start) else { break };
        let mut is_code = false;
        if is(first, SPACE) {
            is_code = is_indented_code(&bytes[start..]);
            if is_code && below_code {
                reasons.insert(Reason::IndentedCode);
            }
            // White space may span many lines; its end is checked with the first of them.
            if start >= blank_to {
                blank_to = text.run_end(start, |block| block.space);
                if is_frame(bytes, blank_to) {
                    reasons.insert(Reason::ErrorTraceback);
                }
            }
        } else if is(first, WORD) || first == b'-' {
            if starts_traceback(&bytes[start..]) {
                reasons.insert(Reason::ErrorTraceback);
            } else if has_yaml_at(text, start) {
                reasons.insert(Reason::YamlStructure);
            }
        }
        if !wants_all && !reasons.is_empty() {
            return;
        }
        below_code = is_code && bytes.get(end) == Some(&b'\n');
    }
}

/// Returns whether there is a code fence whose opening line has nothing but a word after the backticks. Only the
/// leftmost such opening matters, because whatever closes a later one closes it too.
fn has_code_fence(text: &[u8]) -> bool {
    static TICKS: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("```"));
    let mut body = None;
    for ticks in TICKS.find_iter(text) {
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

/// Returns whether a line is indented by four spaces or a tab and is not empty otherwise.
fn is_indented_code(line: &[u8]) -> bool {
    let indent = if line.starts_with(b"    ") {
        4
    } else if line.first() == Some(&b'\t') {
        1
    } else {
        return false;
    };
    line.get(indent).is_some_and(|&byte| !is(byte, LINE_END))
}

/// Returns whether the text contains `$$…$$`, or two dollar signs with text between them that has neither a dollar sign
/// nor an LF.
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

fn starts_as_json(text: Scanned<'_>) -> bool {
    let text = text.bytes;
    let open = run_end(text, 0, SPACE);
    let inner = text.get(run_end(text, (open + 1).min(text.len()), SPACE)).copied();
    match text.get(open) {
        Some(b'{') => inner == Some(b'"'),
        Some(b'[') => inner.is_some_and(|byte| matches!(byte, b'[' | b'{' | b'"' | b'-') || is(byte, DIGIT)),
        _ => false,
    }
}

/// Returns the position after the colon of a `key:` that starts at `start`.
fn yaml_key(text: Scanned<'_>, start: usize) -> Option<usize> {
    if start >= text.bytes.len() {
        return None;
    }
    let end = text.run_end(start, Block::key);
    (end > start && text.bytes.get(end) == Some(&b':')).then_some(end + 1)
}

/// Returns whether a colon is followed by white space and then by a character that is not a line end; that character
/// may be white space too.
fn has_yaml_value(text: &[u8], colon_end: usize) -> bool {
    let end = run_end(text, colon_end, SPACE);
    if end == colon_end {
        return false;
    }
    end < text.len() || text[colon_end + 1..end].iter().any(|&byte| !is(byte, LINE_END))
}

/// Returns whether two `key: value` lines start at `start`, the second directly below the value of the first.
fn has_yaml_at(text: Scanned<'_>, start: usize) -> bool {
    let Some(colon_end) = yaml_key(text, start) else { return false };
    let bytes = text.bytes;
    let value = run_end(bytes, colon_end, SPACE);
    if value == colon_end || value == bytes.len() {
        return false;
    }
    let is_second = |start: usize| yaml_key(text, start).is_some_and(|colon_end| has_yaml_value(bytes, colon_end));
    // The value extends to the end of the line on which the white space ends …
    let line_end = text.find(value, |block| block.line_end);
    if bytes.get(line_end) == Some(&b'\n') && is_second(line_end + 1) {
        return true;
    }
    // … or is itself white space: the rest of the previous line, if the white space ends right after its LF.
    let has_blank = value > colon_end + 2 && !is(bytes[value - 2], LINE_END);
    bytes[value - 1] == b'\n' && has_blank && is_second(value)
}

/// Returns whether a line is the first line of a traceback.
fn starts_traceback(line: &[u8]) -> bool {
    let thread = b"Exception in thread";
    line.starts_with(b"Traceback (most recent call last)")
        || line.starts_with(thread) && !is_at(line, thread.len(), WORD)
}

/// Returns whether there is a stack frame, as `at name(`, at `at`.
fn is_frame(text: &[u8], at: usize) -> bool {
    if !text[at..].starts_with(b"at ") || !is_at(text, at + 3, WORD) {
        return false;
    }
    let end = text[at + 3..].iter().position(|&byte| !is(byte, WORD) && !matches!(byte, b'.' | b'$'));
    end.is_some_and(|length| text[at + 3 + length] == b'(')
}
