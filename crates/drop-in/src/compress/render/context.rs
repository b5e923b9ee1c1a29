//! The context of rendering.

use crate::compress::answers::Answers;
use crate::compress::facts::Facts;
use crate::compress::options::Options;
use crate::summarize::Depth;
use palimpsest_text::Text;

use super::output::Output;

/// Everything that texts are written from; immutable while they are written.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The facts about the conversation.
    pub facts: &'a Facts,
    /// The options of the call.
    pub options: &'a Options,
    /// The caller's summaries and scores.
    pub answers: &'a Answers,
    /// How short summaries are.
    pub depth: Depth,
}

impl<'a> Context<'a> {
    /// Returns the text of a message of the result.
    pub(crate) fn text_of(self, output: &'a Output) -> Text<'a> {
        output.text.as_ref().map_or_else(|| self.facts.text(output.start), |text| text.as_text())
    }

    /// Returns the id of the summary of `count` messages from `start` on, if summaries are to contain it.
    pub(crate) fn embedded_id(self, start: usize, count: usize) -> Option<String> {
        self.options.embed_summary_id.then(|| self.facts.transcript.summary_id(start, count))
    }
}
