//! Removal of results, arguments and texts that later operations supersede, with one file per rule.
//!
//! First, the rules judge operations without changing the conversation. Then the edits are written, unless a text is protected or
//! would not get shorter. Only the rule for identical results sees what the others have cut, because it must know which results stay. A
//! second pruning finds nothing: texts with a marker are left alone and supersede nothing, and an edit that was cut still counts as a
//! change of its file.

mod commands;
mod context;
mod cut;
mod edits;
mod evidence;
mod identical;
mod media;
mod messages;
mod novel;
mod outcome;
mod oversized;
mod reads;
mod shown_lines;
mod stub;
mod vocabulary;
mod write;

pub use context::Options;
use context::PruneContext;
pub use outcome::{Edit, Marker, Outcome, Rule, Stub};

/// A piece of a text that pruning edits.
type Piece = crate::edit::Piece<Stub>;

use palimpsest_history::transcript::Transcript;
use palimpsest_world::operation::Operations;

/// Finds everything that can be removed. Runs in time linear in the texts.
pub fn prune(transcript: &Transcript, options: &Options<'_>) -> Outcome {
    let context = PruneContext::new(transcript, options);
    let mut writer = write::Writer::new(&context);
    cut_superseded(&context, &mut writer, true);
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
    cut_superseded(&context, &mut writer, false);
    let edits = writer.finish().edits;
    (edits, context.operations)
}

/// Cuts what later operations supersede. With `keeps_words`, lines with words that occur nowhere else stay.
fn cut_superseded(context: &PruneContext<'_>, writer: &mut write::Writer<'_>, keeps_words: bool) {
    let mut verdicts = vec![None; context.operations.list.len()];
    reads::judge(context, &mut verdicts);
    edits::judge(context, &mut verdicts);
    commands::judge(context, &mut verdicts);
    writer.carry_out(&verdicts, keeps_words);
    writer.carry_out(&identical::judge(context, &verdicts, writer), keeps_words);
}
