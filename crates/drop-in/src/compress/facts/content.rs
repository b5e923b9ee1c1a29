//! The facts about a text's content that decide its route, regardless of the messages around it.

use crate::classify::{Hit, Reasons, hard_reasons};
use crate::compress::options::Options;
use crate::summarize::fences;
use palimpsest_text::masks::Scanned;

/// Minimum prose, in UTF-16 code units, of a text with fences that is split.
const MIN_PROSE: usize = 80;

/// Facts about the content of a text that decide its route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Content {
    /// Backticks, and enough prose around the code.
    Split,
    /// Backticks, and hardly any prose.
    Code,
    /// No backticks, and these hard reasons to keep the text.
    Plain(Reasons),
}

impl Content {
    /// Reads `text`. If its reasons are wanted and there is none, the phrases that raise the score of their sentence are
    /// appended to `emphasis`.
    pub(crate) fn of(text: Scanned<'_>, wanted: WantedReasons, emphasis: &mut Vec<Hit>) -> Self {
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

/// Which hard reasons of a text a call needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WantedReasons {
    None,
    /// At least one, if there is any.
    #[default]
    Any,
    /// Each, for the trace.
    All,
}

impl WantedReasons {
    /// Those that a call with these options needs.
    pub(crate) fn of(options: &Options) -> Self {
        match options {
            Options { full_classifier_mode: true, .. } => WantedReasons::None,
            Options { trace: true, .. } => WantedReasons::All,
            _ => WantedReasons::Any,
        }
    }
}

/// Returns whether `text` is what an earlier call has put in the place of messages.
pub fn is_already_compressed(text: &[u8]) -> bool {
    // Every text is asked, and nearly all start otherwise.
    text.first() == Some(&b'[')
        && [b"[summary:".as_slice(), b"[summary#", b"[truncated"].iter().any(|start| text.starts_with(start))
}
