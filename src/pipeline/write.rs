//! Writing the texts that stand for messages.
//!
//! Each depends on the messages that it stands for and on nothing else that is written, so they are written in parts.

use std::collections::HashMap;
use std::sync::Arc;

use super::Options;
use crate::message::Conversation;
use crate::quality::{EntityTable, Traits};
use crate::summarize::{
    Excerpts, Wrapping, fences, is_structured, structured_summary, summary_budget, wrap, wrap_entity_cap,
};
use crate::text::masks::Scratch;
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
pub type Written = Option<Arc<TextBuf>>;

/// The text whose summary the caller has to bring first.
pub type Request = Arc<TextBuf>;

/// The caller's summaries by text; `None` where it had none that is any good.
pub type Answers = HashMap<TextBuf, Option<Arc<TextBuf>>>;

/// All that writing reads, and the memory it works in.
pub struct Writer<'a> {
    pub conversation: &'a Conversation,
    pub options: &'a Options,
    pub answers: &'a Answers,
    pub traits: &'a [Traits],
    pub entities: &'a EntityTable,
    /// The entities of texts that are not those of one message.
    pub joined_entities: EntityTable,
    pub scratch: Scratch,
    pub excerpts: Excerpts,
}

impl Writer<'_> {
    /// Does what `assignment` says.
    pub fn write(&mut self, assignment: Assignment) -> Result<Written, Request> {
        if assignment.keeps_code { self.split_code(assignment.start) } else { self.summarise(assignment) }
    }

    fn split_code(&mut self, index: usize) -> Result<Written, Request> {
        let text = self.conversation.text(index);
        let segments = fences::segments(text.bytes());
        let inner = self.summary_of(segments.prose_text(text).as_text())?;
        let id = self.embedded_id(index, 1);
        let mut split = wrap(inner.as_text(), Wrapping { id: id.as_deref(), merged: 1 }, None);
        if segments.code.is_empty() {
            split.push_str("\n\n");
        }
        for (start, end) in segments.code {
            split.push_str("\n\n");
            split.push(text.slice(start..end));
        }
        Ok((split.len() < text.len()).then(|| Arc::new(split)))
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
        let inner = if is_structured(all.bytes()) {
            Arc::new(structured_summary(all, summary_budget(all.len())))
        } else {
            self.summary_of(all)?
        };
        let id = self.embedded_id(start, count);
        let wrapping = Wrapping { id: id.as_deref(), merged: count };
        let entities = self.entity_list(start, count, all);
        let mut wrapped = wrap(inner.as_text(), wrapping, Some(entities.as_text()));
        if wrapped.len() >= total {
            wrapped = wrap(inner.as_text(), wrapping, None);
        }
        Ok((wrapped.len() < total).then(|| Arc::new(wrapped)))
    }

    fn embedded_id(&self, start: usize, count: usize) -> Option<String> {
        self.options.embed_summary_id.then(|| self.conversation.summary_id(start, count))
    }

    /// The summary of `prose`: the one that the caller brought, if there is a good one, else the engine's own.
    fn summary_of(&mut self, prose: Text<'_>) -> Result<Arc<TextBuf>, Request> {
        if self.options.has_summarizer {
            let prose = TextBuf::from(prose);
            match self.answers.get(&prose) {
                Some(Some(answer)) => return Ok(answer.clone()),
                Some(None) => {}
                None => return Err(Arc::new(prose)),
            }
        }
        let scanned = self.scratch.scan(prose.bytes());
        Ok(Arc::new(self.excerpts.write(prose, scanned, summary_budget(prose.len()))))
    }

    /// The entities that the summary of the messages `start..start + count` lists, joined; `all` is their text.
    fn entity_list(&mut self, start: usize, count: usize, all: Text<'_>) -> TextBuf {
        let limit = wrap_entity_cap(all.len());
        let (table, listing) = if count == 1 {
            // A list with a smaller limit is the beginning of one with a larger.
            (self.entities, self.traits[start].entities)
        } else {
            let listing = self.joined_entities.list(all, self.scratch.scan(all.bytes()), limit);
            (&self.joined_entities, listing)
        };
        let mut joined = TextBuf::new();
        for (position, id) in table.listed(listing).iter().take(limit).enumerate() {
            joined.push_str(if position == 0 { "" } else { ", " });
            joined.push(table.name(*id));
        }
        joined
    }
}
