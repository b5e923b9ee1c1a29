//! Reading every text once: what its content says about its route, and its traits.
//!
//! What is found in a text depends on nothing else, so long conversations are read in parts. The result is the same as
//! in one go.

use std::ops::Range;

use super::parts::in_parts;
use super::route::{Content, WantedReasons};
use crate::message::Conversation;
use crate::quality::{EntityTable, Traits};
use crate::text::masks::Scratch;

/// What was found in a conversation or a part of it.
#[derive(Default)]
pub struct Analysis {
    /// For each text what it says about its route, where that was asked for.
    pub contents: Vec<Option<Content>>,
    /// For each text its traits.
    pub traits: Vec<Traits>,
    /// Their entities.
    pub entities: EntityTable,
}

/// Reads all of `conversation`; the content only of texts for which `wants_content`.
pub fn analyse(conversation: &Conversation, wants_content: &[bool], wanted: WantedReasons) -> Analysis {
    let read = |part| read_part(conversation, part, wants_content, wanted);
    let mut parts = in_parts(conversation.len(), |index| conversation.text(index).len(), read).into_iter();
    let mut analysis = parts.next().unwrap_or_default();
    parts.for_each(|next| analysis.append(next));
    analysis
}

impl Analysis {
    /// Appends what was found in the messages that follow.
    fn append(&mut self, next: Analysis) {
        let listings = self.entities.absorb(&next.entities);
        self.contents.extend(next.contents);
        self.traits.extend(
            next.traits.into_iter().map(|traits| Traits { entities: traits.entities.moved_by(listings), ..traits }),
        );
    }
}

fn read_part(
    conversation: &Conversation,
    part: Range<usize>,
    wants_content: &[bool],
    wanted: WantedReasons,
) -> Analysis {
    let mut analysis = Analysis::default();
    let mut scratch = Scratch::default();
    for index in part {
        let text = conversation.text(index);
        let scanned = scratch.scan(text.bytes());
        analysis.contents.push(wants_content[index].then(|| Content::of(scanned, wanted)));
        analysis.traits.push(Traits::of(text, scanned, &mut analysis.entities));
    }
    analysis
}
