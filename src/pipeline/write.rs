//! Writing the texts that stand for messages.
//!
//! Each depends on the messages that it stands for and on nothing else that is written, so they are written in parts.

use std::collections::HashMap;
use std::sync::Arc;

use super::Options;
use super::analysis::SignsOfTexts;
use crate::message::Conversation;
use crate::quality::{EntityId, EntityTable, Listing, Traits};
use crate::summarize::entities::Passes;
use crate::summarize::{
    Excerpts, Signs, Wrapping, fences, is_structured, structured_summary, summary_budget, wrap, wrap_entity_cap,
};
use crate::text::class::{DIGIT, LETTER, LOWER, SPACE, UPPER, is};
use crate::text::masks::{Scanned, Scratch};
use crate::text::{Text, TextBuf};

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

/// A text written once per call, or the finding that none would be shorter than what it stands for.
pub type Written = Option<Writing>;

/// A text of the result and its traits.
#[derive(Clone, Debug)]
pub struct Writing {
    /// The text.
    pub text: Arc<TextBuf>,
    /// Its traits; their entities are in a table of written texts.
    pub traits: Traits,
}

/// The text whose summary the caller has to bring first.
pub type Request = Arc<TextBuf>;

/// The caller's summaries by text; `None` where it had none that is any good.
pub type Answers = HashMap<TextBuf, Option<Arc<TextBuf>>>;

/// All that writing reads, and the memory it works in.
pub struct Writer<'a> {
    conversation: &'a Conversation,
    options: &'a Options,
    answers: &'a Answers,
    traits: &'a [Traits],
    entities: &'a EntityTable,
    signs_of_texts: &'a SignsOfTexts,
    /// The entities of what was written.
    written_entities: EntityTable,
    scratch: Scratch,
    signs: Signs,
    passes: Passes,
    excerpts: Excerpts,
}

impl Writing {
    /// The same, where all listings of the table were moved by `count` places.
    pub fn moved_by(mut self, count: u32) -> Writing {
        self.traits.entities = self.traits.entities.moved_by(count);
        self
    }
}

impl<'a> Writer<'a> {
    /// A writer that has written nothing yet.
    pub fn new(
        conversation: &'a Conversation,
        options: &'a Options,
        answers: &'a Answers,
        traits: &'a [Traits],
        entities: &'a EntityTable,
        signs_of_texts: &'a SignsOfTexts,
    ) -> Self {
        Writer {
            conversation,
            options,
            answers,
            traits,
            entities,
            signs_of_texts,
            written_entities: EntityTable::default(),
            scratch: Scratch::default(),
            signs: Signs::default(),
            passes: Passes::default(),
            excerpts: Excerpts::default(),
        }
    }

    /// The entities of what was written.
    pub fn into_entities(self) -> EntityTable {
        self.written_entities
    }

    /// Does what `assignment` says.
    pub fn write(&mut self, assignment: Assignment) -> Result<Written, Request> {
        if assignment.keeps_code { self.split_code(assignment.start) } else { self.summarise(assignment) }
    }

    fn split_code(&mut self, index: usize) -> Result<Written, Request> {
        let text = self.conversation.text(index);
        let segments = fences::segments(text.bytes());
        let prose = segments.prose_text(text);
        let mut scratch = std::mem::take(&mut self.scratch);
        let inner = self.summary_of(prose.as_text(), scratch.scan(prose.as_text().bytes()), None);
        self.scratch = scratch;
        let inner = inner?;
        let id = self.embedded_id(index, 1);
        let mut split = wrap(inner.as_text(), Wrapping { id: id.as_deref(), merged: 1 }, None);
        if segments.code.is_empty() {
            split.push_str("\n\n");
        }
        for (start, end) in segments.code {
            split.push_str("\n\n");
            split.push(text.slice(start..end));
        }
        Ok((split.len() < text.len()).then(|| self.written(split)))
    }

