//! Facts about each distinct text: what its content says about its route, and the phrases that raise the scores of its
//! sentences.
//!
//! They depend on nothing but the text, so they are kept by [`TextId`]: a text that occurs again is not read again, a
//! conversation that grows is extended, and long conversations are read in pieces on several threads.

use std::ops::Range;
use std::sync::OnceLock;

use super::content::{Content, WantedReasons};
use crate::classify::{Hit, hard_reasons};
use crate::summarize::fences::has_backticks;
use palimpsest_history::transcript::{TextId, Transcript};
use palimpsest_text::json::is_json_structure;
use palimpsest_text::masks::Scratch;
use palimpsest_text::parallel::map_pieces;

/// Facts about the distinct texts of a transcript, in the order of their numbers.
#[derive(Default)]
pub struct TextFacts {
    wanted: WantedReasons,
    /// Content of each text, if a call needed it.
    contents: Vec<Option<Content>>,
    /// Phrases that raise the score of their sentence, of all texts, one behind the other.
    emphasis: Vec<Hit>,
    /// For each text its range in `emphasis`, if all of its words were looked up.
    emphasis_ranges: Vec<Option<Range<usize>>>,
    /// Whether each text has something that must not be cut, once it was asked.
    fragile: Vec<OnceLock<bool>>,
}

impl TextFacts {
    /// Facts about no text yet, for calls that want these reasons.
    pub fn new(wanted: WantedReasons) -> Self {
        TextFacts { wanted, ..TextFacts::default() }
    }

    /// Reads the texts of `transcript` that are not known yet, which has to start with the texts that are known. The content
    /// is read of texts for which `wants_content`, by number. Returns how many texts were read; takes time linear in their
    /// length.
    pub fn extend(&mut self, transcript: &Transcript, wants_content: &[bool], wanted: WantedReasons) -> usize {
        if self.wanted != wanted {
            *self = TextFacts::new(wanted);
        }
        self.read_contents(transcript, wants_content);
        let known = self.len();
        let text = |index: usize| transcript.text_of(TextId::from_index(known + index));
        let read = |chunk: Range<usize>| {
            let mut facts = TextFacts::new(wanted);
            facts.read(chunk.map(|index| wants_content[known + index].then(|| text(index).bytes())));
            facts
        };
        let pieces = map_pieces(transcript.text_count() - known, |index| text(index).len(), read);
        for next in pieces {
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
        self.contents.len()
    }

    /// Returns whether no text was read.
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// Returns what a text says about its route, if a call needed it.
    pub fn content(&self, text: TextId) -> Option<Content> {
        self.contents[text.index()]
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

    /// Returns whether [`TextFacts::joined_emphasis`] knows all of the messages `start..start + count`.
    pub fn knows_emphasis(&self, transcript: &Transcript, start: usize, count: usize) -> bool {
        (start..start + count).all(|index| self.emphasis_ranges[transcript.text_id(index).index()].is_some())
    }

    /// Returns the phrases that raise the score of their sentence in the messages `start..start + count`, joined by blanks, as
    /// far as they are known. Those of several messages are put into `memory`.
    pub fn joined_emphasis<'a>(
        &'a self,
        transcript: &Transcript,
        start: usize,
        count: usize,
        memory: &'a mut Vec<Hit>,
    ) -> &'a [Hit] {
        if count == 1 {
            return self.emphasis_of(transcript.text_id(start));
        }
        memory.clear();
        let mut offset = 0;
        for index in start..start + count {
            let moved = |hit: &Hit| Hit { start: hit.start + offset, end: hit.end + offset, ..*hit };
            memory.extend(self.emphasis_of(transcript.text_id(index)).iter().map(moved));
            offset += transcript.text(index).len() as u32 + 1;
        }
        memory
    }

    fn emphasis_of(&self, text: TextId) -> &[Hit] {
        &self.emphasis[self.emphasis_ranges[text.index()].clone().unwrap_or_default()]
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

    /// Reads the texts that follow those that are known; `None` stands for one whose content is not needed.
    pub(super) fn read<'a>(&mut self, texts: impl Iterator<Item = Option<&'a [u8]>>) {
        let mut scratch = Scratch::default();
        for text in texts {
            let start = self.emphasis.len();
            let content = text.map(|text| Content::of(scratch.scan(text), self.wanted, &mut self.emphasis));
            // Only then were all words looked up for emphasis.
            let is_complete = !matches!(self.wanted, WantedReasons::None)
                && matches!(content, Some(Content::Plain(reasons)) if reasons.is_empty());
            if !is_complete {
                self.emphasis.truncate(start);
            }
            self.emphasis_ranges.push(is_complete.then_some(start..self.emphasis.len()));
            self.contents.push(content);
        }
    }

    /// Appends the facts about the texts that follow.
    fn append(&mut self, next: TextFacts) {
        let by = self.emphasis.len();
        self.contents.extend(next.contents);
        self.emphasis.extend(next.emphasis);
        let moved = |range: Range<usize>| range.start + by..range.end + by;
        self.emphasis_ranges.extend(next.emphasis_ranges.into_iter().map(|range| range.map(moved)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use palimpsest_history::transcript::Message;

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
                prop_assert_eq!(grown.is_fragile(&transcript, text), at_once.is_fragile(&transcript, text));
                // The emphasis of a text whose content was wanted later is read when it is needed.
                if grown.emphasis_ranges[text.index()].is_some() {
                    prop_assert_eq!(format!("{:?}", grown.emphasis_of(text)), format!("{:?}", at_once.emphasis_of(text)));
                }
            }
        }
    }
}
