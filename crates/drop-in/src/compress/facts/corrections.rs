//! Messages that later ones retract or correct, and the message that holds in the end.

use super::content::is_already_compressed;
use crate::compress::options::Options;
use crate::contradiction::{self, Contradiction, Signal, Topics};
use palimpsest_history::transcript::Transcript;
use palimpsest_text::parallel::map_chunks;

/// Part of a message in corrections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Correction {
    /// Superseded by the message at this index, which is not superseded itself.
    SupersededBy(usize, Signal),
    /// Supersedes an earlier message, and is not superseded itself.
    Latest(Signal),
}

/// Part of each message in corrections; empty unless the options ask for it.
#[derive(Debug, Default)]
pub(crate) struct Corrections(Vec<Option<Correction>>);

impl Corrections {
    /// Reads `transcript`.
    pub(crate) fn of(transcript: &Transcript, options: &Options) -> Self {
        let Some(threshold) = options.contradiction_threshold else { return Corrections::default() };
        let read = |part: std::ops::Range<usize>| {
            let mut topics = Topics::default();
            for index in part {
                let (message, text) = (transcript.message(index), transcript.text(index));
                let is_eligible = !message.has_preserved_role
                    && text.len() >= contradiction::MIN_LENGTH
                    && !is_already_compressed(text.bytes());
                if is_eligible {
                    topics.read(index, message.has_role.then_some(message.role), text);
                }
            }
            topics
        };
        let mut parts = map_chunks(transcript.len(), |index| transcript.text(index).len(), read).into_iter();
        let mut topics = parts.next().unwrap_or_default();
        parts.for_each(|next| topics.absorb(&next));
        Corrections(resolve(transcript.len(), &topics.contradictions(threshold)))
    }

    /// Returns the part of a message in corrections, if it has one.
    pub(crate) fn get(&self, index: usize) -> Option<Correction> {
        self.0.get(index).copied().flatten()
    }
}

/// Resolves each superseded message to the one that holds in the end. A correction follows what it corrects, so going from
/// the last message to the first, the message that supersedes another is already resolved.
fn resolve(count: usize, contradictions: &[Contradiction]) -> Vec<Option<Correction>> {
    let mut by: Vec<Option<(usize, Signal)>> = vec![None; count];
    for found in contradictions {
        // The last of several corrections of a message supersedes the others too.
        if let Some((earlier, _)) = by[found.of].replace((found.by, found.signal)) {
            by[earlier].get_or_insert((found.by, found.signal));
        }
    }
    let mut resolved = vec![None; count];
    for index in (0..count).rev() {
        if let Some((later, signal)) = by[index] {
            let end = match resolved[later] {
                Some(Correction::SupersededBy(..)) => resolved[later],
                _ => {
                    resolved[later] = Some(Correction::Latest(signal));
                    Some(Correction::SupersededBy(later, signal))
                }
            };
            resolved[index] = end;
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_points_to_what_holds_in_the_end() {
        let signal = Signal::Retraction;
        // In the order of the corrections: 0 is corrected by 1 and by 2, which so corrects 1 as well.
        let pairs = [(0, 1), (0, 2), (3, 4), (2, 5)];
        let found = pairs.map(|(of, by)| Contradiction { of, by, overlap: 1.0, signal });
        let superseded = |by| Some(Correction::SupersededBy(by, signal));
        let latest = Some(Correction::Latest(signal));
        assert_eq!(
            resolve(7, &found),
            [superseded(5), superseded(5), superseded(5), superseded(4), latest, latest, None]
        );
    }
}
