//! What is to become of each message, judged one by one: the first rule that applies wins.

use super::corrections::Correction;
use super::decisions::Reason;
use super::engine::Engine;
use super::{Host, Options};
use crate::classify::Hit;
use crate::classify::{Reasons, hard_reasons};
use crate::contradiction::Signal;
use crate::dedup::{Duplicate, recency_start};
use crate::summarize::fences;
use crate::text::json::is_json_structure;
use crate::text::masks::Scanned;

/// Texts shorter than this, in UTF-16 code units, are kept.
const MIN_LENGTH: usize = 120;
/// A text with fences needs this much prose to be split.
const MIN_PROSE: usize = 80;

/// What is to become of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Route {
    /// It stays as it is.
    Preserve(Reason),
    /// A reference is to stand for it.
    Duplicate(Duplicate),
    /// A reference to the message that supersedes it, and a summary, are to stand for it.
    Contradicted(usize, Signal),
    /// Its prose is to be summarised, its code stays.
    SplitCode,
    /// The adapter of this number keeps its skeleton and has its prose summarised.
    Adapt(u32),
    /// It is to be summarised, with its neighbours of the same role and route.
    Summarise,
    /// One text stands for it and the next ones: that of the join with this number.
    Join(u32),
}

/// What the content of a text says about its route, whatever stands around it.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// It has backticks and enough prose around its code.
    Split,
    /// It has backticks and hardly any prose.
    Code,
    /// It has no backticks, and these hard reasons to be kept.
    Plain(Reasons),
}

impl Content {
    /// Looks at `text`. Of its hard reasons it finds all, some if there are any, or none, as they are wanted. Where they
    /// were wanted and there is none, `emphasis` has got the phrases that raise the score of their sentence.
    pub fn of(text: Scanned<'_>, wanted: WantedReasons, emphasis: &mut Vec<Hit>) -> Self {
        if fences::has_backticks(text.bytes) {
            let is_split = fences::segments(text.bytes).prose_length() >= MIN_PROSE;
            return if is_split { Content::Split } else { Content::Code };
        }
        Content::Plain(match wanted {
            WantedReasons::None => Reasons::default(),
            WantedReasons::Any => hard_reasons(text, false, emphasis),
            WantedReasons::All => hard_reasons(text, true, emphasis),
        })
    }
}

/// How much about the hard reasons of a text matters to a call.
#[derive(Clone, Copy, Debug)]
pub enum WantedReasons {
    /// They are not asked for.
    None,
    /// Whether there is one.
    Any,
    /// Each, for the trace.
    All,
}

/// Whether `text` is what an earlier call left in the place of messages.
pub fn is_already_compressed(text: &[u8]) -> bool {
    [b"[summary:".as_slice(), b"[summary#", b"[truncated"].iter().any(|start| text.starts_with(start))
}

impl Engine {
    /// The routes of all messages under a recency window.
    pub(super) fn route_all<H: Host>(&mut self, window: f64, host: &mut H) -> Result<Vec<Route>, H::Error> {
        let duplicates = self.duplicates(window);
        let mut routes: Vec<Route> = (0..self.conversation.len())
            .map(|index| self.route(index, window, duplicates[index], host))
            .collect::<Result<_, _>>()?;
        self.join(&mut routes, window, host)?;
        Ok(routes)
    }

    /// The messages whose route a classifier could change under a recency window, in order.
    ///
    /// With a budget the window is not known yet, and this is asked with the smallest one.
    pub fn classifiable(&mut self) -> Vec<usize> {
        let window = self.options.smallest_window();
        let duplicates = self.duplicates(window);
        let is_candidate = |engine: &mut Self, index: usize| {
            engine.conversation.text(index).len() >= MIN_LENGTH
                && engine.route_by_position(index, window).is_none()
                && duplicates[index].is_none()
                && engine.corrections.get(index).is_none()
                && match engine.content(index) {
                    Content::Plain(reasons) => engine.options.full_classifier_mode || reasons.is_empty(),
                    Content::Split | Content::Code => false,
                }
        };
        (0..self.conversation.len()).filter(|&index| is_candidate(self, index)).collect()
    }

    /// What each message duplicates when `window` messages are recent.
    fn duplicates(&self, window: f64) -> Vec<Option<Duplicate>> {
        let mut duplicates = vec![None; self.conversation.len()];
        let start = recency_start(self.conversation.len(), window);
        if let Some(groups) = &self.exact_groups {
            groups.annotate(start, &mut duplicates);
        }
        if let Some(index) = &self.fuzzy_index {
            index.annotate(self.options.fuzzy_threshold, start, &mut duplicates);
        }
        duplicates
    }

