//! Facts about each distinct text: what its content says about its route, and the phrases that raise the scores of its
//! sentences.
//!
//! They depend on nothing but the text, so they are kept by [`TextId`]: a text that occurs again is not read again, and long
//! conversations are read in pieces on several threads.

use std::ops::Range;
use std::sync::OnceLock;

use super::content::{Content, WantedReasons};
use crate::classify::{Hit, hard_reasons};
use crate::summarize::fences::has_backticks;
use palimpsest_history::transcript::{TextId, Transcript};
use palimpsest_text::json::is_json_structure;
use palimpsest_text::masks::Scratch;
use palimpsest_text::parallel::map_chunks;

/// Facts about the distinct texts of a transcript, in the order of their numbers.
#[derive(Default)]
pub(crate) struct TextFacts {
    /// Content of each text, if a call needed it.
    contents: Vec<Option<Content>>,
    /// Phrases that raise the score of their sentence, of all texts, one after the other.
    emphasis: Vec<Hit>,
    /// For each text its range in `emphasis`, if all of its words were looked up.
    emphasis_ranges: Vec<Option<Range<usize>>>,
    /// Whether each text has something that must not be cut, once it was asked.
    fragile: Vec<OnceLock<bool>>,
}

impl TextFacts {
    /// Reads the texts of `transcript`, and the content of those for which `wants_content`, by number. Takes time linear in their length.
    pub(crate) fn read(transcript: &Transcript, wants_content: &[bool], wanted: WantedReasons) -> Self {
        let text = |index: usize| transcript.text_of(index.into());
        let read = |chunk: Range<usize>| {
            let mut facts = TextFacts::default();
            facts.append_read(chunk.map(|index| wants_content[index].then(|| text(index).bytes())), wanted);
            facts
        };
        let mut pieces = map_chunks(transcript.text_count(), |index| text(index).len(), read).into_iter();
        let mut facts = pieces.next().unwrap_or_default();
        pieces.for_each(|next| facts.append(next));
        facts.fragile.resize_with(facts.contents.len(), OnceLock::new);
        facts
    }

    /// Returns what a text says about its route, if a call needed it.
    pub(crate) fn content(&self, text: TextId) -> Option<Content> {
        self.contents[text.index()]
    }

    /// Returns whether a text has code or a hard reason to be kept, or is JSON. Read when it is first asked.
    pub(crate) fn is_fragile(&self, transcript: &Transcript, id: TextId) -> bool {
        *self.fragile[id.index()].get_or_init(|| {
            let text = transcript.text_of(id);
            has_backticks(text.bytes())
                || !hard_reasons(Scratch::default().scan(text.bytes()), false, &mut Vec::new()).is_empty()
                || is_json_structure(text)
        })
    }

    /// Returns whether [`TextFacts::joined_emphasis`] knows all of the messages `start..start + count`.
    pub(crate) fn knows_emphasis(&self, transcript: &Transcript, start: usize, count: usize) -> bool {
        (start..start + count).all(|index| self.emphasis_ranges[transcript.text_id(index).index()].is_some())
    }

    /// Returns the phrases that raise the score of their sentence in the messages `start..start + count`, joined by blanks, as
    /// far as they are known. Those of several messages are put into `memory`.
    pub(crate) fn joined_emphasis<'a>(
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

    /// Reads the texts that follow those that are known; `None` stands for one whose content is not needed.
    fn append_read<'a>(&mut self, texts: impl Iterator<Item = Option<&'a [u8]>>, wanted: WantedReasons) {
        let mut scratch = Scratch::default();
        for text in texts {
            let start = self.emphasis.len();
            let content = text.map(|text| Content::of(scratch.scan(text), wanted, &mut self.emphasis));
            // Only then were all words looked up for emphasis.
            let is_complete = !matches!(wanted, WantedReasons::None)
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
    use super::*;

    #[test]
    fn facts_that_were_read_in_pieces_are_those_that_were_read_at_once() {
        let texts = [
            "The keeper must repair readToken before dusk. ",
            "It took 30 seconds on v1.2.3, see src/app.ts. ",
            "```js\nlet a = 1;\n```\n",
            "The ledger is important, and the lantern must be lit. ",
            "{\"key\": [1, 2]}",
            "",
        ];
        let read = |texts: &[&str]| {
            let mut facts = TextFacts::default();
            facts.append_read(
                texts.iter().map(|text| (!text.is_empty()).then_some(text.as_bytes())),
                WantedReasons::All,
            );
            facts
        };
        let facts =
            |facts: &TextFacts| format!("{:?} {:?} {:?}", facts.contents, facts.emphasis, facts.emphasis_ranges);
        for cut in 0..=texts.len() {
            let mut pieces = read(&texts[..cut]);
            pieces.append(read(&texts[cut..]));
            assert_eq!(facts(&pieces), facts(&read(&texts)), "{cut}");
        }
    }
}
