//! `prune` edits what may be edited, in order; each edit loses only what it has a mark for, and a second pruning finds nothing.

use super::input::{Digits, records};
use super::talk::Talk;
use palimpsest_agent::edit::{Change, Piece};
use palimpsest_agent::prune::{Options, Rule, Stub, prune as pruned};
use palimpsest_history::restore::marker::{KEY_LENGTH, MARKER_START};
use palimpsest_history::transcript::{Kind, Role};
use palimpsest_text::index::to_usize;
use palimpsest_text::{Text, TextBuf};

/// Prunes a conversation of a line of options and records; see `Talk::new`.
pub fn prune(bytes: &[u8]) {
    let (digits, records) = records(bytes);
    let mut digits = Digits(digits.iter());
    let options = Options {
        remove: digits.flag(),
        last_edit_only: digits.flag(),
        failures_by_words: digits.flag(),
        keep_recent: u32::from(digits.number() % 4),
        ..Options::default()
    };
    let mut talk = Talk::new(records);
    let outcome = pruned(&talk.transcript(), &options);
    assert_eq!(outcome, pruned(&talk.transcript(), &options));
    assert!(outcome.edits.windows(2).all(|pair| pair[0].part < pair[1].part), "edits are in order");
    let first_recent = talk.parts.len().saturating_sub(to_usize(options.keep_recent));
    for edit in &outcome.edits {
        let number = edit.part.index();
        let part = &talk.parts[number];
        assert!(!part.locked && number < first_recent, "part {number} may not be edited");
        assert!(part.role != Role::User && part.role != Role::System, "part {number} is none of the agent's");
        assert!(edit.superseded_by.is_none_or(|by| by > edit.part), "what supersedes is later");
        let text = &mut talk.texts[number];
        match &edit.change {
            Change::Remove => *text = TextBuf::new(),
            Change::Replace(pieces) => {
                let written = write(text.as_text(), pieces, edit.rule == Rule::FailedCommand);
                assert!(written.len() < text.len(), "part {number} is no shorter");
                if part.kind == Kind::Call && is_object(text.as_text()) {
                    assert!(is_object(written.as_text()), "{text:?} became {written:?}");
                }
                *text = written;
            }
        }
    }
    // What is removed would stay as an empty text here.
    if outcome.edits.iter().all(|edit| edit.change != Change::Remove) {
        let again = pruned(&talk.transcript(), &options);
        assert!(again.edits.is_empty(), "a second pruning finds {:?}", again.edits);
    }
}

/// The text that an edit makes. Each gap has a mark, one of them the marker, unless the one in front stands for all: of what `has_failed` it says how
/// many lines there were.
fn write(original: Text<'_>, pieces: &[Piece<Stub>], has_failed: bool) -> TextBuf {
    let mut text = TextBuf::new();
    let (mut at, mut is_marked, mut markers) = (0, false, 0);
    for piece in pieces {
        match piece {
            Piece::Keep(range) => {
                assert!(range.start >= at, "text stands twice");
                assert!(range.start == at || is_marked || has_failed, "a gap without a mark");
                text.push(original.slice(range.clone()));
                (at, is_marked) = (range.end, false);
            }
            Piece::Mark(stub) => {
                is_marked = true;
                match stub {
                    Stub::Text(stub) => text.push_str(stub),
                    Stub::Marker(marker) => {
                        markers += 1;
                        text.push_str(&format!("{MARKER_START}{}{marker}", "k".repeat(KEY_LENGTH)));
                    }
                }
            }
        }
    }
    assert!(at <= original.len(), "text stands twice");
    assert!(at == original.len() || is_marked || has_failed, "the end is gone without a mark");
    if has_failed {
        assert!(matches!(pieces[0], Piece::Mark(Stub::Marker(_))), "what stands for all is in front");
    }
    assert_eq!(markers, 1, "the original is found by one marker");
    text
}

fn is_object(text: Text<'_>) -> bool {
    palimpsest_world::arguments::parse(text).is_some()
}
