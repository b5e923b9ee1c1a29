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
mod novel;
mod outcome;
mod oversized;
mod reads;
mod stub;
mod vocabulary;
mod write;

pub use case::Options;
use case::{PruneContext, Verdict};
pub use outcome::{Change, Edit, Marker, Outcome, Piece, Rule};

use crate::operation::Operations;
use palimpsest_history::transcript::Transcript;

/// Finds everything that can be removed. Runs in time linear in the texts.
pub fn prune(transcript: &Transcript, options: &Options<'_>) -> Outcome {
    let case = PruneContext::new(transcript, options);
    let verdicts = judge(&case);
    let mut writer = write::Writer::new(&case);
    writer.carry_out(&verdicts, true);
    oversized::cut_outputs(&case, &mut writer);
    media::cut_repeated(&case, &mut writer);
    messages::drop_empty(&case, &mut writer);
    messages::drop_announcements(&case, &mut writer);
    writer.finish()
}

/// Finds superseded content, even if it contains names that occur nowhere else. Reads the operations for other purposes too.
pub fn superseded(transcript: &Transcript, options: &Options<'_>) -> (Vec<Edit>, Operations) {
    let case = PruneContext::new(transcript, options);
    let mut writer = write::Writer::new(&case);
    writer.carry_out(&judge(&case), false);
    let edits = writer.finish().edits;
    (edits, case.operations)
}

fn judge(case: &PruneContext<'_>) -> Vec<Option<Verdict>> {
    let mut verdicts = vec![None; case.operations.list.len()];
    reads::judge(case, &mut verdicts);
    edits::judge(case, &mut verdicts);
    commands::judge(case, &mut verdicts);
    identical::judge(case, &mut verdicts);
    verdicts
}
