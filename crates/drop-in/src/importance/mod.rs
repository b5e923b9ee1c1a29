//! Importance of a message to later ones: whether they use its names, whether it decides, corrects or limits something,
//! and how late it comes.

mod mentions;
mod names;
mod signals;

pub use names::Names;
pub use signals::content_signals;

use mentions::mentions;

/// Default of the minimum importance at which a message is kept.
pub const DEFAULT_THRESHOLD: f64 = 0.65;

/// Returns the importance of each message, 0 to 1: up to 0.5 for the number of later messages that use its names (see
/// [`Names`]), relative to the message with the most; up to 0.4 for the signals of its content; and up to 0.1 for a
/// late position.
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
