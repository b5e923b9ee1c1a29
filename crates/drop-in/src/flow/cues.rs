//! Cues in a text for its role in a chain.

use std::sync::LazyLock;

use crate::summarize::fences::has_backticks;
use palimpsest_history::transcript::Speaker;
use palimpsest_text::class::{SPACE, is, trim};
use palimpsest_text::masks::Scanned;
use palimpsest_text::phrases::{Gap, Phrases, phrases};

/// Minimum length of a text in a chain, in UTF-16 code units.
const MIN_LENGTH: usize = 10;

const REQUESTS: &[&str] = &[
    "add",
    "can you",
    "change",
    "could you",
    "create",
    "delete",
    "fix",
    "i need",
    "implement",
    "make",
    "modify",
    "please",
    "remove",
    "update",
    "would you",
];
const ACTIONS: &[&str] = &[
    "added",
    "changed",
    "created",
    "deleted",
    "done",
    "fixed",
    "here's",
    "heres",
    "i've",
    "implemented",
    "modified",
    "removed",
    "updated",
];
/// Prefixes: more letters may follow.
const CONFIRMATIONS: &[&str] = &[
    "approved",
    "awesome",
    "confirmed",
    "done",
    "great",
    "lgtm",
    "looks good",
    "ok",
    "perfect",
    "ship it",
    "sounds good",
    "thank you",
    "thanks",
    "yes",
];
/// Prefixes: more letters may follow.
const CORRECTIONS: &[&str] =
    &["actually", "correction", "i meant", "instead", "my bad", "no,", "no.", "not that", "sorry", "wait"];

/// Cues in a text, limited to those that its speaker can give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cues {
    /// It may belong to a chain: it is long enough, contains no code and is not a summary.
    pub is_eligible: bool,
    /// It has a question mark at the end of a word.
    pub asks: bool,
    /// A user requests something.
    pub requests: bool,
    /// An assistant reports that something was done.
    pub reports: bool,
    /// It begins like a consent.
    pub confirms: bool,
    /// It begins like a correction.
    pub corrects: bool,
}

impl Cues {
    /// Reads a text of `speaker`.
    pub fn of(text: Scanned<'_>, speaker: Speaker) -> Self {
        let bytes = text.bytes;
        let is_summary = bytes.starts_with(b"[summary:") || bytes.starts_with(b"[summary#");
        if bytes.len() < MIN_LENGTH || is_summary || has_backticks(bytes) {
            return Cues::default();
        }
        let (start, end) = trim(bytes, 0, bytes.len());
        let begins_with = |beginnings: &[&str]| {
            beginnings.iter().any(|beginning| {
                bytes[start..end].get(..beginning.len()).is_some_and(|s| s.eq_ignore_ascii_case(beginning.as_bytes()))
            })
        };
        Cues {
            is_eligible: true,
            asks: memchr::memchr_iter(b'?', bytes).any(|at| bytes.get(at + 1).is_none_or(|&next| is(next, SPACE))),
            requests: speaker == Speaker::User && has_phrase(text, Cue::Request),
            reports: speaker == Speaker::Assistant && has_phrase(text, Cue::Action),
            confirms: begins_with(CONFIRMATIONS),
            corrects: begins_with(CORRECTIONS),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    Request,
    Action,
}

fn has_phrase(text: Scanned<'_>, wanted: Cue) -> bool {
    static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
        let requests = phrases(Gap::Blank, Cue::Request, REQUESTS);
        Phrases::new(requests.chain(phrases(Gap::Blank, Cue::Action, ACTIONS)).collect())
    });
    let mut found = false;
    CUES.for_each(text, |cue, _, _| found |= cue == wanted);
    found
}
