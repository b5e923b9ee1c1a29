//! Facts about the first texts of a conversation, which another thread reads while the rest is still copied.

use super::{TextFacts, WantedReasons};
use crate::compress::options::Options;
use palimpsest_history::transcript::Transcript;

/// Length of the texts that are read together, in UTF-16 code units; small, because the thread that copies waits for the last of them.
const UNITS: usize = 16 * 1024;
/// Maximum length of a text that is read ahead, in UTF-16 code units. Reading ahead ends at a longer one, and all threads share the rest.
const MAX_LENGTH: usize = 4 * UNITS;

/// How much of a growing transcript was copied to be read ahead.
#[derive(Debug, Default)]
pub struct Ahead {
    /// Index of the next message.
    message: usize,
    /// Number of texts that were copied.
    texts: usize,
    /// Length of all messages up to here, in UTF-16 code units.
    units: usize,
}

/// Successive texts of a transcript. They are copies, because a transcript that grows moves in memory.
#[derive(Debug, Default)]
pub struct Piece {
    bytes: Vec<u8>,
    /// For each text its end in `bytes`; `None` if its content is not needed, so that it was not copied.
    ends: Vec<Option<usize>>,
}

impl Ahead {
    /// Replaces the texts of `piece` by copies of the next ones of `transcript`. Returns `false` if there are too few to be worth it.
    pub fn copy_next(&mut self, transcript: &Transcript, piece: &mut Piece) -> bool {
        if transcript.units() - self.units < UNITS {
            return false;
        }
        piece.bytes.clear();
        piece.ends.clear();
        while self.message < transcript.len() && piece.bytes.len() < UNITS {
            let (message, id) = (transcript.message(self.message), transcript.text_id(self.message));
            let text = transcript.text_of(id);
            if text.len() > MAX_LENGTH {
                break;
            }
            if id.index() == self.texts {
                // If a later message with the same text needs its content, it is read then.
                let is_wanted = !message.has_preserved_role && !message.has_tool_calls;
                piece.ends.push(is_wanted.then(|| {
                    piece.bytes.extend_from_slice(text.bytes());
                    piece.bytes.len()
                }));
                self.texts += 1;
            }
            self.message += 1;
            self.units += text.len();
        }
        !piece.ends.is_empty()
    }
}

impl TextFacts {
    /// Facts about no text yet, for a call with these options.
    pub fn for_call(options: &Options) -> Self {
        TextFacts::new(WantedReasons::of(options))
    }

    /// Reads texts that follow those that are known.
    pub fn read_piece(&mut self, Piece { bytes, ends }: &Piece) {
        let mut start = 0;
        self.read(ends.iter().map(|end| end.map(|end| &bytes[std::mem::replace(&mut start, end)..end])));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use palimpsest_history::transcript::{Message, TextId};

    /// Messages with a text each, among them repeated and long ones.
    fn messages() -> impl Strategy<Value = Vec<(Message, String)>> {
        let text = prop::sample::select(vec![
            "The keeper must repair readToken before dusk. ",
            "It took 30 seconds on v1.2.3, see src/app.ts. ",
            "```js\nlet a = 1;\n```\n",
            "{\"key\": [1, 2]}",
            "Grüße aus 東京。 ",
            "",
        ]);
        let length = prop::sample::select(vec![1, 1, 40, 400, 1600]);
        let message = (text, length, any::<bool>(), any::<bool>()).prop_map(
            |(text, repeats, has_preserved_role, has_tool_calls)| {
                (Message { has_preserved_role, has_tool_calls, ..Message::default() }, text.repeat(repeats))
            },
        );
        prop::collection::vec(message, 0..20)
    }

    proptest! {
        #[test]
        fn facts_that_were_read_ahead_are_those_that_were_read_at_once(messages in messages(), every in 1usize..4) {
            let options = Options::default();
            let (mut transcript, mut ahead, mut piece) = (Transcript::default(), Ahead::default(), Piece::default());
            let mut facts = TextFacts::for_call(&options);
            for (index, (message, text)) in messages.iter().enumerate() {
                transcript.push(*message, &[], &text.encode_utf16().collect::<Vec<_>>());
                if index % every == 0 && ahead.copy_next(&transcript, &mut piece) {
                    facts.read_piece(&piece);
                }
            }
            prop_assert!(facts.len() <= transcript.text_count());
            let (wants, wanted) = (vec![true; transcript.text_count()], WantedReasons::of(&options));
            facts.extend(&transcript, &wants, wanted);
            let mut at_once = TextFacts::new(wanted);
            at_once.extend(&transcript, &wants, wanted);
            for text in (0..transcript.text_count()).map(TextId::from_index) {
                prop_assert_eq!(facts.content(text), at_once.content(text));
            }
            for index in (0..transcript.len()).filter(|&index| facts.knows_emphasis(&transcript, index, 1)) {
                let hits = |facts: &TextFacts| format!("{:?}", facts.joined_emphasis(&transcript, index, 1, &mut Vec::new()));
                prop_assert_eq!(hits(&facts), hits(&at_once));
            }
        }
    }

    #[test]
    fn a_long_text_is_left() {
        let (mut transcript, mut ahead, mut piece) = (Transcript::default(), Ahead::default(), Piece::default());
        let mut facts = TextFacts::for_call(&Options::default());
        for (units, expected) in [(UNITS, true), (MAX_LENGTH + 1, false), (UNITS, false)] {
            transcript.push(Message::default(), &[], &vec![u16::from(b'a'); units]);
            let is_worth_it = ahead.copy_next(&transcript, &mut piece);
            assert_eq!(is_worth_it, expected, "{units}");
            if is_worth_it {
                facts.read_piece(&piece);
            }
        }
        assert_eq!(facts.len(), 1);
    }
}
