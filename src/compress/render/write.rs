//! Writes the texts that replace messages.
//!
//! Each text depends on the messages that it replaces and on no other written text, so they are written in chunks on several
//! threads.

use rustc_hash::FxHashMap;

use super::condense::{Condensing, ProseMemory, condense, summarise_prose};
use super::context::Context;
use crate::compress::answers::Request;
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

/// Successive messages that one text is to replace, and how it is written.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// Index of the first message.
    pub start: usize,
    /// Number of messages.
    pub count: usize,
    /// The kind of text to write.
    pub task: Task,
}

/// Kind of text that is written for messages.
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
    /// Score of the best sentence, if it was too low and nothing was summarised.
    pub dropped: Option<i32>,
}

/// The texts written so far, by the messages `(start, count)` that each replaces; `None` if none was shorter.
pub type WrittenTexts = FxHashMap<(usize, usize), Option<Written>>;

/// A text that a [`Writer`] has written.
pub struct Writing {
    /// Its number among the writer's texts.
    pub number: u32,
    /// Its traits; their entities are in the writer's table.
    pub traits: Traits,
    /// See [`Written::dropped`].
    pub dropped: Option<i32>,
}

/// Writes one text after the other.
pub struct Writer<'a> {
    context: Context<'a>,
    written: Texts,
    /// Entities of the written texts.
    written_entities: EntityTable,
    memory: Memory,
}

/// Reusable memory.
#[derive(Default)]
struct Memory {
    scratch: Scratch,
    signals: ScoreSignals,
    scanner: EntityScanner,
    condensing: Condensing,
    table: EntityTable,
    prose: ProseMemory,
    joined: TextBuf,
    summary: TextBuf,
    entities: TextBuf,
    wrapped: TextBuf,
    dropped: Option<i32>,
}

impl<'a> Writer<'a> {
    /// A writer without texts.
    pub fn new(context: Context<'a>) -> Self {
        Writer {
            context,
            written: Texts::default(),
            written_entities: EntityTable::default(),
            memory: Memory::default(),
        }
    }

    /// Returns the written texts and their entities.
    pub fn into_written(self) -> (Texts, EntityTable) {
        (self.written, self.written_entities)
    }

    /// Writes the text of an assignment. Returns `None` if it would not be shorter than the messages.
    ///
    /// # Errors
    /// If the caller has to bring a summary or scores first.
    pub fn write(&mut self, assignment: Assignment) -> Result<Option<Writing>, Request> {
        let Writer { context, written, written_entities, memory } = self;
        memory.dropped = None;
        let is_shorter = match assignment.task {
            Task::Summarise => context.summarise(assignment, memory),
            Task::SplitCode => context.split_code(assignment.start, memory),
            Task::Refer(later, signal) => context.refer(assignment, (later, signal), memory),
        }?;
        Ok(is_shorter.then(|| {
            let text = memory.wrapped.as_text();
            let scanned = memory.scratch.scan(text.bytes());
            let traits = Traits::of(text, scanned, written_entities, None);
            written.push(text);
            Writing { number: written.len() as u32 - 1, traits, dropped: memory.dropped }
        }))
    }
}

