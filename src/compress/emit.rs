//! Writing what stands for each message, by its route.

use std::sync::Arc;

use super::condense::Request;
use super::decisions::{Action, Decision, Reason};
use super::engine::Engine;
use super::join::Join;
use super::route::Route;
use super::write::{Assignment, Task, Writer, Writing, Written};
use crate::contradiction::Signal;
use crate::dedup::Duplicate;
use crate::parallel::map_chunks;
use crate::quality::Traits;
use crate::summarize::round;
use crate::text::{SharedText, TextBuf};

/// A message of the result.
#[derive(Clone, Debug)]
pub struct Output {
    /// Position of the first input message that it stands for.
    pub start: usize,
    /// How many successive input messages it stands for.
    pub count: usize,
    /// Its text; `None` where it is the input message itself.
    pub text: Option<SharedText>,
    /// The hash of the ids that it stands for, where it has a text of its own.
    pub ids_hash: u32,
    /// Length of its text in UTF-16 code units.
    length: usize,
    /// The traits of its text, where they are known.
    pub(super) traits: Option<Traits>,
    /// Why it is what it is.
    pub(super) reason: Reason,
}

impl Output {
    /// Length of its text in UTF-16 code units.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The same message with another text.
    pub(super) fn with_text(&self, text: SharedText, ids_hash: u32, reason: Reason) -> Self {
        Output { length: text.len(), text: Some(text), ids_hash, traits: None, reason, ..*self }
    }

    /// Its share, in UTF-16 code units, of each input message that it stands for.
    pub(super) fn share(&self) -> usize {
        round(self.length as f64 / self.count as f64) as usize
    }
}

/// All messages of the result, and what was counted on the way.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    pub outputs: Vec<Output>,
    pub decisions: Vec<Decision>,
    pub compressed: usize,
    pub preserved: usize,
    pub deduped: usize,
    pub fuzzy_deduped: usize,
    pub pattern_preserved: usize,
    pub llm_preserved: usize,
    pub importance_preserved: usize,
    pub contradicted: usize,
    pub relevance_dropped: usize,
    /// What is missing to write all texts. Unless empty, the rest is unfinished.
    pub requests: Vec<Request>,
}

impl Engine {
    pub(super) fn emit(&mut self, routes: &[Route]) -> Emission {
        let mut emission = Emission { requests: self.write_all(routes), ..Emission::default() };
        let mut index = 0;
        while index < routes.len() {
            let count = self.group_length(routes, index);
            match routes[index] {
                Route::Preserve(reason) => self.keep(&mut emission, index, reason),
                Route::Duplicate(duplicate) => self.refer(&mut emission, index, duplicate),
                Route::Contradicted(_, signal) => self.supersede(&mut emission, index, signal),
                Route::SplitCode => {
                    let reasons = (Reason::CodeSplit, Reason::CodeSplitReverted);
                    self.stand_in(&mut emission, index, Action::CodeSplit, reasons);
                }
                Route::Adapt(number) => {
                    let reasons = (Reason::Adapter(number), Reason::AdapterReverted(number));
                    self.stand_in(&mut emission, index, Action::Compressed, reasons);
                }
                Route::Summarise => self.summarise(&mut emission, index, count),
                Route::Join(number) => self.emit_join(&mut emission, number),
            }
            index += count;
        }
        if emission.requests.is_empty() {
            self.define(&mut emission);
        }
        emission
    }

    /// Writes all texts that `routes` need and that were not written before. Returns what has to be asked for first;
    /// the texts that wait for it are not written then.
    fn write_all(&mut self, routes: &[Route]) -> Vec<Request> {
        let assignments = self.assignments(routes);
        let engine: &Engine = self;
        let units = |number: usize| {
            let Assignment { start, count, .. } = assignments[number];
            (start..start + count).map(|index| engine.conversation.text(index).len()).sum()
        };
        let parts = map_chunks(assignments.len(), units, |part| {
            let mut writer = Writer::new(engine);
            let written: Vec<_> = assignments[part].iter().map(|assignment| writer.write(*assignment)).collect();
            (written, writer.into_written())
        });
        let mut requests = Vec::new();
        let mut assignments = assignments.into_iter();
        for (written, (texts, entities)) in parts {
            let moved_by = self.entities.absorb(&entities);
            let texts = Arc::new(texts);
            for (written, Assignment { start, count, .. }) in written.into_iter().zip(&mut assignments) {
                match written {
                    Ok(written) => {
                        let written = written.map(|Writing { number, traits, dropped }| Written {
                            text: SharedText::new(&texts, number),
                            traits: traits.moved_by(moved_by),
                            dropped,
                        });
                        self.written_before.insert((start, count), written);
                    }
                    Err(request) => requests.push(request),
                }
            }
        }
        requests
    }

    fn assignments(&self, routes: &[Route]) -> Vec<Assignment> {
        let mut assignments = Vec::new();
        let mut start = 0;
        while start < routes.len() {
            let count = self.group_length(routes, start);
            let task = match routes[start] {
                Route::Preserve(_) | Route::Duplicate(_) | Route::Adapt(_) | Route::Join(_) => None,
                Route::Contradicted(later, signal) => Some(Task::Refer(later, signal)),
                Route::SplitCode => Some(Task::SplitCode),
                Route::Summarise => Some(Task::Summarise),
            };
            if let Some(task) = task.filter(|_| !self.written_before.contains_key(&(start, count))) {
                assignments.push(Assignment { start, count, task });
            }
            start += count;
        }
        assignments
    }

