//! Which messages go only together: calls with their results, and reasoning with what it led to.

use crate::transcript::{Kind, Part, Role, Transcript};

/// Messages that go together or stay together.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// In order.
    pub messages: Vec<u32>,
    /// Whether it may go.
    pub removable: bool,
    /// Instructions of the system, which are not touched.
    pub is_system: bool,
}

/// The units of a conversation in order of their first messages, and for each message its unit.
pub fn units_of(transcript: &Transcript) -> (Vec<Unit>, Vec<u32>) {
    let count = transcript.message_count() as usize;
    let mut parents: Vec<u32> = (0..count as u32).collect();
    let mut only_reasoning = vec![true; count];
    for part in transcript.parts() {
        if part.kind != Kind::Reasoning {
            only_reasoning[part.message as usize] = false;
        }
        if let Some(call) = part.call {
            join(&mut parents, part.message, transcript.parts()[call as usize].message);
        }
    }
    let mut has_parts = vec![false; count];
    transcript.parts().iter().for_each(|part| has_parts[part.message as usize] = true);
    for message in 0..count.saturating_sub(1) {
        if has_parts[message] && only_reasoning[message] {
            join(&mut parents, message as u32, message as u32 + 1);
        }
    }
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of = vec![u32::MAX; count];
    for message in 0..count as u32 {
        let root = root(&mut parents, message) as usize;
        if unit_of[root] == u32::MAX {
            unit_of[root] = units.len() as u32;
            units.push(Unit { removable: true, ..Unit::default() });
        }
        unit_of[message as usize] = unit_of[root];
        units[unit_of[root] as usize].messages.push(message);
    }
    let (mut first, mut task) = (None, None);
    let is_open = open_calls(transcript);
    for (part, is_open) in transcript.parts().iter().zip(is_open) {
        let unit = &mut units[unit_of[part.message as usize] as usize];
        if part.role == Role::System {
            unit.is_system = true;
            unit.removable = false;
        } else {
            first.get_or_insert(part.message);
        }
        if is_turn(part) {
            task = Some(part.message);
        }
        // What may not be edited may not be taken out either, but for reasoning.
        unit.removable &= !part.locked || part.kind == Kind::Reasoning;
        // A result whose call is not there, or a call that waits for its result: whatever it is, it is not ours to mend.
        unit.removable &= part.kind != Kind::Result || part.call.is_some();
        unit.removable &= !is_open;
        // Without what stands behind an open call, formats that alternate would join its turn to the next one's calls, and a
        // result that names no call would answer this one.
        if is_open && let Some(&next) = unit_of.get(part.message as usize + 1) {
            units[next as usize].removable = false;
        }
    }
    // The first says whose turn it was and the last whose turn it is. With the last word of the user the current turn begins,
    // for which it has to stand alone: without the answer before it, formats that alternate would join it to what went before.
    let answer = task.and_then(|task| task.checked_sub(1));
    for message in first.into_iter().chain(answer).chain(task).chain(count.checked_sub(1).map(|last| last as u32)) {
        units[unit_of[message as usize] as usize].removable = false;
    }
    (units, unit_of)
}

/// For each part whether it is a call that waits for its result.
pub fn open_calls(transcript: &Transcript) -> Vec<bool> {
    let mut is_open: Vec<bool> = transcript.parts().iter().map(|part| part.kind == Kind::Call).collect();
    for call in transcript.parts().iter().filter_map(|part| part.call) {
        is_open[call as usize] = false;
    }
    is_open
}

/// Whether it is the user's turn with this part: text, an image, a document.
pub fn is_turn(part: &Part) -> bool {
    part.role == Role::User && part.call.is_none() && matches!(part.kind, Kind::Text | Kind::Media)
}

/// The smallest message of the set that `message` is in.
fn root(parents: &mut [u32], mut message: u32) -> u32 {
    while parents[message as usize] != message {
        let above = parents[parents[message as usize] as usize];
        parents[message as usize] = above;
        message = above;
    }
    message
}

fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}
