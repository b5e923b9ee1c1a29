//! A conversation and the options of a call as `lib/compress/gather.ts` gathers them.

use napi::bindgen_prelude::{Error, ExternalRef, Result};

use super::strings::{StringArray, Units, total_units};
use super::tokens::Counts;
use crate::layout::{depth, message_column, message_flag, option, switch};
use palimpsest_drop_in::compress::{DepthOption, Engine, Options, Outcome};
use palimpsest_history::transcript::{Message, Speaker, TextId, Transcript};
use palimpsest_text::index::to_usize;
use palimpsest_tokens::estimate;

/// A conversation that was not copied out of JavaScript yet.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    texts: &'a StringArray<'a>,
    ids: &'a [u16],
    columns: &'a [u32],
}

impl<'a> Given<'a> {
    /// A conversation with the columns of `MESSAGE_COLUMN`. `ids` are those of all messages, one after the other.
    ///
    /// # Errors
    ///
    /// If a message lacks a column.
    pub fn new(texts: &'a StringArray<'a>, ids: &'a Units, columns: &'a [u32]) -> Result<Self> {
        if columns.len() != message_column::COUNT * texts.len() {
            return Err(Error::from_reason("each message needs a text, an id and flags"));
        }
        Ok(Given { texts, ids: &ids.0, columns })
    }

    /// Length of all texts in UTF-16 code units, capped.
    pub fn units(self) -> usize {
        total_units(self.column(message_column::LENGTH))
    }

    /// Returns the result of a call if the conversation already fits its budget.
    pub fn untouched(self, options: &Options, (tokens, exact_tokens): &Counts) -> Option<Outcome> {
        let lengths = self.column(message_column::LENGTH);
        let tokens = |index: usize| match tokens {
            Some(tokens) => tokens[index],
            None => estimate(to_usize(lengths[index])) as f64,
        };
        Outcome::untouched(options, lengths.len(), tokens, exact_tokens.as_ref())
    }

    /// Copies the conversation, unless `trimmed` is it, and begins a call.
    ///
    /// # Errors
    ///
    /// If an element is no string, or its length is not the given one.
    pub fn engine(self, trimmed: Option<Trimmed>, options: Options, (tokens, exact_tokens): Counts) -> Result<Engine> {
        let engine = match trimmed {
            Some(Trimmed { conversation, untrimmed }) => {
                Engine::new(conversation, options, tokens).with_untrimmed(untrimmed)
            }
            None => Engine::new(self.read()?, options, tokens),
        };
        Ok(engine.with_exact_tokens(exact_tokens))
    }

    /// Copies the conversation.
    ///
    /// # Errors
    ///
    /// As [`Given::engine`].
    pub fn read(self) -> Result<Transcript> {
        let lengths = self.column(message_column::LENGTH);
        let ends = self.column(message_column::ID_END);
        let flags = self.column(message_column::FLAGS);
        let mut conversation = Transcript::with_capacity(lengths.len(), self.units());
        self.texts.for_each_apart(lengths, |index, text| {
            let start = if index == 0 { 0 } else { to_usize(ends[index - 1]) };
            let id = self.ids.get(start..to_usize(ends[index])).unwrap_or_default();
            let flags = flags[index];
            let has = |flag: u32| flags & flag != 0;
            let message = Message {
                role: flags >> message_flag::COUNT,
                speaker: speaker(has(message_flag::USER), has(message_flag::ASSISTANT)),
                has_role: has(message_flag::HAS_ROLE),
                has_preserved_role: has(message_flag::PRESERVED_ROLE),
                has_tool_calls: has(message_flag::TOOL_CALLS),
                answers_tool_call: has(message_flag::ANSWERS_TOOL_CALL),
                has_string_id: has(message_flag::STRING_ID),
            };
            conversation.push(message, id, text);
        })?;
        Ok(conversation)
    }

    fn column(self, place: usize) -> &'a [u32] {
        let count = self.texts.len();
        &self.columns[place * count..(place + 1) * count]
    }
}

/// Returns the speaker of a message from its role: `user`, `assistant` or neither.
pub fn speaker(is_user: bool, is_assistant: bool) -> Speaker {
    match (is_user, is_assistant) {
        (true, _) => Speaker::User,
        (_, true) => Speaker::Assistant,
        _ => Speaker::Other,
    }
}

/// A conversation with trimmed tool results, passed from `trimToolResults` to the call that compresses it: reading it again
/// would take about as long as trimming it.
pub struct Trimmed {
    /// The messages as they are now.
    pub conversation: Transcript,
    /// Positions and original texts of the trimmed messages.
    pub untrimmed: Vec<(usize, TextId)>,
}

impl Trimmed {
    /// Takes it out of JavaScript, whose garbage collector doesn't know its size.
    pub fn take(given: Option<ExternalRef<Option<Self>>>) -> Option<Self> {
        given.and_then(|mut given| given.take())
    }
}

/// Reads the options of a call; see `CompressOptions` in `index.d.ts`.
pub fn read_options(numbers: &[f64], callbacks: Callbacks) -> Result<Options> {
    if numbers.len() != option::COUNT {
        return Err(Error::from_reason("the options are incomplete"));
    }
    let is_on = |bit: u32| numbers[option::SWITCHES] as u32 & bit != 0;
    let optional = |bit: u32, place: usize| is_on(bit).then_some(numbers[place]);
    Ok(Options {
        recency_window: numbers[option::RECENCY_WINDOW],
        dedup: is_on(switch::DEDUP),
        fuzzy_dedup: is_on(switch::FUZZY_DEDUP),
        fuzzy_threshold: numbers[option::FUZZY_THRESHOLD],
        embed_summary_id: is_on(switch::EMBED_SUMMARY_ID),
        token_budget: optional(switch::HAS_TOKEN_BUDGET, option::TOKEN_BUDGET),
        min_recency_window: numbers[option::MIN_RECENCY_WINDOW],
        force_converge: is_on(switch::FORCE_CONVERGE),
        observation_threshold: optional(switch::HAS_OBSERVATION_THRESHOLD, option::OBSERVATION_THRESHOLD),
        full_classifier_mode: is_on(switch::FULL_CLASSIFIER_MODE),
        trace: is_on(switch::TRACE),
        has_patterns: callbacks.patterns,
        has_adapters: callbacks.adapters,
        has_summarizer: callbacks.summarizer,
        has_scorer: callbacks.scorer,
        combine_scores: is_on(switch::COMBINE_SCORES),
        importance_threshold: optional(switch::IMPORTANCE_SCORING, option::IMPORTANCE_THRESHOLD),
        contradiction_threshold: optional(switch::CONTRADICTION_DETECTION, option::CONTRADICTION_TOPIC_THRESHOLD),
        relevance_threshold: Some(numbers[option::RELEVANCE_THRESHOLD]).filter(|&threshold| threshold > 0.0),
        depth: depth::value(numbers[option::COMPRESSION_DEPTH] as usize).unwrap_or(DepthOption::Auto),
        is_tiered: is_on(switch::TIERED),
        conversation_flow: is_on(switch::CONVERSATION_FLOW),
        cluster_threshold: optional(switch::SEMANTIC_CLUSTERING, option::CLUSTER_THRESHOLD),
        coreference: is_on(switch::COREFERENCE),
        discourse_aware: is_on(switch::DISCOURSE_AWARE),
    })
}

/// The callbacks that the caller gave.
#[derive(Clone, Copy, Debug, Default)]
pub struct Callbacks {
    pub patterns: bool,
    pub adapters: bool,
    pub summarizer: bool,
    pub scorer: bool,
}
