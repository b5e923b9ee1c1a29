//! A conversation as the engine reads it: messages, and the parts that they consist of.
//!
//! A [`Transcript`] only grows: messages and parts are appended and keep their numbers. Equal texts have one [`TextId`], so facts about
//! texts can be kept in a table that is extended when the transcript has grown, and a text that occurs again is not read again.
//! It is the same for every provider's format; the agent's verbs read its parts, and `compress`, which knows messages of one text
//! each, reads part `n` as the text of message `n`.

mod ids;
mod message;
mod part;
mod texts;

pub use ids::hash_of_id;
pub use message::{Message, Speaker};
pub use part::{Kind, MessageIndex, NameIndex, Part, PartIndex, Removal, Role, Status};
pub use texts::{DistinctTexts, TextId};

use palimpsest_text::index::{IndexRange, IndexVec, Indices};
use palimpsest_text::{Text, Texts};

/// A conversation that grows at its end.
#[derive(Debug, Default)]
pub struct Transcript {
    messages: IndexVec<MessageIndex, Message>,
    /// Id of each message.
    ids: Texts,
    /// For each message its first part.
    starts: IndexVec<MessageIndex, PartIndex>,
    parts: IndexVec<PartIndex, Part>,
    /// For each part its text.
    text_ids: IndexVec<PartIndex, TextId>,
    texts: DistinctTexts,
    /// Length of all parts' texts.
    units: usize,
    names: IndexVec<NameIndex, String>,
}

impl Transcript {
    /// An empty transcript with room for `count` messages of one part each and `units` UTF-16 code units in total.
    pub fn with_capacity(count: usize, units: usize) -> Self {
        Transcript {
            messages: Vec::with_capacity(count).into(),
            ids: Texts::with_capacity(count, 8 * count),
            starts: Vec::with_capacity(count).into(),
            parts: Vec::with_capacity(count).into(),
            text_ids: Vec::with_capacity(count).into(),
            texts: DistinctTexts::with_capacity(count, units),
            units: 0,
            names: IndexVec::default(),
        }
    }

    /// A transcript of `message_count` messages without ids, some of which may have no part. `texts` holds the text of each part and is
    /// taken over without a copy.
    ///
    /// # Panics
    /// If there isn't one text for each part, or a part belongs to no message or to one before that of the part before it.
    pub fn new(message_count: usize, names: Vec<String>, parts: Vec<Part>, texts: Texts) -> Self {
        assert_eq!(parts.len(), texts.len(), "each part has a text");
        let units = texts.units();
        let (texts, text_ids) = DistinctTexts::take_over(texts);
        let mut transcript = Transcript {
            messages: Vec::with_capacity(message_count).into(),
            ids: Texts::with_capacity(message_count, 0),
            starts: Vec::with_capacity(message_count).into(),
            parts: Vec::with_capacity(parts.len()).into(),
            text_ids: text_ids.into(),
            texts,
            units,
            names: names.into(),
        };
        for part in parts {
            let count = part.message.index() + 1;
            assert!(count <= message_count, "each part belongs to a message");
            transcript.push_messages(count);
            transcript.add(part);
        }
        transcript.push_messages(message_count);
        transcript
    }

    /// Appends messages without parts and ids until there are `count`.
    fn push_messages(&mut self, count: usize) {
        while self.messages.len() < count {
            self.push_message(Message::default(), &[]);
        }
    }

    /// Appends a message and returns its index. `id` is its id, in UTF-16 code units.
    pub fn push_message(&mut self, message: Message, id: &[u16]) -> MessageIndex {
        self.starts.push(self.parts.next_index());
        self.ids.push_units(id);
        self.messages.push(message)
    }

    /// Appends a part to the last message and returns its index.
    ///
    /// # Panics
    /// If `part` names another message as its own.
    pub fn push_part(&mut self, part: Part, text: Text<'_>) -> PartIndex {
        self.units += text.len();
        self.text_ids.push(self.texts.push(text));
        self.add(part)
    }

