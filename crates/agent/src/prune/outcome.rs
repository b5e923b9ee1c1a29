//! Result of pruning: edits, each with its rule.

use std::fmt;

use crate::edit::Change;
use palimpsest_history::transcript::PartIndex;

/// Reason for an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A read of a file that was changed, or read again, later.
    StaleRead,
    /// A write or an edit whose result a later operation holds.
    StaleEdit,
    /// A command that was run again later.
    StaleCommand,
    /// A failed command; the line that tells why stays.
    FailedCommand,
    /// Lines of a read that a later one shows too.
    OverlappingRead,
    /// A search that was repeated later.
    StaleSearch,
    /// A result that a later one repeats.
    IdenticalResult,
    /// The middle of a very long result.
    OversizedOutput,
    /// An image or encoded data that a later result repeats.
    RepeatedMedia,
    /// A message of the model without any content.
    EmptyMessage,
    /// A text of the model that only announced calls which were removed.
    Announcement,
}

impl Rule {
    /// All rules, in the order of their numbers.
    pub const ALL: [Rule; 11] = [
        Rule::StaleRead,
        Rule::StaleEdit,
        Rule::StaleCommand,
        Rule::FailedCommand,
        Rule::OverlappingRead,
        Rule::StaleSearch,
        Rule::IdenticalResult,
        Rule::OversizedOutput,
        Rule::RepeatedMedia,
        Rule::EmptyMessage,
        Rule::Announcement,
    ];
}

/// What stands in the place of what is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stub {
    Text(String),
    /// The same after a marker, which names the original: `[palimpsest:`, a key (see [`palimpsest_history::restore::marker`])
    /// that `lib/agent/originals.ts` creates, and what this displays, which starts with a space. Each edited text has one.
    Marker(Marker),
}

/// What a marker says of what is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marker {
    /// One line without a bracket: `stale read of src/a.ts`.
    pub what: String,
    /// How much is gone: `120 lines`.
    pub size: Option<String>,
    /// What stands between the marker and the next piece.
    pub after: &'static str,
}

impl fmt::Display for Marker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, " {}", self.what)?;
        if let Some(size) = &self.size {
            write!(formatter, ", {size}")?;
        }
        write!(formatter, "]{}", self.after)
    }
}

/// An edit of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub part: PartIndex,
    /// The reason.
    pub rule: Rule,
    /// The call, or for repeated media the part, that supersedes it.
    pub superseded_by: Option<PartIndex>,
    pub change: Change<Stub>,
}

/// Result of pruning a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The edits, at most one per part, in part order.
    pub edits: Vec<Edit>,
    /// For each rule of [`Rule::ALL`], the number of operations or parts it applied to.
    pub counts: [u32; Rule::ALL.len()],
    /// The parts that may contain a marker of an earlier pruning, in order.
    pub marked: Vec<PartIndex>,
    /// With [`Options::trace`](super::Options::trace), for each edit what shows that the text can go, in one line; empty otherwise.
    pub evidence: Vec<String>,
}
