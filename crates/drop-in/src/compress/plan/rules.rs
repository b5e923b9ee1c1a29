//! The rules that route a message: the first that applies wins.

use super::route::{HostAnswers, HostQuery, Route};
use crate::compress::decisions::Reason;
use crate::compress::facts::{Content, Correction, Facts, WantedReasons, is_already_compressed};
use crate::compress::options::Options;
use crate::dedup::{Duplicate, recency_start};
use palimpsest_text::json::is_json_structure;
use palimpsest_text::masks::Scratch;

/// Shorter texts, in UTF-16 code units, are kept.
const MIN_LENGTH: usize = 120;

/// The rules of a call.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The facts about the conversation.
    pub facts: &'a Facts,
    /// The options of the call.
    pub options: &'a Options,
    /// For each message whether the caller's classifier keeps it.
    pub kept_by_classifier: &'a [bool],
}

impl Rules<'_> {
    /// Returns what each message duplicates if `window` messages are recent.
    pub(crate) fn duplicates(self, window: f64) -> Vec<Option<Duplicate>> {
        let count = self.facts.transcript.len();
        let mut duplicates = vec![None; count];
        let start = recency_start(count, window);
        if let Some(groups) = &self.facts.exact_groups {
            groups.annotate(start, &mut duplicates);
        }
        if let Some(index) = &self.facts.fuzzy_index {
            index.annotate(self.options.fuzzy_threshold, start, &mut duplicates);
        }
        duplicates
    }

    /// Returns for each distinct text whether its content matters under the smallest recency window of the call, and so
    /// under any larger one.
    pub(crate) fn wants_content(self) -> Vec<bool> {
        let window = self.options.smallest_window();
        let duplicates = self.duplicates(window);
        let transcript = &self.facts.transcript;
        let mut wants = vec![false; transcript.text_count()];
        for (index, duplicate) in duplicates.iter().enumerate() {
            if duplicate.is_none() && self.kept_by_position(index, window).is_none() {
                wants[transcript.text_id(index).index()] = true;
            }
        }
        wants
    }

    /// Returns the messages whose route a classifier could change, in order. With a budget the window is not known yet, and
    /// the smallest one is assumed.
    pub(crate) fn classifiable(self) -> Vec<usize> {
        let window = self.options.smallest_window();
        let duplicates = self.duplicates(window);
        let is_candidate = |index: &usize| {
            self.facts.text(*index).len() >= MIN_LENGTH
                && self.kept_by_position(*index, window).is_none()
                && duplicates[*index].is_none()
                && self.facts.corrections.get(*index).is_none()
                && match self.content(*index) {
                    Content::Plain(reasons) => self.options.full_classifier_mode || reasons.is_empty(),
                    Content::Split | Content::Code => false,
                }
        };
        (0..self.facts.transcript.len()).filter(is_candidate).collect()
    }

    /// Returns the route of a message under a recency window.
    ///
    /// # Errors
    /// If the route depends on an answer of the host that `answers` lacks.
    pub(crate) fn route(
        self,
        index: usize,
        window: f64,
        duplicate: Option<Duplicate>,
        answers: HostAnswers,
    ) -> Result<Route, HostQuery> {
        if let Some(reason) = self.kept_by_position(index, window) {
            return Ok(Route::Preserve(reason));
        }
        if let Some(duplicate) = duplicate {
            return Ok(Route::Duplicate(duplicate));
        }
        if let Some(Correction::SupersededBy(later, signal)) = self.facts.corrections.get(index) {
            return Ok(Route::Contradicted(later, signal));
        }
        self.route_by_content(index, answers)
    }

    /// Applies the rules about the content of a message.
    ///
    /// # Errors
    /// If the route depends on an answer of the host that `answers` lacks.
    pub(crate) fn route_by_content(self, index: usize, answers: HostAnswers) -> Result<Route, HostQuery> {
        let is_large = self.is_large(index);
        match self.content(index) {
            Content::Split => return Ok(Route::SplitCode),
            Content::Code => return Ok(Route::Preserve(Reason::CodeFenceNoProse)),
            Content::Plain(reasons) if !(self.options.full_classifier_mode || is_large || reasons.is_empty()) => {
                return Ok(Route::Preserve(Reason::HardT0(reasons)));
            }
            Content::Plain(_) => {}
        }
        let text = self.facts.text(index);
        if self.options.has_patterns
            && !text.is_empty()
            && let Some(pattern) = answers.pattern.ok_or(HostQuery::Pattern)?
        {
            return Ok(Route::Preserve(Reason::Pattern(pattern as u32)));
        }
        if self.kept_by_classifier[index] {
            return Ok(Route::Preserve(Reason::LlmPreserved));
        }
        // Adapters are asked about no JSON, so their answer says that the text is none.
        if !is_large && answers.adapter.is_none() && is_json_structure(text) {
            return Ok(Route::Preserve(Reason::JsonStructure));
        }
        if self.options.has_adapters
            && let Some(adapter) = answers.adapter.ok_or(HostQuery::Adapter)?
        {
            return Ok(Route::Adapt(adapter as u32));
        }
        Ok(Route::Summarise)
    }

    /// Applies the rules about the position, the kind and the relations of a message, which precede those about its content.
    fn kept_by_position(self, index: usize, window: f64) -> Option<Reason> {
        let message = self.facts.transcript.message(index);
        let text = self.facts.text(index);
        let is_large = self.is_large(index);
        let is_recent = window > 0.0 && index as f64 >= recency_start(self.facts.transcript.len(), window);
        if message.has_preserved_role {
            Some(Reason::PreservedRole)
        } else if !is_large && is_recent {
            Some(Reason::RecencyWindow)
        } else if message.has_tool_calls {
            Some(Reason::ToolCalls)
        } else if !is_large && text.len() < MIN_LENGTH {
            Some(Reason::ShortContent)
        } else if is_already_compressed(text.bytes()) {
            Some(Reason::AlreadyCompressed)
        } else if !is_large && let Some(hundredths) = self.importance_that_keeps(index) {
            Some(Reason::Importance(hundredths))
        } else if let Some(Correction::Latest(signal)) = self.facts.corrections.get(index) {
            // The message that it corrects refers to it, so its own words have to stay.
            Some(Reason::Correction(signal))
        } else {
            None
        }
    }

    /// Returns the importance of a message in hundredths, if it is enough to keep the message.
    pub(crate) fn importance_that_keeps(self, index: usize) -> Option<u8> {
        let importance = *self.facts.importance.get(index)?;
        self.options
            .importance_threshold
            .is_some_and(|threshold| importance >= threshold)
            .then(|| hundredths(importance))
    }

    /// Returns whether a message is so large that soft rules don't keep it.
    pub(crate) fn is_large(self, index: usize) -> bool {
        self.options.observation_threshold.is_some_and(|threshold| self.facts.tokens_of(index) > threshold)
    }

    fn content(self, index: usize) -> Content {
        let known = self.facts.texts.content(self.facts.transcript.text_id(index));
        // Rarely unknown: for a message that is compressed only because it is large.
        known.unwrap_or_else(|| {
            let mut scratch = Scratch::default();
            Content::of(scratch.scan(self.facts.text(index).bytes()), WantedReasons::of(self.options), &mut Vec::new())
        })
    }
}

/// Returns `value`, from 0 to 1, in hundredths, rounded like `toFixed(2)`: by its exact value, halves up.
fn hundredths(value: f64) -> u8 {
    let near = (100.0 * value).round();
    // The product above was rounded; this difference is not.
    let is_less = value.mul_add(100.0, 0.5 - near) < 0.0;
    near as u8 - u8::from(is_less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_as_to_fixed_does() {
        // From the exact decimal values of these doubles: 0.6149999…, 0.145 is 0.1449999…, 0.125 is exact.
        let cases = [(0.615, 61), (0.145, 14), (0.125, 13), (0.375, 38), (0.65, 65), (1.0, 100), (0.0, 0), (0.005, 1)];
        for (value, expected) in cases {
            assert_eq!(hundredths(value), expected, "{value}");
        }
    }
}
