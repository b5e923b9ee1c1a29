//! Writing what stands for each message, by its route.

use std::sync::Arc;

use super::decisions::{Action, Decision, Reason};
use super::engine::Engine;
use super::route::Route;
use crate::dedup::Duplicate;
use crate::summarize::{
    Wrapping, excerpt, fences, is_structured, round, structured_summary, summary_budget, wrap, wrap_entity_cap,
};
use crate::text::{Text, TextBuf};

/// A message of the result.
#[derive(Clone, Debug)]
pub struct Output {
    /// Position of the first input message that it stands for.
    pub start: usize,
    /// How many successive input messages it stands for.
    pub count: usize,
    /// Its text; `None` where it is the input message itself.
    pub text: Option<Arc<TextBuf>>,
    /// The hash of the ids that it stands for, where it has a text of its own.
    pub ids_hash: u32,
    /// Length of its text in UTF-16 code units.
    length: usize,
}

impl Output {
    /// Length of its text in UTF-16 code units.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The same message with another text.
    pub(super) fn with_text(&self, text: Arc<TextBuf>, ids_hash: u32) -> Self {
        Output { length: text.len(), text: Some(text), ids_hash, ..*self }
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
    /// Texts whose summary is missing. Unless empty, the rest is unfinished.
    pub requests: Vec<Arc<TextBuf>>,
}

/// A text written once per call, or the finding that nothing shorter could be.
pub(super) type Written = Option<Arc<TextBuf>>;

impl Engine {
    pub(super) fn emit(&mut self, routes: &[Route]) -> Emission {
        let mut emission = Emission::default();
        let mut index = 0;
        while index < routes.len() {
            index += match routes[index] {
                Route::Preserve(reason) => {
                    self.keep(&mut emission, index, reason);
                    1
                }
                Route::Duplicate(duplicate) => {
                    self.refer(&mut emission, index, duplicate);
                    1
                }
                Route::SplitCode => {
                    self.split_code(&mut emission, index);
                    1
                }
                Route::Summarise => {
                    let count = self.group_length(routes, index);
                    self.summarise(&mut emission, index, count);
                    count
                }
            };
        }
        emission
    }

    fn keep(&self, emission: &mut Emission, index: usize, reason: Reason) {
        let length = self.conversation.text(index).len();
        emission.outputs.push(Output { start: index, count: 1, text: None, ids_hash: 0, length });
        emission.preserved += 1;
        match reason {
            Reason::Pattern(_) => emission.pattern_preserved += 1,
            Reason::LlmPreserved => emission.llm_preserved += 1,
            _ => {}
        }
        self.trace(emission, index, Action::Preserved, reason, length);
    }

    fn output(&self, start: usize, count: usize, text: Arc<TextBuf>) -> Output {
        let ids_hash = self.conversation.ids_hash(start, count);
        Output { start, count, length: text.len(), text: Some(text), ids_hash }
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
        emission.outputs.push(self.output(index, 1, Arc::new(text)));
    }

    fn split_code(&mut self, emission: &mut Emission, index: usize) {
        let Some(written) = self.written(emission, index, 1, Self::write_code_split) else { return };
        let Some(text) = written else { return self.keep(emission, index, Reason::CodeSplitReverted) };
        emission.compressed += 1;
        self.trace(emission, index, Action::CodeSplit, Reason::CodeSplit, text.len());
        emission.outputs.push(self.output(index, 1, text));
    }

    fn summarise(&mut self, emission: &mut Emission, start: usize, count: usize) {
        let Some(written) = self.written(emission, start, count, Self::write_summary) else { return };
        let Some(text) = written else {
            let reason = if count == 1 { Reason::SingleReverted } else { Reason::MergeReverted };
            return (start..start + count).for_each(|index| self.keep(emission, index, reason));
        };
        emission.compressed += count;
        let (reason, share) = match count {
            1 => (Reason::CompressibleProse, text.len()),
            _ => (Reason::MergedCompressed, round(text.len() as f64 / count as f64) as usize),
        };
        for index in start..start + count {
            self.trace(emission, index, Action::Compressed, reason, share);
        }
        emission.outputs.push(self.output(start, count, text));
    }

