//! Reading every text once: what its content says about its route, and its traits.
//!
//! What is found in a text depends on nothing else, so long conversations are read in parts. The result is the same as
//! in one go.

use std::ops::Range;

use super::route::{Content, WantedReasons};
use crate::importance::{Names, importance};
use crate::message::Conversation;
use crate::parallel::map_chunks;
use crate::quality::{EntityTable, Traits};
use crate::summarize::{ScoreSignals, ScoreSignalsSlice};
use crate::text::masks::Scratch;

/// What was found in a conversation or a part of it.
#[derive(Default)]
pub struct Analysis {
    /// For each text what it says about its route, where that was asked for.
    pub contents: Vec<Option<Content>>,
    /// For each text its traits.
    pub traits: Vec<Traits>,
    /// Their entities.
    pub entities: EntityTable,
    /// For each text what raises the scores of its sentences, where it might be summarised.
    pub signs: SignalsOfTexts,
}

/// The signs of many texts.
#[derive(Default)]
pub struct SignalsOfTexts {
    all: ScoreSignals,
    /// For each text where its signs are in both lists, if they are.
    places: Vec<Option<[Range<usize>; 2]>>,
}

impl SignalsOfTexts {
    /// The signs of the text at `index`, if they were read.
    fn of(&self, index: usize) -> Option<ScoreSignalsSlice<'_>> {
        let [points, emphasis] = self.places[index].clone()?;
        Some(ScoreSignalsSlice { points: &self.all.points[points], emphasis: &self.all.emphasis[emphasis] })
    }

    /// Whether the signs of all messages `start..start + count` were read.
    pub fn are_known(&self, start: usize, count: usize) -> bool {
        self.places[start..start + count].iter().all(Option::is_some)
    }

    /// The signs of the messages `start..start + count` joined by blanks, as far as they were read. `memory` takes them
    /// where there are several.
    pub fn joined<'a>(
        &'a self,
        conversation: &Conversation,
        start: usize,
        count: usize,
        memory: &'a mut ScoreSignals,
    ) -> ScoreSignalsSlice<'a> {
        memory.clear();
        if count == 1
            && let Some(only) = self.of(start)
        {
            return only;
        }
        let mut offset = 0;
        for index in start..start + count {
            if let Some(signs) = self.of(index) {
                memory.append(signs, offset);
            }
            offset += conversation.text(index).len() as u32 + 1;
        }
        memory.as_slice()
    }

    /// Appends those of the texts that follow.
    fn append(&mut self, next: SignalsOfTexts) {
        let by = [self.all.points.len(), self.all.emphasis.len()];
        let moved = |place: Range<usize>, by: usize| place.start + by..place.end + by;
        self.all.append(next.all.as_slice(), 0);
        self.places.extend(
            next.places
                .into_iter()
                .map(|places| places.map(|[points, emphasis]| [moved(points, by[0]), moved(emphasis, by[1])])),
        );
    }
}

/// Reads all of `conversation`; the content only of texts for which `wants_content`.
pub fn analyse(conversation: &Conversation, wants_content: &[bool], wanted: WantedReasons) -> Analysis {
    let read = |part| read_part(conversation, part, wants_content, wanted);
    let mut parts = map_chunks(conversation.len(), |index| conversation.text(index).len(), read).into_iter();
    let mut analysis = parts.next().unwrap_or_default();
    parts.for_each(|next| analysis.append(next));
    analysis
}

/// The importance of each message of `conversation`.
pub fn read_importance(conversation: &Conversation) -> Vec<f64> {
    let read = |part: Range<usize>| {
        let mut names = Names::default();
        part.for_each(|index| names.read(conversation.text(index)));
        names
    };
    let mut parts = map_chunks(conversation.len(), |index| conversation.text(index).len(), read).into_iter();
    let mut names = parts.next().unwrap_or_default();
    parts.for_each(|next| names.absorb(&next));
    importance(&names)
}

impl Analysis {
    /// Appends what was found in the messages that follow.
    fn append(&mut self, next: Analysis) {
        let listings = self.entities.absorb(&next.entities);
        self.contents.extend(next.contents);
        self.signs.append(next.signs);
        self.traits.extend(next.traits.into_iter().map(|traits| traits.moved_by(listings)));
    }
}

fn read_part(
    conversation: &Conversation,
    part: Range<usize>,
    wants_content: &[bool],
    wanted: WantedReasons,
) -> Analysis {
    let mut analysis = Analysis::default();
    let mut scratch = Scratch::default();
    for index in part {
        let text = conversation.text(index);
        let scanned = scratch.scan(text.bytes());
        let SignalsOfTexts { all, places } = &mut analysis.signs;
        let [points_start, emphasis_start] = [all.points.len(), all.emphasis.len()];
        let content = wants_content[index].then(|| Content::of(scanned, wanted, &mut all.emphasis));
        // Only then were all words looked up for emphasis.
        let is_complete = !matches!(wanted, WantedReasons::None)
            && matches!(content, Some(Content::Plain(reasons)) if reasons.is_empty());
        let signs = is_complete.then_some(&mut all.points);
        analysis.traits.push(Traits::of(text, scanned, &mut analysis.entities, signs));
        analysis.contents.push(content);
        places.push(is_complete.then_some([points_start..all.points.len(), emphasis_start..all.emphasis.len()]));
    }
    analysis
}
