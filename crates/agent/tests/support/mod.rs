//! Conversations in a few words.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;

use palimpsest_agent::edit::{Change, Piece};
use palimpsest_agent::prune::{Edit, Options, Outcome, Rule, Stub, prune};
use palimpsest_history::restore::marker::{KEY_LENGTH, MARKER_START};
use palimpsest_history::transcript::{Kind, MessageIndex, Part, PartIndex, Role, Status, Transcript};
use palimpsest_text::Texts;

/// Some 300 characters in three lines that differ from those of other names in one word only.
pub(crate) fn prose(name: &str) -> String {
    format!(
        "This is what was said about {name} that day.\n{}\nNobody added anything.",
        "The rest was as it had been. ".repeat(8)
    )
}

/// A conversation that grows. Calls and texts are named by the number of their part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Talk {
    parts: Vec<(Part, String)>,
    names: Vec<String>,
    messages: usize,
    joins: bool,
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, role: Role, kind: Kind, text: &str) -> usize {
        if !std::mem::take(&mut self.joins) {
            self.messages += 1;
        }
        self.parts.push((Part::new(self.messages - 1, role, kind), text.to_owned()));
        self.parts.len() - 1
    }

    pub(crate) fn user(&mut self, text: &str) -> usize {
        self.push(Role::User, Kind::Text, text)
    }

    pub(crate) fn assistant(&mut self, text: &str) -> usize {
        self.push(Role::Assistant, Kind::Text, text)
    }

    pub(crate) fn open_call_text(&mut self, name: &str, arguments: &str) -> usize {
        let call = self.push(Role::Assistant, Kind::Call, arguments);
        let number = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        self.parts[call].0.name = Some(number.into());
        call
    }

    pub(crate) fn open_call(&mut self, name: &str, arguments: serde_json::Value) -> usize {
        self.open_call_text(name, &arguments.to_string())
    }

    pub(crate) fn answer(&mut self, call: usize, text: &str) -> usize {
        let result = self.push(Role::Tool, Kind::Result, text);
        self.parts[result].0.call = Some(call.into());
        result
    }

    /// Adds an image after the result of `call`, which is the last part.
    pub(crate) fn attach(&mut self, call: usize) -> usize {
        self.joins = true;
        let image = self.push(Role::Tool, Kind::Media, "");
        self.parts[image].0.call = Some(call.into());
        image
    }

    /// A call and its result, a message each.
    pub(crate) fn call_text(&mut self, name: &str, arguments: &str, result: &str) -> usize {
        let call = self.open_call_text(name, arguments);
        self.answer(call, result);
        call
    }

    pub(crate) fn call(&mut self, name: &str, arguments: serde_json::Value, result: &str) -> usize {
        self.call_text(name, &arguments.to_string(), result)
    }

    /// Two calls in a message, and their results in another.
    pub(crate) fn calls_of_one_message(
        &mut self,
        a: (&str, serde_json::Value, &str),
        b: (&str, serde_json::Value, &str),
    ) -> (usize, usize) {
        let first = self.open_call(a.0, a.1);
        self.joins = true;
        let second = self.open_call(b.0, b.1);
        self.answer(first, a.2);
        self.joins = true;
        self.answer(second, b.2);
        (first, second)
    }

    /// Puts the next part into the message of the last one.
    pub(crate) fn same_message(&mut self, more: impl FnOnce(&mut Self)) {
        self.joins = true;
        more(self);
    }

    /// Sets the status that the format gives the result of `call`.
    pub(crate) fn status(&mut self, call: usize, status: Status) {
        self.parts[call + 1].0.status = Some(status);
    }

    /// When a call and its result were sent.
    pub(crate) fn time(&mut self, call: usize, time: f64) {
        self.parts[call].0.time = Some(time);
        self.parts[call + 1].0.time = Some(time);
    }

    /// Nobody may edit a part.
    pub(crate) fn lock(&mut self, part: usize) {
        self.parts[part].0.locked = true;
    }

    pub(crate) fn parts(&self) -> &[(Part, String)] {
        &self.parts
    }

    pub(crate) fn transcript(&self) -> Transcript {
        let mut texts = Texts::default();
        self.parts.iter().for_each(|(_, text)| texts.push_str(text));
        let parts = self.parts.iter().map(|(part, _)| *part).collect();
        Transcript::new(self.messages, self.names.clone(), parts, texts)
    }

    pub(crate) fn prune(&self, options: &Options<'_>) -> Pruned {
        Pruned { outcome: prune(&self.transcript(), options), talk: self.clone() }
    }
}

/// A pruned conversation.
#[derive(Debug)]
pub(crate) struct Pruned {
    outcome: Outcome,
    talk: Talk,
}

impl Pruned {
    pub(crate) fn edits(&self) -> &[Edit] {
        &self.outcome.edits
    }

    pub(crate) fn count(&self, rule: Rule) -> u32 {
        self.outcome.counts[rule as usize]
    }

    fn edit(&self, part: usize) -> Option<&Edit> {
        self.edits().iter().find(|edit| edit.part.index() == part)
    }

    pub(crate) fn is_removed(&self, part: usize) -> bool {
        self.edit(part).is_some_and(|edit| edit.change == Change::Remove)
    }

    pub(crate) fn superseded_by(&self, call: usize) -> Option<usize> {
        self.edit(call + 1)?.superseded_by.map(PartIndex::index)
    }

    pub(crate) fn is_call_untouched(&self, call: usize) -> bool {
        self.edit(call).is_none()
    }

    /// Neither the call nor its result is edited.
    pub(crate) fn is_untouched(&self, call: usize) -> bool {
        self.edit(call).is_none() && self.edit(call + 1).is_none()
    }

    /// The text of a part as it is now; empty where the part is gone.
    pub(crate) fn text(&self, part: usize) -> String {
        let original = &self.talk.parts[part].1;
        let Some(edit) = self.edit(part) else { return original.clone() };
        let Change::Replace(pieces) = &edit.change else { return String::new() };
        let units: Vec<u16> = original.encode_utf16().collect();
        let text = pieces.iter().map(|piece| match piece {
            Piece::Keep(range) => String::from_utf16_lossy(&units[range.clone()]),
            Piece::Mark(Stub::Text(stub)) => stub.clone(),
            Piece::Mark(Stub::Marker(stub)) => format!("{MARKER_START}{part:0KEY_LENGTH$}{stub}"),
        });
        text.collect()
    }

    pub(crate) fn result(&self, call: usize) -> String {
        self.text(call + 1)
    }

    pub(crate) fn arguments(&self, call: usize) -> String {
        self.text(call)
    }

    /// The conversation that is left.
    pub(crate) fn talk(&self) -> Talk {
        let mut left = Talk { parts: Vec::new(), ..self.talk.clone() };
        let mut numbers = BTreeMap::new();
        let stays: Vec<usize> = (0..self.talk.parts.len()).filter(|&part| !self.is_removed(part)).collect();
        let mut messages: Vec<MessageIndex> = stays.iter().map(|&part| self.talk.parts[part].0.message).collect();
        messages.dedup();
        for part in stays {
            numbers.insert(PartIndex::from(part), left.parts.len().into());
            let mut kept = self.talk.parts[part].0;
            kept.call = kept.call.and_then(|call| numbers.get(&call).copied());
            kept.message = messages.binary_search(&kept.message).unwrap_or_default().into();
            left.parts.push((kept, self.text(part)));
        }
        left.messages = messages.len();
        left
    }
}
