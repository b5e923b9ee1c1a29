//! Messages of the model that are empty, or that only announced calls which were removed.

use std::iter::Zip;
use std::slice;

use super::context::PruneContext;
use super::outcome::Rule;
use super::write::Writer;
use palimpsest_history::transcript::{Kind, Part, PartIndex, Role};
use palimpsest_text::Text;
use palimpsest_text::index::Indices;

/// Maximum length of an announcement, in UTF-16 code units.
const MAX_LENGTH: usize = 200;

/// Removes messages of the model that contain only white space.
pub(super) fn drop_empty(context: &PruneContext<'_>, writer: &mut Writer<'_>) {
    for parts in messages(context) {
        let is_empty = |(index, part): (PartIndex, &Part)| {
            part.kind == Kind::Text
                && writer.is_open(index)
                && !context.is_last(index)
                && context.transcript.text(index).trim().is_empty()
        };
        if is_models(&parts) && parts.clone().all(is_empty) {
            parts.for_each(|(index, _)| writer.remove(index, Rule::EmptyMessage, None));
            writer.count(Rule::EmptyMessage);
        }
    }
}

/// Removes texts of the model that are empty or only announced calls, if all calls beside them are removed.
pub(super) fn drop_announcements(context: &PruneContext<'_>, writer: &mut Writer<'_>) {
    if !context.options.remove {
        return;
    }
    for parts in messages(context) {
        let says_nothing = |index: PartIndex| context.transcript.text(index).trim().is_empty();
        let announces = |index: PartIndex| is_announcement(context.transcript.text(index));
        let goes = |(index, part): (PartIndex, &Part)| match part.kind {
            Kind::Call => writer.is_removed(index),
            Kind::Text => writer.is_open(index) && (says_nothing(index) || announces(index)),
            _ => false,
        };
        let has = |kind| parts.clone().any(|(_, part)| part.kind == kind);
        if is_models(&parts) && has(Kind::Call) && has(Kind::Text) && parts.clone().all(goes) {
            let texts = || parts.clone().filter(|(_, part)| part.kind == Kind::Text).map(|(index, _)| index);
            let rule = if texts().any(announces) { Rule::Announcement } else { Rule::EmptyMessage };
            texts().for_each(|index| writer.remove(index, rule, None));
            writer.count(rule);
        }
    }
}

/// The parts of a message.
type Parts<'c> = Zip<Indices<PartIndex>, slice::Iter<'c, Part>>;

/// Returns the parts of each message.
fn messages<'c>(context: &'c PruneContext<'_>) -> impl Iterator<Item = Parts<'c>> {
    let transcript = context.transcript;
    transcript.messages().map(|message| {
        let parts = transcript.parts_of(message);
        parts.iter().zip(&transcript.parts()[parts])
    })
}

/// Returns whether a message with these parts is the model's.
fn is_models(parts: &Parts<'_>) -> bool {
    parts.clone().next().is_some_and(|(_, part)| part.role == Role::Assistant)
}

/// Returns whether a text is a single sentence that announces an action.
fn is_announcement(text: Text<'_>) -> bool {
    const OPENINGS: [&[u8]; 16] = [
        b"let me ",
        b"let's ",
        b"i'll ",
        b"i will ",
        b"i'm going to ",
        b"i am going to ",
        b"i need to ",
        b"now i'll ",
        b"now let me ",
        b"next, i'll ",
        b"next, let me ",
        b"first, i'll ",
        b"first, let me ",
        b"now, let me ",
        b"now i will ",
        b"now, i'll ",
    ];
    let text = text.trim();
    let lower = text.prefix(MAX_LENGTH + 1).bytes().to_ascii_lowercase();
    let inner = lower.strip_suffix(b".").or_else(|| lower.strip_suffix(b":")).unwrap_or(&lower);
    text.len() <= MAX_LENGTH
        && OPENINGS.iter().any(|opening| lower.starts_with(opening))
        && !inner.windows(2).any(|pair| matches!(pair, [b'.' | b'!' | b'?' | b':' | b';', b' ']) || pair[1] == b'\n')
        && !inner.ends_with(b"?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    #[test]
    fn announcements_are_one_sentence_about_what_comes() {
        for (text, expected) in [
            ("Let me look at the tests.", true),
            ("I'll run it again:", true),
            ("Let me read src/a.ts", true),
            ("Let me look. The cause is the lock.", false),
            ("The cause is the lock.", false),
            ("Let me know: is it right?", false),
            ("Let me do this:\n1. a\n2. b", false),
        ] {
            assert_eq!(is_announcement(TextBuf::from(text).as_text()), expected, "{text}");
        }
    }
}
