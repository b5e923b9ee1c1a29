//! Chooses a summary: the caller's, or an extractive one (optionally by the caller's scores).

use std::sync::Arc;

use super::context::Context;
use crate::compress::answers::{Request, Sentences};
use crate::discourse::Discourse;
use crate::quality::EntityTable;
use crate::summarize::entities::EntityScanner;
use crate::summarize::{Excerpts, ScoreSignals, ScoreSignalsSlice};
use palimpsest_text::masks::{Scanned, Scratch};
use palimpsest_text::{Text, TextBuf};

/// Reusable memory for summaries.
#[derive(Default)]
pub(super) struct Condensing {
    excerpts: Excerpts,
    discourse: Discourse,
}

/// Writes a summary of `prose` into `summary`, of at most `budget` units unless it is the caller's. `scanned` holds the masks
/// of `prose`, `signals` its score signals.
///
/// # Errors
/// If the caller has to bring a summary or scores first.
pub(super) fn condense(
    context: Context<'_>,
    prose: Text<'_>,
    scanned: Scanned<'_>,
    signals: ScoreSignalsSlice<'_>,
    budget: usize,
    Condensing { excerpts, discourse }: &mut Condensing,
    summary: &mut TextBuf,
) -> Result<(), Request> {
    if let Some(answer) = summary_of(context, prose)? {
        answer.clone_into(summary);
        return Ok(());
    }
    if context.options.discourse_aware && !context.options.has_summarizer {
        discourse.write(prose, scanned, budget as f64, summary);
        return Ok(());
    }
    excerpt(context, prose, scanned, signals, budget, excerpts, summary)
}

/// Returns the caller's summary of `text`; `None` if there is no usable one.
///
/// # Errors
/// If the caller has to bring it first.
pub(super) fn summary_of<'a>(context: Context<'a>, text: Text<'_>) -> Result<Option<&'a TextBuf>, Request> {
    if !context.options.has_summarizer {
        return Ok(None);
    }
    let text = TextBuf::from(text);
    context.answers.summary(&text).ok_or_else(|| Request::Summary(Arc::new(text)))
}

/// Writes the best sentences of `prose` into `summary`, by the caller's scores or the engine's.
///
/// # Errors
/// If the caller has to bring scores first.
pub(super) fn excerpt(
    context: Context<'_>,
    prose: Text<'_>,
    scanned: Scanned<'_>,
    signals: ScoreSignalsSlice<'_>,
    budget: usize,
    excerpts: &mut Excerpts,
    summary: &mut TextBuf,
) -> Result<(), Request> {
    if context.options.has_scorer {
        let text = TextBuf::from(prose);
        let ranks = context.answers.ranks(&text);
        excerpts.read_all(scanned, signals, ranks.flatten());
        if ranks.is_none() && excerpts.sentences().next().is_some() {
            let all = excerpts.sentences().collect();
            return Err(Request::Scores(Arc::new(Sentences { text: Arc::new(text), all })));
        }
    } else {
        excerpts.read(prose, scanned, signals);
    }
    excerpts.choose(prose, budget, summary);
    Ok(())
}

/// Reusable memory for the summaries of prose that no message consists of.
#[derive(Default)]
pub(super) struct ProseMemory {
    scratch: Scratch,
    signals: ScoreSignals,
    scanner: EntityScanner,
    condensing: Condensing,
    table: EntityTable,
}

impl ProseMemory {
    /// Number of the entities that it holds.
    pub(super) fn entities(&self) -> usize {
        self.table.len()
    }

    /// Forgets all entities.
    pub(super) fn forget(&mut self) {
        self.table.clear();
    }
}

/// Writes a summary of prose that no message consists of into `summary`.
///
/// # Errors
/// If the caller has to bring a summary or scores first.
pub(super) fn summarise_prose(
    context: Context<'_>,
    prose: Text<'_>,
    memory: &mut ProseMemory,
    summary: &mut TextBuf,
) -> Result<(), Request> {
    let ProseMemory { scratch, signals, scanner, condensing, table } = memory;
    let scanned = scratch.scan(prose.bytes());
    let budget = context.depth.summary_budget(prose.len(), || table.count(prose, scanned));
    signals.read(scanned, scanner);
    condense(context, prose, scanned, signals.as_slice(), budget, condensing, summary)
}

/// Returns the summary of the prose that an adapter has extracted.
///
/// # Errors
/// If the caller has to bring a summary or scores first.
pub(crate) fn prose_summary(context: Context<'_>, prose: Text<'_>) -> Result<TextBuf, Request> {
    let mut summary = TextBuf::new();
    if !prose.is_empty() {
        summarise_prose(context, prose, &mut ProseMemory::default(), &mut summary)?;
    }
    Ok(summary)
}
