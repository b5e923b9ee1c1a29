//! Writing the texts that stand for messages.
//!
//! Each depends on the messages that it stands for and on nothing else that is written, so they are written in parts.

use super::condense::{Condensing, Request};
use super::engine::Engine;
use crate::contradiction::Signal;
use crate::quality::{EntityId, EntityTable, Traits};
use crate::summarize::entities::EntityScanner;
use crate::summarize::{
    Depth, ScoreSignals, ScoreSignalsSlice, Wrapping, best_sentence_score_of, fences, is_structured,
    structured_summary, wrap, wrap_entity_cap,
};
use crate::text::class::{DIGIT, LETTER, LOWER, SPACE, UPPER, is};
use crate::text::masks::{Scanned, Scratch};
use crate::text::{SharedText, Text, TextBuf, Texts};

/// Successive messages that one text is to stand for, and how it is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// Position of the first message.
    pub start: usize,
    /// How many there are.
    pub count: usize,
    /// What is to be written.
    pub task: Task,
}

/// What is to be written for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// A summary.
    Summarise,
    /// A summary of the prose, and the code as it is.
    SplitCode,
    /// A reference to the message at this position, which supersedes it, and a summary.
    Refer(usize, Signal),
}

/// A text of the result and its traits.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: SharedText,
    /// Its traits.
    pub traits: Traits,
    /// The score of the best sentence, where that was too little and nothing was summarised.
    pub dropped: Option<i32>,
}

/// A text that a [`Writer`] has written.
pub struct Writing {
    /// Its number among those texts.
    pub number: u32,
    /// Its traits; their entities are in the writer's table.
    pub traits: Traits,
    /// See [`Written::dropped`].
    pub dropped: Option<i32>,
}

/// Writes texts for an engine that doesn't change meanwhile.
pub struct Writer<'a> {
    engine: &'a Engine,
    written: Texts,
    /// The entities of what was written.
    written_entities: EntityTable,
    memory: Memory,
}

/// What one text after the other is written with.
#[derive(Default)]
struct Memory {
    scratch: Scratch,
    signs: ScoreSignals,
    passes: EntityScanner,
    condensing: Condensing,
    table: EntityTable,
    joined: TextBuf,
    summary: TextBuf,
    entities: TextBuf,
    wrapped: TextBuf,
    dropped: Option<i32>,
}

impl<'a> Writer<'a> {
    /// A writer that has written nothing yet.
    pub fn new(engine: &'a Engine) -> Self {
        Writer {
            engine,
            written: Texts::default(),
            written_entities: EntityTable::default(),
            memory: Memory::default(),
        }
    }

    /// What was written, and its entities.
    pub fn into_written(self) -> (Texts, EntityTable) {
        (self.written, self.written_entities)
    }

    /// Does what `assignment` says. There is no text where none would be shorter than what it stands for.
    pub fn write(&mut self, assignment: Assignment) -> Result<Option<Writing>, Request> {
        let mut memory = std::mem::take(&mut self.memory);
        memory.dropped = None;
        let is_shorter = match assignment.task {
            Task::Summarise => self.summarise(assignment, &mut memory),
            Task::SplitCode => self.split_code(assignment.start, &mut memory),
            Task::Refer(later, signal) => self.refer(assignment, (later, signal), &mut memory),
        };
        let writing = is_shorter.map(|is_shorter| {
            is_shorter.then(|| {
                let text = memory.wrapped.as_text();
                let scanned = memory.scratch.scan(text.bytes());
                let traits = Traits::of(text, scanned, &mut self.written_entities, None);
                self.written.push(text);
                Writing { number: self.written.len() as u32 - 1, traits, dropped: memory.dropped }
            })
        });
        self.memory = memory;
        writing
    }

    /// Wraps a summary of the prose of a message and its code, and tells whether that is shorter.
    fn split_code(&self, index: usize, memory: &mut Memory) -> Result<bool, Request> {
        let text = self.engine.conversation.text(index);
        let segments = fences::segments(text.bytes());
        let prose = segments.prose_text(text);
        self.summarise_prose(prose.as_text(), memory)?;
        let Memory { summary, wrapped, .. } = memory;
        let id = self.embedded_id(index, 1);
        wrap(summary.as_text(), Wrapping { id: id.as_deref(), merged: 1 }, None, wrapped);
        if segments.code.is_empty() {
            wrapped.push_str("\n\n");
        }
        for (start, end) in segments.code {
            wrapped.push_str("\n\n");
            wrapped.push(text.slice(start..end));
        }
        Ok(wrapped.len() < text.len())
    }

