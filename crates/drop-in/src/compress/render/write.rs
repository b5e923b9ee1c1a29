//! Writes the texts that replace messages.
//!
//! Each text depends on the messages that it replaces and on no other written text, so they are written in pieces on several
//! threads.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::condense::{Condensing, ProseMemory, condense, summarise_prose};
use super::context::Context;
use crate::classify::Hit;
use crate::compress::answers::Request;
use crate::compress::facts::Facts;
use crate::contradiction::Signal;
use crate::quality::{ENTITY_LIMIT, EntityRange, EntityTable};
use crate::summarize::{
    Depth, ScoreSignal, ScoreSignalsSlice, Wrapping, add_emphasis, best_sentence_score_of, fences, is_structured,
    structured_summary, wrap, wrap_entity_cap,
};
use palimpsest_text::class::{DIGIT, LETTER, LOWER, SPACE, UPPER, is};
use palimpsest_text::masks::{Scanned, Scratch};
use palimpsest_text::{SharedText, Text, TextBuf, Texts};

/// Successive messages that one text is to replace, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment {
    /// Index of the first message.
    pub start: usize,
    /// Number of messages.
    pub count: usize,
    /// The kind of text to write.
    pub task: Task,
}

/// Kind of text that is written for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Task {
    /// A summary.
    Summarise,
    /// A summary of the prose, and the code as it is.
    SplitCode,
    /// A reference to the message at this position, which supersedes it, and a summary.
    Refer(usize, Signal),
}

/// A text of the result.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub text: SharedText,
    /// Score of the best sentence, if it was too low and nothing was summarised.
    pub dropped: Option<i32>,
}

/// The texts written so far, by the messages `(start, count)` that each replaces; `None` if none was shorter.
pub(crate) type WrittenTexts = FxHashMap<(usize, usize), Option<Written>>;

/// A text that a [`Writer`] has written.
pub(crate) struct Writing {
    /// Its number among the writer's texts.
    pub number: u32,
    /// See [`Written::dropped`].
    pub dropped: Option<i32>,
}

/// Writes one text after the other.
pub(crate) struct Writer<'a> {
    context: Context<'a>,
    written: Texts,
    memory: Box<Memory>,
}

thread_local! {
    /// The memory of the last writer of this thread, if it was small: with a short conversation, asking for it anew would take a
    /// tenth of a call.
    static KEPT: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

/// Maximum length of a text, in UTF-16 code units, after which memory is kept for the next call: it takes some ten bytes for each unit.
const MAX_KEPT: usize = 32 * 1024;
/// Maximum number of distinct entities after which it is kept.
const MAX_KEPT_ENTITIES: usize = 1024;
/// Length of what stands around a summary, and of the shortest summary, in UTF-16 code units.
const WRAPPING: usize = 300;

/// Reusable memory.
#[derive(Default)]
struct Memory {
    scratch: Scratch,
    points: Vec<ScoreSignal>,
    emphasis: Vec<Hit>,
    condensing: Condensing,
    table: EntityTable,
    prose: ProseMemory,
    joined: TextBuf,
    summary: TextBuf,
    entities: TextBuf,
    wrapped: TextBuf,
    dropped: Option<i32>,
    /// Length of the longest text that was read with it, in UTF-16 code units.
    longest: usize,
}

impl<'a> Writer<'a> {
    /// A writer of `count` texts for messages of `units` UTF-16 code units in total.
    pub(crate) fn new(context: Context<'a>, count: usize, units: usize) -> Self {
        // What summaries usually take. Memory that grows is copied, to pages that the system has to clear.
        let room = (units / 3 + WRAPPING * count).min(units);
        Writer { context, written: Texts::with_capacity(count, room), memory: KEPT.take().unwrap_or_default() }
    }

    pub(crate) fn into_written(self) -> Texts {
        let Writer { written, mut memory, .. } = self;
        if memory.longest <= MAX_KEPT && memory.table.len() + memory.prose.entities() <= MAX_KEPT_ENTITIES {
            memory.table.clear();
            memory.prose.forget();
            KEPT.set(Some(memory));
        }
        written
    }

    /// Writes the text of an assignment. Returns `None` if it would not be shorter than the messages.
    ///
    /// # Errors
    /// If the caller has to bring a summary or scores first.
    pub(crate) fn write(&mut self, assignment: Assignment) -> Result<Option<Writing>, Request> {
        let Writer { context, written, memory } = self;
        let Assignment { start, count, .. } = assignment;
        memory.dropped = None;
        memory.longest = memory.longest.max(context.facts.length(start, count));
        let is_shorter = match assignment.task {
            Task::Summarise => context.summarise(assignment, memory),
            Task::SplitCode => context.split_code(assignment.start, memory),
            Task::Refer(later, signal) => context.refer(assignment, (later, signal), memory),
        }?;
        Ok(is_shorter.then(|| {
            written.push(memory.wrapped.as_text());
            Writing { number: written.len() as u32 - 1, dropped: memory.dropped }
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
            scratch, points, emphasis, condensing, table, joined, summary, entities, wrapped, dropped, ..
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
        // Summaries of other depths depend on the number of entities.
        let limit = if depth == Depth::Gentle { wrap_entity_cap(all.len()) } else { ENTITY_LIMIT };
        points.clear();
        let listed = table.list(all, scanned, limit, wants_signals.then_some(&mut *points));
        let signals = wants_signals
            .then(|| ScoreSignalsSlice { points, emphasis: self.emphasis_of(assignment, is_clean, scanned, emphasis) });
        if let (Some(threshold), Some(signals)) = (relevance_threshold, signals) {
            let score = best_sentence_score_of(scanned, signals);
            omission(count, wrapped);
            if f64::from(score) < threshold && wrapped.len() < total {
                *dropped = Some(score);
                return Ok(true);
            }
        }
        let budget = || depth.summary_budget(all.len(), || listed.len());
        match signals {
            _ if depth == Depth::Aggressive => {
                push_names(table, listed, STUB_ENTITIES, summary);
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
        push_names(table, listed, wrap_entity_cap(all.len()), entities);
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
        let Memory { scratch, points, emphasis, condensing, table, summary, wrapped, .. } = memory;
        let transcript = &self.facts.transcript;
        let text = transcript.text(assignment.start);
        let scanned = scratch.scan(text.bytes());
        points.clear();
        let listed = table.list(text, scanned, ENTITY_LIMIT, Some(points));
        let budget = self.depth.summary_budget(text.len(), || listed.len());
        let emphasis = self.emphasis_of(assignment, true, scanned, emphasis);
        let signals = ScoreSignalsSlice { points, emphasis };
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

    /// Returns the phrases that raise the score of their sentence in the text of an assignment: known ones of its messages, or
    /// those read from the joined text into `memory`.
    fn emphasis_of<'m>(
        self,
        Assignment { start, count, .. }: Assignment,
        is_clean: bool,
        all: Scanned<'_>,
        memory: &'m mut Vec<Hit>,
    ) -> &'m [Hit]
    where
        'a: 'm,
    {
        let Facts { texts, transcript, .. } = self.facts;
        if is_clean && texts.knows_emphasis(transcript, start, count) {
            return texts.joined_emphasis(transcript, start, count, memory);
        }
        memory.clear();
        add_emphasis(all, memory);
        memory
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

/// Writes the first `limit` entities of a listing into `list`.
fn push_names(table: &EntityTable, listed: EntityRange, limit: usize, list: &mut TextBuf) {
    list.clear();
    for (position, id) in table.listed(listed).iter().take(limit).enumerate() {
        list.push_str(if position == 0 { "" } else { ", " });
        list.push(table.name(*id));
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
