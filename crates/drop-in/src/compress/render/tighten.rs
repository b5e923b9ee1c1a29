//! Writes tighter summaries.

use super::condense::{excerpt, summary_of};
use super::context::Context;
use super::output::Output;
use crate::compress::answers::Request;
use crate::compress::decisions::Reason;
use crate::quality::EntityTable;
use crate::summarize::entities::EntityScanner;
use crate::summarize::{Excerpts, ScoreSignals, Wrapping, is_structured, round, structured_summary, unwrap, wrap};
use palimpsest_text::TextBuf;
use palimpsest_text::masks::Scratch;

/// Shorter texts, in UTF-16 code units, are not tightened.
pub(crate) const MIN_LENGTH: usize = 80;
/// Share of a message that is kept; at least [`MIN_LENGTH`].
const KEPT_SHARE_OF_MESSAGE: f64 = 0.15;
/// Share of a summary that is kept; at least [`MIN_LENGTH`].
pub(crate) const KEPT_SHARE_OF_SUMMARY: f64 = 0.4;
/// Maximum entities that a summary of a message lists.
const MAX_ENTITIES: usize = 3;
/// The text that replaces a message that says little.
pub(crate) const OMITTED: &str = "[message omitted]";

/// Writes tighter summaries, one after the other in the same memory.
#[derive(Default)]
pub(crate) struct Tightener {
    scratch: Scratch,
    signals: ScoreSignals,
    scanner: EntityScanner,
    excerpts: Excerpts,
    table: EntityTable,
    source: TextBuf,
    summary: TextBuf,
}

impl Tightener {
    /// Returns a tighter summary of the messages that `output` replaces, if it is shorter.
    ///
    /// # Errors
    /// If the caller has to bring a summary or scores first.
    pub(crate) fn tightened(&mut self, context: Context<'_>, output: &Output) -> Result<Option<TextBuf>, Request> {
        let Tightener { scratch, signals, scanner, excerpts, table, source, summary } = self;
        let text = context.text_of(output);
        let is_wrapped = output.text.is_some() || output.reason == Reason::AlreadyCompressed;
        source.clear();
        match output.reason {
            // The messages it replaces are not at hand.
            Reason::AlreadyCompressed if text.bytes().starts_with(b"[summary") => source.push(unwrap(text)),
            Reason::AlreadyCompressed | Reason::Contradicted(_) => return Ok(None),
            _ => {
                for index in output.start..output.start + output.count {
                    source.push_str(if index == output.start { "" } else { " " });
                    source.push(context.facts.text(index));
                }
            }
        }
        let source = source.as_text();
        let kept = if is_wrapped { KEPT_SHARE_OF_SUMMARY } else { KEPT_SHARE_OF_MESSAGE };
        let budget = usize::max(MIN_LENGTH, round(kept * text.len() as f64) as usize);
        match summary_of(context, if is_wrapped { unwrap(text) } else { text })? {
            Some(answer) => answer.clone_into(summary),
            None => {
                let scanned = scratch.scan(source.bytes());
                if is_structured(scanned) {
                    *summary = structured_summary(source, scanned, budget);
                } else {
                    signals.read(scanned, scanner);
                    excerpt(context, source, scanned, signals.as_slice(), budget, excerpts, summary)?;
                }
            }
        }
        let mut entities = TextBuf::new();
        if !is_wrapped {
            let listing = table.list(source, scratch.scan(source.bytes()), MAX_ENTITIES, None);
            for (position, id) in table.listed(listing).iter().enumerate() {
                entities.push_str(if position == 0 { "" } else { ", " });
                entities.push(table.name(*id));
            }
        }
        let id = context.embedded_id(output.start, output.count);
        let mut tightened = TextBuf::new();
        let wrapping = Wrapping { id: id.as_deref(), merged: 1 };
        wrap(summary.as_text(), wrapping, Some(entities.as_text()), &mut tightened);
        Ok(Some(tightened).filter(|tightened| tightened.len() < text.len()))
    }
}