    /// The summary of prose that stands in no message as a whole.
    pub fn prose_summary(&mut self, prose: Text<'_>) -> Result<TextBuf, Request> {
        let mut memory = std::mem::take(&mut self.memory);
        let summarised = self.summarise_prose(prose, &mut memory);
        let summary = std::mem::take(&mut memory.summary);
        self.memory = memory;
        summarised.map(|()| summary)
    }

    /// Leaves the summary of `prose` in the memory.
    fn summarise_prose(&self, prose: Text<'_>, memory: &mut Memory) -> Result<(), Request> {
        let Memory { scratch, signs, passes, condensing, table, summary, .. } = memory;
        let scanned = scratch.scan(prose.bytes());
        let budget = self.engine.depth.summary_budget(prose.len(), || table.count(prose, scanned));
        signs.read(scanned, passes);
        self.engine.condense(prose, scanned, signs.as_slice(), budget, condensing, summary)
    }

    /// Wraps a summary of messages, and tells whether it is shorter.
    fn summarise(&self, assignment: Assignment, memory: &mut Memory) -> Result<bool, Request> {
        let Memory { scratch, signs, passes, condensing, table, joined, summary, entities, wrapped, dropped } = memory;
        let Assignment { start, count, .. } = assignment;
        let depth = self.engine.depth;
        let conversation = &self.engine.conversation;
        let texts = || (start..start + count).map(|index| conversation.text(index));
        let total: usize = texts().map(Text::len).sum();
        let all = if count == 1 {
            conversation.text(start)
        } else {
            joined.clear();
            joined.reserve(total + count);
            for (position, text) in texts().enumerate() {
                joined.push_str(if position == 0 { "" } else { " " });
                joined.push(text);
            }
            joined.as_text()
        };
        let scanned = scratch.scan(all.bytes());
        let is_clean = (start + 1..start + count).all(|next| self.is_cut_clean(next));
        let is_structured = depth < Depth::Aggressive && is_structured(scanned);
        let relevance_threshold = self.engine.options.relevance_threshold;
        let wants_signs = relevance_threshold.is_some() || depth < Depth::Aggressive && !is_structured;
        let signs = wants_signs.then(|| self.signs_of(assignment, is_clean, scanned, signs, passes));
        if let (Some(threshold), Some(signs)) = (relevance_threshold, signs) {
            let score = best_sentence_score_of(scanned, signs);
            omission(count, wrapped);
            if f64::from(score) < threshold && wrapped.len() < total {
                *dropped = Some(score);
                return Ok(true);
            }
        }
        let mut budget = || depth.summary_budget(all.len(), || table.count(all, scanned));
        match signs {
            _ if depth == Depth::Aggressive => {
                self.list_entities(assignment, is_clean, all, scanned, STUB_ENTITIES, summary);
                if summary.is_empty() {
                    summary.push(all.prefix(STUB_LENGTH).trim());
                    summary.push_str("...");
                }
            }
            Some(signs) if !is_structured => {
                self.engine.condense(all, scanned, signs, budget(), condensing, summary)?;
            }
            _ => *summary = structured_summary(all, scanned, budget()),
        }
        self.list_entities(assignment, is_clean, all, scanned, wrap_entity_cap(all.len()), entities);
        let id = self.embedded_id(start, count);
        let wrapping = Wrapping { id: id.as_deref(), merged: count };
        wrap(summary.as_text(), wrapping, Some(entities.as_text()), wrapped);
        if wrapped.len() >= total {
            wrap(summary.as_text(), wrapping, None, wrapped);
        }
        Ok(wrapped.len() < total)
    }

