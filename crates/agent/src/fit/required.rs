//! Content that has to stay because the caller says so.

use super::groups::{Groups, is_turn};
use super::indices::GroupIndex;
use super::input::Keep;
use palimpsest_history::transcript::{Kind, Transcript};
use palimpsest_text::index::{IndexVec, to_usize};

/// Groups that have to stay.
#[derive(Debug, Default)]
pub struct Required {
    /// For each group, whether all of it stays.
    pub whole: IndexVec<GroupIndex, bool>,
    /// Groups of which something stays, in order of what it is.
    pub in_part: Vec<GroupIndex>,
    /// Whether the arguments of a call stay as they are where the call stays.
    pub arguments: bool,
    /// If given, marks name the dropped messages by their places plus this number.
    pub numbers: Option<u32>,
}

impl Required {
    /// Reads what the caller asks for. The groups of what the user said to a call are added by [`Required::retain`].
    pub fn new(transcript: &Transcript, groups: &Groups, keep: &Keep) -> Self {
        let mut whole: IndexVec<GroupIndex, bool> =
            groups.list.iter().map(|group| group.is_system && !group.removable).collect();
        for message in transcript.messages().rev().take(to_usize(keep.recent)) {
            whole[groups.of_message[message]] = true;
        }
        for (index, part) in transcript.parts().iter_enumerated() {
            let is_named = part.kind == Kind::Call && keep.tools.iter().any(|tool| tool == transcript.name(index));
            if is_named || (keep.user && is_turn(part)) {
                whole[groups.of_message[part.message]] = true;
            }
        }
        let mut required = Required { whole, in_part: Vec::new(), arguments: keep.arguments, numbers: keep.numbers };
        let parts = keep.ranges.iter().filter_map(|(part, _)| transcript.parts().get(*part));
        required.retain(parts.map(|part| groups.of_message[part.message]));
        required
    }

    /// Adds groups of which something stays.
    pub fn retain(&mut self, groups: impl Iterator<Item = GroupIndex>) {
        self.in_part.extend(groups);
        self.in_part.dedup();
    }
}
