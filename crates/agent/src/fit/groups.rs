//! Message groups: messages that stay or go together, such as calls with their results, and reasoning with what it led to.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::indices::GroupIndex;
use palimpsest_history::transcript::{Kind, MessageIndex, Part, PartIndex, Removal, Role, Transcript};
use palimpsest_text::index::IndexVec;

/// Messages that stay or go together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// In order.
    pub messages: Vec<MessageIndex>,
    /// Whether it may be removed.
    pub removable: bool,
    /// Whether it holds the system's instructions, which are never edited. Those before the first words of anyone else stay, and so do the
    /// newest.
    pub is_system: bool,
}

/// The message groups of a conversation.
#[derive(Debug, Default)]
pub struct Groups {
    /// The groups, in order of their first messages.
    pub list: IndexVec<GroupIndex, Group>,
    /// For each message its group.
    pub of_message: IndexVec<MessageIndex, GroupIndex>,
    /// The groups with which exchanges begin: that of the first message, and those of the user's messages.
    pub starts: Vec<GroupIndex>,
    /// The group of the message before the user's last one, if it may be removed.
    pub answer: Option<GroupIndex>,
}

impl Groups {
    /// Groups the messages of a conversation.
    pub fn of(transcript: &Transcript) -> Self {
        let (list, of_message) = groups_of(transcript);
        let turns = transcript.messages().filter(|&message| begins_turn(message, transcript));
        let answer = turns.clone().next_back().and_then(MessageIndex::before).map(|message| of_message[message]);
        let is_instruction = |&message: &MessageIndex| list[of_message[message]].is_system;
        let first = transcript.messages().find(|message| !is_instruction(message));
        // A group that holds a call and the message that answers it begins with the model's.
        let is_start = |&message: &MessageIndex| list[of_message[message]].messages[0] == message;
        let mut starts: Vec<_> =
            first.into_iter().chain(turns).filter(is_start).map(|message| of_message[message]).collect();
        starts.dedup();
        let answer = answer.filter(|&group| list[group].removable);
        Groups { list, of_message, starts, answer }
    }

    /// The parts of a group.
    pub fn parts<'a>(&'a self, group: GroupIndex, transcript: &'a Transcript) -> impl Iterator<Item = PartIndex> + 'a {
        self.list[group].messages.iter().flat_map(|&message| transcript.parts_of(message))
    }
}

