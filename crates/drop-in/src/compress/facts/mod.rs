//! Facts about a conversation: what its texts say and how its messages relate. They do not change once they are read.

mod content;
mod corrections;
mod links;
mod texts;

use std::ops::Range;

pub use content::is_already_compressed;
pub(crate) use content::{Content, WantedReasons};
pub(super) use corrections::{Correction, Corrections};
pub(super) use texts::TextFacts;

use crate::compress::options::Options;
use crate::coreference::CoreferenceMap;
use crate::dedup::{self, ExactGroups, FuzzyIndex};
use crate::flow::Link;
use crate::importance::{Names, importance};
use palimpsest_history::transcript::{TextId, Transcript};
use palimpsest_text::Text;
use palimpsest_text::masks::Scratch;
use palimpsest_text::parallel::{join, map_chunks};
use palimpsest_tokens::estimate;

/// The facts about a conversation, as far as the options ask for them.
pub(super) struct Facts {
    /// The conversation.
    pub transcript: Transcript,
    /// Facts about each distinct text.
    pub texts: TextFacts,
    /// Groups of identical texts.
    pub exact_groups: Option<ExactGroups>,
    /// Texts with nearly the same lines.
    pub fuzzy_index: Option<FuzzyIndex>,
    /// Importance of each message; empty unless asked for.
    pub importance: Vec<f64>,
    /// Corrections of messages by later ones.
    pub corrections: Corrections,
    /// Part of each message in the flow of the conversation; empty unless asked for.
    pub links: Vec<Link>,
    /// Names and the messages that use them; empty unless asked for.
    pub coreferences: CoreferenceMap,
    /// Positions of messages that the caller has trimmed, and their texts before.
    pub untrimmed: Vec<(usize, TextId)>,
    /// Tokens of each message by the caller's count; `None` for the estimate.
    tokens: Option<Vec<f64>>,
}

impl Facts {
    /// Facts about nothing but the tokens of each message, if the caller has counted them.
    pub(super) fn new(transcript: Transcript, tokens: Option<Vec<f64>>) -> Self {
        Facts {
            transcript,
            texts: TextFacts::default(),
            exact_groups: None,
            fuzzy_index: None,
            importance: Vec::new(),
            corrections: Corrections::default(),
            links: Vec::new(),
            coreferences: CoreferenceMap::default(),
            untrimmed: Vec::new(),
            tokens,
        }
    }

    /// Reads the relations between messages. [`Facts::read_texts`] reads the texts, which depend on the messages that these relations keep, and
    /// finds nearly identical messages.
    pub(super) fn read_relations(&mut self, options: &Options) {
        let transcript = &self.transcript;
        let ids = || comparable(transcript).map(|index| (index, transcript.text_id(index)));
        self.exact_groups = options.dedup.then(|| ExactGroups::new(ids()));
        if options.importance_threshold.is_some() {
            self.importance = read_importance(transcript);
        }
        self.corrections = Corrections::of(transcript, options);
        if options.conversation_flow {
            self.links = links::read_links(transcript);
        }
        if options.coreference {
            self.coreferences = read_coreferences(transcript);
        }
    }

    /// Reads the texts, see [`TextFacts::read`], and finds nearly identical ones on another thread meanwhile.
    /// Duplicates are few, and reading them in vain takes less time than waiting until they are found.
    pub(super) fn read_texts(&mut self, options: &Options, wants_content: &[bool], wanted: WantedReasons) {
        let transcript = &self.transcript;
        let texts = || TextFacts::read(transcript, wants_content, wanted);
        if !options.fuzzy_dedup {
            self.texts = texts();
            return;
        }
        let index = || FuzzyIndex::new(comparable(transcript).map(|index| (index, transcript.text(index))));
        let (texts, index) = join(transcript.units(), texts, index);
        self.texts = texts;
        self.fuzzy_index = Some(index);
    }

    /// Returns the text of a message.
    pub(super) fn text(&self, index: usize) -> Text<'_> {
        self.transcript.text(index)
    }

    /// Returns the total length of `count` messages from `start` on, in UTF-16 code units.
    pub(super) fn length(&self, start: usize, count: usize) -> usize {
        (start..start + count).map(|index| self.transcript.length(index)).sum()
    }

    /// Returns the tokens of a message.
    pub(super) fn tokens_of(&self, index: usize) -> f64 {
        match &self.tokens {
            Some(tokens) => tokens[index],
            None => estimate(self.transcript.length(index)) as f64,
        }
    }

    /// Returns whether the caller has counted the tokens of the messages.
    pub(super) fn has_counted_tokens(&self) -> bool {
        self.tokens.is_some()
    }
}

/// The messages that may be duplicates of others, or have some.
fn comparable(transcript: &Transcript) -> impl Iterator<Item = usize> {
    (0..transcript.len()).filter(|&index| {
        let (message, text) = (transcript.message(index), transcript.text(index));
        !message.has_preserved_role
            && !message.has_tool_calls
            && text.len() >= dedup::MIN_LENGTH
            && !is_already_compressed(text.bytes())
    })
}

/// Computes the importance of each message.
fn read_importance(transcript: &Transcript) -> Vec<f64> {
    let read = |chunk: Range<usize>| {
        let mut names = Names::default();
        chunk.for_each(|index| names.read(transcript.text(index)));
        names
    };
    let mut chunks = map_chunks(transcript.len(), |index| transcript.text(index).len(), read).into_iter();
    let mut names = chunks.next().unwrap_or_default();
    chunks.for_each(|next| names.absorb(&next));
    importance(&names)
}

/// Reads the names that messages define and use.
fn read_coreferences(transcript: &Transcript) -> CoreferenceMap {
    let mut map = CoreferenceMap::default();
    let mut scratch = Scratch::default();
    for index in 0..transcript.len() {
        let text = transcript.text(index);
        map.read(index, text, scratch.scan(text.bytes()));
    }
    map
}