    fn add(&mut self, part: Part) -> PartIndex {
        assert_eq!(part.message.index() + 1, self.messages.len(), "a part belongs to the last message");
        self.parts.push(part)
    }

    /// Appends a message of one text, in UTF-16 code units.
    pub fn push(&mut self, message: Message, id: &[u16], text: &[u16]) {
        let role = if message.speaker == Speaker::Assistant { Role::Assistant } else { Role::User };
        let message = self.push_message(message, id);
        self.units += text.len();
        self.text_ids.push(self.texts.push_units(text));
        self.add(Part::new(message, role, Kind::Text));
    }

    /// Has a part say something else from now on, and returns the number of the text that it said before.
    pub fn set_text(&mut self, part: impl Into<PartIndex>, text: Text<'_>) -> TextId {
        let id = self.texts.push(text);
        let before = std::mem::replace(&mut self.text_ids[part.into()], id);
        self.units = self.units + text.len() - self.text_of(before).len();
        before
    }

    /// Adds the name of a tool, for parts to refer to, and returns its index.
    pub fn push_name(&mut self, name: String) -> NameIndex {
        self.names.push(name)
    }

    /// Number of messages.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The index of each message.
    pub fn messages(&self) -> Indices<MessageIndex> {
        self.messages.indices()
    }

    /// The message at `index`.
    pub fn message(&self, index: impl Into<MessageIndex>) -> Message {
        self.messages[index.into()]
    }