    /// Refers from a message to the one that supersedes it, with a summary if there is room for one, and tells whether
    /// that is shorter.
    fn refer(
        &self,
        assignment: Assignment,
        (later, signal): (usize, Signal),
        memory: &mut Memory,
    ) -> Result<bool, Request> {
        let Memory { scratch, signs, passes, condensing, table, summary, wrapped, .. } = memory;
        let conversation = &self.engine.conversation;
        let text = conversation.text(assignment.start);
        let scanned = scratch.scan(text.bytes());
        let budget = self.engine.depth.summary_budget(text.len(), || table.count(text, scanned));
        let signs = self.signs_of(assignment, true, scanned, signs, passes);
        self.engine.condense(text, scanned, signs, budget, condensing, summary)?;
        let mut write = |parts: [Text<'_>; 3]| {
            wrapped.clear();
            wrapped.push_str("[cce:superseded by ");
            wrapped.push(conversation.id(later));
            parts.into_iter().for_each(|part| wrapped.push(part));
            wrapped.push_str("]");
            wrapped.len() < text.len()
        };
        let dash = TextBuf::from(" \u{2014} ");
        let name = TextBuf::from(signal.name());
        let named = TextBuf::from(format!(" ({})", signal.name()).as_str());
        let is_shorter = write([named.as_text(), dash.as_text(), summary.as_text()])
            || write([dash.as_text(), name.as_text(), Text::default()]);
        Ok(is_shorter)
    }

    /// What raises the scores of the sentences in the text of an assignment: known from reading its messages, or read from
    /// the joined text, with the memory of `signs`.
    fn signs_of<'m>(
        &'m self,
        Assignment { start, count, .. }: Assignment,
        is_clean: bool,
        all: Scanned<'_>,
        signs: &'m mut ScoreSignals,
        passes: &mut EntityScanner,
    ) -> ScoreSignalsSlice<'m> {
        if is_clean && self.engine.signs.are_known(start, count) {
            return self.engine.signs.joined(&self.engine.conversation, start, count, signs);
        }
        signs.read(all, passes);
        signs.as_slice()
    }

    fn embedded_id(&self, start: usize, count: usize) -> Option<String> {
        self.engine.options.embed_summary_id.then(|| self.engine.conversation.summary_id(start, count))
    }

    /// Makes `list` the first `limit` entities of the text of an assignment, `all`, joined.
    fn list_entities(
        &self,
        Assignment { start, count, .. }: Assignment,
        is_clean: bool,
        all: Text<'_>,
        scanned: Scanned<'_>,
        limit: usize,
        list: &mut TextBuf,
    ) {
        list.clear();
        let mut push_all = |table: &EntityTable, ids: &[EntityId]| {
            for (position, id) in ids.iter().take(limit).enumerate() {
                list.push_str(if position == 0 { "" } else { ", " });
                list.push(table.name(*id));
            }
        };
        let entities = &self.engine.entities;
        let traits = &self.engine.traits[start..start + count];
        if let [one] = traits {
            // A list with a smaller limit is the beginning of one with a larger.
            push_all(entities, entities.listed(one.entities));
        } else if is_clean {
            let listings: Vec<_> = traits.iter().map(|traits| traits.entities).collect();
            push_all(entities, &entities.join(&listings, limit));
        } else {
            let mut table = EntityTable::default();
            let listing = table.list(all, scanned, limit, None);
            push_all(&table, table.listed(listing));
        }
    }

    /// Whether no entity of the joined text can reach over the blank between the message at `next` and the one before it:
    /// that one ends neither in a word that a phrase could go on from, nor in a number that could have its unit here.
    fn is_cut_clean(&self, next: usize) -> bool {
        let bytes = |index: usize| self.engine.conversation.text(index).bytes();
        let is_filled = |byte: &&u8| !is(**byte, SPACE);
        match (bytes(next - 1).iter().rfind(is_filled), bytes(next).iter().find(is_filled)) {
            (Some(&last), Some(&first)) => {
                !(is(last, LOWER) && is(first, UPPER) || is(last, DIGIT) && (is(first, LETTER) || first == b'%'))
            }
            _ => false,
        }
    }
}

/// What an aggressive summary consists of: so many entities or, where there is none, so many units of the beginning.
const STUB_ENTITIES: usize = 10;
const STUB_LENGTH: usize = 40;

/// Makes `text` say that `count` messages were left out.
fn omission(count: usize, text: &mut TextBuf) {
    text.clear();
    let noun = if count == 1 { "message" } else { "messages" };
    text.push_str(&format!("[{count} {noun} of general discussion omitted]"));
}
