//! How much a message matters to those that come after it: whether they take up its names, whether it decides, corrects
//! or limits something, and how late it comes.

mod mentions;
mod names;
mod signals;

pub use names::Names;
pub use signals::content_signals;

use mentions::mentions;

/// From this score on a message is kept, unless the caller says otherwise.
pub const DEFAULT_THRESHOLD: f64 = 0.65;

/// The importance of each message, 0 to 1: half a point for the message that most later ones take up, less in proportion
/// for others (see [`Names`]); up to 0.4 for what its content signals; and up to 0.1 for coming late.
pub fn importance(names: &Names) -> Vec<f64> {
    let mentions = mentions(names);
    let most = mentions.iter().copied().max().unwrap_or(0);
    let last = mentions.len().saturating_sub(1).max(1);
    let taken_up = |count: u32| if most == 0 { 0.0 } else { f64::from(count) / f64::from(most) * 0.5 };
    mentions
        .iter()
        .enumerate()
        .map(|(index, &count)| f64::min(1.0, taken_up(count) + names.signals(index) + index as f64 / last as f64 * 0.1))
        .collect()
}
