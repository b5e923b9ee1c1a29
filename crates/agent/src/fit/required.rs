//! Content that has to stay because the caller says so.

use super::groups::{Groups, is_turn};
use super::input::Keep;
use palimpsest_history::transcript::{Kind, Transcript};

/// Groups that have to stay.
#[derive(Debug, Default)]
pub struct Required {
    /// For each group, whether all of it stays.
    pub whole: Vec<bool>,
    /// Groups of which something stays, in order of what it is.
    pub in_part: Vec<u32>,
    /// Whether the arguments of a call stay as they are where the call stays.
    pub arguments: bool,
    /// Whether marks keep the numbers of dropped messages.
    pub numbers: bool,
}

impl Required {
    /// Reads what the caller asks for. The groups of what the user said to a call are added by [`Required::retain`].
    pub fn new(transcript: &Transcript, groups: &Groups, keep: &Keep) -> Self {
        let count = transcript.message_count();
        let mut whole: Vec<bool> = groups.list.iter().map(|group| group.is_system).collect();
        for message in count.saturating_sub(keep.recent)..count {
            whole[groups.of_message(message)] = true;
        }
        for (index, part) in transcript.parts().iter().enumerate() {
            let is_named = part.kind == Kind::Call && keep.tools.iter().any(|tool| tool == transcript.name(index));
            if is_named || (keep.user && is_turn(part)) {
                whole[groups.of_message(part.message)] = true;
            }
        }
        let mut required = Required { whole, in_part: Vec::new(), arguments: keep.arguments, numbers: keep.numbers };
        let parts = keep.ranges.iter().filter_map(|(part, _)| transcript.parts().get(*part as usize));
        required.retain(parts.map(|part| groups.of_message[part.message as usize]));
        required
    }

    /// Adds groups of which something stays.
    pub fn retain(&mut self, groups: impl Iterator<Item = u32>) {
        self.in_part.extend(groups);
        self.in_part.dedup();
    }
}