fn groups_of(transcript: &Transcript) -> (IndexVec<GroupIndex, Group>, IndexVec<MessageIndex, GroupIndex>) {
    let mut parents: IndexVec<MessageIndex, MessageIndex> = transcript.messages().collect();
    for part in transcript.parts().iter() {
        if let Some(call) = part.call {
            unite(&mut parents, part.message, transcript.parts()[call].message);
        }
        if part.removal == Removal::Previous
            && let Some(previous) = part.message.before()
        {
            unite(&mut parents, part.message, previous);
        }
    }
    for message in transcript.messages() {
        let parts = &transcript.parts()[transcript.parts_of(message)];
        let is_reasoning = !parts.is_empty() && parts.iter().all(|part| part.kind == Kind::Reasoning);
        if is_reasoning && message.next().index() < transcript.len() {
            unite(&mut parents, message, message.next());
        }
    }
    unite_turns(transcript, &mut parents);
    let mut groups: IndexVec<GroupIndex, Group> = IndexVec::default();
    let mut group_of: IndexVec<MessageIndex, GroupIndex> = IndexVec::default();
    for message in transcript.messages() {
        let first = root(&mut parents, message);
        let group = match group_of.get(first) {
            Some(&group) => group,
            None => groups.push(Group { removable: true, ..Group::default() }),
        };
        group_of.push(group);
        groups[group].messages.push(message);
    }
    let (mut first, mut task, mut instructed) = (None, None, None);
    let is_open = open_calls(transcript);
    for (part, is_open) in transcript.parts().iter().zip(is_open) {
        let group = &mut groups[group_of[part.message]];
        if part.role == Role::System {
            group.is_system = true;
            // What is no text, such as a tool that was added, holds from there on.
            group.removable &= first.is_some() && part.kind == Kind::Text;
            instructed = if part.kind == Kind::Text { Some(part.message) } else { instructed };
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
        if is_open && let Some(&next) = group_of.get(part.message.next()) {
            groups[next].removable = false;
        }
    }
    // Keep the newest instructions, the last message, and what the user sent last.
    let sent = task.and_then(MessageIndex::before).filter(|&message| begins_turn(message, transcript));
    let last = transcript.messages().next_back();
    for message in [instructed, sent, task, last].into_iter().flatten() {
        groups[group_of[message]].removable = false;
    }
    (groups, group_of)
}

/// Unites what stands between two turns of the user where a part of it may only go with all of it.
fn unite_turns(transcript: &Transcript, parents: &mut IndexVec<MessageIndex, MessageIndex>) {
    let mut between: Vec<MessageIndex> = Vec::new();
    let mut is_bound = false;
    let mut unite_all = |between: &mut Vec<MessageIndex>, is_bound: &mut bool| {
        if std::mem::take(is_bound) {
            between.windows(2).for_each(|pair| unite(parents, pair[0], pair[1]));
        }
        between.clear();
    };
    for message in transcript.messages() {
        let parts = &transcript.parts()[transcript.parts_of(message)];
        if begins_turn(message, transcript) {
            unite_all(&mut between, &mut is_bound);
        } else if parts.iter().all(|part| part.role != Role::System) {
            between.push(message);
            is_bound |= parts.iter().any(|part| part.removal == Removal::Turn);
        }
    }
    unite_all(&mut between, &mut is_bound);
}

/// For each part, whether it is a call that waits for its result. Cline and its relatives write a result as the user's text, and name the tool:
/// `[write_to_file for 'src/a.ts'] Result:`. The oldest call of this tool that waits is answered then.
pub(super) fn open_calls(transcript: &Transcript) -> IndexVec<PartIndex, bool> {
    let parts = transcript.parts();
    let mut is_open: IndexVec<PartIndex, bool> = parts.iter().map(|part| part.kind == Kind::Call).collect();
    for call in parts.iter().filter_map(|part| part.call) {
        is_open[call] = false;
    }
    let mut waiting: FxHashMap<&str, VecDeque<PartIndex>> = FxHashMap::default();
    for (index, part) in parts.iter_enumerated() {
        if is_open[index] {
            waiting.entry(transcript.name(index)).or_default().push_back(index);
        } else if is_turn(part)
            && !waiting.is_empty()
            && let Some(tool) = answered_tool(transcript.text(index).bytes())
            && let Some(call) = waiting.get_mut(tool).and_then(VecDeque::pop_front)
        {
            is_open[call] = false;
        }
    }
    is_open
}

/// The name of the tool whose result a text of the user's is.
fn answered_tool(text: &[u8]) -> Option<&str> {
    let line = text.split(|&byte| byte == b'\n').next()?.strip_prefix(b"[")?;
    let end = line.iter().position(|&byte| matches!(byte, b' ' | b']'))?;
    memchr::memmem::find(line, b"] Result:")?;
    std::str::from_utf8(&line[..end]).ok()
}

/// Whether a part is of a user's turn: text, an image, a document.
pub(super) fn is_turn(part: &Part) -> bool {
    let is_known = part.removal != Removal::Turn;
    part.role == Role::User && part.call.is_none() && matches!(part.kind, Kind::Text | Kind::Media) && is_known
}

fn begins_turn(message: MessageIndex, transcript: &Transcript) -> bool {
    transcript.parts()[transcript.parts_of(message)].iter().any(is_turn)
}

/// The smallest message of the set that includes `message`.
fn root(parents: &mut IndexVec<MessageIndex, MessageIndex>, mut message: MessageIndex) -> MessageIndex {
    while parents[message] != message {
        let above = parents[parents[message]];
        parents[message] = above;
        message = above;
    }
    message
}

fn unite(parents: &mut IndexVec<MessageIndex, MessageIndex>, a: MessageIndex, b: MessageIndex) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b)] = a.min(b);
}
