//! Writing the texts that stand for messages.
//!
//! Each depends on the messages that it stands for and on nothing else that is written, so they are written in parts.

use std::collections::HashMap;
use std::sync::Arc;

use super::engine::Engine;
use crate::discourse::Discourse;
use crate::quality::{EntityId, EntityTable, Traits};
use crate::summarize::entities::Passes;
use crate::summarize::{
    Excerpts, Signs, Wrapping, fences, is_structured, structured_summary, summary_budget, wrap, wrap_entity_cap,
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
    /// Whether the code in the message stays and only its prose is summarised.
    pub keeps_code: bool,
}

/// A text of the result and its traits.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: SharedText,
    /// Its traits.
    pub traits: Traits,
}

/// A text that a [`Writer`] has written.
pub struct Writing {
    /// Its number among those texts.
    pub number: u32,
    /// Its traits; their entities are in the writer's table.
    pub traits: Traits,
}

/// The text whose summary the caller has to bring first.
pub type Request = Arc<TextBuf>;

/// The caller's summaries by text; `None` where it had none that is any good.
pub type Answers = HashMap<TextBuf, Option<TextBuf>>;

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
    signs: Signs,
    passes: Passes,
    excerpts: Excerpts,
    discourse: Discourse,
    joined: TextBuf,
    summary: TextBuf,
    entities: TextBuf,
    wrapped: TextBuf,
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
        let is_shorter = if assignment.keeps_code {
            self.split_code(assignment.start, &mut memory)
        } else {
            self.summarise(assignment, &mut memory)
        };
        let writing = is_shorter.map(|is_shorter| {
            is_shorter.then(|| {
                let text = memory.wrapped.as_text();
                let scanned = memory.scratch.scan(text.bytes());
                let traits = Traits::of(text, scanned, &mut self.written_entities, None);
                self.written.push(text);
                Writing { number: self.written.len() as u32 - 1, traits }
            })
        });
        self.memory = memory;
        writing
    }

    /// Wraps a summary of the prose of a message and its code, and tells whether that is shorter.
    fn split_code(&self, index: usize, memory: &mut Memory) -> Result<bool, Request> {
        let Memory { scratch, signs, passes, excerpts, discourse, summary, wrapped, .. } = memory;
        let text = self.engine.conversation.text(index);
        let segments = fences::segments(text.bytes());
        let prose = segments.prose_text(text);
        if !self.answered(prose.as_text(), summary)? {
            let scanned = scratch.scan(prose.as_text().bytes());
            let budget = summary_budget(prose.len());
            if self.is_discourse_aware() {
                discourse.write(prose.as_text(), scanned, budget as f64, summary);
            } else {
                signs.read(scanned, passes);
                excerpts.write(prose.as_text(), scanned, signs.as_slice(), budget, summary);
            }
        }
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

    /// Wraps a summary of messages, and tells whether it is shorter.
    fn summarise(&self, assignment: Assignment, memory: &mut Memory) -> Result<bool, Request> {
        let Memory { scratch, signs, passes, excerpts, discourse, joined, summary, entities, wrapped } = memory;
        let Assignment { start, count, .. } = assignment;
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
        let budget = summary_budget(all.len());
        let is_clean = (start + 1..start + count).all(|next| self.is_cut_clean(next));
        if is_structured(scanned) {
            *summary = structured_summary(all, scanned, budget);
        } else if self.is_discourse_aware() {
            discourse.write(all, scanned, budget as f64, summary);
        } else if !self.answered(all, summary)? {
            let known = if is_clean { self.engine.signs.joined(conversation, start, count, signs) } else { None };
            match known {
                Some(known) => excerpts.write(all, scanned, known, budget, summary),
                None => {
                    signs.read(scanned, passes);
                    excerpts.write(all, scanned, signs.as_slice(), budget, summary);
                }
            }
        }
        self.list_entities(assignment, is_clean, all, scanned, entities);
        let id = self.embedded_id(start, count);
        let wrapping = Wrapping { id: id.as_deref(), merged: count };
        wrap(summary.as_text(), wrapping, Some(entities.as_text()), wrapped);
        if wrapped.len() >= total {
            wrap(summary.as_text(), wrapping, None, wrapped);
        }
        Ok(wrapped.len() < total)
    }

    /// Whether summaries are made of clauses: unless the caller makes them.
    fn is_discourse_aware(&self) -> bool {
        self.engine.options.discourse_aware && !self.engine.options.has_summarizer
    }

    fn embedded_id(&self, start: usize, count: usize) -> Option<String> {
        self.engine.options.embed_summary_id.then(|| self.engine.conversation.summary_id(start, count))
    }

    /// Makes `summary` the one that the caller brought for `prose`, and tells whether there is a good one.
    fn answered(&self, prose: Text<'_>, summary: &mut TextBuf) -> Result<bool, Request> {
        if !self.engine.options.has_summarizer {
            return Ok(false);
        }
        let prose = TextBuf::from(prose);
        match self.engine.answers.get(&prose) {
            Some(Some(answer)) => {
                answer.clone_into(summary);
                Ok(true)
            }
            Some(None) => Ok(false),
            None => Err(Arc::new(prose)),
        }
    }

    /// Makes `list` the entities that the summary lists, joined; `all` is the text that it is of.
    fn list_entities(
        &self,
        Assignment { start, count, .. }: Assignment,
        is_clean: bool,
        all: Text<'_>,
        scanned: Scanned<'_>,
        list: &mut TextBuf,
    ) {
        list.clear();
        let limit = wrap_entity_cap(all.len());
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