    /// Id of the message at `index`.
    pub fn id(&self, index: impl Into<MessageIndex>) -> Text<'_> {
        self.ids.get(index.into().index())
    }

    /// The parts of all messages, in order.
    pub fn parts(&self) -> &IndexVec<PartIndex, Part> {
        &self.parts
    }

    /// A message's parts.
    pub fn parts_of(&self, message: MessageIndex) -> IndexRange<PartIndex> {
        let next = MessageIndex(message.0 + 1);
        let end = self.starts.get(next).copied().unwrap_or(self.parts.next_index());
        IndexRange { start: self.starts[message], end }
    }

    /// Text of a part.
    #[inline]
    pub fn text(&self, part: impl Into<PartIndex>) -> Text<'_> {
        self.texts.get(self.text_ids[part.into()])
    }

    /// Length of a part's text, in UTF-16 code units.
    #[inline]
    pub fn length(&self, part: impl Into<PartIndex>) -> usize {
        self.texts.length(self.text_ids[part.into()])
    }

    /// Number of a part's text; that of an equal text is the same.
    pub fn text_id(&self, part: impl Into<PartIndex>) -> TextId {
        self.text_ids[part.into()]
    }

    /// The text with a number.
    pub fn text_of(&self, id: TextId) -> Text<'_> {
        self.texts.get(id)
    }

    /// Number of distinct texts, which is one more than the highest [`TextId::index`].
    pub fn text_count(&self) -> usize {
        self.texts.count()
    }

    /// Length of all parts' texts in total, in UTF-16 code units.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Names of the tools.
    pub fn names(&self) -> &IndexVec<NameIndex, String> {
        &self.names
    }

    /// Name of the tool that a part calls; empty where it has none.
    pub fn name(&self, part: PartIndex) -> &str {
        self.parts[part].name.and_then(|name| self.names.get(name)).map_or("", String::as_str)
    }

    /// Indices of the parts in order of time: by timestamps where every part has one, otherwise as they are.
    pub fn in_order(&self) -> Vec<PartIndex> {
        let mut order: Vec<PartIndex> = self.parts.indices().collect();
        if self.parts.iter().all(|part| part.time.is_some_and(f64::is_finite)) {
            // The sort is stable: parts with the same time keep their order.
            order.sort_by(|&a, &b| {
                let time = |part: PartIndex| self.parts[part].time.unwrap_or_default();
                time(a).total_cmp(&time(b))
            });
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use palimpsest_text::TextBuf;

    /// The texts of each message.
    fn messages() -> impl Strategy<Value = Vec<Vec<String>>> {
        let text = prop_oneof![3 => prop::sample::select(vec!["", "a", "again", "über", "東京", "東亰"]).prop_map(str::to_owned), 1 => "\\PC{0,20}"];
        prop::collection::vec(prop::collection::vec(text, 0..4), 0..12)
    }

    fn part(message: usize, place: usize) -> Part {
        let kind = [Kind::Text, Kind::Result, Kind::Reasoning][place % 3];
        Part { time: (place > 0).then_some(message as f64), ..Part::new(message, Role::Assistant, kind) }
    }

    fn at_once(messages: &[Vec<String>]) -> Transcript {
        let (mut parts, mut given) = (Vec::new(), Texts::default());
        for (message, texts) in messages.iter().enumerate() {
            for (place, text) in texts.iter().enumerate() {
                parts.push(part(message, place));
                given.push_str(text);
            }
        }
        Transcript::new(messages.len(), vec!["bash".to_owned()], parts, given)
    }

    fn in_pieces(messages: &[Vec<String>]) -> Transcript {
        let mut transcript = Transcript::default();
        transcript.push_name("bash".to_owned());
        for (message, texts) in messages.iter().enumerate() {
            transcript.push_message(Message::default(), &[]);
            for (place, text) in texts.iter().enumerate() {
                transcript.push_part(part(message, place), TextBuf::from(&text[..]).as_text());
            }
        }
        transcript
    }

    proptest! {
        #[test]
        fn built_in_pieces_it_is_what_it_is_at_once(messages in messages()) {
            let (a, b) = (at_once(&messages), in_pieces(&messages));
            prop_assert_eq!((a.len(), a.units(), a.names(), a.parts()), (b.len(), b.units(), b.names(), b.parts()));
            prop_assert_eq!((&a.text_ids, a.text_count(), a.in_order()), (&b.text_ids, b.text_count(), b.in_order()));
            prop_assert!(a.messages().all(|message| a.parts_of(message) == b.parts_of(message)));
            let texts = messages.concat();
            for (part, text) in texts.iter().enumerate() {
                prop_assert!(a.text(part) == TextBuf::from(&text[..]).as_text());
                prop_assert_eq!(b.text(part), a.text(part));
                for (other, again) in texts.iter().enumerate() {
                    prop_assert_eq!(a.text_id(part) == a.text_id(other), text == again);
                }
            }
            let mut next = 0;
            for (message, texts) in messages.iter().enumerate() {
                prop_assert_eq!(a.parts_of(message.into()).positions(), next..next + texts.len());
                next += texts.len();
            }
        }

        #[test]
        fn a_text_that_is_set_is_the_parts_alone(messages in messages(), place: prop::sample::Index, text in "\\PC{0,8}") {
            let texts = messages.concat();
            if texts.is_empty() {
                return Ok(());
            }
            let mut transcript = in_pieces(&messages);
            let part = place.index(texts.len());
            let before = transcript.set_text(part, TextBuf::from(&text[..]).as_text());
            prop_assert!(transcript.text_of(before) == TextBuf::from(&texts[part][..]).as_text());
            for (other, given) in texts.iter().enumerate() {
                let expected = if other == part { &text } else { given };
                prop_assert!(transcript.text(other) == TextBuf::from(&expected[..]).as_text());
            }
            let units = (0..texts.len()).map(|part| transcript.text(part).len()).sum::<usize>();
            prop_assert_eq!(transcript.units(), units);
        }
    }

    #[test]
    #[should_panic(expected = "a part belongs to the last message")]
    fn parts_belong_to_the_last_message() {
        let mut transcript = in_pieces(&[vec![], vec![]]);
        transcript.push_part(part(0, 0), Text::default());
    }
}