    fn route<H: Host>(
        &mut self,
        index: usize,
        window: f64,
        duplicate: Option<Duplicate>,
        host: &mut H,
    ) -> Result<Route, H::Error> {
        if let Some(reason) = self.route_by_position(index, window) {
            return Ok(Route::Preserve(reason));
        }
        if let Some(duplicate) = duplicate {
            return Ok(Route::Duplicate(duplicate));
        }
        if let Some(Correction::SupersededBy(later, signal)) = self.corrections.get(index) {
            return Ok(Route::Contradicted(later, signal));
        }
        self.route_by_content(index, host)
    }

    /// The rules that read the content of a message.
    pub(super) fn route_by_content<H: Host>(&mut self, index: usize, host: &mut H) -> Result<Route, H::Error> {
        let is_large = self.is_large(index);
        match self.content(index) {
            Content::Split => return Ok(Route::SplitCode),
            Content::Code => return Ok(Route::Preserve(Reason::CodeFenceNoProse)),
            Content::Plain(reasons) if !(self.options.full_classifier_mode || is_large || reasons.is_empty()) => {
                return Ok(Route::Preserve(Reason::HardT0(reasons)));
            }
            Content::Plain(_) => {}
        }
        let text = self.conversation.text(index);
        if self.options.has_patterns
            && !text.is_empty()
            && let Some(pattern) = host.first_pattern(index)?
        {
            return Ok(Route::Preserve(Reason::Pattern(pattern as u32)));
        }
        if self.kept_by_classifier[index] {
            return Ok(Route::Preserve(Reason::LlmPreserved));
        }
        if !is_large && is_json_structure(text) {
            return Ok(Route::Preserve(Reason::JsonStructure));
        }
        if self.options.has_adapters
            && let Some(adapter) = host.find_adapter(index)?
        {
            return Ok(Route::Adapt(adapter as u32));
        }
        Ok(Route::Summarise)
    }

    /// The rules that ask where a message stands, what it is and what it is to others, before any that read its content.
    fn route_by_position(&self, index: usize, window: f64) -> Option<Reason> {
        let message = self.conversation.message(index);
        let text = self.conversation.text(index);
        let is_large = self.is_large(index);
        let is_recent = window > 0.0 && index as f64 >= recency_start(self.conversation.len(), window);
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
        } else if let Some(Correction::Latest(signal)) = self.corrections.get(index) {
            // What it corrects refers to it, so its own words have to stay.
            Some(Reason::Correction(signal))
        } else {
            None
        }
    }

    /// The importance of a message in hundredths, if it is enough to keep it.
    pub(super) fn importance_that_keeps(&self, index: usize) -> Option<u8> {
        let importance = *self.importance.get(index)?;
        self.options
            .importance_threshold
            .is_some_and(|threshold| importance >= threshold)
            .then(|| hundredths(importance))
    }

    pub(super) fn is_large(&self, index: usize) -> bool {
        self.options.observation_threshold.is_some_and(|threshold| self.tokens_of(index) > threshold)
    }

    /// What the content says, looked at once per call.
    fn content(&mut self, index: usize) -> Content {
        if let Some(content) = self.contents[index] {
            return content;
        }
        // Rare: a message that is compressed only because it is large.
        let wanted = self.wanted_reasons();
        let content = Content::of(self.scratch.scan(self.conversation.text(index).bytes()), wanted, &mut Vec::new());
        self.contents[index] = Some(content);
        content
    }

    pub(super) fn wanted_reasons(&self) -> WantedReasons {
        match self.options {
            Options { full_classifier_mode: true, .. } => WantedReasons::None,
            Options { trace: true, .. } => WantedReasons::All,
            _ => WantedReasons::Any,
        }
    }

    /// For each message whether its content matters under a recency window, and so under any longer one.
    pub(super) fn wants_content(&self, window: f64) -> Vec<bool> {
        let duplicates = self.duplicates(window);
        let wants = |index: usize| duplicates[index].is_none() && self.route_by_position(index, window).is_none();
        (0..self.conversation.len()).map(wants).collect()
    }
}

/// `value`, from 0 to 1, in hundredths as `toFixed(2)` rounds: by its exact value, halves up.
fn hundredths(value: f64) -> u8 {
    let near = (100.0 * value).round();
    // The product was rounded before; this difference is not.
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
