//! Removal of results, arguments and texts that later operations supersede, with one file per rule.
//!
//! First, the rules judge operations without changing the conversation. Then the edits are written, unless a text is protected or
//! would not get shorter. No rule therefore sees what another one has cut. A second pruning finds nothing, because texts with
//! a marker are left alone and supersede nothing.

mod case;
mod commands;
mod cut;
mod edits;
mod identical;
mod media;
mod messages;
mod oversized;
mod reads;
mod stub;
mod vocabulary;
mod write;

use std::ops::Range;

pub use case::Options;
use case::{Case, Verdict};

use crate::transcript::Transcript;

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

/// A piece of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This range of the original text, in UTF-16 code units.
    Keep(Range<usize>),
    /// A text that replaces what is gone.
    Stub(String),
    /// The same after a marker, which names the original: `[palimpsest:`, a key (see [`crate::restore::marker`]) that
    /// `lib/agent/originals.js` asks for, and this text, which starts with a space. Each edited text has one.
    Marker(String),
}

/// Change of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The part is removed.
    Remove,
    /// These pieces replace it; one of them is the marker.
    Replace(Vec<Piece>),
}

/// An edit of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The part.
    pub part: u32,
    /// The reason.
    pub rule: Rule,
    /// The call, or for repeated media the part, that supersedes it.
    pub superseded_by: Option<u32>,
    /// The change.
    pub change: Change,
}

/// Result of pruning a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The edits, at most one per part, in part order.
    pub edits: Vec<Edit>,
    /// For each rule of [`Rule::ALL`], the number of operations or parts it applied to.
    pub counts: [u32; Rule::ALL.len()],
    /// The parts that may contain a marker of an earlier pruning, in order.
    pub marked: Vec<u32>,
}

/// Finds everything that can be removed. Runs in time linear in the texts.
pub fn prune(transcript: &Transcript, options: &Options<'_>) -> Outcome {
    let case = Case::new(transcript, options);
    let verdicts = judge(&case);
    let mut writer = write::Writer::new(&case);
    writer.carry_out(&verdicts, true);
    oversized::cut_outputs(&case, &mut writer);
    media::cut_repeated(&case, &mut writer);
    messages::drop_empty(&case, &mut writer);
    messages::drop_announcements(&case, &mut writer);
    writer.finish()
}

/// Finds superseded content, even if it contains names that occur nowhere else.
pub fn superseded(transcript: &Transcript, options: &Options<'_>) -> Vec<Edit> {
    let case = Case::new(transcript, options);
    let mut writer = write::Writer::new(&case);
    writer.carry_out(&judge(&case), false);
    writer.finish().edits
}

fn judge(case: &Case<'_>) -> Vec<Option<Verdict>> {
    let mut verdicts = vec![None; case.operations.list.len()];
    reads::judge(case, &mut verdicts);
    edits::judge(case, &mut verdicts);
    commands::judge(case, &mut verdicts);
    identical::judge(case, &mut verdicts);
    verdicts
}