    fn keep(&self, emission: &mut Emission, index: usize, reason: Reason) {
        let length = self.conversation.text(index).len();
        emission.outputs.push(Output { start: index, count: 1, text: None, ids_hash: 0, length, traits: None, reason });
        emission.preserved += 1;
        match reason {
            Reason::Pattern(_) => emission.pattern_preserved += 1,
            Reason::LlmPreserved => emission.llm_preserved += 1,
            Reason::Importance(_) => emission.importance_preserved += 1,
            _ => {}
        }
        self.trace(emission, index, Action::Preserved, reason, length);
    }

    fn output(&self, start: usize, count: usize, text: SharedText, traits: Option<Traits>, reason: Reason) -> Output {
        let ids_hash = self.conversation.ids_hash(start, count);
        Output { start, count, length: text.len(), text: Some(text), ids_hash, traits, reason }
    }

    fn trace(&self, emission: &mut Emission, index: usize, action: Action, reason: Reason, output_length: usize) {
        if self.options.trace {
            let input_length = self.conversation.text(index).len();
            emission.decisions.push(Decision { index, action, reason, input_length, output_length });
        }
    }

    fn refer(&self, emission: &mut Emission, index: usize, duplicate: Duplicate) {
        let length = self.conversation.text(index).len();
        let mut text = TextBuf::new();
        text.push_str(if duplicate.similarity.is_none() { "[cce:dup of " } else { "[cce:near-dup of " });
        text.push(self.conversation.id(duplicate.of));
        text.push_str(&format!(" \u{2014} {length} chars"));
        if let Some(similarity) = duplicate.similarity {
            text.push_str(&format!(", ~{}% match", round(100.0 * similarity)));
        }
        text.push_str("]");
        if text.len() > length {
            return self.keep(emission, index, Reason::DuplicateReverted);
        }
        let (action, reason) = if duplicate.similarity.is_none() {
            emission.deduped += 1;
            (Action::Deduped, Reason::ExactDuplicate)
        } else {
            emission.fuzzy_deduped += 1;
            (Action::FuzzyDeduped, Reason::FuzzyDuplicate)
        };
        self.trace(emission, index, action, reason, text.len());
        emission.outputs.push(self.output(index, 1, SharedText::from(&text), None, reason));
    }

    fn supersede(&self, emission: &mut Emission, index: usize, signal: Signal) {
        let Some(written) = self.written_before.get(&(index, 1)) else { return };
        let Some(Written { text, traits, .. }) = written.clone() else {
            return self.keep(emission, index, Reason::ContradictionReverted);
        };
        emission.contradicted += 1;
        let reason = Reason::Contradicted(signal);
        self.trace(emission, index, Action::Contradicted, reason, text.len());
        emission.outputs.push(self.output(index, 1, text, Some(traits), reason));
    }

    /// Has what was written stand for the message at `index`, or keeps it where nothing shorter was.
    fn stand_in(&self, emission: &mut Emission, index: usize, action: Action, (reason, reverted): (Reason, Reason)) {
        let Some(written) = self.written_before.get(&(index, 1)) else { return };
        let Some(Written { text, traits, .. }) = written.clone() else { return self.keep(emission, index, reverted) };
        emission.compressed += 1;
        self.trace(emission, index, action, reason, text.len());
        emission.outputs.push(self.output(index, 1, text, Some(traits), reason));
    }

    fn summarise(&self, emission: &mut Emission, start: usize, count: usize) {
        let Some(written) = self.written_before.get(&(start, count)) else { return };
        let Some(Written { text, traits, dropped }) = written.clone() else {
            let reason = if count == 1 { Reason::SingleReverted } else { Reason::MergeReverted };
            return (start..start + count).for_each(|index| self.keep(emission, index, reason));
        };
        emission.compressed += count;
        let reason = match (dropped, count) {
            (Some(score), _) => Reason::RelevanceDropped(score),
            (None, 1) => Reason::CompressibleProse,
            (None, _) => Reason::MergedCompressed,
        };
        emission.relevance_dropped += if dropped.is_some() { count } else { 0 };
        let output = self.output(start, count, text, Some(traits), reason);
        for index in start..start + count {
            self.trace(emission, index, Action::Compressed, reason, output.share());
        }
        emission.outputs.push(output);
    }

    fn emit_join(&self, emission: &mut Emission, number: u32) {
        let Join { start, count, reason, text, .. } = &self.joins.all[number as usize];
        let output = self.output(*start, *count, text.clone(), None, *reason);
        emission.compressed += count;
        for index in *start..start + count {
            self.trace(emission, index, Action::Compressed, *reason, output.share());
        }
        emission.outputs.push(output);
    }

    /// How many messages from `start` on one message of the result may stand for: those to be summarised, of the same
    /// role, none of which answers a tool call; else one.
    fn group_length(&self, routes: &[Route], start: usize) -> usize {
        if let Route::Join(number) = routes[start] {
            return self.joins.all[number as usize].count;
        }
        let first = self.conversation.message(start);
        let joins = |index: &usize| {
            let message = self.conversation.message(*index);
            routes[*index] == Route::Summarise && message.role == first.role && !message.answers_tool_call
        };
        if routes[start] != Route::Summarise || first.answers_tool_call {
            return 1;
        }
        (start..routes.len()).take_while(joins).count()
    }
}
