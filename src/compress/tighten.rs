//! Meeting a budget with a fixed recency window: what stands before it is summarised more tightly, and what says little is
//! left out, until the result fits.
//!
//! What has to stay word for word is not touched: code, structures, keys, tool calls, and what the caller's patterns,
//! classifier or the importance of a message keep.

use super::Host;
use super::condense::Request;
use super::corrections::Correction;
use super::decisions::{Action, Decision, Reason};
use super::emit::{Emission, Output};
use super::engine::Engine;
use super::route::Route;
use crate::quality::EntityTable;
use crate::summarize::entities::EntityScanner;
use crate::summarize::{
    Excerpts, ScoreSignals, Wrapping, best_sentence_score, is_structured, round, structured_summary, unwrap, wrap,
};
use crate::text::masks::Scratch;
use crate::text::{SharedText, Text, TextBuf};

/// Shorter texts, in UTF-16 code units, are left alone.
const MIN_LENGTH: usize = 80;
/// How much of a message that stands as it is stays, and how much of a summary; at least [`MIN_LENGTH`].
const KEPT_OF_MESSAGE: f64 = 0.15;
const KEPT_OF_SUMMARY: f64 = 0.4;
/// How many entities a summary lists that did not stand there before.
const ENTITIES: usize = 3;
/// A text whose best sentence scores less says little.
const MIN_SCORE: i32 = 3;
/// What stands for a text that says little.
const OMITTED: &str = "[message omitted]";

/// A message of the result that may get shorter.
struct Candidate {
    position: usize,
    tokens: f64,
}

impl Engine {
    /// Shortens messages of the result until their `tokens` are within `budget` or nothing is left to shorten. Where
    /// something has to be asked for, `emission` is unfinished, and this has to be called again with what it was.
    pub(super) fn tighten<H: Host>(
        &mut self,
        emission: &mut Emission,
        budget: f64,
        tokens: &mut f64,
        host: &mut H,
    ) -> Result<Vec<Request>, H::Error> {
        if *tokens <= budget {
            return Ok(Vec::new());
        }
        let candidates = self.candidates(emission, host)?;
        let mut memory = Memory::default();
        let mut requests = Vec::new();
        for Candidate { position, tokens: before } in &candidates {
            if *tokens <= budget {
                break;
            }
            match self.tightened(&emission.outputs[*position], &mut memory) {
                Ok(Some(text)) => self.replace(emission, *position, &text, Reason::Tightened, tokens, host)?,
                Ok(None) => {}
                Err(request) => {
                    requests.push(request);
                    // What it is likely to save, so that little is asked for in vain, and a few rounds of asking suffice.
                    *tokens -= (1.0 - KEPT_OF_SUMMARY) * before;
                }
            }
        }
        if !requests.is_empty() {
            return Ok(requests);
        }
        for Candidate { position, .. } in candidates {
            if *tokens <= budget {
                break;
            }
            let output = &emission.outputs[position];
            if output.length() > MIN_LENGTH && best_sentence_score(self.text_of(output).bytes()) < MIN_SCORE {
                self.replace(emission, position, &TextBuf::from(OMITTED), Reason::Omitted, tokens, host)?;
            }
        }
        Ok(Vec::new())
    }

    /// The messages that may get shorter: those that no summary stands for first, and of those the ones with most tokens.
    fn candidates<H: Host>(&mut self, emission: &Emission, host: &mut H) -> Result<Vec<Candidate>, H::Error> {
        let cutoff = f64::max(0.0, emission.outputs.len() as f64 - self.options.recency_window);
        let mut candidates = Vec::new();
        for (position, output) in emission.outputs.iter().enumerate() {
            if position as f64 >= cutoff {
                break;
            }
            if output.length() > MIN_LENGTH && (is_summary(output) || self.is_loose(output, host)?) {
                candidates.push(Candidate { position, tokens: self.tokens_of_output(output, host)? });
            }
        }
        candidates.sort_by(|a, b| {
            let key = |candidate: &Candidate| is_summary(&emission.outputs[candidate.position]);
            key(a).cmp(&key(b)).then(b.tokens.total_cmp(&a.tokens))
        });
        Ok(candidates)
    }

    /// Whether `output` stands as it is only because it is short or nothing that could stand for it was shorter.
    fn is_loose<H: Host>(&mut self, output: &Output, host: &mut H) -> Result<bool, H::Error> {
        match output.reason {
            Reason::SingleReverted | Reason::MergeReverted => Ok(true),
            // For these, no rule has asked for their content yet.
            Reason::ShortContent | Reason::DuplicateReverted | Reason::ContradictionReverted => {
                let is_latest = matches!(self.corrections.get(output.start), Some(Correction::Latest(_)));
                Ok(!is_latest
                    && self.importance_that_keeps(output.start).is_none()
                    && self.route_by_content(output.start, host)? == Route::Summarise)
            }
            _ => Ok(false),
        }
    }