    fn summarise(&mut self, Assignment { start, count, .. }: Assignment) -> Result<Written, Request> {
        let conversation = self.conversation;
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
        let mut scratch = std::mem::take(&mut self.scratch);
        let scanned = scratch.scan(all.bytes());
        let is_clean = (start + 1..start + count).all(|next| self.is_cut_clean(next));
        let inner = if is_structured(scanned) {
            Ok(Arc::new(structured_summary(all, scanned, summary_budget(all.len()))))
        } else {
            self.summary_of(all, scanned, is_clean.then_some((start, count)))
        };
        let entities = self.entity_list(start, count, is_clean, all, scanned);
        self.scratch = scratch;
        let inner = inner?;
        let id = self.embedded_id(start, count);
        let wrapping = Wrapping { id: id.as_deref(), merged: count };
        let mut wrapped = wrap(inner.as_text(), wrapping, Some(entities.as_text()));
        if wrapped.len() >= total {
            wrapped = wrap(inner.as_text(), wrapping, None);
        }
        Ok((wrapped.len() < total).then(|| self.written(wrapped)))
    }

    /// A text that will be in the result, with its traits.
    fn written(&mut self, text: TextBuf) -> Writing {
        let scanned = self.scratch.scan(text.as_text().bytes());
        let traits = Traits::of(text.as_text(), scanned, &mut self.written_entities, None);
        Writing { text: Arc::new(text), traits }
    }

    fn embedded_id(&self, start: usize, count: usize) -> Option<String> {
        self.options.embed_summary_id.then(|| self.conversation.summary_id(start, count))
    }

    /// The summary of `prose`: the one that the caller brought, if there is a good one, else the engine's own. `from` are
    /// the messages, `start` and count, of which it is the joined text, cut clean.
    fn summary_of(
        &mut self,
        prose: Text<'_>,
        scanned: Scanned<'_>,
        from: Option<(usize, usize)>,
    ) -> Result<Arc<TextBuf>, Request> {
        if self.options.has_summarizer {
            let prose = TextBuf::from(prose);
            match self.answers.get(&prose) {
                Some(Some(answer)) => return Ok(answer.clone()),
                Some(None) => {}
                None => return Err(Arc::new(prose)),
            }
        }
        let budget = summary_budget(prose.len());
        let mut signs = std::mem::take(&mut self.signs);
        let (conversation, signs_of_texts) = (self.conversation, self.signs_of_texts);
        let known = from.and_then(|(start, count)| signs_of_texts.joined(conversation, start, count, &mut signs));
        let summary = match known {
            Some(known) => self.excerpts.write(prose, scanned, known, budget),
            None => {
                signs.read(scanned, &mut self.passes);
                self.excerpts.write(prose, scanned, signs.as_slice(), budget)
            }
        };
        self.signs = signs;
        Ok(Arc::new(summary))
    }

    /// The entities that the summary of the messages `start..start + count` lists, joined; `all` is their text.
    fn entity_list(
        &mut self,
        start: usize,
        count: usize,
        is_clean: bool,
        all: Text<'_>,
        scanned: Scanned<'_>,
    ) -> TextBuf {
        let limit = wrap_entity_cap(all.len());
        let listings: Vec<Listing> = self.traits[start..start + count].iter().map(|traits| traits.entities).collect();
        let mut list = TextBuf::new();
        let mut push_all = |table: &EntityTable, ids: &[EntityId]| {
            for (position, id) in ids.iter().enumerate() {
                list.push_str(if position == 0 { "" } else { ", " });
                list.push(table.name(*id));
            }
        };
        if is_clean {
            push_all(self.entities, &self.entities.join(&listings, limit));
        } else {
            let mut table = EntityTable::default();
            let listing = table.list(all, scanned, limit, None);
            push_all(&table, table.listed(listing));
        }
        list
    }

    /// Whether no entity of the joined text can reach over the blank between the message at `next` and the one before it:
    /// that one ends neither in a word that a phrase could go on from, nor in a number that could have its unit here.
    fn is_cut_clean(&self, next: usize) -> bool {
        let bytes = |index: usize| self.conversation.text(index).bytes();
        let is_filled = |byte: &&u8| !is(**byte, SPACE);
        match (bytes(next - 1).iter().rfind(is_filled), bytes(next).iter().find(is_filled)) {
            (Some(&last), Some(&first)) => {
                !(is(last, LOWER) && is(first, UPPER) || is(last, DIGIT) && (is(first, LETTER) || first == b'%'))
            }
            _ => false,
        }
    }
}