impl<'a> Context<'a> {
    /// Wraps a summary of the prose of a message and its code, and returns whether the result is shorter.
    fn split_code(self, index: usize, memory: &mut Memory) -> Result<bool, Request> {
        let text = self.facts.text(index);
        let segments = fences::segments(text.bytes());
        let prose = segments.prose_text(text);
        let Memory { prose: prose_memory, summary, wrapped, .. } = memory;
        summarise_prose(self, prose.as_text(), prose_memory, summary)?;
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

    /// Wraps a summary of messages, and returns whether it is shorter.
    fn summarise(self, assignment: Assignment, memory: &mut Memory) -> Result<bool, Request> {
        let Memory {
            scratch, signals, scanner, condensing, table, joined, summary, entities, wrapped, dropped, ..
        } = memory;
        let Assignment { start, count, .. } = assignment;
        let depth = self.depth;
        let facts = self.facts;
        let texts = || (start..start + count).map(|index| facts.text(index));
        let total: usize = texts().map(Text::len).sum();
        let all = if count == 1 {
            facts.text(start)
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
        let relevance_threshold = self.options.relevance_threshold;
        let wants_signals = relevance_threshold.is_some() || depth < Depth::Aggressive && !is_structured;
        let signals = wants_signals.then(|| self.signals_of(assignment, is_clean, scanned, signals, scanner));
        if let (Some(threshold), Some(signals)) = (relevance_threshold, signals) {
            let score = best_sentence_score_of(scanned, signals);
            omission(count, wrapped);
            if f64::from(score) < threshold && wrapped.len() < total {
                *dropped = Some(score);
                return Ok(true);
            }
        }
        let mut budget = || depth.summary_budget(all.len(), || table.count(all, scanned));
        match signals {
            _ if depth == Depth::Aggressive => {
                self.list_entities(assignment, is_clean, all, scanned, STUB_ENTITIES, summary);
                if summary.is_empty() {
                    summary.push(all.prefix(STUB_LENGTH).trim());
                    summary.push_str("...");
                }
            }
            Some(signals) if !is_structured => {
                condense(self, all, scanned, signals, budget(), condensing, summary)?;
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

    /// Refers from a message to the one that supersedes it, with a summary if there is room for one, and returns whether
    /// the reference is shorter.
    fn refer(
        self,
        assignment: Assignment,
        (later, signal): (usize, Signal),
        memory: &mut Memory,
    ) -> Result<bool, Request> {
        let Memory { scratch, signals, scanner, condensing, table, summary, wrapped, .. } = memory;
        let transcript = &self.facts.transcript;
        let text = transcript.text(assignment.start);
        let scanned = scratch.scan(text.bytes());
        let budget = self.depth.summary_budget(text.len(), || table.count(text, scanned));
        let signals = self.signals_of(assignment, true, scanned, signals, scanner);
        condense(self, text, scanned, signals, budget, condensing, summary)?;
        let mut write = |parts: [Text<'_>; 3]| {
            wrapped.clear();
            wrapped.push_str("[cce:superseded by ");
            wrapped.push(transcript.id(later));
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

    /// Returns the score signals of the text of an assignment: known ones of its messages, or those read from the joined
    /// text into `signals`.
    fn signals_of<'m>(
        self,
        Assignment { start, count, .. }: Assignment,
        is_clean: bool,
        all: Scanned<'_>,
        signals: &'m mut ScoreSignals,
        scanner: &mut EntityScanner,
    ) -> ScoreSignalsSlice<'m>
    where
        'a: 'm,
    {
        let facts = self.facts;
        if is_clean && facts.texts.knows_signals(&facts.transcript, start, count) {
            return facts.texts.joined_signals(&facts.transcript, start, count, signals);
        }
        signals.read(all, scanner);
        signals.as_slice()
    }

    /// Lists in `list` the first `limit` entities of `all`, the text of an assignment.
    fn list_entities(
        self,
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
        let facts = self.facts;
        let entities = facts.texts.entities();
        let range = |index: usize| facts.texts.traits(facts.transcript.text_id(index)).entities;
        if count == 1 {
            // A list with a smaller limit is the beginning of one with a larger.
            push_all(entities, entities.listed(range(start)));
        } else if is_clean {
            let ranges: Vec<_> = (start..start + count).map(range).collect();
            push_all(entities, &entities.join(&ranges, limit));
        } else {
            let mut table = EntityTable::default();
            let range = table.list(all, scanned, limit, None);
            push_all(&table, table.listed(range));
        }
    }

    /// Returns whether no entity of the joined text can reach across the blank between the message at `next` and the one
    /// before it: that one ends neither in a word that could start a phrase, nor in a number whose measure could follow.
    fn is_cut_clean(self, next: usize) -> bool {
        let bytes = |index: usize| self.facts.text(index).bytes();
        let is_filled = |byte: &&u8| !is(**byte, SPACE);
        match (bytes(next - 1).iter().rfind(is_filled), bytes(next).iter().find(is_filled)) {
            (Some(&last), Some(&first)) => {
                !(is(last, LOWER) && is(first, UPPER) || is(last, DIGIT) && (is(first, LETTER) || first == b'%'))
            }
            _ => false,
        }
    }
}

/// Maximum entities of an aggressive summary.
const STUB_ENTITIES: usize = 10;
/// Length of the beginning that an aggressive summary without entities quotes, in UTF-16 code units.
const STUB_LENGTH: usize = 40;

/// Writes into `text` that `count` messages were omitted.
fn omission(count: usize, text: &mut TextBuf) {
    text.clear();
    let noun = if count == 1 { "message" } else { "messages" };
    text.push_str(&format!("[{count} {noun} of general discussion omitted]"));
}
