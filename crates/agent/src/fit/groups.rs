//! Message groups: messages that stay or go together, such as calls with their results, and reasoning with what it led to.

use palimpsest_history::transcript::{Kind, Part, Removal, Role, Transcript};

/// Messages that stay or go together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// In order.
    pub messages: Vec<u32>,
    /// Whether it may be removed.
    pub removable: bool,
    /// Whether it holds the system's instructions, which are never edited.
    pub is_system: bool,
}

/// The message groups of a conversation.
#[derive(Debug, Default)]
pub struct Groups {
    /// The groups, in order of their first messages.
    pub list: Vec<Group>,
    /// For each message its group.
    pub of_message: Vec<u32>,
}

impl Groups {
    /// Groups the messages of a conversation.
    pub fn of(transcript: &Transcript) -> Self {
        let (list, of_message) = groups_of(transcript);
        Groups { list, of_message }
    }

    /// The group of a message.
    pub fn of_message(&self, message: u32) -> usize {
        self.of_message[message as usize] as usize
    }

    /// The parts of a group.
    pub fn parts<'a>(&'a self, group: usize, transcript: &'a Transcript) -> impl Iterator<Item = usize> + 'a {
        self.list[group].messages.iter().flat_map(|&message| transcript.parts_of(message as usize))
    }
}

fn groups_of(transcript: &Transcript) -> (Vec<Group>, Vec<u32>) {
    let count = transcript.message_count() as usize;
    let mut parents: Vec<u32> = (0..count as u32).collect();
    let mut only_reasoning = vec![true; count];
    for part in transcript.parts() {
        if part.kind != Kind::Reasoning {
            only_reasoning[part.message as usize] = false;
        }
        if let Some(call) = part.call {
            unite(&mut parents, part.message, transcript.parts()[call as usize].message);
        }
        if part.removal == Removal::Previous
            && let Some(previous) = part.message.checked_sub(1)
        {
            unite(&mut parents, part.message, previous);
        }
    }
    let mut has_parts = vec![false; count];
    transcript.parts().iter().for_each(|part| has_parts[part.message as usize] = true);
    for message in 0..count.saturating_sub(1) {
        if has_parts[message] && only_reasoning[message] {
            unite(&mut parents, message as u32, message as u32 + 1);
        }
    }
    unite_turns(transcript, &mut parents);
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = vec![u32::MAX; count];
    for message in 0..count as u32 {
        let root = root(&mut parents, message) as usize;
        if group_of[root] == u32::MAX {
            group_of[root] = groups.len() as u32;
            groups.push(Group { removable: true, ..Group::default() });
        }
        group_of[message as usize] = group_of[root];
        groups[group_of[root] as usize].messages.push(message);
    }
    let (mut first, mut task) = (None, None);
    let is_open = open_calls(transcript);
    for (part, is_open) in transcript.parts().iter().zip(is_open) {
        let group = &mut groups[group_of[part.message as usize] as usize];
        if part.role == Role::System {
            group.is_system = true;
            group.removable = false;
        } else {
            first.get_or_insert(part.message);
        }
        if is_turn(part) {
            task = Some(part.message);
        }
        group.removable &= part.removal != Removal::Never;
        // Orphaned calls and results are never removed.
        group.removable &= part.kind != Kind::Result || part.call.is_some();
        group.removable &= !is_open;
        // Without the message after an open call, formats with alternating roles would merge its turn with the next calls, and a
        // result that names no call would answer this one.
        if is_open && let Some(&next) = group_of.get(part.message as usize + 1) {
            groups[next as usize].removable = false;
        }
    }
    // Keep the first and last message, and the last user message with the message before it: otherwise formats with alternating
    // roles would merge turns.
    let answer = task.and_then(|task| task.checked_sub(1));
    for message in first.into_iter().chain(answer).chain(task).chain(count.checked_sub(1).map(|last| last as u32)) {
        groups[group_of[message as usize] as usize].removable = false;
    }
    (groups, group_of)
}

/// Unites what stands between two turns of the user where a part of it may only go with all of it.
fn unite_turns(transcript: &Transcript, parents: &mut [u32]) {
    let count = parents.len();
    let (mut is_turns, mut is_systems, mut is_bound) = (vec![false; count], vec![false; count], vec![false; count]);
    for part in transcript.parts() {
        let message = part.message as usize;
        is_turns[message] |= is_turn(part);
        is_systems[message] |= part.role == Role::System;
        is_bound[message] |= part.removal == Removal::Turn;
    }
    let mut first = 0;
    while first < count {
        let end = (first..count).find(|&message| is_turns[message]).unwrap_or(count);
        if is_bound[first..end].contains(&true) {
            let mut said = (first..end).filter(|&message| !is_systems[message]);
            if let Some(one) = said.next() {
                said.for_each(|other| unite(parents, one as u32, other as u32));
            }
        }
        first = end + 1;
    }
}

/// For each part, whether it is a call that waits for its result.
pub(super) fn open_calls(transcript: &Transcript) -> Vec<bool> {
    let mut is_open: Vec<bool> = transcript.parts().iter().map(|part| part.kind == Kind::Call).collect();
    for call in transcript.parts().iter().filter_map(|part| part.call) {
        is_open[call as usize] = false;
    }
    is_open
}

/// Whether a part is of a user's turn: text, an image, a document.
pub(super) fn is_turn(part: &Part) -> bool {
    let is_known = part.removal != Removal::Turn;
    part.role == Role::User && part.call.is_none() && matches!(part.kind, Kind::Text | Kind::Media) && is_known
}

/// The smallest message of the set that includes `message`.
fn root(parents: &mut [u32], mut message: u32) -> u32 {
    while parents[message as usize] != message {
        let above = parents[parents[message as usize] as usize];
        parents[message as usize] = above;
        message = above;
    }
    message
}

fn unite(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}
