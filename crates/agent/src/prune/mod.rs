//! Removal of results, arguments and texts that later operations supersede, with one file per rule.
//!
//! First, the rules judge operations without changing the conversation. Then the edits are written, unless a text is protected or
//! would not get shorter. No rule therefore sees what another one has cut. A second pruning finds nothing, because texts with
//! a marker are left alone and supersede nothing.

mod commands;
mod context;
mod cut;
mod edits;
mod identical;
mod media;
mod messages;
mod novel;
mod outcome;
mod oversized;
mod reads;
mod stub;
mod vocabulary;
mod write;

pub use context::Options;
use context::{PruneContext, Verdict};
pub use outcome::{Edit, Marker, Outcome, Rule, Stub};

/// A piece of a text that pruning edits.
type Piece = crate::edit::Piece<Stub>;

use crate::operation::Operations;
use palimpsest_history::transcript::Transcript;

/// Finds everything that can be removed. Runs in time linear in the texts.
pub fn prune(transcript: &Transcript, options: &Options<'_>) -> Outcome {
    let context = PruneContext::new(transcript, options);
    let verdicts = judge(&context);
    let mut writer = write::Writer::new(&context);
    writer.carry_out(&verdicts, true);
    oversized::cut_outputs(&context, &mut writer);
    media::cut_repeated(&context, &mut writer);
    messages::drop_empty(&context, &mut writer);
    messages::drop_announcements(&context, &mut writer);
    writer.finish()
}

/// Finds superseded content, even if it contains names that occur nowhere else. Reads the operations for other purposes too.
pub fn superseded(transcript: &Transcript, options: &Options<'_>) -> (Vec<Edit>, Operations) {
    let context = PruneContext::new(transcript, options);
    let mut writer = write::Writer::new(&context);
    writer.carry_out(&judge(&context), false);
    let edits = writer.finish().edits;
    (edits, context.operations)
}

fn judge(context: &PruneContext<'_>) -> Vec<Option<Verdict>> {
    let mut verdicts = vec![None; context.operations.list.len()];
    reads::judge(context, &mut verdicts);
    edits::judge(context, &mut verdicts);
    commands::judge(context, &mut verdicts);
    identical::judge(context, &mut verdicts);
    verdicts
}
