//! Facts about each distinct text: what its content says about its route, its entities, and what raises the scores of its
//! sentences.
//!
//! They depend on nothing but the text, so they are kept by [`TextId`]: a text that occurs again is not read again, a
//! conversation that grows is extended, and long conversations are read in chunks on several threads.

use std::ops::Range;
use std::sync::OnceLock;

use super::content::{Content, WantedReasons};
use crate::classify::hard_reasons;
use crate::parallel::map_chunks;
use crate::quality::{EntityId, EntityTable, Traits};
use crate::summarize::fences::has_backticks;
use crate::summarize::{ScoreSignals, ScoreSignalsSlice};
use crate::text::json::is_json_structure;
use crate::text::masks::Scratch;
use crate::transcript::{TextId, Transcript};

/// Facts about the distinct texts of a transcript, in the order of their numbers.
#[derive(Default)]
pub struct TextFacts {
    wanted: WantedReasons,
    /// Content of each text, if a call needed it.
    contents: Vec<Option<Content>>,
    /// Entities and structures of each text.
    traits: Vec<Traits>,
    entities: EntityTable,
    /// Score signals of all texts, one behind the other.
    signals: ScoreSignals,
    /// For each text its ranges in both lists of signals, if they were read.
    signal_ranges: Vec<Option<[Range<usize>; 2]>>,
    /// Whether each text has something that must not be cut, once it was asked.
    fragile: Vec<OnceLock<bool>>,
}

impl TextFacts {
    /// Reads the texts of `transcript` that are not known yet, which has to start with the texts that are known. The content
    /// is read of texts for which `wants_content`, by number. Returns how many texts were read; takes time linear in their
    /// length.
    pub fn extend(&mut self, transcript: &Transcript, wants_content: &[bool], wanted: WantedReasons) -> usize {
        if self.wanted != wanted {
            *self = TextFacts { wanted, ..TextFacts::default() };
        }
        self.read_contents(transcript, wants_content);
        let known = self.len();
        let text = |index: usize| transcript.text_of(TextId::from_index(known + index));
        let read = |chunk: Range<usize>| {
            let mut facts = TextFacts { wanted, ..TextFacts::default() };
            facts.read(transcript, known + chunk.start..known + chunk.end, wants_content);
            facts
        };
        let chunks = map_chunks(transcript.text_count() - known, |index| text(index).len(), read);
        for next in chunks {
            if self.is_empty() {
                *self = next;
            } else {
                self.append(next);
            }
        }
        self.fragile.resize_with(self.len(), OnceLock::new);
        self.len() - known
    }

    /// Number of texts that were read.
    pub fn len(&self) -> usize {
        self.traits.len()
    }

    /// Returns whether no text was read.
    pub fn is_empty(&self) -> bool {
        self.traits.is_empty()
    }

    /// Returns what a text says about its route, if a call needed it.
    pub fn content(&self, text: TextId) -> Option<Content> {
        self.contents[text.index()]
    }

    /// Returns the traits of a text; their entities are in [`TextFacts::entities`].
    pub fn traits(&self, text: TextId) -> Traits {
        self.traits[text.index()]
    }

    /// The entities of all texts.
    pub fn entities(&self) -> &EntityTable {
        &self.entities
    }

    /// Returns the entities of a text.
    pub fn entities_of(&self, text: TextId) -> &[EntityId] {
        self.entities.listed(self.traits(text).entities)
    }

    /// Returns whether a text has code or a hard reason to be kept, or is JSON. Read when it is first asked.
    pub fn is_fragile(&self, transcript: &Transcript, id: TextId) -> bool {
        *self.fragile[id.index()].get_or_init(|| {
            let text = transcript.text_of(id);
            has_backticks(text.bytes())
                || !hard_reasons(Scratch::default().scan(text.bytes()), false, &mut Vec::new()).is_empty()
                || is_json_structure(text)
        })
    }

    /// Returns whether the score signals of the messages `start..start + count` are known.
    pub fn knows_signals(&self, transcript: &Transcript, start: usize, count: usize) -> bool {
        (start..start + count).all(|index| self.signal_ranges[transcript.text_id(index).index()].is_some())
    }

