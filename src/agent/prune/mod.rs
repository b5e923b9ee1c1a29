//! Which results, arguments and texts can go, because a later operation says it better: a file for each rule.
//!
//! First every rule judges operations and leaves the conversation alone; then what the judgements ask for is written,
//! as far as nothing protects it and as far as it makes a text shorter. So no rule sees what another one has cut, and the
//! second pruning of a conversation finds nothing: what carries a marker is left alone and supersedes nothing.

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

/// Why something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A read of a file that was changed, or read again, later.
    StaleRead,
    /// A write or an edit whose result a later operation holds.
    StaleEdit,
    /// A command that was run again later.
    StaleCommand,
    /// A command that failed; the line that says why stays.
    FailedCommand,
    /// Lines of a read that a later one shows too.
    OverlappingRead,
    /// A search that was made again later.
    StaleSearch,
    /// A result that a later one repeats.
    IdenticalResult,
    /// The middle of a very long result.
    OversizedOutput,
    /// An image or encoded data that a later result repeats.
    RepeatedMedia,
    /// A message of the model without any content.
    EmptyMessage,
    /// A text of the model that only announced calls which are gone.
    Announcement,
}

impl Rule {
    /// All of them, in the order of their numbers.
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
    /// A text that stands for what is gone.
    Stub(String),
    /// The same with a marker in front, which names the original: `[palimpsest:`, a key of [`KEY_LENGTH`](crate::restore::marker::KEY_LENGTH) letters and digits
    /// that `lib/agent/originals.js` makes, and this text, from a blank on. Each edited text has one.
    Marker(String),
}

/// What becomes of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It goes.
    Remove,
    /// These pieces stand in its place; one of them is the marker.
    Replace(Vec<Piece>),
}

/// An edit of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The part.
    pub part: u32,
    /// Why it is edited.
    pub rule: Rule,
    /// The call, or for repeated media the part, that makes it superfluous.
    pub superseded_by: Option<u32>,
    /// What becomes of it.
    pub change: Change,
}

/// What pruning a conversation comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The edits, at most one for each part, in order of the parts.
    pub edits: Vec<Edit>,
    /// How many operations, or parts, each rule of [`Rule::ALL`] applied to.
    pub counts: [u32; Rule::ALL.len()],
    /// The parts in which a marker of an earlier pruning may stand, in order.
    pub marked: Vec<u32>,
}

/// Finds what can go.
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

/// Finds what a later operation says better, whether or not it names something that nothing else names.
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
