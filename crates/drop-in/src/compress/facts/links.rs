//! The part of each message in the flow of the conversation.

use std::ops::Range;

use crate::flow::{Cues, Link};
use palimpsest_history::transcript::Transcript;
use palimpsest_text::masks::Scratch;
use palimpsest_text::parallel::map_chunks;

/// Reads the cues of each message.
pub(super) fn read_links(transcript: &Transcript) -> Vec<Link> {
    let read = |chunk: Range<usize>| {
        let mut scratch = Scratch::default();
        chunk
            .map(|index| {
                let (message, text) = (transcript.message(index), transcript.text(index));
                let is_free = !(message.has_preserved_role || message.has_tool_calls || message.answers_tool_call);
                let cues =
                    if is_free { Cues::of(scratch.scan(text.bytes()), message.speaker) } else { Cues::default() };
                Link { role: message.role, speaker: message.speaker, is_free, cues, length: text.len() }
            })
            .collect::<Vec<_>>()
    };
    map_chunks(transcript.len(), |index| transcript.text(index).len(), read).concat()
}