    /// Returns the score signals of the messages `start..start + count` joined by blanks, as far as they are known. Those of
    /// several messages are put into `memory`.
    pub fn joined_signals<'a>(
        &'a self,
        transcript: &Transcript,
        start: usize,
        count: usize,
        memory: &'a mut ScoreSignals,
    ) -> ScoreSignalsSlice<'a> {
        memory.clear();
        if count == 1
            && let Some(only) = self.signals_of(transcript.text_id(start))
        {
            return only;
        }
        let mut offset = 0;
        for index in start..start + count {
            if let Some(signals) = self.signals_of(transcript.text_id(index)) {
                memory.append(signals, offset);
            }
            offset += transcript.text(index).len() as u32 + 1;
        }
        memory.as_slice()
    }

    fn signals_of(&self, text: TextId) -> Option<ScoreSignalsSlice<'_>> {
        let [points, emphasis] = self.signal_ranges[text.index()].clone()?;
        Some(ScoreSignalsSlice { points: &self.signals.points[points], emphasis: &self.signals.emphasis[emphasis] })
    }

    /// Reads the content of known texts of which it is needed now and was not before.
    fn read_contents(&mut self, transcript: &Transcript, wants_content: &[bool]) {
        let mut scratch = Scratch::default();
        for (index, content) in self.contents.iter_mut().enumerate() {
            if content.is_none() && wants_content[index] {
                let text = transcript.text_of(TextId::from_index(index));
                *content = Some(Content::of(scratch.scan(text.bytes()), self.wanted, &mut Vec::new()));
            }
        }
    }

    /// Reads the texts in `range`.
    fn read(&mut self, transcript: &Transcript, range: Range<usize>, wants_content: &[bool]) {
        let mut scratch = Scratch::default();
        for index in range {
            let text = transcript.text_of(TextId::from_index(index));
            let scanned = scratch.scan(text.bytes());
            let ScoreSignals { points, emphasis } = &mut self.signals;
            let [points_start, emphasis_start] = [points.len(), emphasis.len()];
            let content = wants_content[index].then(|| Content::of(scanned, self.wanted, emphasis));
            // Only then were all words looked up for emphasis.
            let is_complete = !matches!(self.wanted, WantedReasons::None)
                && matches!(content, Some(Content::Plain(reasons)) if reasons.is_empty());
            self.traits.push(Traits::of(text, scanned, &mut self.entities, is_complete.then_some(&mut *points)));
            self.contents.push(content);
            let ranges = is_complete.then_some([points_start..points.len(), emphasis_start..emphasis.len()]);
            self.signal_ranges.push(ranges);
        }
    }

    /// Appends the facts about the texts that follow.
    fn append(&mut self, next: TextFacts) {
        let moved_by = self.entities.absorb(&next.entities);
        self.contents.extend(next.contents);
        self.traits.extend(next.traits.into_iter().map(|traits| traits.moved_by(moved_by)));
        let by = [self.signals.points.len(), self.signals.emphasis.len()];
        let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        self.signals.append(next.signals.as_slice(), 0);
        self.signal_ranges.extend(next.signal_ranges.into_iter().map(|ranges| {
            let [points, emphasis] = ranges?;
            Some([moved(points, by[0]), moved(emphasis, by[1])])
        }));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transcript::Message;

    /// Texts, among them repeated ones, and for each whether its content is wanted.
    fn messages() -> impl Strategy<Value = Vec<(String, bool)>> {
        let piece = prop::sample::select(vec![
            "The keeper must repair readToken before dusk. ",
            "It took 30 seconds on v1.2.3, see src/app.ts. ",
            "```js\nlet a = 1;\n```\n",
            "SELECT a FROM b WHERE c = 1;\n",
            "{\"key\": [1, 2]}",
            "Grüße aus 東京。 ",
        ]);
        prop::collection::vec(
            (prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat()), any::<bool>()),
            0..12,
        )
    }

    /// Appends the messages to a transcript, and returns for each distinct text whether its content is wanted.
    fn push(transcript: &mut Transcript, wants: &mut Vec<bool>, (text, wants_content): &(String, bool)) {
        transcript.push(Message::default(), &[], &text.encode_utf16().collect::<Vec<_>>());
        wants.resize(transcript.text_count(), false);
        wants[transcript.text_id(transcript.len() - 1).index()] |= wants_content;
    }

    /// The names of the entities of a text.
    fn names(facts: &TextFacts, text: TextId) -> Vec<String> {
        facts.entities_of(text).iter().map(|&id| format!("{:?}", facts.entities().name(id))).collect()
    }

    proptest! {
        #[test]
        fn facts_that_were_extended_are_those_that_were_read_at_once(messages in messages()) {
            let (mut transcript, mut wants) = (Transcript::default(), Vec::new());
            let mut grown = TextFacts::default();
            for message in &messages {
                let known = transcript.text_count();
                push(&mut transcript, &mut wants, message);
                let read = grown.extend(&transcript, &wants, WantedReasons::All);
                prop_assert_eq!(read, transcript.text_count() - known, "only a new text is read");
                prop_assert_eq!(grown.extend(&transcript, &wants, WantedReasons::All), 0);
            }
            let mut at_once = TextFacts::default();
            prop_assert_eq!(at_once.extend(&transcript, &wants, WantedReasons::All), transcript.text_count());
            for text in (0..transcript.text_count()).map(TextId::from_index) {
                prop_assert_eq!(grown.content(text), at_once.content(text));
                prop_assert_eq!(names(&grown, text), names(&at_once, text));
                prop_assert_eq!(grown.traits(text).structures, at_once.traits(text).structures);
                prop_assert_eq!(grown.is_fragile(&transcript, text), at_once.is_fragile(&transcript, text));
                // Signals of a text whose content was wanted later are read when they are needed.
                if let (Some(grown), Some(at_once)) = (grown.signals_of(text), at_once.signals_of(text)) {
                    prop_assert_eq!(format!("{grown:?}"), format!("{at_once:?}"));
                }
            }
        }
    }
}