    fn text_of<'a>(&'a self, output: &'a Output) -> Text<'a> {
        output.text.as_ref().map_or_else(|| self.conversation.text(output.start), SharedText::as_text)
    }

    /// A shorter text for `output`, if there is one: a tighter summary of the messages that it stands for.
    fn tightened(&self, output: &Output, memory: &mut Memory) -> Result<Option<TextBuf>, Request> {
        let Memory { scratch, signs, passes, excerpts, table, source, summary } = memory;
        let text = self.text_of(output);
        let is_wrapped = output.text.is_some() || output.reason == Reason::AlreadyCompressed;
        source.clear();
        match output.reason {
            // What it stands for is not at hand, so this is all that there is.
            Reason::AlreadyCompressed if text.bytes().starts_with(b"[summary") => source.push(unwrap(text)),
            Reason::AlreadyCompressed | Reason::Contradicted(_) => return Ok(None),
            _ => {
                for index in output.start..output.start + output.count {
                    source.push_str(if index == output.start { "" } else { " " });
                    source.push(self.conversation.text(index));
                }
            }
        }
        let source = source.as_text();
        let kept = if is_wrapped { KEPT_OF_SUMMARY } else { KEPT_OF_MESSAGE };
        let budget = usize::max(MIN_LENGTH, round(kept * text.len() as f64) as usize);
        match self.summary_of(if is_wrapped { unwrap(text) } else { text })? {
            Some(answer) => answer.clone_into(summary),
            None => {
                let scanned = scratch.scan(source.bytes());
                if is_structured(scanned) {
                    *summary = structured_summary(source, scanned, budget);
                } else {
                    signs.read(scanned, passes);
                    self.excerpt(source, scanned, signs.as_slice(), budget, excerpts, summary)?;
                }
            }
        }
        let mut entities = TextBuf::new();
        if !is_wrapped {
            let listing = table.list(source, scratch.scan(source.bytes()), ENTITIES, None);
            for (position, id) in table.listed(listing).iter().enumerate() {
                entities.push_str(if position == 0 { "" } else { ", " });
                entities.push(table.name(*id));
            }
        }
        let id = self.options.embed_summary_id.then(|| self.conversation.summary_id(output.start, output.count));
        let mut tightened = TextBuf::new();
        let wrapping = Wrapping { id: id.as_deref(), merged: 1 };
        wrap(summary.as_text(), wrapping, Some(entities.as_text()), &mut tightened);
        Ok(Some(tightened).filter(|tightened| tightened.len() < text.len()))
    }

    /// Puts `text` in the place of the output at `position`.
    fn replace<H: Host>(
        &mut self,
        emission: &mut Emission,
        position: usize,
        text: &TextBuf,
        reason: Reason,
        tokens: &mut f64,
        host: &mut H,
    ) -> Result<(), H::Error> {
        let before = emission.outputs[position].clone();
        let ids_hash = self.conversation.ids_hash(before.start, before.count);
        let after = before.with_text(SharedText::from(text), ids_hash, reason);
        *tokens -= self.tokens_of_output(&before, host)? - self.tokens_of_output(&after, host)?;
        let is_contradicted = matches!(before.reason, Reason::Contradicted(_));
        emission.preserved -= usize::from(before.text.is_none());
        emission.contradicted -= usize::from(is_contradicted);
        emission.compressed += usize::from(before.text.is_none() || is_contradicted);
        let first = emission.decisions.partition_point(|decision| decision.index < before.start);
        for decision in emission.decisions.iter_mut().skip(first).take(before.count) {
            *decision = Decision { action: Action::Compressed, reason, output_length: after.share(), ..*decision };
        }
        emission.outputs[position] = after;
        Ok(())
    }
}

/// What a text is tightened with.
#[derive(Default)]
struct Memory {
    scratch: Scratch,
    signs: ScoreSignals,
    passes: EntityScanner,
    excerpts: Excerpts,
    table: EntityTable,
    source: TextBuf,
    summary: TextBuf,
}

/// Whether `output` is a summary, of this call or of an earlier one.
fn is_summary(output: &Output) -> bool {
    matches!(
        output.reason,
        Reason::CompressibleProse
            | Reason::MergedCompressed
            | Reason::Tightened
            | Reason::Contradicted(_)
            | Reason::AlreadyCompressed
    )
}