    /// How many messages from `start` on one summary may stand for.
    fn group_length(&self, routes: &[Route], start: usize) -> usize {
        let first = self.conversation.message(start);
        if first.answers_tool_call {
            return 1;
        }
        let joins = |index: &usize| {
            let message = self.conversation.message(*index);
            routes[*index] == Route::Summarise && message.role == first.role && !message.answers_tool_call
        };
        (start..routes.len()).take_while(joins).count()
    }

    /// What `write` makes of the messages `start..start + count`, made once per call; `None` while a summary that it
    /// needs is missing.
    fn written(
        &mut self,
        emission: &mut Emission,
        start: usize,
        count: usize,
        write: fn(&mut Self, &mut Emission, usize, usize) -> Option<Written>,
    ) -> Option<Written> {
        if let Some(written) = self.written_before.get(&(start, count)) {
            return Some(written.clone());
        }
        let written = write(self, emission, start, count)?;
        self.written_before.insert((start, count), written.clone());
        Some(written)
    }

    fn write_code_split(&mut self, emission: &mut Emission, index: usize, count: usize) -> Option<Written> {
        let conversation = self.conversation.clone();
        let text = conversation.text(index);
        let segments = fences::segments(text.bytes());
        let prose = segments.prose_text(text);
        let inner = self.summary_of(emission, prose.as_text())?;
        let id = self.embedded_id(index, count);
        let mut split = wrap(inner.as_text(), Wrapping { id: id.as_deref(), merged: 1 }, None);
        if segments.code.is_empty() {
            split.push_str("\n\n");
        }
        for (start, end) in segments.code {
            split.push_str("\n\n");
            split.push(text.slice(start..end));
        }
        Some((split.len() < text.len()).then(|| Arc::new(split)))
    }

    fn write_summary(&mut self, emission: &mut Emission, start: usize, count: usize) -> Option<Written> {
        let conversation = self.conversation.clone();
        let texts = || (start..start + count).map(|index| conversation.text(index));
        let total: usize = texts().map(Text::len).sum();
        let mut joined = TextBuf::new();
        let all = if count == 1 {
            conversation.text(start)
        } else {
            joined.reserve(total + count);
            for (position, text) in texts().enumerate() {
                joined.push_str(if position == 0 { "" } else { " " });
                joined.push(text);
            }
            joined.as_text()
        };
        let inner = if is_structured(all.bytes()) {
            Arc::new(structured_summary(all, summary_budget(all.len())))
        } else {
            self.summary_of(emission, all)?
        };
        let id = self.embedded_id(start, count);
        let wrapping = Wrapping { id: id.as_deref(), merged: count };
        let entities = self.entity_list(start, count, all);
        let mut wrapped = wrap(inner.as_text(), wrapping, Some(entities.as_text()));
        if wrapped.len() >= total {
            wrapped = wrap(inner.as_text(), wrapping, None);
        }
        Some((wrapped.len() < total).then(|| Arc::new(wrapped)))
    }

    fn embedded_id(&self, start: usize, count: usize) -> Option<String> {
        self.options.embed_summary_id.then(|| self.conversation.summary_id(start, count))
    }

    /// The summary of `prose`: the one that the caller brought, if there is a good one, else the engine's own. `None`
    /// while the caller's is missing; the emission then asks for it.
    fn summary_of(&mut self, emission: &mut Emission, prose: Text<'_>) -> Option<Arc<TextBuf>> {
        if self.options.has_summarizer {
            let prose = TextBuf::from(prose);
            match self.answers.get(&prose) {
                Some(Some(answer)) => return Some(answer.clone()),
                Some(None) => {}
                None => {
                    emission.requests.push(Arc::new(prose));
                    return None;
                }
            }
        }
        let scanned = self.scratch.scan(prose.bytes());
        Some(Arc::new(excerpt(prose, scanned, summary_budget(prose.len()))))
    }

    /// The entities that the summary of the messages `start..start + count` lists, joined; `all` is their text.
    fn entity_list(&mut self, start: usize, count: usize, all: Text<'_>) -> TextBuf {
        let limit = wrap_entity_cap(all.len());
        // A list with a smaller limit is the beginning of one with a larger.
        let listing = if count == 1 {
            self.traits[start].entities
        } else {
            self.entities.list(all, self.scratch.scan(all.bytes()), limit)
        };
        let mut joined = TextBuf::new();
        for (position, id) in self.entities.listed(listing).iter().take(limit).enumerate() {
            joined.push_str(if position == 0 { "" } else { ", " });
            joined.push(self.entities.name(*id));
        }
        joined
    }
}
