//! Hard reasons given by words: SQL, reasoning, HTTP errors, failures (and legal terms, a soft reason). A single pass
//! over the words serves them all.

use super::lexicon::{Hit, Term, lexicon};
use super::{Reason, Reasons, steps};
use palimpsest_text::THEREFORE;
use palimpsest_text::class::{DIGIT, SPACE, is, is_at, is_boundary, is_line_start, run_end};
use palimpsest_text::masks::Scanned;
use palimpsest_text::phrases::{Gap, match_phrase};

/// Keywords found in a text.
#[derive(Default)]
pub(super) struct Keywords {
    sql_strong: bool,
    sql_weak: u32,
    sql_plain: u32,
    reasoning: bool,
    reasoning_signals: u32,
    /// Whether the rule `legal_term` holds.
    pub legal_term: bool,
    /// Whether the rule `failure_signature` holds.
    pub failure: bool,
    /// Whether the rule `http_error` holds.
    pub http_error: bool,
}

impl Keywords {
    /// Returns whether the rule `sql_content` holds: for a keyword that only SQL has, or for three different ones, one
    /// of which is rare elsewhere.
    pub(super) fn is_sql(&self) -> bool {
        self.sql_strong || self.sql_weak != 0 && (self.sql_weak.count_ones() + self.sql_plain.count_ones()) >= 3
    }

    /// Returns whether the rule `reasoning_chain` holds; `text` is the scanned text.
    pub(super) fn is_reasoning_chain(&self, text: &[u8]) -> bool {
        let signals = self.reasoning_signals.count_ones();
        self.reasoning
            || memchr::memchr(THEREFORE, text).is_some()
            || signals >= 3
            || signals >= 1 && steps::has_numbered_steps(text, 3)
    }
}

/// Adds the reasons of this file that apply to `text`. See [`scan`] for `emphasis`.
pub(super) fn hard_reasons(text: Scanned<'_>, wants_all: bool, reasons: &mut Reasons, emphasis: &mut Vec<Hit>) {
    let found = scan(text, emphasis);
    for (holds, reason) in [
        (found.is_sql(), Reason::SqlContent),
        (found.http_error, Reason::HttpError),
        (found.failure, Reason::FailureSignature),
        (found.is_reasoning_chain(text.bytes), Reason::ReasoningChain),
    ] {
        if holds {
            reasons.insert(reason);
            if !wants_all {
                return;
            }
        }
    }
}

/// Reads all words of `text`. Phrases that raise the score of their sentence are added to `emphasis`.
pub(super) fn scan(text: Scanned<'_>, emphasis: &mut Vec<Hit>) -> Keywords {
    let mut found = Keywords::default();
    let mut sql_from = 0;
    let bytes = text.bytes;
    lexicon().for_each(text, |term, start, end| match term {
        Term::SqlStrong | Term::SqlWeak(_) | Term::SqlPlain(_) if start < sql_from => {}
        Term::SqlStrong => {
            found.sql_strong = true;
            sql_from = end;
        }
        Term::SqlWeak(number) => found.sql_weak |= 1 << number,
        Term::SqlPlain(number) => found.sql_plain |= 1 << number,
        Term::Conclusion => found.reasoning = true,
        Term::ReasoningSignal(number) => found.reasoning_signals |= 1 << number,
        Term::ReasoningHeading => found.reasoning |= is_heading(bytes, start, end),
        Term::Legal => found.legal_term = true,
        Term::Failure => found.failure = true,
        Term::HttpStatus => found.http_error |= has_status(bytes, end),
        Term::HttpVersion => found.http_error |= has_version_and_code(bytes, end),
        Term::HttpResponse => found.http_error |= has_code_after_space(bytes, end),
        Term::Emphasis | Term::Inference => emphasis.push(Hit { term, start: start as u32, end: end as u32 }),
    });
    found
}

/// Returns whether `start..end` is at the start of its line and followed by a colon.
fn is_heading(text: &[u8], start: usize, end: usize) -> bool {
    let mut line = start;
    while line > 0 && matches!(text[line - 1], b' ' | b'\t') {
        line -= 1;
    }
    is_line_start(text, line) && text.get(run_end(text, end, SPACE)) == Some(&b':')
}

/// Returns whether there is an HTTP status of the 400s or 500s at `at`.
fn is_error_code(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), Some(b'4' | b'5'))
        && is_at(text, at + 1, DIGIT)
        && is_at(text, at + 2, DIGIT)
        && is_boundary(text, at + 3)
}

fn has_code_after_space(text: &[u8], at: usize) -> bool {
    is_at(text, at, SPACE) && is_error_code(text, run_end(text, at, SPACE))
}

/// Returns whether a version and an error code follow `HTTP`, as `/1.1 404`.
fn has_version_and_code(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'/')
        && is_at(text, at + 1, DIGIT)
        && text.get(at + 2) == Some(&b'.')
        && is_at(text, at + 3, DIGIT)
        && has_code_after_space(text, at + 4)
}

/// Returns whether an error code follows `status`, as `: 404` or ` code: 404`.
fn has_status(text: &[u8], at: usize) -> bool {
    let after_separator = |at: usize| {
        let mut end = at;
        while end < text.len() && (text[end] == b':' || is(text[end], SPACE)) {
            end += 1;
        }
        end > at && is_error_code(text, end)
    };
    let word = run_end(text, at, SPACE);
    let code_end = if word > at { match_phrase(text, word, "code", Gap::Blank) } else { None };
    after_separator(code_end.unwrap_or(at))
}
