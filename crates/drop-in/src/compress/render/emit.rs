//! Emits the messages of the result by their routes.

use super::context::Context;
use super::define::define;
use super::output::{Emission, Output};
use super::write::{Assignment, Task, Written, WrittenTexts};
use crate::compress::decisions::{Action, Decision, Reason};
use crate::compress::facts::Facts;
use crate::compress::plan::{Join, Plan, Route};
use crate::contradiction::Signal;
use crate::dedup::Duplicate;
use crate::summarize::round;
use palimpsest_text::{SharedText, TextBuf};

/// Returns the texts that a plan needs and that were not written before.
pub(crate) fn assignments(facts: &Facts, plan: &Plan, written: &WrittenTexts) -> Vec<Assignment> {
    let mut assignments = Vec::new();
    let mut start = 0;
    while start < plan.routes.len() {
        let count = plan.group_length(facts, start);
        let task = match plan.routes[start] {
            Route::Preserve(_) | Route::Duplicate(_) | Route::Adapt(_) | Route::Join(_) => None,
            Route::Contradicted(later, signal) => Some(Task::Refer(later, signal)),
            Route::SplitCode => Some(Task::SplitCode),
            Route::Summarise => Some(Task::Summarise),
        };
        if let Some(task) = task.filter(|_| !written.contains_key(&(start, count))) {
            assignments.push(Assignment { start, count, task });
        }
        start += count;
    }
    assignments
}

/// Returns the messages of the result. A message whose text is not written yet is missing.
pub(crate) fn emit(context: Context<'_>, plan: &Plan, written: &WrittenTexts) -> Emission {
    // Room for all: lists that grow are copied.
    let mut emission = Emission { outputs: Vec::with_capacity(plan.routes.len()), ..Emission::default() };
    let emitter = Emitter { context, written };
    let mut index = 0;
    while index < plan.routes.len() {
        let count = plan.group_length(context.facts, index);
        match plan.routes[index] {
            Route::Preserve(reason) => emitter.keep(&mut emission, index, reason),
            Route::Duplicate(duplicate) => emitter.refer(&mut emission, index, duplicate),
            Route::Contradicted(_, signal) => emitter.supersede(&mut emission, index, signal),
            Route::SplitCode => {
                let reasons = (Reason::CodeSplit, Reason::CodeSplitReverted);
                emitter.stand_in(&mut emission, index, Action::CodeSplit, reasons);
            }
            Route::Adapt(number) => {
                let reasons = (Reason::Adapter(number), Reason::AdapterReverted(number));
                emitter.stand_in(&mut emission, index, Action::Compressed, reasons);
            }
            Route::Summarise => emitter.summarise(&mut emission, index, count),
            Route::Join(number) => emitter.join(&mut emission, &plan.joins[number as usize]),
        }
        index += count;
    }
    define(context, &mut emission);
    emission
}

struct Emitter<'a> {
    context: Context<'a>,
    written: &'a WrittenTexts,
}

impl Emitter<'_> {
    fn keep(&self, emission: &mut Emission, index: usize, reason: Reason) {
        let length = self.context.facts.text(index).len();
        emission.outputs.push(Output { start: index, count: 1, text: None, ids_hash: 0, length, reason });
        emission.statistics.messages_preserved += 1;
        match reason {
            Reason::Pattern(_) => emission.statistics.messages_pattern_preserved += 1,
            Reason::LlmPreserved => emission.statistics.messages_llm_preserved += 1,
            Reason::Importance(_) => emission.statistics.messages_importance_preserved += 1,
            _ => {}
        }
        self.trace(emission, index, Action::Preserved, reason, length);
    }

    fn output(&self, start: usize, count: usize, text: SharedText, reason: Reason) -> Output {
        let ids_hash = self.context.facts.transcript.ids_hash(start, count);
        Output { start, count, length: text.len(), text: Some(text), ids_hash, reason }
    }

    fn trace(&self, emission: &mut Emission, index: usize, action: Action, reason: Reason, output_length: usize) {
        if self.context.options.trace {
            let input_length = self.context.facts.text(index).len();
            emission.statistics.decisions.push(Decision { index, action, reason, input_length, output_length });
        }
    }

    fn refer(&self, emission: &mut Emission, index: usize, duplicate: Duplicate) {
        let length = self.context.facts.text(index).len();
        let mut text = TextBuf::new();
        text.push_str(if duplicate.similarity.is_none() { "[cce:dup of " } else { "[cce:near-dup of " });
        text.push(self.context.facts.transcript.id(duplicate.of));
        text.push_str(&format!(" \u{2014} {length} chars"));
        if let Some(similarity) = duplicate.similarity {
            text.push_str(&format!(", ~{}% match", round(100.0 * similarity)));
        }
        text.push_str("]");
        if text.len() > length {
            return self.keep(emission, index, Reason::DuplicateReverted);
        }
        let (action, reason) = if duplicate.similarity.is_none() {
            emission.statistics.messages_deduped += 1;
            (Action::Deduped, Reason::ExactDuplicate)
        } else {
            emission.statistics.messages_fuzzy_deduped += 1;
            (Action::FuzzyDeduped, Reason::FuzzyDuplicate)
        };
        self.trace(emission, index, action, reason, text.len());
        emission.outputs.push(self.output(index, 1, SharedText::from(&text), reason));
    }

    fn supersede(&self, emission: &mut Emission, index: usize, signal: Signal) {
        let Some(written) = self.written.get(&(index, 1)) else { return };
        let Some(Written { text, .. }) = written.clone() else {
            return self.keep(emission, index, Reason::ContradictionReverted);
        };
        emission.statistics.messages_contradicted += 1;
        let reason = Reason::Contradicted(signal);
        self.trace(emission, index, Action::Contradicted, reason, text.len());
        emission.outputs.push(self.output(index, 1, text, reason));
    }

    /// Replaces the message at `index` by the text that was written, or keeps it if none was shorter.
    fn stand_in(&self, emission: &mut Emission, index: usize, action: Action, (reason, reverted): (Reason, Reason)) {
        let Some(written) = self.written.get(&(index, 1)) else { return };
        let Some(Written { text, .. }) = written.clone() else { return self.keep(emission, index, reverted) };
        emission.statistics.messages_compressed += 1;
        self.trace(emission, index, action, reason, text.len());
        emission.outputs.push(self.output(index, 1, text, reason));
    }

    fn summarise(&self, emission: &mut Emission, start: usize, count: usize) {
        let Some(written) = self.written.get(&(start, count)) else { return };
        let Some(Written { text, dropped }) = written.clone() else {
            let reason = if count == 1 { Reason::SingleReverted } else { Reason::MergeReverted };
            return (start..start + count).for_each(|index| self.keep(emission, index, reason));
        };
        emission.statistics.messages_compressed += count;
        let reason = match (dropped, count) {
            (Some(score), _) => Reason::RelevanceDropped(score),
            (None, 1) => Reason::CompressibleProse,
            (None, _) => Reason::MergedCompressed,
        };
        emission.statistics.messages_relevance_dropped += if dropped.is_some() { count } else { 0 };
        let output = self.output(start, count, text, reason);
        for index in start..start + count {
            self.trace(emission, index, Action::Compressed, reason, output.share());
        }
        emission.outputs.push(output);
    }

    fn join(&self, emission: &mut Emission, Join { start, count, reason, text }: &Join) {
        let output = self.output(*start, *count, text.clone(), *reason);
        emission.statistics.messages_compressed += count;
        for index in *start..start + count {
            self.trace(emission, index, Action::Compressed, *reason, output.share());
        }
        emission.outputs.push(output);
    }
}
